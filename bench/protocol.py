"""Time the whole protocol: with an empty store, again from the store, and the report alone.

    python bench/protocol.py [--browser PYTHON]

It runs the embedded default on the built-in datasets, each step in a separate process, as a user
would run it. With a Python that has playwright, it also opens the page in Chromium and searches it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HORSESENSE = Path(sys.executable).parent / "horsesense"
ROOT = Path(__file__).parent.parent
# How often the quick steps run; their median is reported.
REPEATS = 5


@dataclass(frozen=True, slots=True)
class Timed:
    """A step, and the seconds that it took."""

    step: str
    seconds: float


def main() -> None:
    """Measure all steps, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", metavar="PYTHON")
    browser = parser.parse_args().browser
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores")
    with TemporaryDirectory() as folder:
        timed = list(steps(Path(folder)))
        cold, again = timed[0].seconds, timed[1].seconds
        for each in timed:
            print(f"{each.step:<40} {each.seconds:8.2f} s")
        print(f"{'speed-up of the second run':<40} {cold / again:8.1f}")
        page = Path(folder) / "report" / "report.html"
        print(f"{'the page':<40} {page.stat().st_size / 1e6:8.2f} MB")
        if browser:
            search = search_page(browser, page)
            print(f"{'a search in the page, in Chromium':<40} {search['milliseconds']:8.0f} ms")


def steps(folder: Path) -> Iterator[Timed]:
    """Run the protocol with an empty store, run it again, and write each report from the store."""
    os.environ["HORSESENSE_STORE"] = str(folder / "bench.db")
    report = str(folder / "report")
    yield timed_run("run, with an empty store", "run", "--output", report)
    yield median("run, the second time", "run", "--output", report)
    yield median("run --fresh, all answers in the store", "run", "--fresh", "--output", report, n=1)
    for name in ("html", "markdown", "latex", "csv"):
        made = ("report", "--format", name, "--output", str(folder / name), "--force")
        yield median(f"report --format {name}", *made, n=3)


def timed_run(step: str, *command: str) -> Timed:
    """Run and time a command in a separate process."""
    started = time.perf_counter()
    subprocess.run([HORSESENSE, *command], check=True, stdout=subprocess.DEVNULL)
    return Timed(step, time.perf_counter() - started)


def median(step: str, *command: str, n: int = REPEATS) -> Timed:
    """Run a command several times, and return the median."""
    return sorted((timed_run(step, *command) for _ in range(n)), key=lambda run: run.seconds)[
        n // 2
    ]


def search_page(python: str, page: Path) -> Any:
    """Search the page in a browser; return the hits, and the milliseconds it took."""
    script, chromium = ROOT / "tests" / "browser" / "visit.py", shutil.which("chromium") or ""
    command = [python, str(script), str(page), chromium, "the", "listed"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["listed"]


if __name__ == "__main__":
    main()
