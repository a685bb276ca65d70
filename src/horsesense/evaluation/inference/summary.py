"""What a method made of all problems of a run, in numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from horsesense.evaluation.inference.posing import PosedEntry
from horsesense.evaluation.inference.run import Scored
from horsesense.evaluation.inference.sheets import sheet_of
from horsesense.schema import Named
from horsesense.scoring import Share, Undefined


@dataclass(frozen=True, slots=True)
class Summary:
    """What a method made of all problems.

    `undefined` counts those that it gives no scores, by the reason; they are in no share. Nor is
    a schema of which one of the problems is not.
    """

    method: str
    problems: Share
    schemas: Share
    undecided: Share
    undefined: Named[int]


def summarize(method: str, scored: Sequence[tuple[PosedEntry, tuple[Scored, ...]]]) -> Summary:
    """What a method made of all problems, and of the schemas that they make."""
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
