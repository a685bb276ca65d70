"""What a run would take before it is run: questions, tokens, and the time for what is not stored.

How quick a model is, is tried out on a few of the questions that it would be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import cast

from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.inference import Reader, plan_all, queries_of, wanted_by
from horsesense.evaluation.progress import OnProgress, Progress, ignore
from horsesense.evaluation.protocol.answering import Respondent
from horsesense.evaluation.protocol.methods import without_model
from horsesense.evaluation.protocol.participants import gather
from horsesense.evaluation.protocol.running import check_plan, pose_all, release, respondents
from horsesense.evaluation.protocol.variants import PosedDataset
from horsesense.models import LanguageModel, Model, Query, Straddling
from horsesense.results import Plan, Skipped
from horsesense.schema import Dataset
from horsesense.store import Store, load_answers

# So many questions show how quick a model is, after a few to warm it up.
_SAMPLE, _WARM_UP = 48, 4


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What it takes to ask a model: distinct queries, those in the store, and tokens to compute.

    `tokens` are those that the model would read for what is not stored; `seconds` the time that
    it would take, with the loading.
    """

    name: str
    queries: int
    cached: int
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RunEstimate:
    """What a run would take; measuring, which follows, is not in the time."""

    models: tuple[ModelEstimate, ...]
    datasets: int
    forms: int
    problems: int
    sentences: int
    skipped: tuple[Skipped, ...]

    @property
    def queries(self) -> int:
        """Distinct questions to all models."""
        return sum(model.queries for model in self.models)

    @property
    def cached(self) -> int:
        """Those that the store has answers to."""
        return sum(model.cached for model in self.models)

    @property
    def tokens(self) -> int:
        """Tokens to be computed."""
        return sum(model.tokens for model in self.models)

    @property
    def minutes(self) -> float:
        """The time that asking would take."""
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
    """What it would take to run the plan; nothing is kept of it."""
    check_plan(plan)
    participants = gather(plan, store, models, data, note)
    skipped = [*participants.skipped, *without_model(plan, participants.declarations)]
    datasets = pose_all(participants.data, plan, skipped)
    estimates: list[ModelEstimate] = []
    taking = respondents(participants, datasets, plan, skipped)
    asked = [one for one in taking if not one.is_baseline]
    for number, one in enumerate(asked):
        on_progress(Progress(f"trying out {one.name}", number, len(asked)))
        try:
            estimates.append(_estimate(one, store))
        except StoreError:
            raise
        except HorsesenseError as error:
            skipped.append(Skipped(one.name, str(error), is_named=True))
        finally:
            release(one, participants)
    return RunEstimate(
        tuple(estimates),
        len(datasets),
        sum(len(dataset.variants) for dataset in datasets),
        sum(variant.subject.problems for dataset in datasets for variant in dataset.variants),
        len(_sentences(datasets)),
        tuple(skipped),
    )


def _estimate(respondent: Respondent, store: Store | None) -> ModelEstimate:
    model = cast(LanguageModel, respondent.model)
    queries = _queries(respondent, model)
    answers = load_answers(store, model.info, queries)[0] if store is not None else {}
    missing = [query for query in queries if query not in answers]
    tokens = model.count_tokens(queries, answers)
    seconds = _seconds(model, missing, tokens) if missing else 0.0
    return ModelEstimate(respondent.name, len(queries), len(answers), tokens, seconds)


def _queries(respondent: Respondent, model: LanguageModel) -> tuple[Query, ...]:
    """The distinct queries that the model would be asked."""
    reader = Reader(model)
    wanted = wanted_by(
        respondent.methods(),
        Straddling(respondent.plan.straddling),
        table=respondent.frequencies is not None,
    )
    problems = [problem for variant in respondent.variants for problem in variant.posed.problems]
    planned = plan_all(reader, problems, wanted, keep_going=respondent.plan.keep_going)
    return tuple(
        dict.fromkeys(query for one in planned for plan in one.plans for query in queries_of(plan))
    )


def _seconds(model: LanguageModel, missing: Sequence[Query], tokens: int) -> float:
    """How long the missing queries would take, by a sample of them."""
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
        for variant in dataset.variants
        for problem in variant.posed.problems
        for sentence in problem.sentences
    }
