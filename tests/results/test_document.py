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
from horsesense.results import Results
from horsesense.results.document import from_document, read_document, to_document
from horsesense.results.kept import TABLES
from tests.reports.small_profile import small_profile
from tests.results.awkward import (
    awkward_estimates,
    awkward_profile,
    awkward_record,
    bare_profile,
    exact,
    without_servers,
)


def written(profile: Results) -> Any:
    """The document after a visit to a file, in JSON that every program can read."""
    return json.loads(json.dumps(to_document(profile), allow_nan=False))


@pytest.mark.parametrize("make", [awkward_profile, bare_profile, small_profile])
def test_a_profile_comes_back_to_the_last_bit(make: Callable[[], Results]) -> None:
    profile = make()
    assert from_document(written(profile)) == profile
    assert exact(from_document(written(profile))) == exact(profile)


def test_a_document_need_not_go_through_a_file() -> None:
    assert from_document(to_document(awkward_profile())) == awkward_profile()


@settings(deadline=None)
@given(st.lists(st.floats(allow_nan=False), min_size=3, max_size=3))
def test_every_float_comes_back(values: list[float]) -> None:
    value, low, total = values
    one = replace(awkward_estimates()[0], value=value, low=low, total=total)
    changed = replace(bare_profile(), estimates=(one,))
    assert exact(from_document(written(changed))) == exact(changed)


def test_columns_may_stand_in_any_order() -> None:
    document = written(awkward_profile())
    table = document["tables"]["skipped"]
    table["columns"] = [*reversed(table["columns"])]
    table["rows"] = [[*reversed(row)] for row in table["rows"]]
    assert from_document(document) == awkward_profile()


@pytest.mark.parametrize(
    ("name", "shown"), [("reasons", "'reasons'; did you mean reason?"), ("mood", "'mood'")]
)
def test_an_unknown_column_is_named_with_the_nearest_one(name: str, shown: str) -> None:
    document = written(awkward_profile())
    document["tables"]["skipped"]["columns"].append(name)
    with pytest.raises(
        FileError,
        match=re.escape(f"tables.skipped.columns: expected columns that are known, found {shown}"),
    ):
        from_document(document)


@pytest.mark.parametrize("document", [{}, {"format": "horsesense"}, [], None])
def test_anything_else_is_refused(document: Any) -> None:
    with pytest.raises(FileError, match="not a results file: .* horsesense-results"):
        from_document(document)


@pytest.mark.parametrize(("name", "expected"), [("results", 3), ("profile", 1)])
def test_another_version_is_refused(name: str, expected: int) -> None:
    told = f"^version: expected {expected}, .*, found the number 4; write it again"
    with pytest.raises(FileError, match=told):
        from_document({**written(bare_profile()), "format": f"horsesense-{name}", "version": 4})


def test_results_of_the_second_version_are_read() -> None:
    """They know nothing of servers and replies."""
    results = without_servers(awkward_profile())
    document = written(results)
    document["version"] = 2
    del document["tables"]["replies"], document["tables"]["usage"]
    models = document["tables"]["models"]
    place = models["columns"].index("server")
    for row in (models["columns"], *models["rows"]):
        del row[place]
    assert exact(from_document(document)) == exact(results)


