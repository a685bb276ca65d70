"""Format transformations, perturbations and word diffs, as text and as JSON."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from horsesense.cli.layout import TextTable
from horsesense.cli.output import counted, show_table, show_text
from horsesense.perturbations import (
    Judgement,
    Ledgered,
    MissingEnglish,
    Perturbed,
    ProblemPair,
    SkippedEntry,
    Touch,
    Transformation,
    perturb_entry,
)
from horsesense.perturbations.rewriting import DiffKind, DiffPart, side, word_diff
from horsesense.perturbations.transformation import example_of
from horsesense.schema import Cell, Grid, Mode, problems
from horsesense.schema.notation import print_grid
from horsesense.store import JudgementCounts, StoredDataset, StoredPerturbation

NOTHING = "–"


def named(dataset: StoredDataset | None) -> str:
    """Return the name of a dataset with its version."""
    return f"{dataset.name}@{dataset.version}" if dataset else NOTHING


def judged_counts(counts: JudgementCounts) -> dict[str, int]:
    """Return the number of perturbed entries by judgement."""
    return {
        "accepted": counts.accepted,
        "edited": counts.edited,
        "proposed": counts.proposed,
        "rejected": counts.rejected,
    }


def counted_judgements(counts: JudgementCounts) -> str:
    """Describe the judgements and the share of valid entries."""
    judged = ", ".join(f"{number} {name}" for name, number in judged_counts(counts).items())
    share = counts.share
    percentage = "" if share.value is None else f" ({share.value:.0%})"
    return f"{judged}; {share.count} of {share.total} valid{percentage}"


def reasons_table(reasons: Iterable[str], limit: int | None = None) -> TextTable:
    """List the reasons for leaving out entries, most frequent first."""
    rows = [(str(number), text) for text, number in by_frequency(reasons)[:limit]]
    return TextTable(("entries", "reason"), rows)


def by_frequency(reasons: Iterable[str]) -> list[tuple[str, int]]:
    """Count how often each reason occurs, most frequent first."""
    return Counter(reasons).most_common()


def transformation_table(transformations: Iterable[Transformation]) -> TextTable:
    """List transformations with their properties."""
    rows = [
        (
            transformation.name,
            transformation.level,
            touched(transformation),
            transformation.purpose,
            transformation.title,
            transformation.source,
        )
        for transformation in transformations
    ]
    return TextTable(("name", "level", "touches", "purpose", "title", "source"), rows)


def touched(transformation: Transformation) -> str:
    """List what a transformation may change."""
    return ", ".join(touch for touch in Touch if touch in transformation.touches) or "nothing"


def perturbation_table(
    perturbations: Iterable[tuple[StoredPerturbation, JudgementCounts]],
) -> TextTable:
    """List perturbations with the number of their judgements."""
    rows = [
        (
            perturbation.name,
            perturbation.transformation,
            named(perturbation.original),
            str(counts.share.total),
            *map(str, judged_counts(counts).values()),
            str(counts.left_out),
            named(perturbation.dataset),
        )
        for perturbation, counts in perturbations
    ]
    judged = ("accepted", "edited", "proposed", "rejected")
    columns = ("name", "transformation", "original", "entries", *judged, "left out", "dataset")
    return TextTable(columns, rows)


def show_transformation(transformation: Transformation) -> None:
    """Print the properties of a transformation, and its example before and after."""
    click.echo(f"{transformation.name}, version {transformation.version}: {transformation.title}")
    properties = {
        "needs": transformation.precondition,
        "not for": transformation.not_for,
        "level": transformation.level,
        "touches": touched(transformation),
        "right afterwards": transformation.right,
        "mode": "" if transformation.mode is Mode.BY_ANSWER else transformation.mode,
        "purpose": transformation.purpose,
        "tests": transformation.tests,
        "source": transformation.source,
    }
    for label, text in properties.items():
        if text:
            show_text(f"{label}: {text}")
    if transformation.parameters:
        rows = [
            (p.name, p.default or NOTHING, ", ".join(p.choices) or "any", p.about)
            for p in transformation.parameters
        ]
        click.echo("")
        show_table(TextTable(("parameter", "default", "values", "meaning"), rows))
    click.echo("\nExample")
    _show_example(transformation)


def _show_example(transformation: Transformation) -> None:
    entry = example_of(transformation)
    for line in transformation.example.splitlines():
        click.echo(f"  {line}")
    try:
        done = perturb_entry(entry, transformation, transformation.settings())
    except MissingEnglish as error:
        click.echo(f"  cannot be shown: {error}")
        return
    if isinstance(done, SkippedEntry):
        click.echo(f"  left out: {done.reason}")
        return
    click.echo(f"  ({done.how})")
    pairs = sentence_pairs(entry.grid, done.entry.grid, transformation.mode)
    for line in diff_lines(pairs, colour=in_colour()):
        click.echo(line)


def show_perturbation(perturbation: StoredPerturbation, counts: JudgementCounts) -> None:
    """Print the properties of a perturbation and the number of its judgements."""
    click.echo(
        f"{perturbation.name}: {perturbation.transformation} of {named(perturbation.original)}"
    )
    parameters = ", ".join(f"{name} {value}" for name, value in perturbation.parameters.items())
    properties = {
        "title": perturbation.title,
        "transformation": f"version {perturbation.version}, seed {perturbation.seed}",
        "parameters": parameters,
        "mode": "" if perturbation.mode is Mode.BY_ANSWER else perturbation.mode,
        "level": perturbation.level,
        "purpose": perturbation.purpose,
        "applied": f"{perturbation.applied_at}, by horsesense {perturbation.horsesense}",
        "entries": counted_judgements(counts),
        "left out": counted(counts.left_out, "entry", "entries"),
        "dataset": _dataset_text(perturbation, counts),
    }
    for label, text in properties.items():
        if text:
            show_text(f"{label}: {text}")


def _dataset_text(perturbation: StoredPerturbation, counts: JudgementCounts) -> str:
    if perturbation.dataset:
        return named(perturbation.dataset)
    former = f"; {named(perturbation.outdated)} is outdated" if perturbation.outdated else ""
    if counts.share.count:
        command = f"horsesense perturb review {perturbation.name}"
        return f"none; freeze the valid entries with '{command}'{former}"
    return f"none{'' if former else ' yet'}: no entry is valid{former}"


def pair_table(pairs: Iterable[ProblemPair]) -> TextTable:
    """List the paired problems and options, counted from 1 as in scores."""
    rows = [
        (
            str(pair.before + 1),
            str(pair.after + 1),
            ", ".join(f"{old} → {new + 1}" for old, new in enumerate(pair.options, 1)),
        )
        for pair in pairs
    ]
    return TextTable(("problem before", "after", "options"), rows)


def history_table(history: Iterable[Judgement]) -> TextTable:
    """List the judgements of a perturbed entry, oldest first."""
    rows = [
        (judgement.at, judgement.validity, judgement.by, judgement.notation, judgement.note)
        for judgement in history
    ]
    return TextTable(("when", "validity", "by", "notation", "note"), rows)


_COLOURS = {DiffKind.REMOVED: "red", DiffKind.ADDED: "green"}
_BRACKETS = {DiffKind.REMOVED: ("[-", "-]"), DiffKind.ADDED: ("{+", "+}")}


def sentence_pairs(before: Grid, after: Grid, mode: Mode) -> list[tuple[str, str]]:
    """Pair the sensible sentences before and after a transformation.

    If only the mode changes, the sentences stay the same, so pair the statements of the problems.
    """
    if mode is not Mode.BY_ANSWER:
        statements = zip(problems(before), problems(after, mode), strict=False)
        return [(old.statement.text, new.statement.text) for old, new in statements]
    sensible = _sensible(before)
    return [
        (before.sentence(old).text, after.sentence(cell).text)
        for cell in _sensible(after)
        for old in [_counterpart(cell, sensible, is_same_kind=type(before) is type(after))]
    ]


def _sensible(grid: Grid) -> list[Cell]:
    """Return the cells that are sensible, or that may be if nobody knows."""
    return [cell for cell in grid.cells if grid.is_sensible(cell) is not False]


def _counterpart(cell: Cell, sensible: Sequence[Cell], *, is_same_kind: bool) -> Cell:
    """Return the cell before that is most similar to one after."""

    def likeness(old: Cell) -> tuple[bool, bool]:
        same_key, same_answer = old.key == cell.key, old.answer == cell.answer
        # In a dyad, a key has two answers; if the keys are gone, only the answers can match.
        return (same_key, same_answer) if is_same_kind else (same_answer, same_key)

    return max(sensible, key=likeness)


def in_colour() -> bool:
    """Return whether to print in colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def diff_lines(pairs: Iterable[tuple[str, str]], *, colour: bool) -> Iterator[str]:
    """Yield each pair of sentences on two lines, with the differing words marked."""
    for before, after in pairs:
        runs = word_diff(before, after)
        yield f"  before  {_marked(side(runs, DiffKind.REMOVED), colour=colour)}"
        yield f"  after   {_marked(side(runs, DiffKind.ADDED), colour=colour)}"


