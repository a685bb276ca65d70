"""Estimate what a run takes before it is run: queries, tokens, and the time for those not stored.

The speed of a model is measured on a few of its queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import cast

from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.inference import Reader, needed_by, plan_all, queries_of
from horsesense.evaluation.progress import OnProgress, Progress, ignore
from horsesense.evaluation.protocol.answering import ModelRun
from horsesense.evaluation.protocol.methods import without_model
from horsesense.evaluation.protocol.participants import gather
from horsesense.evaluation.protocol.running import check_plan, model_runs, pose_all, release
from horsesense.evaluation.protocol.variants import PosedDataset
from horsesense.models import LanguageModel, Model, Query, Straddling
from horsesense.results import Plan, Skipped
from horsesense.schema import Dataset
from horsesense.store import Store, load_answers

# How many queries the speed is measured on, after a few to warm up.
_SAMPLE, _WARM_UP = 48, 4


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """The cost of querying a model: distinct queries, those in the store, and tokens to compute.

    `tokens` are those of queries that are not stored; `seconds` include loading the model.
    """

    name: str
    queries: int
    cached: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """The cost of a run; the time is that of querying, without measuring."""

    models: tuple[ModelEstimate, ...]
    datasets: int
    forms: int
    problems: int
    sentences: int
    skipped: tuple[Skipped, ...]

    @property
    def queries(self) -> int:
        """Distinct queries to all models."""
        return sum(model.queries for model in self.models)

    @property
    def cached(self) -> int:
        """Queries that the store has answers to."""
        return sum(model.cached for model in self.models)

    @property
    def tokens(self) -> int:
        """Tokens to compute."""
        return sum(model.tokens for model in self.models)

    @property
    def minutes(self) -> float:
        """The time that querying would take."""
        return sum(model.seconds for model in self.models) / 60


def estimate(
    plan: Plan,
    store: Store | None,
    *,
    models: Sequence[str | Model] = (),
    data: Sequence[str | Dataset] = (),
    on_progress: OnProgress = ignore,
    note: Callable[[str], None] = ignore,
) -> RunEstimate:
    """Estimate what running the plan would take. Nothing is stored."""
    check_plan(plan)
    participants = gather(plan, store, models, data, note)
    skipped = [*participants.skipped, *without_model(plan, participants.model_infos)]
    datasets = pose_all(participants.data, plan, skipped)
    estimates: list[ModelEstimate] = []
    runs = model_runs(participants, datasets, plan, skipped)
    queried = [run for run in runs if not run.is_baseline]
    for number, run in enumerate(queried):
        on_progress(Progress(f"timing {run.name}", number, len(queried)))
        try:
            estimates.append(_estimate(run, store))
        except StoreError:
            raise
        except HorsesenseError as error:
            skipped.append(Skipped(run.name, str(error), is_named=True))
        finally:
            release(run, participants)
    return RunEstimate(
        tuple(estimates),
        len(datasets),
        sum(len(dataset.variants) for dataset in datasets),
        sum(variant.problems for dataset in datasets for variant in dataset.variants),
        len(_sentences(datasets)),
        tuple(skipped),
    )


def _estimate(model_run: ModelRun, store: Store | None) -> ModelEstimate:
    model = cast(LanguageModel, model_run.model)
    queries = _queries(model_run, model)
    answers = load_answers(store, model.info, queries)[0] if store is not None else {}
    missing = [query for query in queries if query not in answers]
    tokens = model.count_tokens(queries, answers)
    seconds = _seconds(model, missing, tokens) if missing else 0.0
    return ModelEstimate(model_run.name, len(queries), len(answers), tokens, seconds)


def _queries(model_run: ModelRun, model: LanguageModel) -> tuple[Query, ...]:
    """Return the distinct queries to the model."""
    reader = Reader(model)
    needs = needed_by(
        model_run.methods(),
        Straddling(model_run.plan.straddling),
        table=model_run.frequencies is not None,
    )
    planned = plan_all(reader, model_run.problems, needs, keep_going=model_run.plan.keep_going)
    plans = (plan for problem in planned for plan in problem.plans)
    return tuple(dict.fromkeys(query for plan in plans for query in queries_of(plan)))


def _seconds(model: LanguageModel, missing: Sequence[Query], tokens: int) -> float:
    """Estimate how long the missing queries take from a sample of them."""
    step = max(1, len(missing) // _SAMPLE)
    sample = missing[::step][:_SAMPLE]
    start = perf_counter()
    for _ in model.answer(sample[:_WARM_UP]):
        pass
    loading = perf_counter() - start
    start = perf_counter()
    for _ in model.answer(sample):
        pass
    return loading + (perf_counter() - start) * tokens / max(1, model.count_tokens(sample))


def _sentences(datasets: Sequence[PosedDataset]) -> set[str]:
    return {
        sentence.text
        for dataset in datasets
        for posed in dataset.variants.values()
        for problem in posed.problems
        for sentence in problem.sentences
    }
