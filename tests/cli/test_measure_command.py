from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from tests.cli.conftest import Run

WRAPPER = "It is |true, false| that …"


@pytest.fixture
def words(tmp_path: Path) -> str:
    """A file with a tokenizer for which every word is a token."""
    vocabulary = Tokenizer(models.WordLevel({"[UNK]": 0}, "[UNK]"))
    vocabulary.pre_tokenizer = pre_tokenizers.Whitespace()
    vocabulary.save(str(tmp_path / "words.json"))
    return "words.json"


def test_measure_counts_entries_schemas_and_problems(stored: Run) -> None:
    result = stored("dataset", "measure", "garden")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.split("  ") for line in _lines(result.stdout)] == [
        ["garden@1, by answer"],
        ["measure", "count", "share"],
        ["entries", "2"],
        ["entries: substitution schema", "2"],
        ["schemas by answer", "2"],
        ["problems by answer", "4"],
        ["blank second-last", "0/4", ".000"],
    ]


def test_measure_counts_the_tokens_of_every_vocabulary(stored: Run, words: str) -> None:
    arguments = ["--tokenizer", words, "--tokenizer", words]
    shown = _lines(stored("dataset", "measure", "garden", *arguments).stdout)
    assert (
        shown[-4:]
        == [
            "equal-length answers outside, words.json  2/4  .500",
            "equal-length answers inside, words.json  2/4  .500",
        ]
        * 2
    )


def test_measure_reads_the_problems_in_the_mode_asked_for(stored: Run) -> None:
    shown = _lines(stored("dataset", "measure", "garden", "--mode", "by-key").stdout)
    assert shown[0] == "garden@1, by key"
    assert shown[-1] == "blank second-last  4/4  1.000"


def test_measure_wraps_first_if_asked(stored: Run, words: str) -> None:
    arguments = ["--mode", "by-boolean", "--wrapper", WRAPPER, "--tokenizer", words]
    shown = _lines(stored("dataset", "measure", "garden", *arguments).stdout)
    assert shown[0] == f"garden@1, by boolean, wrapped in {WRAPPER!r}"
    assert "schemas by boolean  4" in shown and "problems by boolean  8" in shown
    assert shown[-1] == "equal-length answers inside, words.json  8/8  1.000"


def test_measure_as_json_keeps_counts_and_totals(stored: Run, words: str) -> None:
    result = stored("dataset", "measure", "garden", "--tokenizer", words, "--json")
    half = {"count": 2, "total": 4, "value": 0.5}
    assert json.loads(result.stdout) == {
        "dataset": "garden",
        "version": 1,
        "mode": "by answer",
        "wrapper": None,
        "entries": 2,
        "kinds": {"substitution schema": 2},
        "schemas": 2,
        "problems": 4,
        "second_last": {"count": 0, "total": 4, "value": 0.0},
        "equal_length": [{"tokenizer": words, "outside": half, "inside": half}],
        "left_out": [],
        "as_they_stand": [],
        "notes": [],
    }


def test_measure_tells_what_it_leaves_out(run: Run, tmp_path: Path) -> None:
    alone = "".join(f"owl {n} <hid*, fled>\n    id: owl{n}\n" for n in range(6))
    (tmp_path / "owls").write_text(f"{alone}voles <do, do not> {{hide, hunt}}\n    id: voles\n")
    run("dataset", "import", "owls")
    result = run("dataset", "measure", "owls", "--mode", "by-key")
    assert result.exit_code == 0
    assert result.stderr == (
        "6 entries left out (owl0, owl1, owl2, owl3, owl4, …): "
        "a single problem cannot be solved by key: it has no key phrases\n"
    )
    assert "problems by key  2" in _lines(result.stdout)


def test_measure_of_nothing_is_undefined_and_exits_with_one(stored: Run) -> None:
    result = stored("dataset", "measure", "garden", "--mode", "by-boolean")
    assert result.exit_code == 1
    assert _lines(result.stdout)[-1] == "blank second-last  0/0  –"
    assert "2 entries left out (roses, hose): " in result.stderr
    assert "it has no truth pair" in result.stderr
    shown = stored("dataset", "measure", "garden", "--mode", "by-boolean", "--json")
    assert json.loads(shown.stdout)["second_last"]["value"] is None


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["gardn"], 3, "did you mean garden?"),
        (["garden", "--mode", "by-luck"], 2, "by-luck"),
        (["garden", "--wrapper", "It is that …"], 1, "truth"),
        (["garden", "--tokenizer", "none.json"], 5, "none.json cannot be read: No such file"),
        (["garden", "--tokenizer", "garden.schemas"], 5, "garden.schemas is not a tokenizer.json"),
    ],
)
def test_measure_says_what_is_wrong_with_its_arguments(
    stored: Run, arguments: list[str], code: int, message: str
) -> None:
    result = stored("dataset", "measure", *arguments)
    assert result.exit_code == code
    assert message in result.stderr


def _lines(shown: str) -> list[str]:
    """The lines that hold something, with two spaces between the cells of a table."""
    return ["  ".join(re.split(" {2,}", line)) for line in shown.splitlines() if line]
