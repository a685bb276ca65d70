"""What the commands of `horsesense metric` have in common: subset, tie rule, resampling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import click

# As in horsesense.metrics.Ties, which takes a moment to be imported.
TIES = ("failed", "half")
# All problems, as a subset: as in horsesense.metrics.robustness.
ALL = "all"


@dataclass(frozen=True, slots=True)
class Choices:
    """How outcomes are counted, and intervals computed."""

    subset: str | None
    ties: str
    level: float
    resamples: int
    seed: int

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Choices:
        """Take these out of a command's options; the subset «all» is none."""
        found = cls(**{one.name: options.pop(one.name) for one in fields(cls)})
        if found.subset is not None and not found.subset.strip():
            raise click.UsageError("--subset takes an expression, such as 'not equal-length'")
        return replace(found, subset=None) if found.subset == ALL else found

    @property
    def interval(self) -> str:
        """What an interval is called in a heading."""
        return f"{100 * self.level:.10g}% interval"

    @property
    def resampling(self) -> dict[str, Any]:
        """How intervals are computed, for the functions that do it."""
        return {"resamples": self.resamples, "seed": self.seed, "level": self.level}


def statistics_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of `Choices`, but for subset and tie rule."""
    for option in (
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="What the draws depend on; the same one gives the same digits.",
        ),
        click.option(
            "--resamples",
            type=click.IntRange(min=1, max=10_000_000),
            default=10_000,
            show_default=True,
            help="How often schemas are drawn anew for an interval.",
        ),
        click.option(
            "--level",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.95,
            show_default=True,
            help="The confidence level of intervals.",
        ),
    ):
        command = option(command)
    return command


def ties_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """What an undecided problem counts for."""
    return click.option(
        "--ties",
        type=click.Choice(TIES),
        default=TIES[0],
        show_default=True,
        help="What an undecided problem counts for.",
    )(command)


def subset_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Which problems are counted."""
    return click.option(
        "--subset",
        metavar="EXPRESSION",
        help="Only these problems, such as 'associative and not equal-length'.",
    )(command)
