"""Every transformation by name: ours, and those that other packages bring.

Another package brings one by an entry point of the group `horsesense.transformations`, whose value
is a `Transformation`. It cannot take the name of one of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.perturbations.catalogue.adversarial import (
    COUNTER_ASSOCIATIVE,
    MOVED_KEYS,
    NEGATED,
)
from horsesense.perturbations.catalogue.dyadic import DYADIC
from horsesense.perturbations.catalogue.key_masked import KEY_MASKED
from horsesense.perturbations.catalogue.local_context import LOCAL_CONTEXT
from horsesense.perturbations.catalogue.modes import BY_BOOLEAN, BY_KEY
from horsesense.perturbations.catalogue.no_candidate import NO_CANDIDATE
from horsesense.perturbations.catalogue.part_sent import PART_SENT
from horsesense.perturbations.catalogue.replaced import ADJECTIVAL, UNBALANCED
from horsesense.perturbations.catalogue.successor_only import SUCCESSOR_ONLY
from horsesense.perturbations.catalogue.switched import SWITCHED
from horsesense.perturbations.catalogue.wordings import (
    ADVERB,
    GENDER,
    NUMBER,
    RELATIVE_CLAUSE,
    SYNONYM,
    TENSE,
    VOICE,
)
from horsesense.perturbations.catalogue.zero_shot import ZERO_SHOT
from horsesense.perturbations.transformation import (
    Rewrite,
    Rewriting,
    Settings,
    Transformation,
)
from horsesense.schema import Entry

GROUP = "horsesense.transformations"

TRANSFORMATIONS: dict[str, Transformation] = {
    one.name: one
    for one in (
        SWITCHED,
        ADJECTIVAL,
        UNBALANCED,
        BY_KEY,
        BY_BOOLEAN,
        DYADIC,
        MOVED_KEYS,
        NEGATED,
        COUNTER_ASSOCIATIVE,
        TENSE,
        NUMBER,
        GENDER,
        VOICE,
        RELATIVE_CLAUSE,
        ADVERB,
        SYNONYM,
        ZERO_SHOT,
        NO_CANDIDATE,
        PART_SENT,
        LOCAL_CONTEXT,
        KEY_MASKED,
        SUCCESSOR_ONLY,
    )
}


def known_transformations() -> dict[str, Transformation]:
    """Our transformations, and those of installed packages."""
    return TRANSFORMATIONS | _brought()


def find_transformation(name: str) -> Transformation:
    """The transformation of that name."""
    known = known_transformations()
    if name not in known:
        raise UnknownNameError("transformation", name, known)
    return known[name]


@cache
def _brought() -> dict[str, Transformation]:
    return loaded(entry_points(group=GROUP))


def loaded(points: Iterable[EntryPoint]) -> dict[str, Transformation]:
    """What entry points bring; one that brings no transformation is an error that names it."""
    found: dict[str, Transformation] = {}
    for point in points:
        try:
            brought = point.load()
        except Exception as error:  # whatever the code of others may raise
            raise HorsesenseError(f"the entry point {point.value!r} fails: {error}") from error
        if not isinstance(brought, Transformation):
            raise HorsesenseError(f"the entry point {point.value!r} is no transformation")
        if brought.name in TRANSFORMATIONS or brought.name in found:
            raise HorsesenseError(
                f"the entry point {point.value!r} brings a second {brought.name!r}"
            )
        found[brought.name] = replace(brought, rewrite=_guarded(brought, point.value))
    return found


def _guarded(brought: Transformation, source: str) -> Rewrite:
    """The rewriting of another package, whose own errors are told as such."""

    def rewrite(entry: Entry, settings: Settings) -> Rewriting:
        try:
            return brought.rewrite(entry, settings)
        except HorsesenseError:
            raise
        except Exception as error:  # whatever the code of others may raise
            told = f"{type(error).__name__}: {error}"
            raise HorsesenseError(
                f"the transformation {brought.name!r} of {source!r} fails on {entry.id}: {told}"
            ) from error

    return rewrite
