"""How many problems, and how many schemas, are solved (thesis 3.7.1).

A problem whose right option is not known is left out. What an undecided outcome counts for is a
rule with a name; how many there were is to be shown beside the number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from horsesense.metrics.share import Share
from horsesense.outcome import Outcome, Verdict


class Ties(StrEnum):
    """What an undecided outcome counts for."""

    FAILED = "failed"
    HALF = "half"


def problem_accuracy(outcomes: Iterable[Outcome], ties: Ties = Ties.FAILED) -> Share:
    """The share of problems that are solved.

    >>> from horsesense.outcome import decide
    >>> outcomes = [decide((1.0, 2.0), right=0), decide((1.0, 1.0), right=0)]
    >>> problem_accuracy(outcomes), problem_accuracy(outcomes, Ties.HALF)
    (Share(count=1, total=2), Share(count=1.5, total=2))
    """
    return _share([(outcome,) for outcome in outcomes], ties)


def schema_accuracy(pairs: Iterable[tuple[Outcome, Outcome]], ties: Ties = Ties.FAILED) -> Share:
    """The share of schemas of which both problems are solved.

    Where undecided problems count half, a schema counts what both do multiplied: what it would
    on average if the undecided ones were guessed.

    >>> from horsesense.outcome import decide
    >>> solved, failed = decide((1.0, 2.0), right=0), decide((1.0, 2.0), right=1)
    >>> schema_accuracy([(solved, solved), (solved, failed)])
    Share(count=1, total=2)
    """
    return _share(pairs, ties)


def undecided_share(outcomes: Iterable[Outcome]) -> Share:
    """The share of problems that are undecided, of those whose right option is known.

    >>> from horsesense.outcome import decide
    >>> undecided_share([decide((1.0, 1.0), right=0), decide((1.0, 1.0), right=None)])
    Share(count=1, total=1)
    """
    labelled = [one.verdict for one in outcomes if one.verdict is not Verdict.UNLABELLED]
    return Share.of(verdict is Verdict.UNDECIDED for verdict in labelled)


def _share(groups: Iterable[Sequence[Outcome]], ties: Ties) -> Share:
    """What the groups count for whose every problem is labelled."""
    counted: float = 0
    total = 0
    for group in groups:
        verdicts = [outcome.verdict for outcome in group]
        if Verdict.UNLABELLED not in verdicts:
            counted += _worth(verdicts, ties)
            total += 1
    return Share(counted, total)


def _worth(verdicts: Sequence[Verdict], ties: Ties) -> float:
    if ties is Ties.FAILED or Verdict.UNDECIDED not in verdicts:
        return int(all(verdict is Verdict.SOLVED for verdict in verdicts))
    if Verdict.FAILED in verdicts:
        return 0
    return 0.5 ** verdicts.count(Verdict.UNDECIDED)
