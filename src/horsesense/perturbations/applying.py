"""A transformation at work: what becomes of every entry of a dataset, and why of some nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from horsesense.errors import SchemaError
from horsesense.perturbations.checks import check
from horsesense.perturbations.pairing import Pair, pairs
from horsesense.perturbations.transformation import (
    NotApplicable,
    Settings,
    Transformation,
    Voucher,
    mode_after,
)
from horsesense.schema import Dataset, Entry, Issue, IssueKind, Mode, Step, extras_in, modes

# How an entry is listed that is not in a perturbed dataset, and why a proposal is not.
LEFT_OUT = "not-perturbed"
UNREVIEWED = "a proposal that nobody has accepted"


@dataclass(frozen=True, slots=True)
class Perturbed:
    """An entry after a transformation, how it came about, and who vouches for it.

    `pairs` says which of its problems goes with which before; none where only schemas correspond.
    """

    entry: Entry
    how: str
    voucher: Voucher
    pairs: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An entry to which a transformation does not apply, and why."""

    id: str
    reason: str


def perturb_dataset(
    dataset: Dataset,
    transformation: Transformation,
    settings: Settings | None = None,
    *,
    name: str = "",
    unreviewed: bool = False,
) -> Dataset:
    """Make a dataset of what a transformation makes of another one.

    Its `issues` list the entries that were left out, each with the reason. Proposals for which
    neither an author nor a rule vouches are among them, unless `unreviewed` ones are wanted too.
    """
    settings = transformation.settings() if settings is None else settings
    entries: list[Entry] = []
    issues: list[Issue] = []
    for result in perturb(dataset, transformation, settings):
        if isinstance(result, Perturbed) and not (unreviewed or result.voucher):
            result = LeftOut(result.entry.id, UNREVIEWED)
        if isinstance(result, Perturbed):
            entries.append(result.entry)
        else:
            why = result.reason
            issue = Issue(LEFT_OUT, IssueKind.FAULT, entry=result.id, odd=why, done="left out")
            issues.append(issue)
    mode = mode_after(dataset.mode, transformation.level, transformation.mode)
    name = name or f"{dataset.name}.{transformation.name}"
    return Dataset(
        replace(dataset.header, name=name, mode=mode),
        entries,
        issues=issues,
        original=dataset.original or dataset.header,
        steps=(*dataset.steps, Step(transformation.name, settings.values)),
    )


def perturb(
    entries: Iterable[Entry], transformation: Transformation, settings: Settings
) -> Iterator[Perturbed | LeftOut]:
    """The entries after the transformation, in their order; one that is left out has its reason."""
    return (perturb_entry(entry, transformation, settings) for entry in entries)


def perturb_entry(
    entry: Entry, transformation: Transformation, settings: Settings
) -> Perturbed | LeftOut:
    """One entry after the transformation, or the reason why it does not apply."""
    try:
        _check_mode(entry, transformation.mode)
        done = transformation.rewrite(entry, settings)
        check(entry.grid, done, transformation)
    except NotApplicable as error:
        return LeftOut(entry.id, str(error))
    except SchemaError as error:
        # What came out is no schema: its answers have become equal, a phrase is empty, …
        return LeftOut(entry.id, f"no sound schema comes of it: {error.problem}")
    found = pairs(entry.grid, done.grid, transformation)
    if transformation.mode is not Mode.BY_ANSWER:
        return Perturbed(replace(entry, grid=done.grid), done.how, done.voucher, found)
    # Phrases and versions belong to the wording that was.
    extras = extras_in(entry, done.grid)
    perturbed = replace(entry, grid=done.grid, phrases=done.phrases, versions=(), extras=extras)
    return Perturbed(perturbed, done.how, done.voucher, found)


def _check_mode(entry: Entry, mode: Mode) -> None:
    if mode not in modes(entry.grid):
        missing = "key phrases" if mode is Mode.BY_KEY else "truth pair"
        raise NotApplicable(f"a {entry.grid.kind} has no {missing}")
