"""Which metrics fit what a log holds, and why the others do not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horsesense.errors import MetricError

if TYPE_CHECKING:
    from horsesense.metrics import Data, Metric

# What is shown first, and where there is no room for more.
ACCURACIES = ("problem-accuracy", "schema-accuracy")


@dataclass(frozen=True, slots=True)
class Fitting:
    """The metrics that fit, and a word on the others."""

    metrics: tuple[Metric, ...]
    note: str = ""


def that_fit(metrics: Iterable[Metric], data: Data) -> Fitting:
    """Those of the metrics that can be counted in the data."""
    fitting: list[Metric] = []
    reasons: dict[str, list[str]] = {}
    for metric in metrics:
        try:
            metric.columns(data)
        except MetricError as error:
            reasons.setdefault(str(error), []).append(metric.name)
        else:
            fitting.append(metric)
    return Fitting(tuple(fitting), _told(reasons))


def _told(reasons: dict[str, list[str]]) -> str:
    """Which metrics do not fit, and why, unless that would take several lines."""
    names = ", ".join(name for listed in reasons.values() for name in listed)
    if len(reasons) > 1:
        return f"not shown, as they do not fit (--metric NAME tells why): {names}"
    return "".join(f"not shown: {names}: {reason}" for reason in reasons)


def named_metrics(names: Sequence[str]) -> list[Metric]:
    """The metrics of these names, each once."""
    from horsesense.metrics import find_metric

    return list({metric.name: metric for metric in map(find_metric, names)}.values())
