"""Runs of words that a dataset shares with other files, such as published datasets.

The n-grams of the dataset are the index, and the other files are streamed past it. A file in our
notation is read as schemas, each in all its cells: in the notation, other answers, key phrases and
marks stand between the words of a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from horsesense.audit.findings import Checked, Concern, Figure, Weight
from horsesense.audit.shared_runs import (
    RunIndex,
    Shared,
    note_longest,
    runs_in,
    shared_with,
    words_of,
)
from horsesense.audit.subject import Subject
from horsesense.audit.words import whole_texts
from horsesense.errors import FileError
from horsesense.schema import Entry, problems
from horsesense.schema.notation import SchemaFile

SUFFIX = ".schemas"


def is_schema_file(file: Path) -> bool:
    """Whether a file is in our notation, by its name.

    >>> is_schema_file(Path("shed.schemas")), is_schema_file(Path("shed.txt"))
    (True, False)
    """
    return file.suffix.lower() == SUFFIX


def shared_with_schemas(
    file: Path, indexes: Sequence[RunIndex], ids: Sequence[str]
) -> tuple[tuple[Shared, ...], tuple[int, ...]]:
    """The longest run that each entry shares with the schemas of a file, and its faulty lines.

    `places` counts schemas, for all cells of one share what does not vary.
    """
    longest_runs: dict[int, Shared] = {}
    with file.open("rb") as stream:
        source = SchemaFile(stream, str(file), "other")
        for entry in source.sound_entries():
            in_entry: dict[int, Shared] = {}
            for words in map(words_of, whole_texts(entry)):
                for run in (run for index in indexes for run in runs_in(words, index)):
                    shared = tuple(words[run.start : run.end])
                    before = in_entry.get(run.entry)
                    if before is None or len(shared) > len(before.words):
                        line = source.line_of(entry.id)
                        in_entry[run.entry] = Shared(ids[run.entry], file, line, shared)
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


def check_overlap(subject: Subject, paths: Iterable[Path]) -> Checked:
    """Runs of `RUN` words, or more, that entries and their versions share with other files.

    Sentences that are shorter are compared as wholes.
    """
    name, title = "overlap", f"{RUN} words in a row shared with other files"
    files = find_files(paths)
    if not files:
        return Checked(name, title, skipped="there are no files to compare with")
    indexes = [RunIndex(size) for size in range(LEAST_WHOLE, RUN + 1)]
    compared = [_add(indexes, number, entry) for number, entry in enumerate(subject.entries)]
    used = [index for index in indexes if index.grams]
    if not used:
        return Checked(name, title, skipped=f"no sentence is {LEAST_WHOLE} words long")
    ids = [entry.id for entry in subject.entries]
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
    return Checked(name, title, figures, (*concerns, *looks))


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
        runs: Sequence[Shared] = shared_with(file, indexes, ids)
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
    return "no text, but binary" if b"\0" in head or head.startswith(_PDF) else ""


def _faulty_text(file: Path, lines: Sequence[int]) -> str:
    if len(lines) == 1:
        which = f"line {lines[0]} of {file} is not a schema"
    else:
        which = f"{len(lines)} lines of {file}, the first of them {lines[0]}, are not schemas"
    return f"{which}; the file was compared word by word as well, which finds less"


def _shared_text(shared: Shared) -> str:
    others = shared.places - 1
    more = f" and in {others} more {'place' if others == 1 else 'places'}" if others else ""
    run = " ".join(shared.words)
    return f"{len(shared.words)} words in a row stand in {shared.file}:{shared.line}{more}: {run!r}"


def _skipped_text(reason: str, files: Sequence[Path]) -> str:
    listed = ", ".join(map(str, files[:_SHOWN_FILES]))
    more = f" and {len(files) - _SHOWN_FILES} more" if len(files) > _SHOWN_FILES else ""
    return f"not compared with {listed}{more}: {reason}"
