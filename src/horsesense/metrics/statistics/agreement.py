"""Agreement of annotators, and their majority vote.

Ratings have a row per item and a column per annotator. Labels can be any values; None means that
the annotator did not rate the item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Floats, Value
from horsesense.scoring import Share

Ratings: TypeAlias = Sequence[Sequence[Hashable | None]]

_ONE_LABEL = "all ratings are the same, so agreement by chance would be perfect, too"


@dataclass(frozen=True, slots=True)
class Majority:
    """The label that most annotators gave each item, or None if two labels have equally many votes.

    `undecided` are the positions of such items and of those that nobody rated.
    """

    labels: tuple[Hashable | None, ...]
    undecided: tuple[int, ...]


def majority_vote(ratings: Ratings) -> Majority:
    """Return the label with the most votes for each item, even with less than half of the votes.

    >>> majority_vote([["yes", "yes", "no"], ["yes", "no", None]])
    Majority(labels=('yes', None), undecided=(1,))
    """
    labels = tuple(_most_voted(votes) for votes in _votes(ratings))
    undecided = tuple(position for position, label in enumerate(labels) if label is None)
    return Majority(labels, undecided)


def full_agreement(ratings: Ratings) -> Share:
    """Return the share of items with the same label by all, among those rated at least twice.

    >>> full_agreement([["yes", "yes"], ["yes", "no"], ["yes", None]])
    Share(count=1, total=2)
    """
    return Share.of(len(votes) == 1 for votes in _votes(ratings) if votes.total() > 1)


def fleiss_kappa(ratings: Ratings) -> Value:
    """Compute Fleiss' κ: the agreement beyond that of random labels in the same proportions.

    Every item must have equally many ratings, though not by the same annotators.

    >>> fleiss_kappa([["yes", "yes"], ["no", "no"], ["yes", "no"], ["no", "yes"]])
    Value(value=0.0, reason='')
    """
    counts = _counts(_votes(ratings))
    raters = counts.sum(axis=1)
    if len(set(raters.tolist())) > 1:
        return Value(None, "items have unequal numbers of ratings; use Krippendorff's α")
    if not len(raters) or raters[0] < 2:
        return Value(None, "no item was rated twice")
    if counts.shape[1] == 1:
        return Value(None, _ONE_LABEL)
    observed = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    expected = ((counts.sum(axis=0) / counts.sum()) ** 2).sum()
    return Value(float((observed.mean() - expected) / (1 - expected)))


def krippendorff_alpha(ratings: Ratings) -> Value:
    """Compute Krippendorff's α for unordered labels: 1 − observed / expected disagreement.

    Items that were rated only once say nothing about agreement and are left out.

    >>> krippendorff_alpha([["yes", "yes", None], ["no", None, "no"], ["no", None, None]])
    Value(value=1.0, reason='')
    """
    counts = _counts([votes for votes in _votes(ratings) if votes.total() > 1])
    if not len(counts):
        return Value(None, "no item was rated twice")
    if counts.shape[1] == 1:
        return Value(None, _ONE_LABEL)
    raters, used, number = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    differing = (raters**2 - (counts**2).sum(axis=1)) / (raters - 1)
    expected = (number**2 - (used**2).sum()) / (number - 1)
    return Value(float(1 - differing.sum() / expected))


def _votes(ratings: Ratings) -> list[Counter[Hashable]]:
    """Count how many annotators gave each label to each item."""
    for number, row in enumerate(ratings, 1):
        if isinstance(row, str | bytes):
            raise MetricError(f"item {number} is the text {row!r}; give a list of labels")
        if len(row) != len(ratings[0]):
            raise MetricError(
                f"item {number} has {len(row)} columns, and the first {len(ratings[0])};"
                " give one for each annotator, None where there is no rating"
            )
        if any(label != label for label in row):
            raise MetricError(f"item {number} has NaN for a label; give None for no rating")
    return [Counter(label for label in row if label is not None) for row in ratings]


def _most_voted(votes: Counter[Hashable]) -> Hashable | None:
    """Return the label with the most votes, or None unless there is exactly one."""
    most = max(votes.values(), default=0)
    leading = [label for label, count in votes.items() if count == most]
    return leading[0] if len(leading) == 1 else None


def _counts(votes: Sequence[Counter[Hashable]]) -> Floats:
    """Convert the votes to an array, (items, labels that occur)."""
    labels = list(dict.fromkeys(label for vote in votes for label in vote))
    counts = [[float(vote[label]) for label in labels] for vote in votes]
    return np.array(counts).reshape(len(votes), len(labels))
