"""Format grids, problems, entries and datasets, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

import click

from horsesense.cli.layout import TextTable
from horsesense.cli.output import counted, note, show_table, show_text
from horsesense.datasets.catalog import KnownDataset, KnownFile
from horsesense.datasets.fetching import how_to_get
from horsesense.schema import (
    AxisName,
    Cell,
    Entry,
    Grid,
    LooseGrid,
    Mode,
    Problem,
    Schema,
    Sentence,
    doubts,
    fields_of_tags,
    fixed_axis,
    modes,
    own_tags,
    problems,
    schemas,
)
from horsesense.schema.notation import grid_id, print_entry, print_grid
from horsesense.store import (
    Saved,
    Store,
    StoredDataset,
    load_entries,
    own_mode,
    sources_of,
)

TICK = "✓"


def show_grid(grid: Grid, chosen: Sequence[Mode], *, spans: bool) -> None:
    """Print the sentences of a grid, with the sensible ones marked, and its problems."""
    # Build the tables first, so that a mode that does not apply fails before anything is printed.
    problem_tables = [(mode, _problem_table(grid, mode)) for mode in chosen]
    click.echo(headline(grid))
    for caption, table in _squares(grid):
        click.echo(f"\n{caption}" if caption else "")
        show_table(table)
    for mode, table in problem_tables:
        click.echo(f"\n{mode.capitalize()}{_grouping(grid, mode)}")
        show_table(table)
    if spans:
        click.echo("\nSpans")
        sentences = dict.fromkeys(grid.sentence(cell) for cell in grid.cells)
        show_table(TextTable(("sentence", "spans"), [(s.text, _spans(s)) for s in sentences]))


def headline(grid: Grid) -> str:
    """Describe the kind of a grid and its number of sentences."""
    kind = f"dyad of a {grid.kind}" if grid.is_dyad else str(grid.kind)
    if isinstance(grid, LooseGrid) and len(grid.rows) > 2:
        kind = f"{len(grid.rows)} loose problems"
    winograd = " (Winograd)" if grid.is_winograd else ""
    return f"{kind}{winograd}, {len(grid.cells)} sentences"


def grid_json(grid: Grid, chosen: Sequence[Mode]) -> dict[str, Any]:
    """Return a grid as JSON."""
    return {
        "id": grid_id(grid),
        "notation": print_grid(grid),
        "kind": grid.kind,
        "is_winograd": grid.is_winograd,
        "is_dyad": grid.is_dyad,
        "cells": [_cell_json(grid, cell) for cell in grid.cells],
        "modes": {mode.value: _mode_json(grid, mode) for mode in chosen},
        "doubts": list(doubts(grid)),
    }


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return an entry with its fields as JSON."""
    return {
        "id": entry.id,
        "tags": list(entry.tags),
        "note": entry.note,
        **dict(entry.flags),
        **{name: list(phrases) for name, phrases in entry.phrases},
        **{name: print_grid(version) for name, version in entry.versions},
        **dict(entry.extras),
        "kind": entry.grid.kind,
        "notation": print_grid(entry.grid),
        "grid": grid_id(entry.grid),
    }


def tags_text(entry: Entry) -> str:
    """List the tags of an entry, then those of single problems after their number.

    >>> from horsesense.schema.notation import parse_grid
    >>> grid = parse_grid("a lorry <can, cannot> pass under a {high, low} bridge")
    >>> tags_text(Entry("lorry", grid, tags=("roads",), extras=(("x-tags.2", "odd"),)))
    'roads; 2: odd'
    """
    own = enumerate(own_tags(entry, entry.grid, Mode.BY_ANSWER), 1) if fields_of_tags(entry) else ()
    numbered = [f"{number}: {', '.join(tags)}" for number, tags in own if tags]
    return "; ".join(filter(None, (", ".join(entry.tags), *numbered)))


def show_entry(entry: Entry) -> None:
    """Print an entry: its fields, then its sentences and problems."""
    click.echo(print_entry(entry))
    show_grid(entry.grid, modes_of(entry), spans=False)


