"""How perturbed sentences are shown: under the original ones, with what differs marked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

import click

from horsesense.perturbations import Ledgered
from horsesense.perturbations.rewriting import Run, RunKind, side, word_diff
from horsesense.schema import Cell, Grid, Mode, problems

_COLOURS = {RunKind.REMOVED: "red", RunKind.ADDED: "green"}
_BRACKETS = {RunKind.REMOVED: ("[-", "-]"), RunKind.ADDED: ("{+", "+}")}


def sentence_pairs(before: Grid, after: Grid, mode: Mode) -> list[tuple[str, str]]:
    """The sensible sentences after a transformation, each beside the one that it was before.

    Where only the mode is another the sentences stay, and the statements of problems differ.
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
    """The cells that make sense or, where nobody knows, may do so."""
    return [cell for cell in grid.cells if grid.is_sensible(cell) is not False]


def _counterpart(cell: Cell, sensible: Sequence[Cell], *, is_same_kind: bool) -> Cell:
    """The cell before that is most like one after."""

    def likeness(old: Cell) -> tuple[bool, bool]:
        same_key, same_answer = old.key == cell.key, old.answer == cell.answer
        # A dyad asks for both answers of a key; where the keys are gone, the answers are left.
        return (same_key, same_answer) if is_same_kind else (same_answer, same_key)

    return max(sensible, key=likeness)


def in_colour() -> bool:
    """Whether what is printed is seen in colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def diff_lines(pairs: Iterable[tuple[str, str]], *, colour: bool) -> Iterator[str]:
    """Each pair of sentences one under the other, with what differs marked."""
    for before, after in pairs:
        runs = word_diff(before, after)
        yield f"  before  {_marked(side(runs, RunKind.REMOVED), colour=colour)}"
        yield f"  after   {_marked(side(runs, RunKind.ADDED), colour=colour)}"


def _marked(runs: Iterable[Run], *, colour: bool) -> str:
    return "".join(_marked_run(run, colour=colour) for run in runs)


def _marked_run(run: Run, *, colour: bool) -> str:
    words = run.text.strip()
    if run.kind is RunKind.SAME or not words:
        return run.text
    left, right = _BRACKETS[run.kind]
    shown = click.style(words, fg=_COLOURS[run.kind]) if colour else f"{left}{words}{right}"
    # The spaces at its ends are those between words, and stay outside.
    return run.text.replace(words, shown)


def show_ledgered(one: Ledgered, mode: Mode) -> None:
    """Print a perturbed entry: how it came about, what was said of it last, its word diff."""
    judged, colour = one.judgement, in_colour()
    name = click.style(one.entry.id, bold=True) if colour else one.entry.id
    remark = f": {judged.note}" if judged.note else ""
    click.echo(f"{name}  {judged.validity} by {judged.by}{remark} ({one.how})")
    pairs = sentence_pairs(one.original.grid, one.entry.grid, mode)
    for line in diff_lines(pairs, colour=colour):
        click.echo(line)
