import sqlite3
import struct
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import ModelError, StoreError, UnknownNameError
from horsesense.models import (
    Answers,
    ModelInfo,
    Query,
    causal_query,
    multi_mask_query,
    single_mask_query,
    spans_query,
)
from horsesense.store import (
    QueryRun,
    Store,
    answered_query,
    believed,
    count_kept,
    fingerprints_of,
    forget_answers,
    keep_answers,
    load_answers,
    load_rows,
    places_of,
    prune,
    verify_file,
)
from horsesense.store.migrations import STEPS, migrate
from horsesense.store.observations import _checksum, _row
from tests.evaluation.inference.stand_in import declared
from tests.store.builders import change, query, row_counts

MODEL = declared()
RUN = QueryRun("one", "stand-in", "2026-01-01T00:00:00+00:00", "0.1", "2", "5", "tree", "")
KITE = causal_query((7, 8, 9))
QUERIES = (
    KITE,
    single_mask_query((0, 7, 8, 1), (1, 2)),
    multi_mask_query((0, 7, 8, 1), (1, 2)),
    spans_query((4, 7, 1), (4, 8, 5, 1)),
)


def answered(*queries: Query) -> Answers:
    return [(one, tuple(-0.1 * (at + 1) for at in range(one.size))) for one in queries]


def keep(store: Store, *queries: Query, model: ModelInfo = MODEL, **run: Any) -> Answers:
    fields = {name: getattr(RUN, name) for name in QueryRun.__slots__}
    return keep_answers(store, model, QueryRun(**{**fields, **run}), answered(*queries))


@pytest.mark.parametrize("one", QUERIES, ids=lambda one: one.kind.value)
def test_what_was_kept_comes_back(fresh_store: Store, one: Query) -> None:
    kept = keep(fresh_store, one)
    assert list(load_answers(fresh_store, MODEL, [one]).answers.items()) == kept


def test_what_was_not_asked_is_not_there(fresh_store: Store) -> None:
    assert load_answers(fresh_store, MODEL, QUERIES) == ({}, ())
    keep(fresh_store, KITE)
    assert list(load_answers(fresh_store, MODEL, QUERIES).answers) == [KITE]


@pytest.mark.parametrize(
    "change", [{"weights": "cc"}, {"tokenizer": "cc"}, {"dtype": "bfloat16"}, {"device": "cuda"}]
)
def test_what_one_model_said_is_not_taken_for_another(
    fresh_store: Store, change: dict[str, Any]
) -> None:
    keep(fresh_store, KITE)
    assert not load_answers(fresh_store, declared(**change), [KITE]).answers


def test_a_model_by_another_name_is_the_same(fresh_store: Store) -> None:
    keep(fresh_store, KITE)
    assert load_answers(fresh_store, declared(name="other"), [KITE]).answers


def float32(number: float) -> float:
    return float(struct.unpack("f", struct.pack("f", number))[0])


@given(st.lists(st.floats(max_value=0, min_value=-(2.0**90), width=32), min_size=1, max_size=9))
def test_nine_digits_give_a_number_back_to_the_last_bit(values: list[float]) -> None:
    asked = causal_query(tuple(range(len(values) + 1)))
    row = _row(MODEL.fingerprint, asked, tuple(values))
    assert believed(row, MODEL.fingerprint, asked) == tuple(map(float32, values))


def test_a_number_is_rounded_before_it_is_used(fresh_store: Store) -> None:
    given_now = keep_answers(fresh_store, MODEL, RUN, [(KITE, (-1 / 3, -1e-9))])
    later = load_answers(fresh_store, MODEL, [KITE]).answers
    assert dict(given_now) == later == {KITE: (float32(-1 / 3), float32(-1e-9))}


@pytest.mark.parametrize(
    "values, wrong",
    [
        ((-1.0, float("nan")), "token 2 of 2 is nan"),
        ((float("-inf"), -1.0), "token 1 of 2 is -inf"),
        ((0.01, -1.0), "token 1 of 2 is 0.01"),
        ((-1.0,), "1 log-probabilities, but 2 were requested"),
    ],
)
def test_nothing_wrong_enters_the_store(
    fresh_store: Store, values: tuple[float, ...], wrong: str
) -> None:
    batch = [*answered(causal_query((1, 2))), (KITE, values)]
    with pytest.raises(ModelError, match=wrong):
        keep_answers(fresh_store, MODEL, RUN, batch)
    assert row_counts(fresh_store.path)["observation"] == 0


