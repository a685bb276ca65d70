"""From a run to answer sets and summaries: what each method answered, and what holds of each
problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horsesense.evaluation.inference.run import Scored
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
    posed: Posed, scored: Iterable[Scored]
) -> Iterator[tuple[PosedEntry, tuple[Scored, ...]]]:
    """Group what came of the problems, which is in their order, by entry."""
    source = iter(scored)
    for entry in posed.entries:
        yield entry, tuple(next(source) for _ in entry.problems)


def answer_set_of(
    method: str,
    scored: Sequence[tuple[PosedEntry, tuple[Scored, ...]]],
    *,
    with_tags: bool = True,
) -> AnswerSet:
    """The answers of a method to the problems that it gives scores, and the schemas they make.

    Whoever only counts what was solved does without the tags, which take a while to be found;
    those that name a cluster are kept, as intervals depend on them.
    """
    answers: list[Answer] = []
    schemas: list[tuple[int, int]] = []
    for entry, results in scored:
        places: dict[int, int] = {}
        for at, result in enumerate(results):
            outcome = result.outcomes[method]
            if isinstance(outcome, Outcome):
                places[at] = len(answers)
                options = tuple(" / ".join(option) for option in result.problem.options)
                tags = tags_of(entry, at, result) if with_tags else cluster_tags(entry.tags[at])
                answers.append(Answer(entry.id, at + 1, outcome, options, tags))
        schemas += [(places[a], places[b]) for a, b in entry.pairs if places.keys() >= {a, b}]
    every = (result for _, results in scored for result in results) if with_tags else ()
    marks = frozenset().union(*map(marks_of, every))
    return AnswerSet(method, tuple(answers), tuple(schemas), marks=marks)


def tags_of(entry: PosedEntry, at: int, scored: Scored) -> frozenset[str]:
    """The tags of a problem: those of its entry, and how its answers and blank are placed.

    Answers have equal length if they have equally many of the model's tokens, in the sentence for
    causal and masked models, by themselves for sequence-to-sequence ones, which write them so.
    """
    return entry.tags[at] | set(_found(scored))


def marks_of(scored: Scored) -> frozenset[str]:
    """The tags that are looked for besides those of the entry: for baselines, none of tokens."""
    has_tokens = any(_length(observation) is not None for observation in scored.observations)
    return frozenset([SECOND_LAST, EQUAL_LENGTH] if has_tokens else [SECOND_LAST])


def _found(scored: Scored) -> Iterator[str]:
    if is_second_last(scored.problem):
        yield SECOND_LAST
    lengths = {_length(observation) for observation in scored.observations}
    if len(lengths) == 1 and None not in lengths:
        yield EQUAL_LENGTH


def _length(observation: Observation) -> int | None:
    """How many tokens an answer takes; None where there are no tokens, or no blanks."""
    if isinstance(observation, CausalObservation | MaskedObservation):
        return len(observation.tokens.in_blanks) if observation.tokens.blanks else None
    if isinstance(observation, SpansObservation):
        return observation.plain.parts.count(LabelPart.PHRASE)
    return None


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of a method on all problems.

    `undefined` counts those that it gives no scores, by the reason; they are in no share. Nor is
    a schema of which one of the problems is not.
    """

    method: str
    problems: Share
    schemas: Share
    undecided: Share
    undefined: Named[int]


def summarize(method: str, scored: Sequence[tuple[PosedEntry, tuple[Scored, ...]]]) -> Summary:
    """Count what a method solved, of all problems and of the schemas that they make."""
    # Here, as it takes numpy a moment to be imported.
    from horsesense.metrics import problem_accuracy, sample_of, schema_accuracy, undecided_share

    found = [result.outcomes[method] for _, results in scored for result in results]
    undefined = Counter(one.reason for one in found if isinstance(one, Undefined))
    answers = sample_of(answer_set_of(method, scored, with_tags=False))
    return Summary(
        method,
        problem_accuracy.share(answers),
        schema_accuracy.share(answers),
        undecided_share.share(answers),
        tuple(undefined.most_common()),
    )
