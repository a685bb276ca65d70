"""Logs of every kind, and what `metric` computes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.golden import reading
from tests.golden.tables import Table

REAL = Path(__file__).parents[1] / "results" / "logs" / "data"
LM_EVAL = REAL / "lm-eval" / "smollm2-135m"
INSPECT = REAL / "inspect"
OWN = Path(__file__).with_name("logs")
RESAMPLES = ("--resamples", "200", "--seed", "3")

COMPUTED: dict[str, tuple[str, ...]] = {
    "own lines": (str(REAL / "scored.jsonl"),),
    "own lines, one method": (str(REAL / "scored.jsonl"), "--method", "partial"),
    "own lines, subset": (
        *(str(REAL / "scored.jsonl"), "--method", "partial"),
        *("--subset", "not equal-length", "--ties", "half"),
    ),
    **{
        f"lm-eval {task}": (str(LM_EVAL), "--task", task)
        for task in ("shore_full", "shore_norm", "shore_partial", "shore_said", "wino", "winograd")
    },
    "lm-eval in pairs": (str(LM_EVAL), "--task", "shore_said", "--consecutive"),
    **{
        f"lighteval {task}": (str(REAL / "lighteval"), "--task", task)
        for task in ("said", "shore", "wino")
    },
    "inspect": (str(INSPECT / "mock" / "shore.eval"),),
    "inspect, two epochs": (str(INSPECT / "mock" / "shore-two-epochs.json.gz"),),
    "inspect by a field": (str(INSPECT / "real" / "said.eval"), "--group-by", "pair"),
    "plain table": (str(OWN / "heron.csv"),),
    "plain table, ties half": (str(OWN / "heron.csv"), "--ties", "half", "--level", "0.9"),
    "plain lines": (str(OWN / "plover.jsonl"),),
}
COMPARED: dict[str, tuple[str, ...]] = {
    "methods": (
        *(str(REAL / "scored.jsonl"), "--method", "all-but-first"),
        *("--after-method", "partial"),
    ),
    "subset": (str(REAL / "scored.jsonl"), "--method", "partial", "--subset", "equal-length"),
    "plain": (str(OWN / "heron.csv"), str(OWN / "plover.jsonl")),
    "plain, half": (str(OWN / "heron.csv"), str(OWN / "plover.jsonl"), "--ties", "half"),
    "schemas": (str(OWN / "heron.csv"), str(OWN / "plover.jsonl"), "--schemas"),
    "control": (
        *(str(OWN / "heron.csv"), str(OWN / "plover.jsonl"), "--control"),
        *("--correction", "benjamini-hochberg"),
    ),
    "plain subset": (str(OWN / "heron.csv"), "--subset", "shore"),
}
RANKED: dict[str, tuple[str, ...]] = {
    "plain": (str(OWN / "heron.csv"), str(OWN / "plover.jsonl"), str(OWN / "snipe.csv")),
    "subsets": (
        *(str(OWN / "heron.csv"), str(OWN / "plover.jsonl")),
        *("--subset", "all", "--subset", "shore"),
    ),
}


def log_tables(folder: Path) -> dict[str, Table]:
    """What the three commands compute of all logs."""
    store = folder / "none.db"

    def cases(
        name: str,
        arguments: dict[str, tuple[str, ...]],
        read: Callable[[dict[str, Any]], reading.Figures],
    ) -> Iterator[tuple[str, reading.Figures]]:
        for case, given in arguments.items():
            yield case, read(reading.printed(store, "metric", name, *given, *RESAMPLES))

    return {
        "log-metrics.tsv": reading.figures(cases("compute", COMPUTED, reading.computed_metrics)),
        "log-comparisons.tsv": reading.figures(
            cases("compare", COMPARED, reading.compared_metrics)
        ),
        "log-rankings.tsv": reading.figures(cases("curve", RANKED, reading.ranked_models)),
    }
