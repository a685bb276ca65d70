import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.errors import FileError
from horsesense.reports import build_report
from horsesense.reports.lm_eval import lm_eval_results
from horsesense.reports.page import page
from horsesense.results import Profile
from horsesense.results.document import from_document, read_document, to_document
from horsesense.results.tables import TABLES
from tests.reports.small_profile import small_profile
from tests.results.awkward import (
    awkward_measurements,
    awkward_profile,
    awkward_record,
    bare_profile,
    exact,
)


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
    with pytest.raises(
        FileError, match="^version: expected 1, .*, found the number 2; write it again"
    ):
        from_document({**written(bare_profile()), "version": 2})


@pytest.mark.parametrize("tables", [None, []])
def test_a_document_without_tables_is_damaged(tables: Any) -> None:
    with pytest.raises(FileError, match="^tables: expected an object with the tables, found "):
        from_document({**written(bare_profile()), "tables": tables})


@pytest.mark.parametrize("table", TABLES)
def test_a_missing_table_is_named(table: str) -> None:
    document = written(bare_profile())
    del document["tables"][table]
    with pytest.raises(FileError, match=rf"^tables\.{table}: expected a table, found nothing$"):
        from_document(document)


DAMAGE: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "no rows": (
        "tables.gap.rows: expected a list, found nothing",
        lambda tables: tables["gap"].pop("rows"),
    ),
    "rows that are none": (
        "tables.gap.rows: expected a list, found the number 1.5",
        lambda tables: tables["gap"].update(rows=1.5),
    ),
    "a row that is none": (
        "tables.gap.rows[0]: expected a list, found the number 1.5",
        lambda tables: tables["gap"].update(rows=[1.5]),
    ),
    "columns that are none": (
        "tables.gap.columns: expected a list, found null",
        lambda tables: tables["gap"].update(columns=None),
    ),
    "a column that is none": (
        "tables.gap.columns[3]: expected a text, found a list",
        lambda tables: tables["gap"]["columns"].append([]),
    ),
    "no table": (
        "tables.gap: expected a table, found a list",
        lambda tables: tables.update(gap=[]),
    ),
    "no column": (
        "tables.measurement.columns: expected kind once, found it 0 times",
        lambda tables: tables["measurement"]["columns"].__setitem__(0, "sort"),
    ),
    "a column twice": (
        "tables.gap.columns: expected where once, found it 2 times",
        lambda tables: tables["gap"]["columns"].append("where"),
    ),
    "short row": (
        "tables.gap.rows[0]: expected 3 values, one for each column, found 2",
        lambda tables: tables["gap"]["rows"][0].pop(),
    ),
    "no record": (
        "tables.run.rows: expected one row, found 0",
        lambda tables: tables["run"]["rows"].clear(),
    ),
    "lost answer": (
        "tables.answer.rows: expected the 8 answers of the sheets, found 7",
        lambda tables: tables["answer"]["rows"].pop(),
    ),
    "the same sheet twice": (
        "tables.sheet.rows[1]: expected a model, dataset, form, subset and method of its own, "
        "found that of sheet.rows[0] again",
        lambda tables: tables["sheet"]["rows"].insert(1, tables["sheet"]["rows"][0]),
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_missing_is_said(damage: str) -> None:
    told, do = DAMAGE[damage]
    document = written(awkward_profile())
    do(document["tables"])
    with pytest.raises(FileError, match=f"^{re.escape(told)}$"):
        from_document(document)


@pytest.mark.parametrize(
    "table, path, value, told",
    [
        ("measurement", "value", "high", "a number, or null, found the text 'high'"),
        ("measurement", "value", float("nan"), "a number, or null, found the number nan"),
        ("measurement", "value", 10**400, "a number of at most 64 bits, or null, found a number o"),
        ("measurement", "low", "x" * 99, f"a number, or null, found the text '{'x' * 40}…'"),
        ("measurement", "problems", 1.5, "a whole number, found the number 1.5"),
        ("measurement", "problems", True, "a whole number, found true"),
        ("measurement", "problems", 2**63, "a whole number of at most 64 bits, found a number of"),
        ("measurement", "metric", None, "a text, found null"),
        ("measurement", "metric", "\ud800", r"a text without half characters, found the text '\ud"),
        ("measurement", "metric", b"", "a text, found a value of type bytes"),
        ("measurement", "kind", "guess", "one of value, change, difference, found the text 'gues"),
        ("measurement", "kind", [], "one of value, change, difference, found a list"),
        ("run_model", "is_baseline", 1, "true or false, found the number 1"),
        ("run_model", "methods", 1.5, "a list, found the number 1.5"),
        ("run_model", "methods[1]", {}, "a text, found an object"),
        ("run_model", "methods", ["a", "b", "a"], "each method once, found 1 repeated"),
        ("run_model", "standard[0]", ["quay"], "a list of 2, found one of 1"),
        ("run_model", "standard[0][1]", 3, "a text, found the number 3"),
        ("run_model", "standard", [], "a method for the dataset quay, found none"),
        ("run_form", "dataset", "pier", "a name in the table run_dataset, found the text 'pier'"),
        ("run", "plan", [], "an object with the fields of a plan, found a list"),
        ("run", "plan.seed", "zero", "a whole number, found the text 'zero'"),
        ("run", "plan.seed", -1, "a number from 0 to 9223372036854775807, found the number -1"),
        ("run", "plan.models[1]", None, "a text, found null"),
        ("run", "plan.ties", "luck", "one of failed, half, found the text 'luck'"),
        ("run", "plan.resamples", 10**9, "a number from 1 to 10000000, found the number 10000000"),
        ("run", "started_at", "today", "a date and time, or '', found the text 'today'"),
        ("posed_problem", "right", 2, "the position of one of 2 options, from 0, or null, found"),
        ("answer", "costs", 1.5, "a list, found the number 1.5"),
        ("answer", "costs", [1.5], "a cost for each of 2 options, two at least, found 1"),
        ("answer", "costs[1]", None, "a number, found null"),
        ("answer", "sheet", 1, "0, as the sheets count their answers, found the number 1"),
        ("answer", "problem", 99, "a row of the table posed_problem, which has 9, found the numb"),
        ("answer", "tags", -1, "a row of the table tag_set, which has 4, found the number -1"),
        ("answer", "chosen", 7, "the position of one of 2 options, from 0, or null, found the n"),
        ("sheet", "answers", 10**15, "a number of answers, of which there are 8, found the"),
        ("sheet", "schemas[1][0]", 4, "the position of one of its 4 answers, found the number 4"),
        ("token_cost", "model", "cow", "a name in the table run_model, found the text 'cow'"),
        ("token_cost", "form", "upside", "a dataset and form in the table run_form, found the"),
        ("token_cost", "entry", "ship", "an entry and number in the table posed_problem, found"),
        ("token_cost", "option", 2, "the position of one of 2 options, from 0, found the number 2"),
        ("token_cost", "parts", [], "one for each of 2 texts, found 0"),
    ],
)  # fmt: skip
def test_what_is_out_of_place_is_told_with_its_path(
    table: str, path: str, value: Any, told: str
) -> None:
    document = written(awkward_profile())
    column, *steps = re.findall(r"\w+", path)
    at = document["tables"][table]["columns"].index(column)
    keys = [0, at, *(int(step) if step.isdecimal() else step for step in steps)]
    place = document["tables"][table]["rows"]
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(FileError) as caught:
        from_document(document)
    assert str(caught.value).startswith(f"tables.{table}.rows[0].{path}: expected {told}")


def test_the_fields_of_a_plan_are_all_there_and_no_others() -> None:
    document = written(bare_profile())
    place = document["tables"]["run"]["columns"].index("plan")
    plan = document["tables"]["run"]["rows"][0][place]
    plan["mood"] = 1
    with pytest.raises(
        FileError, match=r"plan: expected the fields of a plan, found .* 'mood' bes"
    ):
        from_document(document)
    del plan["mood"], plan["keep_going"]  # which plans of earlier versions lack
    assert from_document(document) == bare_profile()
    del plan["seed"]
    with pytest.raises(
        FileError, match=r"^tables\.run\.rows\[0\]\.plan\.seed: expected this field"
    ):
        from_document(document)


def test_values_behind_the_first_list_have_their_own_place() -> None:
    document = written(awkward_profile())
    place = document["tables"]["answer"]["columns"].index("costs")
    document["tables"]["answer"]["rows"][2][place][1] = "dear"
    with pytest.raises(
        FileError, match=r"^tables\.answer\.rows\[2\]\.costs\[1\]: expected a number, fou"
    ):
        from_document(document)


def test_the_bytes_of_a_file_are_read() -> None:
    data = json.dumps(to_document(awkward_profile())).encode()
    assert read_document(data) == awkward_profile()


@pytest.mark.parametrize(
    "data, told",
    [
        (b"{", "this is no JSON: "),
        (b"\xff\xfe", "this is no JSON: "),
        (b"[" * 100_000 + b"]" * 100_000, "this is no profile: it is nested too deeply"),
        (b"9" * 100_000, "this is no profile: "),
    ],
)
def test_what_is_no_document_at_all_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(FileError, match=f"^{told}"):
        read_document(data)


def test_a_number_that_python_refuses_to_read_has_a_path_too() -> None:
    data = json.dumps(to_document(awkward_profile())).encode()
    spoilt = data.replace(b'"seed": 0', b'"seed": ' + b"9" * 5_000)
    with pytest.raises(
        FileError, match=r"rows\[0\]\.plan\.seed: expected a whole number of at most 64"
    ):
        read_document(spoilt)


def test_reports_take_what_a_document_may_hold() -> None:
    """Costs beyond all bounds, answers without costs, and a run of which the time is not known."""
    profile = awkward_profile(record=awkward_record(started_at="", finished_at=""))
    document = written(profile)
    token = document["tables"]["token_cost"]
    token["rows"][0][token["columns"].index("costs")] = [1e308, 1e308]
    answer = document["tables"]["answer"]
    for row in answer["rows"]:
        row[answer["columns"].index("costs")] = []
    read = from_document(document)
    assert page(build_report(read)).startswith("<!")
    assert lm_eval_results(read, "ant")["date"] is None
