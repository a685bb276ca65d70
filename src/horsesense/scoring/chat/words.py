"""Read an option in words, or a complete sentence, in the reply of a chat model.

Texts are compared as words, in the most tolerant way that still distinguishes the options: without
regard to case, punctuation, articles and the genitive, unless the options differ in just these.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TypeAlias

from horsesense.models import Question
from horsesense.scoring.chat.denying import (
    is_called_wrong,
    is_inability,
    is_negated,
    is_rejected,
    is_supposed,
    is_unclear,
)

Words: TypeAlias = tuple[str, ...]
Splitter: TypeAlias = Callable[[str], Words]
Reader: TypeAlias = Callable[[Question, str], int | None]
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:'[^\W_]+)*")
_ARTICLES = frozenset({"a", "an", "the"})
_CONTRACTIONS = (
    (re.compile(r"\bcan(?: not|'t)\b"), "cannot"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
)
# At most so many other words may stand around the only option of a reply: a longer text may hold a
# word such as `can` by chance. If an option is negated, only a few, as in `the owl, not the vole`.
_AROUND, _AROUND_NEGATED = 8, 4
# Words of `the option that fits best is the owl` and `the owl is the right answer`.
_ANSWER_WORDS = frozenset({"answer", "option", "choice", "word", "words", "phrase", "blank"})
_DECLARED = re.compile(r"\b(?:is|be)$")
_CLAUSE, _BESIDE = 8, 16
_RIGHT = re.compile(r"is (?:right|correct|best|answer)\b")
_UNIT_END = re.compile(r"[.!?]+(?=\s)|\n+|[.!?]+\W*$")  # of a line or a sentence
QUOTES = str.maketrans("‘’‚‛′“”„‟″«»`", '\'\'\'\'\'"""""""\'')
_MARKUP = re.compile(r"\\(?:boxed|text|mathrm|mathbf)\b|[*$#~\\{}]|(?<!\w)_+|_+(?!\w)")
_BULLET = re.compile(r"^\s*(?:>\s*)*(?:[-•–]\s+)?", re.MULTILINE)


def plain(text: str) -> str:
    """Drop Markdown and unify quotes.

    >>> plain("> **B** is “right”")
    'B is "right"'
    """
    text = unicodedata.normalize("NFKC", text).translate(QUOTES)
    return _BULLET.sub("", _MARKUP.sub("", text)).strip()


def bare(text: str) -> str:
    """Drop what is no letter or digit at both ends.

    >>> bare(' (B).')
    'B'
    """
    return text.strip("".join(char for char in set(text) if not char.isalnum()))


def only(answers: set[int]) -> int | None:
    """Return the only answer of a set, None if there are none or several."""
    return next(iter(answers)) if len(answers) == 1 else None


def read_option(question: Question, text: str) -> int | None:
    """Read an option alone, as `the answer is …`, in its sentence, or the only one in few words."""
    answer = _first(question, text, _option_alone, _option_declared, complete_sentence)
    if answer is not None or _denies_sentence(question, text):
        return answer
    return _first(question, text, _option_placed, _option_inside)


def read_sentence(question: Question, text: str) -> int | None:
    """Read a complete sentence, an option in its place, or an option alone."""
    if _denies_sentence(question, text):
        return _first(question, text, complete_sentence, _option_alone)
    return _first(question, text, complete_sentence, _option_placed, _option_alone)


def _first(question: Question, text: str, *readers: Reader) -> int | None:
    """Return the answer of the first reader that has one."""
    answers = (read(question, text) for read in readers)
    return next((answer for answer in answers if answer is not None), None)


def _option_alone(question: Question, text: str) -> int | None:
    """Read an option that is the whole reply, or its first or last line or sentence."""
    split, forms = _forms(question.options)
    units = [split(text), *map(split, _UNIT_END.split(text)), split(text)]
    alone = {forms.index(unit) for unit in units if unit in forms}
    is_at_end = any(unit in forms for unit in (*units[:2], *units[-2:]))
    return only(alone) if is_at_end else None


def option_as_written(question: Question, text: str) -> int | None:
    """Read an option that is the whole reply, with its articles, as `A dog` may be an option."""
    split, forms = _forms(question.options, keeps_articles=True)
    words = split(text)
    return forms.index(words) if words in forms else None


def _option_declared(question: Question, text: str) -> int | None:
    """Read the only option that is said to be the answer; both in `the answer is A or B`."""
    split, forms = _forms(question.options)
    words = split(text)
    mentions = _mentions(forms, words)
    declared = set()
    for index, start in mentions:
        before, after = _beside(words, start, start + len(forms[index]))
        is_predicate = _DECLARED.search(before) and not is_supposed(before)
        clause = before.split()[-_CLAUSE:]
        if _RIGHT.match(after):
            declared.add(index)
        elif is_predicate and not _ANSWER_WORDS.isdisjoint(clause) and not is_rejected(after):
            declared.add(index)
            if after.startswith("or "):
                declared |= {other for other, _ in mentions}
    return only(declared)


def complete_sentence(question: Question, text: str) -> int | None:
    """Read the only complete sentence that occurs; the sentences around it need not be there."""
    stated, _ = _sentences(question, text)
    return only(stated)


def _denies_sentence(question: Question, text: str) -> bool:
    """Return whether a complete sentence is called wrong, and no other one is stated."""
    stated, denied = _sentences(question, text)
    return bool(denied) and not stated


def _sentences(question: Question, text: str) -> tuple[set[int], set[int]]:
    """Return which complete sentences are stated, and which are denied."""
    split, forms = _forms(_cores(question.sentences))
    words = split(text)
    stated, denied = set[int](), set[int]()
    for index, start in _mentions(forms, words):
        form, own = forms[index], split(plain(question.sentences[index]))
        is_denied = _is_denied(words, start, len(form))
        # The sentences around it may deny it themselves, as in `It rains. That is not true.`
        own_starts = [at for _, at in _mentions([form], own)]
        if is_denied and not any(_is_denied(own, at, len(form)) for at in own_starts):
            denied.add(index)
        else:
            stated.add(index)
    return stated, denied


def _is_denied(words: Words, start: int, count: int) -> bool:
    """Return whether the sentence of so many words is called wrong, or supposed only."""
    before, after = _beside(words, start, start + count)
    return is_called_wrong(before) or is_rejected(after)


def _option_placed(question: Question, text: str) -> int | None:
    """Read the only option that occurs between its neighbours in the sentence."""
    split, forms = _forms(_cores(question.sentences))
    options = [split(plain(option)) for option in question.options]
    start = max(0, _shared(forms) - _shared(options) - 1)
    rest = [form[start:][::-1] for form in forms]
    end = max(0, _shared(rest) - _shared([option[::-1] for option in options]) - 1)
    placed = [form[end:][::-1] for form in rest]
    return only({index for index, _ in _mentions(placed, split(text))})


def _cores(texts: Sequence[str]) -> list[str]:
    """Drop the sentences at the start and at the end that all texts share.

    >>> _cores(["It is late. Owls wake up.", "It is late. Hens wake up."])
    ['Owls wake up', 'Hens wake up']
    """
    parts = [tuple(filter(None, map(str.strip, _UNIT_END.split(text)))) for text in texts]
    start = _shared(parts)
    parts = [units[start:][::-1] for units in parts]
    end = _shared(parts)
    return [" ".join(units[end:][::-1]) for units in parts]


def _option_inside(question: Question, text: str) -> int | None:
    """Read the only option that is named, and not denied, if there are few other words."""
    split, forms = _forms(question.options)
    words = split(text)
    mentions = _mentions(forms, words)
    starts = {start for _, start in mentions}
    affirmed = set()
    for index, start in mentions:
        end = start + len(forms[index])
        before, after = _beside(words, start, end)
        option = " ".join(words[start:end]).casefold()
        is_denied = is_negated(before) or is_called_wrong(before) or is_rejected(after)
        is_denied |= words[end : end + 1] == ("not",) and end + 1 not in starts
        if is_denied or is_supposed(before) or is_inability(option, before, after):
            continue
        if is_unclear(after):
            return None
        affirmed.add(index)
    others = len(words) - sum(len(forms[index]) for index, _ in mentions)
    is_plain = len(affirmed) == len({index for index, _ in mentions})
    return only(affirmed) if others <= (_AROUND if is_plain else _AROUND_NEGATED) else None


def _beside(words: Words, start: int, end: int) -> tuple[str, str]:
    """Return some of the words before and after others, without regard to case and articles."""
    before, after = (
        " ".join(word for word in map(str.casefold, some) if word not in _ARTICLES)
        for some in (words[max(0, start - _BESIDE) : start], words[end : end + _BESIDE])
    )
    return before, after


def _shared(forms: Sequence[Words]) -> int:
    """Count the words at the start that all forms share."""
    return sum(1 for _ in takewhile(lambda words: len(set(words)) == 1, zip(*forms, strict=False)))


def _mentions(forms: Sequence[Words], words: Words) -> list[tuple[int, int]]:
    """Return which forms occur among the words, and where they start.

    A word belongs to the longest form that it occurs in, so a shorter one inside a longer one does
    not count. Forms of the same length may overlap.
    """
    mentions: list[tuple[int, int]] = []
    taken = [False] * len(words)
    for length in sorted({len(form) for form in forms}, reverse=True):
        starts = [
            (index, start)
            for index, form in enumerate(forms)
            if len(form) == length
            for start in range(len(words) - length + 1)
            if words[start : start + length] == form and not any(taken[start : start + length])
        ]
        for _, start in starts:
            taken[start : start + length] = [True] * length
        mentions += starts
    return mentions


def _forms(texts: Sequence[str], *, keeps_articles: bool = False) -> tuple[Splitter, list[Words]]:
    """Split texts into words in the first way that distinguishes them.

    There are no forms if nothing distinguishes them.
    """
    splitters = (_uncased, _cased, _raw) if keeps_articles else (_loose, _uncased, _cased, _raw)
    for split in splitters:
        forms = [split(plain(text)) for text in texts]
        if all(forms) and len(set(forms)) == len(forms):
            return split, forms
    return _raw, []


def _loose(text: str) -> Words:
    """Split into words without regard to case, articles and the genitive."""
    words = (word.removesuffix("'s") for word in _uncased(text))
    return tuple(word for word in words if word not in _ARTICLES)


def _uncased(text: str) -> Words:
    """Split into words without regard to case, with `not` as a word of its own but in `cannot`."""
    text = text.casefold()
    for contracted, full in _CONTRACTIONS:
        text = contracted.sub(full, text)
    return _cased(text)


def _cased(text: str) -> Words:
    return tuple(_WORD.findall(text))


def _raw(text: str) -> Words:
    return tuple(text.split())
