import csv
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO, StringIO
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pandas  # type: ignore[import-untyped]
import pyarrow.parquet  # type: ignore[import-untyped]
import pytest

from horsesense.errors import FileError
from horsesense.metrics import METRICS
from horsesense.reports.writing import csv_files, estimates_csv, parquet_files
from horsesense.results import Estimate, Results
from horsesense.results.document import from_document, to_document
from horsesense.scoring.outcome import Answer, AnswerSet, decide
from horsesense.store import Store, keep_run, load_run
from tests.reports.small_profile import small_profile
from tests.results.awkward import awkward_profile, bare_profile, exact
from tests.results.read_back import estimates_from_rows

NAMES = ["estimates", "answers", "options", "problems", "models", "datasets", "variants"]
NAMES += ["tokens", "replies", "usage", "skipped", "run"]


@cache
def csv_of_small_profile() -> Mapping[str, bytes]:
    return dict(csv_files(small_profile()))


@cache
def parquet_of_small_profile() -> Mapping[str, bytes]:
    return dict(parquet_files(small_profile()))


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode(), newline="")))


def table(content: bytes) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = pyarrow.parquet.read_table(BytesIO(content)).to_pylist()
    return listed


def test_there_is_a_file_of_everything() -> None:
    assert list(csv_of_small_profile()) == [f"{name}.csv" for name in NAMES]
    assert list(parquet_of_small_profile()) == [f"{name}.parquet" for name in NAMES]


@pytest.mark.parametrize("profile", [awkward_profile(), bare_profile(), small_profile()])
def test_estimates_are_the_same_wherever_they_are_read(profile: Results, tmp_path: Path) -> None:
    with Store.create_or_open(tmp_path / "store.db") as store:
        keep_run(store, profile)
        stored = load_run(store, "latest")
    document = from_document(json.loads(json.dumps(to_document(profile))))
    from_csv = estimates_from_rows(rows(dict(csv_files(profile))["estimates.csv"]))
    from_parquet = estimates_from_rows(table(dict(parquet_files(profile))["estimates.parquet"]))
    assert from_csv == from_parquet == document.estimates == stored.estimates
    assert from_csv == profile.estimates
    assert exact(stored) == exact(document) == exact(profile)


def test_pandas_reads_the_same_numbers_to_the_digit() -> None:
    content = csv_of_small_profile()["estimates.csv"]
    frame = pandas.read_csv(BytesIO(content))
    estimates = small_profile().estimates
    for name in ("value", "low", "high", "count", "total", "before", "after", "p", "thesis_p"):
        told = frame[name].to_numpy(dtype=float)
        known = np.array([_number(one, name) for one in estimates])
        assert np.array_equal(told, known, equal_nan=True)
        assert not np.isnan(known).all()


def _number(one: Estimate, name: str) -> float:
    value = getattr(one, name)
    return float("nan") if value is None else float(value)


def test_answers_are_the_same_wherever_they_are_read() -> None:
    known = list(small_profile().answers.records())
    told = table(parquet_of_small_profile()["answers.parquet"])
    texts = rows(csv_of_small_profile()["answers.csv"])
    assert len(known) == len(told) == len(texts) > 0
    for answer, from_parquet, from_csv in zip(known, told, texts, strict=True):
        plain = json.loads(json.dumps(answer))
        assert from_parquet == plain
        assert float(from_csv["margin"]) == answer["margin"]
        assert json.loads(from_csv["costs"]) == plain["costs"]
        assert (from_csv["statement"], from_csv["reason"]) == (plain["statement"], plain["reason"])


def test_the_accuracy_can_be_counted_from_the_file() -> None:
    frame = pandas.read_csv(BytesIO(csv_of_small_profile()["answers.csv"]))
    profile = small_profile()
    by_answer_set = frame.groupby(["model", "dataset", "variant", "method"], sort=False)
    for address, answer_set in profile.answer_sets.items():
        found = profile.value(address, "problem-accuracy")
        if found is None or found.value is None:
            continue
        group = by_answer_set.get_group(
            (address.model, address.dataset, address.variant, address.method)
        )
        assert group.correct.eq(True).sum() / len(answer_set.answers) == found.value


def test_csv_follows_the_rules_of_quoting() -> None:
    content = dict(csv_files(awkward_profile()))
    assert content["skipped.csv"] == (
        "where,reason,is_named\r\nbee,could not be loaded: «no»,false\r\n".encode()
    )
    (_, change, _) = rows(content["estimates.csv"])
    assert change["reason"] == "“none”, so" and change["value"] == ""
    (posed, *_) = rows(content["problems.csv"])
    assert json.loads(posed["options"]) == list(awkward_profile().problems[0].options)


def test_infinite_costs_are_written_as_numbers() -> None:
    content = dict(csv_files(awkward_profile()))
    assert rows(content["answers.csv"])[0]["costs"] == "[0.1, 1e999]"
    assert rows(content["tokens.csv"])[0]["texts"] == '["Infinity", " sank"]'
    assert json.loads(rows(content["tokens.csv"])[0]["costs"]) == [None, float("inf")]


def test_numbers_of_numpy_are_written_as_any_others() -> None:
    (one, *_) = awkward_profile().estimates
    changed = Estimate(kind=one.kind, key=one.key, metric=one.metric, value=np.float64(1) / 3)
    (row,) = rows(dict(csv_files(awkward_profile(estimates=(changed,))))["estimates.csv"])
    assert row["value"] == "0.3333333333333333"


def test_whole_numbers_and_fractions_that_are_equal_are_written_as_what_they_are() -> None:
    (posed, *_) = awkward_profile().problems
    answer_set = AnswerSet("sheet", (Answer("a", 1, decide((1, 2), 0), posed.options),), ())
    for costs, told in (((1.0, 2.0), "[1.0, 2.0]"), ((1, 2), "[1, 2]"), ((1.0, 2.0), "[1.0, 2.0]")):
        changed = replace(answer_set, answers=(Answer("a", 1, decide(costs, 0), posed.options),))
        (at, *_) = awkward_profile().answer_sets
        content = dict(csv_files(awkward_profile(answer_sets={at: changed})))["answers.csv"]
        assert rows(content)[0]["costs"] == told


def test_estimates_can_be_had_alone() -> None:
    alone = estimates_csv(small_profile())
    assert alone == csv_of_small_profile()["estimates.csv"]


def test_metrics_have_their_symbols() -> None:
    for row in rows(csv_of_small_profile()["estimates.csv"]):
        assert row["symbol"] == METRICS[row["metric"]].declared.symbol


def test_what_is_not_known_is_null_in_parquet() -> None:
    profile = awkward_profile()
    told = table(dict(parquet_files(profile))["estimates.parquet"])
    assert told[1]["value"] is None and not isnan(told[0]["value"])
    assert json.loads(table(dict(parquet_files(profile))["run.parquet"])[0]["plan"])["seed"] == 0


@pytest.mark.parametrize("profile", [bare_profile(), awkward_profile()])
def test_tables_in_parquet_have_all_columns(profile: Results) -> None:
    for one, (_, content) in zip(profile.tables(), parquet_files(profile), strict=True):
        read = pyarrow.parquet.read_table(BytesIO(content))
        assert read.column_names == list(one.columns) and read.num_rows == len(one)
        assert "null" not in {str(kind) for kind in read.schema.types}


def test_without_pyarrow_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(FileError, match=r"pip install 'horsesense\[parquet\]'"):
        list(parquet_files(awkward_profile()))
