"""Datasets made of the valid entries of perturbations.

One is made as often as somebody asks, and is a new version whenever it differs.
"""

from __future__ import annotations

import json

from horsesense.datasets.exporters.thesis_text import published_line
from horsesense.perturbations.transformation import VALID, Validity, mode_after
from horsesense.schema import Dataset, Header, Source
from horsesense.store.judged import load_ledger
from horsesense.store.perturbations import StoredPerturbation, check_current
from horsesense.store.perturbing import keep_frozen
from horsesense.store.saving import Saved, save_dataset
from horsesense.store.store import Store


def freeze(
    store: Store, perturbation: StoredPerturbation, *, unreviewed: bool = False
) -> Saved | None:
    """Make a dataset of the valid entries, and if asked for of the proposals too.

    If there are none there is no dataset, which is kept too: the one before is outdated. What is
    the same as before adds nothing.
    """
    wanted = VALID | {Validity.PROPOSED} if unreviewed else VALID
    with store.reading() as connection:  # so that all judgements are of one moment
        check_current(store, connection, perturbation)
        ledger = list(load_ledger(store, perturbation, validities=wanted))
    if not ledger:
        with store.writing() as connection:
            keep_frozen(connection, perturbation.pk, None)
        return None
    proposals = sum(one.judgement.validity is Validity.PROPOSED for one in ledger)
    original = perturbation.original
    source = Source(
        file=f"{original.name}@{original.version}",
        sha256=perturbation.id,
        bytes=0,
        importer=perturbation.transformation,
        importer_version=str(perturbation.version),
    )
    header, entries = _header(perturbation, proposals), (one.entry for one in ledger)
    saved = save_dataset(store, Dataset(header, entries, sources=[source]))
    with store.writing() as connection:
        keep_frozen(connection, perturbation.pk, saved.dataset, is_unreviewed=proposals > 0)
    return saved


def _header(perturbation: StoredPerturbation, proposals: int) -> Header:
    original = perturbation.original.header
    transformation, parameters = perturbation.transformation, perturbation.parameters
    note = published_line(original.note, transformation, parameters) or _told(perturbation)
    if proposals:
        note += f"; unreviewed: {proposals}"
    return Header(
        name=perturbation.name,
        title=f"{original.title or original.name}, {perturbation.title}",
        author=original.author,
        licence=original.licence,
        note=note,
        mode=mode_after(original.mode, perturbation.level, perturbation.mode),
    )


def _told(perturbation: StoredPerturbation) -> str:
    original = perturbation.original
    settings = perturbation.parameters | {"seed": str(perturbation.seed)}
    shown = ", ".join(
        # A value may be anything; a note is one line.
        f"{name} {value if value.isprintable() else json.dumps(value)}"
        for name, value in settings.items()
    )
    made_by = f"{perturbation.transformation} {perturbation.version}"
    return f"made from {original.name}@{original.version} by {made_by}: {shown}"
