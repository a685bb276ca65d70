"""Runs of words that a dataset shares with other files, such as published datasets.

The n-grams of the dataset are the index, and the other files are streamed past it. A file in our
notation is read as schemas, each in all its cells: in the notation, other answers, key phrases and
marks stand between the words of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from horsesense.audit.findings import CheckResult, Concern, Figure, Weight
from horsesense.audit.words import whole_texts
from horsesense.errors import FileError
from horsesense.schema import Dataset, Entry, problems
from horsesense.schema.notation import SchemaFile

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
class SharedRun:
    """The longest run of words that an entry shares with a file, and a line where it is.

    `places` counts the runs that the two share.
    """

    entry: str
    file: Path
    line: int
    words: tuple[str, ...]
    places: int = 1


@dataclass(frozen=True, slots=True)
class WordRun:
    """Words of a text in a row, from `start` up to `end`, that an entry has as well."""

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


def shared_with(file: Path, indexes: Sequence[RunIndex], ids: Sequence[str]) -> list[SharedRun]:
    """For each entry that shares something with the file the longest run, in order."""
    searches = [_Search(file, index, ids) for index in indexes]
    with file.open(encoding="utf-8", errors="replace") as stream:
        for block in _blocks(stream):
            words = _WORD.findall(block.text)
            for search in searches:
                search.read(block, words)
    longest: dict[int, SharedRun] = {}
    for search in searches:
        note_longest(longest, search.finished())
    return [longest[entry] for entry in sorted(longest)]


@dataclass(slots=True)
class _Search:
    """The runs of an index that were found in a file up to a place."""

    file: Path
    index: RunIndex
    ids: Sequence[str]
    found: dict[int, SharedRun] = field(default_factory=dict)
    # Words of the block before with which a run may begin, and runs up to its end, which may go on.
    tail: list[str] = field(default_factory=list)
    unfinished: dict[int, SharedRun] = field(default_factory=dict)

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
                new = SharedRun(self.ids[run.entry], self.file, line, shared)
            note_longest(self.unfinished if run.end == len(words) else self.found, {run.entry: new})
        self.tail = words[len(words) - index.size + 1 :]

    def finished(self) -> dict[int, SharedRun]:
        """The longest runs, once the file has been read to its end."""
        note_longest(self.found, self.unfinished)
        return self.found


def runs_in(words: Sequence[str], index: RunIndex) -> list[WordRun]:
    """Every run that an entry shares with a text, as long as it is, in the order of the text."""
    size, half, stride, halves = index.size, index.half, index.stride, index.halves
    runs: list[WordRun] = []
    open_runs: dict[int, WordRun] = {}
    for place in range(0, len(words) - half + 1, stride):
        if " ".join(words[place : place + half]) not in halves:
            continue
        first, last = max(0, place - stride + 1), min(place, len(words) - size)
        for start in range(first, last + 1):
            for entry in index.grams.get(" ".join(words[start : start + size]), ()):
                before = open_runs.get(entry)
                if before is not None and before.end == start + size - 1:
                    open_runs[entry] = WordRun(entry, before.start, start + size)
                    continue
                if before is not None:
                    runs.append(before)
                open_runs[entry] = WordRun(entry, start, start + size)
    return sorted([*runs, *open_runs.values()], key=lambda run: (run.start, run.entry))


def note_longest(longest_runs: dict[int, SharedRun], runs: Mapping[int, SharedRun]) -> None:
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


SUFFIX = ".schemas"


def is_schema_file(file: Path) -> bool:
    """Return whether a file is in our notation, by its name.

    >>> is_schema_file(Path("shed.schemas")), is_schema_file(Path("shed.txt"))
    (True, False)
    """
    return file.suffix.lower() == SUFFIX


def shared_with_schemas(
    file: Path, indexes: Sequence[RunIndex], ids: Sequence[str]
) -> tuple[tuple[SharedRun, ...], tuple[int, ...]]:
    """The longest run that each entry shares with the schemas of a file, and its faulty lines.

    `places` counts schemas, for all cells of one share what does not vary.
    """
    longest_runs: dict[int, SharedRun] = {}
    with file.open("rb") as stream:
        source = SchemaFile(stream, str(file), "other")
        for entry in source.sound_entries():
            in_entry: dict[int, SharedRun] = {}
            for words in map(words_of, whole_texts(entry)):
                for run in (run for index in indexes for run in runs_in(words, index)):
                    shared = tuple(words[run.start : run.end])
                    before = in_entry.get(run.entry)
                    if before is None or len(shared) > len(before.words):
                        line = source.line_of(entry.id)
                        in_entry[run.entry] = SharedRun(ids[run.entry], file, line, shared)
            note_longest(longest_runs, in_entry)
    faulty = tuple(dict.fromkeys(error.line_number for error in source.errors))
    longest = {shared.entry: shared for shared in shared_with(file, indexes, ids)} if faulty else {}
    for at in sorted(longest_runs):
        plain = longest.get(ids[at])
        if plain is None or len(plain.words) <= len(longest_runs[at].words):
            longest[ids[at]] = longest_runs[at]
    return tuple(longest[id_] for id_ in ids if id_ in longest), faulty


# Eight words in a row come together by chance only in set phrases. Work on the contamination of
# training data counts from 8 words (PaLM, 2022) to 13 (GPT-3, 2020); sentences here are short.
RUN = 8
# Sentences that are shorter than a run are compared as wholes; fewer than four words are a phrase,
# which anybody may use.
LEAST_WHOLE = 4
# As much of a file as tells what it is.
_HEAD = 8192
_GZIP, _PDF = b"\x1f\x8b", b"%PDF"
_SHOWN_FILES = 5


def check_overlap(dataset: Dataset, paths: Iterable[Path]) -> CheckResult:
    """Look for `RUN` words or more in a row that entries and their versions share with files.

    Sentences that are shorter are compared as wholes.
    """
    name, title = "overlap", f"{RUN} words in a row shared with other files"
    files = find_files(paths)
    if not files:
        return CheckResult(name, title, skipped="there are no files to compare with")
    indexes = [RunIndex(size) for size in range(LEAST_WHOLE, RUN + 1)]
    compared = [_add(indexes, number, entry) for number, entry in enumerate(dataset.entries)]
    used = [index for index in indexes if index.grams]
    if not used:
        return CheckResult(name, title, skipped=f"no sentence is {LEAST_WHOLE} words long")
    ids = [entry.id for entry in dataset.entries]
    concerns, skipped = list[Concern](), dict[str, list[Path]]()
    for file in files:
        if reason := _why_skipped(file):
            skipped.setdefault(reason, []).append(file)
            continue
        concerns += _concerns(file, used, ids)
    figures = (
        Figure(
            "entries that share a run",
            len({concern.entries for concern in concerns if concern.entries}),
        ),
        Figure("entries too short to be compared", compared.count(False)),
        Figure("files read", len(files) - sum(map(len, skipped.values()))),
        Figure("files skipped", sum(map(len, skipped.values()))),
    )
    looks = [Concern(Weight.LOOK, _skipped_text(reason, some)) for reason, some in skipped.items()]
    return CheckResult(name, title, figures, (*concerns, *looks))


def check_paths(paths: Iterable[Path]) -> None:
    """Raise an error for a path that does not exist."""
    for path in paths:
        if not path.exists():
            raise FileError(f"there is no file or folder {str(path)!r}")


def find_files(paths: Iterable[Path]) -> list[Path]:
    """The files, and those in the folders in alphabetical order; hidden ones are left out.

    A path that does not exist is an error.
    """
    listed = list(paths)
    check_paths(listed)
    files: list[Path] = []
    for path in listed:
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.is_file())
            hidden = {
                file
                for file in inside
                if any(part.startswith(".") for part in file.relative_to(path).parts)
            }
            files += [file for file in inside if file not in hidden]
        else:
            files.append(path)
    return list(dict.fromkeys(files))


def _add(indexes: Sequence[RunIndex], number: int, entry: Entry) -> bool:
    """Add all sentences of an entry to an index; False if they are too short.

    Sentences are filled, or have their pronoun; those of a full run may have a blank, too. The last
    index is that of runs, those before it are of whole sentences.
    """
    *wholes, runs = indexes
    is_compared = False
    for words in map(words_of, whole_texts(entry)):
        is_compared |= runs.add(number, words)
        for index in wholes:
            if len(words) == index.size:
                is_compared |= index.add(number, words)
    for grid in (entry.grid, *(version for _, version in entry.versions)):
        for problem in problems(grid):
            is_compared |= runs.add(number, words_of(problem.statement.text))
    return is_compared


def _concerns(file: Path, indexes: Sequence[RunIndex], ids: Sequence[str]) -> Iterator[Concern]:
    """Concerns about the runs that entries share with a readable file."""
    if not is_schema_file(file):
        runs: Sequence[SharedRun] = shared_with(file, indexes, ids)
    else:
        runs, faulty = shared_with_schemas(file, indexes, ids)
        if faulty:
            yield Concern(Weight.LOOK, _faulty_text(file, faulty))
    for shared in runs:
        # What is shorter than a run may be the same by chance.
        weight = Weight.FAULT if len(shared.words) >= RUN else Weight.LOOK
        yield Concern(weight, _shared_text(shared), (shared.entry,))


def _why_skipped(file: Path) -> str:
    """The reason why a file cannot be read as text; empty if it can."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if head.startswith(_GZIP):
        return "compressed with gzip; unpack it first"
    return "binary, not text" if b"\0" in head or head.startswith(_PDF) else ""


def _faulty_text(file: Path, lines: Sequence[int]) -> str:
    if len(lines) == 1:
        which = f"line {lines[0]} of {file} is not a schema"
    else:
        which = f"{len(lines)} lines of {file}, the first of them {lines[0]}, are not schemas"
    return f"{which}; the file was also compared word by word, which finds less"


def _shared_text(shared: SharedRun) -> str:
    others = shared.places - 1
    more = f" and in {others} more {'place' if others == 1 else 'places'}" if others else ""
    run = " ".join(shared.words)
    return (
        f"{len(shared.words)} words in a row are also in {shared.file}:{shared.line}{more}: {run!r}"
    )


def _skipped_text(reason: str, files: Sequence[Path]) -> str:
    listed = ", ".join(map(str, files[:_SHOWN_FILES]))
    more = f" and {len(files) - _SHOWN_FILES} more" if len(files) > _SHOWN_FILES else ""
    return f"not compared with {listed}{more}: {reason}"
