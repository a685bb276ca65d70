"""One run: problems and scoring methods in, observations and outcomes out.

An observation is the model's numbers beside the tokens that they belong to.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple, TypeAlias, cast

from horsesense.errors import ModelError
from horsesense.evaluation.inference.asking import OnProgress, Reader, answers_for
from horsesense.evaluation.inference.queries import (
    CausalPlan,
    MaskedPlan,
    Plan,
    SpansPlan,
    plan_all,
    queries_of,
    wanted_by,
)
from horsesense.models import (
    Baseline,
    CausalObservation,
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

Given: TypeAlias = Mapping[Query, tuple[float, ...]]
# Why no method has a score for a problem that was left out.
UNREAD = "the model cannot read it"


class First(NamedTuple):
    """The log-probability of a first token that nothing comes before, and where it is from."""

    log_prob: float | None = None
    source: FirstToken = FirstToken.UNDEFINED


FirstOf: TypeAlias = Callable[[int], First]


def observe_option(plan: Plan, answers: Given, first_of: FirstOf) -> Observation:
    """The model's numbers for one option."""
    match plan:
        case CausalPlan():
            return _causal(plan, answers, first_of)
        case MaskedPlan():
            return _masked(plan, answers)
        case SpansPlan():
            return SpansObservation(
                _label(plan.parts, plan.plain, answers), _label(plan.parts, plan.prefixed, answers)
            )


def _causal(plan: CausalPlan, answers: Given, first_of: FirstOf) -> CausalObservation:
    real, reading = plan.tokens.real, plan.tokens.reading
    # The first token that is read has no log-probability; the second has the first of them.
    said = (None, *(answers[plan.query] if plan.query else ()))
    log_probs: LogProbs = said
    if len(real) < len(reading.ids):
        log_probs = tuple(
            [said[at] if word is not None else None for at, word in enumerate(reading.words)]
        )
    first = First()
    if real:
        after_bos = First(said[real[0]], FirstToken.BOS)
        first = after_bos if real[0] > 0 else first_of(reading.ids[real[0]])
    return CausalObservation(
        plan.tokens,
        log_probs,
        first.log_prob,
        first.source,
        _alone(plan, answers, first_of),
        _causal(plan.seam, answers, first_of) if plan.seam else None,
    )


def _alone(plan: CausalPlan, answers: Given, first_of: FirstOf) -> float | None:
    """The log-probability of the phrases in the blanks, each read by itself."""
    if plan.phrases is None:
        return None
    terms: list[float] = []
    for phrase, query in zip(plan.phrases, plan.alone, strict=True):
        said = answers[query] if query else ()
        terms += said[-len(phrase) :]
        if len(said) < len(phrase):  # nothing comes before it
            first = first_of(phrase[0]).log_prob
            if first is None:
                return None
            terms.append(first)
    return fsum(terms)


def _masked(plan: MaskedPlan, answers: Given) -> MaskedObservation:
    size = len(plan.tokens.reading.ids)
    return MaskedObservation(
        plan.tokens,
        single=_spread(plan.single, answers, size),
        within_word=_spread(plan.within_word, answers, size),
        multi=_spread(plan.multi, answers, size),
    )


def _spread(query: Query | None, answers: Given, size: int) -> LogProbs:
    """The numbers at the positions that they were asked for."""
    if query is None:
        return ()
    log_probs: list[float | None] = [None] * size
    for mask, log_prob in zip(query.masks, answers[query], strict=True):
        log_probs[mask[0]] = log_prob
    return tuple(log_probs)


def _label(parts: tuple[LabelPart, ...], query: Query | None, answers: Given) -> Label:
    if query is None:
        return Label((), (), (), ())
    return Label(query.ids, query.label, parts, answers[query])


@dataclass(frozen=True, slots=True)
class Observed:
    """A problem, and what a model said about each of its options.

    `unread` says why the model cannot read a sentence of it; nothing is observed then.
    """

    problem: Problem
    observations: tuple[Observation, ...]
    unread: str = ""

    @property
    def straddling(self) -> int:
        """How many tokens stand across the edge of a blank."""
        return sum(
            len(observation.tokens.straddling)
            for observation in self.observations
            if not isinstance(observation, PreferenceObservation | SpansObservation)
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """A problem with its scores and its outcome by each method, by the methods' names.

    A method that is undefined for the problem says why in both; all are where the model cannot read
    it, for which `unread` is the reason. The scores are added up anew, with the tokens behind them,
    for whoever wants to see where an outcome comes from.
    """

    problem: Problem
    observations: tuple[Observation, ...]
    methods: tuple[Method, ...]
    outcomes: Mapping[str, Outcome | Undefined]
    unread: str = ""

    @property
    def results(self) -> dict[str, Result]:
        """The scores of the options."""
        if self.unread:
            return {method.name: Undefined(UNREAD) for method in self.methods}
        return {method.name: score_problem(method, self.observations) for method in self.methods}


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
) -> Iterator[Observed]:
    """Ask the model about every option of every problem, for what these methods need.

    All problems are read first and all distinct questions asked together; then the observations
    come in the order of the problems. `frequencies` gives the first token of a sentence its
    probability where the model reads nothing before it. A sentence that the model cannot read is
    an error, before anything is asked; to keep going is to leave out its problem, if others remain.
    """
    methods = tuple(methods)
    _check_family(model, methods)
    if model.info.family is Family.BASELINE:
        yield from _preferences(cast(Baseline, model), problems)
        return
    _check_frequencies(model, frequencies)
    reader = Reader(cast(LanguageModel, model))
    wanted = wanted_by(methods, straddling, table=frequencies is not None)
    problems = list(problems)
    with _kept_anyway():
        planned = plan_all(reader, problems, wanted, keep_going=keep_going)
    queries = (query for one in planned for plan in one.plans for query in queries_of(plan))
    answers = answers_for(reader.model, queries, store, on_progress=on_progress)
    first_of = _first_of(frequencies)
    for problem, one in zip(problems, planned, strict=True):
        said = tuple([observe_option(plan, answers, first_of) for plan in one.plans])
        yield Observed(problem, said, one.unread)


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
) -> Iterator[Scored]:
    """Ask as `observe` does, and score every problem by every method."""
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
    for one in observed:
        yield scored(one, methods)


def scored(observed: Observed, methods: Iterable[Method]) -> Scored:
    """Score what was observed by every method."""
    problem, observations, methods = observed.problem, observed.observations, tuple(methods)
    outcomes: Mapping[str, Outcome | Undefined]
    if observed.unread:
        outcomes = {method.name: Undefined(UNREAD) for method in methods}
    else:
        outcomes = outcomes_of(methods, observations, problem.right)
    return Scored(problem, observations, methods, outcomes, observed.unread)


@contextmanager
def _kept_anyway() -> Iterator[None]:
    """Without the search for garbage, which finds none in what is kept, and takes its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _preferences(model: Baseline, problems: Iterable[Problem]) -> Iterator[Observed]:
    for problem in problems:
        costs = model.costs(problem)
        yield Observed(problem, tuple(PreferenceObservation(cost) for cost in costs))


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
    """Where the log-probability of a first token comes from, if nothing is read before it."""
    if frequencies is None:
        return lambda _: First()

    return lambda token: First(*frequencies.log_prob(token))
