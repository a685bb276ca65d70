"""Compare the two statements of a schema to find its key phrases, and tidy their text.

A difference is the shortest run of words and punctuation marks that has to be replaced
(thesis 3.3.5). Two differences that swap the same two phrases make a transposition. After the
differences: the case of answers and frames, and the cleaning of white space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from horsesense.datasets.recovery.raw_problem import BLANKS
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

_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]|[\x00\x01]")
_SPACES = re.compile("  +")
_IN_WORDS = "'’-"


class Difference(NamedTuple):
    """A span of the first statement with its text, and the text of the second instead."""

    start: int
    end: int
    first: str
    second: str


class Scattered(Exception):
    """The difference of two statements is not a key phrase; the message is the issue's name."""


def difference(first: str, second: str) -> Difference:
    """Return the one span outside which the texts are equal; either side may be empty.

    >>> difference("Owls hunt at night.", "Owls sing at night.")
    Difference(start=5, end=9, first='hunt', second='sing')
    """
    start = _common_start(first, second)
    tail = _common_end(first, second, min(len(first), len(second)) - start)
    ours, theirs = first[start : len(first) - tail], second[start : len(second) - tail]
    return Difference(start, start + len(ours), ours, theirs)


def key_differences(
    first: str, second: str, *, contiguous: bool, transposed: bool = True
) -> list[Difference]:
    """Return the key phrases of two statements: one difference, or two for a transposition.

    Raises Scattered if the difference contains the blank, or if its two sides share words, so
    that the statements differ in several places. With `contiguous` the second case is accepted,
    as in the thesis for the WSC. Set `transposed` to False where a schema cannot have two key
    placeholders.
    """
    key = difference(first, second)
    has_blank = not BLANKS.isdisjoint(key.first + key.second)
    if not has_blank and not _share_words(key.first, key.second):
        return [key]
    exchanged = _transposition(first, second, key) if transposed else []
    if exchanged:
        return exchanged
    if contiguous and not has_blank:
        return [key]
    raise Scattered("blank-in-difference" if has_blank else "scattered-difference")


def plain_difference(texts: Sequence[str], others: Sequence[str]) -> Difference | None:
    """Return the key phrase of two problems that differ on one side of their blank, or None.

    A shortcut: the result is that of `key_differences` if the statements differ in one phrase.
    """
    (before, after), (other_before, other_after) = texts, others
    if before == other_before:
        start, end, first, second = difference(after, other_after)
        start, end = start + len(before) + 1, end + len(before) + 1
    elif after == other_after:
        start, end, first, second = difference(before, other_before)
    else:
        return None
    if first.isalnum() and second.isalnum():
        return Difference(start, end, first, second)  # one word each, as most are
    are_phrases = is_phrase(first) and is_phrase(second)
    if not are_phrases or _share_words(first, second):
        return None
    return Difference(start, end, first, second)


def is_phrase(text: str) -> bool:
    """Return whether a text can fill a blank: not empty, and no space at either end."""
    return bool(text) and text == text.strip(" ")


def widened(statement: str, key: Difference) -> Difference:
    """Return the difference with the word to its left, or if there is none, to its right.

    Used for empty key phrases, which cannot fill a blank. Raises Scattered if the difference is
    between the blank and a punctuation mark.
    """
    before = _TOKEN.findall(statement, 0, key.start)
    if before and before[-1] not in BLANKS:
        return widened_by(statement, key, 1, 0)
    after = _TOKEN.search(statement, key.end)
    if after is None or not after[0][0].isalnum():
        raise Scattered("blank-in-difference")
    return widened_by(statement, key, 0, 1)


