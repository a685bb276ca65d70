"""Audits the datasets in the box, and scores them with all their perturbations and dyads.

    python bench/own_data.py [FOLDER...]

The embedded default is asked. Writes docs/own_audit.json and docs/own_data.json, from which the
tables in docs/data.md are made. Folders hold published files, to look for words in common with.
Takes some minutes the first time; answers are kept in the store that HORSESENSE_STORE names, or
else in a temporary one.
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
    """A dataset in the store, and the mode to score it in if not its own."""

    dataset: str
    mode: str = ""


def main() -> None:
    """Audit and score everything, and keep what came of it."""
    with TemporaryDirectory() as folder:
        os.environ.setdefault("HORSESENSE_STORE", str(Path(folder) / "own.db"))
        audits, rows = [], list[dict[str, Any]]()
        for name in BUILT_IN:
            ran("dataset", "import", name)
            audits += list(audited(name, sys.argv[1:]))
            for job in jobs(name):
                rows += list(scored(job, Path(folder) / "run.jsonl"))
                print(f"{job.dataset} {job.mode}: {len(rows)} rows", file=sys.stderr)
    (DOCS / "own_audit.json").write_text(_written(audits), encoding="utf-8")
    (DOCS / "own_data.json").write_text(_written(rows), encoding="utf-8")


def audited(name: str, folders: list[str]) -> Iterator[dict[str, Any]]:
    """What each check of the audit found, a row each."""
    against = [f"--against={folder}" for folder in folders]
    for check in ran("dataset", "audit", name, *against)["checks"]:
        figures = {
            figure["name"]: _rounded(figure["value"], figure["interval"])
            for figure in check["figures"]
        }
        about = {key: check[key] for key in ("name", "title", "skipped")}
        yield {"dataset": name, **about, "figures": figures, "concerns": check["concerns"]}


def jobs(name: str) -> Iterator[Job]:
    """The dataset itself, all its perturbations, and a dyad for each wrapper and mode."""
    yield Job(name)
    settings = [f"--set=wrapper={wrapper}" for wrapper in WRAPPERS]
    dyads = stored(ran("perturb", "apply", "dyadic", name, *settings))
    for perturbation in stored(ran("perturb", "apply", "all", name)):
        if perturbation != f"{name}.dyadic":  # the same as with the wrapper «true»
            yield Job(perturbation)
    for dyad in dyads:
        yield from (Job(dyad, mode) for mode in DYAD_MODES)


def stored(applied: Any) -> list[str]:
    """The perturbations that came to anything that somebody vouches for."""
    found = [one["perturbation"] for one in applied if one["perturbation"]]
    return [one["name"] for one in found if one["dataset"]]


def scored(job: Job, log: Path) -> Iterator[dict[str, Any]]:
    """The accuracies by every method, a row each."""
    mode = [f"--mode={job.mode}"] if job.mode else []
    ran("score", "--dataset", job.dataset, *mode, "--output", str(log), "--force")
    found = ran("metric", "compute", str(log))
    for run in found["runs"]:
        values = {
            row["symbol"]: _rounded(row["estimate"], row["interval"])
            for row in found["metrics"]
            if row["method"] == run["method"]
        }
        about = {key: run[key] for key in ("mode", "method", "problems", "schemas", "undecided")}
        yield {"dataset": job.dataset, **about, **values}


def ran(*command: str) -> Any:
    """What a command says, as JSON."""
    done = subprocess.run([HORSESENSE, *command, "--json"], capture_output=True, text=True)
    if (
        not done.stdout
    ):  # an audit that finds faults says so by its exit code, and has something to say
        raise SystemExit(f"horsesense {' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def _rounded(value: float | None, interval: dict[str, float] | None) -> list[float | None]:
    """A value with the ends of its interval, if it has one, in three digits."""
    values = [value, *((interval["low"], interval["high"]) if interval else ())]
    return [None if one is None else round(one, 3) for one in values]


def _written(rows: list[dict[str, Any]]) -> str:
    """JSON with a row on each line, so that a change can be read."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    main()
