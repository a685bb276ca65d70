"""Blocks of four lines: Definite Pronoun Resolution (DPR), Kocijan et al., and WikiCREM.

A block has a sentence, its pronoun, the candidates and the right candidate. In DPR the pronoun must
be located in the sentence, and twins are neighbours with the same candidates. The files of Kocijan
et al. have `[MASK]` instead of the pronoun and two to five candidates; some list the right one
first in every block. Their twins are not marked and are inferred from repeated candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from horsesense.datasets.importers.format import (
    CAPITALS,
    REPAIRS,
    Companions,
    Format,
    fitted,
    singles,
)
from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.source import BAD_LABEL, BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import (
    BY_NEIGHBOURS,
    BY_OPTIONS,
    NO_TWINS,
    UNKNOWN_PRONOUN,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
    trimmed,
)

_LINES = ("sentence", "pronoun or gap", "candidates", "right candidate")


class Block(NamedTuple):
    """One block: its number counts broken ones too, its line is that of the sentence."""

    number: int
    line: int
    sentence: str
    gap: str
    candidates: tuple[str, ...]
    right: int

    @property
    def name(self) -> str:
        return str(self.number)

    @property
    def choice(self) -> frozenset[str]:
        """The candidates regardless of order and capitals."""
        return frozenset(candidate.lower() for candidate in self.candidates)


def read_blocks(file: SourceFile, journal: Journal) -> Iterator[Block]:
    """The blocks of a file; one that is broken, or has no right candidate, is a fault."""
    for number, (line, texts) in enumerate(_stretches(file, journal), start=1):
        if len(texts) != len(_LINES):
            odd = f"a block of {len(texts)} lines; expected are {len(_LINES)}: {', '.join(_LINES)}"
            journal.fault(BAD_ROW, line, str(number), odd)
            continue
        sentence, gap, listed, answer = texts
        steps: set[str] = set()
        candidates = tuple(trimmed(part, steps.add) for part in listed.split(","))
        right = trimmed(answer, steps.add)
        if len(candidates) < 2 or not all(candidates):
            odd = f"{listed!r} is not a comma-separated list of candidates"
            journal.fault(BAD_ROW, line + 2, str(number), odd)
        elif right not in candidates:
            odd = f"the right candidate {right!r} is none of {', '.join(map(repr, candidates))}"
            journal.fault(BAD_LABEL, line + 3, str(number), odd)
        else:
            for step in sorted(steps):
                journal.step(step, line, str(number), "", "cleaned")
            yield Block(number, line, sentence, gap.strip(), candidates, candidates.index(right))


def looks_like_blocks(file: SourceFile) -> list[str]:
    """The four lines of the first block, or nothing if the file does not start with one."""
    lines = file.head.replace("\r\n", "\n").lstrip("\n").split("\n", 5)
    if len(lines) < len(_LINES) or any(lines[4:5]) or not all(lines[:4]):
        return []
    listed = [part.strip() for part in lines[2].split(",")]
    return lines[:4] if len(listed) > 1 and lines[3].strip() in listed else []


def _stretches(file: SourceFile, journal: Journal) -> Iterator[tuple[int, list[str]]]:
    """Lines between blank ones, with the number of the first."""
    start = 0
    texts: list[str] = []
    for number, text in file.lines(journal):
        if text and not text.isspace():
            if not texts:
                start = number
            texts.append(text)
        elif texts:
            yield start, texts
            texts = []
    if texts:
        yield start, texts


AMBIGUOUS = "pronoun-ambiguous"
NO_TWIN = "no-twin"


def _looks_like(file: SourceFile) -> bool:
    lines = looks_like_blocks(file)
    return bool(lines) and lines[1][:1].isalpha() and bool(_positions(lines[0], lines[1].strip()))


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    problems: list[tuple[Block, RawProblem]] = []
    for block in read_blocks(file, journal):
        try:
            problems.append((block, fitted(_raw_problem(block, journal), journal)))
        except BadRow as error:
            journal.fault(BAD_ROW, block.line, block.name, str(error))
    return _twins(problems, journal)


def _raw_problem(block: Block, journal: Journal) -> RawProblem:
    sentence, pronoun = block.sentence, block.gap
    positions = _positions(sentence, pronoun)
    if not positions:
        raise BadRow(f"the pronoun {pronoun!r} does not occur in the sentence")
    start = positions[0] if len(positions) == 1 else _choose_position(block, positions, journal)
    end = start + len(pronoun)
    options = tuple((candidate,) for candidate in block.candidates)
    texts = sentence[:start], sentence[end:]
    return RawProblem(block.name, block.line, texts, options, block.right, sentence[start:end])


def _positions(sentence: str, phrase: str) -> list[int]:
    """Return the positions of the phrase as whole words, ignoring case."""
    text, sought = sentence.lower(), phrase.lower()
    if len(text) != len(sentence):
        # A few letters are two in lower case («İ»), so that positions would not hold.
        text, sought = sentence, phrase
    positions: list[int] = []
    start = text.find(sought) if sought else -1
    while start >= 0:
        end = start + len(sought)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            positions.append(start)
        start = text.find(sought, end)
    return positions


def _choose_position(block: Block, positions: Sequence[int], journal: Journal) -> int:
    """Which of several occurrences is meant."""
    text = block.sentence.lower()
    named = max(text.find(candidate.lower()) for candidate in block.candidates)
    after = [number for number, position in enumerate(positions) if position > named]
    number = after[0] if after else len(positions) - 1
    rule = "the first after both candidates" if after else "the last"
    odd = f"{block.gap!r} occurs {len(positions)} times"
    done = f"used number {number + 1}, {rule}"
    journal.oddity(AMBIGUOUS, block.line, block.name, odd, done)
    return positions[number]


def _twins(problems: Sequence[tuple[Block, RawProblem]], journal: Journal) -> Iterator[RawEntry]:
    """Blocks that follow one another and have the same candidates."""
    position = 0
    while position < len(problems):
        (block, raw_problem), following = problems[position], problems[position + 1 : position + 2]
        members = [raw_problem]
        for other, twin in following:
            if other.number == block.number + 1 and other.choice == block.choice:
                members.append(twin)
        if len(members) == 1:
            journal.oddity(NO_TWIN, block.line, block.name, "no neighbour has these candidates")
        yield RawEntry(raw_problem.name, members)
        position += len(members)


FORMAT_DPR = Format(
    name="dpr",
    title="Definite Pronoun Resolution, blocks of lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_NEIGHBOURS, "position and equal candidates"),
    repairs=REPAIRS,
    issues={
        AMBIGUOUS: "the pronoun occurs several times in its sentence; one was chosen by rule",
        NO_TWIN: "a problem without a twin",
    },
)


MASK = "[MASK]"
BY_APPEARANCE = "options-by-appearance"
SPACE_AFTER_GAP = "space-after-gap"
_MARKS = (".", ",", ";", ":", "?", "!")
_SPACED = re.compile(r"\w [.,;?!]")
_SAME_OPTIONS = Twins(BY_OPTIONS, "equal options, as most occur twice and close together")
# The minimal share of problems with a twin in a file of twins.
_MOST = 0.9
# The largest distance of twins, where two schemas alternate.
_NEAR = 3


def _looks_like_masked(file: SourceFile) -> bool:
    lines = looks_like_blocks(file)
    return bool(lines) and lines[1].strip() == MASK and MASK in lines[0]


def _read_masked(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    blocks = list(read_blocks(file, journal))
    reorder, is_tokenised = _gives_away(blocks, journal), _is_tokenised(blocks)
    usable: list[Block] = []
    raw_problems: list[RawProblem] = []
    for block in blocks:
        try:
            raw_problem = _masked_problem(block, reorder=reorder)
        except BadRow as error:
            journal.fault(BAD_ROW, block.line, block.name, str(error))
            continue
        if not is_tokenised:
            raw_problem = _closed_up(raw_problem, journal)
        usable.append(block)
        raw_problems.append(fitted(raw_problem, journal))
    return _groups(usable, raw_problems)


def _gives_away(blocks: Sequence[Block], journal: Journal) -> bool:
    """Return whether to reorder candidates, because the right one always comes first."""
    if not blocks or any(block.right for block in blocks):
        return False
    odd = f"the right candidate is the first in all {len(blocks)} blocks"
    done = "candidates ordered by their first appearance in the sentence"
    return journal.repair(BY_APPEARANCE, 0, "", odd, done)


def _masked_problem(block: Block, *, reorder: bool) -> RawProblem:
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
    positions = [(sentence.find(candidate.lower()), candidate) for candidate in candidates]
    if min(positions)[0] < 0:
        positions = [
            (len(sentence) if position < 0 else position, candidate)
            for position, candidate in positions
        ]
    return tuple(candidate for _, candidate in sorted(positions))


def _is_tokenised(blocks: Sequence[Block]) -> bool:
    """Return True for a file whose punctuation marks have spaces before them everywhere."""
    spaced = sum(_SPACED.search(block.sentence) is not None for block in blocks)
    return 2 * spaced > len(blocks)


def _closed_up(raw_problem: RawProblem, journal: Journal) -> RawProblem:
    """The problem without a space between its blank and a punctuation mark."""
    before, after = raw_problem.texts
    mark = after.lstrip(" ")
    if mark == after or not mark.startswith(_MARKS):
        return raw_problem
    odd, done = f"a space before {mark[:1]!r}", "removed"
    if not journal.repair(SPACE_AFTER_GAP, raw_problem.line, raw_problem.name, odd, done):
        return raw_problem
    return raw_problem._replace(texts=(before, mark))


def _groups(blocks: Sequence[Block], raw_problems: Sequence[RawProblem]) -> Iterable[RawEntry]:
    """The problems with their twins, if the file is one of twins."""
    choices = [block.choice for block in blocks]
    if _share_beside(choices) >= _MOST:
        return twins_of_neighbours(raw_problems)
    pairs = _close_pairs(choices)
    if 2 * len(pairs) >= _MOST * len(raw_problems):
        return _paired(raw_problems, pairs)
    return singles(raw_problems)


def _share_beside(choices: Sequence[object]) -> float:
    """Return the share of problems with the same options as a neighbour."""
    beside: set[int] = set()
    for number, (choice, following) in enumerate(pairwise(choices)):
        if choice == following:
            beside |= {number, number + 1}
    return len(beside) / len(choices) if choices else 0.0


def _close_pairs(choices: Sequence[object]) -> dict[int, int]:
    """For the first of two problems that alone have their options: the second, if it is close."""
    numbers_by_choice: dict[object, list[int]] = {}
    for number, choice in enumerate(choices):
        numbers_by_choice.setdefault(choice, []).append(number)
    pairs = (numbers for numbers in numbers_by_choice.values() if len(numbers) == 2)
    return {first: second for first, second in pairs if second - first <= _NEAR}


def _paired(raw_problems: Sequence[RawProblem], pairs: Mapping[int, int]) -> Iterator[RawEntry]:
    seconds = frozenset(pairs.values())
    for number, raw_problem in enumerate(raw_problems):
        if number in pairs:
            yield RawEntry(
                raw_problem.name, [raw_problem, raw_problems[pairs[number]]], twins=_SAME_OPTIONS
            )
        elif number not in seconds:
            yield RawEntry(raw_problem.name, [raw_problem], twins=_SAME_OPTIONS)


FORMAT_MASKED_BLOCKS = Format(
    name="masked-blocks",
    title="blocks of lines with [MASK] (Kocijan et al., WikiCREM)",
    looks_like=_looks_like_masked,
    read=_read_masked,
    twins=Twins(NO_TWINS, "options do not come back as those of twins do"),
    repairs={
        BY_APPEARANCE: "candidates are put in the order of the sentence where the right one is "
        "always listed first",
        SPACE_AFTER_GAP: "no space is left between the gap and a punctuation mark, unless the "
        "whole file is tokenized",
        **CAPITALS,
    },
    contiguous=True,
)
