"""Show grids, problems, entries and datasets, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any

import click

from horsesense.cli.output import Table, counted, note, show_table
from horsesense.datasets.catalog import KnownDataset, KnownFile
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
    """Print the sentences of a grid with the sensible ones marked, and its problems."""
    # Made before anything is printed: a mode that does not apply is an error, not half a page.
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
        show_table(Table(("sentence", "spans"), [(s.text, _spans(s)) for s in sentences]))


def headline(grid: Grid) -> str:
    """What a grid is, in a few words."""
    kind = f"dyad of a {grid.kind}" if grid.is_dyad else str(grid.kind)
    if isinstance(grid, LooseGrid) and len(grid.rows) > 2:
        kind = f"{len(grid.rows)} loose problems"
    winograd = " (Winograd)" if grid.is_winograd else ""
    return f"{kind}{winograd}, {len(grid.cells)} sentences"


def grid_json(grid: Grid, chosen: Sequence[Mode]) -> dict[str, Any]:
    """All that is known of a grid."""
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
    """An entry with what its author says about it."""
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


def tags_shown(entry: Entry) -> str:
    """The tags of an entry, and after the number of a problem those that only it has.

    >>> from horsesense.schema.notation import parse_grid
    >>> grid = parse_grid("a lorry <can, cannot> pass under a {high, low} bridge")
    >>> tags_shown(Entry("lorry", grid, tags=("roads",), extras=(("x-tags.2", "odd"),)))
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
    """The modes of an entry: not by key where its author denies that this makes sense."""
    found = modes(entry.grid)
    if entry.flag("invertible") is False:
        return tuple(mode for mode in found if mode is not Mode.BY_KEY)
    return found


def dataset_json(dataset: StoredDataset) -> dict[str, Any]:
    """What the store knows of a dataset."""
    return {
        **asdict(dataset.header),
        "id": dataset.id,
        "version": dataset.version,
        "entries": dataset.entries,
        "stored_at": dataset.stored_at,
    }


def _squares(grid: Grid) -> Iterator[tuple[str, Table]]:
    """The square of a schema, the two of a dyad, the rows of a loose grid."""
    if isinstance(grid, LooseGrid):
        yield "", Table(("", "", "sentence"), [_row_of_cell(grid, cell) for cell in grid.cells])
        return
    answers = [" / ".join(value) for value in grid.answers.values]
    truths = [value[0] for value in grid.truths.values] if grid.truths else [""]
    for truth, caption in enumerate(truths):
        rows = [
            (" … ".join(value), *_marked(grid, Cell(key, 0, truth), Cell(key, 1, truth)))
            for key, value in enumerate(grid.keys.values)
        ]
        yield caption, Table(("", "", answers[0], "", answers[1]), rows)


def _marked(grid: Schema, *cells: Cell) -> Iterator[str]:
    for cell in cells:
        yield TICK if grid.is_sensible(cell) else ""
        yield grid.sentence(cell).text


def _row_of_cell(grid: LooseGrid, cell: Cell) -> tuple[str, str, str]:
    mark = {True: TICK, False: "", None: "?"}[grid.is_sensible(cell)]
    number = str(cell.key + 1) if cell.answer == 0 else ""
    return number, mark, grid.sentence(cell).text


def _grouping(grid: Grid, mode: Mode) -> str:
    """How the problems make schemas, where that is not plain from the number of them."""
    if grid.is_dyad:
        fixed = fixed_axis(mode)
        return f" (a schema for each {'truth value' if fixed is AxisName.TRUTH else fixed})"
    found = len(schemas(grid, mode))
    return "" if found == 1 else f" ({found or 'no'} schemas)"


def _problem_table(grid: Grid, mode: Mode) -> Table:
    found = problems(grid, mode)
    options = max(len(problem.options) for problem in found)
    columns = ("", "schema") if grid.is_dyad else ("",)
    rows = []
    for number, problem in enumerate(found, start=1):
        lead = [str(number), *([_face(grid, mode, problem)] if grid.is_dyad else [])]
        shown = [_option(problem, position) for position in range(len(problem.options))]
        rows.append([*lead, problem.statement.text, *shown, *[""] * (options - len(shown))])
    return Table((*columns, "statement", *["options", *[""] * (options - 1)]), rows)


