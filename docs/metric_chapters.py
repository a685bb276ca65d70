"""The parts of docs/metrics.md that tell of every metric; cog runs it."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

from horsesense.metrics import ALIASES, METRICS, Applies, Direction, Metric, MetricSpec

CHAPTERS = {
    "Accuracies": (
        "problem-accuracy",
        "schema-accuracy",
        "half-solved-share",
        "anti-solved-share",
        "worst-member-accuracy",
        "random-pair-accuracy",
    ),
    "The two problems of a schema": (
        "first-problem-accuracy",
        "second-problem-accuracy",
        "second-given-solved",
        "second-given-failed",
        "first-given-solved",
        "first-given-failed",
    ),
    "Responses": (
        "undecided-share",
        "first-option-share",
        "female-gender-gap",
        "male-gender-gap",
    ),
    "Consistencies": (
        "consistency",
        "consistent-accuracy",
        "preserved-accuracy",
        "inversely-preserved-accuracy",
        "weak-schema-consistency",
        "schema-consistency",
        "strict-schema-consistency",
        "consistent-schema-accuracy",
        "preserved-schema-accuracy",
        "inversely-preserved-schema-accuracy",
        "expected-strict-consistency",
        "chance-corrected-consistency",
    ),
    "Transitions": (
        "gained-share",
        "lost-share",
        "kept-with-other-answers",
        "unsettled-share",
        "accuracy-difference",
        "schema-accuracy-difference",
    ),
    "Controls": (
        "adjusted-accuracy",
        "adjusted-schema-accuracy",
        "relative-loss",
        "relative-schema-loss",
        "relative-gain",
        "relative-schema-gain",
        "adjusted-schema-lower-bound",
    ),
    "Datasets": ("equal-length-share", "second-last-share"),
}
_UNIT = (0.0, 1.0)
_SYMMETRIC = {True: "yes", False: "no", None: "–"}


def table() -> str:
    """All metrics, a line each."""
    head = ["Metric", "Symbol", "Applies to", "Better when", "Symmetric", "By chance"]
    rows = [_row(METRICS[name].declared) for names in CHAPTERS.values() for name in names]
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(["", *lines, ""])


def chapters() -> str:
    """All metrics, each with its definition and its example."""
    lines: list[str] = []
    for title, names in CHAPTERS.items():
        lines += ["", f"### {title}"]
        lines += [line for name in names for line in _section(METRICS[name])]
    return "\n".join(lines)


def _row(said: MetricSpec) -> list[str]:
    better = "–" if said.direction is Direction.NEITHER else str(said.direction)
    link = f"[{said.name}](#{said.name})"
    symbol = said.symbol.replace("*", r"\*")
    return [link, symbol, said.applies, better, _SYMMETRIC[said.is_symmetric], _chance(said)]


def _chance(said: MetricSpec) -> str:
    if said.chance is None:
        return "–" if said.applies is Applies.DATASET else "it depends"
    return f"{said.chance:g}"


def _section(one: Metric) -> Iterator[str]:
    said = one.declared
    yield from ("", f"#### {one.name}", "", f"{said.title}.", "")
    yield from ("```text", said.equation, "```", "")
    yield f"**From** {said.source}. **Undefined** where {said.undefined}.{_between(said)}"
    others = [f"`{alias}`" for alias, name in ALIASES.items() if name == one.name]
    if others:
        yield from ("", f"**Also called** {', '.join(others)}.")
    if said.remark:
        yield from ("", said.remark)
    # The blank line ends what the example prints.
    yield from ("", "```python", *_example(said), "", "```")


def _between(said: MetricSpec) -> str:
    if said.bounds == _UNIT:
        return ""
    low, high = said.bounds
    span = f"At most {high:g}" if isinf(low) else f"Between {low:g} and {high:g}"
    return f" **{span}.**".replace("-", "−")


def _example(said: MetricSpec) -> list[str]:
    lines = said.doc.rstrip().split("\n")
    return lines[next(at for at, line in enumerate(lines) if line.startswith(">>> ")) :]
