"""Every transformation by name: ours, and those that other packages bring.

Another package brings one by an entry point of the group `horsesense.transformations`, whose value
is a `Transformation`. It cannot take the name of one of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from horsesense.errors import UnknownNameError
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
    Settings,
    Transformation,
)
from horsesense.registry import brought, guarded
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
def transformation_packages() -> tuple[tuple[str, str, str], ...]:
    """The packages that bring transformations: where each is, the package, and its version."""
    return packages_of(entry_points(group=GROUP))


def packages_of(points: Iterable[EntryPoint]) -> tuple[tuple[str, str, str], ...]:
    """Where what is brought comes from; the package and its version are empty if nobody tells."""
    return tuple(
        sorted(
            (one.value, one.dist.name if one.dist else "", one.dist.version if one.dist else "")
            for one in points
        )
    )


@cache
def _brought() -> dict[str, Transformation]:
    return loaded(entry_points(group=GROUP))


def loaded(points: Iterable[EntryPoint]) -> dict[str, Transformation]:
    """What entry points bring, by name."""
    return {
        one.thing.name: replace(one.thing, rewrite=_guarded(one.thing, one.source))
        for one in brought(points, Transformation, "transformation", TRANSFORMATIONS)
    }


def _guarded(transformation: Transformation, source: str) -> Rewrite:
    def failing(entry: Entry, _: Settings) -> str:
        return f"the transformation {transformation.name!r} of {source!r} fails on {entry.id}"

    return guarded(transformation.rewrite, failing)
