from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from horsesense.scoring import FrequencyTable, write_frequencies
from tests.cli.conftest import HARBOUR_XML, Run, write
from tests.models.tiny import save_tiny

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
STORE = Path("horsesense.db")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with small models, one of each family."""
    folder = tmp_path_factory.mktemp("models")
    for name in ("gpt2", "roberta", "t5"):
        save_tiny(name, folder / name)
    return folder


@pytest.fixture
def models(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The names of small models; what is worked out of them is kept from test to test."""
    monkeypatch.setenv("HORSESENSE_CACHE", str(folder / "cache"))
    return {name: str(folder / name) for name in ("gpt2", "roberta", "t5")}


def scored(run: Run, *arguments: str) -> dict[str, Any]:
    """What the command says as JSON."""
    result = run("score", *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_schema_is_shown_problem_by_problem(run: Run) -> None:
    result = run("score", "--model", "longer", LORRY)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "   problem                                options",
        "1  A lorry ___ pass under a high bridge.  ✓ can      cannot",
        "2  A lorry ___ pass under a low bridge.     can    ✓ cannot",
        "",
        "method  1         margin  2         margin",
        "choice  ✗ cannot  −3.000  ✓ cannot  +3.000",
    ]


def test_a_file_is_summed_up_by_problem_and_by_schema(run: Run, garden: Path) -> None:
    result = run("score", "--model", "first", str(garden))
    assert result.stdout.splitlines() == [
        "method  problems  a     schemas  A     undecided  undefined",
        "choice  2/4       .500  0/2      .000  0          0",
    ]


def test_a_published_file_is_read_as_it_is_imported(run: Run) -> None:
    found = scored(run, "--model", "first", write("harbour.xml", HARBOUR_XML))
    assert found["methods"][0]["problems"] == {"count": 1, "total": 2, "value": 0.5}


def test_a_dataset_is_read_from_the_store(stored: Run) -> None:
    found = scored(stored, "--model", "uniform", "--dataset", "garden")
    assert found["what"] == "garden@1"
    assert found["methods"][0]["undecided"] == 4
    assert found["methods"][0]["schemas"] == {"count": 0, "total": 2, "value": 0.0}


@pytest.mark.parametrize(
    ("data", "what"),
    [("garden", "garden@1"), ("garden.schemas", "garden.schemas"), ("hs-winograd", "hs-winograd")],
)
def test_data_is_a_stored_or_built_in_dataset_or_a_file(stored: Run, data: str, what: str) -> None:
    assert scored(stored, "--model", "uniform", "--data", data, "--first", "2")["what"] == what


def test_a_built_in_dataset_needs_no_store(run: Run) -> None:
    scored(run, "--model", "uniform", "--data", "hs-winograd", "--first", "2")
    assert not STORE.exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "say what to score: a schema, a file, or --data NAME"),
        ([LORRY, "--data", "garden"], 2, "not both"),
        (["--data", "gardne"], 3, "did you mean garden?"),
    ],
)
def test_what_is_scored_is_named_once(
    stored: Run, arguments: list[str], code: int, message: str
) -> None:
    result = stored("score", "--model", "uniform", *arguments)
    assert result.exit_code == code
    assert message in result.stderr


def test_the_mode_and_the_wrapper_are_those_asked_for(run: Run) -> None:
    arguments = ["--mode", "by-boolean", "--wrapper", "It is |true, false| that …"]
    found = scored(run, "--model", "first", LORRY, *arguments)
    assert len(found["problems"]) == 4
    assert found["problems"][0]["options"] == [["true"], ["false"]]


@pytest.mark.parametrize("option", ["--limit", "--first"])
def test_a_sample_and_the_first_ones_count_schemas(run: Run, garden: Path, option: str) -> None:
    found = scored(run, "--model", "first", str(garden), option, "1")
    assert found["methods"][0]["problems"]["total"] == 2


def test_what_cannot_be_posed_is_left_out_and_told(run: Run, harbour: Path) -> None:
    result = run("score", "--model", "first", str(harbour), "--mode", "by-key")
    assert result.exit_code == 0
    assert "1 entry left out (tide): a single problem cannot be solved by key" in result.stderr


def test_nothing_to_pose_is_an_error(run: Run) -> None:
    result = run("score", "--model", "first", "<Owls hunt.*, Hunt owls.>", "--mode", "by-key")
    assert result.exit_code == 1
    assert "has no problems by key" in result.stderr


