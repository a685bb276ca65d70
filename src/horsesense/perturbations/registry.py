"""Every transformation by name: ours, and those that other packages add.

Another package adds one by an entry point of the group `horsesense.transformations`, whose value
is a `Transformation`. It cannot take the name of one of ours.
"""

from __future__ import annotations

from dataclasses import replace

from horsesense.perturbations.catalogue.adversarial import (
    COUNTER_ASSOCIATIVE,
    MOVED_KEYS,
    NEGATED,
)
from horsesense.perturbations.catalogue.cutting import LOCAL_CONTEXT, PART_SENT, SUCCESSOR_ONLY
from horsesense.perturbations.catalogue.masking import KEY_MASKED, ZERO_SHOT
from horsesense.perturbations.catalogue.modes import BY_BOOLEAN, BY_KEY, DYADIC
from horsesense.perturbations.catalogue.no_candidate import NO_CANDIDATE
from horsesense.perturbations.catalogue.switched import SWITCHED
from horsesense.perturbations.catalogue.wordings import (
    ADJECTIVAL,
    ADVERB,
    GENDER,
    NUMBER,
    RELATIVE_CLAUSE,
    SYNONYM,
    TENSE,
    UNBALANCED,
    VOICE,
)
from horsesense.perturbations.transformation import (
    Settings,
    Transformation,
)
from horsesense.registry import Registry, blame
from horsesense.schema import Entry


def _blaming(transformation: Transformation, source: str) -> Transformation:
    def failing(entry: Entry, _: Settings) -> str:
        return f"the transformation {transformation.name!r} of {source} fails on {entry.id}"

    return replace(transformation, rewrite=blame(transformation.rewrite, failing))


TRANSFORMATIONS: Registry[Transformation] = Registry(
    "transformation", "horsesense.transformations", Transformation, wrap=_blaming
)
TRANSFORMATIONS.add(
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


def find_transformation(name: str) -> Transformation:
    """The transformation of that name."""
    return TRANSFORMATIONS[name]


def transformation_packages() -> tuple[tuple[str, str, str], ...]:
    """The packages that add transformations: where each is, the package, and its version."""
    return TRANSFORMATIONS.packages
