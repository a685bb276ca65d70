"""Run a plan: from the names of models and datasets to `Results`.

`run_protocol` is the map of a run. A run that the store already has is loaded, not repeated. If one
of several datasets or models fails, the run continues with the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from horsesense.errors import HorsesenseError, StoreError, UnknownNameError
from horsesense.evaluation.progress import OnProgress, Progress, ignore
from horsesense.evaluation.protocol.answering import (
    ModelAnswers,
    ModelRun,
    UnscoredError,
    posed_problems,
    query_model,
)
from horsesense.evaluation.protocol.methods import protocols_of, without_model
from horsesense.evaluation.protocol.participants import Participants, gather
from horsesense.evaluation.protocol.plans import check_fields
from horsesense.evaluation.protocol.recording import digest_of, make_record, now, run_key
from horsesense.evaluation.protocol.sources import DatasetRef
from horsesense.evaluation.protocol.variants import PosedDataset, pose_dataset
from horsesense.models import Family, Model
from horsesense.perturbations import TRANSFORMATIONS
from horsesense.results import (
    EVERY,
    DatasetSubject,
    Estimate,
    Plan,
    Record,
    Results,
    ServerUsage,
    Skipped,
)
from horsesense.schema import Dataset
from horsesense.scoring import FrequencyTable, read_frequencies
from horsesense.scoring.outcome import EQUAL_LENGTH, SECOND_LAST
from horsesense.store import Store, find_run, keep_run, load_run


def check_subsets(expressions: Sequence[str], datasets: Sequence[DatasetSubject]) -> None:
    """Raise an error for a subset that no dataset has; `measure` reports those that some lack."""
    for expression in expressions:
        errors = [_unknown(expression, dataset) for dataset in datasets]
        if all(errors):
            marks = {mark for dataset in datasets for mark in _marks(dataset)}
            raise UnknownNameError("mark of a problem", errors[0], marks)


def _unknown(expression: str, dataset: DatasetSubject) -> str:
    """Return the first tag of an expression that no problem of the dataset can have, or empty."""
    # Imported here, as numpy takes time to import.
    from horsesense.metrics import condition
    from horsesense.metrics.sample import sample

    marked = sample([[True, True]], marks={mark: [[True, True]] for mark in _marks(dataset)})
    try:
        condition(expression)(marked)
    except UnknownNameError as error:
        return error.name
    return ""


def _marks(dataset: DatasetSubject) -> set[str]:
    """Return the tags of its problems, and those that are computed from answers."""
    return {*dataset.tags, SECOND_LAST, EQUAL_LENGTH}


MEASURING = "measuring"


def measure(
    plan: Plan,
    datasets: Sequence[PosedDataset],
    answered: Sequence[ModelAnswers],
    skipped: Sequence[Skipped],
    *,
    on_progress: OnProgress,
    record: Callable[[], Record],
    usage: Sequence[ServerUsage] = (),
) -> Results:
    """Measure every estimate. `record` is called at the end, so that it can give the time taken."""
    from horsesense.metrics import Ties
    from horsesense.results.measuring import Answers, conclude, measuring_steps

    answer_sets = {
        key: answer_set
        for answers_of_model in answered
        for key, answer_set in answers_of_model.answer_sets.items()
    }
    models = [each.subject for each in answered]
    subjects = [dataset.subject for dataset in datasets]
    variants = {
        variant: posed for dataset in datasets for variant, posed in dataset.variants.items()
    }
    answers = Answers(
        answer_sets=answer_sets,
        models=models,
        datasets=subjects,
        variants=list(variants),
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
        variants=tuple(variants),
        estimates=measured.estimates,
        options=measured.options,
        problems=tuple(
            problem
            for variant, posed in variants.items()
            for problem in posed_problems(variant, posed)
        ),
        answer_sets=answer_sets,
        tokens=tuple(token for each in answered for token in each.tokens),
        skipped=(*skipped, *measured.skipped),
        replies=tuple(count for each in answered for count in each.replies),
        usage=tuple(usage),
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
    """Evaluate the models and data that the plan names, or those given in their place.

    The steps, and where each is done:

    1. Load models and data (`participants.gather`).
    2. Return the stored results if the same run was made before (`recording.run_key`).
    3. Pose each dataset in its variants (`variants.pose_dataset`).
    4. Query each model for what the store does not have, and collect answers by every scoring
       method (`answering.query_model`).
    5. Measure every estimate from the answers (`horsesense.results.measuring`).
    6. Keep the results in the store.

    `fresh` repeats a run that is in the store, and replaces it unless `replace` is false. `note`
    is called with a message before anything slow, such as loading a model. Whatever cannot be
    loaded or posed is listed in `skipped`; if nothing is left, that is an error. If a model
    failed, the run is not stored, so that the next one tries again.
    """
    started_at, start = now(), monotonic()
    check_plan(plan)
    participants = gather(plan, store, models, data, note)
    key = run_key(plan, participants)
    if store is not None and not fresh and (kept := find_run(store, key)) is not None:
        return load_run(store, kept.id)
    skipped = [*participants.skipped, *without_model(plan, participants.model_infos)]
    not_posed: list[Skipped] = []
    datasets = pose_all(participants.data, plan, not_posed)
    answered, failed = query_models(
        participants, datasets, plan, store, on_progress=on_progress, skipped=skipped
    )

    def record() -> Record:
        return make_record(
            plan,
            key,
            started_at,
            seconds=monotonic() - start,
            queries=sum(answers.queries for answers in answered),
            asked=sum(answers.asked for answers in answered),
            made_of=_made_of(plan, participants, datasets),
            in_memory=participants.in_memory,
        )

    # Variants that do not apply are many, and matter less than models that failed.
    skipped += not_posed
    results = measure(
        plan,
        datasets,
        answered,
        skipped,
        on_progress=on_progress,
        record=record,
        usage=list(server_usage(participants)),
    )
    if store is not None:
        _keep(store, results, failed, note, replace=fresh and replace)
    return results


def check_plan(plan: Plan) -> None:
    """Raise an error for invalid values before anything is loaded."""
    check_fields(plan)
    if plan.frequencies:
        digest_of(plan.frequencies)


def pose_all(data: Iterable[DatasetRef], plan: Plan, skipped: list[Skipped]) -> list[PosedDataset]:
    """Pose all datasets in their variants; those that fail are skipped, unless nothing is left."""
    posed: list[PosedDataset] = []
    errors: list[HorsesenseError] = []
    for dataset_ref in data:
        try:
            posed.append(pose_dataset(dataset_ref, plan))
            skipped += posed[-1].skipped
        except StoreError:
            raise  # the other datasets would fail too
        except HorsesenseError as error:
            errors.append(error)
            skipped.append(Skipped(dataset_ref.name, str(error), is_named=True))
    if not posed:
        raise errors[0]
    check_subsets(plan.subsets, [dataset.subject for dataset in posed])
    if EVERY in plan.perturbations:
        skipped += [Skipped("transformations", failure) for failure in TRANSFORMATIONS.failures]
    return posed


def query_models(
    participants: Participants,
    datasets: Sequence[PosedDataset],
    plan: Plan,
    store: Store | None,
    *,
    on_progress: OnProgress,
    skipped: list[Skipped],
) -> tuple[list[ModelAnswers], list[str]]:
    """Query every model; return the answers, and the names of the models that failed.

    A model that fails is listed in `skipped`. If only baselines are left, its error is raised.
    """
    answered: list[ModelAnswers] = []
    errors: dict[str, HorsesenseError] = {}
    for model_run in model_runs(participants, datasets, plan, skipped):
        try:
            answered.append(query_model(model_run, store, on_progress))
            skipped += answered[-1].skipped
        except StoreError:
            raise
        except HorsesenseError as error:
            errors[model_run.name] = error
            skipped.append(Skipped(model_run.name, str(error), is_named=True))
        finally:
            release(model_run, participants)
    if errors and all(each.subject.is_baseline for each in answered):
        raise next(iter(errors.values()))
    failed = [name for name, error in errors.items() if not isinstance(error, UnscoredError)]
    return answered, failed


def server_usage(participants: Participants) -> Iterator[ServerUsage]:
    """Yield what was sent to the server of each model that is behind one."""
    for name, model in participants.models:
        budget = participants.budgets.get(name)
        if budget is not None and model.is_served:
            yield ServerUsage(
                model=name,
                requests=budget.requests,
                prompt_tokens=budget.prompt_tokens,
                reply_tokens=budget.reply_tokens,
                cost=budget.cost,
            )


def release(model_run: ModelRun, participants: Participants) -> None:
    """Release a model that was loaded for the run; the next may need the memory."""
    if model_run.name in participants.loaded:
        model_run.model.release()


def model_runs(
    participants: Participants, datasets: Sequence[PosedDataset], plan: Plan, skipped: list[Skipped]
) -> list[ModelRun]:
    """One run per model, with the table of token frequencies where it fits."""
    table = read_frequencies(Path(plan.frequencies)) if plan.frequencies else None
    model_runs = []
    for name, model in participants.models:
        fits = table is not None and _fits(table, model)
        if table is not None and not fits and not _is_baseline(model):
            message = "does not match its vocabulary, and is not used"
            skipped.append(Skipped(name, f"the table of token frequencies {message}"))
        model_runs.append(ModelRun(name, model, datasets, plan, table if fits else None))
    return model_runs


def _made_of(
    plan: Plan, participants: Participants, datasets: Sequence[PosedDataset]
) -> Iterator[tuple[str, str]]:
    """Yield the hashes of models, data, frozen variants and chat protocols, by name."""
    yield from ((f"model {name}", hash) for name, hash in participants.fingerprints)
    yield from ((f"data {dataset.subject.name}", dataset.subject.id) for dataset in datasets)
    yield from ((f"form {name}", id) for name, id in participants.frozen)
    yield from protocols_of(plan, participants.model_infos)


def _keep(
    store: Store, results: Results, failed: Sequence[str], note: Note, *, replace: bool
) -> None:
    if failed:
        message = "failed, so the run is not stored and the next one tries again"
        note(f"{', '.join(failed)} {message}")
    elif store.is_read_only:
        note(f"{store.path} cannot be written to, so the run is not stored")
    else:
        keep_run(store, results, replace=replace)


def _fits(table: FrequencyTable, model: Model) -> bool:
    return not _is_baseline(model) and table.fits(model.info.vocabulary)


def _is_baseline(model: Model) -> bool:
    return model.info.family is Family.BASELINE
