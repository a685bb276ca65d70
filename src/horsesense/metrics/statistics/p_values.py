"""P-values: how they are adjusted for their number, and how they are written.

Holm's adjustment bounds the probability of any false finding, Benjamini and Hochberg's the expected
share of false ones among the findings (where tests are independent or depend on each other
positively). Whoever prints adjusted p-values names the family over which they are adjusted.

They are written as in the thesis, with one significant digit. Its tables settle the ends: what
comes to .93 exactly is .9 there, .964 is «> .9», and .00092 is «< .001». So a value is rounded to
one digit, halves up, which is the cautious way; what would round to 1 is «> .9»; and «< .001» is
written only, and always, where it is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Floats
from horsesense.metrics.statistics.arguments import within

# What is written where there is nothing to test, such as a difference of exactly 0.
NO_P = "–"
# Below this a value is only said to be below it.
SMALLEST = Decimal("0.001")


def p_cell(p: float | None) -> str:
    """A p-value as it stands in a table; None where there is nothing to test.

    >>> p_cell(0.414), p_cell(0.0849), p_cell(0.0004), p_cell(0.97), p_cell(None)
    ('.4', '.08', '< .001', '> .9', '–')
    """
    if p is None:
        return NO_P
    # The shortest digits that give the number, so that .15 is a half and not a bit less.
    exact = Decimal(repr(within(p, "a p-value")))
    if exact < SMALLEST:
        return f"< {_bare(SMALLEST)}"
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted()), ROUND_HALF_UP)
    return "> .9" if rounded >= 1 else _bare(rounded)


def p_sentence(p: float | None) -> str:
    """A p-value as it stands in a sentence.

    >>> p_sentence(0.414), p_sentence(0.0004), p_sentence(None)
    ('p = .4', 'p < .001', 'no p')
    """
    cell = p_cell(p)
    if p is None:
        return "no p"
    return f"p {cell}" if cell[0] in "<>" else f"p = {cell}"


def _bare(number: Decimal) -> str:
    """The number without the zero before its point, and none at its end."""
    return f"{number.normalize():f}".removeprefix("0")


class Correction(StrEnum):
    """How p-values are adjusted."""

    HOLM = "Holm"
    BENJAMINI_HOCHBERG = "Benjamini–Hochberg"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Adjusted p-values in the order given; None stays None, and is not in the family.

    `size` is the number of tests in the family, and `family` what a table calls it.
    """

    ps: tuple[float | None, ...]
    size: int
    correction: Correction
    family: str = ""


def holm(ps: Sequence[float | None], *, family: str = "") -> Adjusted:
    """The smallest times n, the next times n − 1, and so on; none smaller than one before it.

    >>> holm([0.25, 0.125]).ps
    (0.25, 0.25)
    """
    return adjust(ps, Correction.HOLM, family=family)


def benjamini_hochberg(ps: Sequence[float | None], *, family: str = "") -> Adjusted:
    """The largest times n/n, the next times n/(n − 1), and so on; none larger than one before it.

    >>> benjamini_hochberg([0.25, 0.125, None]).ps
    (0.25, 0.25, None)
    """
    return adjust(ps, Correction.BENJAMINI_HOCHBERG, family=family)


def adjust(
    ps: Sequence[float | None], correction: Correction | str, *, family: str = ""
) -> Adjusted:
    """The p-values adjusted by either correction, which may be given by its name.

    >>> adjust([0.25, 0.125], "Holm") == holm([0.25, 0.125])
    True
    """
    rule = checked_correction(correction)
    places = [place for place, p in enumerate(ps) if p is not None]
    known = np.array([within(p, "a p-value") for p in ps if p is not None])
    order = np.argsort(known, kind="stable")
    steps = _holm_steps if rule is Correction.HOLM else _benjamini_hochberg_steps
    adjusted: list[float | None] = [None] * len(ps)
    for at, p in zip(order.tolist(), steps(known[order]).tolist(), strict=True):
        adjusted[places[at]] = p
    return Adjusted(tuple(adjusted), len(known), rule, family)


def checked_correction(correction: Correction | str) -> Correction:
    """The correction, which may be given by its name.

    >>> checked_correction("Holm").name
    'HOLM'
    """
    try:
        return Correction(correction)
    except ValueError:
        known = " or ".join(repr(one.value) for one in Correction)
        raise MetricError(f"{correction!r} is not a correction of p-values; give {known}") from None


def _holm_steps(rising: Floats) -> Floats:
    times = np.arange(len(rising), 0, -1)
    return np.minimum(1.0, np.maximum.accumulate(rising * times))


def _benjamini_hochberg_steps(rising: Floats) -> Floats:
    times = len(rising) / np.arange(1, len(rising) + 1)
    falling = np.minimum.accumulate((rising * times)[::-1])
    return np.minimum(1.0, falling[::-1])
