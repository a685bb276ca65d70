"""Which of the stored tokens a method added up, found by adding them up again.

A run stores the cost of every token, and the cost of every option by each method, but not which
tokens a method counts. So each usual selection is tried, and one is believed only if its sums or
means are the stored costs of all options. Otherwise nothing is said about the tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import fsum, isclose

from horsesense.results.rows import TokenCosts
from horsesense.scoring.deciding import CountedToken, OptionSum

_TOLERANCE = 1e-6


def counted_ranges(
    tokens: Sequence[TokenCosts], costs: Sequence[float]
) -> tuple[tuple[int, int], ...] | None:
    """Return the first token that was counted and the one after the last, option by option.

    None if no selection gives the stored costs: then the method needs more than these tokens.
    """
    if len(tokens) != len(costs) or len(tokens) < 2:
        return None
    for select in _SELECTIONS:
        ranges = tuple(select(option) for option in tokens)
        for divide in (False, True):
            if all(map(_agrees, tokens, ranges, costs, [divide] * len(costs))):
                return ranges
    return None


def option_sums(
    tokens: Sequence[TokenCosts], costs: Sequence[float], options: Sequence[str]
) -> tuple[OptionSum, ...]:
    """Return the sums behind the costs of the options; empty if they cannot be found."""
    ranges = counted_ranges(tokens, costs)
    if ranges is None:
        return ()
    sums = []
    for option, (start, end), cost in zip(tokens, ranges, costs, strict=True):
        is_mean = not _agrees(option, (start, end), cost, is_divided=False)
        counted = tuple(_counted(option))[start:end]
        sums.append(OptionSum(options[option.option], counted, end - start if is_mean else 1))
    return tuple(sums)


def _agrees(option: TokenCosts, counted: tuple[int, int], cost: float, is_divided: bool) -> bool:
    """Whether the tokens in that range have the cost that was stored."""
    start, end = counted
    values = [value for value in option.costs[start:end] if value is not None]
    if len(values) < end - start or start >= end:
        return False
    found = fsum(values) / (len(values) if is_divided else 1)
    return isclose(found, cost, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)


def _counted(option: TokenCosts) -> Iterator[CountedToken]:
    """Yield the tokens as a method counts them; a missing cost is 0, as none is counted."""
    continued = [False, *(_is_continued(*texts) for texts in pairwise(option.texts))]
    for text, part, cost, is_continued in zip(
        option.texts, option.parts, option.costs, continued, strict=True
    ):
        yield CountedToken(text.strip(), part, cost or 0.0, is_continued)


def _is_continued(before: str, text: str) -> bool:
    """Whether a token goes on with the word of the one before it.

    >>> _is_continued(" pa", "irs"), _is_continued(" pairs", " with"), _is_continued("over", ".")
    (True, False, False)
    """
    return before[-1:].isalnum() and text[:1].isalnum()


def _after(option: TokenCosts) -> tuple[int, int]:
    """Select the tokens after the blank, which come last."""
    length = len(option.parts)
    blanks = [at for at, part in enumerate(option.parts) if part == "blank"]
    return (blanks[-1] + 1, length) if blanks else (length - option.parts.count("suffix"), length)


def _in_blank(option: TokenCosts) -> tuple[int, int]:
    """Select the tokens in the blank; none if there are several blanks."""
    blanks = [at for at, part in enumerate(option.parts) if part == "blank"]
    is_one = bool(blanks) and blanks[-1] - blanks[0] == len(blanks) - 1
    return (blanks[0], blanks[-1] + 1) if is_one else (0, 0)


def _from_blank(option: TokenCosts) -> tuple[int, int]:
    start = option.parts.index("blank") if "blank" in option.parts else 0
    return start, len(option.parts)


_SELECTIONS: tuple[Callable[[TokenCosts], tuple[int, int]], ...] = (
    lambda option: (0, len(option.parts)),
    lambda option: (1, len(option.parts)),
    _after,
    lambda option: (_after(option)[0], len(option.parts) - 1),
    _in_blank,
    _from_blank,
)
