"""Measure how fast datasets are perturbed, and how the time grows with their size.

    python bench/perturbations.py FOLDER

FOLDER holds the WSC's XML and WinoGrande. Every transformation is applied to all of WSC266 and to
growing parts of WinoGrande. The time covers perturbing entries that are already in memory. Seconds
differ between machines, but the time per entry should not grow. Parsed sentences are cached: in the
first table, the first transformation that parses a sentence pays for it; the second table times all
transformations together.
"""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.perturbations import TRANSFORMATIONS, Perturbed, Transformation, perturb
from horsesense.perturbations.english.pipeline import parse
from horsesense.schema import Entry, Header

XML = "wsc_xml/273/WSCollection.xml"
WINOGRANDE = "winogrande/train_l.jsonl"
PARTS = (500, 1_000, 2_000, 4_000)


def read(path: Path, recipe: str = "") -> list[Entry]:
    """Read the entries of a published file."""
    file = SourceFile(str(path), path.read_bytes())
    return list(open_import(file, Header("bench"), recipe=recipe))


def measure(entries: Sequence[Entry], transformation: Transformation) -> tuple[float, int]:
    """Perturb entries; return the seconds of CPU time, and how many entries were perturbed."""
    settings = transformation.settings()
    start = time.process_time()
    done = sum(
        isinstance(result, Perturbed) for result in perturb(entries, transformation, settings)
    )
    return time.process_time() - start, done


def main() -> None:
    """Measure everything, and print each result when it is there."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1])
    print(f"{platform.machine()}, Python {platform.python_version()}; seconds of CPU time")
    parse("The owl saw a vole.")  # loading the parser takes seconds
    wsc266 = read(folder / XML, "wsc266")
    print(f"\nWSC266, {len(wsc266)} schemas: seconds, schemas perturbed")
    total = 0.0
    for name, transformation in TRANSFORMATIONS.items():
        seconds, done = measure(wsc266, transformation)
        total += seconds
        print(f"{name:20}{seconds:8.2f}{done:6}", flush=True)
    print(f"{'all':20}{total:8.2f}")
    winogrande = read(folder / WINOGRANDE)
    print("\nWinoGrande, milliseconds for each entry, all transformations")
    for size in PARTS:
        parse.cache_clear()
        part = winogrande[:size]
        seconds = sum(measure(part, each)[0] for each in TRANSFORMATIONS.values())
        print(
            f"{len(part):6} entries {seconds / len(part) * 1000:8.2f}  ({seconds:.1f} s)",
            flush=True,
        )


if __name__ == "__main__":
    main()
