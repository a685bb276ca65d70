import json

import pytest

from horsesense.errors import ModelError
from horsesense.evaluation.inference import answers_for, score, verify_answers
from horsesense.models import Family, Query
from horsesense.scoring import methods_of
from horsesense.store import Store, as_kept
from horsesense.store.observations import _checksum
from tests.evaluation.inference.stand_in import StandIn, declared, hashed, some_problems
from tests.store.builders import change, query


@pytest.fixture
def model(fresh_store: Store) -> StandIn:
    """A model of which the store keeps the answers about some problems."""
    asked = StandIn()
    list(score(asked, some_problems(40), methods_of(Family.CAUSAL), store=fresh_store))
    return asked


def tamper(store: Store, pk: int, by: float) -> str:
    """Change the first number of a row so that its checksum fits; the row's key."""
    ((key, log_probs, fingerprint),) = query(
        store.path,
        "SELECT key, log_probs, fingerprint FROM observation JOIN model ON model.pk = model"
        " WHERE observation.pk = ?",
        pk,
    )
    first, *rest = json.loads(log_probs)
    text = json.dumps([round(first - by, 6), *rest])
    update = "UPDATE observation SET log_probs = ?, checksum = ? WHERE pk = ?"
    change(store.path, update, text, _checksum(fingerprint, key, text), pk)
    return str(key)


def test_what_a_model_said_is_what_it_says(fresh_store: Store, model: StandIn) -> None:
    found = verify_answers(model, fresh_store)
    assert found.is_sound and found.drift == 0
    assert (found.rows, found.kept) == (50, 80)
    assert found.decisions > 20


def test_a_sample_as_large_as_the_store_is_all_of_it(fresh_store: Store, model: StandIn) -> None:
    assert verify_answers(model, fresh_store, sample=10_000).rows == 80


@pytest.mark.parametrize("sample", [1, 2, 7, 50])
def test_a_sample_has_its_size_and_follows_from_its_seed(
    fresh_store: Store, model: StandIn, sample: int
) -> None:
    asked = [[], [], []]  # type: list[list[Query]]
    for run, seed in enumerate((1, 1, 2)):
        model.log_prob = lambda query, at, run=run: asked[run].append(query) or hashed(query, at)  # type: ignore[misc,func-returns-value]
        assert verify_answers(model, fresh_store, sample=sample, seed=seed).rows == sample
    assert asked[0] == asked[1] != asked[2]


def test_a_number_that_was_changed_is_found_and_named(fresh_store: Store, model: StandIn) -> None:
    key = tamper(fresh_store, 7, by=0.25)
    found = verify_answers(model, fresh_store, sample=1000)
    (drifted,) = found.drifted
    assert (drifted.key, round(drifted.drift, 4)) == (key, 0.25)
    assert drifted.text.startswith("'Lamp ") and not found.is_sound
    assert found.drift == drifted.drift


def test_a_number_that_turns_a_decision_is_counted(fresh_store: Store, model: StandIn) -> None:
    for pk in range(1, 81, 2):
        tamper(fresh_store, pk, by=1000)
    found = verify_answers(model, fresh_store, sample=1000)
    assert len(found.drifted) == 40 and found.flipped > 10


def test_the_last_digits_do_not_count(fresh_store: Store, model: StandIn) -> None:
    tamper(fresh_store, 7, by=0.00005)
    found = verify_answers(model, fresh_store, sample=1000)
    assert found.is_sound and 0.00004 < found.drift < 0.00006
    assert not verify_answers(model, fresh_store, sample=1000, tolerance=1e-6).is_sound


def test_a_damaged_row_is_found(fresh_store: Store, model: StandIn) -> None:
    change(fresh_store.path, "UPDATE observation SET ids = '[1,2' WHERE pk = 7")
    change(fresh_store.path, "UPDATE observation SET log_probs = '[]' WHERE pk = 8")
    found = verify_answers(model, fresh_store, sample=1000)
    assert len(found.damaged) == 2 and not found.is_sound


def test_a_model_that_has_lost_its_mind_is_found(fresh_store: Store, model: StandIn) -> None:
    model.log_prob = lambda query, at: float("nan")
    assert len(verify_answers(model, fresh_store, sample=10).drifted) == 10


@pytest.mark.parametrize("family", [Family.MASKED, Family.SEQ2SEQ])
def test_other_families_are_verified_alike(fresh_store: Store, family: Family) -> None:
    model = StandIn(declared(family))
    list(score(model, some_problems(10), methods_of(family), store=fresh_store))
    found = verify_answers(model, fresh_store, sample=1000)
    assert found.is_sound and found.decisions > 10


def test_a_model_that_was_never_asked_cannot_be_verified(
    fresh_store: Store, model: StandIn
) -> None:
    with pytest.raises(ModelError, match="the store has no answers of stand-in in bfloat16 on cpu"):
        verify_answers(StandIn(declared(dtype="bfloat16")), fresh_store)


def test_whoever_watches_is_told_of_every_row(fresh_store: Store, model: StandIn) -> None:
    told: list[tuple[int, int]] = []
    verify_answers(model, fresh_store, sample=4, on_row=lambda done, of: told.append((done, of)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_rounding_does_not_look_like_drift(fresh_store: Store) -> None:
    model = StandIn(log_prob=lambda query, at: -1 / (at + 3) - len(query.ids) / 7)
    sentences = [Query(some.kind, some.ids) for some in _some_queries()]
    answers = answers_for(model, sentences, fresh_store)
    assert all(values == as_kept(values) for values in answers.values())
    assert verify_answers(model, fresh_store).drift == 0


def _some_queries() -> list[Query]:
    model = StandIn()
    list(score(model, some_problems(6), methods_of(Family.CAUSAL)))
    return model.asked
