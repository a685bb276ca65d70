"""A transformation, and perturbations made with it, for the tests beside this file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from horsesense.perturbations.checks import Perturbed, SkippedEntry, perturb
from horsesense.perturbations.transformation import (
    Level,
    Parameter,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Validity,
    Voucher,
    needs_schema,
)
from horsesense.schema import Entry, Header, join_parts
from horsesense.schema.notation import parse_grid
from horsesense.store import (
    Source,
    Store,
    StoredDataset,
    StoredPerturbation,
    find_perturbation,
    judge,
    load_entries,
    load_history,
    load_ledger,
    save_entries,
    save_perturbation,
)
from tests.store.builders import FERRY, LADDER, entry

NAME = "field.lengthened"


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    schema = needs_schema(entry.grid)
    grid = replace(schema, frame=join_parts((*schema.frame, f" {settings['words']}")))
    voucher = Voucher.AUTHOR if entry.flag("invertible") else Voucher.NOBODY
    return Rewriting(grid, f"with {settings['words']}", voucher)


# It needs no knowledge of English: words are added at the end.
LENGTHENED = Transformation(
    name="lengthened",
    version=1,
    title="with more words",
    source="",
    level=Level.PROBLEM,
    touches=frozenset({Touch.FRAME}),
    precondition="a schema",
    not_for="problems without key phrases",
    right=Right.SAME,
    purpose=Purpose.CONSISTENCY,
    tests="whether more words matter",
    example="",
    rewrite=_rewrite,
    parameters=(Parameter("words", "last week", "what is added"),),
)


def field(store: Store, *entries: Entry, header: Header | None = None) -> StoredDataset:
    """A dataset to perturb: two proposals will come of it, one that its author vouches for, and
    a problem by itself is left out."""
    vouched = entry("vouched", LADDER.replace("loft", "roof"), flags=(("invertible", True),))
    entries = entries or (
        entry("kite", tags=("toys", "air"), note="windy"),
        entry("ferry", FERRY),
        vouched,
        entry("ladder", LADDER),
    )
    made = Source("field.schemas", "5e" * 32, 123, "notation", "0.1.0")
    return save_entries(store, header or Header("field"), entries, lambda: made).dataset


def apply(
    store: Store,
    original: StoredDataset,
    *,
    transformation: Transformation = LENGTHENED,
    seed: int = 0,
    **values: str,
) -> tuple[StoredPerturbation, bool]:
    settings = transformation.settings(values, seed=seed)
    results = perturb(load_entries(store, original), transformation, settings)
    return save_perturbation(store, NAME, original, transformation, settings, results)


def applied(store: Store, *entries: Entry, **settings: Any) -> StoredPerturbation:
    """The field's perturbation."""
    return apply(store, field(store, *entries), **settings)[0]


def say(store: Store, name: str, validity: str, by: str = "Ada", **more: Any) -> None:
    """Judge an entry of the current perturbation; a wording is given in notation."""
    grid = parse_grid(more.pop("edit")) if "edit" in more else None
    judge(store, find_perturbation(store, NAME), name, Validity(validity), by, grid=grid, **more)


def last_words(store: Store) -> dict[str, str]:
    """The validity of every entry of the current perturbation."""
    ledger = load_ledger(store, find_perturbation(store, NAME))
    return {one.entry.id: one.judgement.validity.value for one in ledger}


def history(store: Store, name: str) -> list[tuple[str, str]]:
    """What was said of an entry of the current perturbation, and by whom."""
    said = load_history(store, find_perturbation(store, NAME), name)
    return [(one.validity.value, one.by) for one in said]


def results_of(store: Store, dataset: StoredDataset) -> list[Perturbed | SkippedEntry]:
    settings = LENGTHENED.settings()
    return list(perturb(load_entries(store, dataset), LENGTHENED, settings))
