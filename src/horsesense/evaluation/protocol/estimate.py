"""Estimate what a run takes before it is run: queries, tokens, and the time for those not stored.

The speed of a model is measured on a few of its queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import cast

from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.inference import (
    Reader,
    canary_method,
    canary_problems,
    needed_by,
    plan_all,
    queries_of,
)
from horsesense.evaluation.inference.chatting import requests_of
from horsesense.evaluation.inference.queries import QueryNeeds
from horsesense.evaluation.progress import OnProgress, Progress, ignore
from horsesense.evaluation.protocol.answering import ModelRun
from horsesense.evaluation.protocol.methods import without_model
from horsesense.evaluation.protocol.participants import gather
from horsesense.evaluation.protocol.running import check_plan, model_runs, pose_all, release
from horsesense.evaluation.protocol.variants import PosedDataset
from horsesense.models import (
    ChatModel,
    ChatRequest,
    LanguageModel,
    Model,
    Prices,
    Query,
    Straddling,
    estimated_tokens,
)
from horsesense.results import Plan, Skipped
from horsesense.schema import Dataset, Problem
from horsesense.store import Store, load_answers, load_replies

# How many queries the speed is measured on, after a few to warm up.
_SAMPLE, _WARM_UP = 48, 4
# The same for replies of chat models, which take longer.
_CHAT_SAMPLE = 16


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """The cost of querying a model: distinct queries, those in the store, and tokens to compute.

    `tokens` are those of queries that are not stored; `seconds` include loading the model, and are
    None for a model behind a server, whose speed is not measured, as that would cost requests.

    `requests` go to a server, without retries; `reply_tokens` are the most that may be generated,
    and `cost` is the highest by the plan's prices, None without prices. With `is_exact` false,
    tokens are estimated from characters, and answers in the store are not known.
    """

    name: str
    queries: int
    cached: int
    tokens: int
    seconds: float | None
    requests: int = 0
    reply_tokens: int = 0
    cost: float | None = None
    is_exact: bool = True


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
        """The time that querying models on this machine would take."""
        return sum(model.seconds or 0.0 for model in self.models) / 60

    @property
    def requests(self) -> int:
        """Requests to servers, without retries."""
        return sum(model.requests for model in self.models)

    @property
    def cost(self) -> float | None:
        """The highest cost of all requests by the plan's prices, None without prices."""
        costs = [model.cost for model in self.models if model.cost is not None]
        return sum(costs) if costs else None


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
    model = model_run.model
    if isinstance(model, ChatModel):
        return _of_chat(model_run, model, store)
    model = cast(LanguageModel, model)
    if model.tokenizes_by_request:
        return _of_texts(model_run)
    queries = _queries(model_run, model)
    answers = load_answers(store, model.info, queries)[0] if store is not None else {}
    missing = [query for query in queries if query not in answers]
    tokens = model.count_tokens(queries, answers)
    counts = model_run.name, len(queries), len(answers), tokens
    if not model.is_served:
        return ModelEstimate(*counts, _seconds(model, missing, tokens) if missing else 0.0)
    canaries = _canaries(model, store)
    requests = model.count_requests([*missing, *canaries])
    cost = _prices(model_run.plan).cost(tokens + model.count_tokens(canaries), requests)
    return ModelEstimate(*counts, None, requests, reply_tokens=requests, cost=cost)


def _of_chat(model_run: ModelRun, model: ChatModel, store: Store | None) -> ModelEstimate:
    requests = requests_of(model_run.methods(), model_run.problems)
    replies = load_replies(store, model.info.fingerprint, requests)[0] if store is not None else {}
    missing = [request for request in requests if request not in replies]
    prompts = model.count_prompt_tokens(missing)
    counts = model_run.name, len(requests), len(replies), prompts
    written = sum(request.max_tokens for request in missing)
    if not model.is_served:
        seconds = _chat_seconds(model, missing) if missing else 0.0
        return ModelEstimate(*counts, seconds, reply_tokens=written)
    cost = _prices(model_run.plan).cost(prompts, written)
    return ModelEstimate(*counts, None, len(missing), written, cost, is_exact=False)


def _of_texts(model_run: ModelRun) -> ModelEstimate:
    """Estimate by characters, for a server that tokenizes only what it is asked about."""
    texts = {sentence.text for problem in model_run.problems for sentence in problem.sentences}
    tokens, number = sum(map(estimated_tokens, texts)), len(texts)
    cost = _prices(model_run.plan).cost(tokens, number)
    return ModelEstimate(
        model_run.name, number, 0, tokens, None, number, number, cost, is_exact=False
    )


def _prices(plan: Plan) -> Prices:
    return Prices(plan.price_input, plan.price_output)


def _chat_seconds(model: ChatModel, missing: Sequence[ChatRequest]) -> float:
    """Estimate how long the missing replies take from a sample of them."""
    step = max(1, len(missing) // _CHAT_SAMPLE)
    sample = missing[::step][:_CHAT_SAMPLE]
    start = perf_counter()
    for _ in model.ask(sample[:1]):
        pass
    loading = perf_counter() - start
    start = perf_counter()
    for _ in model.ask(sample):
        pass
    return loading + (perf_counter() - start) * len(missing) / len(sample)


def _queries(model_run: ModelRun, model: LanguageModel) -> tuple[Query, ...]:
    """Return the distinct queries to the model."""
    needs = needed_by(
        model_run.methods(),
        Straddling(model_run.plan.straddling),
        table=model_run.frequencies is not None,
    )
    return _planned(model, model_run.problems, needs, keep_going=model_run.plan.keep_going)


def _canaries(model: LanguageModel, store: Store | None) -> list[Query]:
    """Return the queries that a run sends to check the model, without those in the store."""
    needs = needed_by([canary_method(model.info.family)], Straddling.SUFFIX, table=False)
    queries = _planned(model, canary_problems(), needs, keep_going=True)
    answers = load_answers(store, model.info, queries)[0] if store is not None else {}
    return [query for query in queries if query not in answers]


def _planned(
    model: LanguageModel, problems: Sequence[Problem], needs: QueryNeeds, *, keep_going: bool
) -> tuple[Query, ...]:
    planned = plan_all(Reader(model), problems, needs, keep_going=keep_going)
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
