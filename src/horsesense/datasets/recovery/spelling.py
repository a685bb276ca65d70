"""How a published phrase would be spelt where it did not stand: without its sentence's capital."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from horsesense.errors import SchemaError
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Schema,
    Slot,
    decapitalise,
    is_several_sentences,
    names_inside,
    opens_sentences,
    without_full_stop,
)

_WORD = re.compile(r"\w+")
# The second word of a name: «Sea» in «the White Sea» need not be a name elsewhere.
_SECOND_CAPITAL = re.compile(r"\b[A-Z]\w*(?= ([A-Z]\w*))")
# After «her» these show that it is an object: «gave her a coat», «told her that», «saw her.»
_NOT_OWNED = frozenset(
    str.split(
        "a an the this that these those some any no to of in on at by with without from for as and "
        "or but because although though since while when if so than about into onto over under up "
        "out off away down again too is was were had has would could did not my your his "
        "her its our their he she it i they who what why where whether which after before behind "
        "through via around along toward towards until just"
    )
)


def lowered_answer(phrase: str) -> str:
    """The answer as it would stand inside a sentence; a possible name keeps its capital.

    >>> lowered_answer("The owl"), lowered_answer("Rita")
    ('the owl', 'Rita')
    """
    if phrase[:1].isupper() and phrase[1:2] != "." and opens_sentences(phrase):
        return phrase[:1].lower() + phrase[1:]
    return phrase


def is_possessive_place(after: str) -> bool:
    """True where a pronoun before that text owns what follows.

    >>> [is_possessive_place(after) for after in (" scarf was wet.", " a scarf.", ".")]
    [True, False, False]
    """
    word = _WORD.match(after.lstrip(" "))
    return after.startswith(" ") and word is not None and word[0].lower() not in _NOT_OWNED


def names_in(sentences: Iterable[str]) -> set[str]:
    """Words that have a capital inside a sentence somewhere in the file, and begin a name there.

    >>> sorted(names_in(["Near the White Sea lies Kem.", "Seas are wide."]))
    ['Kem', 'White']
    """
    found: set[str] = set()
    for sentence in sentences:
        inside = names_inside(sentence)
        if inside:
            later = {word[1] for word in _SECOND_CAPITAL.finditer(sentence)}
            found |= inside - later
    return found


def bare_frame(schema: Schema, names: Collection[str]) -> Schema:
    """The schema without the capital and the full stop of its sentence, so that it can be wrapped.

    Several sentences, and what ends in a question, stay as they are, and so does
    what would be levelled by lower case.
    """
    try:
        return _opened(schema, names)
    except SchemaError:
        return schema


def _opened(schema: Schema, names: Collection[str]) -> Schema:
    last = schema.frame[-1]
    if not isinstance(last, str) or not last.endswith("."):
        return schema
    shown = "".join(part if isinstance(part, str) else "x" for part in schema.frame)
    if is_several_sentences(shown):
        return schema
    first, *rest = schema.frame[:-1] + tuple(filter(None, [without_full_stop(last).rstrip(" ")]))
    if isinstance(first, Slot):
        axis = schema.axes[first.axis]
        lowered = Axis(tuple((decapitalise(v[0], names), *v[1:]) for v in axis.values))
        opened = replace(schema, frame=(first, *rest))
        if first.axis is AxisName.KEY:
            return replace(opened, keys=lowered)
        return replace(opened, answers=lowered)
    if isinstance(first, Candidate):
        return replace(schema, frame=(first._replace(text=decapitalise(first.text, names)), *rest))
    return replace(schema, frame=(decapitalise(first, names), *rest))
