from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from horsesense.audit import chosen_checks
from horsesense.errors import ModelError
from tests.cli.conftest import Run, write
from tests.cli.terminal import in_terminal
from tests.models.tiny import save_tiny

SCHEMA = "[The {0}a] met [the {0}o] as <it = the {0}a, the {0}o> was {{eager, weary}}.\n"
ROOTS = [first + vowel + last for first in "bdfklmn" for vowel in "aeu" for last in "rst"]
# A schema for each root: the key phrases give away which candidate is meant.
GIVEN_AWAY = "---\nname: given-away\n---\n" + "".join(map(SCHEMA.format, ROOTS[:40]))
TWICE = """\
---
name: twice
---
{ice, steam} is <colder, hotter> than water
{steam, ice} is <hotter, colder> than water
"""


@pytest.fixture
def given_away(run: Run) -> Run:
    """The command line with a dataset that words solve."""
    assert run("dataset", "import", write("given-away.schemas", GIVEN_AWAY)).exit_code == 0
    return run


@pytest.fixture
def twice(run: Run) -> Run:
    """The command line with a dataset that has an entry twice."""
    assert run("dataset", "import", write("twice.schemas", TWICE)).exit_code == 0
    return run


def audited(run: Run, *arguments: str) -> dict[str, Any]:
    """What the command says as JSON."""
    found: dict[str, Any] = json.loads(run("dataset", "audit", *arguments, "--json").stdout)
    return found


def test_each_check_is_shown_with_its_figures_and_concerns(given_away: Run) -> None:
    result = given_away("dataset", "audit", "given-away", "--check", "bag-of-words")
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:7] == [
        "given-away@1, 40 entries",
        "",
        "Guessing from single words (bag-of-words)",
        "figure              value  interval       of",
        "problem accuracy    1.000  .912 to 1.000  80",
        "schema accuracy     1.000  .912 to 1.000  40",
        "undecided problems  .000",
    ]
    assert lines[7].startswith(
        "look: a classifier that sees words but not their order solves 100.0%"
    )
    assert lines[7].endswith(" and 35 more]")
    assert lines[8:] == ["", "0 faults, 1 to look at in 1 check"]


def test_faults_are_told_and_the_exit_code_is_1(twice: Run) -> None:
    result = twice("dataset", "audit", "twice", "--check", "duplicates")
    assert result.exit_code == 1
    assert "fault: they have the same sentences" in result.stdout
    assert result.stdout.splitlines()[-1] == "1 fault, 0 to look at in 1 check"


def test_all_checks_are_made_and_what_is_skipped_has_its_reason(stored: Run) -> None:
    result = stored("dataset", "audit", "garden", "--no-model")
    assert result.exit_code == 0
    shown = [name for name in chosen_checks() if f"({name})\n" in result.stdout]
    assert shown == list(chosen_checks())
    assert "skipped: no model was queried (--no-model)" in result.stdout
    assert "no-candidate, part-sent, local-context)" in result.stdout.splitlines()[-1]


def test_many_concerns_are_cut_short(run: Run) -> None:
    both = "a {0} is <big, small> if {{old, new}}\na {0} is <small, big> if {{new, old}}\n"
    lines = "".join(map(both.format, ROOTS[:12]))
    run("dataset", "import", write("many.schemas", f"---\nname: many\n---\n{lines}"))
    result = run("dataset", "audit", "many", "--check", "duplicates")
    assert result.stdout.count("fault: ") == 10
    assert "… and 2 more; use --json to see all" in result.stdout
    assert audited(run, "many", "--check", "duplicates")["faults"] == 12


def test_as_json_everything_is_there(given_away: Run) -> None:
    found = audited(given_away, "given-away", "--check", "bag-of-words", "--check", "answer-pairs")
    pairs, bag = found.pop("checks")
    assert found == {
        "dataset": "given-away",
        "version": 1,
        "mode": "by answer",
        "faults": 0,
        "looks": 1,
        "skipped": ["answer-pairs"],
    }
    assert pairs["skipped"].startswith("0 adversarial schemas")
    assert len(bag["concerns"][0]["entries"]) == 40 and bag["concerns"][0]["weight"] == "look"
    assert bag["figures"][0]["interval"]["method"] == "Clopper–Pearson"


def test_a_named_model_is_asked(given_away: Run) -> None:
    arguments = ["given-away", "--model", "first", "--check", "no-candidate"]
    [checked] = audited(given_away, *arguments)["checks"]
    assert [figure["value"] for figure in checked["figures"][:2]] == [0.5, 0.0]


