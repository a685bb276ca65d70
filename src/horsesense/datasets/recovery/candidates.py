"""Where the candidates of a Winograd statement stand, as far as the answers tell.

An answer need not match its candidate (thesis 3.3.6): «the ladder» may stand for «a ladder»,
and «the ladle» for «the wooden ladle». What occurs literally is marked, wherever it
occurs; so is what differs in its article alone. The rest is reported. «The mouse» is not marked
in «the mouse hole», if the statement has it elsewhere by itself; that is reported, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter

from horsesense.datasets.recovery.found import Mark
from horsesense.schema.noun_phrases import may_go_on, without_determiner

_ARTICLES = ("the ", "a ", "an ")
_START = itemgetter(1)
_OWNED = re.compile(r" ?(['’]s|(?<=s)['’])$")


def base_form(answer: str) -> str:
    """The answer without a possessive ending.

    >>> base_form("Nora's"), base_form("the voles'"), base_form("the owl")
    ('Nora', 'the voles', 'the owl')
    """
    return _OWNED.sub("", answer) if answer[-1:] in "s'’" else answer


def locate(
    statement: str, answers: Sequence[str], taken: Sequence[tuple[int, int]]
) -> tuple[list[Mark], list[int], list[int], list[int]]:
    """The marks of the candidates, and the numbers of answers that have to be reported.

    These are the answers that only differ in their article, those that are missing, and those that
    may begin a longer noun, which is not marked.
    `taken` are the stretches of blanks and key phrases, where no candidate can stand.
    """
    lowered = _lowered(statement)
    used = [*taken]
    marks: list[Mark] = []
    inexact: list[int] = []
    missing: list[int] = []
    longer: list[int] = []
    lengths = [*map(len, answers)]
    order: Sequence[int] = range(len(answers))
    if sorted(lengths, reverse=True) != lengths:
        # The longer first, so that «the plum tree» is not taken for «the plum».
        order = sorted(order, key=lengths.__getitem__, reverse=True)
    for number in order:
        wanted = answers[number].lower()
        found = _free_places(lowered, wanted, used)
        if not found:
            found = _with_other_article(lowered, wanted, used)
            (inexact if found else missing).append(number)
        if len(found) > 1 and len(own := _by_themselves(statement, wanted, found)) < len(found):
            longer.append(number)
            found = own
        used += found
        for start, end in found:
            marks.append(Mark(number + 1, start, end))
    marks.sort(key=_START)
    return marks, sorted(inexact), sorted(missing), sorted(longer)


def _lowered(text: str) -> str:
    """The text in lower case, character by character, so that places stay what they are."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _free_places(text: str, phrase: str, used: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    if not phrase:
        return places
    start, size = text.find(phrase), len(phrase)
    while start >= 0:
        end = start + size
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            for first, last in used:
                if start < last and end > first:
                    break
            else:
                places.append((start, end))
        start = text.find(phrase, end)
    return places


def _by_themselves(text: str, answer: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places without those that may begin a longer noun; all, if none is by itself."""
    if without_determiner(answer) == answer:
        return places  # names do not begin longer nouns
    return [place for place in places if not may_go_on(text, *place)] or places


def _with_other_article(
    text: str, answer: str, used: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    article = next((one for one in _ARTICLES if answer.startswith(one)), "")
    noun = answer.removeprefix(article)
    for other in _ARTICLES:
        if other != article and (found := _free_places(text, other + noun, used)):
            return found
    return []
