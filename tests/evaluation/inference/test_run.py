import gc
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import log

import pytest

from horsesense.errors import ModelError, UnreadableError
from horsesense.evaluation.inference import UNREAD, ObservedProblem, observe, score
from horsesense.models import (
    Baseline,
    CausalObservation,
    Family,
    FirstToken,
    MaskedObservation,
    Part,
    SpansObservation,
    Straddling,
    Tokenization,
)
from horsesense.schema import Mode, Problem
from horsesense.scoring import (
    FrequencyTable,
    Outcome,
    Scores,
    Undefined,
    find_method,
    methods_of,
    outcome_of,
)
from horsesense.store import Store
from tests.evaluation.inference.stand_in import BOS, EOS, StandIn, declared, posed, some_problems

KITE = "the kite <climbed over it, sank> in the {rising, dying} wind"
TABLE = FrequencyTable(100, {7: 60, 8: 40})


def causal(
    model: StandIn, problem: Problem, table: FrequencyTable | None = None
) -> list[CausalObservation]:
    methods = methods_of(Family.CAUSAL)
    (one,) = observe(model, [problem], methods, frequencies=table)
    return [each for each in one.observations if isinstance(each, CausalObservation)]


def test_a_first_token_after_bos_is_the_models_own() -> None:
    model = StandIn(declared(before=(BOS,), after=(EOS,)))
    one, _ = causal(model, posed(KITE)[0], TABLE)
    assert one.log_probs[0] is None and one.log_probs[-1] is None
    assert None not in one.log_probs[1:-1]
    assert (one.first, one.first_from) == (one.log_probs[1], FirstToken.BOS)


def test_a_first_token_without_bos_is_from_the_table() -> None:
    model = StandIn()
    one, _ = causal(model, posed(KITE)[0], TABLE)
    assert one.tokens.tokenization.ids[0] == 7 and one.log_probs[0] is None
    assert (one.first, one.first_from) == (log(0.6), FirstToken.TABLE)


def test_a_first_token_that_the_table_lacks_gets_its_floor() -> None:
    one, _ = causal(StandIn(), posed(KITE)[0], FrequencyTable(9, {5000: 9}))
    assert one.first_from is FirstToken.FLOOR


def test_without_bos_and_table_there_is_no_first_token() -> None:
    one, _ = causal(StandIn(), posed(KITE)[0])
    assert (one.first, one.first_from, one.alone) == (None, FirstToken.UNDEFINED, None)


def test_a_phrase_alone_is_added_up_with_its_first_token() -> None:
    model = StandIn()
    one, other = causal(model, posed(KITE)[0], TABLE)
    phrase = [model._id(word) for word in (" climbed", " over", " it")]
    said = {query.ids: model.answer_singly(query) for query in model.asked}
    floor = TABLE.log_prob(phrase[0])[0]
    assert one.alone == pytest.approx(floor + sum(said[tuple(phrase)]))
    assert other.alone == pytest.approx(floor)


def test_a_phrase_alone_after_bos_is_the_models_own() -> None:
    model = StandIn(declared(before=(3, BOS)))
    one, _ = causal(model, posed(KITE)[0])
    said = {query.ids: model.answer_singly(query) for query in model.asked}
    (alone,) = [values for ids, values in said.items() if len(ids) == 5]
    assert one.alone == pytest.approx(sum(alone[1:]))


def test_what_compat_methods_read_is_observed_beside_the_sentence() -> None:
    one, _ = causal(StandIn(), posed("the {red, blue} lamp <shone, smoked>")[0])
    assert one.seam and one.seam.tokens.tokenization.text == "The red lamp shone ."
    assert one.seam.log_probs[:4] == one.log_probs[:4]
    assert one.seam.log_probs[4] != one.log_probs[4]


def test_masked_numbers_stand_at_their_tokens() -> None:
    model = StandIn(declared(Family.MASKED))
    (seen,) = observe(model, posed(KITE)[:1], methods_of(Family.MASKED))
    one = seen.observations[0]
    assert isinstance(one, MaskedObservation)
    assert [at for at, value in enumerate(one.multi) if value is not None] == [3, 4, 5]
    for vector in (one.single, one.within_word):
        assert [at for at, value in enumerate(vector) if value is None] == [0, 11]


def test_what_was_not_asked_for_is_not_there() -> None:
    model = StandIn(declared(Family.MASKED))
    answer = find_method("answer", Family.MASKED)
    (seen,) = observe(model, posed(KITE)[:1], [answer])
    one = seen.observations[0]
    assert isinstance(one, MaskedObservation)
    assert (one.multi, one.within_word) == ((), ())
    assert [at for at, value in enumerate(one.single) if value is not None] == [3, 4, 5]


