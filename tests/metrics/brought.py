"""Metrics as other packages would bring them: a good one, and one that breaks."""

from dataclasses import replace

from horsesense.errors import MetricError
from horsesense.metrics import Applies, Data, Floats, Outcomes, Unit, problem_accuracy, share


@share(
    Unit.PROBLEM,
    symbol="f",
    equation="f = 1 − a",
    source="made up",
    applies=Applies.OUTCOMES,
    undefined="there are no problems",
    chance=0.5,
)
def failed_share(problems: Outcomes) -> Floats:
    """The share of problems that are failed.

    >>> failed_share([True, False])
    Share(count=1, total=2)
    """
    return problems.failed


def _break(data: Data) -> Floats:
    raise KeyError("solved")


def _refuse(data: Data) -> Floats:
    raise MetricError("it takes no such sample")


BROKEN = replace(
    failed_share, declared=replace(failed_share.declared, name="broken"), columns=_break
)
REFUSING = replace(
    failed_share, declared=replace(failed_share.declared, name="refusing"), columns=_refuse
)
ALIAS = replace(failed_share, declared=replace(failed_share.declared, name="stability"))
AGAIN = problem_accuracy
