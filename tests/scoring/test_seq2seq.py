"""In a label a sentinel costs 10, EOS 100, a token of a phrase 1 (2 after the task prefix)."""

import pytest

from horsesense.models import Family, SpansObservation
from horsesense.scoring import Scores, Undefined, find_method, score_problem
from tests.scoring.observed import label

ONE = SpansObservation(label(3), label(3, cost=2.0))
TWO = SpansObservation(label(1, 2), label(1, 2, cost=2.0))


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        ("basic", 123, 133),  # (3.28)
        ("loss", 123 / 6, 133 / 7),  # (3.27)
        ("mean", 23 / 5, 33 / 6),
        ("prefix", 126, 136),
        ("prefix-loss", 126 / 6, 136 / 7),
        ("mean-prefix", 26 / 5, 36 / 6),
        ("without-eos", 23, 33),
        ("prefix-without-eos", 26, 36),
    ],
)
def test_the_eight_parametrizations(name: str, one: float, two: float) -> None:
    result = score_problem(find_method(name, Family.SEQ2SEQ), (ONE, TWO))
    assert isinstance(result, Scores)
    assert result.costs == (one, two)


def test_an_empty_phrase_leaves_the_sentinels() -> None:
    nothing = SpansObservation(label(0), label(0))
    result = score_problem(find_method("without-eos", Family.SEQ2SEQ), (nothing, ONE))
    assert isinstance(result, Scores)
    assert result.costs == (20, 23)


def test_a_minimal_pair_has_nothing_to_label() -> None:
    nothing = SpansObservation(label(), label())
    result = score_problem(find_method("basic", Family.SEQ2SEQ), (nothing, nothing))
    assert result == Undefined("the problem has no blank")
