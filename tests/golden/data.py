"""What becomes of data: imports with their journal, exports, and perturbations.

Of content and of journals a hash is kept, with counts that say where to look. The words of an issue
are no part of it: its code, its kind and its place are.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from tests.golden import reading
from tests.golden.tables import Table

SAMPLES = Path(__file__).with_name("samples")
PUBLISHED = Path(__file__).parents[2].parent / "shared" / "data"
BUILT_IN = ("hs-winograd", "hs-adversarial")
SMALL = "lagoon"
EXPORTS = ("notation", "csv", "jsonl", "thesis-text", "winogrande", "hf", "lm-eval")
MODES = ("by-answer", "by-key")
CONTENT = ("n_entries", "kinds", "content", "n_issues", "issues", "journal")
# A published file that is read with others, or edited by a recipe.
TOGETHER: dict[str, tuple[str, ...]] = {
    "wsc_xml/273/WSCollection.xml": ("--recipe", "wsc266"),
    "wsc_xml/285/WSCollection.xml": (
        *("--recipe", "wsc266"),
        *("--with", "wsc_switched_associative_labels/WSC_associative_label.json"),
        *("--with", "wsc_switched_associative_labels/WSC_switched_label.json"),
    ),
    "winogrande/dev.jsonl": ("--with", "winogrande/dev-labels.lst"),
}


def content_rows(store: Path, names: Iterable[str]) -> Table:
    """Content and journal of datasets in a store."""
    table = Table(("dataset",), CONTENT)
    for name in names:
        table.add((name,), content(store, name))
    return table


def content(store: Path, name: str) -> dict[str, object]:
    """Counts and hashes of the entries of a dataset, and of its journal."""
    entries = reading.printed(store, "dataset", "show", name)["content"]
    issues = reading.printed(store, "dataset", "issues", name, "--all", "--limit", "1000000")
    exported = reading.command(store, "dataset", "export", name, "--format", "notation")
    return {
        "n_entries": len(entries),
        "kinds": _counts(entry["kind"] for entry in entries),
        "content": reading.sha256(exported.splitlines()),
        "n_issues": len(issues),
        "issues": _counts(f"{issue['name']}/{issue['kind']}" for issue in issues),
        "journal": reading.sha256(sorted(map(_place, issues))),
    }


def _place(issue: dict[str, Any]) -> str:
    columns = ("name", "kind", "entry", "problem", "line")
    return " ".join(str(issue[column]) for column in columns)


def _counts(names: Iterable[str]) -> str:
    counted = sorted(Counter(names).items())
    return ", ".join(f"{name}: {count}" for name, count in counted)


def import_tables(folder: Path) -> dict[str, Table]:
    """Content and journal of a small file of our own in every format."""
    table = Table(("file", "format"), CONTENT)
    for path in sorted(SAMPLES.iterdir()):
        _import(table, folder, path, path.name)
    return {"imports.tsv": table}


def published_tables(folder: Path) -> dict[str, Table]:
    """Content and journal of every published file that is at hand."""
    table = Table(("file", "format"), CONTENT)
    for path in sorted(PUBLISHED.rglob("*")):
        if path.is_file() and path.name != "MANIFEST.md":
            _import(table, folder, path, str(path.relative_to(PUBLISHED)))
    for name, options in TOGETHER.items():
        # After an option comes its value; files are named from the folder of all.
        given = [str(PUBLISHED / text) if "/" in text else text for text in options]
        _import(table, folder, PUBLISHED / name, f"{name} {' '.join(options)}", *given)
    return {"published.tsv": table}


def _import(table: Table, folder: Path, path: Path, name: str, *options: str) -> None:
    store = folder / "imports.db"
    store.unlink(missing_ok=True)
    given = ("dataset", "import", str(path), "--name", "golden", *options)
    # A schema file is taken whole or not at all.
    given += () if path.suffix == ".schemas" else ("--keep-going",)
    said = reading.command(store, *given, "--json", exit_codes=tuple(range(8)))
    imported = reading.parsed(said)
    if imported:
        table.add((name, imported[0]["format"]), content(store, "golden"))
    else:
        table.add((name, "refused"), {})


def export_tables(folder: Path) -> dict[str, Table]:
    """A hash of every exported file of the built-in datasets; a small one line by line."""
    store = folder / "store.db"
    reading.command(store, "dataset", "import", *BUILT_IN, str(SAMPLES / "notation.schemas"))
    hashes = Table(("dataset", "format", "mode", "file"), ("bytes", "sha256"))
    lines = Table(("format", "mode", "file", "line"), ("text",))
    for dataset, form, mode in product((*BUILT_IN, SMALL), EXPORTS, ("", *MODES)):
        target = folder / f"{dataset}-{form}-{mode}"
        options = ("--mode", mode) if mode else ()
        given = ("dataset", "export", dataset, "--format", form, "--output", str(target))
        reading.command(store, *given, *options, exit_codes=tuple(range(8)))
        for path in _files(target):
            name = str(path.relative_to(target)) if target.is_dir() else ""
            if path.suffix == ".parquet":
                hashes.add((dataset, form, mode, name), _parquet(path))
            elif dataset == SMALL:
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    lines.add((form, mode, name, number), {"text": line})
            else:
                written = path.read_bytes()
                digest = hashlib.sha256(written).hexdigest()
                cells = {"bytes": len(written), "sha256": digest}
                hashes.add((dataset, form, mode, name), cells)
    return {"exports.tsv": hashes, "export-lines.tsv": lines}


def _files(target: Path) -> list[Path]:
    found = sorted(target.rglob("*")) if target.is_dir() else [target]
    # A README is prose.
    return [path for path in found if path.is_file() and path.name != "README.md"]


def _parquet(path: Path) -> dict[str, object]:
    # The bytes of Parquet name the library that wrote them.
    rows = import_module("pyarrow.parquet").read_table(path).to_pylist()
    return {"bytes": len(rows), "sha256": reading.sha256(map(str, rows))}


def perturbation_tables(folder: Path) -> dict[str, Table]:
    """Content of every perturbation of the built-in datasets, with proposals."""
    store = folder / "store.db"
    reading.command(store, "dataset", "import", *BUILT_IN)
    counts = ("accepted", "edited", "proposed", "rejected", "left_out")
    table = Table(("dataset", "transformation"), (*counts, "mode", "reasons", *CONTENT))
    for dataset in BUILT_IN:
        for applied in reading.printed(store, "perturb", "apply", "all", dataset, "--unreviewed"):
            perturbation = applied["perturbation"] or {}
            cells: dict[str, object] = {name: perturbation.get(name) for name in counts}
            cells |= {"mode": perturbation.get("mode"), "reasons": len(applied["reasons"])}
            if perturbation.get("dataset"):
                cells |= content(store, perturbation["dataset"])
            table.add((dataset, applied["transformation"]), cells)
    return {"perturbations.tsv": table}
