"""How transformations and perturbations are shown: what they are, and how far they are judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import click

from horsesense.cli.output import Table, counted, show_table
from horsesense.cli.perturb_diffs import diff_lines, in_colour, sentence_pairs
from horsesense.perturbations import (
    Judgement,
    LeftOut,
    MissingEnglish,
    Pair,
    Touch,
    Transformation,
    perturb_entry,
)
from horsesense.perturbations.transformation import example_of
from horsesense.schema import Mode
from horsesense.store import Counts, StoredDataset, StoredPerturbation

NOTHING = "–"


def named(dataset: StoredDataset | None) -> str:
    """A dataset's name with its version."""
    return f"{dataset.name}@{dataset.version}" if dataset else NOTHING


def judged_counts(counts: Counts) -> dict[str, int]:
    """How many perturbed entries have been judged in which way."""
    return {
        "accepted": counts.accepted,
        "edited": counts.edited,
        "proposed": counts.proposed,
        "rejected": counts.rejected,
    }


def counted_judgements(counts: Counts) -> str:
    """The judgements in words, and the share that is valid."""
    judged = ", ".join(f"{number} {name}" for name, number in judged_counts(counts).items())
    share = counts.share
    percentage = "" if share.value is None else f" ({share.value:.0%})"
    return f"{judged}; {share.count} of {share.total} valid{percentage}"


def reasons_table(reasons: Iterable[str], limit: int | None = None) -> Table:
    """The reasons for leaving entries out, the most frequent first."""
    rows = [(str(number), text) for text, number in by_frequency(reasons)[:limit]]
    return Table(("entries", "reason"), rows)


def by_frequency(reasons: Iterable[str]) -> list[tuple[str, int]]:
    """The reasons with how often each is given, the most frequent first."""
    return Counter(reasons).most_common()


def transformation_table(transformations: Iterable[Transformation]) -> Table:
    """The transformations with what they declare."""
    rows = [
        (one.name, one.level, touched(one), one.purpose, one.title, one.source)
        for one in transformations
    ]
    return Table(("name", "level", "touches", "purpose", "title", "source"), rows)


def touched(transformation: Transformation) -> str:
    """What a transformation may change, in words."""
    return ", ".join(one for one in Touch if one in transformation.touches) or "nothing"


def perturbation_table(found: Iterable[tuple[StoredPerturbation, Counts]]) -> Table:
    """The perturbations of the store, and how far they are judged."""
    rows = [
        (
            *(one.name, one.transformation, named(one.original), str(counts.share.total)),
            *map(str, judged_counts(counts).values()),
            *(str(counts.left_out), named(one.dataset)),
        )
        for one, counts in found
    ]
    judged = ("accepted", "edited", "proposed", "rejected")
    columns = ("name", "transformation", "original", "entries", *judged, "left out", "dataset")
    return Table(columns, rows)


def show_transformation(one: Transformation) -> None:
    """Print all that a transformation declares, and what it makes of its example."""
    click.echo(f"{one.name}, version {one.version}: {one.title}")
    declared = {
        "needs": one.precondition,
        "not for": one.not_for,
        "level": one.level,
        "touches": touched(one),
        "right afterwards": one.right,
        "mode": "" if one.mode is Mode.BY_ANSWER else one.mode,
        "purpose": one.purpose,
        "tests": one.tests,
        "source": one.source,
    }
    for label, text in declared.items():
        if text:
            click.echo(f"{label}: {text}")
    if one.parameters:
        rows = [
            (p.name, p.default or NOTHING, ", ".join(p.choices) or "any", p.about)
            for p in one.parameters
        ]
        click.echo("")
        show_table(Table(("parameter", "default", "values", "meaning"), rows))
    click.echo("\nExample")
    _show_example(one)


def _show_example(transformation: Transformation) -> None:
    entry = example_of(transformation)
    for line in transformation.example.splitlines():
        click.echo(f"  {line}")
    try:
        done = perturb_entry(entry, transformation, transformation.settings())
    except MissingEnglish as error:
        click.echo(f"  cannot be shown: {error}")
        return
    if isinstance(done, LeftOut):
        click.echo(f"  left out: {done.reason}")
        return
    click.echo(f"  ({done.how})")
    pairs = sentence_pairs(entry.grid, done.entry.grid, transformation.mode)
    for line in diff_lines(pairs, colour=in_colour()):
        click.echo(line)


def show_perturbation(one: StoredPerturbation, counts: Counts) -> None:
    """Print what a perturbation is, and how far it is judged."""
    click.echo(f"{one.name}: {one.transformation} of {named(one.original)}")
    parameters = ", ".join(f"{name} {value}" for name, value in one.parameters.items())
    told = {
        "title": one.title,
        "transformation": f"version {one.version}, seed {one.seed}",
        "parameters": parameters,
        "mode": "" if one.mode is Mode.BY_ANSWER else one.mode,
        "level": one.level,
        "purpose": one.purpose,
        "applied": f"{one.applied_at}, by horsesense {one.horsesense}",
        "entries": counted_judgements(counts),
        "left out": counted(counts.left_out, "entry", "entries"),
        "dataset": _told_dataset(one, counts),
    }
    for label, text in told.items():
        if text:
            click.echo(f"{label}: {text}")


def _told_dataset(one: StoredPerturbation, counts: Counts) -> str:
    if one.dataset:
        return named(one.dataset)
    former = f"; {named(one.outdated)} is outdated" if one.outdated else ""
    if counts.share.count:
        return f"none; horsesense perturb review {one.name} freezes what is valid{former}"
    return f"none{'' if former else ' yet'}: nothing is valid{former}"


def pair_table(pairs: Iterable[Pair]) -> Table:
    """Which problem goes with which, and which of their options, counted from 1 as in scores."""
    rows = [
        (
            str(one.before + 1),
            str(one.after + 1),
            ", ".join(f"{old} → {new + 1}" for old, new in enumerate(one.options, 1)),
        )
        for one in pairs
    ]
    return Table(("problem before", "after", "options"), rows)


def history_table(history: Iterable[Judgement]) -> Table:
    """What was said of a perturbed entry, the first first."""
    rows = [(one.at, one.validity, one.by, one.notation, one.note) for one in history]
    return Table(("when", "validity", "by", "notation", "note"), rows)
