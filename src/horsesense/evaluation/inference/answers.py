"""Turn scored problems into answer sets, with the tags of each problem, and into summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from horsesense.evaluation.inference.run import ObservedProblem
from horsesense.models import (
    CausalObservation,
    LabelPart,
    MaskedObservation,
    Observation,
    SpansObservation,
)
from horsesense.schema import Named
from horsesense.schema import Posed as Posed
from horsesense.schema import PosedEntry as PosedEntry
from horsesense.schema import pose as pose
from horsesense.schema.measures import is_second_last
from horsesense.scoring import (
    EQUAL_LENGTH,
    SECOND_LAST,
    Answer,
    AnswerSet,
    Outcome,
    Share,
    Undefined,
    cluster_tags,
)


def by_entry(
    posed: Posed, observed: Iterable[ObservedProblem]
) -> Iterator[tuple[PosedEntry, tuple[ObservedProblem, ...]]]:
    """Group observed problems by entry; they are in the order of the posed ones."""
    source = iter(observed)
    for entry in posed.entries:
        yield entry, tuple(next(source) for _ in entry.problems)


def answer_set_of(
    method: str,
    scored: Sequence[tuple[PosedEntry, tuple[ObservedProblem, ...]]],
    *,
    with_tags: bool = True,
) -> AnswerSet:
    """Collect the answers of a method to the problems that it scores, and the schemas they form.

    Computing tags takes time, so leave them out if you only count solved problems. Tags that name a
    cluster are always included, as intervals depend on them.
    """
    answers: list[Answer] = []
    schemas: list[tuple[int, int]] = []
    for entry, results in scored:
        places: dict[int, int] = {}
        for index, result in enumerate(results):
            outcome = result.outcomes[method]
            if isinstance(outcome, Outcome):
                places[index] = len(answers)
                options = tuple(" / ".join(option) for option in result.problem.options)
                own = entry.tags[index]
                computed = _computed_tags(result) | outcome.tags
                tags = own | computed if with_tags else cluster_tags(own)
                # The answer has the tags of the outcome among its own.
                outcome = replace(outcome, tags=frozenset()) if outcome.tags else outcome
                answers.append(Answer(entry.id, index + 1, outcome, options, tags))
        schemas += [(places[a], places[b]) for a, b in entry.pairs if places.keys() >= {a, b}]
    tagged = (result for _, results in scored for result in results) if with_tags else ()
    marks = frozenset().union(*map(marks_of, tagged), _method_marks(method, scored))
    return AnswerSet(method, tuple(answers), tuple(schemas), marks=marks)


def _method_marks(
    name: str, scored: Sequence[tuple[PosedEntry, tuple[ObservedProblem, ...]]]
) -> frozenset[str]:
    """Return the tags that the method may add to an answer."""
    methods = next((result.methods for _, results in scored for result in results), ())
    return frozenset().union(*(method.marks for method in methods if method.name == name))


def tags_of(entry: PosedEntry, index: int, observed: ObservedProblem) -> frozenset[str]:
    """Return the tags of a problem: those of its entry, and those computed from its tokens.

    Options have equal length if they have the same number of the model's tokens: in the sentence
    for causal and masked models, in the label for sequence-to-sequence models.
    """
    return entry.tags[index] | _computed_tags(observed)


def marks_of(observed: ObservedProblem) -> frozenset[str]:
    """Return the tags that are computed for such a problem, whether it has them or not."""
    has_tokens = any(_length(observation) is not None for observation in observed.observations)
    return frozenset([SECOND_LAST, EQUAL_LENGTH] if has_tokens else [SECOND_LAST])


def _computed_tags(observed: ObservedProblem) -> set[str]:
    tags = {SECOND_LAST} if is_second_last(observed.problem) else set()
    lengths = {_length(observation) for observation in observed.observations}
    if len(lengths) == 1 and None not in lengths:
        tags.add(EQUAL_LENGTH)
    return tags


def _length(observation: Observation) -> int | None:
    """Return the number of an option's tokens; None if there are no tokens or no blanks."""
    if isinstance(observation, CausalObservation | MaskedObservation):
        return len(observation.tokens.in_blanks) if observation.tokens.blanks else None
    if isinstance(observation, SpansObservation):
        return observation.plain.parts.count(LabelPart.PHRASE)
    return None


@dataclass(frozen=True, slots=True)
class MethodSummary:
    """The results of a method on all problems.

    `undefined` counts problems without a score by the reason. The shares leave out these problems
    and their schemas.
    """

    method: str
    problems: Share
    schemas: Share
    undecided: Share
    undefined: Named[int]


def summarize(
    method: str, scored: Sequence[tuple[PosedEntry, tuple[ObservedProblem, ...]]]
) -> MethodSummary:
    """Count the problems and schemas that a method solved."""
    # Imported here, as numpy takes time to import.
    from horsesense.metrics import problem_accuracy, sample_of, schema_accuracy, undecided_share

    outcomes = (result.outcomes[method] for _, results in scored for result in results)
    undefined = Counter(each.reason for each in outcomes if isinstance(each, Undefined))
    answers = sample_of(answer_set_of(method, scored, with_tags=False))
    return MethodSummary(
        method,
        problem_accuracy.share(answers),
        schema_accuracy.share(answers),
        undecided_share.share(answers),
        tuple(undefined.most_common()),
    )
