"""The table for everybody else."""

from dataclasses import replace

import pytest

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError, HorsesenseError, MetricError, UnknownNameError
from horsesense.metrics import sample_of
from horsesense.results.logs import Logged, of_one_task, read_log_file
from horsesense.scoring import Outcome, Verdict
from tests.results.logs.logs import read_rows

SOLVED, FAILED, UNDECIDED = Verdict.SOLVED, Verdict.FAILED, Verdict.UNDECIDED


def read(text: str) -> Logged:
    (one,) = read_log_file(SourceFile("owls.csv", text.encode()))
    return one


def test_solved_is_written_in_many_ways() -> None:
    one = read("schema,solved\nowl,true\nowl,0\nvole,1\nvole,False\nmole,\nmole,TRUE\n")
    verdicts = [answer.outcome.verdict for answer in one.answer_set.answers]
    assert verdicts == [SOLVED, FAILED, SOLVED, FAILED, UNDECIDED, SOLVED]
    assert one.answer_set.schemas == ((0, 1), (2, 3), (4, 5))
    assert not any(answer.outcome.has_choice for answer in one.answer_set.answers)
    assert (one.task, one.method) == ("owls", "solved")


def test_json_lines_are_the_same_table() -> None:
    rows = [{"schema": "owl", "solved": True}, {"schema": "owl", "solved": None, "tags": ["a"]}]
    (one,) = read_rows(rows, "owls.jsonl")
    assert [answer.outcome.verdict for answer in one.answer_set.answers] == [SOLVED, UNDECIDED]
    assert [answer.tags for answer in one.answer_set.answers] == [frozenset(), {"a"}]


def test_options_have_numbers_or_letters() -> None:
    one = read('schema,problem,chosen,right,tags\nowl,2,B,A,"size, weight"\nowl,1,1,1,\nx,,,2,\n')
    first, second, third = one.answer_set.answers
    assert first.outcome == Outcome((), 1, 0, 0.0)
    assert (first.problem, second.problem) == (("owl", 2), ("owl", 1))
    assert first.tags == {"size", "weight"}
    assert (second.outcome.verdict, third.outcome.verdict) == (SOLVED, UNDECIDED)
    found = sample_of(one.answer_set).chosen
    assert found is not None
    assert found.tolist() == [1, 0, -1]


def test_where_one_row_tells_only_what_was_solved_nothing_is_said_of_choices() -> None:
    one = read("schema,solved,chosen,right\nowl,,2,1\nowl,0,,\n")
    assert [answer.outcome.has_choice for answer in one.answer_set.answers] == [True, False]
    assert sample_of(one.answer_set).chosen is None


def test_without_a_schema_a_problem_stands_alone() -> None:
    one = read("schema,solved\nowl,1\nowl,0\n,1\n")
    assert one.answer_set.answers[2].entry == "document-2"
    assert one.answer_set.remarks == ("1 problem without a schema",)


@pytest.mark.parametrize(
    "text, message",
    [
        ("schema,chosen,right\nowl,left,1\n", "owls.csv:2: chosen is 'left', where a number"),
        ("schema,solved,chosen,right\nowl,1,1,2\n", "owls.csv:2: '1' was chosen and '2' is right"),
        ("schema,problem,solved\nowl,first,1\n", "owls.csv:2: problem is 'first', where a number"),
        ("schema,solved\nowl,1,1\n", "owls.csv:2: 3 fields where 2 are expected"),
        ("schema,solved\n", "owls.csv: there are no samples in it"),
        ("schema,\rsolved\nowl,1\n", "owls.csv: this does not look like a log"),
        ('schema,solved\nowl,"1\n', "owls.csv:2: not CSV: unexpected end of data"),
        ('schema,solved\nowl,"1\nelk,1\n', "owls.csv:2: not CSV: unexpected end of data"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        read(text)


def test_three_problems_make_no_schema() -> None:
    message = "^owls.csv:3, 4, 6: 3 documents have the same schema, owl; a schema has two$"
    with pytest.raises(MetricError, match=message):
        read("schema,solved\nvole,1\nowl,1\nowl,0\nvole,0\nowl,1\n")


def test_of_three_rows_a_number_that_stands_there_twice_is_what_is_wrong() -> None:
    with pytest.raises(MetricError, match=r"owls.csv:4: problem 2 of owl is in owls.csv:3 too"):
        read("schema,problem,solved\nowl,1,1\nowl,2,0\nowl,2,1\n")


def test_two_answers_to_one_problem_are_an_error() -> None:
    with pytest.raises(MetricError, match=r"owls.csv:3: problem 1 of owl is in owls.csv:2 too"):
        read("schema,problem,solved\nowl,1,1\nowl,1,0\n")


@pytest.mark.parametrize("solved, failed", [("1.0", "0.0"), ("True", "False"), ("TRUE", "false")])
def test_other_spellings_of_solved_are_read(solved: str, failed: str) -> None:
    one = read(f"schema,solved\nowl,{solved}\nowl,{failed}\n,\n")
    verdicts = [answer.outcome.verdict for answer in one.answer_set.answers]
    assert verdicts == [SOLVED, FAILED, UNDECIDED]


@pytest.mark.parametrize("word", ["yes", "nan", "NaN", "0.5", "C", "2"])
def test_other_words_are_an_error_that_says_what_to_write(word: str) -> None:
    message = f"owls.csv:3: solved is '{word}'; use 1 or 0, true or false, or leave it empty for un"
    with pytest.raises(FileError, match=message):
        read(f"schema,solved\nowl,1\nowl,{word}\n")


def test_a_column_of_integers_with_a_missing_one_is_read() -> None:
    one = read("schema,problem,chosen,right\nowl,2.0,2.0,1\nowl,1.0,,2\n,,1.0,1\n")
    assert [answer.problem for answer in one.answer_set.answers][:2] == [("owl", 2), ("owl", 1)]
    verdicts = [answer.outcome.verdict for answer in one.answer_set.answers]
    assert verdicts == [FAILED, UNDECIDED, SOLVED]


def test_without_what_was_chosen_solved_is_believed() -> None:
    one = read("schema,solved,right\nowl,1,2\nowl,0,1\n")
    assert [answer.outcome.verdict for answer in one.answer_set.answers] == [SOLVED, FAILED]
    assert not any(answer.outcome.has_choice for answer in one.answer_set.answers)


@pytest.mark.parametrize("separator", [";", "\t", ", "])
def test_separators_are_those_of_the_first_line(separator: str) -> None:
    rows = [["schema", "solved", "tags"], ["owl", "1", "night"], ["owl", "0", ""]]
    text = "\r\n" + "\r\n".join(separator.join(row) for row in rows)
    one = read(text)
    assert [answer.outcome.verdict for answer in one.answer_set.answers] == [SOLVED, FAILED]
    assert one.answer_set.answers[0].tags == {"night"}
    with pytest.raises(FileError, match=r"owls.csv:5: 1 fields where 3 are expected"):
        read(f"{text}\r\nowl")


def test_of_several_tasks_one_is_chosen_by_name() -> None:
    owls = read("schema,solved\nowl,true\nowl,0\n")
    voles = replace(owls, task="voles")
    assert of_one_task([owls], "log", None) == (owls,)
    assert of_one_task([owls, voles], "log", "voles") == (voles,)
    with pytest.raises(HorsesenseError, match="several tasks; choose one with --task: owls, voles"):
        of_one_task([owls, voles], "log", None)
    with pytest.raises(UnknownNameError, match="no task in log named 'vole'; did you mean voles"):
        of_one_task([owls, voles], "log", "vole")
