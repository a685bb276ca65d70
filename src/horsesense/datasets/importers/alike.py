"""Twins that nothing ties together: the same answers, and sentences much alike.

Unlike in the WSC itself, they need not be neighbours. So problems with the same answers are
compared with one another, and those that are most alike make pairs. Labels play no part in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from horsesense.datasets.recovery import Found, base_form, shared_end, shared_start

# Japanese and Chinese have no spaces: there every character counts as a word.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W\u3040-\u30ff\u3400-\u9fff]+")
# Twins share all words but a few, or else they begin and end alike.
_ALIKE = 0.55
_SAME_ENDS = 0.4
# What it counts for that two problems follow one another.
_NEIGHBOURS = 0.2
# With how many of the following problems one is compared, lest a long file take for ever.
_REACH = 20


def alike_pairs(found: Iterable[Found]) -> Iterator[list[Found]]:
    """Pairs of twins, and problems without one, in the order in which they first occur."""
    problems = list(found)
    buckets: dict[tuple[str, ...], list[int]] = {}
    for number, one in enumerate(problems):
        buckets.setdefault(_answers(one), []).append(number)
    partners: dict[int, int] = {}
    for bucket in buckets.values():
        if len(bucket) > 1:
            partners |= _partners(bucket, problems)
    for number, one in enumerate(problems):
        partner = partners.get(number, number)
        if partner >= number:
            yield [one] if partner == number else [one, problems[partner]]


def _answers(found: Found) -> tuple[str, ...]:
    return tuple(sorted(base_form(phrase).lower() for (phrase,) in found.options))


def _partners(bucket: Sequence[int], problems: Sequence[Found]) -> dict[int, int]:
    """Who belongs to whom in a bucket, both ways; the most alike find each other first."""
    words = {number: _words(problems[number]) for number in bucket}
    sets = {number: set(words[number]) for number in bucket}
    likely = []
    for place, one in enumerate(bucket):
        for other in bucket[place + 1 : place + 1 + _REACH]:
            shared = len(sets[one] & sets[other])
            most = max(len(sets[one]), len(sets[other]))
            ends = _common_ends(problems[one].statement, problems[other].statement)
            if other == one + 1:
                ends += _NEIGHBOURS
            # A sentence with two pronouns is two problems, and no twin of itself.
            if (shared >= _ALIKE * most or ends >= _SAME_ENDS) and words[one] != words[other]:
                likely.append((-ends, other - one, one, other))
    partners: dict[int, int] = {}
    for _, _, one, other in sorted(likely):
        if one not in partners and other not in partners:
            partners[one], partners[other] = other, one
    return partners


def _words(found: Found) -> list[str]:
    return _WORD.findall(found.pronoun.join(found.texts).lower())


def _common_ends(first: str, second: str) -> float:
    """The share of characters outside the stretch in which two statements differ."""
    shorter, longer = sorted((len(first), len(second)))
    start = shared_start(first, second)
    return (start + shared_end(first, second, shorter - start)) / longer