def test_a_default_model_that_cannot_be_had_is_a_reason_to_skip(
    given_away: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file, so that nothing can be kept there.
    monkeypatch.setenv("HORSESENSE_CACHE", write("no-folder", ""))
    result = given_away("dataset", "audit", "given-away", "--check", "part-sent")
    assert result.exit_code == 1
    assert "skipped: " in result.stdout and "no-folder" in result.stdout
    assert "all requested checks were skipped" in result.stderr
    both = ["given-away", "--check", "part-sent", "--check", "duplicates"]
    made = given_away("dataset", "audit", *both)
    assert (made.exit_code, made.stderr) == (0, "")


def test_a_named_model_that_cannot_be_had_is_an_error(
    given_away: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORSESENSE_CACHE", write("no-folder", ""))
    arguments = ["given-away", "--check", "part-sent", "--model", "smollm2-135m"]
    result = given_away("dataset", "audit", *arguments)
    assert result.exit_code == ModelError.exit_code
    assert "no-folder" in result.stderr


def test_what_a_model_answers_is_kept_in_the_store(
    given_away: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    save_tiny("gpt2", tmp_path / "gpt2")
    arguments = ["given-away", "--model", str(tmp_path / "gpt2"), "--check", "no-candidate"]
    first = audited(given_away, *arguments)
    assert not first["skipped"]
    kept = given_away("cache", "stats", "--json").stdout
    assert [one["model"] for one in json.loads(kept)] == [str(tmp_path / "gpt2")]
    assert audited(given_away, *arguments) == first
    assert given_away("cache", "stats", "--json").stdout == kept


def test_a_figure_without_a_value_is_a_dash(stored: Run) -> None:
    shown = stored("dataset", "audit", "garden", "--check", "near-duplicates").stdout
    assert "greatest share of words in common  –" in shown


def test_files_to_compare_with_are_read(stored: Run) -> None:
    write("seen.txt", "As I said, the hose did not reach the pump because it was too short.")
    result = stored("dataset", "audit", "garden", "--check", "overlap", "--against", "seen.txt")
    assert result.exit_code == 1
    assert "seen.txt:1" in result.stdout and "[hose]" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--check", "n-gram"], 3, "did you mean n-grams?"),
        (["--model", "first", "--no-model"], 2, "--model and --no-model cannot be used together"),
        (["--check", "overlap"], 2, "--check overlap needs --against"),
        (
            ["--no-model", "--check", "part-sent"],
            2,
            "--check part-sent needs a model; leave out --no-model",
        ),
        (["--model", "longr", "--check", "no-candidate"], 3, "did you mean longer?"),
        (["--against", "nowhere", "--check", "overlap"], 5, "there is no file or folder 'nowhere'"),
        (["--against", "nowhere", "--check", "duplicates"], 5, "no file or folder 'nowhere'"),
        (["--against", "nowhere", "--model", "longr"], 5, "no file or folder 'nowhere'"),
    ],
)
def test_what_cannot_be_done_is_said(
    stored: Run, arguments: list[str], code: int, message: str
) -> None:
    result = stored("dataset", "audit", "garden", *arguments)
    assert result.exit_code == code
    assert message in result.stderr


def test_the_check_that_is_made_is_shown_in_a_terminal(given_away: Run, tmp_path: Path) -> None:
    save_tiny("gpt2", tmp_path / "gpt2")
    impatient = "from horsesense.cli import main, output; output.QUIET_SECONDS = 0; main.main()"
    command = [sys.executable, "-c", impatient, "dataset", "audit", "given-away"]
    checks = ["--check", "bag-of-words", "--check", "no-candidate", "--model", "./gpt2"]
    shown = in_terminal([*command, *checks], tmp_path)
    assert "checking bag-of-words" in shown
    # While the model is asked, it is said how far it has come.
    assert re.search(r"checking no-candidate [^\n]*\b\d+ %", shown)
    assert "in 2 checks" in shown


def test_a_model_that_no_check_asks_is_not_looked_for(stored: Run) -> None:
    result = stored("dataset", "audit", "garden", "--model", "nobody", "--check", "duplicates")
    assert result.exit_code == 0


def test_the_help_does_without_heavy_libraries() -> None:
    code = (
        "import sys\n"
        "from horsesense.cli.main import cli\n"
        "cli(['dataset', 'audit', '--help'], standalone_mode=False)\n"
        "sys.exit(bool({'scipy', 'sklearn', 'torch'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
