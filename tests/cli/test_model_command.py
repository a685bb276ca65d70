from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from horsesense.models import BASELINES, EMBEDDED
from horsesense.scoring import read_frequencies
from tests.models.tiny import save_tiny

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny("bert", tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny("gpt2", tmp_path_factory.mktemp("gpt2"))


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty caches, and no hub."""
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


def test_the_list_has_the_default_and_the_baselines(run: Run) -> None:
    lines = run("model", "list").stdout.splitlines()
    assert lines[0].split() == ["name", "kind", "size", "folder"]
    assert lines[1].split() == [EMBEDDED, "embedded", "–", "not", "downloaded", "yet"]
    assert [line.split()[0] for line in lines[2:]] == list(BASELINES)


def test_the_list_as_json(run: Run) -> None:
    first, *others = json.loads(run("model", "list", "--json").stdout)
    assert first == {"name": EMBEDDED, "kind": "embedded", "folder": None, "bytes": 0}
    assert {other["kind"] for other in others} == {"baseline"}


def test_a_model_is_shown_with_all_that_it_declares(run: Run, bert: Path) -> None:
    result = run("model", "show", str(bert))
    rows = dict(line.split(None, 1) for line in result.stdout.splitlines())
    assert (rows["family"], rows["architecture"]) == ("masked", "BertForMaskedLM")
    assert (rows["before"], rows["mask"]) == ("101 '[CLS]'", "103 '[MASK]'")
    assert (rows["vocabulary"], rows["context"], rows["folder"]) == ("30,522", "128", str(bert))
    assert result.stderr == f"inspecting {bert.name}\n"


def test_a_model_as_json_has_its_fingerprint(run: Run, bert: Path) -> None:
    plain = json.loads(run("model", "show", str(bert), "--json").stdout)
    other = json.loads(run("model", "show", str(bert), "--json", "--dtype", "bfloat16").stdout)
    assert plain["dtype"] == "float32" and plain["bytes"] > 4_000_000
    assert len(plain["fingerprint"]) == 64 and plain["fingerprint"] != other["fingerprint"]


def test_a_baseline_is_shown_by_what_it_has(run: Run) -> None:
    rows = run("model", "show", "random@7").stdout.splitlines()
    assert [row.split()[0] for row in rows[1:]] == ["name", "family", "architecture", "fingerprint"]


def test_a_misspelt_name_exits_with_3(run: Run) -> None:
    result = run("model", "show", "lnoger")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr == "Error: no model named 'lnoger'; did you mean longer?\n"


def test_a_model_that_cannot_be_used_exits_with_6(run: Run, tmp_path: Path) -> None:
    result = run("model", "show", str(tmp_path))
    assert result.exit_code == 6 and "holds no weights" in result.stderr


def test_a_model_that_cannot_be_fetched_exits_with_6(run: Run) -> None:
    result = run("model", "get", "barn/owl")
    assert result.exit_code == 6 and "HF_HUB_OFFLINE keeps it from being fetched" in result.stderr


def test_a_local_model_can_be_looked_into_beforehand(run: Run, bert: Path) -> None:
    result = run("model", "get", str(bert))
    size = sum(path.stat().st_size for path in bert.iterdir()) / 1e6
    assert result.stdout == f"{bert}: masked, {size:.1f} MB in {bert}\n"
    assert run("model", "show", "uniform").exit_code == 0


def test_getting_a_baseline_gets_nothing(run: Run) -> None:
    assert run("model", "get", "first").stdout == "first: baseline, needs no files\n"


def test_only_the_default_can_be_made_anew(run: Run) -> None:
    result = run("model", "get", "first", "--force")
    assert result.exit_code == 2 and f"--force is only for {EMBEDDED}" in result.stderr


def test_the_tokens_of_a_corpus_are_counted_with_eos_after_each_file(run: Run, gpt2: Path) -> None:
    Path("one.txt").write_text("goat goat\n")
    Path("two.txt").write_text("goat")
    arguments = ["--model", str(gpt2), "one.txt", "two.txt", "--output", "table.txt"]
    assert run("model", "frequencies", *arguments).stdout == (
        "table.txt: 8 tokens, 5 of them distinct\n"
    )
    table = read_frequencies(Path("table.txt"))
    assert (table.counts[50256], table.counts[198], table.counts[26917]) == (2, 1, 1)


def test_each_line_can_be_a_document(run: Run, gpt2: Path) -> None:
    Path("lines.txt").write_bytes(b"goat\r\n\n goat\n")
    arguments = ["--model", str(gpt2), "lines.txt", "--output", "table.txt", "--lines"]
    assert run("model", "frequencies", *arguments).exit_code == 0
    counts = read_frequencies(Path("table.txt")).counts
    assert counts[50256] == 2 and counts[26917] == 1 and 198 not in counts


def test_a_table_is_not_overwritten_unless_forced(run: Run, gpt2: Path) -> None:
    Path("corpus.txt").write_text("goat")
    Path("table.txt").write_text("mine")
    arguments = ["--model", str(gpt2), "corpus.txt", "--output", "table.txt"]
    result = run("model", "frequencies", *arguments)
    assert result.exit_code == 5 and Path("table.txt").read_text() == "mine"
    assert run("model", "frequencies", *arguments, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff\xfe", "corpus.txt is not UTF-8 text"), (b"", "the corpus is empty")],
)
def test_a_corpus_that_is_none_exits_with_5(
    run: Run, bert: Path, content: bytes, said: str
) -> None:
    Path("corpus.txt").write_bytes(content)
    result = run("model", "frequencies", "--model", str(bert), "corpus.txt", "--output", "t.txt")
    assert (result.exit_code, said in result.stderr) == (5, True)
    assert not Path("t.txt").exists()


def test_baselines_have_no_tokens_to_count(run: Run) -> None:
    Path("corpus.txt").write_text("goat")
    result = run("model", "frequencies", "--model", "uniform", "corpus.txt", "--output", "t.txt")
    assert result.exit_code == 6 and "uniform is a baseline and has no tokens" in result.stderr


@pytest.mark.parametrize("command", ["list", "show", "get", "frequencies"])
def test_help_ends_in_an_example(run: Run, command: str) -> None:
    shown = run("model", command, "--help").stdout
    assert f"horsesense model {command}" in shown.partition("Example:")[2]
