"""Compare the speed of this tree with that of an older commit, the two taking turns.

    python -m bench.against COMMIT [FOLDER] [--only NAME …] [--rounds N] [--quick]

The older tree is unpacked into a temporary folder. Both run with this Python, each with its own
source and its own scripts of bench/, so that modules may have other names in the two. A round runs
every job once in each tree, one right after the other, in the opposite order of the round before:
both see the same machine, and what counts is the ratio of a round. Printed are the median seconds
of each side, the median ratio, and the least and the greatest.

The folder has the published files, which `scoring` and `imports` need. What the two trees must have
in common is the command line of the program and of `bench.resamples`, the jobs of
`bench.scoring_worker`, and the last figure of `bench.imports`.
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

# Shares into which the problems of all datasets are cut; a round scores one of them.
SHARES = 16
RESAMPLES = (
    ("bootstrap", 133, 10_000),
    ("bootstrap", 10_000, 500),
    ("thesis' test", 91, 1_000_000),
    ("labels", 100_000, 10_000),
)

# Does a job for a round, counted from 0; gives the seconds that it took.
Job: TypeAlias = Callable[[int], float]


@dataclass(frozen=True, slots=True)
class Tree:
    """A source tree, and a folder in which its jobs may write."""

    root: Path
    place: Path

    @property
    def environment(self) -> dict[str, str]:
        """The environment in which its source is found first."""
        return os.environ | {"PYTHONPATH": str(self.root / "src")}

    def run(self, *arguments: str, cwd: Path | None = None) -> tuple[str, float]:
        """Run Python; its output, and the processor's seconds that it took."""
        before = _children_seconds()
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=cwd or self.root, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr.strip()[-2000:]}")
        return done.stdout, _children_seconds() - before


def scoring(tree: Tree, data: Path, stack: ExitStack, *, quick: bool) -> dict[str, Job]:
    """Score a share of all problems by all methods, then again from the store."""
    log = stack.enter_context((tree.place / "log").open("w"))
    arguments = (EMBEDDED, str(tree.place / "scoring.db"), str(data), str(os.cpu_count()))
    process = Process(
        sys.executable, "scoring_worker", *arguments, log=log, root=tree.root, env=tree.environment
    )
    stack.enter_context(process)

    def ask(number: int) -> float:
        of = SHARES * 8 if quick else SHARES
        seconds: float = process.ask(share=[number, of], keep=True)["seconds"]
        return seconds

    return {"scoring, all methods": ask, "scoring, again from the store": ask}


def resamples(tree: Tree, *, quick: bool) -> dict[str, Job]:
    """Resample and test."""

    def measure(name: str, schemas: int, drawn: int, _round: int) -> float:
        output, _ = tree.run("-m", "bench.resamples", name, str(schemas), str(drawn))
        return float(output.split()[0])

    chosen = RESAMPLES[:1] if quick else RESAMPLES
    return {f"{each[0]}, {each[1]:,} × {each[2]:,}": partial(measure, *each) for each in chosen}


def protocol(tree: Tree, *, quick: bool) -> dict[str, Job]:
    """Run the protocol with a new store, from its answers, from the finished run; and report."""
    part = ("--model", "first", "--limit", "3") if quick else ("--limit", "20")

    def command(*arguments: str, number: int) -> float:
        folder = tree.place / f"run-{number}"
        folder.mkdir(exist_ok=True)
        store = ("--store", str(folder / "run.db"))
        return tree.run("-m", "horsesense", *store, *arguments, cwd=folder)[1]

    def run(*options: str) -> Job:
        arguments = ("run", *part, "--output", "report", *options)
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
    folder = tree.place / "import"
    folder.mkdir()
    for name in ("train_xs.jsonl",) if quick else ("train_l.jsonl", "dev.jsonl"):
        (folder / name).symlink_to(data / "winogrande" / name)

    def into_entries(_round: int) -> float:
        output, _ = tree.run("-m", "bench.imports", str(folder))
        found = re.search(r"(\d+) problems into entries: .* s, ([\d,]+) a second", output)
        assert found is not None, output
        return int(found[1]) / int(found[2].replace(",", ""))

    def command(number: int) -> float:
        store = str(tree.place / f"import-{number}.db")
        files = map(str, sorted(folder.iterdir()))
        return tree.run("-m", "horsesense", "--store", store, "dataset", "import", *files)[1]

    return {"imports into entries": into_entries, "dataset import": command}


def take_turns(before: Mapping[str, Job], now: Mapping[str, Job], rounds: int) -> Iterator[str]:
    """Run all jobs in both trees round by round; a line of the table for each job."""
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
    """A line of the table: median seconds, and how many times as long it takes now."""
    ratios = [second / first for first, second in taken]
    then, now = (median(side) for side in zip(*taken, strict=True))
    spread = f"{min(ratios):.2f}–{max(ratios):.2f}"
    return f"| {name} | {then:.3f} | {now:.3f} | {median(ratios):.3f} | {spread} |"


@contextmanager
def unpacked(commit: str) -> Iterator[Path]:
    """The tree of a commit, in a folder that goes again."""
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
    names = ("scoring", "resamples", "protocol", "imports")
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit")
    parser.add_argument("data", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="take less of everything")
    given = parser.parse_args()
    print(f"| against {given.commit} | Before | Now | Ratio | From–to |\n|---|---:|---:|---:|---:|")
    with ExitStack() as stack:
        roots = stack.enter_context(unpacked(given.commit)), ROOT
        places = [Path(stack.enter_context(tempfile.TemporaryDirectory())) for _ in roots]
        trees = [Tree(root, place) for root, place in zip(roots, places, strict=True)]
        for name in given.only:
            if name in ("scoring", "imports") and given.data is None:
                print(f"| {name}: needs the folder of published files | | | | |")
                continue
            before, now = (_jobs(name, tree, given, stack) for tree in trees)
            for text in take_turns(before, now, given.rounds):
                print(text, flush=True)


def _jobs(name: str, tree: Tree, given: argparse.Namespace, stack: ExitStack) -> Mapping[str, Job]:
    quick: bool = given.quick
    if name == "scoring":
        return scoring(tree, given.data.resolve(), stack, quick=quick)
    if name == "imports":
        return imports(tree, given.data.resolve(), quick=quick)
    return resamples(tree, quick=quick) if name == "resamples" else protocol(tree, quick=quick)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
