"""Details of lighteval 0.13.0, of tasks with sentences of our own."""

import sys
from io import BytesIO
from math import inf
from typing import Any

import pytest

from horsesense.datasets.importers import SourceFile
from horsesense.datasets.importers import parquet as parquet_files
from horsesense.errors import FileError
from horsesense.results.logs import read_log, read_log_file
from horsesense.scoring import Verdict
from tests.results.logs.logs import LIGHTEVAL, logged, reported, schemas, solved

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
NAME = "details_owls|0_2026-01-02T03-04-05.678.parquet"


def rows_of(task: str) -> list[dict[str, Any]]:
    (path,) = LIGHTEVAL.glob(f"**/details_{task}_*.parquet")
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


def packed(rows: list[dict[str, Any]], name: str = NAME) -> SourceFile:
    target = BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), target)
    return SourceFile(name, target.getvalue())


def test_every_accuracy_is_what_lighteval_reported() -> None:
    expected = {
        (task.partition("|")[0], metric): value
        for task, values in reported(LIGHTEVAL).items()
        for metric, value in values.items()
        if task != "all" and not metric.endswith("_stderr")
    }
    found = logged(LIGHTEVAL)
    assert {key: solved(one) for key, one in found.items()} == expected
    assert {one.model for one in found.values()} == {"smollm2-135m"}


def test_schemas_come_from_specific_fields_in_whatever_order_the_rows_are() -> None:
    assert [row["doc"]["id"] for row in rows_of("shore")][:3] != ["0", "1", "2"]
    one = logged(LIGHTEVAL)["shore", "acc"]
    assert [answer.entry for answer in one.answer_set.answers][:4] == ["rope", "rope", "tow", "tow"]
    assert len(schemas(one)) == 9
    assert one.answer_set.answers[0].options == ("can", "cannot")


def test_without_them_alike_sentences_are_paired_and_it_is_said() -> None:
    one = logged(LIGHTEVAL)["wino", "acc"]
    assert set(one.answer_set.schemas) == {(2 * at, 2 * at + 1) for at in range(9)}
    assert "9 pairs of similar documents" in one.answer_set.remarks[0]


def test_normalized_costs_are_divided_by_characters() -> None:
    found = logged(LIGHTEVAL)
    plain, normalized = (found["shore", name].answer_set.answers[0] for name in ("acc", "acc_norm"))
    lengths = [
        len(f"A rope {option} hold a light boat on the mooring.") for option in plain.options
    ]
    costs = plain.outcome.costs
    assert normalized.outcome.costs == tuple(c / n for c, n in zip(costs, lengths, strict=True))


def test_by_tokens_where_the_metric_is_called_so() -> None:
    rows = rows_of("shore")
    for row in rows:
        lls = row["model_response"]["logprobs"]
        lengths = [len(one) for one in row["model_response"]["output_tokens"]]
        means = [ll / length for ll, length in zip(lls, lengths, strict=True)]
        row["metric"] = {"acc_norm_token": int(means.index(max(means)) == row["doc"]["gold_index"])}
    (one,) = read_log_file(packed(rows))
    assert (one.task, one.method) == ("owls", "acc_norm_token")
    first = next(row for row in rows if row["doc"]["id"] == "0")["model_response"]
    assert one.answer_set.answers[0].outcome.costs[0] == pytest.approx(
        -first["logprobs"][0] / len(first["output_tokens"][0])
    )


def test_a_space_before_the_choice_may_count() -> None:
    row = rows_of("wino")[0]
    row["doc"] |= {"choices": [" owls", " an"], "gold_index": 1}
    row["model_response"]["logprobs"] = [-4.2, -2.5]
    row["metric"] = {"acc_norm": 1}
    (one,) = read_log_file(packed([row]))
    assert one.answer_set.answers[0].outcome.costs == (4.2 / 5, 2.5 / 3)


def test_unlabelled_documents_are_unlabelled() -> None:
    rows = rows_of("wino")
    for row in rows:
        row["doc"]["gold_index"], row["metric"]["acc"] = -1, 0
    (one,) = read_log_file(packed(rows))
    assert {answer.outcome.verdict for answer in one.answer_set.answers} == {Verdict.UNLABELLED}


