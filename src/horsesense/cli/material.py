"""What there is to be scored: a schema in notation, a file in any known format, or a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import click

from horsesense.cli.options import MODES, ChosenMode, chosen_mode, mode_of
from horsesense.cli.output import counted
from horsesense.cli.perturb_views import named
from horsesense.datasets.importers import open_import
from horsesense.datasets.opening import (
    STDIN,
    default_name,
    is_built_in,
    is_file,
    looks_published,
    opened_schema_file,
    source_file,
)
from horsesense.errors import FileError
from horsesense.schema import Entry, Header, Mode
from horsesense.schema.notation import parse_grid
from horsesense.store import (
    Store,
    StoredDataset,
    StoredPerturbation,
    accepted_in,
    find_dataset,
    find_perturbation,
    load_entries,
    perturbation_of,
)

# What every schema in notation holds, and hardly any name of a file.
_PLACEHOLDERS = frozenset("<>{}")
ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Material:
    """Entries to be read once, and what they are called; a schema in notation is alone.

    `mode` is the one in which they are to be solved, `is_declared` whether it is their own.
    `remarks` tell what is to be known of them,
    once they have been read.
    """

    name: str
    entries: Iterable[Entry]
    mode: Mode = Mode.BY_ANSWER
    is_one: bool = False
    is_declared: bool = False
    remarks: Callable[[], list[str]] = list


@contextmanager
def opened_material(
    what: str,
    store: Path,
    *,
    is_dataset: bool,
    only_accepted: bool = False,
    mode_name: str | None = None,
) -> Iterator[Material]:
    """What the user named, open to be read; of a perturbation, on request, what was accepted."""
    if only_accepted and not is_dataset:
        raise click.UsageError("--accepted is for perturbations in the store; add --dataset")
    if is_dataset:
        with Store.open(store) as opened:
            dataset = find_dataset(opened, what)
            chosen = mode_of(opened, dataset, mode_name)
            yield _stored(opened, dataset, chosen, only_accepted=only_accepted)
    elif what == STDIN or is_file(what) or is_built_in(what):
        with _opened_file(what, mode_name) as material:
            yield material
    elif _PLACEHOLDERS & set(what):
        mode = MODES[mode_name] if mode_name else Mode.BY_ANSWER
        yield Material(what, [Entry("schema", parse_grid(what))], mode, is_one=True)
    else:
        raise FileError(
            f"there is no file {what!r}, and it is no schema in notation, which has its answers in"
            " < >; for a dataset in the store add --dataset"
        )


def _stored(
    store: Store, dataset: StoredDataset, chosen: ChosenMode, *, only_accepted: bool
) -> Material:
    name = f"{dataset.name}@{dataset.version}"
    entries = load_entries(store, dataset)
    perturbation = perturbation_of(store, dataset)
    if perturbation is None:
        if only_accepted:
            raise click.UsageError(f"{name} is no perturbation; --accepted has no meaning for it")
        told = chosen.told(name)
        return Material(
            name, entries, chosen.mode, is_declared=chosen.is_declared, remarks=lambda: told
        )
    accepted = accepted_in(store, perturbation, dataset)
    entries = (_marked(entry) if entry.id in accepted else entry for entry in entries)
    made = f"{name}: {perturbation.transformation} of {perturbation.original.name}"
    if chosen.mode is not Mode.BY_ANSWER:
        made += f", solved {chosen.mode}"
    made += f"; {len(accepted)} of {counted(dataset.entries, 'entry', 'entries')} accepted"
    if only_accepted:
        made += ", and only these are scored"
        entries = (entry for entry in entries if entry.id in accepted)
    outdated = _outdated(find_perturbation(store, perturbation.name), dataset)
    remarks = [*chosen.overridden, made, *outdated]
    return Material(
        name, entries, chosen.mode, is_declared=chosen.is_declared, remarks=lambda: remarks
    )


def _marked(entry: Entry) -> Entry:
    """An accepted entry with a tag that says so, for subsets."""
    return entry if ACCEPTED in entry.tags else replace(entry, tags=(*entry.tags, ACCEPTED))


def _outdated(current: StoredPerturbation, dataset: StoredDataset) -> Iterator[str]:
    """What is to be said of a dataset that is not what its perturbation was frozen to last."""
    if current.dataset is None:
        yield f"outdated: {current.name} has no dataset now; horsesense perturb show {current.name}"
    elif current.dataset != dataset:
        yield f"outdated: {current.name} is {named(current.dataset)} now"


@contextmanager
def _opened_file(path: str, mode_name: str | None) -> Iterator[Material]:
    file = source_file(path)
    if looks_published(file):
        reading = open_import(file, Header(default_name(path)), keep_going=True)
        chosen = chosen_mode(file.name, reading.header.mode, mode_name)

        def remarks() -> list[str]:
            return [*chosen.told(file.name), *reading.remarks()]

        yield Material(
            file.name, reading, chosen.mode, is_declared=chosen.is_declared, remarks=remarks
        )
    else:
        with opened_schema_file(path, file.data) as schemas:
            chosen = chosen_mode(file.name, schemas.header.mode, mode_name)
            told = chosen.told(file.name)
            yield Material(
                file.name,
                schemas,
                chosen.mode,
                is_declared=chosen.is_declared,
                remarks=lambda: told,
            )