def _marked(runs: Iterable[DiffPart], *, colour: bool) -> str:
    return "".join(_marked_run(run, colour=colour) for run in runs)


def _marked_run(run: DiffPart, *, colour: bool) -> str:
    words = run.text.strip()
    if run.kind is DiffKind.SAME or not words:
        return run.text
    left, right = _BRACKETS[run.kind]
    shown = click.style(words, fg=_COLOURS[run.kind]) if colour else f"{left}{words}{right}"
    # Keep the spaces at the ends outside of the marks.
    return run.text.replace(words, shown)


def show_ledgered(ledgered: Ledgered, mode: Mode) -> None:
    """Print a perturbed entry with its latest judgement, its derivation and its word diff."""
    judged, colour = ledgered.judgement, in_colour()
    name = click.style(ledgered.entry.id, bold=True) if colour else ledgered.entry.id
    remark = f": {judged.note}" if judged.note else ""
    click.echo(f"{name}  {judged.validity} by {judged.by}{remark} ({ledgered.how})")
    pairs = sentence_pairs(ledgered.original.grid, ledgered.entry.grid, mode)
    for line in diff_lines(pairs, colour=colour):
        click.echo(line)


def transformation_json(transformation: Transformation) -> dict[str, Any]:
    """Return the properties of a transformation as JSON."""
    return {
        "name": transformation.name,
        "version": transformation.version,
        "title": transformation.title,
        "source": transformation.source,
        "level": transformation.level,
        "touches": [touch for touch in Touch if touch in transformation.touches],
        "precondition": transformation.precondition,
        "not_for": transformation.not_for,
        "right": transformation.right,
        "purpose": transformation.purpose,
        "tests": transformation.tests,
        "mode": transformation.mode,
        "parameters": [asdict(parameter) for parameter in transformation.parameters],
    }


