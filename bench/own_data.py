"""Audit the built-in datasets, and score them with all their perturbations and dyads.

    python bench/own_data.py [FOLDER...]

The model is the embedded default. The script writes docs/own_audit.json and docs/own_data.json,
from which the tables in docs/data.md are generated. The audit looks for text that our datasets
share with the published files in the folders. The first run takes some minutes. Answers are kept in
the store that HORSESENSE_STORE names, or in a temporary one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from horsesense.datasets.builtin import BUILT_IN
from horsesense.schema.notation import WRAPPERS

HORSESENSE = Path(sys.executable).parent / "horsesense"
DOCS = Path(__file__).parent.parent / "docs"
DYAD_MODES = ("by-answer", "by-key", "by-boolean")


@dataclass(frozen=True, slots=True)
class Job:
    """A dataset in the store, and the mode to score it in if not the default."""

    dataset: str
    mode: str = ""


def main() -> None:
    """Audit and score everything, and write the results."""
    with TemporaryDirectory() as folder:
        os.environ.setdefault("HORSESENSE_STORE", str(Path(folder) / "own.db"))
        audits, rows = [], list[dict[str, Any]]()
        for name in BUILT_IN:
            run_command("dataset", "import", name)
            audits += list(audited(name, sys.argv[1:]))
            for job in jobs(name):
                rows += list(scored(job, Path(folder) / "run.jsonl"))
                print(f"{job.dataset} {job.mode}: {len(rows)} rows", file=sys.stderr)
    (DOCS / "own_audit.json").write_text(_written(audits), encoding="utf-8")
    (DOCS / "own_data.json").write_text(_written(rows), encoding="utf-8")


def audited(name: str, folders: list[str]) -> Iterator[dict[str, Any]]:
    """Audit a dataset, and yield a row for each check."""
    against = [f"--against={folder}" for folder in folders]
    for check in run_command("dataset", "audit", name, *against)["checks"]:
        figures = {
            figure["name"]: _rounded(figure["value"], figure["interval"])
            for figure in check["figures"]
        }
        about = {key: check[key] for key in ("name", "title", "skipped")}
        yield {"dataset": name, **about, "figures": figures, "concerns": check["concerns"]}


def jobs(name: str) -> Iterator[Job]:
    """List the dataset itself, all its perturbations, and a dyad for each wrapper and mode."""
    yield Job(name)
    settings = [f"--set=wrapper={wrapper}" for wrapper in WRAPPERS]
    dyads = stored(run_command("perturb", "apply", "dyadic", name, *settings))
    for perturbation in stored(run_command("perturb", "apply", "all", name)):
        if perturbation != f"{name}.dyadic":  # the same as with the wrapper «true»
            yield Job(perturbation)
    for dyad in dyads:
        yield from (Job(dyad, mode) for mode in DYAD_MODES)


def stored(applied: Any) -> list[str]:
    """List the perturbations that produced a dataset; unreviewed proposals alone make none."""
    perturbations = [row["perturbation"] for row in applied if row["perturbation"]]
    return [perturbation["name"] for perturbation in perturbations if perturbation["dataset"]]


def scored(job: Job, log: Path) -> Iterator[dict[str, Any]]:
    """Score a dataset, and yield a row with the accuracies for each method."""
    mode = [f"--mode={job.mode}"] if job.mode else []
    run_command("score", "--dataset", job.dataset, *mode, "--output", str(log), "--force")
    computed = run_command("metric", "compute", str(log))
    for run in computed["runs"]:
        values = {
            row["symbol"]: _rounded(row["estimate"], row["interval"])
            for row in computed["metrics"]
            if row["method"] == run["method"]
        }
        about = {key: run[key] for key in ("mode", "method", "problems", "schemas", "undecided")}
        yield {"dataset": job.dataset, **about, **values}


def run_command(*command: str) -> Any:
    """Run a command, and return its JSON output."""
    done = subprocess.run([HORSESENSE, *command, "--json"], capture_output=True, text=True)
    # Don't check the exit code: an audit that finds faults fails, but prints its results.
    if not done.stdout:
        raise SystemExit(f"horsesense {' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def _rounded(value: float | None, interval: dict[str, float] | None) -> list[float | None]:
    """Round a value and the ends of its interval, if it has one, to three digits."""
    values = [value, *((interval["low"], interval["high"]) if interval else ())]
    return [None if number is None else round(number, 3) for number in values]


def _written(rows: list[dict[str, Any]]) -> str:
    """Format rows as JSON with a row on each line, so that diffs are readable."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    main()
