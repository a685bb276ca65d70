"""Measure how fast metrics are resampled and tested, at growing sizes and against a plain loop.

Each measurement runs in a separate process, to get its own peak memory. The loop adds up the counts
of the metrics, cluster by cluster, and combines them. It uses the same draws, and the tests check
that its intervals equal ours.
"""

from __future__ import annotations

import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import METRICS, Data, Metric, Paired, Sample, paired, sample
from horsesense.metrics.statistics import (
    bootstrap,
    conditional_null,
    monte_carlo,
    permute_labels,
    sign_flip,
)

SEED = 3
SCHEMAS, RESAMPLES = 133, 10_000
# The loop is measured on fewer resamples.
LOOP_RESAMPLES = 200
SIZES, SCALED_RESAMPLES = (1_000, 10_000, 100_000), 500
TRIALS = 10**6
REPEATS = 3
# Thesis Table 3.9 and section 3.8.2: the null, the schemas, the difference.
NULL = conditional_null(Fraction(92, 133), Fraction(66, 92), Fraction(40, 41))
EQUAL_LENGTH_SCHEMAS = 91
DIFFERENCE = Fraction(198, 266) - Fraction(131, 182)

# The work to be measured, which returns its result.
Job: TypeAlias = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Fitting:
    """Data with all metrics that apply to it."""

    metrics: tuple[Metric, ...]
    data: Data


def made_up(schemas: int) -> tuple[Fitting, Fitting]:
    """Make up a sample and a pair of samples, some problems undecided, with all their metrics."""
    rng = np.random.default_rng(SEED)
    outcomes = np.array([True, True, True, False, None], dtype=object)
    before, after = (_sample(rng.choice(outcomes, (schemas, 2)), rng) for _ in range(2))
    pair = paired(before, after)
    return Fitting(_applying(before), before), Fitting(_applying(pair), pair)


def _sample(values: np.ndarray, rng: np.random.Generator) -> Sample:
    marks = {name: rng.random(values.shape) < 0.5 for name in ("equal-length", "second-last")}
    return sample(values, chosen=rng.integers(0, 2, values.shape), marks=marks)


def _applying(data: Data) -> tuple[Metric, ...]:
    """List the metrics of the catalogue, except those that need marks the data does not have."""

    def applies(metric: Metric) -> bool:
        try:
            metric.columns(data)
        except MetricError:
            return False
        return True

    is_paired = isinstance(data, Paired)
    return tuple(each for each in METRICS.values() if each.is_paired == is_paired and applies(each))


def intervals(fitting: Fitting, resamples: int) -> list[tuple[float, float]]:
    """Compute the percentile intervals of all metrics."""
    bootstrapped = bootstrap(fitting.metrics, fitting.data, resamples=resamples, seed=SEED)
    return [
        (each.percentile.low, each.percentile.high)
        if each.percentile is not None
        else (np.nan, np.nan)
        for each in bootstrapped
    ]


def loop_intervals(fitting: Fitting, resamples: int) -> list[tuple[float, float]]:
    """Compute the same by a plain loop over resamples, metrics, clusters and counts."""
    counts = [metric.columns(fitting.data).tolist() for metric in fitting.metrics]
    values: list[list[float]] = [[] for _ in fitting.metrics]
    rng = np.random.default_rng(SEED)
    size = fitting.data.cluster_count
    for _ in range(resamples):
        drawn = rng.integers(size, size=size).tolist()
        for metric, rows, drawn_values in zip(fitting.metrics, counts, values, strict=True):
            sums = [0.0] * len(rows[0])
            for cluster in drawn:
                for column, count in enumerate(rows[cluster]):
                    sums[column] += count
            drawn_values.append(float(metric.combine(np.array(sums))))
    return [_percentiles([value for value in drawn if value == value]) for drawn in values]


def _percentiles(values: Sequence[float]) -> tuple[float, float]:
    if not values:
        return np.nan, np.nan
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    return low, high


def bootstrap_job(schemas: int, resamples: int) -> Job:
    """Prepare resampling all metrics."""
    both = made_up(schemas)
    return lambda: [intervals(fitting, resamples) for fitting in both]


def loop_job(schemas: int, resamples: int) -> Job:
    """Prepare the plain loop for the same."""
    both = made_up(schemas)
    return lambda: [loop_intervals(fitting, resamples) for fitting in both]


def monte_carlo_job(schemas: int, trials: int) -> Job:
    """Prepare the thesis' test."""
    return lambda: monte_carlo(NULL, schemas, DIFFERENCE, trials=trials, seed=SEED)


