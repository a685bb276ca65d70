"""Problems with a known answer: plain sentences against the same words in disorder.

Any language model that knows English prefers the plain ones, whatever else it can do. One that
does not is broken, untrained, or misread by us.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from horsesense.evaluation.inference.finding import Finding, failure, ok, warning
from horsesense.evaluation.inference.observing import First, observe_option
from horsesense.evaluation.inference.queries import Plan, plan_option, queries_of, wanted_by
from horsesense.evaluation.inference.reader import Reader
from horsesense.evaluation.inference.run import Observed, scored
from horsesense.models import LanguageModel
from horsesense.models.observation import Family, Query
from horsesense.schema import Problem, problems
from horsesense.schema.notation import parse_grid
from horsesense.scoring import DRIFT, Method, Outcome, Undefined, find_method

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
# The first method of each family that reads the whole of what differs.
_METHODS = {
    Family.CAUSAL: "all-but-first",
    Family.MASKED: "statement",
    Family.SEQ2SEQ: "basic",
}
# Of twelve canaries a coin gets eleven once in three hundred times, and nine once in fourteen.
_ENOUGH, _DOUBTFUL = 11, 9
# So many problems are asked once more, one by one.
_SAMPLE = 6
_EQUAL = 1e-6
_BROKEN = "the weights were not loaded, are damaged, or do not fit the architecture; get them anew"


@dataclass(frozen=True, slots=True)
class Aviary:
    """The canaries as a model is asked about them."""

    method: Method
    planned: tuple[tuple[Problem, tuple[Plan, ...]], ...]

    @classmethod
    def for_model(cls, model: LanguageModel) -> Aviary:
        """What there is to ask the model."""
        method = find_method(_METHODS[model.declaration.family], model.declaration.family)
        reader, wanted = Reader(model), wanted_by([method])
        posed = [problem for canary in CANARIES for problem in problems(parse_grid(canary))]
        planned = tuple(
            (one, tuple(plan_option(reader, one, at, wanted) for at in range(len(one.options))))
            for one in posed
        )
        return cls(method, planned)

    def queries(self, limit: int | None = None) -> list[Query]:
        """All distinct queries, or those of the first few problems."""
        plans = [plan for _, plans in self.planned[:limit] for plan in plans]
        return list(dict.fromkeys(query for plan in plans for query in queries_of(plan)))

    def outcomes(
        self, answers: Mapping[Query, tuple[float, ...]], limit: int | None = None
    ) -> list[Outcome | Undefined]:
        """What is preferred, by those answers."""
        found = []
        for problem, plans in self.planned[:limit]:
            said = tuple(observe_option(plan, answers, lambda _: First()) for plan in plans)
            outcomes = scored(Observed(problem, said), [self.method]).outcomes
            found.append(outcomes[self.method.name])
        return found


def examine_answers(model: LanguageModel) -> Iterator[Finding]:
    """Ask about the canaries, and look at the numbers, at what they prefer, and at batching."""
    aviary = Aviary.for_model(model)
    answers = dict(pair for batch in model.answer(aviary.queries()) for pair in batch)
    numbers = _numbers(aviary.queries(), answers)
    yield numbers
    if numbers.remedy:
        return
    yield _preference(aviary.outcomes(answers))
    yield _batching(model, aviary, answers)


def _numbers(queries: list[Query], answers: Mapping[Query, tuple[float, ...]]) -> Finding:
    check = "numbers"
    values = [value for found in answers.values() for value in found]
    if any(len(answers.get(query, ())) != query.size for query in queries):
        asked = sum(query.size for query in queries)
        return failure(check, f"{asked} tokens were asked for, and {len(values)} answered", _BROKEN)
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
    chosen = [None if isinstance(one, Undefined) else one.chosen for one in outcomes]
    if all(choice is None for choice in chosen):
        return failure(check, "every option gets the same score", _BROKEN)
    plain = chosen.count(0)
    seen = f"prefers {plain} of {total} plain sentences to the same words in disorder"
    if plain >= _ENOUGH:
        return ok(check, seen)
    if plain >= _DOUBTFUL:
        return warning(check, seen, "expect little of a model that is unsure of word order")
    return failure(
        check,
        f"prefers scrambled sentences as often as plain ones ({total - plain} of {total})",
        "the weights are untrained or were not loaded, or the model does not know English",
    )


def _batching(
    model: LanguageModel, aviary: Aviary, answers: Mapping[Query, tuple[float, ...]]
) -> Finding:
    """Whether what is asked in batches is what is asked one by one."""
    singly = {query: model.answer_singly(query) for query in aviary.queries(_SAMPLE)}
    drift = max(
        abs(one - other)
        for query, values in singly.items()
        for one, other in zip(values, answers[query], strict=True)
    )
    pairs = zip(aviary.outcomes(answers, _SAMPLE), aviary.outcomes(singly, _SAMPLE), strict=True)
    flipped = sum(_chosen(one) != _chosen(other) for one, other in pairs)
    seen = (
        f"{len(singly)} questions asked together and one by one differ by {drift:.1g} at most;"
        f" {flipped or 'no'} decision{'' if flipped == 1 else 's'} would flip"
    )
    if flipped:
        return failure("batches", seen, "do not use this model here; report it as an error")
    if drift > DRIFT:
        return warning("batches", seen, "outcomes with a margin below that are not to be relied on")
    return ok("batches", seen)


def _chosen(outcome: Outcome | Undefined) -> int | None:
    return None if isinstance(outcome, Undefined) else outcome.chosen
