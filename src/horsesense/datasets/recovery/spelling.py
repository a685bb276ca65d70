"""The spelling of published text: its white space, and phrases without their sentence's capital."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from horsesense.errors import SchemaError
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Schema,
    Slot,
    decapitalise,
    find_unprintable,
    is_plain,
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


EXTERIOR = "exterior-whitespace"
LINE_BREAKS = "line-breaks"
DOUBLE_SPACES = "double-spaces"
CONTROL_CHARACTERS = "control-characters"

STEPS = {
    EXTERIOR: "white space around a text is removed",
    LINE_BREAKS: "line breaks and tabs inside a text become spaces",
    DOUBLE_SPACES: "several spaces in a row become one",
    CONTROL_CHARACTERS: "invisible control characters are removed",
}
_BREAKS = re.compile(r" *[\t\n\r\x0b\x0c\x85\u2028\u2029]+ *")
_SEVERAL = re.compile("  +")


def is_tidy(text: str) -> bool:
    """True for text in which no step would change anything but the ends."""
    return "  " not in text and not find_unprintable(text)


def needs_nothing(texts: Sequence[str], phrases: Sequence[str]) -> bool:
    """True where it is quick to see that no step would change the texts or the phrases.

    Texts may have a space where they meet. Where it is not quick to see, False.
    """
    return is_plain(f" {'|'.join(texts)} {' '.join(phrases)} ")


def tidied(text: str, step: Callable[[str], None]) -> str:
    """The text with its inner white space put right; `step` hears the name of what was done.

    >>> done = []
    >>> tidied("so\\n  it  goes", done.append), done
    ('so it goes', ['line-breaks', 'double-spaces'])
    """
    if is_tidy(text):
        return text
    before, text = text, _BREAKS.sub(" ", text)
    if text != before:
        step(LINE_BREAKS)
    if find_unprintable(text):
        text = "".join(char for char in text if not find_unprintable(char))
        step(CONTROL_CHARACTERS)
    before, text = text, _SEVERAL.sub(" ", text)
    if text != before:
        step(DOUBLE_SPACES)
    return text


def trimmed(text: str, step: Callable[[str], None]) -> str:
    """The text put right, with nothing around it.

    >>> trimmed(" the owl\\n", lambda name: None)
    'the owl'
    """
    bare = text.strip()
    if bare != text:
        step(EXTERIOR)
    # What stood at an end may have been a control character, with a space behind it.
    return tidied(bare, step).strip()