def test_a_trace_above_zero_is_rounding(fresh_store: Store) -> None:
    keep_answers(fresh_store, MODEL, RUN, [(KITE, (1e-7, -1.0))])
    assert load_answers(fresh_store, MODEL, [KITE]).answers


def test_who_was_first_stays_and_is_what_the_second_gets(fresh_store: Store) -> None:
    first = keep_answers(fresh_store, MODEL, RUN, [(KITE, (-1.0, -2.0))])
    other = causal_query((5, 6))
    second = keep_answers(fresh_store, MODEL, RUN, [(KITE, (-1.0, -2.5)), (other, (-3.0,))])
    assert second == [*first, (other, (-3.0,))]
    assert load_answers(fresh_store, MODEL, [KITE, other]).answers == dict(second)


def test_two_runs_of_one_model_are_told_apart(fresh_store: Store) -> None:
    keep(fresh_store, KITE)
    keep(
        fresh_store,
        QUERIES[1],
        id="two",
        batching="plain",
        fallback_reason="no trees",
        name="renamed",
    )
    assert query(fresh_store.path, "SELECT name, way, why FROM asking") == [
        ("stand-in", "tree", ""),
        ("renamed", "plain", "no trees"),
    ]
    assert row_counts(fresh_store.path)["model"] == 1


TAMPERING = [
    "UPDATE observation SET ids = '[7,8,10]'",
    "UPDATE observation SET masks = '[[1]]'",
    "UPDATE observation SET label = '[1]'",
    "UPDATE observation SET method = 'single-mask'",
    "UPDATE observation SET log_probs = '[-0.1,-0.3]'",
    "UPDATE observation SET log_probs = '[-0.1]'",
    "UPDATE observation SET log_probs = 'broken'",
    "UPDATE observation SET log_probs = x'00ff'",
    "UPDATE observation SET checksum = ''",
]


@pytest.mark.parametrize("tampering", TAMPERING)
def test_a_damaged_row_is_reported_and_not_used(fresh_store: Store, tampering: str) -> None:
    keep(fresh_store, KITE)
    change(fresh_store.path, tampering)
    assert load_answers(fresh_store, MODEL, [KITE]) == ({}, (KITE.key,))
    assert [one.rows for one in prune(fresh_store, damaged=True, dry_run=True)] == [1]


@pytest.mark.parametrize("log_probs", ["[NaN,-1]", "[1,-1]", "[-1]", "{}", "[[],-1]"])
def test_numbers_that_cannot_be_are_not_used_whatever_their_checksum(
    fresh_store: Store, log_probs: str
) -> None:
    keep(fresh_store, KITE)
    checksum = _checksum(MODEL.fingerprint, KITE.key, log_probs)
    update = "UPDATE observation SET log_probs = ?, checksum = ?"
    change(fresh_store.path, update, log_probs, checksum)
    assert load_answers(fresh_store, MODEL, [KITE]) == ({}, (KITE.key,))


def test_damaged_rows_can_be_forgotten_and_asked_again(fresh_store: Store) -> None:
    keep(fresh_store, *QUERIES)
    change(fresh_store.path, "UPDATE observation SET checksum = '' WHERE method = 'causal'")
    forget_answers(fresh_store, MODEL, load_answers(fresh_store, MODEL, QUERIES).damaged)
    assert set(load_answers(fresh_store, MODEL, QUERIES).answers) == set(QUERIES[1:])
    keep(fresh_store, KITE)
    assert set(load_answers(fresh_store, MODEL, QUERIES).answers) == set(QUERIES)


def test_ten_thousand_answers_are_loaded_within_a_second(fresh_store: Store) -> None:
    queries = [causal_query((number, *range(20))) for number in range(10_000)]
    keep(fresh_store, *queries)
    started = time.process_time()
    assert len(load_answers(fresh_store, MODEL, queries).answers) == len(queries)
    assert time.process_time() - started < 1


