"""Write the golden files anew: `python -m tests.golden.rewrite [KIND…]`.

Only for a decided change of numbers, after a look at what differs: golden files are there so that
no number changes unnoticed. The files in `old/` are what an earlier version wrote and stay as they
are. Kinds that need what is not here (a model, published data) must be left out by naming others.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.golden import runs
from tests.golden.data import (
    export_tables,
    import_tables,
    perturbation_tables,
    published_tables,
)
from tests.golden.logs import log_tables
from tests.golden.old import old_tables
from tests.golden.tables import Table, write_table

# Where it names a store, answers that it holds are not asked again.
WHOLE_STORE = "HORSESENSE_GOLDEN_STORE"


def model_tables(folder: Path) -> dict[str, Table]:
    """Run the embedded default on a few schemas."""
    return runs.model_tables(runs.make_run(folder, *runs.LIMITED))


def baseline_tables(folder: Path) -> dict[str, Table]:
    """Run baselines on whole datasets."""
    return runs.baseline_tables(runs.make_run(folder, *runs.BASELINES))


def whole_tables(folder: Path) -> dict[str, Table]:
    """Run the embedded default on whole datasets."""
    store = Path(os.environ.get(WHOLE_STORE) or folder / "store.db")
    run = runs.make_run(folder, "--model", runs.MODEL, "--fresh", store=store)
    return runs.whole_tables(run)


KINDS: dict[str, Callable[[Path], dict[str, Table]]] = {
    "logs": log_tables,
    "imports": import_tables,
    "exports": export_tables,
    "perturbations": perturbation_tables,
    "published": published_tables,
    "old": old_tables,
    "baselines": baseline_tables,
    "model": model_tables,
    "whole": whole_tables,
}


def main(*kinds: str) -> None:
    """Write the files of these kinds, or of all."""
    for kind in kinds or KINDS:
        with TemporaryDirectory() as folder:
            for name, table in KINDS[kind](Path(folder)).items():
                write_table(name, table)


if __name__ == "__main__":
    main(*sys.argv[1:])
