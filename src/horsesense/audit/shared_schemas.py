"""Runs of words that a dataset shares with the filled sentences of a schema file.

In our notation the words of a sentence do not stand in a row: other answers and key phrases, and
what marks them, are between. So such a file is read as schemas, each in all its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from horsesense.audit.shared_runs import (
    RunIndex,
    Shared,
    note_longest,
    runs_in,
    shared_with,
    words_of,
)
from horsesense.audit.words import whole_texts
from horsesense.schema.notation import SchemaFile

SUFFIX = ".schemas"


@dataclass(frozen=True, slots=True)
class SharedSchemas:
    """For each entry that shares something the longest run, and the lines with a fault."""

    shared: tuple[Shared, ...]
    faulty: tuple[int, ...]


def is_schema_file(file: Path) -> bool:
    """Whether a file is in our notation, by its name.

    >>> is_schema_file(Path("shed.schemas")), is_schema_file(Path("shed.txt"))
    (True, False)
    """
    return file.suffix.lower() == SUFFIX


def shared_with_schemas(
    file: Path, indexes: Sequence[RunIndex], ids: Sequence[str]
) -> SharedSchemas:
    """What entries share with the schemas of a file; with its words, where some are no schemas.

    `places` counts schemas, for all cells of one share what does not vary.
    """
    found: dict[int, Shared] = {}
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
            note_longest(found, in_entry)
    faulty = tuple(dict.fromkeys(error.line_number for error in source.errors))
    longest = {one.entry: one for one in shared_with(file, indexes, ids)} if faulty else {}
    for at in sorted(found):
        plain = longest.get(ids[at])
        if plain is None or len(plain.words) <= len(found[at].words):
            longest[ids[at]] = found[at]
    return SharedSchemas(tuple(longest[id_] for id_ in ids if id_ in longest), faulty)
