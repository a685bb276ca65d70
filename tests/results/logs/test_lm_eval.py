"""Samples of lm-evaluation-harness 0.4.13, of tasks with sentences of our own."""

import gzip
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError, MetricError
from horsesense.metrics import consistency, match
from horsesense.results.logs import document as log_lines
from horsesense.results.logs import read_log, read_log_file
from horsesense.scoring import Verdict
from tests.results.logs.logs import (
    LM_EVAL,
    SCORED,
    lines,
    logged,
    read_rows,
    reported,
    rows_of,
    sample,
    samples,
    schemas,
    solved,
)
from tests.strategies import brisk

LOGS = LM_EVAL / "smollm2-135m"


def test_every_accuracy_is_what_the_harness_reported() -> None:
    found = logged(LM_EVAL)
    expected = {
        (task, metric if name == "none" else f"{metric} ({name})"): value
        for task, values in reported(LM_EVAL).items()
        for key, value in values.items()
        if "," in key and "_stderr" not in key
        for metric, name in [key.split(",")]
    }
    assert {key: solved(one) for key, one in found.items()} == expected
    assert {one.model for one in found.values()} == {"smollm2-135m"}


def test_exported_tasks_have_the_schemas_and_tags_of_their_dataset() -> None:
    (one,) = read_log(samples("shore_full"))
    names = ["rope", "tow", "buoy", "net", "lantern", "plank", "advice", "ferry", "gulls"]
    assert schemas(one) == {frozenset({(name, 1), (name, 2)}) for name in names}
    first, last = one.answer_set.answers[0], one.answer_set.answers[-1]
    assert first.tags == {"weight", "substitution-schema"}
    assert last.problem == ("tide", 1)
    assert last.tags == {"single-problem"}
    assert last.options == ("mud", "moon", "mast")
    assert one.answer_set.remarks == ("1 problem without a schema",)


def test_costs_are_negated_log_likelihoods() -> None:
    (one,) = read_log(samples("shore_full"))
    for answer, row in zip(one.answer_set.answers, rows_of(samples("shore_full")), strict=True):
        assert answer.outcome.costs == tuple(-float(ll) for ll, _ in row["filtered_resps"])
        assert answer.outcome.right == row["doc"]["label"]


def test_the_same_method_here_and_there_decides_alike() -> None:
    theirs = logged(samples("shore_partial"))["shore_partial", "acc"].answer_set
    ours = logged(SCORED)["shore@1", "partial"].answer_set
    found = match(ours, theirs)
    assert (found.only_before, found.only_after) == (0, 0)
    assert consistency(found).value == 1.0
    for one, other in zip(ours.answers, theirs.answers, strict=True):
        assert one.outcome.costs == pytest.approx(other.outcome.costs, abs=1e-3)


@pytest.mark.parametrize("task, pairs", [("wino", 9), ("winograd", 7)])
def test_rows_without_ids_are_paired_by_likeness_and_it_is_said(task: str, pairs: int) -> None:
    (one,) = read_log(samples(task))
    assert all(first + 1 == second for first, second in one.answer_set.schemas)
    assert f"{pairs} pairs of similar documents" in one.answer_set.remarks[0]


def test_three_twins_make_two_schemas_of_one_entry() -> None:
    (one,) = read_log(samples("winograd"))
    assert one.answer_set.schemas[-2:] == ((10, 11), (11, 12))
    assert [answer.problem for answer in one.answer_set.answers[10:]] == [
        ("document-10", number) for number in (1, 2, 3)
    ]


def test_normalized_costs_are_divided_by_the_length_of_the_choice() -> None:
    found = logged(samples("shore_norm"))
    by = {
        name: found["shore_norm", name].answer_set.answers[1].outcome
        for name in ("acc", "acc_norm")
    }
    plain, normalized = by["acc"].costs, by["acc_norm"].costs
    assert normalized == (plain[0] / len("can"), plain[1] / len("cannot"))


def test_a_space_before_the_choice_counts_where_the_log_says_so() -> None:
    row = sample(0, -4.2, -2.5, right=1)
    row["arguments"] = [["Who hunts?", " owls"], ["Who hunts?", " an"]]
    row |= {"metrics": ["acc", "acc_norm"], "acc_norm": 1.0}
    _, one = read_rows([row])
    assert one.answer_set.answers[0].outcome.costs == (4.2 / 5, 2.5 / 3)


def test_generated_answers_are_solved_or_not_and_have_no_costs() -> None:
    one = logged(samples("shore_said"))["shore_said", "exact_match (loose)"]
    assert not any(answer.outcome.has_choice for answer in one.answer_set.answers)
    assert {answer.outcome.costs for answer in one.answer_set.answers} == {()}
    assert {answer.outcome.margin for answer in one.answer_set.answers} == {0.0}
    assert len(one.answer_set.schemas) == 9


