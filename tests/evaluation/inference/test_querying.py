from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

import pytest

from horsesense.errors import ModelError, StoreError
from horsesense.evaluation.inference import Progress, answers_for
from horsesense.models import Answers, Query, causal_query
from horsesense.store import Store
from tests.evaluation.inference.stand_in import StandIn, declared, hashed
from tests.store.builders import change, query, row_counts

SENTENCES = [
    "The kite sank.",
    "The kite climbed over the wood.",
    "A ladder fell.",
    "Olga laughed at the ladder.",
    "The ferry sailed at noon.",
]


def queries(model: StandIn, *texts: str) -> list[Query]:
    return [causal_query(model.tokenize(text).ids) for text in texts or SENTENCES]


def rows(store: Store) -> int:
    return row_counts(store.path)["observation"]


def test_nothing_is_asked_twice() -> None:
    model = StandIn()
    answers = answers_for(model, queries(model) * 3)
    assert model.asked == queries(model) == list(answers)


def test_what_the_store_has_is_not_asked(fresh_store: Store) -> None:
    model = StandIn()
    before = answers_for(model, queries(model)[:2], fresh_store)
    after = answers_for(model, queries(model), fresh_store)
    assert model.asked == queries(model)
    assert {**after, **before} == after
    assert answers_for(model, queries(model), fresh_store) == after


def test_the_first_run_the_second_and_one_without_a_store_agree_to_the_last_bit(
    fresh_store: Store,
) -> None:
    model = StandIn()
    first = answers_for(model, queries(model), fresh_store)
    assert first == answers_for(model, queries(model), fresh_store)
    assert first == answers_for(model, queries(model))


def test_the_progress_tells_what_is_done_and_what_was_kept(fresh_store: Store) -> None:
    model, told = StandIn(batch=2), list[Progress]()
    answers_for(model, queries(model)[:1], fresh_store)
    answers_for(model, queries(model), fresh_store, on_progress=told.append)
    assert [(one.done, one.total, one.cached) for one in told] == [(1, 5, 1), (3, 5, 1), (5, 5, 1)]


def test_how_the_model_was_asked_is_kept(fresh_store: Store) -> None:
    model = StandIn()
    answers_for(model, queries(model), fresh_store)
    ((name, way, why, version),) = query(
        fresh_store.path, "SELECT name, way, why, horsesense FROM asking"
    )
    assert (name, way, why) == ("stand-in", "plain", "it is a stand-in")
    assert version.startswith("0.")


@dataclass
class Interrupted(StandIn):
    """Stops before it has answered all."""

    after: int = 2
    error: BaseException = KeyboardInterrupt()

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        for number, batch in enumerate(super().answer(queries, answered)):
            if number == self.after:
                raise self.error
            yield batch


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ModelError("out of memory")])
def test_what_was_answered_before_an_interruption_is_kept(
    fresh_store: Store, error: BaseException
) -> None:
    broken = Interrupted(batch=1, after=3, error=error)
    with pytest.raises(type(error)):
        answers_for(broken, queries(broken), fresh_store)
    assert rows(fresh_store) == 3
    model = StandIn()
    assert answers_for(model, queries(model), fresh_store) == answers_for(model, queries(model))
    assert model.asked[:2] == queries(model)[3:]


def test_a_batch_is_kept_before_the_next_is_asked(fresh_store: Store) -> None:
    counted = []

    class Watched(StandIn):
        def answer(
            self, queries: Sequence[Query], answered: Container[Query] = ()
        ) -> Iterator[Answers]:
            for batch in super().answer(queries, answered):
                counted.append(rows(fresh_store))
                yield batch

    model = Watched(batch=2)
    answers_for(model, queries(model), fresh_store)
    assert [*counted, rows(fresh_store)] == [0, 2, 4, 5]


def faulty(number: float) -> StandIn:
    """A model that gives that number for the last of the sentences."""
    model = StandIn(batch=2)
    last = queries(model)[-1]
    model.log_prob = lambda query, at: number if query == last and at == 2 else hashed(query, at)
    return model


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), 0.5, 1e300])
def test_a_number_that_cannot_be_is_an_error_and_not_kept(
    fresh_store: Store, number: float
) -> None:
    model = faulty(number)
    for store in (fresh_store, None):
        with pytest.raises(ModelError, match="token 3 of 5 is .*'The ferry sailed at noon.'"):
            answers_for(model, queries(model), store)
    assert rows(fresh_store) == 4


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_a_model_that_says_the_same_of_everything_is_an_error(
    fresh_store: Store, batch: int
) -> None:
    model = StandIn(batch=batch, log_prob=lambda query, at: -9.21)
    with pytest.raises(ModelError, match="every token has the same log-probability, -9.21"):
        answers_for(model, queries(model), fresh_store)
    assert rows(fresh_store) == 0


def test_a_few_equal_numbers_may_be_a_coincidence(fresh_store: Store) -> None:
    model = StandIn(batch=1, log_prob=lambda query, at: -9.21)
    assert len(answers_for(model, queries(model)[:2], fresh_store)) == rows(fresh_store) == 2


def test_a_model_that_leaves_out_a_query_is_found_out() -> None:
    class Forgetful(StandIn):
        def answer(
            self, queries: Sequence[Query], answered: Container[Query] = ()
        ) -> Iterator[Answers]:
            return super().answer(queries[:1], answered)

    model = Forgetful()
    with pytest.raises(ModelError, match="did not answer 4 of 5 queries"):
        answers_for(model, queries(model))


def test_damaged_rows_are_reported_and_asked_again(fresh_store: Store) -> None:
    model, told = StandIn(), list[Progress]()
    sound = answers_for(model, queries(model), fresh_store)
    change(fresh_store.path, "UPDATE observation SET log_probs = '[-1]' WHERE pk = 2")
    assert answers_for(model, queries(model), fresh_store, on_progress=told.append) == sound
    assert told[0].damaged == (queries(model)[1].key,)
    answers_for(model, queries(model), fresh_store, on_progress=told.append)
    assert told[-1].damaged == () and told[-1].cached == 5


def test_a_store_that_cannot_be_written_to_is_of_use_while_it_has_everything(
    fresh_store: Store,
) -> None:
    model = StandIn()
    answers_for(model, queries(model)[:2], fresh_store)
    fresh_store.is_read_only = True
    assert len(answers_for(model, queries(model)[:2], fresh_store)) == 2
    with pytest.raises(StoreError, match="does not have all answers"):
        answers_for(model, queries(model), fresh_store)
    assert len(model.asked) == 2


def test_another_model_does_not_get_the_answers(fresh_store: Store) -> None:
    model, other = StandIn(), StandIn(declared(weights="cc"))
    answers_for(model, queries(model), fresh_store)
    answers_for(other, queries(other), fresh_store)
    assert len(other.asked) == 5
