"""From a run to sheets and summaries: what each method answered, and what holds of each problem."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from horsesense.evaluation.inference.posing import PosedEntry
from horsesense.evaluation.inference.run import Scored
from horsesense.models import (
    CausalObservation,
    LabelPart,
    MaskedObservation,
    Observation,
    SpansObservation,
)
from horsesense.schema import Named
from horsesense.schema.measures import is_second_last
from horsesense.scoring import (
    EQUAL_LENGTH,
    SECOND_LAST,
    Answer,
    Outcome,
    Share,
    Sheet,
    Undefined,
    cluster_tags,
)


def sheet_of(
    method: str,
    scored: Sequence[tuple[PosedEntry, tuple[Scored, ...]]],
    *,
    with_tags: bool = True,
) -> Sheet:
    """The answers of a method to the problems that it gives scores, and the schemas they make.

    Whoever only counts what was solved does without the tags, which take a while to be found;
    those that name a cluster are kept, as intervals depend on them.
    """
    answers: list[Answer] = []
    schemas: list[tuple[int, int]] = []
    for entry, results in scored:
        places: dict[int, int] = {}
        for at, one in enumerate(results):
            outcome = one.outcomes[method]
            if isinstance(outcome, Outcome):
                places[at] = len(answers)
                options = tuple(" / ".join(option) for option in one.problem.options)
                tags = tags_of(entry, at, one) if with_tags else cluster_tags(entry.tags[at])
                answers.append(Answer(entry.id, at + 1, outcome, options, tags))
        schemas += [(places[a], places[b]) for a, b in entry.pairs if places.keys() >= {a, b}]
    every = (one for _, results in scored for one in results) if with_tags else ()
    marks = frozenset().union(*map(marks_of, every))
    return Sheet(method, tuple(answers), tuple(schemas), marks=marks)


def tags_of(entry: PosedEntry, at: int, scored: Scored) -> frozenset[str]:
    """The tags of a problem: those of its entry, and how its answers and blank are placed.

    Answers have equal length if they have equally many of the model's tokens, in the sentence for
    causal and masked models, by themselves for sequence-to-sequence ones, which write them so.
    """
    return entry.tags[at] | set(_found(scored))


def marks_of(scored: Scored) -> frozenset[str]:
    """The tags that are looked for besides those of the entry: for baselines, none of tokens."""
    has_tokens = any(_length(one) is not None for one in scored.observations)
    return frozenset([SECOND_LAST, EQUAL_LENGTH] if has_tokens else [SECOND_LAST])


def _found(scored: Scored) -> Iterator[str]:
    if is_second_last(scored.problem):
        yield SECOND_LAST
    lengths = {_length(one) for one in scored.observations}
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

    found = [one.outcomes[method] for _, results in scored for one in results]
    undefined = Counter(one.reason for one in found if isinstance(one, Undefined))
    answers = sample_of(sheet_of(method, scored, with_tags=False))
    return Summary(
        method,
        problem_accuracy.share(answers),
        schema_accuracy.share(answers),
        undecided_share.share(answers),
        tuple(undefined.most_common()),
    )