def test_older_logs_are_a_list_with_numbers_in_it() -> None:
    rows = rows_of(samples("shore_full"))
    for row in rows:
        row["arguments"] = [list(one.values()) for one in row["arguments"].values()]
        row["filtered_resps"] = [[float(ll), False] for ll, _ in row["filtered_resps"]]
        del row["metrics"], row["filter"]
    text = b"[" + b",\n".join(lines([row]).strip() for row in rows) + b"]"
    (old,) = read_log_file(SourceFile("samples_shore_full.json", text))
    (new,) = read_log(samples("shore_full"))
    assert (old.task, old.answer_set) == (new.task, new.answer_set)


def test_a_packed_log_that_holds_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_lines, "MOST_UNPACKED", 2**20)
    bomb = SourceFile("samples_wino.jsonl.gz", gzip.compress(b" " * 2**24))
    with pytest.raises(
        FileError, match=r"wino.jsonl.gz: unpacked, it holds more than 1 MiB, which is"
    ):
        read_log_file(bomb)


def test_halves_of_characters_are_replaced_and_it_is_said() -> None:
    first, second = sample(0, -1.5, -2.5), sample(1, -2.5, -1.5)
    for one in (first, second):
        one |= {"metrics": ["acc_bytes"], "acc_bytes": one["acc"]}
        one["arguments"]["gen_args_0"]["arg_1"] = " owl \ud83e"
        one["arguments"]["gen_args_1"]["arg_1"] = " owl \U0001f989 \\ud83e"
    (read,) = read_rows([first, second])
    assert (
        r"2 halves of characters, as \ud800 is one, were read as \ufffd" in read.answer_set.remarks
    )
    assert read.answer_set.answers[0].options == ("\ufffd", "\U0001f989 \\ud83e")


@pytest.mark.parametrize("value", [10**400, [], {}, "x" * 1000, None])
def test_what_is_no_log_likelihood_is_refused_shortly(value: Any) -> None:
    row = sample(0, -1.5, -2.5)
    row["filtered_resps"][0] = value
    with pytest.raises(
        MetricError, match=r"samples_task.jsonl:1: .* is not a log-likelihood"
    ) as caught:
        read_rows([row])
    assert len(str(caught.value)) < 150


def test_packed_logs_are_unpacked() -> None:
    data = samples("wino").read_bytes()
    (packed,) = read_log_file(SourceFile("samples_wino.jsonl.gz", gzip.compress(data)))
    (plain,) = read_log(samples("wino"))
    assert (packed.task, packed.answer_set) == ("wino", plain.answer_set)
    with pytest.raises(FileError, match=r"samples_wino.jsonl.gz: cannot be unpacked"):
        read_log_file(SourceFile("samples_wino.jsonl.gz", gzip.compress(data)[:-9]))


def test_ties_are_undecided_and_it_is_said_what_the_log_made_of_them() -> None:
    rows = [sample(0, -1, -1, right=0), sample(1, -1, -1, right=1), sample(2, -1, -2)]
    (one,) = read_rows(rows)
    verdicts = [answer.outcome.verdict for answer in one.answer_set.answers]
    assert verdicts == [Verdict.UNDECIDED, Verdict.UNDECIDED, Verdict.SOLVED]
    assert "2 ties, of which the log counts 1 as solved" in one.answer_set.remarks


def test_what_is_impossible_costs_infinitely_much() -> None:
    (one,) = read_rows([sample(0, "-inf", -2, right=1), sample(1, "-inf", "-inf")])
    first, second = (answer.outcome for answer in one.answer_set.answers)
    assert (first.verdict, first.margin) == (Verdict.SOLVED, math.inf)
    assert (second.verdict, second.margin) == (Verdict.UNDECIDED, 0.0)


@pytest.mark.parametrize("bad", ["nan", "inf", "", None, [], "much"])
def test_what_is_no_log_likelihood_is_an_error_with_its_line(bad: object) -> None:
    broken = sample(1, -1, -2)
    broken["filtered_resps"][1] = bad if bad is None else [bad, "False"]
    with pytest.raises(MetricError, match=r"samples_task.jsonl:2: "):
        read_rows([sample(0, -1, -2), broken])


def test_labels_are_found_where_nothing_contradicts_them() -> None:
    rows = [sample(n, -3, -1, -2, right=n % 3, answer=n % 3 + 1) for n in range(6)]
    for row in rows:
        row["target"] = "no number"
    (one,) = read_rows(rows)
    assert [answer.outcome.right for answer in one.answer_set.answers] == [0, 1, 2, 0, 1, 2]


def test_the_label_of_two_options_follows_from_what_was_solved() -> None:
    rows = [sample(0, -3, -1, right=0), sample(1, -3, -1, right=1)]
    for row in rows:
        row["target"] = ""
    (one,) = read_rows(rows)
    assert [answer.outcome.right for answer in one.answer_set.answers] == [0, 1]


def test_costs_that_contradict_the_log_are_not_believed() -> None:
    rows = [sample(n, -3, -1, -2, right=0) | {"acc": 1.0} for n in range(2)]
    (one,) = read_rows(rows)
    assert not any(answer.outcome.has_choice for answer in one.answer_set.answers)
    assert solved(one) == 1.0
    assert "acc: the log-likelihoods contradict the log's own score" in one.answer_set.remarks


