"""How p-values are written: the thesis' way, with one significant digit.

Its tables settle the ends: what comes to .93 exactly is .9 there, .964 is «> .9», and .00092 is
«< .001». So a value is rounded to one digit, halves up, which is the cautious way; what would round
to 1 is «> .9»; and «< .001» is said only, and always, where it is true.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

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