def test_labels_are_observed_without_and_with_the_prefix() -> None:
    model = StandIn(declared(Family.SEQ2SEQ))
    (seen,) = observe(model, posed(KITE)[:1], methods_of(Family.SEQ2SEQ))
    one = seen.observations[0]
    assert isinstance(one, SpansObservation)
    assert one.plain.ids == one.prefixed.ids and one.plain.log_probs != one.prefixed.log_probs
    assert len(one.plain.source) + 2 == len(one.prefixed.source)


@pytest.mark.parametrize("family", [Family.CAUSAL, Family.MASKED, Family.SEQ2SEQ])
def test_a_run_from_the_store_gives_the_same_to_the_last_bit(
    fresh_store: Store, family: Family
) -> None:
    problems = [*some_problems(6), *posed("owls hunt {mice, voles} and {voles, mice} <hide, feed>")]
    model = StandIn(declared(family))
    first = list(score(model, problems, methods_of(family), store=fresh_store))
    asked = len(model.asked)
    again = list(score(model, problems, methods_of(family), store=fresh_store))
    assert first == again == list(score(StandIn(declared(family)), problems, methods_of(family)))
    assert len(model.asked) == asked


@pytest.mark.parametrize("table", [None, TABLE])
@pytest.mark.parametrize("straddling", Straddling)
@pytest.mark.parametrize("before", [(), (BOS,)])
@pytest.mark.parametrize("family", [Family.CAUSAL, Family.MASKED, Family.SEQ2SEQ])
def test_an_outcome_is_what_the_scores_behind_it_decide(
    family: Family, before: tuple[int, ...], straddling: Straddling, table: FrequencyTable | None
) -> None:
    problems = [
        *some_problems(2),
        *posed(KITE, Mode.BY_KEY),
        *posed("owls hunt {mice, voles} and {voles, mice} <hide, feed>", Mode.BY_KEY),
        *posed("the lamp was {lit, broken} and <shone, went out>"),
    ]
    methods = methods_of(family)
    model = Joining(declared(family, before=before))
    for one in score(model, problems, methods, frequencies=table, straddling=straddling):
        for name, result in one.results.items():
            right = one.problem.right
            decided = outcome_of(result, right) if isinstance(result, Scores) else result
            assert one.outcomes[name] == decided


def test_texts_are_read_at_once_where_the_model_knows_how_to() -> None:
    class Quick(StandIn):
        def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
            batches.append(list(texts))
            return (StandIn.tokenize(self, text) for text in texts)

        def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
            raise AssertionError("read by itself")

    batches: list[list[str]] = []
    problems = [*posed("the {red, blue} lamp <shone, smoked>"), *some_problems(4)]
    methods = methods_of(Family.CAUSAL)
    assert list(score(Quick(), problems, methods)) == list(score(StandIn(), problems, methods))
    (texts,) = batches
    assert len(texts) == len(set(texts)) and "The red lamp shone ." in texts


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_search_for_garbage_is_left_as_it_was_found(is_enabled: bool) -> None:
    def found_by(model: StandIn) -> bool:
        with suppress(ModelError):
            list(score(model, posed(KITE), methods_of(Family.CAUSAL)))
        return gc.isenabled()

    (gc.enable if is_enabled else gc.disable)()
    try:
        # The second cannot read them.
        assert found_by(StandIn()) is found_by(StandIn(declared(context=2))) is is_enabled
    finally:
        gc.enable()


def test_problems_come_back_in_their_order() -> None:
    problems = some_problems(20)
    model = StandIn()
    assert [one.problem for one in score(model, problems, methods_of(Family.CAUSAL))] == problems


def test_every_method_has_an_outcome_or_says_why_not() -> None:
    (one, *_) = score(StandIn(), posed(KITE), methods_of(Family.CAUSAL))
    assert set(one.outcomes) == {method.name for method in methods_of(Family.CAUSAL)}
    assert isinstance(one.outcomes["full"], Undefined)
    assert isinstance(one.outcomes["partial"], Outcome)
    assert one.results["full"] == one.outcomes["full"]


def test_nothing_is_asked_if_one_sentence_cannot_be_read() -> None:
    model = StandIn(declared(context=12))
    too_long = posed("the owl " + "and the owl " * 9 + "<hoots, hides> at {night, noon}")
    with pytest.raises(ModelError, match="at most 12 tokens"):
        list(score(model, [*some_problems(4), *too_long], methods_of(Family.CAUSAL)))
    assert model.asked == []


def test_a_method_of_another_family_is_refused() -> None:
    with pytest.raises(ModelError, match="full is a scoring method of the causal family"):
        list(score(StandIn(declared(Family.MASKED)), [], methods_of(Family.CAUSAL)))


