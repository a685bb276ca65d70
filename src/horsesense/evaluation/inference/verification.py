"""Verification of kept answers: a sample of them is asked again, one by one."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from horsesense.errors import ModelError
from horsesense.evaluation.inference.asking import spelled
from horsesense.models import LanguageModel, Query
from horsesense.scoring import DRIFT, decide
from horsesense.store import (
    Row,
    Store,
    answered_query,
    as_kept,
    believed,
    fault,
    load_rows,
    places_of,
)

# Sentences that begin with fewer tokens in common are no options of one problem.
_IN_COMMON = 2


@dataclass(frozen=True, slots=True)
class Drifted:
    """A row whose numbers are not what the model says: its key, its tokens, how far it is off."""

    key: str
    text: str
    drift: float


@dataclass(frozen=True, slots=True)
class Verified:
    """The result: how many rows were asked again, and how far they were off at most.

    Rows that begin alike are most often options of one problem. Which of two is the cheaper one
    is a decision; it is flipped where the numbers kept and the new ones prefer different ones.
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
        """True where all numbers are what the model says."""
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
    """Ask the model again for a sample of what is kept of it, without any batches."""
    fingerprint = model.info.fingerprint
    places = places_of(store, fingerprint)
    if not places:
        declared = model.info
        raise ModelError(
            f"nothing is kept of {declared.name} in {declared.dtype} on {declared.device};"
            " 'horsesense cache stats' shows what is"
        )
    rows = load_rows(store, _drawn(places, sample, random.Random(seed)))
    compared: list[_Compared | None] = []
    for number, row in enumerate(rows, start=1):
        compared.append(_compare(model, row))
        if on_row is not None:
            on_row(number, len(rows))
    found = [one for one in compared if one is not None]
    decided, flipped = _decisions(compared, tolerance)
    return Verified(
        rows=len(rows),
        kept=len(places),
        drift=max((one.drift for one in found), default=0.0),
        drifted=tuple(
            Drifted(one.query.key, spelled(model, one.query), one.drift)
            for one in found
            if not one.drift <= tolerance  # not a number is no small drift
        ),
        damaged=tuple(row.key for row, one in zip(rows, compared, strict=True) if one is None),
        decisions=decided,
        flipped=flipped,
    )


def _drawn(places: Sequence[int], count: int, rng: random.Random) -> list[int]:
    """So many rows, drawn with their neighbours, in order."""
    if len(places) <= count:
        return list(places)
    drawn: set[int] = set()
    for start in rng.sample(range(len(places) - 1), len(places) - 1):
        # The last one may have to do without its neighbour.
        pair = {start, start + 1} - drawn
        drawn |= pair if len(drawn) + len(pair) <= count else {start}
        if len(drawn) == count:
            break
    return [places[at] for at in sorted(drawn)]


def _compare(model: LanguageModel, row: Row) -> _Compared | None:
    query = answered_query(row)
    kept = believed(row, model.info.fingerprint, query) if query is not None else None
    if query is None or kept is None:
        return None
    new = as_kept(model.answer_singly(query))
    return _Compared(query, kept, (math.nan,) * len(kept) if fault(query, new) else new)


def _decisions(compared: Sequence[_Compared | None], tolerance: float) -> tuple[int, int]:
    """How many pairs of neighbours there are, and how many of them are decided otherwise now."""
    pairs = [
        (one, other)
        for one, other in pairwise(compared)
        if one is not None and other is not None and _begin_alike(one.query, other.query)
    ]
    flipped = 0
    for one, other in pairs:
        before = decide((-sum(one.kept), -sum(other.kept)), None, drift=tolerance).chosen
        costs = -sum(one.new), -sum(other.new)
        if any(map(math.isnan, costs)):  # a model that says nothing now decides nothing
            flipped += before is not None
            continue
        after = decide(costs, None, drift=tolerance).chosen
        flipped += None not in (before, after) and before != after
    return len(pairs), flipped


def _begin_alike(query: Query, other: Query) -> bool:
    return query.kind is other.kind and query.ids[:_IN_COMMON] == other.ids[:_IN_COMMON]
