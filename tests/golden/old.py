"""Files of the version before: a store, results and a plan, as it wrote them.

The store has two schema files and a table with their journal, two perturbations, and two runs: the
embedded default on `shore` by the plan, and baselines on `lagoon`. The results are of the first.
These files are never written again: newer programs must read them as they are.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.golden import reading
from tests.golden.data import content_rows
from tests.golden.tables import Table

OLD = Path(__file__).with_name("old")
MODEL_RUN, BASELINE_RUN = "aad68a3b4aec", "597945ec417a"
DATASETS = ("lagoon", "shore", "lagoon-table", "lagoon.switched")


def unpack(folder: Path) -> Path:
    """Put the old files into a folder, and give the store."""
    for name in ("store.db", "results.json"):
        (folder / name).write_bytes(gzip.decompress((OLD / f"{name}.gz").read_bytes()))
    shutil.copy(OLD / "plan.yaml", folder)
    return folder / "store.db"


def report_tables(folder: Path, store: Path, *source: str) -> Path:
    """Write all tables of a run in the old store, or of old results."""
    reading.command(store, "report", *source, "--format", "csv", "--output", str(folder))
    return folder


def old_tables(folder: Path) -> dict[str, Table]:
    """What is read from the old files."""
    store = unpack(folder)
    first = report_tables(folder / "first", store, MODEL_RUN)
    second = report_tables(folder / "second", store, BASELINE_RUN)
    comparisons = [
        ("models", ("compare", "smollm2-135m", "longer")),
        ("results", ("compare", str(folder / "results.json"), f"{MODEL_RUN}:first")),
    ]
    return {
        "old-model-estimates.tsv.gz": reading.estimates(first),
        "old-model-answers.tsv.gz": reading.answers(first),
        "old-model-problems.tsv": reading.problems(first),
        "old-model-tokens.tsv.gz": reading.tokens(first),
        "old-model-variants.tsv": reading.variants(first),
        "old-baseline-estimates.tsv.gz": reading.estimates(second),
        "old-baseline-answers.tsv": reading.answers(second),
        "old-comparisons.tsv": reading.figures(
            (name, reading.compared_runs(reading.printed(store, *arguments, exit_codes=(0, 1))))
            for name, arguments in comparisons
        ),
        "old-harness.tsv.gz": reading.figures(_harness_cases(folder / "harness", store)),
        "old-datasets.tsv": content_rows(store, DATASETS),
    }


def _harness_cases(folder: Path, store: Path) -> Iterator[tuple[str, reading.Figures]]:
    """Metrics of the samples that the old run gives for lm-evaluation-harness."""
    reading.command(store, "report", MODEL_RUN, "--format", "lm-eval", "--output", str(folder))
    for path in sorted(folder.rglob("samples_*.jsonl")):
        given = ("metric", "compute", str(path), "--resamples", "50")
        case = f"{path.parent.name} {path.stem.rsplit('_', 1)[0]}"
        yield case, reading.computed_metrics(reading.printed(store, *given))