def widened_by(statement: str, key: Difference, left: int, right: int) -> Difference:
    """Return the difference with that many words and punctuation marks to its left and right.

    >>> key = difference("Owls can hunt well.", "Owls hunt well.")
    >>> widened_by("Owls can hunt well.", key, 1, 0)
    Difference(start=0, end=8, first='Owls can', second='Owls')
    """
    before = list(_TOKEN.finditer(statement, 0, key.start))
    after = list(_TOKEN.finditer(statement, key.end))
    start = before[-left].start() if left and left <= len(before) else key.start
    end = after[right - 1].end() if right and right <= len(after) else key.end
    lead, tail = statement[start : key.start], statement[key.end : end]
    first, second = lead + key.first + tail, lead + key.second + tail
    # An empty side leaves a space at the end.
    end -= len(first) - len(first.rstrip(" "))
    start += len(first) - len(first.lstrip(" "))
    return Difference(start, end, first.strip(" "), _SPACES.sub(" ", second.strip(" ")))


def _share_words(first: str, second: str) -> bool:
    if " " not in first and " " not in second and first.isalnum() and second.isalnum():
        return False  # one word each, and they differ
    return not set(_TOKEN.findall(first)).isdisjoint(_TOKEN.findall(second))


def shared_start(first: str, second: str) -> int:
    """Return the length of the common start of two texts.

    >>> shared_start("owls hunt", "owls hide"), shared_start("owls", "owls hide")
    (6, 4)
    """
    # Bisection compares whole slices, which is much faster than comparing characters.
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_end(first: str, second: str, most: int) -> int:
    """Return the length of the common end of two texts, `most` at most.

    >>> shared_end("owls hide", "voles hide", 9)
    6
    """
    length, other_length = len(first), len(second)
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        ours = first[length - middle : length - low]
        if ours == second[other_length - middle : other_length - low]:
            low = middle
        else:
            high = middle - 1
    return low


def _common_start(first: str, second: str) -> int:
    """Return the length of the common start that ends before a word."""
    size = shared_start(first, second)
    # After a space, a word starts in both texts.
    while size and first[size - 1] != " ":
        if not (_splits_word(first, size) or _splits_word(second, size)):
            break
        size -= 1
    return size


def _common_end(first: str, second: str, most: int) -> int:
    """Return the length of the common end that starts after a word, `most` at most."""
    length, other_length = len(first), len(second)
    size = shared_end(first, second, most)
    # Before a space, a word ends in both texts.
    while size and first[length - size] != " ":
        if not (_splits_word(first, length - size) or _splits_word(second, other_length - size)):
            break
        size -= 1
    return size


