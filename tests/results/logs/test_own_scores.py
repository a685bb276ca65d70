"""What `horsesense score --output` wrote, read again."""

from typing import Any

import pytest

from horsesense.errors import FileError, MetricError
from horsesense.results.logs import read_log
from tests.results.logs.logs import SCORED, logged, read_rows, rows_of, schemas, solved

NAME = "owls.jsonl"


def line(entry: str, number: int, **more: Any) -> dict[str, Any]:
    outcome = {"costs": [1.0, 2.0], "chosen": 0, "margin": 1.0, "verdict": "solved"}
    row = {"entry": entry, "problem": number, "right": 0, "methods": {"full": outcome}}
    return {**row, "options": [["an owl"], ["a", "vole"]], **more}


def test_every_method_is_a_answer_set_with_all_that_was_written() -> None:
    found = logged(SCORED)
    assert {key: solved(one) for key, one in found.items()} == {
        ("shore@1", "partial"): 11 / 19,
        ("shore@1", "all-but-first"): 9 / 19,
    }
    one, rows = found["shore@1", "partial"], rows_of(SCORED)
    assert one.model == "smollm2-135m"
    for answer, row in zip(one.answer_set.answers, rows, strict=True):
        told = row["methods"]["partial"]
        assert answer.problem == (row["entry"], row["problem"])
        assert answer.tags == set(row["tags"])
        assert answer.outcome.costs == tuple(told["costs"])
        assert answer.outcome.verdict == told["verdict"]


@pytest.mark.parametrize("margin", [1.0, -1.0])
def test_the_sign_of_a_margin_says_only_whether_the_right_option_is_preferred(
    margin: float,
) -> None:
    outcome = {"costs": [1.0, 4.0, 2.0], "chosen": 0, "margin": margin, "verdict": "solved"}
    rows = [line("owls", 1, methods={"full": outcome}, options=[["a"], ["b"], ["c"]])]
    (read,) = read_rows(rows, NAME)
    assert [answer.outcome.margin for answer in read.answer_set.answers] == [1.0]


def test_without_schemas_two_problems_of_an_entry_are_one() -> None:
    rows = rows_of(SCORED)
    for row in rows:
        del row["schemas"], row["tags"]
    old, _ = read_rows(rows, NAME)
    new, _ = read_log(SCORED)
    assert schemas(old) == schemas(new)


def test_without_schemas_larger_entries_have_none_and_it_is_said() -> None:
    (one,) = read_rows([line("owl", number) for number in (1, 2, 3)], NAME)
    assert one.answer_set.schemas == ()
    assert one.answer_set.remarks == (
        "1 larger group of problems: the file does not say which are twins",
    )
    assert one.answer_set.answers[0].options == ("an owl", "a / vole")


def test_dyads_and_triples_have_the_schemas_that_are_written() -> None:
    triple = [line("owl", at, schemas=numbers) for at, numbers in enumerate([[1], [1, 2], [2]], 1)]
    dyad = [line("vole", at, schemas=[2 - at % 2]) for at in (1, 2, 3, 4)]
    (one,) = read_rows([*triple, *dyad], NAME)
    assert set(one.answer_set.schemas) == {(0, 1), (1, 2), (3, 5), (4, 6)}


def test_undefined_outcomes_are_left_out_with_the_reason() -> None:
    rows = [line("owl", 1), line("owl", 2, methods={"full": {"undefined": "nothing to add up"}})]
    (one,) = read_rows(rows, NAME)
    assert len(one.answer_set.answers) == 1 and one.answer_set.schemas == ()
    assert one.answer_set.remarks == ("1 problem: nothing to add up",)


def test_methods_that_are_undefined_everywhere_are_told_once() -> None:
    undefined = {"undefined": "the model has no BOS"}
    rows = [line("owl", number) for number in (1, 2)]
    for row in rows:
        row["methods"]["first"] = undefined
    _, one = read_rows(rows, NAME)
    assert one.answer_set.answers == ()
    assert one.answer_set.remarks == ("2 problems: the model has no BOS",)
    for row in rows:
        del row["methods"]["full"]
    message = "owls.jsonl: nothing in it says what was solved; 2 problems: the model has no BOS"
    with pytest.raises(FileError, match=message):
        read_rows(rows, NAME)


@pytest.mark.parametrize(
    "change",
    [
        {"methods": []},
        {"options": "owl"},
        {"problem": "1"},
        {"schemas": 1},
        {"schemas": ["1"]},
        {"tags": [1]},
        {"options": [[1]]},
        {"sentences": 0.5},
        {"right": 2},
        {"methods": {"full": 1}},
        {"methods": {"full": {"costs": [float("nan"), 1.0], "chosen": 0, "margin": 1.0}}},
        {"methods": {"full": {"costs": [1.0]}}},
    ],
)
def test_what_is_no_line_of_ours_is_an_error_with_its_line(change: dict[str, Any]) -> None:
    with pytest.raises(FileError, match=r"owls.jsonl:2: (no outcome|not a valid line) of "):
        read_rows([line("owl", 1), line("owl", 2, **change)], NAME)


def test_the_field_of_a_line_that_is_wrong_is_named() -> None:
    for change, told in (
        ({"tags": 1.5}, "owls.jsonl:1: .*: tags is 1.5"),
        ({"methods": {"full": {"costs": [10**400], "margin": 1}}}, "no outcome of 'full'"),
    ):
        with pytest.raises(FileError, match=told):
            read_rows([line("owl", 1, **change)], NAME)
    later = {name: value for name, value in line("owl", 2).items() if name != "entry"}
    with pytest.raises(FileError, match="owls.jsonl:2: .*: there is no entry"):
        read_rows([line("owl", 1), later], NAME)


def test_long_names_are_shown_in_part() -> None:
    rows = [line("owl", 1, model="x" * 1000), line("owl", 2, model="toot")]
    with pytest.raises(MetricError, match=r"owls.jsonl:2: its model is not x{80}…;"):
        read_rows(rows, NAME)


def test_two_models_in_one_file_are_an_error() -> None:
    with pytest.raises(MetricError, match=r"owls.jsonl:2: its model is not hoot"):
        read_rows([line("owl", 1, model="hoot"), line("owl", 2, model="toot")], NAME)
