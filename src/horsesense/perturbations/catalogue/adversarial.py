"""Perturbations of adversarial schemas, which have no candidates (thesis 3.61, 3.66, 3.71)."""

from __future__ import annotations

from horsesense.perturbations.candidates import version_or
from horsesense.perturbations.english.converse import (
    propose_counter_associative,
    propose_moved_keys,
)
from horsesense.perturbations.english.flat_frame import propose_negated
from horsesense.perturbations.transformation import (
    EVERYTHING,
    Level,
    Purpose,
    Right,
    Transformation,
)

_BY_HAND = "; without the author's version the result is a proposal"

MOVED_KEYS = Transformation(
    name="moved-keys",
    version=1,
    title="the key phrases in another place",
    source="Maler 2023, 3.5.2 (3.61a), 3.5.3 (3.66a)",
    level=Level.PROBLEM,
    touches=EVERYTHING,
    precondition="a comparison with its key phrase on one side, which can be turned around"
    + _BY_HAND,
    not_for="answers that are not opposite comparatives, sides that are not plain noun phrases",
    right=Right.REPLACED,
    purpose=Purpose.CONSISTENCY,
    tests="whether the answer depends on where the key phrase stands",
    example="{three, nine} geese are <fewer, more> than six swans\n"
    "    moved-keys: six swans are <more, fewer> than {three, nine} geese\n",
    rewrite=version_or("moved-keys", propose_moved_keys),
)
NEGATED = Transformation(
    name="negated",
    version=1,
    title="negated, with the quantifiers exchanged",
    source="Maler 2023, 3.5.2 (3.61c), 3.5.3 (3.66c)",
    level=Level.PROBLEM,
    touches=EVERYTHING,
    precondition="answers such as «all, not all» before a subject and «are»" + _BY_HAND,
    not_for="other quantifiers, other verbs",
    right=Right.REPLACED,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model that knows that all are also knows that none are not",
    example="<all, not all> plums are {fruit, purple}\n",
    rewrite=version_or("negated", propose_negated),
)
COUNTER_ASSOCIATIVE = Transformation(
    name="counter-associative",
    version=1,
    title="the partner in which association points the other way",
    source="Maler 2023, 3.5.4 (3.71)",
    level=Level.PROBLEM,
    touches=EVERYTHING,
    precondition="a comparison after a clause with the key phrase, which can be turned around"
    + _BY_HAND,
    not_for="a key phrase inside the comparison, which «moved-keys» is for",
    right=Right.REPLACED,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model reasons or matches words: on a schema and its partner together, "
    "matching gives chance",
    example="if a kite is {above, below} a roof, the kite is <higher, lower> than the roof\n",
    rewrite=version_or("counter-associative", propose_counter_associative),
)
