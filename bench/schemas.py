"""Measure how fast schemas are read, printed and stored, and how the time grows.

Each measurement runs in a separate process, to get its own peak memory. Seconds differ between
machines, but the time per schema should not grow with the number of schemas.
"""

from __future__ import annotations

import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from horsesense.schema import Entry
from horsesense.schema.notation import SchemaFile, print_entry
from horsesense.store import Source, Store, find_dataset, load_entries, save_entries

SIZES = (1_000, 10_000, 100_000)
REPEATS = 3


def write_schemas(path: Path, count: int) -> None:
    """Write a schema file of distinct entries of every kind."""
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            stream.write(f"{_notation(number)}\n    id: n{number}\n    tags: made, k{number % 7}\n")
            stream.write(f"    note: entry {number} of a file made for measuring\n\n")


def _notation(number: int) -> str:
    if number % 4 == 0:
        return (
            f"[The crate of lot {number}] did not fit on [the shelf] because "
            "<it = the crate, the shelf> was too {wide, narrow}."
        )
    if number % 4 == 1:
        return f"{{owls, voles}} <do, do not> hunt {{voles, owls}} in valley {number}"
    return f"a lorry of {number} tons <can, cannot> cross a {{strong, weak}} bridge"


def read(path: Path) -> list[Entry]:
    """Read every entry of a file."""
    with path.open("rb") as stream:
        return list(SchemaFile(stream, path.name, "measured"))


def measure_parse(path: Path) -> float:
    """Time reading a file entry by entry, without keeping any."""

    def job() -> None:
        with path.open("rb") as stream:
            for _ in SchemaFile(stream, path.name, "measured"):
                pass

    return _seconds(job)


def measure_print(path: Path) -> float:
    """Time printing the entries of a file that has been read before."""
    entries = read(path)
    return _seconds(lambda: [print_entry(entry) for entry in entries])


def measure_import(path: Path) -> float:
    """Time reading a file into a new store, as `dataset import` does."""
    with tempfile.TemporaryDirectory() as folder:
        return _seconds(lambda: _import(path, Path(folder) / "store.db"))


def measure_load(path: Path) -> float:
    """Time reading all entries back from a store."""
    with tempfile.TemporaryDirectory() as folder:
        _import(path, Path(folder) / "store.db")
        with Store.open(Path(folder) / "store.db") as store:
            dataset = find_dataset(store, "measured")
            return _seconds(lambda: sum(1 for _ in load_entries(store, dataset)))


def _import(path: Path, store_path: Path) -> None:
    with path.open("rb") as stream, Store.create_or_open(store_path) as store:
        file = SchemaFile(stream, path.name, "measured")
        save_entries(
            store,
            file.header,
            file,
            lambda: Source(path.name, file.reader.digest, file.reader.size, "bench", "1"),
        )


def _seconds(job: Callable[[], object]) -> float:
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


MEASUREMENTS = {
    "parse": measure_parse,
    "print": measure_print,
    "import": measure_import,
    "load": measure_load,
}


def run_alone(name: str, path: Path) -> tuple[float, float]:
    """Run a measurement in a separate process; return its seconds and peak megabytes."""
    command = [sys.executable, __file__, name, str(path)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, kilobytes = output.split()
    return float(seconds), float(kilobytes) / 1024


def main() -> None:
    """Measure everything at every size, and print a table."""
    print(f"{platform.machine()}, Python {platform.python_version()}, best of {REPEATS}\n")
    print(f"{'':8} {'schemas':>8} {'seconds':>8} {'per second':>11} {'µs each':>8} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name in MEASUREMENTS:
            for size in SIZES:
                path = Path(folder) / f"{size}.schemas"
                if not path.exists():
                    write_schemas(path, size)
                runs = [run_alone(name, path) for _ in range(REPEATS)]
                seconds, peak = min(runs)[0], max(run[1] for run in runs)
                print(
                    f"{name:8} {size:8,} {seconds:8.2f} {size / seconds:11,.0f} "
                    f"{seconds / size * 1e6:8.0f} {peak:8.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(
            MEASUREMENTS[sys.argv[1]](Path(sys.argv[2])),
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        )
    else:
        main()