def test_a_table_of_another_model_is_refused() -> None:
    table = FrequencyTable(1, {10_000: 1})
    with pytest.raises(ModelError, match="made for another model"):
        list(score(StandIn(), posed(KITE), methods_of(Family.CAUSAL), frequencies=table))


def test_no_problems_are_no_outcomes() -> None:
    assert list(score(StandIn(), [], methods_of(Family.CAUSAL))) == []


class Shortest(Baseline):
    """A baseline that prefers the shortest sentence."""

    info = declared(Family.BASELINE, name="shortest")

    def costs(self, problem: Problem) -> tuple[float, ...]:
        return tuple(float(len(sentence.text)) for sentence in problem.sentences)


def test_a_baseline_sees_the_problem() -> None:
    found: list[ObservedProblem] = list(score(Shortest(), posed(KITE), methods_of(Family.BASELINE)))
    chosen = [
        outcome.chosen
        for one in found
        for outcome in one.outcomes.values()
        if isinstance(outcome, Outcome)
    ]
    assert chosen == [1, 1]


class Joining(StandIn):
    """Its tokenizer takes the last word and the full stop together."""

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        reading = super().tokenize(text, specials=specials)
        *first, last, stop = reading.tokens
        return Tokenization(text, (*first, replace(last, end=stop.end)))


@pytest.mark.parametrize("policy, suffix", [(Straddling.SUFFIX, 1), (Straddling.BLANK, 0)])
def test_a_token_across_the_edge_is_counted_as_declared(policy: Straddling, suffix: int) -> None:
    problem = posed("the {red, blue} lamp <shone, smoked>")[0]
    (one,) = observe(Joining(), [problem], methods_of(Family.CAUSAL), straddling=policy)
    first = one.observations[0]
    assert isinstance(first, CausalObservation)
    assert one.straddling == 2
    assert len(first.tokens.positions(Part.SUFFIX)) == suffix


def test_modes_of_solution_share_their_sentences() -> None:
    model = StandIn()
    both = [*posed(KITE), *posed(KITE, Mode.BY_KEY)]
    list(
        score(
            model, both, [find_method("full", Family.CAUSAL), find_method("partial", Family.CAUSAL)]
        )
    )
    assert len(model.asked) == 4


def test_to_keep_going_leaves_out_the_problem_that_cannot_be_read() -> None:
    methods = methods_of(Family.CAUSAL)
    problems = [*posed(KITE), *posed("the ☃ <melted, froze> in the {sun, wind}")[:1]]
    with pytest.raises(UnreadableError, match="--keep-going"):
        list(score(StandIn(), problems, methods))
    *kept, left = score(StandIn(), problems, methods, keep_going=True)
    assert [one.outcomes for one in kept] == [
        one.outcomes for one in score(StandIn(), problems[:-1], methods)
    ]
    assert "no token for '☃' in 'The ☃ melted" in left.unread and not kept[0].unread
    assert left.observations == () and set(left.outcomes) == {one.name for one in methods}
    assert left.results == left.outcomes == {one.name: Undefined(UNREAD) for one in methods}


def test_nothing_is_asked_before_all_is_read() -> None:
    model = StandIn()
    problems = [*posed(KITE), *posed("the ☃ <melted, froze> in the {sun, wind}")]
    with pytest.raises(UnreadableError):
        list(score(model, problems, methods_of(Family.CAUSAL)))
    assert model.asked == []


@pytest.mark.parametrize(
    ("schema", "is_read_otherwise"),
    [
        ("the kite <rose, sank> in the {rising, dying} wind", False),
        ("if the wind is {rising, dying} it <grows, ends>, they say", True),
        ("the kite {rose, sank} in the wind that <grew, died>", True),  # a full stop follows
    ],
)
def test_as_in_lighteval_a_space_is_read_between_a_blank_and_punctuation(
    schema: str, is_read_otherwise: bool
) -> None:
    """Elsewhere it differs from all but first by what comes before, the same for all options."""
    names = ("compat:lighteval", "all-but-first")
    methods = [find_method(name, Family.CAUSAL) for name in names]
    differences = [
        {
            round(whole - from_blank, 6)
            for from_blank, whole in zip(*(_costs(one, name) for name in names), strict=True)
        }
        for one in score(StandIn(), posed(schema), methods)
    ]
    assert any(len(found) == 2 for found in differences) is is_read_otherwise


def _costs(one: ObservedProblem, method: str) -> tuple[float, ...]:
    outcome = one.outcomes[method]
    assert isinstance(outcome, Outcome)
    return outcome.costs