def _splits_word(text: str, at: int) -> bool:
    """Return whether a cut before that character splits a word."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isalnum() and after.isalnum():
        return True
    if after in _IN_WORDS:
        return before.isalnum() and at + 1 < len(text) and text[at + 1].isalnum()
    return before in _IN_WORDS and after.isalnum() and at > 1 and text[at - 2].isalnum()


def _transposition(first: str, second: str, difference: Difference) -> list[Difference]:
    """Return two differences that swap the same two phrases, or nothing."""
    ours = list(_TOKEN.finditer(first, difference.start, difference.end))
    theirs = list(
        _TOKEN.finditer(second, difference.start, difference.start + len(difference.second))
    )
    if len(ours) != len(theirs):
        return []
    words, others = [token[0] for token in ours], [token[0] for token in theirs]
    # The first words of one side must be the last words of the other; few splits remain.
    size = len(words)
    lefts = [left for left in range(1, size) if _alike(words[0], others[size - left])]
    rights = [right for right in range(1, size) if _alike(words[size - right], others[0])]
    for left in lefts:
        for right in rights:
            if left + right < size and _is_exchanged(words, others, left, right):
                return [
                    _exchange(first, ours[:left], second, theirs[:right]),
                    _exchange(first, ours[-right:], second, theirs[-left:]),
                ]
    return []


def _is_exchanged(words: Sequence[str], others: Sequence[str], left: int, right: int) -> bool:
    """Return whether swapping the first and the last words turns one list into the other."""
    expected = [*words[-right:], *words[left:-right], *words[:left]]
    return all(_alike(word, other) for word, other in zip(expected, others, strict=True))


def _alike(word: str, other: str) -> bool:
    """Return whether words are equal except for the capital that may start a sentence."""
    return word[1:] == other[1:] and word[:1].lower() == other[:1].lower()


def _exchange(
    first: str, ours: Sequence[re.Match[str]], second: str, theirs: Sequence[re.Match[str]]
) -> Difference:
    start, end = ours[0].start(), ours[-1].end()
    return Difference(start, end, first[start:end], second[theirs[0].start() : theirs[-1].end()])


_WORD = re.compile(r"\w+")
# The second word of a name: «Sea» in «the White Sea» need not be a name elsewhere.
_SECOND_CAPITAL = re.compile(r"\b[A-Z]\w*(?= ([A-Z]\w*))")
# One of these after «her» shows that it is an object: «gave her a coat», «told her that».
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
    """Return the answer as written inside a sentence; possible names keep their capital.

    >>> lowered_answer("The owl"), lowered_answer("Rita")
    ('the owl', 'Rita')
    """
    if phrase[:1].isupper() and phrase[1:2] != "." and opens_sentences(phrase):
        return phrase[:1].lower() + phrase[1:]
    return phrase


def is_possessive_place(after: str) -> bool:
    """Return whether a pronoun before that text is possessive.

    >>> [is_possessive_place(after) for after in (" scarf was wet.", " a scarf.", ".")]
    [True, False, False]
    """
    word = _WORD.match(after.lstrip(" "))
    return after.startswith(" ") and word is not None and word[0].lower() not in _NOT_OWNED


def names_in(sentences: Iterable[str]) -> set[str]:
    """Return the words that begin a name inside a sentence, anywhere in the file.

    >>> sorted(names_in(["Near the White Sea lies Kem.", "Seas are wide."]))
    ['Kem', 'White']
    """
    names: set[str] = set()
    for sentence in sentences:
        inside = names_inside(sentence)
        if inside:
            later = {word[1] for word in _SECOND_CAPITAL.finditer(sentence)}
            names |= inside - later
    return names


def bare_frame(schema: Schema, names: Collection[str]) -> Schema:
    """Return the schema without the capital and full stop of its sentence, so it can be wrapped.

    Schemas of several sentences, schemas that don't end in a full stop, and schemas whose phrases
    would become equal in lower case are returned unchanged.
    """
    try:
        return _bare(schema, names)
    except SchemaError:
        return schema


def _bare(schema: Schema, names: Collection[str]) -> Schema:
    last = schema.frame[-1]
    if not isinstance(last, str) or not last.endswith("."):
        return schema
    sample = "".join(part if isinstance(part, str) else "x" for part in schema.frame)
    if is_several_sentences(sample):
        return schema
    first, *rest = schema.frame[:-1] + tuple(filter(None, [without_full_stop(last).rstrip(" ")]))
    if isinstance(first, Slot):
        axis = schema.axes[first.axis]
        lowered = Axis(tuple((decapitalise(v[0], names), *v[1:]) for v in axis.values))
        bare = replace(schema, frame=(first, *rest))
        if first.axis is AxisName.KEY:
            return replace(bare, keys=lowered)
        return replace(bare, answers=lowered)
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
    """Return whether cleaning would change nothing but the ends of a text."""
    return "  " not in text and not find_unprintable(text)


def needs_nothing(texts: Sequence[str], phrases: Sequence[str]) -> bool:
    """Return True if a quick check shows that cleaning would change nothing.

    Texts may have a space next to a blank. False means only that the quick check can't tell.
    """
    return is_plain(f" {'|'.join(texts)} {' '.join(phrases)} ")


def tidied(text: str, step: Callable[[str], None]) -> str:
    """Return the text with its inner white space cleaned; call `step` with each step's name.

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
    """Return the text cleaned and stripped.

    >>> trimmed(" the owl\\n", lambda name: None)
    'the owl'
    """
    bare = text.strip()
    if bare != text:
        step(EXTERIOR)
    # Removing a control character at an end may leave a space there.
    return tidied(bare, step).strip()
