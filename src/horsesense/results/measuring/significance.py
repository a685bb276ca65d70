"""Tests: an accuracy against chance, a difference against none, and the thesis' test beside them.

The thesis' null of chance solves none, one or both problems of a schema with chances of 1/4, 1/2
and 1/4. That is a coin for each problem, so it makes no difference which problems have a twin.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

import numpy as np

from horsesense.metrics import Metric, Sample
from horsesense.metrics.statistics import (
    MetricDifference,
    Null,
    Significance,
    ThesisTerms,
    ThesisTest,
    exactly,
)
from horsesense.results.measuring.rows import ACCURACIES, Tested

AGAINST_CHANCE = "exact, against chance"
_COIN = Null((Fraction(1, 2), Fraction(1, 2)))
_TWO_COINS = Null((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)))
_SCHEMA_BY_CHANCE = Null((Fraction(3, 4), Fraction(1, 4)))
_OF_PROBLEMS, _OF_SCHEMAS = ACCURACIES
# What is too unlikely for a float is not impossible.
_SMALLEST = float(np.finfo(float).tiny)
# Many sheets have the same count of the same total.
_KEPT = 1 << 12


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a test.

    It is for a family; `with_thesis` says whether the thesis' p is told beside it, and `no_test`
    why there is nothing to test after all.
    """

    family: str
    seed: int
    with_thesis: bool = False
    no_test: str = ""


def chance_test(metric: Metric, sample: Sample, terms: Terms) -> Tested:
    """An accuracy against that of guessing between two options, either way.

    It is exact; as in the thesis, what is as far from chance counts, not what is as unlikely.
    """
    if terms.no_test:
        return Tested(reason=terms.no_test)
    share = metric.share(sample)
    null, number = _by_chance(metric, sample)
    p = _as_far(Fraction(share.count), int(share.total), null.accuracy)
    thesis_p = None
    if terms.with_thesis:
        on = ThesisTerms(null, number, exactly(share) - null.accuracy)
        thesis_p = _simulated(on, terms.seed)
    return Tested(p, AGAINST_CHANCE, thesis_p, terms.family)


def read_tests(row: MetricDifference, thesis: ThesisTest | None, terms: Terms) -> Tested:
    """What the tests say of a difference, and what they leave out; the thesis' null is before."""
    if row.test is None:
        return Tested(reason=f"no test: {row.reason}")
    remarks = (_left_out(row.test), _in_no_schema(thesis))
    thesis_p = None if thesis is None else thesis.p
    reason = "; ".join(filter(None, remarks))
    return Tested(row.test.p, row.test.test, thesis_p, terms.family, reason)


def _left_out(found: Significance) -> str:
    """That p is of fewer clusters than the difference, if it is."""
    if not found.left_out:
        return ""
    return f"p is of the clusters that are wholly in or out: {found.left_out} left out"


def _in_no_schema(thesis: ThesisTest | None) -> str:
    """That the thesis' p is of fewer problems than the difference, if it is."""
    if thesis is None or not any(thesis.terms.left_out):
        return ""
    left_out = max(thesis.terms.left_out)
    return f"the thesis' p is of the problems in schemas: up to {left_out} left out"


def _by_chance(metric: Metric, sample: Sample) -> tuple[Null, int]:
    """The null of guessing, and of how many such units."""
    if metric is _OF_SCHEMAS:
        return _SCHEMA_BY_CHANCE, len(sample.schemas)
    if 2 * len(sample.schemas) == len(sample.problems):
        return _TWO_COINS, len(sample.schemas)
    return _COIN, len(sample.problems)


@lru_cache(maxsize=_KEPT)
def _as_far(count: Fraction, total: int, chance: Fraction) -> float:
    """How likely a count is that is at least as far from what is to be expected, either way."""
    from scipy.special import bdtr, bdtrc

    expected = total * chance
    distance = abs(count - expected)
    low, high = floor(expected - distance), ceil(expected + distance)
    if low == high:
        return 1.0
    below = float(bdtr(low, total, float(chance))) if low >= 0 else 0.0
    above = float(bdtrc(high - 1, total, float(chance))) if high <= total else 0.0
    return min(1.0, max(below + above, _SMALLEST))


def _simulated(terms: ThesisTerms, seed: int) -> float | None:
    """The p of the thesis' test; None where there is no difference to test."""
    return terms.test(seed=seed).p if terms.difference else None
