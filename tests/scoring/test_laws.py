"""What holds of the methods whatever a model says."""

from dataclasses import replace
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.models import CausalObservation, Family, FirstToken, MaskedObservation
from horsesense.scoring import Method, Scores, find_method, methods_of, score_problem
from tests.scoring.observed import causal, masked
from tests.strategies import brisk

words = st.lists(st.sampled_from(["owl", "vole", "bat", "and", "hunts", "sees"]), max_size=4)
phrases = words.filter(bool)
cost = st.floats(0, 50, width=32)


@st.composite
def observations(draw: st.DrawFn) -> CausalObservation:
    before, phrase, after = (" ".join(draw(part)) for part in (words, phrases, phrases))
    second = f" [{' '.join(draw(phrases))}] {after}" if draw(st.booleans()) else ""
    marked = f"{before} [{phrase}] {after}{second}"
    size = len(causal(marked).tokens.real)
    costs = draw(st.lists(cost, min_size=size, max_size=size))
    sources = [FirstToken.BOS] if (bos := draw(st.booleans())) else list(FirstToken)[1:]
    source = draw(st.sampled_from(sources))
    return causal(marked, costs, bos=bos, first_from=source, alone=-draw(cost))


@st.composite
def maskings(draw: st.DrawFn) -> MaskedObservation:
    seen = draw(observations())
    marked_up = masked(_marked(seen))
    multi = tuple(None if one is None else -draw(cost) for one in marked_up.multi)
    return replace(marked_up, multi=multi)


def _marked(seen: CausalObservation) -> str:
    text, tokens = seen.tokens.tokenization.text, seen.tokens
    for span in reversed(tokens.blanks):
        text = f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"
    return text


def scores(name: str, *seen: CausalObservation | MaskedObservation) -> Scores | None:
    family = Family.CAUSAL if isinstance(seen[0], CausalObservation) else Family.MASKED
    result = score_problem(find_method(name, family), seen)
    return result if isinstance(result, Scores) else None


@pytest.mark.parametrize("method", methods_of(Family.CAUSAL), ids=lambda method: method.name)
@brisk
@given(seen=st.lists(observations(), min_size=2, max_size=3))
def test_the_order_of_the_options_changes_no_score(
    method: Method, seen: list[CausalObservation]
) -> None:
    there, back = score_problem(method, seen), score_problem(method, seen[::-1])
    if isinstance(there, Scores):
        assert isinstance(back, Scores)
        assert there.scores == back.scores[::-1]
    else:
        assert not isinstance(back, Scores)


@brisk
@given(observations())
def test_full_is_the_first_token_and_all_but_the_first(seen: CausalObservation) -> None:
    full, rest = scores("full", seen), scores("all-but-first", seen)
    if full and rest:
        assert seen.first is not None
        assert isclose(full.costs[0], rest.costs[0] - seen.first, abs_tol=1e-9)
    assert bool(full) is (seen.first is not None)


@brisk
@given(observations())
def test_a_part_of_the_sentence_costs_no_more_than_the_whole(seen: CausalObservation) -> None:
    partial, whole = scores("partial", seen), scores("full", seen)
    from_blank = scores("compat:lighteval", seen)
    assert partial
    if whole and from_blank:
        assert partial.costs[0] <= from_blank.costs[0] <= whole.costs[0]


@brisk
@given(observations(), st.integers(0, 6))
def test_smart_is_full_or_partial_or_all_but_first(seen: CausalObservation, limit: int) -> None:
    smart = scores(f"smart@{limit}", seen)
    others = [scores(name, seen) for name in ("partial", "full", "all-but-first")]
    if smart:
        assert smart.scores in [other.scores for other in others if other]


@pytest.mark.parametrize("method", methods_of(Family.CAUSAL), ids=lambda method: method.name)
@brisk
@given(seen=observations())
def test_a_cost_is_what_its_tokens_add_up_to(method: Method, seen: CausalObservation) -> None:
    result = score_problem(method, [seen])
    for score in result.scores if isinstance(result, Scores) else ():
        first = seen.tokens.real[0]
        costs = [seen.first if at == first else seen.log_probs[at] for at in score.counted]
        summed = score.extra - sum(one for one in costs if one is not None)
        assert isclose(score.cost, summed / score.divisor, rel_tol=1e-9, abs_tol=1e-9)


@brisk
@given(maskings())
def test_the_mean_of_probabilities_costs_no_more_than_the_loss(seen: MaskedObservation) -> None:
    abdou, loss = scores("abdou", seen), scores("loss", seen)
    assert abdou and loss
    assert abdou.costs[0] <= loss.costs[0] + 1e-9
