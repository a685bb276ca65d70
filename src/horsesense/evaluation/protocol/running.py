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

from horsesense.errors import HorsesenseError, StoreError, UnknownNameError
from horsesense.evaluation.progress import OnProgress, Progress, ignore
from horsesense.evaluation.protocol.answering import (
    Answered,
    Respondent,
    UnscoredError,
    ask,
    posed_problems,
)
from horsesense.evaluation.protocol.methods import without_model
from horsesense.evaluation.protocol.participants import Participants, gather
from horsesense.evaluation.protocol.plans import check_fields
from horsesense.evaluation.protocol.recording import digest_of, make_record, now, run_key
from horsesense.evaluation.protocol.sources import DatasetRef
from horsesense.evaluation.protocol.variants import PosedDataset, pose_dataset
from horsesense.models import Family, Model
from horsesense.perturbations import TRANSFORMATIONS
from horsesense.results import EVERY, DatasetSubject, Estimate, Plan, Record, Results, Skipped
from horsesense.schema import Dataset
from horsesense.scoring import FrequencyTable, read_frequencies
from horsesense.scoring.outcome import EQUAL_LENGTH, SECOND_LAST
from horsesense.store import Store, find_run, keep_run, load_run


def check_subsets(expressions: Sequence[str], datasets: Sequence[DatasetSubject]) -> None:
    """Refuse a subset that is of no dataset; of which it is not, is told when all is measured."""
    for expression in expressions:
        errors = [_unknown(expression, dataset) for dataset in datasets]
        if all(errors):
            marks = {mark for dataset in datasets for mark in _marks(dataset)}
            raise UnknownNameError("mark of a problem", errors[0], marks)


def _unknown(expression: str, dataset: DatasetSubject) -> str:
    """The first mark in an expression that no problem of the dataset can have; empty for none."""
    # Here, as it takes numpy, which takes a while to be imported.
    from horsesense.metrics import condition
    from horsesense.metrics.sample import sample

    marked = sample([[True, True]], marks={mark: [[True, True]] for mark in _marks(dataset)})
    try:
        condition(expression)(marked)
    except UnknownNameError as error:
        return error.name
    return ""


def _marks(dataset: DatasetSubject) -> set[str]:
    """The marks of its problems, and those that answers bring with them."""
    return {*dataset.tags, SECOND_LAST, EQUAL_LENGTH}


MEASURING = "measuring"


def profile_of(
    plan: Plan,
    datasets: Sequence[PosedDataset],
    answered: Sequence[Answered],
    skipped: Sequence[Skipped],
    *,
    on_progress: OnProgress,
    record: Callable[[], Record],
) -> Results:
    """Measure everything; the record is asked for when that is done."""
    from horsesense.metrics import Ties
    from horsesense.results.measuring import Answers, conclude, measuring_steps

    answer_sets = {at: answer_set for one in answered for at, answer_set in one.answer_sets.items()}
    models = [one.subject for one in answered]
    subjects = [dataset.subject for dataset in datasets]
    variants = [variant for dataset in datasets for variant in dataset.variants]
    answers = Answers(
        answer_sets=answer_sets,
        models=models,
        datasets=subjects,
        variants=[variant.subject for variant in variants],
        subsets=plan.subsets,
        regrouped={
            (dataset.subject.name, variant): schemas
            for dataset in datasets
            for variant, schemas in dataset.regrouped.items()
        },
        ties=Ties(plan.ties),
        resamples=plan.resamples,
        seed=plan.seed,
    )
    steps = measuring_steps(answers)
    estimates: list[Estimate] = []
    for done, step in enumerate(steps, 1):
        estimates += step
        on_progress(Progress(MEASURING, done, len(steps)))
    measured = conclude(answers, estimates)
    return Results(
        record=record(),
        models=tuple(models),
        datasets=tuple(subjects),
        variants=tuple(variant.subject for variant in variants),
        estimates=measured.estimates,
        options=measured.options,
        problems=tuple(problem for variant in variants for problem in posed_problems(variant)),
        answer_sets=answer_sets,
        tokens=tuple(token for each in answered for token in each.tokens),
        skipped=(*skipped, *measured.skipped),
    )


Note: TypeAlias = Callable[[str], None]


