"""How long the whole protocol takes: from nothing, again from the store, and the report alone.

    python bench/protocol.py [--browser PYTHON]

The embedded default on the datasets in the box, with an empty store, each step in a process of its
own as a user would run it. With a Python that has playwright, the page is opened in Chromium and
searched as well.
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
# The quick ones are run so often, and the median is told.
REPEATS = 5


@dataclass(frozen=True, slots=True)
class Timed:
    """A step, and the seconds that it took."""

    step: str
    seconds: float


def main() -> None:
    """Measure all of it, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", metavar="PYTHON")
    browser = parser.parse_args().browser
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores")
    with TemporaryDirectory() as folder:
        timed = list(steps(Path(folder)))
        cold, again = timed[0].seconds, timed[1].seconds
        for one in timed:
            print(f"{one.step:<40} {one.seconds:8.2f} s")
        print(f"{'a second run is so many times as fast':<40} {cold / again:8.1f}")
        page = Path(folder) / "report" / "report.html"
        print(f"{'the page':<40} {page.stat().st_size / 1e6:8.2f} MB")
        if browser:
            found = looked_at(browser, page)
            print(f"{'a search in the page, in Chromium':<40} {found['milliseconds']:8.0f} ms")


def steps(folder: Path) -> Iterator[Timed]:
    """The protocol from nothing, the same again, and each report from what is kept."""
    os.environ["HORSESENSE_STORE"] = str(folder / "bench.db")
    report = str(folder / "report")
    yield ran("run, with an empty store", "run", "--output", report)
    yield median("run, the second time", "run", "--output", report)
    yield median("run --fresh, all answers in the store", "run", "--fresh", "--output", report, n=1)
    for name in ("html", "markdown", "latex", "csv"):
        made = ("report", "--format", name, "--output", str(folder / name), "--force")
        yield median(f"report --format {name}", *made, n=3)


def ran(step: str, *command: str) -> Timed:
    """Run a command in a process of its own."""
    started = time.perf_counter()
    subprocess.run([HORSESENSE, *command], check=True, stdout=subprocess.DEVNULL)
    return Timed(step, time.perf_counter() - started)


def median(step: str, *command: str, n: int = REPEATS) -> Timed:
    """The middle one of several runs of a command."""
    return sorted((ran(step, *command) for _ in range(n)), key=lambda one: one.seconds)[n // 2]


def looked_at(python: str, page: Path) -> Any:
    """What a browser says of a search in the page: what it found, in how many milliseconds."""
    script, chromium = ROOT / "tests" / "browser" / "visit.py", shutil.which("chromium") or ""
    command = [python, str(script), str(page), chromium, "the", "listed"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["listed"]


if __name__ == "__main__":
    main()
