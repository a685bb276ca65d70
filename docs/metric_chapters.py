"""Generate the reference of all metrics in docs/reference/metrics.md; run by cog."""

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
    """List all metrics in a table."""
    head = ["Metric", "Symbol", "Applies to", "Better when", "Symmetric", "By chance"]
    rows = [_row(METRICS[name].declared) for names in CHAPTERS.values() for name in names]
    lines = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    return "\n".join(["", *lines, ""])


def chapters() -> str:
    """Describe all metrics, each with its definition and an example."""
    lines: list[str] = []
    for title, names in CHAPTERS.items():
        lines += ["", f"### {title}"]
        lines += [line for name in names for line in _section(METRICS[name])]
    return "\n".join(lines)


def _row(spec: MetricSpec) -> list[str]:
    better = "–" if spec.direction is Direction.NEITHER else str(spec.direction)
    link = f"[{spec.name}](#{spec.name})"
    symbol = spec.symbol.replace("*", r"\*")
    return [link, symbol, spec.applies, better, _SYMMETRIC[spec.is_symmetric], _chance(spec)]


def _chance(spec: MetricSpec) -> str:
    if spec.chance is None:
        return "–" if spec.applies is Applies.DATASET else "it depends"
    return f"{spec.chance:g}"


def _section(metric: Metric) -> Iterator[str]:
    spec = metric.declared
    yield from ("", f"#### {metric.name}", "", f"{spec.title}.", "")
    yield from ("```text", spec.equation, "```", "")
    yield f"**From** {spec.source}. **Undefined** where {spec.undefined}.{_between(spec)}"
    others = [f"`{alias}`" for alias, name in ALIASES.items() if name == metric.name]
    if others:
        yield from ("", f"**Also called** {', '.join(others)}.")
    if spec.remark:
        yield from ("", spec.remark)
    # The blank line ends the output of the example.
    yield from ("", "```python", *_example(spec), "", "```")


def _between(spec: MetricSpec) -> str:
    if spec.bounds == _UNIT:
        return ""
    low, high = spec.bounds
    span = f"At most {high:g}" if isinf(low) else f"Between {low:g} and {high:g}"
    return f" **{span}.**".replace("-", "−")


def _example(spec: MetricSpec) -> list[str]:
    lines = spec.doc.rstrip().split("\n")
    return lines[next(start for start, line in enumerate(lines) if line.startswith(">>> ")) :]