def run_protocol(
    plan: Plan,
    store: Store | None,
    *,
    models: Sequence[str | Model] = (),
    data: Sequence[str | Dataset] = (),
    on_progress: OnProgress = ignore,
    note: Note = ignore,
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
    participants = gather(plan, store, models, data, note)
    key = run_key(plan, participants)
    if store is not None and not fresh and (kept := find_run(store, key)) is not None:
        return load_run(store, kept.id)
    skipped = [*participants.skipped, *without_model(plan, participants.declarations)]
    not_posed: list[Skipped] = []
    datasets = pose_all(participants.data, plan, not_posed)
    asked = ask_all(participants, datasets, plan, store, on_progress=on_progress, skipped=skipped)

    def record() -> Record:
        return make_record(
            plan,
            key,
            started_at,
            seconds=monotonic() - start,
            queries=sum(one.queries for one in asked.answered),
            asked=sum(one.asked for one in asked.answered),
            made_of=_made_of(participants, datasets),
            in_memory=participants.in_memory,
        )

    # Forms that do not apply are many, and matter less than what a model could not be asked.
    skipped += not_posed
    results = profile_of(
        plan, datasets, asked.answered, skipped, on_progress=on_progress, record=record
    )
    if store is not None:
        _keep(store, results, asked.failed, note, replace=fresh and replace)
    return results


def check_plan(plan: Plan) -> None:
    """Refuse what is misspelt before anything is loaded."""
    check_fields(plan)
    if plan.frequencies:
        digest_of(plan.frequencies)


def pose_all(data: Iterable[DatasetRef], plan: Plan, skipped: list[Skipped]) -> list[PosedDataset]:
    """The datasets in all their forms; what cannot be posed is a gap, unless nothing is left."""
    posed: list[PosedDataset] = []
    errors: list[HorsesenseError] = []
    for dataset_ref in data:
        try:
            posed.append(pose_dataset(dataset_ref, plan))
            skipped += posed[-1].skipped
        except StoreError:
            raise  # it concerns all of them
        except HorsesenseError as error:
            errors.append(error)
            skipped.append(Skipped(dataset_ref.name, str(error), is_named=True))
    if not posed:
        raise errors[0]
    check_subsets(plan.subsets, [dataset.subject for dataset in posed])
    if EVERY in plan.perturbations:
        skipped += [Skipped("transformations", failure) for failure in TRANSFORMATIONS.failures]
    return posed


@dataclass(frozen=True, slots=True)
class AskedAll:
    """What the models answered, and the names of those that failed while they were asked."""

    answered: tuple[Answered, ...]
    failed: tuple[str, ...]


def ask_all(
    participants: Participants,
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
    for respondent in respondents(participants, datasets, plan, skipped):
        try:
            answered.append(ask(respondent, store, on_progress))
            skipped += answered[-1].skipped
        except StoreError:
            raise
        except HorsesenseError as error:
            errors[respondent.name] = error
            skipped.append(Skipped(respondent.name, str(error), is_named=True))
        finally:
            release(respondent, participants)
    if errors and all(one.subject.is_baseline for one in answered):
        raise next(iter(errors.values()))
    failed = (name for name, error in errors.items() if not isinstance(error, UnscoredError))
    return AskedAll(tuple(answered), tuple(failed))


def release(respondent: Respondent, participants: Participants) -> None:
    """Let go a model that was loaded for the run; the next may need the room."""
    if respondent.name in participants.loaded:
        respondent.model.release()


def respondents(
    participants: Participants, datasets: Sequence[PosedDataset], plan: Plan, skipped: list[Skipped]
) -> list[Respondent]:
    """What is asked of whom, with the table of token frequencies where it fits."""
    table = read_frequencies(Path(plan.frequencies)) if plan.frequencies else None
    found = []
    for name, model in participants.models:
        fits = table is not None and _fits(table, model)
        if table is not None and not fits and not _is_baseline(model):
            message = "counts tokens that it does not have, and is not used"
            skipped.append(Skipped(name, f"the table of token frequencies {message}"))
        found.append(Respondent(name, model, datasets, plan, table if fits else None))
    return found


def _made_of(
    participants: Participants, datasets: Sequence[PosedDataset]
) -> Iterator[tuple[str, str]]:
    """The hashes of models, data and frozen forms, by what they are called."""
    yield from ((f"model {name}", found) for name, found in participants.fingerprints)
    yield from ((f"data {dataset.subject.name}", dataset.subject.id) for dataset in datasets)
    yield from ((f"form {name}", found) for name, found in participants.frozen)


def _keep(
    store: Store, results: Results, failed: Sequence[str], note: Note, *, replace: bool
) -> None:
    if failed:
        message = "could not be asked, so that the profile is not kept, and the next run asks again"
        note(f"{', '.join(failed)} {message}")
    elif store.is_read_only:
        note(f"{store.path} cannot be written to, so that the profile is not kept")
    else:
        keep_run(store, results, replace=replace)


def _fits(table: FrequencyTable, model: Model) -> bool:
    return not _is_baseline(model) and table.fits(model.info.vocabulary)


def _is_baseline(model: Model) -> bool:
    return model.info.family is Family.BASELINE