def test_a_row_says_what_was_asked(fresh_store: Store) -> None:
    keep(fresh_store, *QUERIES)
    rows = load_rows(fresh_store, places_of(fresh_store, MODEL.fingerprint))
    assert {answered_query(row) for row in rows} == set(QUERIES)


def test_a_store_with_observations_is_sound(fresh_store: Store) -> None:
    keep(fresh_store, *QUERIES)
    assert list(verify_file(fresh_store)) == []


def test_counts_are_by_model_and_method(fresh_store: Store) -> None:
    keep(fresh_store, *QUERIES, causal_query((5, 6, 7, 8)))
    keep(fresh_store, KITE, model=declared(dtype="bfloat16"), id="two")
    counts = [(one.dtype, one.method, one.rows, one.tokens) for one in count_kept(fresh_store)]
    assert counts == [
        ("float32", "causal", 2, 5),
        ("float32", "multi-mask", 1, 2),
        ("float32", "single-mask", 1, 2),
        ("float32", "spans", 1, 4),
        ("bfloat16", "causal", 1, 2),
    ]
    assert all(one.bytes > 100 and one.first_at <= one.last_at for one in count_kept(fresh_store))


def test_a_damaged_row_can_be_counted(fresh_store: Store) -> None:
    keep(fresh_store, KITE)
    change(fresh_store.path, "UPDATE observation SET log_probs = 'broken'")
    assert [one.tokens for one in count_kept(fresh_store)] == [0]


def test_a_model_is_found_by_any_of_its_names_and_by_its_fingerprint(fresh_store: Store) -> None:
    keep(fresh_store, KITE)
    keep(fresh_store, QUERIES[1], id="two", name="renamed")
    found = {fingerprints_of(fresh_store, name) for name in ("stand-in", "renamed")}
    assert found == {fingerprints_of(fresh_store, MODEL.fingerprint[:8])}
    with pytest.raises(UnknownNameError, match="did you mean stand-in"):
        fingerprints_of(fresh_store, "stand-on")


@pytest.mark.parametrize(
    "chosen, left",
    [
        ({}, 0),
        ({"fingerprints": (MODEL.fingerprint,)}, 1),
        ({"before": "2020-01-01"}, 5),
        ({"before": "2999-01-01"}, 0),
        ({"damaged": True}, 5),
        ({"fingerprints": (MODEL.fingerprint,), "before": "2020-01-01"}, 5),
    ],
)
def test_pruning_throws_away_what_meets_all_conditions(
    fresh_store: Store, chosen: dict[str, Any], left: int
) -> None:
    keep(fresh_store, *QUERIES)
    keep(fresh_store, KITE, model=declared(dtype="bfloat16"), id="two")
    before = row_counts(fresh_store.path)
    said = prune(fresh_store, **chosen, dry_run=True)
    assert row_counts(fresh_store.path) == before
    assert prune(fresh_store, **chosen) == said
    assert row_counts(fresh_store.path)["observation"] == left
    assert sum(one.rows for one in said) == 5 - left


def test_a_model_of_which_nothing_is_left_is_forgotten(fresh_store: Store) -> None:
    keep(fresh_store, KITE)
    prune(fresh_store)
    counts = row_counts(fresh_store.path)
    assert (counts["model"], counts["asking"], counts["observation"]) == (0, 0, 0)


def test_a_run_goes_on_although_all_of_it_was_pruned(fresh_store: Store) -> None:
    keep(fresh_store, KITE)
    prune(fresh_store)
    keep(fresh_store, QUERIES[1])
    assert list(load_answers(fresh_store, MODEL, QUERIES).answers) == [QUERIES[1]]


def test_nothing_is_kept_in_a_store_that_cannot_be_written_to(
    fresh_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh_store, "is_read_only", True)
    with pytest.raises(StoreError, match="cannot be written to"):
        keep(fresh_store, KITE)


def test_a_store_of_the_second_step_gets_the_tables(store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, STEPS[:2])
    assert "observation" not in row_counts(store_path)
    with Store.open(store_path) as store:
        keep(store, *QUERIES)
        assert len(load_answers(store, MODEL, QUERIES).answers) == len(QUERIES)
        assert list(verify_file(store)) == []
