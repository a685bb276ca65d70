"""The names of the fields that authors can add to a schema for perturbations.

Flags are assertions, made or denied. Phrases go into the schema in the place of others.
Versions are whole schemas that stand in for this one. Names that begin with `x-` are the
author's own.
"""

from __future__ import annotations

import re
from functools import lru_cache

from horsesense.errors import SchemaError

OWN = "x-"
# The author's ids of the problems of an entry.
PROBLEMS = "x-problems"
_OWN_NAME = re.compile(r"x-[A-Za-z0-9._-]+")

# Each name with what it says, and for phrases how many there are.
FLAGS = {
    "switchable": "swapping the candidates swaps the answer",
    "symmetrical": "candidates that differ only by an adjective make a good schema, too",
    "associative": "mere word association ties one answer to a key phrase",
    "invertible": "solving it by key makes sense, too",
}
PHRASES = {
    "adjectival": (2, "two candidates that differ only by an adjective"),
    "unbalanced": (1, "a long and odd phrase in place of the second candidate"),
    "unbalanced-first": (1, "a long and odd phrase in place of the first candidate"),
    "switching": (2, "the two phrases that are swapped, if not the candidates"),
    "switched": (2, "the answers after switching, if not the old ones swapped"),
}
VERSIONS = {
    "tense": "the schema in another tense",
    "number": "with singular for plural, or the reverse",
    "gender": "with the candidates' gender changed",
    "voice": "in the passive voice, or by a converse",
    "relative-clause": "with a relative clause inserted after a candidate",
    "adverb": "with an adverb inserted",
    "synonym": "with synonyms, or other names, for the candidates",
    "moved-keys": "with the key phrases in another place",
    "negated": "negated, with the quantifiers exchanged",
    "counter-associative": "a partner schema in which association favours the other answer",
}


@lru_cache(maxsize=256)
def check_own_name(name: str) -> None:
    """Refuse a name that is not fit for a field of the author's own."""
    if not _OWN_NAME.fullmatch(name):
        raise SchemaError(
            f"{name!r} cannot be a field of your own: use {OWN} and then letters, digits and any of"
            " ._-"
        )
