"""Query a model about problems, and score them: problems and methods in, outcomes out.

An observation is the tokens of an option with the log-probabilities that the model returned.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import fsum
from typing import NamedTuple, TypeAlias, cast

from horsesense.errors import ModelError
from horsesense.evaluation.inference.chatting import chat_observations
from horsesense.evaluation.inference.queries import (
    CausalPlan,
    MaskedPlan,
    Plan,
    SpansPlan,
    needed_by,
    plan_all,
    queries_of,
)
from horsesense.evaluation.inference.querying import Reader, answers_for
from horsesense.evaluation.progress import OnProgress, ignore
from horsesense.models import (
    Baseline,
    CausalObservation,
    ChatModel,
    Family,
    FirstToken,
    Label,
    LabelPart,
    LanguageModel,
    LogProbs,
    MaskedObservation,
    Model,
    Observation,
    PreferenceObservation,
    Query,
    SpansObservation,
    Straddling,
)
from horsesense.schema import Problem
from horsesense.scoring import (
    FrequencyTable,
    Method,
    Outcome,
    Result,
    Undefined,
    outcomes_of,
    score_problem,
)
from horsesense.store import Store

QueryAnswers: TypeAlias = Mapping[Query, tuple[float, ...]]
# The reason why no method scores a problem that was left out.
UNREAD = "the model cannot read it"


class First(NamedTuple):
    """The log-probability of a token at the start of a text, and its source."""

    log_prob: float | None = None
    source: FirstToken = FirstToken.UNDEFINED


FirstOf: TypeAlias = Callable[[int], First]


def observe_option(plan: Plan, answers: QueryAnswers, first_of: FirstOf) -> Observation:
    """Make the observation of one option from the answers to its queries."""
    match plan:
        case CausalPlan():
            return _causal(plan, answers, first_of)
        case MaskedPlan():
            return _masked(plan, answers)
        case SpansPlan():
            return SpansObservation(
                _label(plan.parts, plan.plain, answers), _label(plan.parts, plan.prefixed, answers)
            )


def _causal(plan: CausalPlan, answers: QueryAnswers, first_of: FirstOf) -> CausalObservation:
    real, tokenization = plan.tokens.real, plan.tokens.tokenization
    # The answer starts at the second token, as the first has no log-probability.
    answer = (None, *(answers[plan.query] if plan.query else ()))
    log_probs: LogProbs = answer
    if len(real) < len(tokenization.ids):
        words = enumerate(tokenization.words)
        log_probs = tuple([None if word is None else answer[at] for at, word in words])
    first = First()
    if real:
        after_bos = First(answer[real[0]], FirstToken.BOS)
        first = after_bos if real[0] > 0 else first_of(tokenization.ids[real[0]])
    return CausalObservation(
        plan.tokens,
        log_probs,
        first.log_prob,
        first.source,
        _alone(plan, answers, first_of),
        _causal(plan.seam, answers, first_of) if plan.seam else None,
    )


def _alone(plan: CausalPlan, answers: QueryAnswers, first_of: FirstOf) -> float | None:
    """Return the log-probability of the phrases in the blanks, each by itself."""
    if plan.phrases is None:
        return None
    terms: list[float] = []
    for phrase, query in zip(plan.phrases, plan.alone, strict=True):
        answer = answers[query] if query else ()
        terms += answer[-len(phrase) :]
        if len(answer) < len(phrase):  # no token before the phrase
            first = first_of(phrase[0]).log_prob
            if first is None:
                return None
            terms.append(first)
    return fsum(terms)


def _masked(plan: MaskedPlan, answers: QueryAnswers) -> MaskedObservation:
    size = len(plan.tokens.tokenization.ids)
    return MaskedObservation(
        plan.tokens,
        single=_spread(plan.single, answers, size),
        within_word=_spread(plan.within_word, answers, size),
        multi=_spread(plan.multi, answers, size),
    )


def _spread(query: Query | None, answers: QueryAnswers, size: int) -> LogProbs:
    """Return the log-probabilities at the positions of their tokens."""
    if query is None:
        return ()
    log_probs: list[float | None] = [None] * size
    for mask, log_prob in zip(query.masks, answers[query], strict=True):
        log_probs[mask[0]] = log_prob
    return tuple(log_probs)


def _label(parts: tuple[LabelPart, ...], query: Query | None, answers: QueryAnswers) -> Label:
    if query is None:
        return Label((), (), (), ())
    return Label(query.ids, query.label, parts, answers[query])


@dataclass(frozen=True, slots=True)
class ObservedProblem:
    """A problem, the observation of each option, and the outcome by each method it was scored by.

    `unread` is the reason if the model cannot read a sentence of it; there are no observations
    then, and every method is undefined. `outcomes` are by the names of the methods.
    """

    problem: Problem
    observations: tuple[Observation, ...]
    unread: str = ""
    methods: tuple[Method, ...] = ()
    outcomes: Mapping[str, Outcome | Undefined] = field(default_factory=dict)

    @property
    def results(self) -> dict[str, Result]:
        """The scores of the options by each method, computed again with the tokens they count."""
        if self.unread:
            return {method.name: Undefined(UNREAD) for method in self.methods}
        return {method.name: score_problem(method, self.observations) for method in self.methods}

    @property
    def straddling(self) -> int:
        """The number of tokens across the edge of a blank."""
        return sum(
            len(observation.tokens.straddling)
            for observation in self.observations
            if isinstance(observation, CausalObservation | MaskedObservation)
        )


def observe(
    model: Model,
    problems: Iterable[Problem],
    methods: Iterable[Method],
    *,
    store: Store | None = None,
    frequencies: FrequencyTable | None = None,
    straddling: Straddling = Straddling.SUFFIX,
    keep_going: bool = False,
    on_progress: OnProgress | None = None,
) -> Iterator[ObservedProblem]:
    """Query the model for every option of every problem, as far as these methods need it.

    All problems are tokenized first, and all distinct queries are answered together; then the
    observed problems are yielded in order. `frequencies` provides the probability of first tokens
    for models without BOS. A sentence that the model cannot read raises an error before the first
    query; with `keep_going`, its problem is left out if others remain.
    """
    methods = tuple(methods)
    _check_family(model, methods)
    if model.info.family is Family.BASELINE:
        yield from _preferences(cast(Baseline, model), problems)
        return
    if model.info.family is Family.CHAT:
        yield from _conversations(cast(ChatModel, model), problems, methods, store, on_progress)
        return
    _check_frequencies(model, frequencies)
    reader = Reader(cast(LanguageModel, model), on_progress or ignore)
    needs = needed_by(methods, straddling, table=frequencies is not None)
    problems = list(problems)
    with _without_garbage_collection():
        planned = plan_all(reader, problems, needs, keep_going=keep_going)
    plans = (plan for each in planned for plan in each.plans)
    queries = (query for plan in plans for query in queries_of(plan))
    answers = answers_for(reader.model, queries, store, on_progress=on_progress)
    first_of = _first_of(frequencies)
    for problem, each in zip(problems, planned, strict=True):
        observations = tuple([observe_option(plan, answers, first_of) for plan in each.plans])
        yield ObservedProblem(problem, observations, each.unread)


def score(
    model: Model,
    problems: Iterable[Problem],
    methods: Iterable[Method],
    *,
    store: Store | None = None,
    frequencies: FrequencyTable | None = None,
    straddling: Straddling = Straddling.SUFFIX,
    keep_going: bool = False,
    on_progress: OnProgress | None = None,
) -> Iterator[ObservedProblem]:
    """Query the model like `observe`, and score every problem by every method."""
    methods = tuple(methods)
    observed = observe(
        model,
        problems,
        methods,
        store=store,
        frequencies=frequencies,
        straddling=straddling,
        keep_going=keep_going,
        on_progress=on_progress,
    )
    for observed_problem in observed:
        yield score_observed(observed_problem, methods)


def score_observed(observed: ObservedProblem, methods: Iterable[Method]) -> ObservedProblem:
    """Score an observed problem by every method."""
    problem, observations, methods = observed.problem, observed.observations, tuple(methods)
    outcomes: Mapping[str, Outcome | Undefined]
    if observed.unread:
        outcomes = {method.name: Undefined(UNREAD) for method in methods}
    else:
        outcomes = outcomes_of(methods, observations, problem.right)
    return ObservedProblem(problem, observations, observed.unread, methods, outcomes)


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause the garbage collector, which takes time and would find nothing here."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _preferences(model: Baseline, problems: Iterable[Problem]) -> Iterator[ObservedProblem]:
    for problem in problems:
        costs = model.costs(problem)
        yield ObservedProblem(problem, tuple(PreferenceObservation(cost) for cost in costs))


def _conversations(
    model: ChatModel,
    problems: Iterable[Problem],
    methods: Sequence[Method],
    store: Store | None,
    on_progress: OnProgress | None,
) -> Iterator[ObservedProblem]:
    problems = list(problems)
    observations = chat_observations(model, problems, methods, store, on_progress=on_progress)
    for problem, observation in zip(problems, observations, strict=True):
        yield ObservedProblem(problem, (observation,) * len(problem.options))


def _check_family(model: Model, methods: Iterable[Method]) -> None:
    family = model.info.family
    for method in methods:
        if method.family is not family:
            raise ModelError(
                f"{method.name} is a scoring method of the {method.family} family, and"
                f" {model.info.name} is of the {family} family"
            )


def _check_frequencies(model: Model, frequencies: FrequencyTable | None) -> None:
    if frequencies is not None and not frequencies.fits(model.info.vocabulary):
        raise ModelError(
            "the table of token frequencies counts tokens that"
            f" {model.info.name} does not have; it was made for another model"
        )


def _first_of(frequencies: FrequencyTable | None) -> FirstOf:
    """Return a function that looks up first tokens in the table, if there is one."""
    if frequencies is None:
        return lambda _: First()

    return lambda token: First(*frequencies.log_prob(token))
