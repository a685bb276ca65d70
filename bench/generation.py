"""Measure how fast schemas are generated and audited, and how the time grows with their number.

    python bench/generation.py

Seconds differ between machines, but the time per schema should stay about the same at all sizes.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

from horsesense.audit import audit
from horsesense.generation import RULES, Recipe, generate, header
from horsesense.schema import Dataset, Entry, Header
from horsesense.schema.notation import print_file

Result = TypeVar("Result")

RECIPE = Recipe(0, date(2026, 3, 1))
SIZES = (1_000, 10_000, 40_000)
# The checks that compare every entry with all others, or with a file.
CHECKS = ("duplicates", "near-duplicates", "overlap")


def main() -> None:
    """Measure, and print a table."""
    print("| | Schemas | Seconds | Each |\n|---|---|---|---|")
    for size in SIZES:
        entries = timed("generate", size, partial(generate_entries, size))
        with tempfile.NamedTemporaryFile("w", suffix=".schemas") as file:
            file.writelines(print_file(header(RECIPE), entries))
            file.flush()
            audited = Dataset(Header("made"), entries)
            for check in CHECKS:
                job = partial(audit, audited, only=[check], against=[Path(file.name)])
                timed(f"audit: {check}", size, job)


def generate_entries(count: int) -> list[Entry]:
    """Generate this many schemas."""
    return list(islice(generate(RECIPE, RULES), count))


def timed(name: str, size: int, job: Callable[[], Result]) -> Result:
    """Run a job, print a line with the time it took, and return its result."""
    started = time.perf_counter()
    result = job()
    seconds = time.perf_counter() - started
    print(f"| {name} | {size:,} | {seconds:.2f} | {seconds / size * 1e6:.0f} µs |")
    sys.stdout.flush()
    return result


if __name__ == "__main__":
    main()
