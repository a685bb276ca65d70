"""What there is to be scored: a schema in notation, a file in any known format, or a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from horsesense.cli.files import STDIN, default_name, opened_schema_file, read_bytes
from horsesense.cli.importing import looks_published
from horsesense.errors import FileError
from horsesense.importers import SourceFile, open_reading
from horsesense.notation import parse_grid
from horsesense.schema import Entry, Header
from horsesense.store import Store, find_dataset, load_entries

# What every schema in notation holds, and hardly any name of a file.
_PLACEHOLDERS = frozenset("<>{}")


@dataclass(frozen=True, slots=True)
class Material:
    """Entries to be read once, and what they are called; a schema in notation is alone.

    `unusable` counts what the file holds and cannot be used, once the entries have been read.
    """

    name: str
    entries: Iterable[Entry]
    is_one: bool = False
    unusable: Callable[[], int] = lambda: 0


@contextmanager
def opened_material(what: str, store: Path, *, is_dataset: bool) -> Iterator[Material]:
    """What the user named, open to be read."""
    if is_dataset:
        with Store.open(store) as opened:
            dataset = find_dataset(opened, what)
            name = f"{dataset.name}@{dataset.version}"
            yield Material(name, load_entries(opened, dataset))
    elif what == STDIN or _is_file(what):
        with _opened_file(what) as material:
            yield material
    elif _PLACEHOLDERS & set(what):
        yield Material(what, [Entry("schema", parse_grid(what))], is_one=True)
    else:
        raise FileError(
            f"there is no file {what!r}, and it is no schema in notation, which has its answers in"
            " < >; for a dataset in the store add --dataset"
        )


def _is_file(what: str) -> bool:
    try:
        return Path(what).exists()
    except OSError:  # a long schema is too long for a name
        return False


@contextmanager
def _opened_file(path: str) -> Iterator[Material]:
    file = SourceFile("<stdin>" if path == STDIN else path, read_bytes(path))
    if looks_published(file):
        reading = open_reading(file, Header(default_name(path)), keep_going=True)
        faults = reading.journal.faults
        yield Material(file.name, reading, unusable=lambda: len(faults))
    else:
        with opened_schema_file(path, file.data) as schemas:
            yield Material(file.name, schemas)
