"""Runs of words that texts share with files of any format, found in one reading of each file.

A file is read as a stream of words: anything but words is skipped, be it punctuation, a blank, a
bracket or a tag. So it does not matter whether it is plain text, JSON, CSV or XML, nor where its
lines end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

# Characters that are read at a time: large enough to be quick, small enough for any memory.
_BLOCK = 1 << 20
# Apostrophes inside a word only: at its ends they are quotation marks. Other than in words.py,
# letters with accents are none: files write them in several ways, as escapes and entities too.
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
# Tags, whose attributes are quoted, so that «<it = the jug, the urn>» is none; the escapes of JSON
# and the entities of XML.
_MARKUP = re.compile(
    r"""</?[a-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*/?>"""
    r"""|\\+(?:[nrt"]|u[0-9a-f]{4})|&#?\w+;"""
)
_APOSTROPHES = re.compile(r"’|\\+u2019|&apos;|&#0*39;|&#x27;|&rsquo;|&#8217;")


@dataclass(frozen=True, slots=True)
class Shared:
    """The longest run of words that an entry shares with a file, and a line on which it stands.

    `places` counts the runs that the two share.
    """

    entry: str
    file: Path
    line: int
    words: tuple[str, ...]
    places: int = 1


@dataclass(frozen=True, slots=True)
class Run:
    """The words of a text, `start` up to `end`, that an entry has too."""

    entry: int
    start: int
    end: int


@dataclass(slots=True)
class RunIndex:
    """The n-grams of a dataset, each with the entries that it is from.

    `halves` are all runs of half the length. Every n-gram of a text has one of those at every
    `stride`-th word of the text, so that only these are looked up.
    """

    size: int
    grams: dict[str, list[int]] = field(default_factory=dict)
    halves: set[str] = field(default_factory=set)

    @property
    def half(self) -> int:
        return (self.size + 1) // 2

    @property
    def stride(self) -> int:
        return self.size - self.half + 1

    def add(self, number: int, words: Sequence[str]) -> bool:
        """Add a sentence of an entry, entry by entry; False if it is too short to have n-grams."""
        if len(words) < self.size:
            return False
        for gram in _grams(words, self.size):
            entries = self.grams.setdefault(gram, [])
            if entries[-1:] != [number]:
                entries.append(number)
        self.halves.update(_grams(words, self.half))
        return True


def words_of(text: str) -> list[str]:
    """The words of a text in any format: letters, digits and apostrophes, in lower case.

    >>> words_of('{"text": "Ann\\\\u2019s jug [the old one] hit <b>_</b>\\\\nand"}')
    ['text', "ann's", 'jug', 'the', 'old', 'one', 'hit', 'and']
    """
    return _WORD.findall(_plain(text))


def shared_with(file: Path, indexes: Sequence[RunIndex], ids: Sequence[str]) -> list[Shared]:
    """For each entry that shares something with the file the longest run, in order."""
    searches = [_Search(file, index, ids) for index in indexes]
    with file.open(encoding="utf-8", errors="replace") as stream:
        for block in _blocks(stream):
            words = _WORD.findall(block.text)
            for search in searches:
                search.read(block, words)
    longest: dict[int, Shared] = {}
    for search in searches:
        note_longest(longest, search.finished())
    return [longest[entry] for entry in sorted(longest)]


@dataclass(slots=True)
class _Search:
    """The runs of an index that were found in a file up to a place."""

    file: Path
    index: RunIndex
    ids: Sequence[str]
    found: dict[int, Shared] = field(default_factory=dict)
    # Words of the block before with which a run may begin, and runs up to its end, which may go on.
    tail: list[str] = field(default_factory=list)
    unfinished: dict[int, Shared] = field(default_factory=dict)

    def read(self, block: _Block, read: Sequence[str]) -> None:
        """Look for runs in the words of the next block."""
        index, tail = self.index, self.tail
        words = [*tail, *read]
        if len(words) < index.size:
            self.tail = words
            return
        runs = runs_in(words, index)
        # What goes on shares all but its first word with the end of what it goes on from.
        going_on = {run.entry for run in runs if run.start == 0} & self.unfinished.keys()
        over = {at: run for at, run in self.unfinished.items() if at not in going_on}
        note_longest(self.found, over)
        before, self.unfinished = self.unfinished, {}
        lines = block.lines_of_words() if runs else []
        for run in runs:
            if run.start == 0 and run.entry in going_on:
                new = before[run.entry]
                more = words[index.size - 1 : run.end]
                new = replace(new, words=(*new.words, *more))
            else:
                # The tail is shorter than a run, so that a run's last word is in the block.
                line = lines[run.start + index.size - 1 - len(tail)]
                shared = tuple(words[run.start : run.end])
                new = Shared(self.ids[run.entry], self.file, line, shared)
            note_longest(self.unfinished if run.end == len(words) else self.found, {run.entry: new})
        self.tail = words[len(words) - index.size + 1 :]

    def finished(self) -> dict[int, Shared]:
        """The longest runs, once the file has been read to its end."""
        note_longest(self.found, self.unfinished)
        return self.found


def runs_in(words: Sequence[str], index: RunIndex) -> list[Run]:
    """Every run that an entry shares with a text, as long as it is, in the order of the text."""
    size, half, stride, halves = index.size, index.half, index.stride, index.halves
    runs: list[Run] = []
    open_runs: dict[int, Run] = {}
    for place in range(0, len(words) - half + 1, stride):
        if " ".join(words[place : place + half]) not in halves:
            continue
        first, last = max(0, place - stride + 1), min(place, len(words) - size)
        for start in range(first, last + 1):
            for entry in index.grams.get(" ".join(words[start : start + size]), ()):
                before = open_runs.get(entry)
                if before is not None and before.end == start + size - 1:
                    open_runs[entry] = Run(entry, before.start, start + size)
                    continue
                if before is not None:
                    runs.append(before)
                open_runs[entry] = Run(entry, start, start + size)
    return sorted([*runs, *open_runs.values()], key=lambda run: (run.start, run.entry))


def note_longest(longest_runs: dict[int, Shared], runs: Mapping[int, Shared]) -> None:
    """Record one more run of some entries; keep the longest, and the first of equals."""
    for entry, new in runs.items():
        old = longest_runs.get(entry)
        if old is None:
            longest_runs[entry] = new
        else:
            longest = new if len(new.words) > len(old.words) else old
            longest_runs[entry] = replace(longest, places=old.places + new.places)


def _plain(text: str) -> str:
    """The text in lower case, without markup that looks like words.

    It keeps its lines, also where a tag runs over several.
    """
    text = text.lower()
    if "’" in text or "&" in text or "\\" in text:  # which is quick to see
        text = _APOSTROPHES.sub("'", text)
    if "<" in text or "&" in text or "\\" in text:
        text = _MARKUP.sub(_blank, text)
    return text


def _blank(markup: re.Match[str]) -> str:
    return " " + "\n" * markup[0].count("\n")


def _grams(words: Sequence[str], size: int) -> Iterator[str]:
    """Every run of so many words."""
    for start in range(len(words) - size + 1):
        yield " ".join(words[start : start + size])


@dataclass(frozen=True, slots=True)
class _Block:
    """A part of a file as plain text, and the number of its first line."""

    text: str
    line: int

    def lines_of_words(self) -> list[int]:
        """The line on which each word stands."""
        lines = enumerate(self.text.split("\n"), start=self.line)
        return [number for number, line in lines for _ in _WORD.finditer(line)]


def _blocks(stream: TextIO) -> Iterator[_Block]:
    """A file in parts that end with a line or, where lines are very long, with a word."""
    line, rest = 1, ""
    while read := stream.read(_BLOCK):
        text = rest + read
        end = (text.rfind("\n") if "\n" in read else text.rfind(" ")) + 1 or len(text)
        text, rest = text[:end], text[end:]
        yield _Block(_plain(text), line)
        line += text.count("\n")
    if rest:
        yield _Block(_plain(rest), line)