def test_faults_of_a_published_file_are_counted(run: Run, harbour: Path) -> None:
    with harbour.open("a") as stream:
        stream.write('{"qID": "x-1", "sentence": "No blank.", "option1": "a", "option2": "b"}\n')
    result = run("score", "--model", "first", str(harbour))
    assert (
        "harbour.jsonl: 1 problem left out; run 'horsesense dataset import' for details"
        in result.stderr
    )
    assert "harbour.jsonl: twins by the stem of their qID: 2 pairs, 1 alone\n" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["no-such-file"],
            5,
            "there is no file 'no-such-file', and it is not a schema in notation",
        ),
        (["--dataset", "kitchen"], 4, "there is no store at"),
        (["--model", "longr", LORRY], 3, "did you mean longer?"),
        (["--model", "longer", "--method", "partial", LORRY], 3, "scoring method of baselines"),
        (["--model", "longer", "a <b, c> {d"], 1, "column 10"),
        (["--model", "longer", "--mode", "by-boolean", LORRY], 1, "it has no truth pair"),
    ],
)
def test_what_cannot_be_done_is_said(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    result = run("score", *arguments)
    assert (result.exit_code, message in result.stderr) == (code, True), result.stderr


def test_every_problem_is_written_as_a_line_of_json(run: Run, garden: Path) -> None:
    arguments = ["score", "--model", "longer", str(garden), "--output", "lines.jsonl"]
    assert run(*arguments).exit_code == 0
    lines = [json.loads(line) for line in Path("lines.jsonl").read_text().splitlines()]
    assert [(line["entry"], line["problem"]) for line in lines] == [
        ("roses", 1), ("roses", 2), ("hose", 1), ("hose", 2),
    ]  # fmt: skip
    outcome = {"costs": [-21.0, -25.0], "chosen": 1, "margin": -4.0, "verdict": "failed"}
    assert lines[0]["methods"] == {"choice": outcome}
    again = run(*arguments)
    assert (again.exit_code, "use --force to overwrite it" in again.stderr) == (5, True)
    assert run(*arguments, "--force").exit_code == 0


def test_a_baseline_keeps_nothing(run: Run) -> None:
    run("score", "--model", "longer", LORRY)
    assert not STORE.exists()


def test_a_second_run_is_answered_from_the_store(run: Run, models: dict[str, str]) -> None:
    first = run("score", "--model", models["gpt2"], LORRY)
    assert "4 queries (tree)" in first.stderr
    second = run("score", "--model", models["gpt2"], LORRY)
    assert "4 queries, all cached" in second.stderr
    assert first.stdout == second.stdout
    by_key = run("score", "--model", models["gpt2"], LORRY, "--mode", "by-key")
    assert "all cached" in by_key.stderr


def test_without_a_cache_there_is_no_store(run: Run, models: dict[str, str]) -> None:
    result = run("score", "--model", models["gpt2"], LORRY, "--no-cache", "--method", "partial")
    assert result.exit_code == 0 and not STORE.exists()


def test_what_has_no_score_is_told_with_the_reason(run: Run, models: dict[str, str]) -> None:
    result = run("score", "--model", models["gpt2"], LORRY, "--method", "full", "--method", "loss")
    assert "full: undefined: the model has no BOS" in result.stderr
    assert "first tokens have no probability; use --frequencies to provide one" in result.stderr
    full, loss = (line.split() for line in result.stdout.splitlines()[-2:])
    assert full == ["full", "–", "–"] and loss[0] == "loss"


def test_a_table_of_frequencies_gives_first_tokens_a_probability(
    run: Run, models: dict[str, str]
) -> None:
    # In GPT-2's vocabulary, 32 is "A".
    write_frequencies(FrequencyTable(10, {32: 9, 50256: 1}), Path("table.txt"))
    arguments = ["--model", models["gpt2"], LORRY, "--frequencies", "table.txt"]
    found = scored(run, *arguments, "--method", "full", "--method", "all-but-first")
    full, rest = (found["problems"][0]["methods"][name] for name in ("full", "all-but-first"))
    assert full["costs"][0] - rest["costs"][0] == pytest.approx(0.10536, abs=1e-4)
    assert "first tokens: frequency in the table, for 4 sentences" in found["notes"]


def test_a_table_of_another_vocabulary_is_refused(run: Run, models: dict[str, str]) -> None:
    write_frequencies(FrequencyTable(10, {60000: 10}), Path("table.txt"))
    result = run("score", "--model", models["gpt2"], LORRY, "--frequencies", "table.txt")
    assert (result.exit_code, "has tokens that" in result.stderr) == (5, True)


def test_a_method_is_named_once(run: Run, models: dict[str, str]) -> None:
    arguments = ["--method", "loss", "--method", "mean-all-but-first"]
    found = scored(run, "--model", models["gpt2"], LORRY, *arguments)
    assert [one["method"] for one in found["methods"]] == ["loss"]


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("gpt2", ["prefix", "[cannot]", "difference", "partial", "compat:llama.cpp"]),
        ("roberta", ["<s>", "single-mask", "multi-mask", "Δ multi-mask", "within-word"]),
        ("t5", ["sentinel", "<extra_id_0>", "with prefix", "</s>", "prefix-loss"]),
    ],
)
def test_every_family_is_explained(
    run: Run, models: dict[str, str], name: str, seen: list[str]
) -> None:
    result = run("score", "--model", models[name], LORRY, "--explain")
    assert result.exit_code == 0, result.output
    assert [text for text in seen if text not in result.stdout] == []
    assert "── 2  A lorry ___ pass under a low bridge. ──" in result.stdout
    assert "Both problems are solved by " in result.stdout.splitlines()[-1]
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_an_explanation_as_json_holds_every_token(run: Run, models: dict[str, str]) -> None:
    found = scored(run, "--model", models["gpt2"], LORRY, "--explain", "--method", "partial")
    explained = found["problems"][0]["explanation"]
    option = explained["options"][0]
    assert "".join(option["texts"]).replace("+", "") == "Alorrycanpassunderahighbridge."
    (costs,) = option["costs"]
    counted = [
        costs["values"][place]
        for place, mark in zip(option["places"], explained["sums"][0]["adds_up"], strict=True)
        if mark == "all"
    ]
    outcome = found["problems"][0]["methods"]["partial"]
    assert sum(counted) == pytest.approx(outcome["costs"][0])