def modes_of(entry: Entry) -> tuple[Mode, ...]:
    """Return the modes of an entry, without by-key if its author declares it not invertible."""
    possible = modes(entry.grid)
    if entry.flag("invertible") is False:
        return tuple(mode for mode in possible if mode is not Mode.BY_KEY)
    return possible


def dataset_json(dataset: StoredDataset) -> dict[str, Any]:
    """Return the header of a stored dataset as JSON."""
    return {
        **asdict(dataset.header),
        "id": dataset.id,
        "version": dataset.version,
        "entries": dataset.entries,
        "stored_at": dataset.stored_at,
    }


def _squares(grid: Grid) -> Iterator[tuple[str, TextTable]]:
    """Yield the square of a schema, the two squares of a dyad, or the rows of a loose grid."""
    if isinstance(grid, LooseGrid):
        yield "", TextTable(("", "", "sentence"), [_row_of_cell(grid, cell) for cell in grid.cells])
        return
    answers = [" / ".join(value) for value in grid.answers.values]
    truths = [value[0] for value in grid.truths.values] if grid.truths else [""]
    for truth, caption in enumerate(truths):
        rows = [
            (" … ".join(value), *_marked(grid, Cell(key, 0, truth), Cell(key, 1, truth)))
            for key, value in enumerate(grid.keys.values)
        ]
        yield caption, TextTable(("", "", answers[0], "", answers[1]), rows)


def _marked(grid: Schema, *cells: Cell) -> Iterator[str]:
    for cell in cells:
        yield TICK if grid.is_sensible(cell) else ""
        yield grid.sentence(cell).text


def _row_of_cell(grid: LooseGrid, cell: Cell) -> tuple[str, str, str]:
    mark = {True: TICK, False: "", None: "?"}[grid.is_sensible(cell)]
    number = str(cell.key + 1) if cell.answer == 0 else ""
    return number, mark, grid.sentence(cell).text


def _grouping(grid: Grid, mode: Mode) -> str:
    """Describe how problems form schemas, unless they form a single one."""
    if grid.is_dyad:
        fixed = fixed_axis(mode)
        return f" (a schema for each {'truth value' if fixed is AxisName.TRUTH else fixed})"
    count = len(schemas(grid, mode))
    return "" if count == 1 else f" ({count or 'no'} schemas)"


def _problem_table(grid: Grid, mode: Mode) -> TextTable:
    listed = problems(grid, mode)
    width = max(len(problem.options) for problem in listed)
    columns = ("", "schema") if grid.is_dyad else ("",)
    rows = []
    for number, problem in enumerate(listed, start=1):
        lead = [str(number), *([_face(grid, mode, problem)] if grid.is_dyad else [])]
        options = [_option(problem, position) for position in range(len(problem.options))]
        rows.append([*lead, problem.statement.text, *options, *[""] * (width - len(options))])
    return TextTable((*columns, "statement", *["options", *[""] * (width - 1)]), rows)


def _face(grid: Grid, mode: Mode, problem: Problem) -> str:
    """Return the value that identifies the problem's schema within a dyad."""
    assert isinstance(grid, Schema)
    axis = fixed_axis(mode)
    return " … ".join(grid.axes[axis].values[problem.cells[0].along(axis)])


def _option(problem: Problem, position: int) -> str:
    mark = f"{TICK} " if problem.right == position else "  "
    return mark + " / ".join(phrase or "(nothing)" for phrase in problem.options[position])


def _spans(sentence: Sentence) -> str:
    return ", ".join(
        f"{span.role} {span.start}–{span.end} {sentence.text[span.start : span.end]!r}"
        for span in sentence.spans
    )


def _cell_json(grid: Grid, cell: Cell) -> dict[str, Any]:
    sentence = grid.sentence(cell)
    return {
        **{axis.value: cell.along(axis) for axis in AxisName},
        "is_sensible": grid.is_sensible(cell),
        "text": sentence.text,
        "spans": [
            {"role": span.role, "index": span.index, "start": span.start, "end": span.end}
            for span in sentence.spans
        ],
    }


