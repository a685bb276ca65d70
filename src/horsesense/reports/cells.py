"""Numbers as text for tables and sentences; None, which is undefined, is a dash."""

from __future__ import annotations

from collections.abc import Iterable

from horsesense.metrics.statistics import p_cell
from horsesense.results import Estimate, Kind

UNDEFINED = "–"
MINUS = "−"
# All resamples are alike, so that there is no interval; that proves nothing.
NO_WIDTH = "no width"
_ALIKE = "the same in every resample"


def share(value: float | None) -> str:
    """A share with three digits, without the zero before the point.

    >>> share(0.6051), share(1.0), share(-0.25), share(None)
    ('.605', '1.000', '−.250', '–')
    """
    return UNDEFINED if value is None else _bare(f"{value:z.3f}")


def signed(value: float | None) -> str:
    """A difference with its sign; exactly 0 has none.

    >>> signed(0.0188), signed(-0.117), signed(0.0), signed(None)
    ('+.019', '−.117', '.000', '–')
    """
    if not value:
        return share(value)
    return _bare(f"{value:+.3f}")


def interval(one: Estimate | None) -> str:
    """The interval of an estimate; of a difference, with signs."""
    if one is None or one.low is None or one.high is None:
        return UNDEFINED
    if one.low == one.high:
        return NO_WIDTH
    write = signed if one.kind is Kind.DIFFERENCE else share
    return f"{write(one.low)} to {write(one.high)}"


def value(one: Estimate | None) -> str:
    """The value of an estimate that is a share."""
    return UNDEFINED if one is None else share(one.value)


def difference(one: Estimate | None) -> str:
    """The value of an estimate that is a difference."""
    return UNDEFINED if one is None else signed(one.value)


def p(one: Estimate | None) -> str:
    """Our p."""
    return UNDEFINED if one is None else p_cell(one.p)


def adjusted_p(one: Estimate | None) -> str:
    """Our p, adjusted over its family."""
    return UNDEFINED if one is None else p_cell(one.p_adjusted)


def thesis_p(one: Estimate | None) -> str:
    """The thesis' p, which has none for a difference of exactly 0."""
    if one is None or (one.against is not None and one.value == 0):
        return UNDEFINED
    return p_cell(one.thesis_p)


def percent(value: float | None) -> str:
    """A share in a sentence.

    >>> percent(0.131), percent(-0.05), percent(None)
    ('13.1 %', '−5.0 %', '–')
    """
    return UNDEFINED if value is None else f"{_minus(f'{100 * value:z.1f}')} %"


def signed_percent(value: float | None) -> str:
    """A relative change, as in Table 4.17.

    >>> signed_percent(0.029), signed_percent(-0.311), signed_percent(0.0)
    ('+2.9 %', '−31.1 %', '0.0 %')
    """
    if not value:
        return percent(value)
    return f"{_minus(f'{100 * value:+.1f}')} %"


def percent_interval(one: Estimate) -> str:
    """A share in a sentence with its interval, if any, as «13.1 % (95 % CI 8.0 to 18.2 %)»."""
    if one.low is None or one.high is None:
        return percent(one.value)
    if one.low == one.high:
        return f"{percent(one.value)} ({_ALIKE})"
    low, high = _minus(f"{100 * one.low:.1f}"), percent(one.high)
    return f"{percent(one.value)} (95 % CI {low} to {high})"


def points(one: Estimate, other: str) -> str:
    """A difference from another in a sentence, in points and with its interval, if any.

    As «−12.0 points compared with the same schemas unperturbed (95 % CI −19.0 to −5.1)».
    """
    if one.value is None:
        return f"no comparison with {other} is possible"
    told = f"{_signed_points(one.value)} points compared with {other}"
    if one.low is None or one.high is None:
        return told
    if one.low == one.high:
        return f"{told} ({_ALIKE})"
    return f"{told} (95 % CI {_signed_points(one.low)} to {_signed_points(one.high)})"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "schema"), counted(1234, "problem"), counted(2, "entry", "entries")
    ('1 schema', '1,234 problems', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def counted_all(number: int, noun: str) -> str:
    """All that there are, with their number.

    >>> counted_all(1, "schema"), counted_all(12, "problem")
    ('the only schema', 'the 12 problems')
    """
    return f"the only {noun}" if number == 1 else f"the {counted(number, noun)}"


def span(numbers: Iterable[int], noun: str) -> str:
    """From the least to the greatest number, with the noun.

    >>> span([266, 140, 266], "problem"), span([1], "schema")
    ('140 to 266 problems', '1 schema')
    """
    least, most = min(listed := list(numbers)), max(listed)
    return counted(most, noun) if least == most else f"{least:,} to {counted(most, noun)}"


def listed(texts: Iterable[str]) -> str:
    """Several texts in a sentence; nothing, where there is none.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', '')
    """
    *others, last = list(texts) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _signed_points(value: float) -> str:
    """A difference in points with its sign; what rounds to 0 has none."""
    written = f"{100 * value:z.1f}"
    return _minus(written if written == "0.0" or value < 0 else f"+{written}")


def _bare(number: str) -> str:
    """A number without the zero before the point, and with a minus that is one."""
    sign, digits = (number[0], number[1:]) if number[0] in "+-" else ("", number)
    return _minus(sign) + digits.removeprefix("0")


def _minus(text: str) -> str:
    return text.replace("-", MINUS)