def test_a_token_across_the_edge_of_a_blank_is_told(run: Run, models: dict[str, str]) -> None:
    notation = "the <do*, owl>n't sign was gone"
    result = run("score", "--model", models["gpt2"], notation, "--method", "partial")
    assert "2 tokens in 2 sentences cross the edge of a blank; counted as suffix" in result.stderr


GOATS = """\
the goat <ate, left> the {fresh, stale} oats
    id: goat
a 🐐 <eats, leaves> {fresh, stale} oats
    id: sign
"""


def test_a_sentence_that_cannot_be_read_is_named_and_with_leave_left_out(
    run: Run, models: dict[str, str]
) -> None:
    asked = ("score", write("goats.schemas", GOATS), "--model", models["t5"], "--method", "basic")
    refused = run(*asked)
    assert refused.exit_code == 6
    assert "t5 has no token for '🐐' in 'A 🐐<extra_id_0> fresh oats.'; write" in refused.stderr
    assert refused.stderr.endswith(
        "\n  use --keep-going to leave out the problem and query the others\n"
    )
    told = run(*asked, "--keep-going", "--explain", "--output", "out.jsonl")
    assert told.exit_code == 0
    assert "skipped 2 of 4 problems that" in told.stderr
    assert "  sign, problem 2: " in told.stderr and "undefined" not in told.stderr
    found = scored(run, *asked[1:], "--keep-going", "--explain")
    assert [(one["entry"], one["problem"]) for one in found["unread"]] == [("sign", 1), ("sign", 2)]
    assert found["methods"][0]["problems"]["total"] == 2
    assert found["methods"][0]["undefined"] == {"the model cannot read it": 2}
    assert [one["explanation"] is None for one in found["problems"]] == [False, False, True, True]
    lines = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert lines[3]["methods"]["basic"] == {"undefined": "the model cannot read it"}


def test_so_it_is_in_a_run_where_it_is_a_gap(run: Run, models: dict[str, str]) -> None:
    plan = ("--data", write("goats.schemas", GOATS), "--perturb", "none", "--resamples", "20")
    refused = run("run", "--model", models["t5"], *plan)
    assert refused.exit_code == 6 and "🐐" in refused.stderr
    told = run("run", "--model", models["t5"], *plan, "--keep-going")
    assert told.exit_code == 7
    gap = (
        "missing: t5 on goats: 2 problems skipped, as it cannot tokenize them"
        " (original: sign 1, sign 2)"
    )
    assert gap in told.stderr
    assert run("why", "sign").exit_code == 0
    assert run("report", "--format", "markdown").stdout.count("2 problems skipped") >= 1
