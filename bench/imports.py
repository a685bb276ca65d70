"""Compare importing published files with reading their text with the standard library.

    python bench/imports.py FOLDER

Every file below the folder with a known format is read in three ways: by the standard library
alone (lines, JSON, CSV, XML), into problems (the job of a format's own module), and into entries
(schemas recovered and checked). The ways take turns, three times, and the best time of each counts.
The time to create the objects of one problem, without reading anything, is the lower bound for an
import. Finally, all files are imported into one new store by a single command, run in a separate
process to measure its peak memory.
"""

from __future__ import annotations

import csv
import json
import platform
import resource
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from collections.abc import Callable
from pathlib import Path

from horsesense.datasets.importers import Format, SourceFile, guess_format, open_import
from horsesense.datasets.recovery import Journal, RawEntry, RawProblem
from horsesense.errors import HorsesenseError
from horsesense.schema import Axis, AxisName, Entry, Header, LooseGrid, LooseProblem, Slot

REPEATS = 3


def read_plainly(path: Path) -> None:
    """Parse a file with the standard library, and discard the result."""
    if path.suffix == ".xml":
        xml.etree.ElementTree.parse(path)
    elif path.suffix == ".json":
        text, position = path.read_text(encoding="utf-8"), 0
        while position < len(text):  # some files hold one value after another
            _, position = json.JSONDecoder().raw_decode(text, position)
            position += len(text) - position - len(text[position:].lstrip())
    elif path.suffix == ".jsonl":
        with path.open(encoding="utf-8") as stream:
            for line in stream:
                json.loads(line)
    elif path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as stream:
            for _ in csv.reader(stream):
                pass
    else:
        with path.open(encoding="utf-8") as stream:
            for line in stream:
                line.rstrip("\n").split("\t")


def read_problems(path: Path, chosen: Format) -> int:
    """Read a file into problems, and return their number."""
    file = SourceFile(str(path), path.read_bytes())
    return sum(len(group.problems) for group in chosen.read(file, Journal(), ()))


def read_entries(path: Path, chosen: Format) -> int:
    """Read a file into entries, and return their number."""
    file = SourceFile(str(path), path.read_bytes())
    reading = open_import(file, Header("measured"), format_name=chosen.name, keep_going=True)
    return sum(1 for _ in reading)


def make_objects(count: int = 10_000) -> float:
    """Return the seconds it takes to create the objects of one problem."""
    frame, best = ("So ", Slot(AxisName.ANSWER, 0), " fled."), float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        for _ in range(count):
            problem = RawProblem("q", 1, ("So ", " fled."), (("owls",), ("elks",)), 0)
            group = RawEntry(problem.name, [problem])
            row = LooseProblem(frame, Axis(problem.options), problem.right)
            Entry(group.id, LooseGrid((row,)), extras=(("x-problems", problem.name),))
        best = min(best, time.process_time() - start)
    return best / count


def measure(path: Path, chosen: Format) -> tuple[int, list[float]]:
    """Return the number of problems, and the best time of each way of reading, in seconds."""
    ways: list[Callable[[], object]] = [
        lambda: read_plainly(path),
        lambda: read_problems(path, chosen),
        lambda: read_entries(path, chosen),
    ]
    best = [float("inf")] * len(ways)
    for _ in range(REPEATS):
        for number, way in enumerate(ways):
            start = time.process_time()
            way()
            best[number] = min(best[number], time.process_time() - start)
    return read_problems(path, chosen), best


def known_files(folder: Path) -> list[tuple[Path, Format]]:
    """List the files below a folder that can be imported, with their formats."""
    files = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            try:
                files.append((path, guess_format(SourceFile(str(path), path.read_bytes()))))
            except HorsesenseError:
                continue
    return files


def import_all(store: str, paths: list[str]) -> None:
    """Import files into one store with one command, and print its time and peak memory."""
    command = [sys.executable, "-m", "horsesense", "--store", store, "dataset", "import"]
    start = time.monotonic()
    result = subprocess.run([*command, *paths, "--keep-going"], capture_output=True, text=True)
    seconds = time.monotonic() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(
        f"exit {result.returncode}; {seconds:.1f} s, {busy:.1f} s of CPU time,"
        f" {memory:.0f} MB at peak"
    )


def main() -> None:
    """Measure every file below the folder given on the command line."""
    folder = Path(sys.argv[1])
    files = known_files(folder)
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    print(f"creating the objects of a problem: {make_objects() * 1e6:.1f}µs")
    columns = ("format", "problems", "stdlib", "problems", "entries", "ratio", "ratio", "file")
    print("{:22} {:>8} {:>8} {:>9} {:>8} {:>6} {:>6}  {}".format(*columns))
    total, whole = 0, 0.0
    for path, chosen in files:
        count, (plain, problems, entries) = measure(path, chosen)
        each = [seconds / max(count, 1) * 1e6 for seconds in (plain, problems, entries)]
        print(
            f"{chosen.name:22} {count:8} {each[0]:6.1f}µs {each[1]:7.1f}µs {each[2]:6.0f}µs"
            f" {problems / plain:6.1f} {entries / plain:6.1f}  {path.relative_to(folder)}"
        )
        total, whole = total + count, whole + entries
    print(f"{total} problems into entries: {whole:.1f} s, {total / whole:,.0f} a second")
    with tempfile.TemporaryDirectory() as scratch:
        print(f"{len(files)} files into one store, by one command:", end=" ", flush=True)
        import_all(str(Path(scratch) / "measured.db"), [str(path) for path, _ in files])


if __name__ == "__main__":
    main()
