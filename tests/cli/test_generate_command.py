from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Run, content, names

DAY = ("--date", "2026-03-01")


def test_a_fresh_set_is_kept_under_its_date(run: Run) -> None:
    before = datetime.now(UTC).date()
    result = run("generate", "--count", "12")
    after = datetime.now(UTC).date()
    assert result.exit_code == 0
    assert names(run) in ([f"fresh-{before}"], [f"fresh-{after}"])


def test_the_same_options_make_the_same_set(run: Run) -> None:
    assert "stored version 1, 20 entries" in run("generate", "--count", "20", *DAY).stdout
    assert "already stored" in run("generate", "--count", "20", *DAY).stdout
    assert "seed 3" in json.loads(run("generate", "--seed", "3", *DAY, "--json").stdout)["note"]
    assert names(run) == ["fresh-2026-03-01", "fresh-2026-03-01.seed3"]


def test_what_is_kept_is_what_would_be_written(run: Run) -> None:
    run("generate", "--count", "15", *DAY)
    printed = run("generate", "--count", "15", *DAY, "--output", "-").stdout
    Path("fresh.schemas").write_text(printed)
    assert "already stored" in run("dataset", "import", "fresh.schemas").stdout
    shown = json.loads(run("dataset", "show", "fresh-2026-03-01", "--json").stdout)
    assert len({source["sha256"] for source in shown["sources"]}) == 1


def test_it_can_be_written_to_a_file_and_is_not_kept_then(run: Run) -> None:
    assert run("generate", "--count", "5", "--output", "fresh.schemas").exit_code == 0
    assert not Path("horsesense.db").exists()
    assert run("schema", "check", "fresh.schemas").exit_code == 0
    again = run("generate", "--count", "5", "--output", "fresh.schemas")
    assert again.exit_code == 5
    assert "--force" in again.stderr
    assert run("generate", "--output", "fresh.schemas", "--force").exit_code == 0


def test_areas_and_difficulties_can_be_chosen(run: Run) -> None:
    run("generate", "--area", "kinship", "--chain", "2-3", "--name", "kin", "--count", "30", *DAY)
    dataset, *_ = json.loads(run("dataset", "list", "--json").stdout)
    assert dataset["note"].endswith("seed 0, chain 2-3, area kinship")
    for entry in content(run, "kin"):
        assert entry["tags"][0] == "kinship"
        assert entry["tags"][1] in ("chain:2", "chain:3")


def test_what_was_asked_for_is_part_of_the_name(run: Run) -> None:
    run("generate", "--area", "time", "--area", "time", "--chain", "2", "--count", "3", *DAY)
    assert names(run) == ["fresh-2026-03-01.time.chain2"]


def test_json_and_a_file_do_not_go_together(run: Run) -> None:
    assert run("generate", "--output", "fresh.schemas", "--json").exit_code == 2


def test_the_rules_are_listed(run: Run) -> None:
    rules = json.loads(run("generate", "--rules", "--json").stdout)
    assert {rule["area"] for rule in rules} >= {"kinship", "time", "possession"}
    of_one = run("generate", "--rules", "--area", "kinship").stdout
    assert "kinship" in of_one and "possession" not in of_one


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (("--area", "kinshp"), 3, "did you mean kinship"),
        (("--chain", "4-2"), 2, "put the smaller number first"),
        (("--chain", "some"), 2, "is not a number"),
        (("--chain", "2-"), 2, "is not a number"),
        (("--date", "yesterday"), 2, "--date"),
        (("--count", "0"), 2, "--count"),
        (("--chain", "60"), 1, "no more of this kind"),
        (("--name", "a b"), 1, "cannot be a dataset's name"),
    ],
)
def test_what_cannot_be_is_said(run: Run, options: tuple[str, ...], code: int, told: str) -> None:
    result = run("generate", *options)
    assert result.exit_code == code
    assert told in result.stderr
    assert not Path("horsesense.db").exists()


def test_the_name_of_a_perturbation_is_refused(stored: Run) -> None:
    stored("perturb", "apply", "no-candidate", "garden")
    result = stored("generate", "--name", "garden.no-candidate")
    assert result.exit_code == 1
    assert "no-candidate of garden" in result.stderr
