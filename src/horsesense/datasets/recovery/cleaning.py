"""White space and control characters of published text: named steps, each of them counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from horsesense.schema import find_unprintable, is_plain

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
