"""Transformations, perturbations and judgements as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from horsesense.cli.perturb_diffs import sentence_pairs
from horsesense.cli.perturb_views import by_frequency, judged_counts, named
from horsesense.perturbations import (
    Ledgered,
    MissingEnglish,
    Perturbed,
    Touch,
    Transformation,
    perturb_entry,
)
from horsesense.perturbations.rewriting import word_diff
from horsesense.perturbations.transformation import example_of
from horsesense.schema import Grid, Mode
from horsesense.schema.notation import print_grid
from horsesense.store import Counts, StoredPerturbation


def transformation_json(one: Transformation) -> dict[str, Any]:
    """What a transformation declares."""
    return {
        "name": one.name,
        "version": one.version,
        "title": one.title,
        "source": one.source,
        "level": one.level,
        "touches": [touch for touch in Touch if touch in one.touches],
        "precondition": one.precondition,
        "not_for": one.not_for,
        "right": one.right,
        "purpose": one.purpose,
        "tests": one.tests,
        "mode": one.mode,
        "parameters": [asdict(parameter) for parameter in one.parameters],
    }


def example_json(one: Transformation) -> dict[str, Any]:
    """The example of a transformation, and what becomes of it."""
    entry = example_of(one)
    try:
        done = perturb_entry(entry, one, one.settings())
    except MissingEnglish as error:
        return {"before": print_grid(entry.grid), "after": None, "reason": str(error)}
    if not isinstance(done, Perturbed):
        return {"before": print_grid(entry.grid), "after": None, "reason": done.reason}
    return {**diff_json(entry.grid, done.entry.grid, one.mode), "how": done.how}


def perturbation_json(one: StoredPerturbation, counts: Counts) -> dict[str, Any]:
    """What the store knows of a perturbation, and how far it is judged."""
    return {
        "name": one.name,
        "id": one.id,
        "transformation": one.transformation,
        "version": one.version,
        "parameters": one.parameters,
        "seed": one.seed,
        "mode": one.mode,
        "level": one.level,
        "purpose": one.purpose,
        "touches": [touch for touch in Touch if touch in one.touches],
        "right": one.right,
        "original": named(one.original),
        "applied_at": one.applied_at,
        "horsesense": one.horsesense,
        **judged_counts(counts),
        "left_out": counts.left_out,
        "dataset": named(one.dataset) if one.dataset else None,
        "outdated": named(one.outdated) if one.outdated else None,
    }


def ledgered_json(one: Ledgered, mode: Mode) -> dict[str, Any]:
    """A perturbed entry beside its original."""
    return {
        "entry": one.entry.id,
        "validity": one.judgement.validity,
        "by": one.judgement.by,
        "at": one.judgement.at,
        "note": one.judgement.note,
        "how": one.how,
        "voucher": one.voucher,
        **diff_json(one.original.grid, one.entry.grid, mode),
    }


def diff_json(before: Grid, after: Grid, mode: Mode) -> dict[str, Any]:
    """Both notations, and the sensible sentences with the runs of their word diff."""
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
    """The reasons for leaving entries out, the most frequent first."""
    return [{"reason": text, "entries": number} for text, number in by_frequency(reasons)]
