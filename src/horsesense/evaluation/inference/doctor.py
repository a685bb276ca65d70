"""Checks of a model before a run: can its scores be trusted, and how fast is it?

They catch faults that would otherwise show up as a strange accuracy, or not at all. Among them are
canaries, problems with a known answer: plain sentences against the same words in disorder. Any
language model that knows English prefers the plain ones. One that does not is broken, untrained, or
loaded incorrectly.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import cast

from horsesense.errors import HorsesenseError, LibraryError
from horsesense.evaluation.inference.chat_doctor import examine_chat
from horsesense.evaluation.inference.queries import Plan, needed_by, plan_option, queries_of
from horsesense.evaluation.inference.querying import Reader
from horsesense.evaluation.inference.run import First, observe_option
from horsesense.evaluation.inference.tokenizer_checks import (
    Finding,
    Health,
    examine_tokenizer,
    failure,
    ok,
    warning,
)
from horsesense.models import (
    Baseline,
    ChatModel,
    Family,
    LanguageModel,
    Model,
    ModelInfo,
    Query,
    causal_query,
    single_mask_query,
    spans_query,
)
from horsesense.schema import Problem, problems
from horsesense.schema.notation import parse_grid
from horsesense.scoring import DRIFT, Method, Outcome, Undefined, find_method, outcomes_of

GIB = 2**30
# The length in tokens of the sentences for which the speed is given, and how many of them.
_LENGTH, _SENTENCES = 20, 1000
# The most sentences that are sent to a server to time it, in powers of two.
_SENTENCES_TO_SERVERS = 16
_LABEL = 5
_SHORT_CONTEXT = 128
# The check that reports that a library failed, so that the model cannot be queried.
FOREIGN = "library"
_MEND = "fix this first; the other checks need it"
# Problems for baselines, which may prefer an option for its length.
_CHOICES = (
    "a kettle <can, cannot> boil on a {hot, cold} stove",
    "{owls, mice} <do, do not> hunt {mice, owls}",
)
CANARIES = (
    "The children <played in the garden*, garden the in played> until it was dark.",
    "My brother <is going to buy a new*, new a buy to going is> bicycle tomorrow.",
    "She <put the book back on the*, the on back book the put> shelf and left.",
    "We <had to wait for the next*, next the for wait to had> bus in the rain.",
    "Nobody <knew what the old man*, man old the what knew> wanted from us.",
    "The baker <opens his shop at six*, six at shop his opens> every morning.",
    "It <was too cold to swim in*, in swim to cold too was> the lake yesterday.",
    "They <asked me if I could help*, help could I if me asked> them move house.",
    "Her sister <has lived in this town*, town this in lived has> for ten years.",
    "The dog <ran across the road and*, and road the across ran> into a field.",
    "You <should have told us about the*, the about us told have should> letter.",
    "There <are three apples left in the*, the in left apples three are> basket.",
)
# The first method of each family that counts all tokens that differ.
_METHODS = {
    Family.CAUSAL: "all-but-first",
    Family.MASKED: "statement",
    Family.SEQ2SEQ: "basic",
}
# Of twelve canaries a coin gets eleven once in three hundred times, and nine once in fourteen.
_ENOUGH, _DOUBTFUL = 11, 9
# A chat model is asked about this many of them, each in both orders.
_ASKED = 6
# This many problems are queried again, one by one.
_SAMPLE = 6
_EQUAL = 1e-6
_BROKEN = (
    "the weights were not loaded, are damaged, or do not fit the architecture; download them again,"
    " or look after the server that has them"
)


def examine(
    model: Model,
    *,
    budget: int = GIB,
    installed: int | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Iterator[Finding]:
    """Examine a model and yield one finding at a time; stop at a failure that blocks the rest.

    A chat model is asked easy questions; a model behind a server is examined like any other.
    `budget` is the memory that batches may take and `installed` that of the machine, in bytes.
    """
    try:
        if model.info.family is Family.BASELINE:
            yield _baseline(cast(Baseline, model))
            return
        if model.is_served:
            yield ok("server", model.info.server or "it does not say what it is")
        if not model.is_served or model.info.context is not None:
            yield _context(model.info)
        if not model.is_served:
            yield _memory(model.info, budget, installed)
        if model.info.family is Family.CHAT:
            problems_to_ask = canary_problems()[:_ASKED]
            yield from examine_chat(cast(ChatModel, model), problems_to_ask, clock)
            return
        language_model = cast(LanguageModel, model)
        yield from examine_tokenizer(language_model)
        for finding in examine_answers(language_model):
            yield finding
            if finding.check == "numbers" and finding.verdict is Health.FAILURE:
                return
        yield _batching(language_model)
        yield _speed(language_model, clock)
    except LibraryError as error:
        yield failure(FOREIGN, str(error), _MEND)
    except HorsesenseError as error:
        yield failure("querying", str(error), _MEND)


def _baseline(model: Baseline) -> Finding:
    """Check that a baseline ever prefers an option; one that never does has no accuracy."""
    examples = [problem for schema in _CHOICES for problem in problems(parse_grid(schema))]
    if all(len(set(model.costs(problem))) == 1 for problem in examples):
        return failure(
            "choice",
            "every option gets the same score, so every outcome is undecided",
            "it is meant to do so; use random or first for a baseline with an accuracy",
        )
    return ok("choice", "a baseline: it has no tokenizer to check and knows no language")


def _context(declared: ModelInfo) -> Finding:
    if declared.context is None:
        return ok("context", "no limit on the length of a text")
    seen = f"at most {declared.context} tokens"
    if declared.context < _SHORT_CONTEXT:
        return warning("context", seen, "longer sentences get no score")
    return ok("context", seen)


def _memory(declared: ModelInfo, budget: int, installed: int | None) -> Finding:
    weights = declared.parameters * _bytes_of(declared.dtype)
    seen = f"{weights / GIB:.2f} GiB of weights and up to {budget / GIB:.2f} GiB for batches"
    if installed is None or declared.device != "cpu":
        return ok("memory", seen)
    seen += f"; this machine has {installed / GIB:.1f} GiB"
    if weights + budget > installed:
        return warning("memory", seen, "lower --memory, or use a smaller model")
    return ok("memory", seen)


def _bytes_of(dtype: str) -> int:
    """Return the size of a number of that type in bytes.

    >>> _bytes_of("float32"), _bytes_of("bfloat16")
    (4, 2)
    """
    bits = re.search(r"\d+", dtype)
    return int(bits[0]) // 8 if bits else 4


def _batching(model: LanguageModel) -> Finding:
    batching, reason = model.batching, model.fallback_reason
    meaning = {
        "tree": "sentences with a common beginning share its computation",
        "packed": "several sentences in one row, without padding",
        "plain": "sentences side by side, padded",
        "server": "it decides how to compute them",
    }.get(batching, batching or "not reported")
    dropped = "".join(f"; not used: {other}" for other in model.dropped if other != reason)
    return ok("batching", f"{batching}: {meaning}" + (f" ({reason})" if reason else "") + dropped)


def _speed(model: LanguageModel, clock: Callable[[], float]) -> Finding:
    """Time ever larger batches until one takes a second; report the time for 1,000 sentences."""
    number, seconds = 4, 0.0
    most = _SENTENCES_TO_SERVERS if model.is_served else _SENTENCES
    while seconds < 1 and number <= most:
        number *= 2
        queries = list(islice(_sentences(model), number))
        started = clock()
        for _ in model.answer(queries):
            pass
        seconds = clock() - started
    return ok(
        "speed",
        f"about {seconds / number * _SENTENCES:,.0f} s for {_SENTENCES:,} sentences"
        f" of {_LENGTH} tokens",
    )


def _sentences(model: LanguageModel) -> Iterator[Query]:
    """Generate different sentences of `_LENGTH` tokens, endlessly."""
    texts = " ".join(problems(parse_grid(canary))[0].sentences[0].text for canary in CANARIES)
    ids = model.tokenize(texts, specials=False).ids
    declared = model.info
    while True:
        for stride in range(1, len(ids)):
            for start in range(len(ids)):
                taken = tuple(ids[(start + stride * at) % len(ids)] for at in range(_LENGTH))
                read = (*declared.before, *taken, *declared.after)
                yield _query(declared.family, read, len(declared.before))


def _query(family: Family, read: tuple[int, ...], start: int) -> Query:
    match family:
        case Family.MASKED:
            return single_mask_query(read, tuple(range(start, start + _LENGTH)))
        case Family.SEQ2SEQ:
            return spans_query(read, read[:_LABEL])
        case _:
            return causal_query(read)


def canary_problems() -> list[Problem]:
    """Return the canaries as problems; the plain sentence is the right option."""
    return [problem for canary in CANARIES for problem in problems(parse_grid(canary))]


def canary_method(family: Family) -> Method:
    """Return the method by which models of a family are scored on the canaries."""
    return find_method(_METHODS[family], family)


def judge_canaries(outcomes: list[Outcome | Undefined]) -> Finding:
    """Say whether a model prefers plain sentences to scrambled ones."""
    return _preference(outcomes)


@dataclass(frozen=True, slots=True)
class Aviary:
    """The canaries, which are easy problems, with the queries of a model for each."""

    method: Method
    planned: tuple[tuple[Problem, tuple[Plan, ...]], ...]

    @classmethod
    def for_model(cls, model: LanguageModel) -> Aviary:
        """Plan the queries of the model."""
        method = canary_method(model.info.family)
        reader, needed = Reader(model), needed_by([method])
        planned = tuple(
            (
                problem,
                tuple(
                    plan_option(reader, problem, option, needed)
                    for option in range(len(problem.options))
                ),
            )
            for problem in canary_problems()
        )
        return cls(method, planned)

    def queries(self, limit: int | None = None) -> list[Query]:
        """Return all distinct queries, or those of the first problems up to the limit."""
        plans = [plan for _, plans in self.planned[:limit] for plan in plans]
        return list(dict.fromkeys(query for plan in plans for query in queries_of(plan)))

    def outcomes(
        self, answers: Mapping[Query, tuple[float, ...]], limit: int | None = None
    ) -> list[Outcome | Undefined]:
        """Score the canaries up to the limit by these answers."""
        scores = []
        for problem, plans in self.planned[:limit]:
            observed = tuple(observe_option(plan, answers, lambda _: First()) for plan in plans)
            outcomes = outcomes_of([self.method], observed, problem.right)
            scores.append(outcomes[self.method.name])
        return scores


def examine_answers(model: LanguageModel) -> Iterator[Finding]:
    """Query the canaries, and check the numbers, the preferences and the batching."""
    aviary = Aviary.for_model(model)
    answers = dict(pair for batch in model.answer(aviary.queries()) for pair in batch)
    numbers = _numbers(aviary.queries(), answers)
    yield numbers
    if numbers.remedy:
        return
    yield _preference(aviary.outcomes(answers))
    yield _batches(model, aviary, answers)


def _numbers(queries: list[Query], answers: Mapping[Query, tuple[float, ...]]) -> Finding:
    check = "numbers"
    values = [value for answer in answers.values() for value in answer]
    if any(len(answers.get(query, ())) != query.size for query in queries):
        needed = sum(query.size for query in queries)
        return failure(check, f"{len(values)} log-probabilities instead of {needed}", _BROKEN)
    wrong = sum(not isfinite(value) for value in values)
    if wrong:
        return failure(
            check,
            f"{wrong} of {len(values)} log-probabilities are NaN or infinite",
            "the weights are damaged, or too large for their type: try --dtype float32",
        )
    if max(values) > _EQUAL:
        return failure(check, "some log-probabilities are greater than 0", _BROKEN)
    if max(values) - min(values) <= _EQUAL:
        return failure(check, f"every token has the log-probability {values[0]:.4g}", _BROKEN)
    return ok(check, f"{len(values)} log-probabilities from {min(values):.1f} to {max(values):.4f}")


def _preference(outcomes: list[Outcome | Undefined]) -> Finding:
    check, total = "canaries", len(outcomes)
    chosen = [None if isinstance(outcome, Undefined) else outcome.chosen for outcome in outcomes]
    if all(choice is None for choice in chosen):
        return failure(check, "every option gets the same score", _BROKEN)
    plain = chosen.count(0)
    seen = f"prefers {plain} of {total} plain sentences to scrambled ones"
    if plain >= _ENOUGH:
        return ok(check, seen)
    if plain >= _DOUBTFUL:
        return warning(check, seen, "a model unsure of word order will not do well on schemas")
    return failure(
        check,
        f"prefers scrambled sentences as often as plain ones ({total - plain} of {total})",
        "the weights are untrained or were not loaded, or the model does not know English",
    )


def _batches(
    model: LanguageModel, aviary: Aviary, answers: Mapping[Query, tuple[float, ...]]
) -> Finding:
    """Compare answers in batches with answers one by one."""
    singly = {query: model.answer_singly(query) for query in aviary.queries(_SAMPLE)}
    drift = max(
        abs(value - other)
        for query, values in singly.items()
        for value, other in zip(values, answers[query], strict=True)
    )
    pairs = zip(aviary.outcomes(answers, _SAMPLE), aviary.outcomes(singly, _SAMPLE), strict=True)
    flipped = sum(_chosen(batched) != _chosen(single) for batched, single in pairs)
    seen = (
        f"{len(singly)} queries in a batch and one by one differ by {drift:.1g} at most;"
        f" {flipped or 'no'} decision{'' if flipped == 1 else 's'} would flip"
    )
    if flipped:
        return failure("batches", seen, "do not use this model here; please report it as a bug")
    if drift > DRIFT:
        return warning("batches", seen, "do not rely on outcomes with a smaller margin")
    return ok("batches", seen)


def _chosen(outcome: Outcome | Undefined) -> int | None:
    return None if isinstance(outcome, Undefined) else outcome.chosen
