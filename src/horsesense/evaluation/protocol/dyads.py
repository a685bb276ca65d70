"""Dyads: schemas in a boolean wrapper, solved by answer, by key and by boolean (thesis 3.5.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from horsesense.evaluation.protocol.form import PosedForm, Rewritten, pose_form
from horsesense.perturbations import LeftOut, Level, Transformation, perturb_entry
from horsesense.perturbations.catalogue.dyadic import DYADIC
from horsesense.perturbations.catalogue.modes import BY_BOOLEAN, BY_KEY
from horsesense.results import Variant
from horsesense.schema import Mode, fixed_axis, problems, schemas

# Which two problems make a schema, each by its entry and its number there.
Regrouped: TypeAlias = Sequence[tuple[tuple[str, int], tuple[str, int]]]


def dyad_forms(dataset: str, wrapped: Rewritten) -> list[PosedForm]:
    """Wrapped schemas in all three modes; by answer they are what the others are compared with."""
    modes = [pose_form(_subject(dataset, None), wrapped)]
    return modes + [
        pose_form(_subject(dataset, mode), _read_in(mode, wrapped)) for mode in (BY_KEY, BY_BOOLEAN)
    ]


def is_regrouped(mode: Mode, compared: Mode) -> bool:
    """Whether dyads in the compared mode make other schemas beside that mode than by themselves."""
    return fixed_axis(compared, mode) is not fixed_axis(compared)


def regrouped(form: PosedForm, compared: Mode) -> Regrouped:
    """The schemas of dyads in the compared mode, grouped as they are in the mode of the form.

    Beside dyads by boolean, those by answer are grouped at a fixed key. They come in the order of
    the entries of the form, so that each can be set beside its own.
    """
    posed = {entry.id for entry in form.posed.entries}
    pairs = []
    for entry in form.entries:
        if entry.id in posed:
            numbers = {one: at for at, one in enumerate(problems(entry.grid, compared), start=1)}
            faces = schemas(entry.grid, compared, compared_with=Mode(form.subject.mode))
            pairs += [((entry.id, numbers[a]), (entry.id, numbers[b])) for a, b in faces]
    return pairs


def _read_in(mode: Transformation, wrapped: Rewritten) -> Rewritten:
    """The dyads in another mode, less those that cannot be solved in it."""
    left_out = wrapped.left_out.copy()
    entries = []
    for entry in wrapped.entries:
        done = perturb_entry(entry, mode, mode.settings())
        if isinstance(done, LeftOut):
            left_out[done.reason] += 1
        else:
            entries.append(done.entry)
    return Rewritten(tuple(entries), left_out)


def _subject(dataset: str, mode: Transformation | None) -> Variant:
    by_answer = DYADIC.name
    return Variant(
        dataset=dataset,
        name=f"{by_answer}.{mode.name}" if mode else by_answer,
        title=f"{DYADIC.title}: {mode.title}" if mode else DYADIC.title,
        transformation=by_answer,
        purpose=DYADIC.purpose.value,
        level=(Level.SCHEMA if mode else Level.PROBLEM).value,
        mode=(mode.mode if mode else Mode.BY_ANSWER).value,
        compared=by_answer if mode else "",
    )