def _mode_json(grid: Grid, mode: Mode) -> dict[str, Any]:
    listed = problems(grid, mode)
    return {
        "problems": [
            {
                "statement": problem.statement.text,
                "blanks": problem.blanks,
                "options": [list(option) for option in problem.options],
                "right": problem.right,
                "sentences": [sentence.text for sentence in problem.sentences],
            }
            for problem in listed
        ],
        "schemas": [[listed.index(problem) for problem in group] for group in schemas(grid, mode)],
    }


def saved_message(saved: Saved) -> str:
    """Report whether a dataset is new, and its changes since the previous version."""
    dataset = saved.dataset
    if not saved.is_new:
        later = "" if saved.latest == dataset.version else f"; the latest is {saved.latest}"
        repaired = "; its damage was repaired" if saved.is_mended else ""
        return f"{dataset.name}: already stored as version {dataset.version}{later}{repaired}"
    entries = counted(dataset.entries, "entry", "entries")
    message = f"{dataset.name}: stored version {dataset.version}, {entries}"
    return "; ".join([message, *_changes(saved)])


def _changes(saved: Saved) -> Sequence[str]:
    return [
        f"{len(ids)} {what} ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})"
        for what, ids in (
            ("added", saved.added),
            ("changed", saved.changed),
            ("removed", saved.removed),
        )
        if ids
    ]


def saved_json(saved: Saved) -> dict[str, Any]:
    """Return the result of storing a dataset as JSON."""
    changes = {"added": saved.added, "changed": saved.changed, "removed": saved.removed}
    return {
        **dataset_json(saved.dataset),
        "is_new": saved.is_new,
        "is_mended": saved.is_mended,
        "latest": saved.latest,
        **changes,
    }


def show_dataset(store: Store, dataset: StoredDataset, limit: int) -> None:
    """Print the header, the sources and the first entries of a dataset."""
    header = dataset.header
    entries = counted(dataset.entries, "entry", "entries")
    click.echo(f"{dataset.name}, version {dataset.version}, {entries}")
    for label in ("title", "author", "licence", "note"):
        if text := getattr(header, label):
            show_text(f"{label}: {text}")
    if (mode := own_mode(store, dataset)) is not Mode.BY_ANSWER:
        click.echo(f"mode: {mode}")
    for source in sources_of(store, dataset):
        read_by = f"{source.importer} {source.importer_version}, {source.imported_at}"
        show_text(f"from: {source.file} (SHA-256 {source.sha256[:12]}…), read by {read_by}")
    click.echo("")
    first = islice(load_entries(store, dataset), limit)
    rows = [
        (entry.id, entry.grid.kind, tags_text(entry), print_grid(entry.grid)) for entry in first
    ]
    show_table(TextTable(("id", "kind", "tags", "notation"), rows))
    if dataset.entries > len(rows):
        note(f"{dataset.entries - len(rows)} more; use --limit {dataset.entries} to see all")


def show_known(dataset: KnownDataset) -> None:
    """Print the description, files and references of a published dataset."""
    click.echo(f"{dataset.name}: {dataset.title}")
    for label in ("paper", "licence", "size", "get", "note"):
        show_text(f"{label}: {getattr(dataset, label)}")
    show_text(f"fetch: {how_to_get(dataset)}")
    click.echo("")
    columns = ("file", "format", "rows", "bytes", "sha256")
    show_table(TextTable(columns, [_file_row(file) for file in dataset.files]))
    click.echo("\n" + "\n\n".join(references([dataset])))


def references(datasets: Iterable[KnownDataset]) -> list[str]:
    """Return the BibTeX entries of datasets, each once, because BibTeX rejects duplicates."""
    return list(dict.fromkeys(entry for dataset in datasets for entry in dataset.bibtex))


def _file_row(file: KnownFile) -> tuple[str, ...]:
    rows = "–" if file.rows is None else f"{file.rows:,}"
    hash_shown = file.sha256 or f"{file.sha256_start}…"
    return file.path, file.format or "–", rows, f"{file.bytes:,}", hash_shown
