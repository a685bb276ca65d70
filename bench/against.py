"""Compare the speed of this tree with an older commit, alternating between the two.

    python -m bench.against COMMIT [FOLDER] [--only NAME …] [--rounds N] [--quick]

The older tree is unpacked into a temporary folder. Both trees run with this Python, each with its
own source and its own bench/ scripts, so module names may differ between them. A round runs every
job once in each tree, back to back, and the next round swaps the order. Both trees thus run under
the same load, and the ratio within a round is what counts. The script prints the median seconds of
each tree, and the median, lowest and highest ratio.

FOLDER holds the published files that `scoring` and `imports` need. The two trees must agree on the
command lines of the program and of `bench.resamples`, on the jobs of `bench.scoring_worker`, and
on the last figure that `bench.imports` prints.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeAlias

from bench.processes import ROOT, Process
from horsesense.models import EMBEDDED

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
# The problems of all datasets are split into this many shares; a round scores one of them.
SHARES = 16
RESAMPLES = (
    ("bootstrap", 133, 10_000),
    ("bootstrap", 10_000, 500),
    ("thesis' test", 91, 1_000_000),
    ("labels", 100_000, 10_000),
)

# Takes the number of a round, from 0, and returns the seconds that the job took.
Job: TypeAlias = Callable[[int], float]


@dataclass(frozen=True, slots=True)
class Tree:
    """A source tree, and a scratch folder for its jobs."""

    root: Path
    scratch: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return an environment that imports the source of this tree."""
        return os.environ | {"PYTHONPATH": str(self.root / "src")}

    def run(self, *arguments: str, cwd: Path | None = None) -> tuple[str, float]:
        """Run Python, and return its output and the CPU seconds it took."""
        before = _children_seconds()
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=cwd or self.root, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr.strip()[-2000:]}")
        return done.stdout, _children_seconds() - before


def scoring(tree: Tree, data: Path, stack: ExitStack, *, quick: bool) -> dict[str, Job]:
    """Score a share of all problems with all methods, then again from the store."""
    log = stack.enter_context((tree.scratch / "log").open("w"))
    arguments = (EMBEDDED, str(tree.scratch / "scoring.db"), str(data), str(os.cpu_count()))
    process = Process(
        sys.executable, "scoring_worker", *arguments, log=log, root=tree.root, env=tree.environment
    )
    stack.enter_context(process)

    def score(number: int) -> float:
        of = SHARES * 8 if quick else SHARES
        seconds: float = process.run(share=[number, of], keep=True)["seconds"]
        return seconds

    return {"scoring, all methods": score, "scoring, again from the store": score}


def resamples(tree: Tree, *, quick: bool) -> dict[str, Job]:
    """Resample and test."""

    def measure(name: str, schemas: int, drawn: int, _round: int) -> float:
        output, _ = tree.run("-m", "bench.resamples", name, str(schemas), str(drawn))
        return float(output.split()[0])

    chosen = RESAMPLES[:1] if quick else RESAMPLES
    return {f"{each[0]}, {each[1]:,} × {each[2]:,}": partial(measure, *each) for each in chosen}


def starting(tree: Tree) -> dict[str, Job]:
    """Score two sentences with the embedded default, in a process that is not the first."""

    def score(name: object) -> float:
        store = ("--store", str(tree.scratch / f"start-{name}.db"))
        return tree.run("-m", "horsesense", *store, "score", LORRY)[1]

    score("first")
    return {"score of two sentences": score}


def protocol(tree: Tree, *, quick: bool) -> dict[str, Job]:
    """Run the protocol with a new store, from stored answers, from a finished run; then report."""
    # Plans of earlier versions have `limit` for the first schemas, which later ones still read.
    plan = "limit: 3\nmodels: [first]\n" if quick else "limit: 20\n"

    def command(*arguments: str, number: int) -> float:
        folder = tree.scratch / f"run-{number}"
        folder.mkdir(exist_ok=True)
        (folder / "plan.yaml").write_text(plan)
        store = ("--store", str(folder / "run.db"))
        return tree.run("-m", "horsesense", *store, *arguments, cwd=folder)[1]

    def run(*options: str) -> Job:
        arguments = ("run", "plan.yaml", "--output", "report", *options)
        return lambda number: command(*arguments, number=number)

    def report(number: int) -> float:
        return command("report", "--format", "html", "--output", "page", "--force", number=number)

    return {
        "run, with a new store": run(),
        "run --fresh, answers in the store": run("--fresh"),
        "run, the second time": run(),
        "report --format html": report,
    }


