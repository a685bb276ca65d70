"""The little English that filling a sentence needs: capitals, possessives, ends of sentences.

What cannot be decided by rule is left to the author: `a` or `an`, and whether a capital
at the start of a finished sentence belongs to a name. A schema written bare (lower case,
no full stop) leaves no doubt about the latter.
"""

from __future__ import annotations

import re
from collections.abc import Collection

# `her` is missing on purpose: it is an object as often as a possessive. `her's` says it is one.
_POSSESSIVE = frozenset({"my", "your", "his", "its", "our", "their", "whose"})
_PLURAL = frozenset({"our", "their"})
_ABBREVIATIONS = frozenset(
    str.split("mr mrs ms dr st prof gen col sgt capt rev jr sr vs etc e.g i.e a.m p.m approx")
)
_TITLES = frozenset(str.split("mr mrs ms dr st prof gen col sgt capt rev"))
_CALENDAR = frozenset(
    str.split(
        "monday tuesday wednesday thursday friday saturday sunday january february march april may "
        "june july august september october november december"
    )
)
# Words that open a sentence with a capital and are no names even before one («The Thames»).
_OPENERS = frozenset(
    str.split(
        "a an the this that these those some any no all not every each both most many few if when "
        "while because since after before although though in on at by with without from as there "
        "it he she they we you my your his her its our their one two three only even"
    )
)
_CLOSERS = "\"'”’)]」』"
_ENDS = frozenset(".?!…。？！")
_OPENING = "“‘\"'(["
_FIRST_WORD = re.compile(r"[^\W_](?:[\w'’.-]*\w)?")
_AFTER_WORD = re.compile(r"['’].*$")
_INNER_END = re.compile(rf"[.?!…。？！][{re.escape(_CLOSERS)}]* +(?=\S)")
_POSSESSIVE_ENDING = re.compile(r"(['’]s|s['’])$")


def capitalise(text: str) -> str:
    """Give the first word its capital, unless its spelling is peculiar to it.

    >>> capitalise("the ant"), capitalise("“so what”"), capitalise("3 ants"), capitalise("iPods")
    ('The ant', '“So what”', '3 ants', 'iPods')
    """
    if text[:1].isupper() and text[:1].isalpha():
        return text  # as most is, where it matters
    word = _FIRST_WORD.search(text)
    if word is None or any(char.isupper() for char in word[0]):
        return text
    start = word.start()
    return text[:start] + text[start].upper() + text[start + 1 :]


def decapitalise(text: str, names: Collection[str] = ()) -> str:
    """Take the capital of a sentence away from a first word that is no name.

    >>> decapitalise("The Thames"), decapitalise("Loch Ness"), decapitalise("Rita", {"Rita"})
    ('the Thames', 'Loch Ness', 'Rita')
    """
    word = _FIRST_WORD.search(text)
    if word is None or is_name(word[0], names, following=text[word.end() :]):
        return text
    start = word.start()
    return text[:start] + text[start].lower() + text[start + 1 :]


def is_name(word: str, names: Collection[str] = (), *, following: str = "") -> bool:
    """Return whether the word keeps its capital inside a sentence, as far as a rule can tell.

    A name is `I`, a day or month, a title such as `Mr.`, a word with capitals inside, a word
    that is known to be a name, or one with another capitalised word right after it.
    """
    plain = _AFTER_WORD.sub("", word)
    if following[:1] == "." and plain.lower() in _TITLES:
        return True
    if plain == "I" or plain.lower().removesuffix("s") in _CALENDAR or plain in names:
        return True
    if any(char.isupper() for char in plain[1:]):
        return True
    return plain.lower() not in _OPENERS and following[:1] == " " and following[1:2].isupper()


def opens_sentences(text: str) -> bool:
    """Return whether the first word is never a name, such as an article or a pronoun."""
    plain = text.partition(" ")[0]
    if plain.isalnum():
        return plain.lower() in _OPENERS
    word = _FIRST_WORD.search(text)
    return word is not None and word[0].lower() in _OPENERS


def names_inside(text: str) -> set[str]:
    """Words with a capital that no start of a sentence explains.

    >>> sorted(names_inside("Yesterday Rita met Tom. They left."))
    ['Rita', 'Tom']
    """
    if text[1:].islower():
        return set()  # as is quick to see of most sentences
    return {
        _AFTER_WORD.sub("", word[0])
        for word in _FIRST_WORD.finditer(text)
        if word[0][0].isupper() and not starts_sentence(text[: word.start()])
    }


def name_at_start(text: str) -> set[str]:
    """The first word, where the word after it says that it is a name."""
    word = _FIRST_WORD.search(text)
    return {word[0]} if word and is_name(word[0], following=text[word.end() :]) else set()


def starts_sentence(before: str) -> bool:
    """Return whether a sentence starts after the text.

    >>> [starts_sentence(text) for text in ("", "It broke. ", "Dr. ", "because ", "“")]
    [True, True, False, False, True]
    """
    before = before.rstrip(" " + _OPENING)
    return not before or ends_sentence(before)


def ends_sentence(text: str) -> bool:
    """Return whether the text ends with the end of a sentence, not of an abbreviation."""
    text = text.rstrip(" ")
    if not is_finished_text(text):
        return False
    last_word = text.rpartition(" ")[2].lstrip(_OPENING).rstrip(_CLOSERS)
    return last_word.removesuffix(".").lower() not in _ABBREVIATIONS


def is_several_sentences(text: str) -> bool:
    """Return whether a sentence ends before the end of the text.

    >>> is_several_sentences("It fell. It broke."), is_several_sentences("Mr. Hill fell.")
    (True, False)
    """
    return any(ends_sentence(text[: end.end()]) for end in _INNER_END.finditer(text))


def with_full_stop(text: str) -> str:
    """The text, ended as a sentence is; an abbreviation's stop serves for both."""
    return text if is_finished_text(text) else text + "."


def is_finished_text(text: str) -> bool:
    """Return whether the text ends in a full stop, an abbreviation's included."""
    # What is not cleaned yet may have a line break at its end.
    return text.removesuffix("\n").rstrip(_CLOSERS)[-1:] in _ENDS


def without_full_stop(text: str) -> str:
    """The text without the full stop that ends it."""
    is_ellipsis = text.endswith("..")
    return text[:-1] if text.endswith(".") and not is_ellipsis and ends_sentence(text) else text


def is_possessive(pronoun: str) -> bool:
    """Return True for a pronoun that can only be possessive."""
    return pronoun.lower() in _POSSESSIVE


def possessive(phrase: str, pronoun: str) -> str:
    """The phrase as the owner, with the number that the pronoun has.

    >>> possessive("Rita", "her"), possessive("James", "his"), possessive("the boys", "their")
    ("Rita's", "James's", "the boys'")
    >>> possessive("the children", "their"), possessive("Rita's", "her")
    ("the children's", "Rita's")
    """
    if _POSSESSIVE_ENDING.search(phrase):
        return phrase
    return phrase + ("'" if phrase.endswith("s") and pronoun.lower() in _PLURAL else "'s")