def test_without_context_the_second_half_is_left_out() -> None:
    row = sample(0, -3, -1, -9, -9, right=1)
    row |= {"metrics": ["acc", "acc_mutual_info"], "acc_mutual_info": 0.0}
    acc, mutual = read_rows([row])
    assert acc.answer_set.answers[0].outcome.costs == (3, 1)
    assert mutual.answer_set.answers[0].outcome.costs == ()


def test_metrics_that_are_no_verdicts_are_left_out_and_named() -> None:
    row = sample(0, -1, -2) | {"metrics": ["acc", "brier"], "brier": 0.3}
    (one,) = read_rows([row])
    assert "brier is left out: 0.3 is neither solved nor failed" in one.answer_set.remarks


def test_what_lists_no_metrics_has_those_that_it_holds() -> None:
    row = sample(0, -1, -2) | {"metrics": None, "filter": ["odd"], "exact_match": 0}
    assert {one.method for one in read_rows([row])} == {"acc (['odd'])", "exact_match (['odd'])"}


def test_a_log_without_a_verdict_is_an_error() -> None:
    row = sample(0, -1, -2) | {"metrics": ["brier"], "brier": 0.3}
    with pytest.raises(FileError, match="nothing in it says what was solved; brier is left out"):
        read_rows([row])


def test_documents_logged_twice_count_once() -> None:
    (one,) = read_rows([sample(0, -1, -2), sample(1, -1, -2), sample(1, -1, -2)])
    assert len(one.answer_set.answers) == 2
    assert "1 document logged twice; only one copy is used" in one.answer_set.remarks


def test_two_documents_of_one_number_are_an_error() -> None:
    rows = [sample(0, -1, -2, text="owl"), sample(0, -1, -2, text="vole")]
    with pytest.raises(MetricError, match=r"jsonl:2: document 0 differs from that in .*jsonl:1"):
        read_rows(rows)


@pytest.mark.parametrize(
    "data, message",
    [
        (lines([sample(0, -1, -2)]) + b"{\n", "samples_task.jsonl:2: not JSON"),
        (lines([sample(0, -1, -2), "owl"]), "samples_task.jsonl:2: not a JSON object"),
        (lines([sample(0, -1, -2) | {"doc": 1}]), "samples_task.jsonl:1: not a valid sample of"),
        (b"[" + lines([sample(0, -1, -2)]), "the list is not closed with ]"),
        (
            b'{"doc_id": 0, "doc": {}, "filtered_resps',
            "task.jsonl: this does not look like a",
        ),
        (b"", "samples_task.jsonl: the file is empty"),
        (
            b"{}",
            "task.jsonl: this does not look like a log of lm-evaluation-harness, lighteval",
        ),
    ],
)
def test_what_is_no_log_is_an_error(data: bytes, message: str) -> None:
    with pytest.raises(FileError, match=re.escape(message)):
        read_log_file(SourceFile("samples_task.jsonl", data))


def test_other_requests_are_solved_or_not() -> None:
    row: dict[str, Any] = sample(0, -1, -2) | {"arguments": "?", "filtered_resps": "?"}
    (one,) = read_rows([row])
    assert one.answer_set.answers[0].outcome.costs == ()


def test_letters_are_labels_too() -> None:
    rows = [sample(n, -3, -1, -2, right=n, answerKey="ABC"[n]) for n in range(3)]
    for row in rows:
        row["target"] = ""
    (one,) = read_rows(rows)
    assert [answer.outcome.right for answer in one.answer_set.answers] == [0, 1, 2]


def test_without_a_label_of_three_options_it_is_known_what_was_solved() -> None:
    rows = [sample(n, -3, -1, -2, right=n) | {"target": ""} for n in range(3)]
    (one,) = read_rows(rows)
    assert not any(answer.outcome.has_choice for answer in one.answer_set.answers)
    assert solved(one) == 1 / 3


@pytest.mark.parametrize("task", ["shore_full", "shore_norm", "wino", "winograd"])
def test_the_order_of_lines_does_not_matter(task: str) -> None:
    rows = rows_of(samples(task))
    name = samples(task).name
    assert [one.answer_set for one in read_rows(rows[::-1], name)] == [
        one.answer_set for one in read_rows(rows, name)
    ]


Json = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)
FIELDS = ["id", "schema", "text", "sentence", "qID", "option1", "option2", "answer", "label"]
FIELDS += ["options", "pronoun", "pronoun_loc", "sentences", "mode", "tags", "target", "idx"]


@given(st.lists(st.dictionaries(st.sampled_from(FIELDS), Json), min_size=1, max_size=4))
@brisk
def test_whatever_documents_hold_each_is_a_problem(docs: list[dict[str, Any]]) -> None:
    rows = [sample(n, -1, -2) | {"doc": doc} for n, doc in enumerate(docs)]
    try:
        (one,) = read_rows(rows)
    except MetricError as error:
        assert "documents have the same schema" in str(error)
    else:
        assert len(one.answer_set.answers) == len(docs)
        assert len({answer.problem for answer in one.answer_set.answers}) == len(docs)
