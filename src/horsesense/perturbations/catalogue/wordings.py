"""Perturbations that reword a schema: by its author's version, or else as a proposal.

`adjectival` and `unbalanced` replace the candidates (thesis 3.4.4); the other seven are those of
Abdou et al.
"""

from __future__ import annotations

from horsesense.perturbations.candidates import phrases_or, version_or
from horsesense.perturbations.english.adjectives import propose_adjectival, propose_unbalanced
from horsesense.perturbations.english.adverb import propose_adverb
from horsesense.perturbations.english.flat_frame import propose_adversarial_voice
from horsesense.perturbations.english.gender import propose_gender
from horsesense.perturbations.english.number import propose_number
from horsesense.perturbations.english.relative_clause import propose_relative_clause
from horsesense.perturbations.english.synonym import propose_synonym
from horsesense.perturbations.english.tense import propose_tense
from horsesense.perturbations.english.voice import propose_voice
from horsesense.perturbations.transformation import (
    EVERYTHING,
    Level,
    Parameter,
    Purpose,
    Rewrite,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
)
from horsesense.schema import Entry

# The author's field for each value of `candidate`.
_FIELDS = {"second": "unbalanced", "first": "unbalanced-first"}
_SOURCE = "Abdou et al. 2020, section 3"
_BY_HAND = "; without the author's version the result is a proposal"
_TOWELS = "[Nora] handed [Lena] a towel because <she = Nora, Lena> was {dry, wet}.\n"


def _adjectival_field(settings: Settings) -> str:
    return "adjectival"


def _unbalanced_field(settings: Settings) -> str:
    return _FIELDS[settings["candidate"]]


ADJECTIVAL = Transformation(
    name="adjectival",
    version=1,
    title="candidates that differ by an adjective only",
    source="Maler 2023, 3.4.4",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES}),
    precondition="a Winograd schema with both candidates marked, which its author does not call "
    "unsymmetrical; without the author's phrases the result is a proposal",
    not_for="candidates of different kinds (a person and a thing, one and several), and key "
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
    source="Maler 2023, 3.4.4, 5.2",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES}),
    precondition="a Winograd schema with both candidates marked; without the author's phrase the "
    "result is a proposal",
    not_for="a candidate that is mentioned in different words",
    right=Right.REPLACED,
    purpose=Purpose.CONSISTENCY,
    tests="how much a model is affected by one answer being longer and less probable",
    example="[The ladle] would not go into [the drawer] because <it = the ladle, the drawer> was "
    "too {long, short}.\n    unbalanced: the cobwebbed olive-green filing cabinet\n",
    rewrite=phrases_or(_unbalanced_field, propose_unbalanced),
    parameters=(
        Parameter("candidate", "second", "which candidate becomes long and odd", tuple(_FIELDS)),
    ),
)


def _wording(
    name: str,
    title: str,
    propose: Rewrite,
    *,
    touches: frozenset[Touch],
    precondition: str,
    not_for: str,
    right: Right = Right.SAME,
    tests: str,
    example: str = _TOWELS,
    source: str = _SOURCE,
) -> Transformation:
    return Transformation(
        name=name,
        version=1,
        title=title,
        source=source,
        level=Level.PROBLEM,
        touches=touches,
        precondition=precondition + _BY_HAND,
        not_for=not_for,
        right=right,
        purpose=Purpose.CONSISTENCY,
        tests=tests,
        example=example,
        rewrite=version_or(name, propose),
    )


def _propose_voice(entry: Entry, settings: Settings) -> Rewriting:
    propose = propose_voice if entry.grid.is_winograd else propose_adversarial_voice
    return propose(entry, settings)


TENSE = _wording(
    "tense",
    "the past becomes present, the present past",
    propose_tense,
    touches=frozenset({Touch.FRAME, Touch.KEYS}),
    precondition="finite verbs that are all in one tense, and nothing that dates the sentence",
    not_for="direct speech, conditions, past and present side by side, modal verbs that have "
    "one tense only",
    tests="whether the answer depends on the time of the story, which it should not",
)
NUMBER = _wording(
    "number",
    "one becomes several, several become one",
    propose_number,
    touches=EVERYTHING,
    precondition="candidates that can both change their number, and clear references to them",
    right=Right.REPLACED,
    not_for="mass nouns, numerals, candidates of different number, pronouns that may refer to "
    "something else",
    tests="whether the answer depends on how many there are",
)
GENDER = _wording(
    "gender",
    "men become women, women men",
    propose_gender,
    touches=EVERYTHING,
    precondition="candidates that are people of one gender, as their names or nouns show",
    right=Right.REPLACED,
    not_for="people of both genders, names that either may have, things",
    tests="whether the answer depends on the gender of the people",
)
VOICE = _wording(
    "voice",
    "the active becomes passive, the passive active",
    _propose_voice,
    touches=EVERYTHING,
    precondition="a verb with an object that can be its subject; in an adversarial schema, a verb "
    "after answers such as «do, do not»",
    not_for="verbs without an object, states (to have, to fit, to cost), a verb that is the key "
    "phrase",
    right=Right.REPLACED,
    tests="whether the answer depends on the order in which things are mentioned",
    source=f"{_SOURCE}; Maler 2023, 3.61, 3.66",
    example="[The nurse] lifted [the patient] because <she = the nurse, the patient> was "
    "{strong, weak}.\n",
)
RELATIVE_CLAUSE = _wording(
    "relative-clause",
    "a relative clause after the first candidate",
    propose_relative_clause,
    touches=frozenset({Touch.FRAME}),
    precondition="a Winograd schema with its first candidate marked, and no comma or ending after "
    "it",
    not_for="owners («Nora's»), groups of people, unique things, things in sentences about me or "
    "you",
    tests="whether a clause that does not matter distracts the model",
)
ADVERB = _wording(
    "adverb",
    "an adverb before a main verb",
    propose_adverb,
    touches=frozenset({Touch.FRAME}),
    precondition="a main verb outside the target's clause, of a kind for which a natural adverb is "
    "known",
    not_for="verbs that already have an adverb, states, negated and modal verbs",
    tests="whether a word that adds nothing changes the answer",
)
SYNONYM = _wording(
    "synonym",
    "other names, or synonyms, for the candidates",
    propose_synonym,
    touches=frozenset({Touch.CANDIDATES, Touch.FRAME}),
    precondition="candidates that are given names, or nouns with a synonym in WordNet",
    right=Right.REPLACED,
    not_for="nouns without a synonym in their first sense, and all nouns without WordNet",
    tests="whether the answer depends on what the candidates are called",
)