def test_costs_that_contradict_the_log_are_not_believed() -> None:
    rows = rows_of("wino")
    rows[0]["metric"]["acc"] = 1 - rows[0]["metric"]["acc"]
    (one,) = read_log_file(packed(rows))
    assert not any(answer.outcome.has_choice for answer in one.answer_set.answers)
    assert "acc: the log-likelihoods contradict the log's own score" in one.answer_set.remarks


def test_shares_are_no_verdicts() -> None:
    rows = rows_of("wino")
    for row in rows:
        row["metric"]["f1"] = 0.25
    (one,) = read_log_file(packed([*rows, rows[0]]))
    assert "f1 is left out: 0.25 is neither solved nor failed" in one.answer_set.remarks
    assert "1 document logged twice; only one copy is used" in one.answer_set.remarks


def test_what_is_no_log_is_an_error() -> None:
    rows = rows_of("wino")
    for bad, message in (
        (SourceFile(NAME, packed(rows).data[:-50]), "not a Parquet file"),
        (packed([{"owl": 1}]), "not valid details of lighteval: no columns"),
        (
            packed([row | {"doc": {"query": "?"}} for row in rows]),
            "row 1: not valid details of lighteval",
        ),
        (packed([]), "there are no samples in it"),
    ):
        with pytest.raises(FileError, match=message):
            read_log_file(bad)


@pytest.mark.parametrize(
    "field, value, told",
    [
        ("doc", None, "doc: expected an object, found nothing"),
        ("doc", 1.5, "doc: expected an object, found 1.5"),
        ("metric", 1.5, "metric: expected an object, found 1.5"),
        ("model_response", [1.5], "model_response: expected an object, found [1.5]"),
        ("doc.query", None, "doc.query: expected a string, found nothing"),
        ("doc.choices", inf, "doc.choices: expected a list, found inf"),
        ("doc.choices", [1.5], "doc.choices[0]: expected a string, found 1.5"),
        ("doc.id", inf, "doc.id: expected a number, found inf"),
        ("doc.id", "9" * 50, "doc.id: expected a number, found '9999"),
        ("doc.specific", [1], "doc.specific: expected an object, found [1]"),
        ("model_response.logprobs", inf, "model_response.logprobs: expected a list, found inf"),
        ("model_response.output_tokens", 1, "model_response.output_tokens: expected a list, found"),
    ],
)
def test_what_is_no_details_is_told_with_its_field(field: str, value: Any, told: str) -> None:
    row = rows_of("wino")[0]
    part, _, name = field.partition(".")
    if name:
        row[part][name] = value
    else:
        row[part] = value
    with pytest.raises(FileError) as caught:
        read_log_file(packed([row]))
    assert f"{NAME}, row 1: not valid details of lighteval: {told}" in str(caught.value)


def test_tokens_that_are_no_lists_and_missing_ones_give_no_lengths() -> None:
    row = rows_of("wino")[0]
    for tokens in (None, [1, 2]):
        row["model_response"]["output_tokens"] = tokens
        assert read_log_file(packed([row]))


@pytest.mark.parametrize("bound", ["MOST_ROWS", "MOST_BYTES"])
def test_parquet_that_holds_too_much_is_refused(
    bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = packed(rows_of("wino"))
    monkeypatch.setattr(parquet_files, bound, 3)
    with pytest.raises(FileError, match="the file holds more than .*; split it into several"):
        read_log_file(file)


def test_rows_that_grow_when_they_are_made_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    alike = [row | {"owl": "x" * 10_000} for row in rows_of("wino")] * 20
    file = packed(alike)
    monkeypatch.setattr(parquet_files, "MOST_BYTES", 10 * len(file.data))
    with pytest.raises(FileError, match="the file holds more than 2,000,000 rows or 0 MiB"):
        read_log_file(file)


def test_without_pyarrow_it_is_said_what_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match=r"needs pyarrow: pip install 'horsesense\[parquet\]'"):
        read_log(LIGHTEVAL)
