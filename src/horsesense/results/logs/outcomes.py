"""From what a program logged of a problem to an outcome.

Costs are believed only where they give back, for every problem, whether the program itself counted
it as solved. Where a log tells no more than that, there are no costs, and nothing was chosen by
position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from horsesense.errors import MetricError
from horsesense.results.logs.document import Document, Method, counted, short
from horsesense.scoring import Outcome, decide

_VERDICTS: dict[Any, bool | None] = {
    True: True,
    False: False,
    "c": True,
    "i": False,
    "n": None,
    "true": True,
    "false": False,
    "1": True,
    "0": False,
    "": None,
}


def verdict_of(value: object) -> bool | None:
    """Whether a value of a metric says solved or failed; None for an abstention.

    >>> verdict_of(1.0), verdict_of("I"), verdict_of("")
    (True, False, None)
    """
    key = value.strip().lower() if isinstance(value, str) else value
    if not isinstance(key, str | int | float) or key not in _VERDICTS:
        raise ValueError(f"{short(value)} is neither solved nor failed")
    return _VERDICTS[key]


def only_solved(solved: bool | None) -> Outcome:
    """The outcome of a problem of which nothing is known but whether it was solved.

    >>> only_solved(False).verdict.value, only_solved(False).has_choice
    ('failed', False)
    """
    return Outcome((), None if solved is None else int(not solved), 0, 0.0, has_choice=False)


def compared(costs: Sequence[float], right: int | None) -> Outcome:
    """The outcome of these costs; all infinite ones are equal.

    >>> compared((math.inf, 2.5), right=1).margin, compared((math.inf, math.inf), right=1).margin
    (inf, 0.0)
    """
    if math.isinf(min(costs)):
        return Outcome(tuple(costs), None, right, 0.0)
    return decide(costs, right)


def cost_of(log_likelihood: object, place: str) -> float:
    """A log-likelihood, as a number or a text, as a cost; −∞ is one, and NaN is none.

    >>> cost_of("-2.5", "log.jsonl:1")
    2.5
    """
    try:
        cost = -float(log_likelihood)  # type: ignore[arg-type]
    except (OverflowError, TypeError, ValueError):
        raise MetricError(f"{place}: {short(log_likelihood)} is no log-likelihood") from None
    if math.isnan(cost) or cost == -math.inf:
        raise MetricError(f"{place}: a log-likelihood of {log_likelihood} says nothing")
    return cost


def by_costs(
    name: str,
    documents: Mapping[int, Document],
    costs: Mapping[int, Sequence[float]],
    solved: Mapping[int, bool | None],
) -> Method | None:
    """The method with these costs, None where they do not give back what was solved.

    Programs take the first of equal options. Here they are undecided, which is remarked upon.
    """
    outcomes: dict[int, Outcome] = {}
    ties = lucky = 0
    for at, verdict in solved.items():
        right = documents[at].right
        if right is not None and (_first_lowest(costs[at]) == right) is not verdict:
            return None
        outcomes[at] = compared(costs[at], right)
        if right is not None and outcomes[at].chosen is None:
            ties += 1
            lucky += verdict is True
    remark = f"{counted(ties, 'tie')}, of which the log counts {lucky} as solved"
    return Method(name, outcomes, remarks=(remark,) if ties else ())


def by_verdicts(name: str, solved: Mapping[int, bool | None]) -> Method:
    """The method of which nothing is known but what was solved."""
    outcomes = {at: only_solved(verdict) for at, verdict in solved.items()}
    remark = "the log tells what was solved, and not what was chosen: positions mean nothing"
    return Method(name, outcomes, (remark,))


def labels_of(
    documents: Mapping[int, Document],
    costs: Mapping[int, Sequence[float]],
    solved: Mapping[int, bool | None],
    rules: Sequence[Callable[[Document], int | None]],
) -> dict[int, int] | None:
    """The right options, by the first rule that contradicts nothing in the log; None without one.

    The first rule is sure: where it knows all labels and contradicts the log, the costs are wrong.
    Where none applies, it follows from what was preferred and whether that was right, if there
    are two options.
    """
    for rule in rules:
        labels = {at: label for at in solved if (label := rule(documents[at])) is not None}
        is_known = len(labels) == len(solved)
        if is_known and all(_agrees(labels[at], costs[at], solved[at]) for at in solved):
            return labels
        if is_known and rule is rules[0]:
            return None
    if any(len(costs[at]) != 2 and not solved[at] for at in solved):
        return None
    return {
        at: preferred if verdict else 1 - preferred
        for at, verdict in solved.items()
        for preferred in [_first_lowest(costs[at])]
    }


def _agrees(label: int, costs: Sequence[float], solved: bool | None) -> bool:
    return 0 <= label < len(costs) and (_first_lowest(costs) == label) is solved


def _first_lowest(costs: Sequence[float]) -> int:
    return list(costs).index(min(costs))