def example_json(transformation: Transformation) -> dict[str, Any]:
    """Return the example of a transformation, before and after, as JSON."""
    entry = example_of(transformation)
    try:
        done = perturb_entry(entry, transformation, transformation.settings())
    except MissingEnglish as error:
        return {"before": print_grid(entry.grid), "after": None, "reason": str(error)}
    if not isinstance(done, Perturbed):
        return {"before": print_grid(entry.grid), "after": None, "reason": done.reason}
    return {**diff_json(entry.grid, done.entry.grid, transformation.mode), "how": done.how}


def perturbation_json(perturbation: StoredPerturbation, counts: JudgementCounts) -> dict[str, Any]:
    """Return the properties of a perturbation and its judgement counts as JSON."""
    return {
        "name": perturbation.name,
        "id": perturbation.id,
        "transformation": perturbation.transformation,
        "version": perturbation.version,
        "parameters": perturbation.parameters,
        "seed": perturbation.seed,
        "mode": perturbation.mode,
        "level": perturbation.level,
        "purpose": perturbation.purpose,
        "touches": [touch for touch in Touch if touch in perturbation.touches],
        "right": perturbation.right,
        "original": named(perturbation.original),
        "applied_at": perturbation.applied_at,
        "horsesense": perturbation.horsesense,
        **judged_counts(counts),
        "left_out": counts.left_out,
        "dataset": named(perturbation.dataset) if perturbation.dataset else None,
        "outdated": named(perturbation.outdated) if perturbation.outdated else None,
    }


def ledgered_json(ledgered: Ledgered, mode: Mode) -> dict[str, Any]:
    """Return a perturbed entry and its original as JSON."""
    return {
        "entry": ledgered.entry.id,
        "validity": ledgered.judgement.validity,
        "by": ledgered.judgement.by,
        "at": ledgered.judgement.at,
        "note": ledgered.judgement.note,
        "how": ledgered.how,
        "voucher": ledgered.voucher,
        **diff_json(ledgered.original.grid, ledgered.entry.grid, mode),
    }


def diff_json(before: Grid, after: Grid, mode: Mode) -> dict[str, Any]:
    """Return both notations, and the word diffs of the sensible sentences, as JSON."""
    return {
        "before": print_grid(before),
        "after": print_grid(after),
        "sentences": [
            {
                "before": old,
                "after": new,
                "runs": [{"kind": run.kind, "text": run.text} for run in word_diff(old, new)],
            }
            for old, new in sentence_pairs(before, after, mode)
        ],
    }


def reasons_json(reasons: Iterable[str]) -> list[dict[str, Any]]:
    """Return the reasons for leaving out entries as JSON, most frequent first."""
    return [{"reason": text, "entries": number} for text, number in by_frequency(reasons)]
