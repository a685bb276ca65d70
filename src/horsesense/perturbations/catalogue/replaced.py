"""Adjectival and unbalanced: other candidates in the places of the old ones (thesis 3.4.4)."""

from __future__ import annotations

from horsesense.perturbations.candidates import phrases_or
from horsesense.perturbations.english.adjectives import propose_adjectival, propose_unbalanced
from horsesense.perturbations.transformation import (
    Level,
    Parameter,
    Purpose,
    Right,
    Settings,
    Touch,
    Transformation,
)

_FIELDS = {"second": "unbalanced", "first": "unbalanced-first"}


def _adjectival_field(settings: Settings) -> str:
    return "adjectival"


def _unbalanced_field(settings: Settings) -> str:
    return _FIELDS[settings["candidate"]]


ADJECTIVAL = Transformation(
    name="adjectival",
    version=1,
    title="candidates that differ by an adjective only",
    source="thesis 3.4.4",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES}),
    precondition="a Winograd schema with both candidates marked, which its author does not call "
    "unsymmetrical; without the author's phrases the result is a proposal",
    not_for="candidates of unlike kinds (a person and a thing, one and several), and key "
    "phrases that an adjective might decide",
    right=Right.REPLACED,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model needs to know what the candidates are, or goes by what happens to them",
    example="[The ladle] would not go into [the drawer] because <it = the ladle, the drawer> was "
    "too {long, short}.\n    adjectival: the red box, the blue box\n",
    rewrite=phrases_or(_adjectival_field, propose_adjectival),
)
UNBALANCED = Transformation(
    name="unbalanced",
    version=1,
    title="one candidate long and odd",
    source="thesis 3.4.4, 5.2",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES}),
    precondition="a Winograd schema with both candidates marked; without the author's phrase the "
    "result is a proposal",
    not_for="a candidate that is mentioned in different words",
    right=Right.REPLACED,
    purpose=Purpose.CONSISTENCY,
    tests="how much it matters to a model that one answer is longer and less probable",
    example="[The ladle] would not go into [the drawer] because <it = the ladle, the drawer> was "
    "too {long, short}.\n    unbalanced: the cobwebbed olive-green filing cabinet\n",
    rewrite=phrases_or(_unbalanced_field, propose_unbalanced),
    parameters=(
        Parameter("candidate", "second", "which candidate becomes long and odd", tuple(_FIELDS)),
    ),
)