def imports(tree: Tree, data: Path, *, quick: bool) -> dict[str, Job]:
    """Import WinoGrande, or its smallest training set."""
    folder = tree.scratch / "import"
    folder.mkdir()
    for name in ("train_xs.jsonl",) if quick else ("train_l.jsonl", "dev.jsonl"):
        (folder / name).symlink_to(data / "winogrande" / name)

    def into_entries(_round: int) -> float:
        output, _ = tree.run("-m", "bench.imports", str(folder))
        match = re.search(r"(\d+) problems into entries: .* s, ([\d,]+) a second", output)
        assert match is not None, output
        return int(match[1]) / int(match[2].replace(",", ""))

    def command(number: int) -> float:
        store = str(tree.scratch / f"import-{number}.db")
        files = map(str, sorted(folder.iterdir()))
        return tree.run("-m", "horsesense", "--store", store, "dataset", "import", *files)[1]

    return {"imports into entries": into_entries, "dataset import": command}


def take_turns(before: Mapping[str, Job], now: Mapping[str, Job], rounds: int) -> Iterator[str]:
    """Run all jobs in both trees, round by round, and yield a line of the table for each job."""
    seconds: dict[str, list[tuple[float, float]]] = {name: [] for name in now}
    for number in range(rounds):
        for name, taken in seconds.items():
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr, flush=True)
            if number % 2:
                second, first = now[name](number), before[name](number)
            else:
                first, second = before[name](number), now[name](number)
            taken.append((first, second))
    for name, taken in seconds.items():
        yield line(name, taken)


def line(name: str, taken: Sequence[tuple[float, float]]) -> str:
    """Format a line of the table: median seconds, and the ratio of now to before."""
    ratios = [second / first for first, second in taken]
    then, now = (median(side) for side in zip(*taken, strict=True))
    spread = f"{min(ratios):.2f}–{max(ratios):.2f}"
    return f"| {name} | {then:.3f} | {now:.3f} | {median(ratios):.3f} | {spread} |"


@contextmanager
def unpacked(commit: str) -> Iterator[Path]:
    """Unpack the tree of a commit into a temporary folder."""
    command = ["git", "archive", "--format=tar", commit]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.decode(errors="replace").strip())
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def main() -> None:
    """Run the chosen jobs in both trees, and print a Markdown table of the ratios."""
    names = ("starting", "scoring", "resamples", "protocol", "imports")
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("data", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="run smaller jobs")
    options = parser.parse_args()
    print(
        f"| against {options.commit} | Before | Now | Ratio | From–to |\n|---|---:|---:|---:|---:|"
    )
    with ExitStack() as stack:
        roots = stack.enter_context(unpacked(options.commit)), ROOT
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in roots]
        trees = [Tree(root, folder) for root, folder in zip(roots, folders, strict=True)]
        for name in options.only:
            if name in ("scoring", "imports") and options.data is None:
                print(f"| {name}: needs the folder of published files | | | | |")
                continue
            before, now = (_jobs(name, tree, options, stack) for tree in trees)
            for text in take_turns(before, now, options.rounds):
                print(text, flush=True)


def _jobs(
    name: str, tree: Tree, options: argparse.Namespace, stack: ExitStack
) -> Mapping[str, Job]:
    quick: bool = options.quick
    if name == "scoring":
        return scoring(tree, options.data.resolve(), stack, quick=quick)
    if name == "starting":
        return starting(tree)
    if name == "imports":
        return imports(tree, options.data.resolve(), quick=quick)
    return resamples(tree, quick=quick) if name == "resamples" else protocol(tree, quick=quick)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