@pytest.mark.parametrize("table", ["replies", "usage"])
def test_replies_are_those_of_a_model_in_the_results(table: str) -> None:
    document = written(awkward_profile())
    place = document["tables"][table]["columns"].index("model")
    document["tables"][table]["rows"][0][place] = "cat"
    with pytest.raises(FileError, match=rf"tables\.{table}\.rows\[0\]\.model: .* models"):
        from_document(document)


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
        "tables.skipped.rows: expected a list, found nothing",
        lambda tables: tables["skipped"].pop("rows"),
    ),
    "rows that are none": (
        "tables.skipped.rows: expected a list, found the number 1.5",
        lambda tables: tables["skipped"].update(rows=1.5),
    ),
    "a row that is none": (
        "tables.skipped.rows[0]: expected a list, found the number 1.5",
        lambda tables: tables["skipped"].update(rows=[1.5]),
    ),
    "columns that are none": (
        "tables.skipped.columns: expected a list, found null",
        lambda tables: tables["skipped"].update(columns=None),
    ),
    "a column that is none": (
        "tables.skipped.columns[3]: expected a string, found a list",
        lambda tables: tables["skipped"]["columns"].append([]),
    ),
    "no table": (
        "tables.skipped: expected a table, found a list",
        lambda tables: tables.update(skipped=[]),
    ),
    "no column": (
        "tables.estimates.columns: expected kind once, found it 0 times",
        lambda tables: tables["estimates"]["columns"].__setitem__(0, "metric"),
    ),
    "a column twice": (
        "tables.skipped.columns: expected where once, found it 2 times",
        lambda tables: tables["skipped"]["columns"].append("where"),
    ),
    "short row": (
        "tables.skipped.rows[0]: expected 3 values, one for each column, found 2",
        lambda tables: tables["skipped"]["rows"][0].pop(),
    ),
    "no record": (
        "tables.run.rows: expected one row, found 0",
        lambda tables: tables["run"]["rows"].clear(),
    ),
    "lost answer": (
        "tables.answers.rows: expected the 8 answers of the sheets, found 7",
        lambda tables: tables["answers"]["rows"].pop(),
    ),
    "the same sheet twice": (
        "tables.sheets.rows[1]: expected a model, dataset, variant, subset and method of its own, "
        "found that of sheets.rows[0] again",
        lambda tables: tables["sheets"]["rows"].insert(1, tables["sheets"]["rows"][0]),
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
        ("estimates", "value", "high", "a number, or null, found the string 'high'"),
        ("estimates", "value", float("nan"), "a number, or null, found the number nan"),
        ("estimates", "value", 10**400, "a number of at most 64 bits, or null, found a number o"),
        ("estimates", "low", "x" * 99, f"a number, or null, found the string '{'x' * 40}…'"),
        ("estimates", "n_problems", 1.5, "a whole number, found the number 1.5"),
        ("estimates", "n_problems", True, "a whole number, found true"),
        ("estimates", "n_problems", 2**63, "a whole number of at most 64 bits, found a number of"),
        ("estimates", "metric", None, "a string, found null"),
        (
            "estimates",
            "metric",
            "\ud800",
            r"a string without half characters, found the string '\ud",
        ),
        ("estimates", "metric", b"", "a string, found a value of type bytes"),
        ("estimates", "kind", "guess", "one of value, change, difference, found the string 'gues"),
        ("estimates", "kind", [], "one of value, change, difference, found a list"),
        ("models", "is_baseline", 1, "true or false, found the number 1"),
        ("models", "methods", 1.5, "a list, found the number 1.5"),
        ("models", "methods[1]", {}, "a string, found an object"),
        ("models", "methods", ["a", "b", "a"], "each method once, found 1 repeated"),
        ("models", "standard[0]", ["quay"], "a list of 2, found one of 1"),
        ("models", "standard[0][1]", 3, "a string, found the number 3"),
        ("models", "standard", [], "a method for the dataset quay, found none"),
        ("variants", "dataset", "pier", "a name in the table datasets, found the string 'pier'"),
        ("run", "plan", [], "an object with the fields of a plan, found a list"),
        ("run", "plan.seed", "zero", "a whole number, found the string 'zero'"),
        ("run", "plan.seed", -1, "a number from 0 to 9223372036854775807, found the number -1"),
        ("run", "plan.models[1]", None, "a string, found null"),
        ("run", "plan.ties", "luck", "one of failed, half, found the string 'luck'"),
        ("run", "plan.resamples", 10**9, "a number from 1 to 10000000, found the number 10000000"),
        ("run", "started_at", "today", "a date and time, or '', found the string 'today'"),
        ("problems", "label", 2, "the position of one of 2 options, from 0, or null, found"),
        ("problems", "variant", "upside", "a dataset and variant in the table variants, found the"),
        ("answers", "costs", 1.5, "a list, found the number 1.5"),
        ("answers", "costs", [1.5], "a cost for each of 2 options, two at least, found 1"),
        ("answers", "costs[1]", None, "a number, found null"),
        ("answers", "sheet", 1, "0, as the sheets count their answers, found the number 1"),
        ("answers", "problem", 99, "a row of the table problems, which has 9, found the numb"),
        ("answers", "tags", -1, "a row of the table tag_sets, which has 4, found the number -1"),
        ("answers", "choice", 7, "the position of one of 2 options, from 0, or null, found the n"),
        ("sheets", "answers", 10**15, "a number of answers, of which there are 8, found the"),
        ("sheets", "schemas[1][0]", 4, "the position of one of its 4 answers, found the number 4"),
        ("tokens", "model", "cow", "a name in the table models, found the string 'cow'"),
        ("tokens", "variant", "upside", "a dataset and variant in the table variants, found the"),
        ("tokens", "entry", "ship", "an entry and number in the table problems, found"),
        ("tokens", "option", 2, "the position of one of 2 options, from 0, found the number 2"),
        ("tokens", "parts", [], "one for each of 2 texts, found 0"),
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


def test_an_unknown_field_of_a_plan_is_named_and_a_missing_one_has_its_default() -> None:
    document = written(bare_profile())
    place = document["tables"]["run"]["columns"].index("plan")
    plan = document["tables"]["run"]["rows"][0][place]
    plan["sed"] = 1
    told = r"plan: expected the fields of a plan, found the field 'sed'; did you mean seed\?"
    with pytest.raises(FileError, match=told):
        from_document(document)
    del plan["sed"], plan["keep_going"], plan["seed"]  # as in plans of earlier versions
    assert from_document(document) == bare_profile()
    del plan["data"]
    told = r"^tables\.run\.rows\[0\]\.plan\.data: expected this field"
    with pytest.raises(FileError, match=told):
        from_document(document)


def test_values_behind_the_first_list_have_their_own_place() -> None:
    document = written(awkward_profile())
    place = document["tables"]["answers"]["columns"].index("costs")
    document["tables"]["answers"]["rows"][2][place][1] = "dear"
    with pytest.raises(
        FileError, match=r"^tables\.answers\.rows\[2\]\.costs\[1\]: expected a number, fou"
    ):
        from_document(document)


def test_the_bytes_of_a_file_are_read() -> None:
    data = json.dumps(to_document(awkward_profile())).encode()
    assert read_document(data) == awkward_profile()


@pytest.mark.parametrize(
    "data, told",
    [
        (b"{", "this is not JSON: "),
        (b"\xff\xfe", "this is not JSON: "),
        (b"[" * 100_000 + b"]" * 100_000, "not a results file: the file is nested too deeply"),
        (b"9" * 100_000, "not a results file: "),
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
    token = document["tables"]["tokens"]
    token["rows"][0][token["columns"].index("costs")] = [1e308, 1e308]
    answer = document["tables"]["answers"]
    for row in answer["rows"]:
        row[answer["columns"].index("costs")] = []
    read = from_document(document)
    assert page(build_report(read)).startswith("<!")
    assert lm_eval_results(read, "ant")["date"] is None
