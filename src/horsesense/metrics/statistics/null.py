"""Null hypotheses: how likely it is to solve none, one or both problems of a schema.

They are those of the thesis' test (3.96) to (3.98), by a reference that counts as known. Which
problem of a schema comes first makes no difference.

Everything is kept in fractions: a distance that equals the observed one is as far, whatever the
last digit says.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, sqrt
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import (
    Data,
    Rule,
    Values,
    anti_solved_share,
    as_sample,
    half_solved_share,
    schema_accuracy,
)
from horsesense.metrics.statistics.arguments import within
from horsesense.scoring.outcome import Share

# A float is read as the nearest fraction with a denominator up to this. That is the very fraction
# for any quotient, or difference of two, of counts whose denominators multiply to less.
_LARGEST_DENOMINATOR = 10**7
_NO_SCHEMAS = "the reference has no schemas; the null is made of them"

Number: TypeAlias = Fraction | float


@dataclass(frozen=True, slots=True)
class Null:
    """How likely it is that so many problems of a schema are solved: none, one, two.

    For schemas, which are solved or not: none, one.
    """

    chances: tuple[Fraction, ...]

    @property
    def most(self) -> int:
        """How much of each schema can be solved."""
        return len(self.chances) - 1

    @property
    def accuracy(self) -> Fraction:
        """The accuracy to be expected; of problems, (3.97).

        >>> Null((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))).accuracy
        Fraction(1, 2)
        """
        expected = sum((count * one for count, one in enumerate(self.chances)), Fraction())
        return expected / self.most

    @property
    def deviation(self) -> float:
        """How much the share of a schema that is solved varies: its standard deviation.

        >>> Null((Fraction(1, 2), Fraction(0), Fraction(1, 2))).deviation
        0.5
        """
        squares = sum((count**2 * one for count, one in enumerate(self.chances)), Fraction())
        return sqrt(squares / self.most**2 - self.accuracy**2)


def conditional_null(first: Number, if_solved: Number | None, if_failed: Number | None) -> Null:
    """The null of problems by the thesis' a₁, u and v (3.96).

    They are the chances to solve the first problem, and the second one if the first was solved, and
    if it was failed; None for a condition that never holds.

    >>> conditional_null(1, 0.5, None).accuracy
    Fraction(3, 4)
    """
    solved = _chance("to solve the first problem", first)
    then = _chance("if it is solved", if_solved if solved else 0)
    otherwise = _chance("if it is failed", if_failed if solved < 1 else 0)
    both, none = solved * then, (1 - solved) * (1 - otherwise)
    return Null((none, 1 - both - none, both))


def observed_null(reference: Data | Values, *, ties: Rule | None = None) -> Null:
    """The null of problems as the schemas of a reference have it; `ties` is for plain arrays.

    >>> observed_null([[True, True], [False, True]]).chances
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 2))
    """
    read = as_sample(reference, ties)
    if not len(read.schemas):
        raise MetricError(_NO_SCHEMAS)
    shares = [one.share(read) for one in (anti_solved_share, half_solved_share, schema_accuracy)]
    return Null(tuple(exactly(one) for one in shares))


def schema_null(accuracy: Share) -> Null:
    """The null of schemas by a schema accuracy: solved or not.

    >>> schema_null(Share(1, 4)).chances
    (Fraction(3, 4), Fraction(1, 4))
    """
    if not accuracy.total:
        raise MetricError(_NO_SCHEMAS)
    solved = exactly(accuracy)
    return Null((1 - solved, solved))


def exactly(share: Share) -> Fraction:
    """The share as a fraction; counts are whole, or parts that a float holds exactly.

    >>> exactly(Share(0.5, 2))
    Fraction(1, 4)
    """
    return Fraction(share.count) / Fraction(share.total)


def fraction(value: Number) -> Fraction:
    """A fraction as it is, or the one that a float stands for.

    >>> fraction(1 / 3)
    Fraction(1, 3)
    """
    if isinstance(value, Fraction):
        return value
    if not isfinite(value):
        raise MetricError(f"a difference of {value}; there is nothing to test")
    largest = _LARGEST_DENOMINATOR
    if isinstance(value, np.floating):  # those of fewer digits tell fewer fractions apart
        largest = min(largest, int(np.finfo(value.dtype).eps ** -0.5))
    return Fraction(float(value)).limit_denominator(largest)


def _chance(name: str, value: Number | None) -> Fraction:
    if value is None:
        raise MetricError(f"no chance {name}, although that can happen")
    within(value, f"a chance {name}")
    return fraction(value)