def _face(grid: Grid, mode: Mode, problem: Problem) -> str:
    """The value that makes the schema of a dyad to which the problem belongs."""
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
    found = problems(grid, mode)
    return {
        "problems": [
            {
                "statement": problem.statement.text,
                "blanks": problem.blanks,
                "options": [list(option) for option in problem.options],
                "right": problem.right,
                "sentences": [sentence.text for sentence in problem.sentences],
            }
            for problem in found
        ],
        "schemas": [[found.index(problem) for problem in group] for group in schemas(grid, mode)],
    }


def told_saved(saved: Saved) -> str:
    """Whether it is new, and what has changed since the version before."""
    dataset = saved.dataset
    if not saved.is_new:
        later = "" if saved.latest == dataset.version else f"; the latest is {saved.latest}"
        mended = "; it was damaged, and is mended" if saved.is_mended else ""
        return f"{dataset.name}: stored already, as version {dataset.version}{later}{mended}"
    entries = counted(dataset.entries, "entry", "entries")
    message = f"{dataset.name}: version {dataset.version} stored, {entries}"
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
    """What became of a dataset that was to be kept."""
    changes = {"added": saved.added, "changed": saved.changed, "removed": saved.removed}
    return {
        **dataset_json(saved.dataset),
        "is_new": saved.is_new,
        "is_mended": saved.is_mended,
        "latest": saved.latest,
        **changes,
    }


def show_dataset(store: Store, dataset: StoredDataset, limit: int) -> None:
    """Print what a dataset says of itself, where it came from, and its first entries."""
    header = dataset.header
    entries = counted(dataset.entries, "entry", "entries")
    click.echo(f"{dataset.name}, version {dataset.version}, {entries}")
    for label in ("title", "author", "licence", "note"):
        if text := getattr(header, label):
            click.echo(f"{label}: {text}")
    if (mode := own_mode(store, dataset)) is not Mode.BY_ANSWER:
        click.echo(f"mode: {mode}")
    for source in sources_of(store, dataset):
        read_by = f"{source.importer} {source.importer_version}, {source.imported_at}"
        click.echo(f"from: {source.file} (SHA-256 {source.sha256[:12]}…), read by {read_by}")
    click.echo("")
    shown = list(islice(load_entries(store, dataset), limit))
    rows = [(e.id, e.grid.kind, tags_shown(e), print_grid(e.grid)) for e in shown]
    show_table(Table(("id", "kind", "tags", "notation"), rows))
    if dataset.entries > len(shown):
        note(f"{dataset.entries - len(shown)} more; --limit {dataset.entries} shows all")


def show_known(dataset: KnownDataset) -> None:
    """Print all that is known of a published dataset, with its files and references."""
    click.echo(f"{dataset.name}: {dataset.title}")
    for label in ("paper", "licence", "size", "get", "note"):
        click.echo(f"{label}: {getattr(dataset, label)}")
    click.echo("")
    columns = ("file", "format", "rows", "bytes", "sha256")
    show_table(Table(columns, [_file_row(file) for file in dataset.files]))
    click.echo("\n" + "\n\n".join(references([dataset])))


def references(datasets: Iterable[KnownDataset]) -> list[str]:
    """Each entry once: datasets share papers, and BibTeX refuses a key that comes twice."""
    return list(dict.fromkeys(entry for dataset in datasets for entry in dataset.bibtex))


def _file_row(file: KnownFile) -> tuple[str, ...]:
    rows = "–" if file.rows is None else f"{file.rows:,}"
    hash_shown = file.sha256 or f"{file.sha256_start}…"
    return file.path, file.format or "–", rows, f"{file.bytes:,}", hash_shown
