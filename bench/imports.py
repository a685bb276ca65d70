"""How fast published files are imported, against reading their text with the standard library.

    python bench/imports.py FOLDER

Every file below the folder whose format is known is read three times in each way, the ways in
turn, and the best counts: by the standard library alone (lines, JSON, CSV, XML), into problems
(what a format's own module does), and into entries (schemas recovered and checked). What the
objects of one problem alone cost, with nothing looked at, is the floor under all of it. Then all
files go into one new store, in one go, in a process of its own whose peak of memory is told.
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
from horsesense.datasets.recovery import Group, Journal, RawProblem
from horsesense.errors import HorsesenseError
from horsesense.schema import Axis, AxisName, Entry, Header, LooseGrid, Row, Slot

REPEATS = 3


def read_plainly(path: Path) -> None:
    """Read a file's text as one would with the standard library, and make nothing of it."""
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
    """Read a file into problems; how many."""
    file = SourceFile(str(path), path.read_bytes())
    return sum(len(group.problems) for group in chosen.read(file, Journal(), ()))


def read_entries(path: Path, chosen: Format) -> int:
    """Read a file into entries; how many."""
    file = SourceFile(str(path), path.read_bytes())
    reading = open_import(file, Header("measured"), format_name=chosen.name, keep_going=True)
    return sum(1 for _ in reading)


def make_objects(count: int = 10_000) -> float:
    """The seconds that it takes to make nothing but the objects of a problem by itself."""
    frame, best = ("So ", Slot(AxisName.ANSWER, 0), " fled."), float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        for _ in range(count):
            found = RawProblem("q", 1, ("So ", " fled."), (("owls",), ("elks",)), 0)
            group = Group(found.name, [found])
            row = Row(frame, Axis(found.options), found.right)
            Entry(group.id, LooseGrid((row,)), extras=(("x-problems", found.name),))
        best = min(best, time.process_time() - start)
    return best / count


def measure(path: Path, chosen: Format) -> tuple[int, list[float]]:
    """The number of problems, and the seconds of each way, the best of several."""
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
    """The files below a folder that can be imported."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            try:
                found.append((path, guess_format(SourceFile(str(path), path.read_bytes()))))
            except HorsesenseError:
                continue
    return found


def import_all(store: str, paths: list[str]) -> None:
    """Import files one after another into one store, and tell time and memory."""
    command = [sys.executable, "-m", "horsesense", "--store", store, "dataset", "import"]
    start = time.monotonic()
    result = subprocess.run([*command, *paths, "--keep-going"], capture_output=True, text=True)
    seconds = time.monotonic() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy, memory = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    told = f"{seconds:.1f} s, {busy:.1f} s of the processor's, {memory:.0f} MB at its peak"
    print(f"exit {result.returncode}; {told}")


def main() -> None:
    """Measure every file below the folder that is named."""
    folder = Path(sys.argv[1])
    files = known_files(folder)
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    print(f"the objects of a problem alone: {make_objects() * 1e6:.1f}µs")
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
    with tempfile.TemporaryDirectory() as place:
        print(f"{len(files)} files into one store, in one go:", end=" ", flush=True)
        import_all(str(Path(place) / "measured.db"), [str(path) for path, _ in files])


if __name__ == "__main__":
    main()
