"""No number changes unnoticed: what the program computes is what it computed before.

If a test here fails, the program is wrong unless a change of numbers was decided.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.embedded import embedded_default
from tests.golden import reading
from tests.golden.data import PUBLISHED
from tests.golden.old import MODEL_RUN, report_tables, unpack
from tests.golden.rewrite import KINDS, WHOLE_STORE
from tests.golden.tables import Table, assert_kept, read_table, write_table


def assert_all_kept(tables: dict[str, Table]) -> None:
    """Compare all tables of a kind with those that are kept."""
    for name, table in tables.items():
        assert_kept(name, table)


@pytest.mark.parametrize(
    "kind", ["logs", "imports", "exports", "perturbations", "old", "baselines"]
)
def test_numbers_are_those_that_are_kept(kind: str, tmp_path: Path) -> None:
    assert_all_kept(KINDS[kind](tmp_path))


def test_numbers_of_the_embedded_default_are_those_that_are_kept(tmp_path: Path) -> None:
    embedded_default()
    assert_all_kept(KINDS["model"](tmp_path))


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published files are not here")
def test_published_files_are_read_as_before(tmp_path: Path) -> None:
    assert_all_kept(KINDS["published"](tmp_path))


@pytest.mark.skipif(
    not os.environ.get(WHOLE_STORE), reason=f"takes minutes; {WHOLE_STORE} names a store for it"
)
def test_numbers_on_whole_datasets_are_those_that_are_kept(tmp_path: Path) -> None:
    embedded_default()
    assert_all_kept(KINDS["whole"](tmp_path))


def test_old_results_have_the_numbers_of_their_run(tmp_path: Path) -> None:
    store = unpack(tmp_path)
    tables = report_tables(tmp_path / "tables", store, "--from", str(tmp_path / "results.json"))
    assert_kept("old-model-estimates.tsv.gz", reading.estimates(tables))
    assert_kept("old-model-answers.tsv.gz", reading.answers(tables))


def test_an_old_store_is_sound_and_shows_its_runs(tmp_path: Path) -> None:
    store = unpack(tmp_path)
    reading.command(store, "store", "check")
    assert MODEL_RUN in reading.command(store, "runs", "list")
    assert MODEL_RUN in reading.command(store, "runs", "show", MODEL_RUN)
    assert "smollm2-135m" in reading.command(store, "profile", "smollm2-135m")


def test_an_old_plan_asks_nothing_that_an_old_store_holds(tmp_path: Path) -> None:
    embedded_default()
    store = unpack(tmp_path)
    folder = str(tmp_path / "again")
    # Seven: the plan names perturbations that do not apply.
    given = ("run", str(tmp_path / "plan.yaml"), "--fresh", "--output", folder)
    run = reading.printed(store, *given, exit_codes=(7,))["tables"]["run"]
    assert dict(zip(run["columns"], run["rows"][0], strict=True))["asked"] == 0
    tables = report_tables(tmp_path / "tables", store)
    assert_kept("old-model-estimates.tsv.gz", reading.estimates(tables))
    assert_kept("old-model-answers.tsv.gz", reading.answers(tables))


@pytest.mark.parametrize(
    ("column", "kept", "now"),
    [
        ("value", "0.123456789012", "0.123456789112"),
        ("value", "3", "4"),
        ("value", "", "0"),
        ("p", "1e-15", "2e-15"),
        ("costs", "1.5 2.5", "1.5 2.6"),
        ("costs", "1.5 2.5", "1.5"),
    ],
)
def test_a_changed_digit_is_noticed(column: str, kept: str, now: str, tmp_path: Path) -> None:
    before, after = (Table(("key",), (column,)) for _ in range(2))
    before.add(("a",), {column: kept})
    after.add(("a",), {column: now})
    write_table("table.tsv", before, tmp_path)
    assert_kept("table.tsv", read_table("table.tsv", tmp_path), tmp_path)
    with pytest.raises(AssertionError, match="1 differences"):
        assert_kept("table.tsv", after, tmp_path)


def test_other_roundings_of_the_same_number_are_not_a_change(tmp_path: Path) -> None:
    before, after = (Table(("key",), ("value", "costs")) for _ in range(2))
    before.add(("a",), {"value": 0.1 + 0.2, "costs": [1.5]})
    after.add(("a",), {"value": 0.3, "costs": [1.50004]})
    write_table("table.tsv.gz", before, tmp_path)
    assert_kept("table.tsv.gz", after, tmp_path)
