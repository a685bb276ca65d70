import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.errors import FileError
from horsesense.profile import Profile
from horsesense.profile.document import from_document, to_document
from horsesense.profile.tables import TABLES
from tests.profile.awkward import (
    awkward_measurements,
    awkward_profile,
    awkward_record,
    bare_profile,
    exact,
)
from tests.reports.small_profile import small_profile


def written(profile: Profile) -> Any:
    """The document after a visit to a file, in JSON that every program can read."""
    return json.loads(json.dumps(to_document(profile), allow_nan=False))


@pytest.mark.parametrize("make", [awkward_profile, bare_profile, small_profile])
def test_a_profile_comes_back_to_the_last_bit(make: Callable[[], Profile]) -> None:
    profile = make()
    assert from_document(written(profile)) == profile
    assert exact(from_document(written(profile))) == exact(profile)


def test_a_document_need_not_go_through_a_file() -> None:
    assert from_document(to_document(awkward_profile())) == awkward_profile()


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False), min_size=3, max_size=3))
def test_every_float_comes_back(values: list[float]) -> None:
    value, low, total = values
    one = replace(awkward_measurements()[0], value=value, low=low, total=total)
    changed = replace(bare_profile(), measurements=(one,))
    assert exact(from_document(written(changed))) == exact(changed)


def test_columns_may_stand_in_any_order_beside_others() -> None:
    document = written(awkward_profile())
    table = document["tables"]["gap"]
    table["columns"] = [*reversed(table["columns"]), "mood"]
    table["rows"] = [[*reversed(row), 0] for row in table["rows"]]
    assert from_document(document) == awkward_profile()


@pytest.mark.parametrize("document", [{}, {"format": "horsesense"}, [], None])
def test_anything_else_is_no_profile(document: Any) -> None:
    with pytest.raises(FileError, match="this is no profile: .* horsesense-profile"):
        from_document(document)


def test_another_version_is_refused() -> None:
    with pytest.raises(FileError, match="is of version 2, and this program reads version 1"):
        from_document({**written(bare_profile()), "version": 2})


@pytest.mark.parametrize("tables", [None, []])
def test_a_document_without_tables_is_damaged(tables: Any) -> None:
    with pytest.raises(FileError, match="it has no tables"):
        from_document({**written(bare_profile()), "tables": tables})


@pytest.mark.parametrize("table", TABLES)
def test_a_missing_table_is_named(table: str) -> None:
    document = written(bare_profile())
    del document["tables"][table]
    with pytest.raises(FileError, match=f"damaged: it has no table {table}$"):
        from_document(document)


DAMAGE: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "no rows": ("gap has no columns or no rows", lambda tables: tables["gap"].pop("rows")),
    "no table": ("gap has no columns", lambda tables: tables.update(gap=None)),
    "no column": (
        "measurement has no column kind",
        lambda tables: tables["measurement"]["columns"].__setitem__(0, "sort"),
    ),
    "short row": ("gap has rows that are shorter", lambda tables: tables["gap"]["rows"][0].pop()),
    "no record": ("has 0 records", lambda tables: tables["run"]["rows"].clear()),
    "lost answer": (
        "the answers are not those of its sheets",
        lambda tables: tables["answer"]["rows"].pop(),
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_missing_is_said(damage: str) -> None:
    told, do = DAMAGE[damage]
    document = written(awkward_profile())
    do(document["tables"])
    with pytest.raises(FileError, match=told):
        from_document(document)


@pytest.mark.parametrize(
    "table, column, value, told",
    [
        ("measurement", "value", "high", "in value of .* measurement 'high' stands where a number"),
        ("measurement", "problems", 1.5, "a whole number belongs"),
        ("measurement", "problems", True, "a whole number belongs"),
        ("measurement", "metric", None, "'None' stands where a text belongs"),
        ("measurement", "kind", "guess", "'guess' stands where a kind of measurement belongs"),
        ("run_model", "is_baseline", 1, "true or false belongs"),
        ("run_model", "methods", "full", "'full' stands where a list belongs"),
        ("run_model", "methods", [1], "'1' stands where a text belongs"),
        ("run_model", "standard", [["quay"]], "a list belongs"),
        ("run", "plan", {"models": []}, "stands where a plan belongs"),
        ("run", "plan", [], "stands where a plan belongs"),
        ("answer", "costs", [None, 1.0], "a number belongs"),
        ("answer", "problem", 99, "refers to a row of the table posed_problem"),
        ("answer", "tags", -1, "refers to a row of the table tag_set"),
        ("sheet", "schemas", [[0, 4]], "a schema of the sheet smart@1 is of answers that are not"),
    ],
)  # fmt: skip
def test_what_is_out_of_place_is_said(table: str, column: str, value: Any, told: str) -> None:
    document = written(awkward_profile())
    rows = document["tables"][table]
    rows["rows"][0][rows["columns"].index(column)] = value
    with pytest.raises(FileError, match=told):
        from_document(document)


def test_a_plan_of_another_kind_is_said() -> None:
    document = written(bare_profile())
    place = document["tables"]["run"]["columns"].index("plan")
    document["tables"]["run"]["rows"][0][place]["seed"] = "zero"
    with pytest.raises(
        FileError, match="in plan of the table run 'zero' stands where a whole number"
    ):
        from_document(document)
    assert awkward_record().plan.seed == 0


def test_a_plan_of_an_earlier_version_is_read() -> None:
    document = written(bare_profile())
    place = document["tables"]["run"]["columns"].index("plan")
    del document["tables"]["run"]["rows"][0][place]["keep_going"]
    assert from_document(document) == bare_profile()
    del document["tables"]["run"]["rows"][0][place]["seed"]
    with pytest.raises(FileError, match="stands where a plan belongs"):
        from_document(document)
