"""Blocks of four lines and a blank one: sentence, pronoun or gap, candidates, right candidate.

Rahman and Ng's DPR has this form, and what has followed it: MaskedWiki, WikiCREM, and the WSC and
PDP as Kocijan et al. rewrote them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from horsesense.datasets.importers.source import BAD_LABEL, BAD_ROW, SourceFile
from horsesense.datasets.recovery import Journal, trimmed

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
        """What there is to choose from, whatever the order and the capitals."""
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
        candidates = tuple(trimmed(one, steps.add) for one in listed.split(","))
        right = trimmed(answer, steps.add)
        if len(candidates) < 2 or not all(candidates):
            odd = f"{listed!r} is no list of candidates with commas between them"
            journal.fault(BAD_ROW, line + 2, str(number), odd)
        elif right not in candidates:
            odd = f"the right candidate {right!r} is none of {', '.join(map(repr, candidates))}"
            journal.fault(BAD_LABEL, line + 3, str(number), odd)
        else:
            for step in sorted(steps):
                journal.step(step, line, str(number), "", "put right")
            yield Block(number, line, sentence, gap.strip(), candidates, candidates.index(right))


def looks_like_blocks(file: SourceFile) -> list[str]:
    """The four lines of the first block, or nothing if the file does not start with one."""
    lines = file.head.replace("\r\n", "\n").lstrip("\n").split("\n", 5)
    if len(lines) < len(_LINES) or any(lines[4:5]) or not all(lines[:4]):
        return []
    listed = [one.strip() for one in lines[2].split(",")]
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
