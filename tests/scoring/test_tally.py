"""What is added up once for all methods must be what every method adds up by itself."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.models.observation import (
    CausalObservation,
    Family,
    FirstToken,
    Observation,
    Reading,
    Straddling,
    place,
)
from horsesense.scoring import (
    Method,
    Outcome,
    Score,
    Scores,
    Undefined,
    find_method,
    methods_of,
    outcome_of,
    outcomes_of,
    score_problem,
)
from horsesense.scoring.tally import tally
from tests.scoring.observed import causal, masked, placed

CAUSAL = (
    *methods_of(Family.CAUSAL),
    *(find_method(f"{mean}smart@{n}", Family.CAUSAL) for mean in ("", "mean-") for n in (0, 3)),
)
words = st.lists(st.sampled_from(["owl", "vole", "bat", "and", "hunts"]), max_size=4)
# Few values, so that ties come up, and such as are added up differently in another order.
cost = st.sampled_from([0.0, 0.1, 0.25, 1e-9, 3.0, 1e16]) | st.floats(0, 50, width=32)


def slowly(
    methods: Sequence[Method], seen: Sequence[Observation], right: int | None
) -> dict[str, Outcome | Undefined]:
    """The reference: every method by its own function."""
    found: dict[str, Outcome | Undefined] = {}
    for method in methods:
        result = score_problem(method, seen)
        found[method.name] = outcome_of(result, right) if isinstance(result, Scores) else result
    return found


def agree(*seen: CausalObservation) -> bool:
    """Hold the two ways to each other by every method; tell whether all sums were at hand."""
    for right in (0, 1, None):
        assert outcomes_of(CAUSAL, seen, right) == slowly(CAUSAL, seen, right)
    return tally(seen) is not None


@st.composite
def sentences(draw: st.DrawFn, *, with_seam: bool = True) -> CausalObservation:
    """A sentence with no blank, one or two, some empty, some with a token across an edge."""
    parts = [" ".join(draw(words)) for _ in range(5)]
    blanks = draw(st.sampled_from([0, 1, 1, 1, 2, 2]))
    marked = f"{parts[0]} [{parts[1]}]" if blanks else f"{parts[0]} {parts[1]} owls"
    marked += f" {parts[2]} [{parts[3]}]" if blanks > 1 else ""
    marked += draw(st.sampled_from([" hunt", "s hunt", "", " .", f" {parts[4]} ."]))
    size = len(placed(marked).real)
    if not size:
        marked, size = "[owls] hunt", 2
    bos = draw(st.booleans())
    seen = causal(
        marked,
        draw(st.lists(cost, min_size=size, max_size=size)),
        bos=bos,
        first_from=FirstToken.BOS if bos else draw(st.sampled_from(list(FirstToken)[1:])),
        alone=draw(st.none() | cost.map(lambda value: -value)),
        seam=draw(st.none() | sentences(with_seam=False)) if with_seam else None,
    )
    tokens = placed(marked, before=int(bos), straddling=draw(st.sampled_from(Straddling)))
    return replace(seen, tokens=tokens)


@settings(max_examples=300, deadline=None)
@given(st.lists(sentences(), min_size=2, max_size=3))
def test_every_outcome_is_that_of_the_methods_own_function(seen: list[CausalObservation]) -> None:
    agree(*seen)


@pytest.mark.parametrize("first", list(FirstToken))
@pytest.mark.parametrize("alone", [None, -2.5])
@pytest.mark.parametrize("after", ["hunt mice at night .", "hunt", "hunt ."])
def test_sums_are_at_hand_for_ordinary_problems(
    first: FirstToken, alone: float | None, after: str
) -> None:
    bos = first is FirstToken.BOS
    one = causal(f"So [the owls] {after}", bos=bos, first_from=first, alone=alone)
    other = causal(f"So [bats] {after}", bos=bos, first_from=first, alone=alone)
    assert agree(one, other)
    assert agree(one, causal(f"[Bats] {after}", bos=bos, first_from=first, alone=alone))
    assert agree(replace(one, seam=causal(f"So [the owls] , {after}")), other)
    assert agree(causal(f"[Owls] and [bats] {after}", alone=alone), other)


@pytest.mark.parametrize(
    "odd",
    [
        causal("Owls hunt"),
        causal("Owls [] hunt"),
        causal("[] hunt mice"),
        causal("So hunt [owls]"),
        replace(causal("So [owls] hunt"), seam=causal("So hunt [owls]")),
    ],
)
def test_what_is_out_of_the_ordinary_is_left_to_the_function(odd: CausalObservation) -> None:
    assert not agree(odd, causal("So [bats] hunt mice"))
    assert not agree(causal("So [bats] hunt mice"), odd)


def test_tokens_in_another_order_are_left_to_the_function() -> None:
    seen = causal("So the [owls] hunt mice", alone=-1.0)
    parts = seen.tokens.parts
    for moved in (parts[::-1], (*parts[1:], parts[0]), (parts[0], *parts[:0:-1])):
        assert not agree(replace(seen, tokens=replace(seen.tokens, parts=moved)), seen)


def test_a_special_token_within_a_sentence_is_left_to_the_function() -> None:
    seen = causal("So [owls] hunt mice at night")
    for at in (1, 4):
        special = replace(seen.tokens.reading.tokens[at], word=None)
        tokens = [special if n == at else one for n, one in enumerate(seen.tokens.reading.tokens)]
        placed_anew = place(Reading(seen.tokens.reading.text, tokens), seen.tokens.blanks)
        costs = (None, *(None if n == at else -1.0 for n in range(1, 6)))
        assert not agree(replace(seen, tokens=placed_anew, log_probs=costs), seen)


def test_a_number_that_was_not_asked_for_is_missed_either_way() -> None:
    seen = causal("So [owls] hunt mice")
    lacking = replace(seen, log_probs=(None, -1.0, None, -1.0))
    assert tally((lacking,)) is None
    for way in (outcomes_of, slowly):
        with pytest.raises(ValueError, match="was not asked for"):
            way(CAUSAL, (lacking, lacking), 0)


def test_a_cost_that_is_no_finite_number_is_told_by_the_function() -> None:
    assert agree(causal("So [owls] hunt", [1, 2, float("inf")]), causal("So [bats] hunt"))


def test_a_method_with_a_function_alone_is_scored_by_it() -> None:
    costs = Scores((Score(2.0, ()), Score(1.0, ())))
    own = Method("own", Family.CAUSAL, "own", "something else", lambda seen: costs)
    seen = (causal("So [owls] hunt"), causal("So [bats] hunt"))
    assert outcomes_of([own], seen, 1) == {"own": outcome_of(costs, 1)}


def test_methods_of_masked_models_are_scored_by_their_functions() -> None:
    seen = (masked("So [the owls] hunt"), masked("So [bats] hunt"))
    methods = methods_of(Family.MASKED)
    assert outcomes_of(methods, seen, 0) == slowly(methods, seen, 0)
