"""Each token costs its number in the sentence, so that a sum tells which ones were added up."""

import pytest

from horsesense.models import CausalObservation, Family, FirstToken, Observation
from horsesense.scoring import Result, Scores, Undefined, find_method, score_problem
from tests.scoring.observed import causal, placed

# Fifteen tokens, of which the tenth and the eleventh stand in the blank: as in (3.2).
KETTLE = "The kettle did not fit on the shelf as [the kettle] was too wide ."
SHELF = "The kettle did not fit on the shelf as [the shelf] was too wide ."
NEITHER = FirstToken.UNDEFINED


def scored(name: str, *observations: Observation) -> Result:
    return score_problem(find_method(name, Family.CAUSAL), observations)


def costs(name: str, *observations: Observation) -> tuple[float, ...]:
    result = scored(name, *observations)
    assert isinstance(result, Scores), result
    return result.costs


def reason(name: str, *observations: Observation) -> str:
    result = scored(name, *observations)
    assert isinstance(result, Undefined), result
    return result.reason


@pytest.mark.parametrize(
    ("name", "cost"),
    [
        ("full", 120),  # (3.10)
        ("mean-full", 120 / 15),  # (3.12)
        ("all-but-first", 119),  # (3.15)
        ("loss", 119 / 14),  # (3.8)
        ("partial", 12 + 13 + 14 + 15),  # (3.9)
        ("mean-partial", 54 / 4),  # (3.13)
        ("normalized-full", 120 - 7),  # (3.11)
        ("mean-normalized-full", 113 / 13),  # (3.14)
        ("smart@3", 54),
        ("smart@4", 120),
        ("mean-smart@3", 54 / 4),
        ("mean-smart@4", 120 / 15),
        ("compat:lm-eval", 54),
        ("compat:lighteval", 10 + 11 + 54),
        ("compat:llama.cpp", (12 + 13 + 14) / 3),
    ],
)
def test_a_worked_example(name: str, cost: float) -> None:
    observed = causal(KETTLE, alone=-7.0), causal(SHELF, alone=-7.0)
    assert costs(name, *observed) == (cost, cost)


def test_a_score_tells_what_was_added_up() -> None:
    result = scored("mean-normalized-full", causal(KETTLE, alone=-7.0))
    assert isinstance(result, Scores)
    [score] = result.scores
    assert score.counted == tuple(range(15))
    assert (score.divisor, score.extra) == (13, -7.0)


def test_bos_conditions_and_is_never_counted() -> None:
    observed = causal(KETTLE, bos=True, first_from=FirstToken.BOS)
    assert costs("full", observed) == (120,)
    assert costs("mean-full", observed) == (8,)
    assert costs("all-but-first", observed) == (119,)  # the first real token is left out even so
    assert costs("partial", observed) == (54,)


def test_after_two_blanks_partial_begins_with_what_follows_the_last() -> None:
    observed = causal("[Owls] often eat [voles] at night .", alone=-2.0)
    assert costs("partial", observed) == (5 + 6 + 7,)
    assert costs("compat:lighteval", observed) == (28,)
    assert costs("mean-normalized-full", observed) == ((28 - 2) / 5,)


@pytest.mark.parametrize("name", ["full", "mean-full", "normalized-full", "mean-normalized-full"])
def test_full_is_undefined_without_a_probability_of_the_first_token(name: str) -> None:
    assert "without a token-frequency table" in reason(name, causal(KETTLE, first_from=NEITHER))


def test_what_needs_no_first_token_does_without() -> None:
    observed = causal(KETTLE, first_from=NEITHER)
    assert costs("all-but-first", observed) == (119,)
    assert costs("partial", observed) == (54,)
    assert costs("compat:lighteval", observed) == (75,)


def test_normalizing_needs_the_phrase_alone() -> None:
    assert "cost of the phrase in the blank by itself" in reason("normalized-full", causal(KETTLE))


def test_a_sum_over_the_first_token_is_undefined_where_the_blank_begins_the_sentence() -> None:
    observed = causal("[Owls] hunt .", first_from=NEITHER)
    assert costs("partial", observed) == (5,)
    assert "its first token has no probability" in reason("compat:lighteval", observed)


def test_what_follows_an_empty_phrase_may_begin_the_sentence() -> None:
    assert costs("partial", causal("[] owls hunt .")) == (6,)
    assert "no probability" in reason("partial", causal("[] owls hunt .", first_from=NEITHER))


@pytest.mark.parametrize(
    "name",
    ["partial", "normalized-full", "smart@1", "compat:lm-eval", "compat:lighteval"],
)
def test_a_method_that_needs_a_blank_is_undefined_on_minimal_pairs(name: str) -> None:
    pair = causal("Owls hunt .", alone=0.0), causal("Owls hunts .", alone=0.0)
    assert reason(name, *pair) == "the problem has no blank"


def test_a_minimal_pair_is_scored_as_a_whole() -> None:
    assert costs("full", causal("Owls hunt ."), causal("Owls hunt mice .")) == (6, 10)


def test_partial_is_undefined_where_nothing_follows_the_blank() -> None:
    observed = causal("They are [owls]"), causal("They are [not owls] .")
    assert reason("partial", *observed) == "option 1: no token follows the last blank"


def test_normalizing_needs_tokens_in_the_blank_and_outside_it() -> None:
    for marked in ("Owls hunt [] .", "[Owls] hunt [] ."):
        assert reason("normalized-full", causal(marked, alone=0.0)) == "a blank has no tokens"
    only = causal("[Owls]", alone=-1.0)
    assert costs("normalized-full", only) == (0,)
    assert reason("mean-normalized-full", only) == "there are no tokens outside the blanks"


def test_a_single_token_has_no_tokens_but_the_first() -> None:
    assert reason("loss", causal("[Owls]")) == "there are no tokens to sum"


def test_a_sentence_without_tokens_has_no_scores() -> None:
    nothing = CausalObservation(placed(""), ())
    assert reason("full", nothing) == "there are no tokens to sum"


def test_where_the_first_token_comes_from_is_noted() -> None:
    floor = causal(KETTLE, first_from=FirstToken.FLOOR)
    result = scored("full", causal(KETTLE), floor)
    assert isinstance(result, Scores)
    assert result.note == (
        "the first token is scored by its frequency; "
        "the first token is not in the frequency table; the lowest value is used"
    )
