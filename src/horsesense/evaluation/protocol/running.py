"""Running a plan: from names to a profile, by way of the store.

What was run before with the same program on the same data is not run again. Otherwise the models
are asked what the store does not have, and everything is measured. Where one of several datasets
or models fails, the run goes on with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.protocol.answering import Answered, Respondent, UnscoredError, ask
from horsesense.evaluation.protocol.fields import check_fields
from horsesense.evaluation.protocol.forms import PosedDataset, pose_dataset
from horsesense.evaluation.protocol.keys import digest_of, run_key
from horsesense.evaluation.protocol.methods import without_model
from horsesense.evaluation.protocol.participants import Participants, gather
from horsesense.evaluation.protocol.profiling import profile_of
from horsesense.evaluation.protocol.progress import OnProgress, unheard
from horsesense.evaluation.protocol.recording import make_record, now
from horsesense.evaluation.protocol.sources import DatasetRef
from horsesense.evaluation.protocol.subsets import check_subsets
from horsesense.models import Family, Model
from horsesense.perturbations import TRANSFORMATIONS
from horsesense.results import EVERY, Plan, Record, Results, Skipped
from horsesense.schema import Dataset
from horsesense.scoring import FrequencyTable, read_frequencies
from horsesense.store import Store, find_run, keep_run, load_run

Note: TypeAlias = Callable[[str], None]


def conduct(
    plan: Plan,
    store: Store | None,
    *,
    models: Sequence[str | Model] = (),
    data: Sequence[str | Dataset] = (),
    on_progress: OnProgress = unheard,
    note: Note = unheard,
    fresh: bool = False,
    replace: bool = True,
) -> Results:
    """Evaluate what the plan names, or the models and data that are given in their place.

    A profile that is in the store already is loaded and nothing computed, unless a `fresh` one is
    wanted, which replaces the one that is kept if it may. `note` is told what takes long, such as
    the loading of a model. What cannot be had or posed is a gap in the profile; an error says that
    nothing is left. Where a model failed while it was asked, the profile is not kept: the next run
    asks again.
    """
    started_at, start = now(), monotonic()
    check_plan(plan)
    taking_part = gather(plan, store, models, data, note)
    key = run_key(plan, taking_part)
    if store is not None and not fresh and (kept := find_run(store, key)) is not None:
        return load_run(store, kept.id)
    skipped = [*taking_part.skipped, *without_model(plan, taking_part.declarations)]
    not_posed: list[Skipped] = []
    datasets = pose_all(taking_part.data, plan, not_posed)
    asked = ask_all(taking_part, datasets, plan, store, on_progress=on_progress, skipped=skipped)

    def record() -> Record:
        return make_record(
            plan,
            key,
            started_at,
            seconds=monotonic() - start,
            queries=sum(one.queries for one in asked.answered),
            asked=sum(one.asked for one in asked.answered),
            made_of=_made_of(taking_part, datasets),
            in_memory=taking_part.in_memory,
        )

    # Forms that do not apply are many, and matter less than what a model could not be asked.
    skipped += not_posed
    profile = profile_of(
        plan, datasets, asked.answered, skipped, on_progress=on_progress, record=record
    )
    if store is not None:
        _keep(store, profile, asked.failed, note, replace=fresh and replace)
    return profile


def check_plan(plan: Plan) -> None:
    """Refuse what is misspelt before anything is loaded."""
    check_fields(plan)
    if plan.frequencies:
        digest_of(plan.frequencies)


def pose_all(data: Iterable[DatasetRef], plan: Plan, skipped: list[Skipped]) -> list[PosedDataset]:
    """The datasets in all their forms; what cannot be posed is a gap, unless nothing is left."""
    posed: list[PosedDataset] = []
    errors: list[HorsesenseError] = []
    for one in data:
        try:
            posed.append(pose_dataset(one, plan))
            skipped += posed[-1].skipped
        except StoreError:
            raise  # it concerns all of them
        except HorsesenseError as error:
            errors.append(error)
            skipped.append(Skipped(one.name, str(error), is_named=True))
    if not posed:
        raise errors[0]
    check_subsets(plan.subsets, [one.subject for one in posed])
    if EVERY in plan.perturbations:
        skipped += [Skipped("transformations", failure) for failure in TRANSFORMATIONS.failures]
    return posed


@dataclass(frozen=True, slots=True)
class AskedAll:
    """What the models answered, and the names of those that failed while they were asked."""

    answered: tuple[Answered, ...]
    failed: tuple[str, ...]


def ask_all(
    taking_part: Participants,
    datasets: Sequence[PosedDataset],
    plan: Plan,
    store: Store | None,
    *,
    on_progress: OnProgress,
    skipped: list[Skipped],
) -> AskedAll:
    """What every model answers; one that cannot be asked is a gap, unless no other is left."""
    answered: list[Answered] = []
    errors: dict[str, HorsesenseError] = {}
    for one in respondents(taking_part, datasets, plan, skipped):
        try:
            answered.append(ask(one, store, on_progress))
            skipped += answered[-1].skipped
        except StoreError:
            raise
        except HorsesenseError as error:
            errors[one.name] = error
            skipped.append(Skipped(one.name, str(error), is_named=True))
        finally:
            release(one, taking_part)
    if errors and all(one.subject.is_baseline for one in answered):
        raise next(iter(errors.values()))
    failed = (name for name, error in errors.items() if not isinstance(error, UnscoredError))
    return AskedAll(tuple(answered), tuple(failed))


def release(respondent: Respondent, taking_part: Participants) -> None:
    """Let go a model that was loaded for the run; the next may need the room."""
    if respondent.name in taking_part.loaded:
        respondent.model.release()


def respondents(
    taking_part: Participants, datasets: Sequence[PosedDataset], plan: Plan, skipped: list[Skipped]
) -> list[Respondent]:
    """What is asked of whom, with the table of token frequencies where it fits."""
    table = read_frequencies(Path(plan.frequencies)) if plan.frequencies else None
    found = []
    for name, model in taking_part.models:
        fits = table is not None and _fits(table, model)
        if table is not None and not fits and not _is_baseline(model):
            told = "counts tokens that it does not have, and is not used"
            skipped.append(Skipped(name, f"the table of token frequencies {told}"))
        found.append(Respondent(name, model, datasets, plan, table if fits else None))
    return found


def _made_of(
    taking_part: Participants, datasets: Sequence[PosedDataset]
) -> Iterator[tuple[str, str]]:
    """The hashes of models, data and frozen forms, by what they are called."""
    yield from ((f"model {name}", found) for name, found in taking_part.fingerprints)
    yield from ((f"data {one.subject.name}", one.subject.id) for one in datasets)
    yield from ((f"form {name}", found) for name, found in taking_part.frozen)


def _keep(
    store: Store, profile: Results, failed: Sequence[str], note: Note, *, replace: bool
) -> None:
    if failed:
        told = "could not be asked, so that the profile is not kept, and the next run asks again"
        note(f"{', '.join(failed)} {told}")
    elif store.is_read_only:
        note(f"{store.path} cannot be written to, so that the profile is not kept")
    else:
        keep_run(store, profile, replace=replace)


def _fits(table: FrequencyTable, model: Model) -> bool:
    return not _is_baseline(model) and table.fits(model.info.vocabulary)


def _is_baseline(model: Model) -> bool:
    return model.info.family is Family.BASELINE