def sign_flip_job(schemas: int, _: int) -> Job:
    """Prepare the exact test of two samples on the same schemas."""
    pair = made_up(schemas)[1].data
    assert isinstance(pair, Paired)
    before, after = pair.before, pair.after
    return lambda: sign_flip(METRICS["problem-accuracy"], after, before)


def labels_job(schemas: int, trials: int) -> Job:
    """Prepare the test of a subset against its complement."""
    whole = made_up(schemas)[0].data
    assert isinstance(whole, Sample)
    inside = whole.clusters % 3 == 0
    sides = whole.among(inside), whole.among(~inside)
    return lambda: permute_labels(METRICS["problem-accuracy"], *sides, trials=trials)


JOBS: dict[str, Callable[[int, int], Job]] = {
    "bootstrap": bootstrap_job,
    "plain loop": loop_job,
    "thesis' test": monte_carlo_job,
    "sign flip": sign_flip_job,
    "labels": labels_job,
}


def measure(name: str, schemas: int, drawn: int) -> float:
    """Return the seconds that a job takes, without its preparation."""
    job = JOBS[name](schemas, drawn)
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


@dataclass(frozen=True, slots=True)
class Row:
    """The result of a measurement: the best time, and the highest peak of memory."""

    name: str
    schemas: int
    drawn: int
    seconds: float
    megabytes: float

    def line(self) -> str:
        """Format its line of the table."""
        drawn = f"{self.drawn:,}" if self.drawn else "exact"
        each = f"{self.seconds / self.schemas / self.drawn * 1e9:.1f}" if self.drawn else "–"
        cells = (self.name, f"{self.schemas:,}", drawn, f"{self.seconds:.3f}", each)
        return f"| {' | '.join(cells)} | {self.megabytes:.0f} |"


def run_alone(name: str, schemas: int, drawn: int, *, repeats: int = REPEATS) -> Row:
    """Run a measurement several times, each in a separate process, and keep the best."""
    command = [sys.executable, "-m", "bench.resamples", name, str(schemas), str(drawn)]
    root = Path(__file__).parents[1]
    runs = []
    for _ in range(repeats):
        output = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
        seconds, kilobytes = output.stdout.split()
        runs.append((float(seconds), float(kilobytes) / 1024))
    return Row(name, schemas, drawn, min(runs)[0], max(peak for _, peak in runs))


def rows() -> Iterator[Row]:
    """Run every measurement."""
    yield run_alone("bootstrap", SCHEMAS, RESAMPLES)
    yield run_alone("plain loop", SCHEMAS, LOOP_RESAMPLES)
    yield run_alone("thesis' test", EQUAL_LENGTH_SCHEMAS, TRIALS)
    for size in SIZES:
        yield run_alone("bootstrap", size, SCALED_RESAMPLES)
    for size in (SCHEMAS, SIZES[-1]):
        yield run_alone("sign flip", size, 0)
        yield run_alone("labels", size, RESAMPLES)


def main() -> None:
    """Measure everything, and print a Markdown table with its conclusions."""
    single, double = (len(each.metrics) for each in made_up(2))
    print(
        f"{platform.machine()}, Python {platform.python_version()}, best of {REPEATS}; all"
        f" {single} metrics of one sample and {double} of two that need no special marks\n"
    )
    print("| | Schemas | Resamples or trials | Seconds | ns per schema and draw | Peak MB |")
    print("|---|---:|---:|---:|---:|---:|")
    measured = []
    for row in rows():
        measured.append(row)
        print(row.line(), flush=True)
    for each in made_up(SCHEMAS):
        fast, slow = intervals(each, LOOP_RESAMPLES), loop_intervals(each, LOOP_RESAMPLES)
        np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)
    ours, loop = measured[:2]
    times = loop.seconds / loop.drawn / (ours.seconds / ours.drawn)
    print(
        f"\nThe plain loop, measured on {loop.drawn} resamples, would take"
        f" {loop.seconds / loop.drawn * ours.drawn:.0f} s for {ours.drawn:,}: {times:.0f} times as"
        " long. With the same draws, its intervals are the same."
    )
    small, *_, large = (row for row in measured[3:] if row.name == "bootstrap")
    grown = large.seconds / large.schemas / (small.seconds / small.schemas)
    print(
        f"\nWith {large.schemas:,} schemas a schema takes {grown:.2f} times as long as with"
        f" {small.schemas:,}."
    )


if __name__ == "__main__":
    if len(sys.argv) == 4:
        measured = measure(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
        print(measured, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    else:
        main()
