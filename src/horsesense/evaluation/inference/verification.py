"""Verify stored answers: compute a sample of them again, one query at a time."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from horsesense.errors import ModelError
from horsesense.evaluation.inference.querying import spelled
from horsesense.models import LanguageModel, Query
from horsesense.scoring import DRIFT, decide
from horsesense.store import (
    ObservationRow,
    Store,
    answered_query,
    as_kept,
    believed,
    fault,
    load_rows,
    places_of,
)

# Sentences with fewer common tokens at the start are not options of the same problem.
_IN_COMMON = 2


@dataclass(frozen=True, slots=True)
class Drifted:
    """A row whose log-probabilities differ from the model's: its key, its text, the difference."""

    key: str
    text: str
    drift: float


@dataclass(frozen=True, slots=True)
class Verified:
    """The result: the number of rows that were computed again, and the largest difference.

    Two rows with the same beginning are most often options of one problem. Which of them is cheaper
    is a decision; it is flipped if the stored and the new numbers prefer different ones.
    """

    rows: int
    kept: int
    drift: float
    drifted: tuple[Drifted, ...]
    damaged: tuple[str, ...]
    decisions: int
    flipped: int

    @property
    def is_sound(self) -> bool:
        """True if all numbers agree with the model."""
        return not (self.drifted or self.damaged or self.flipped)


@dataclass(frozen=True, slots=True)
class _Compared:
    query: Query
    kept: tuple[float, ...]
    new: tuple[float, ...]

    @property
    def drift(self) -> float:
        return max((abs(a - b) for a, b in zip(self.kept, self.new, strict=True)), default=0.0)


def verify_answers(
    model: LanguageModel,
    store: Store,
    *,
    sample: int = 50,
    seed: int = 0,
    tolerance: float = DRIFT,
    on_row: Callable[[int, int], None] | None = None,
) -> Verified:
    """Compute a sample of the stored answers of the model again, without batches."""
    fingerprint = model.info.fingerprint
    places = places_of(store, fingerprint)
    if not places:
        info = model.info
        raise ModelError(
            f"the store has no answers of {info.name} in {info.dtype} on"
            f" {info.device}; 'horsesense cache stats' lists the models it has answers of"
        )
    rows = load_rows(store, _sampled(places, sample, random.Random(seed)))
    compared: list[_Compared | None] = []
    for number, row in enumerate(rows, start=1):
        compared.append(_compare(model, row))
        if on_row is not None:
            on_row(number, len(rows))
    sound = [each for each in compared if each is not None]
    decided, flipped = _decisions(compared, tolerance)
    return Verified(
        rows=len(rows),
        kept=len(places),
        drift=max((each.drift for each in sound), default=0.0),
        drifted=tuple(
            Drifted(each.query.key, spelled(model, each.query), each.drift)
            for each in sound
            if not each.drift <= tolerance  # true for NaN
        ),
        damaged=tuple(row.key for row, each in zip(rows, compared, strict=True) if each is None),
        decisions=decided,
        flipped=flipped,
    )


def _sampled(places: Sequence[int], count: int, rng: random.Random) -> list[int]:
    """Draw that many rows with their neighbours, in order."""
    if len(places) <= count:
        return list(places)
    drawn: set[int] = set()
    for start in rng.sample(range(len(places) - 1), len(places) - 1):
        # There may be no room for the neighbour of the last one.
        pair = {start, start + 1} - drawn
        drawn |= pair if len(drawn) + len(pair) <= count else {start}
        if len(drawn) == count:
            break
    return [places[index] for index in sorted(drawn)]


def _compare(model: LanguageModel, row: ObservationRow) -> _Compared | None:
    query = answered_query(row)
    kept = believed(row, model.info.fingerprint, query) if query is not None else None
    if query is None or kept is None:
        return None
    new = as_kept(model.answer_singly(query))
    return _Compared(query, kept, (math.nan,) * len(kept) if fault(query, new) else new)


def _decisions(compared: Sequence[_Compared | None], tolerance: float) -> tuple[int, int]:
    """Count the pairs of neighbours, and those of them with another decision now."""
    pairs = [
        (first, second)
        for first, second in pairwise(compared)
        if first is not None and second is not None and _begin_alike(first.query, second.query)
    ]
    flipped = 0
    for first, second in pairs:
        before = decide((-sum(first.kept), -sum(second.kept)), None, drift=tolerance).chosen
        costs = -sum(first.new), -sum(second.new)
        if any(map(math.isnan, costs)):  # there is no decision without new numbers
            flipped += before is not None
            continue
        after = decide(costs, None, drift=tolerance).chosen
        flipped += None not in (before, after) and before != after
    return len(pairs), flipped


def _begin_alike(query: Query, other: Query) -> bool:
    return query.kind is other.kind and query.ids[:_IN_COMMON] == other.ids[:_IN_COMMON]
