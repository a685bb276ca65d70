"""Runs whose numbers are kept: the embedded default, and baselines on whole datasets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.golden import reading
from tests.golden.page import page_numbers
from tests.golden.tables import Table

MODEL = "smollm2-135m"
RESAMPLES = ("--resamples", "200", "--seed", "0")
# So many schemas of each dataset have every variant, method and metric.
LIMITED = ("--model", MODEL, "--first", "8")
BASELINES = ("--model", "longer", "--model", "first", "--model", "random")


@dataclass(frozen=True)
class Run:
    """The store of a run, and the folder with all that was written of it."""

    store: Path
    folder: Path

    @property
    def files(self) -> Path:
        """The folder that `run` has written."""
        return self.folder / "run"

    @property
    def tables(self) -> Path:
        """The folder with all its tables as CSV."""
        return self.folder / "tables"


def make_run(folder: Path, *options: str, store: Path | None = None) -> Run:
    """Run the protocol on both built-in datasets, and write all tables of its report."""
    store = store or folder / "store.db"
    reading.command(store, "run", *options, *RESAMPLES, "--output", str(folder / "run"))
    reading.command(store, "report", "--format", "csv", "--output", str(folder / "tables"))
    return Run(store, folder)


def model_tables(run: Run) -> dict[str, Table]:
    """What is kept of the run of the embedded default."""
    first, second = MODEL, "longer"
    comparisons = [
        (f"{first}, {second}", reading.printed(run.store, "compare", first, second)),
        (f"{second}, first", reading.printed(run.store, "compare", second, "first")),
        (
            f"{second}, {first} by partial",
            reading.printed(run.store, "compare", second, first, "--method", f"{first}=partial"),
        ),
    ]
    return {
        "model-estimates.tsv.gz": reading.estimates(run.tables),
        "model-answers.tsv.gz": reading.answers(run.tables),
        "model-tokens.tsv.gz": reading.tokens(run.tables),
        "model-problems.tsv": reading.problems(run.tables),
        "model-options.tsv": reading.shares(run.tables),
        "model-variants.tsv": reading.variants(run.tables),
        "model-comparisons.tsv.gz": reading.figures(
            (case, reading.compared_runs(answer)) for case, answer in comparisons
        ),
        "model-page.tsv": page_numbers(run.files),
    }


def baseline_tables(run: Run) -> dict[str, Table]:
    """What is kept of the run of baselines on whole datasets."""
    return {
        "baseline-estimates.tsv.gz": reading.estimates(run.tables),
        "baseline-answers.tsv": reading.hashed_answers(run.tables),
        "baseline-problems.tsv": reading.problems(run.tables),
        "baseline-options.tsv": reading.shares(run.tables),
        "baseline-variants.tsv": reading.variants(run.tables),
    }


def whole_tables(run: Run) -> dict[str, Table]:
    """What is kept of the run of the embedded default on whole datasets."""
    return {
        "whole-estimates.tsv.gz": reading.estimates(run.tables),
        "whole-answers.tsv": reading.hashed_answers(run.tables),
    }
