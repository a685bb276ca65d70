"""Blocks with a gap in the sentence: the files of Kocijan et al., and WikiCREM.

The sentence has `[MASK]` where the pronoun or name was; two to five candidates may fill it. Some
of the files list the right candidate first in every block. Twins are not marked: whether there
are any, and which, shows in how the candidates come back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from horsesense.datasets.importers import fitting
from horsesense.datasets.importers.blocks import Block, looks_like_blocks, read_blocks
from horsesense.datasets.importers.format import Companions, Format, singles
from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import (
    BY_OPTIONS,
    NO_TWINS,
    UNKNOWN_PRONOUN,
    Group,
    Journal,
    RawProblem,
    Twins,
)

MASK = "[MASK]"
BY_APPEARANCE = "options-by-appearance"
SPACE_AFTER_GAP = "space-after-gap"
_MARKS = (".", ",", ";", ":", "?", "!")
_SPACED = re.compile(r"\w [.,;?!]")
_SAME_OPTIONS = Twins(BY_OPTIONS, "the same options, as most occur twice and close to each other")
# So many of all problems have a twin in a file of twins; a few may be broken or alone.
_MOST = 0.9
# As far apart as twins stand where two schemas are told in turns.
_NEAR = 3


def _looks_like(file: SourceFile) -> bool:
    lines = looks_like_blocks(file)
    return bool(lines) and lines[1].strip() == MASK and MASK in lines[0]


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    blocks = list(read_blocks(file, journal))
    reorder, is_tokenised = _gives_away(blocks, journal), _is_tokenised(blocks)
    usable: list[Block] = []
    found: list[RawProblem] = []
    for block in blocks:
        try:
            one = _found(block, reorder=reorder)
        except BadRow as error:
            journal.fault(BAD_ROW, block.line, block.name, str(error))
            continue
        if not is_tokenised:
            one = _closed_up(one, journal)
        usable.append(block)
        found.append(fitting.fitted(one, journal))
    return _groups(usable, found)


def _gives_away(blocks: Sequence[Block], journal: Journal) -> bool:
    """Whether to reorder the candidates, because the right one always comes first."""
    if not blocks or any(block.right for block in blocks):
        return False
    odd = f"the right candidate is the first in all {len(blocks)} blocks"
    done = "candidates ordered by their first appearance in the sentence"
    return journal.repair(BY_APPEARANCE, 0, "", odd, done)


def _found(block: Block, *, reorder: bool) -> RawProblem:
    texts = tuple(block.sentence.split(block.gap))
    if len(texts) != 2:
        raise BadRow(f"{len(texts) - 1} gaps {block.gap!r} where one is expected")
    candidates = block.candidates
    right = block.right
    if reorder:
        candidates = _by_appearance(candidates, block.sentence.lower())
        right = candidates.index(block.candidates[right])
    options = tuple((candidate,) for candidate in candidates)
    return RawProblem(block.name, block.line, texts, options, right, UNKNOWN_PRONOUN)


def _by_appearance(candidates: Sequence[str], sentence: str) -> tuple[str, ...]:
    """The candidates as they come in the sentence; those that do not, last and by the alphabet."""
    places = [(sentence.find(one.lower()), one) for one in candidates]
    if min(places)[0] < 0:
        places = [(len(sentence) if place < 0 else place, one) for place, one in places]
    return tuple(one for _, one in sorted(places))


def _is_tokenised(blocks: Sequence[Block]) -> bool:
    """True for a file whose punctuation marks have spaces before them everywhere."""
    spaced = sum(_SPACED.search(block.sentence) is not None for block in blocks)
    return 2 * spaced > len(blocks)


def _closed_up(found: RawProblem, journal: Journal) -> RawProblem:
    """The problem without a space between its blank and a punctuation mark."""
    before, after = found.texts
    mark = after.lstrip(" ")
    if mark == after or not mark.startswith(_MARKS):
        return found
    odd, done = f"a space before {mark[:1]!r}", "removed"
    if not journal.repair(SPACE_AFTER_GAP, found.line, found.name, odd, done):
        return found
    return found._replace(texts=(before, mark))


def _groups(blocks: Sequence[Block], found: Sequence[RawProblem]) -> Iterable[Group]:
    """The problems with their twins, if the file is one of twins."""
    choices = [block.choice for block in blocks]
    if _share_beside(choices) >= _MOST:
        return twins_of_neighbours(found)
    pairs = _close_pairs(choices)
    if 2 * len(pairs) >= _MOST * len(found):
        return _paired(found, pairs)
    return singles(found)


def _share_beside(choices: Sequence[object]) -> float:
    """How many of the problems have the same options as one beside them, out of 1."""
    beside: set[int] = set()
    for number, (one, other) in enumerate(pairwise(choices)):
        if one == other:
            beside |= {number, number + 1}
    return len(beside) / len(choices) if choices else 0.0


def _close_pairs(choices: Sequence[object]) -> dict[int, int]:
    """For the first of two problems that alone have their options: the second, if it is close."""
    places: dict[object, list[int]] = {}
    for number, choice in enumerate(choices):
        places.setdefault(choice, []).append(number)
    pairs = (numbers for numbers in places.values() if len(numbers) == 2)
    return {first: second for first, second in pairs if second - first <= _NEAR}


def _paired(found: Sequence[RawProblem], pairs: Mapping[int, int]) -> Iterator[Group]:
    seconds = frozenset(pairs.values())
    for number, one in enumerate(found):
        if number in pairs:
            yield Group(one.name, [one, found[pairs[number]]], twins=_SAME_OPTIONS)
        elif number not in seconds:
            yield Group(one.name, [one], twins=_SAME_OPTIONS)


FORMAT = Format(
    name="masked-blocks",
    title="blocks of lines with [MASK] (Kocijan et al., WikiCREM)",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(NO_TWINS, "options do not come back as those of twins do"),
    repairs={
        BY_APPEARANCE: "candidates are put in the order of the sentence where the right one is "
        "always listed first",
        SPACE_AFTER_GAP: "no space is left between the gap and a punctuation mark, unless the "
        "whole file is tokenised",
        **fitting.CAPITALS,
    },
    contiguous=True,
)
