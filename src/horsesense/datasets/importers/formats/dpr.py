"""Definite Pronoun Resolution (Rahman and Ng), also known as WSCR: blocks, twins side by side.

The pronoun is named and not marked. Where it occurs several times, the first after the mention
of both candidates is taken: it is there that the clause begins in which twins differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from horsesense.datasets.importers import fitting
from horsesense.datasets.importers.blocks import Block, looks_like_blocks, read_blocks
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import BY_NEIGHBOURS, Group, Journal, RawProblem, Twins

AMBIGUOUS = "pronoun-ambiguous"
NO_TWIN = "no-twin"


def _looks_like(file: SourceFile) -> bool:
    lines = looks_like_blocks(file)
    return bool(lines) and lines[1][:1].isalpha() and bool(_places(lines[0], lines[1].strip()))


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    problems: list[tuple[Block, RawProblem]] = []
    for block in read_blocks(file, journal):
        try:
            problems.append((block, fitting.fitted(_found(block, journal), journal)))
        except BadRow as error:
            journal.fault(BAD_ROW, block.line, block.name, str(error))
    return _twins(problems, journal)


def _found(block: Block, journal: Journal) -> RawProblem:
    sentence, pronoun = block.sentence, block.gap
    places = _places(sentence, pronoun)
    if not places:
        raise BadRow(f"the pronoun {pronoun!r} does not occur in the sentence")
    start = places[0] if len(places) == 1 else _meant(block, places, journal)
    end = start + len(pronoun)
    options = tuple((candidate,) for candidate in block.candidates)
    texts = sentence[:start], sentence[end:]
    return RawProblem(block.name, block.line, texts, options, block.right, sentence[start:end])


def _places(sentence: str, phrase: str) -> list[int]:
    """Where the phrase stands as whole words, whatever its capitals."""
    text, sought = sentence.lower(), phrase.lower()
    if len(text) != len(sentence):
        # A few letters are two in lower case («İ»), so that places would not hold.
        text, sought = sentence, phrase
    places: list[int] = []
    start = text.find(sought) if sought else -1
    while start >= 0:
        end = start + len(sought)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            places.append(start)
        start = text.find(sought, end)
    return places


def _meant(block: Block, places: Sequence[int], journal: Journal) -> int:
    """Which of several occurrences is meant."""
    text = block.sentence.lower()
    named = max(text.find(candidate.lower()) for candidate in block.candidates)
    after = [number for number, place in enumerate(places) if place > named]
    number = after[0] if after else len(places) - 1
    why = "the first after both candidates" if after else "the last"
    odd = f"{block.gap!r} occurs {len(places)} times"
    done = f"number {number + 1} was taken, {why}"
    journal.oddity(AMBIGUOUS, block.line, block.name, odd, done)
    return places[number]


def _twins(problems: Sequence[tuple[Block, RawProblem]], journal: Journal) -> Iterator[Group]:
    """Blocks that follow one another and have the same candidates."""
    position = 0
    while position < len(problems):
        (block, found), following = problems[position], problems[position + 1 : position + 2]
        members = [found]
        for other, twin in following:
            if other.number == block.number + 1 and other.choice == block.choice:
                members.append(twin)
        if len(members) == 1:
            journal.oddity(NO_TWIN, block.line, block.name, "no neighbour has these candidates")
        yield Group(found.name, members)
        position += len(members)


FORMAT = Format(
    name="dpr",
    title="Definite Pronoun Resolution, blocks of lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_NEIGHBOURS, "neighbourhood, with the same candidates"),
    repairs=fitting.REPAIRS,
    issues={
        AMBIGUOUS: "the pronoun occurs several times in its sentence; one was taken by rule",
        NO_TWIN: "a problem without a twin",
    },
)
