"""Measure the size of the program: packages, modules, types, words, and what a small run calls.

    python docs/house.py [--tree src/horsesense] [--json | --types]
    python docs/house.py --write

prints a table in Markdown for a source tree, which may be an old checkout. `--json` prints the
counts as JSON, and `--types` lists the classes of the four kinds of types. `--write` writes the
counts to `house_now.json`, which docs/explanation/architecture.md reads.

How each row is counted:

- packages: folders with modules right below the tree; layers: those of the import contract for
  the whole package in pyproject.toml.
- modules: all `.py` files, `__init__.py` included. A module has one importer if exactly one other
  module of the tree imports it or something from it, `__init__.py` and local imports included.
- records: classes that are dataclasses or named tuples, whatever methods they have.
- the four kinds of types: the classes listed in `KINDS`, as far as they exist. Which class stands
  for what is a matter of judgement, so if you add a type of these kinds, add it to the list. The
  same holds for `WRITTEN_OUT`, which lists functions that do the same job.
- words of the glossary: distinct words in bold in the first column of its tables.
- variable names: how often a name is bound: assignments, loops, comprehensions, with; arguments of
  functions don't count.
- local imports: imports of the program's own modules inside functions of `cli/`.
- functions of a small run: everything that Python 3.11 calls, so also comprehensions, generator
  expressions and lambdas, which have no name of their own.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

DOCS = Path(__file__).parent
TREE = DOCS.parent / "src" / "horsesense"
SMALL_RUN = "run --model first --data hs-adversarial --first 5"
VAGUE_NAMES = ("one", "found", "told")

# Classes by what they stand for. If several classes share a name, the right one is preceded by a
# folder of its path.
KINDS = {
    "dataset": """
        Dataset SchemaFile importers.Reading KnownDataset StoredDataset StoredPerturbation
        DataSource protocol.Found Rewritten PosedForm PosedDataset FrozenForm FoundForm asking.Posed
        Outgoing DatasetSubject FormSubject audit.Subject Exercises Material cli._Given logs.Task
        FileImport DatasetRef Variant PosedVariant schema.Posed store.Material LabelledProblems""",
    "problem": """
        schema.Problem schema.Row LooseProblem recovery.Found RawProblem PosedEntry exporters.Posed
        TableRow PosedProblem ProblemRow logs.Problem logs.Document Exercise ProblemView FormView
        NamedProblem LoggedProblem VariantView""",
    "answer": """
        Outcome Answer Sheet scoring.Score Scores Observed Scored AnswerRow SheetRow Packed
        PackedSheets TokenCosts protocol.ModelAnswers AskedAll measuring.Answers results.Answers
        metrics.Sample metrics.Paired Matched measuring.Laid Logged logs.Method LoggedMethod
        SampleWithLayout AnswerSet LazyAnswerSets ObservedProblem metrics.Outcomes""",
    "number": """
        Interval Counted Bootstrapped BootstrappedBest statistics.Drawn MetricDifference
        outcome.Share metrics.Value Measurement robustness.Estimate results.Estimate
        robustness.Difference Resampled audit.Figure cli.metric_compute._Row OptionShare
        OptionChosen page.parts.Span figures.specification.Found reports.tables.forms._Share
        reports.survival.Compared rows.Estimate OptionCount reports.page.Span
        sections.perturbations._Share conclusion.Compared _Resampled schema.share.Share ModelPoint
        PairPoint""",
}

# The type of each kind that most code uses.
FIRST = frozenset(
    (
        "schema.dataset.Dataset",
        "schema.problem.Problem",
        "scoring.outcome.AnswerSet",
        "results.rows.ProblemRow",
        "results.rows.AnswerRow",
        "results.rows.Estimate",
    )
)

# Jobs that should be done in one place, and the functions that do them.
WRITTEN_OUT = {
    "entry_to_problems": "asking.pose exporters.posed measures.grid_to_solve posing.pose",
    "comparison_engines": "statistics.compare measuring.between.compare robustness.robustness",
    "run_encodings": "to_tables to_document write_rows flat_tables page_data",
}

Counts: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Module:
    """A module of the tree: its name without the package, and its path."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """Return its source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Return all nodes of its syntax tree."""
        return list(ast.walk(ast.parse(self.text)))

    def classes(self) -> Iterator[ast.ClassDef]:
        """Yield its classes."""
        return (node for node in self.nodes if isinstance(node, ast.ClassDef))

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Yield its functions and methods."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return (node for node in self.nodes if isinstance(node, kinds))


def modules_of(tree: Path) -> list[Module]:
    """List all modules of a tree."""
    return [
        Module(".".join(path.relative_to(tree).with_suffix("").parts), path)
        for path in sorted(tree.rglob("*.py"))
    ]


def count(tree: Path = TREE) -> Counts:
    """Count everything that can be counted without running the program."""
    tree = tree.resolve()
    project = next(folder for folder in tree.parents if (folder / "pyproject.toml").exists())
    modules = modules_of(tree)
    tests = [path.read_text(encoding="utf-8") for path in (project / "tests").rglob("*.py")]
    names: defaultdict[str, set[str]] = defaultdict(set)
    for module in modules:
        for each in module.classes():
            names[each.name].add(module.name)
    bound = _bound_names(modules)
    docstrings = list(_docstrings(modules))
    return {
        "packages": len({path.parent for path in tree.glob("*/*.py")}),
        "layers": _layers(project / "pyproject.toml", tree.name),
        "modules": len(modules),
        "lines": sum(len(module.text.splitlines()) for module in modules),
        "test_lines": sum(len(text.splitlines()) for text in tests),
        "one_importer": sum(len(users) == 1 for users in importers(modules, tree.name).values()),
        "classes": sum(1 for module in modules for _ in module.classes()),
        "records": sum(map(_is_record, (each for module in modules for each in module.classes()))),
        "types": {kind: len(places) for kind, places in types_of(modules).items()},
        "glossary": _words(*(project / "docs").rglob("glossary.md")),
        "vague_names": {name: bound[name] for name in VAGUE_NAMES},
        "same_name": sum(len(places) > 1 for places in names.values()),
        "written_out": {
            job: len(_places(functions.split(), _function_names(modules)))
            for job, functions in WRITTEN_OUT.items()
        },
        "local_imports": sum(1 for _ in _local_imports(modules, tree.name)),
        "docstrings": len(docstrings),
        "what_docstrings": sum(bool(re.match(r"What\b", text)) for text in docstrings),
    }


def count_walk(tree: Path = TREE) -> Counts:
    """Count what a small run calls, in a separate process with a new store."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYTHONPATH": str(tree.resolve().parent)}
        environment["HORSESENSE_STORE"] = str(Path(folder) / "walk.db")
        command = [sys.executable, str(DOCS.resolve() / "walk.py"), *SMALL_RUN.split()]
        done = subprocess.run(
            [*command, "--output", "out"],
            cwd=folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"the small run failed:\n{done.stderr[-2000:]}")
    counts: Counts = json.loads(done.stderr.splitlines()[-1])
    return counts


def importers(modules: list[Module], package: str) -> dict[str, set[str]]:
    """Map each module to the modules that import it."""
    known = {_import_name(module, package): module.name for module in modules}
    users: dict[str, set[str]] = {module.name: set() for module in modules}
    for module in modules:
        for name in _imported(module, known):
            users[known[name]] |= {module.name} - {known[name]}
    return users


def types_of(modules: list[Module]) -> dict[str, list[str]]:
    """List the classes of `KINDS` that exist, by what they stand for."""
    names = [f"{module.name}.{each.name}" for module in modules for each in module.classes()]
    return {kind: _places(listed.split(), names) for kind, listed in KINDS.items()}


def table(columns: Mapping[str, Counts]) -> str:
    """The counts side by side, as a table in Markdown; the last column is what we aim at."""
    cells = {name: _cells(counts) for name, counts in columns.items()}
    lines = [["", *columns, "Aim"], ["---"] * (len(columns) + 2)]
    for row, aim in AIMS.items():
        lines.append([row, *(cells[name][row] for name in columns), aim])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def types_table() -> str:
    """Return a table of the types for the four central things, with the place and task of each."""
    modules = modules_of(TREE)
    tasks = {
        f"{module.name}.{each.name}": (ast.get_docstring(each) or "").partition("\n\n")[0]
        for module in modules
        for each in module.classes()
    }
    lines = ["| For a | Type | In | What it holds |", "|---|---|---|---|"]
    for kind, names in types_of(modules).items():
        for name in sorted(names, key=lambda name: (name not in FIRST, name)):
            module, _, own = name.rpartition(".")
            shown = f"**`{own}`**" if name in FIRST else f"`{own}`"
            task = " ".join(tasks[name].split())
            lines.append(f"| {kind} | {shown} | `{module}` | {task} |")
    return "\n".join(lines)


def before_and_now() -> str:
    """The table of docs/explanation/architecture.md."""
    before, now = (
        json.loads((DOCS / name).read_text(encoding="utf-8"))
        for name in ("house_before.json", "house_now.json")
    )
    return table({"Before": before, "Now": now})


AIMS = {
    "top-level packages, layers in the import contract": "14, 11",
    "modules": "about 300",
    "lines (of tests)": "",
    "modules with exactly one importer": "",
    "classes, of which plain records": "",
    "types for a dataset / a problem / an answer / a number with an interval": "4 / 4 / 4 / 4",
    "a small run: packages": "",
    "a small run: modules": "110",
    "a small run: functions, of which without a name": "800",
    "a small run: module-to-module arrows": "",
    "a small run: pairs of packages that call each other": "0",
    "words in the glossary": "80",
    "`one` / `found` / `told` as variable names": "",
    "class names used in several files": "",
    "entry → problems, written out separately": "1",
    "comparison engines": "1",
    "encodings of a finished run": "1",
    "function-local imports in `cli/`": "0",
    "docstrings, of which start with “What”": "",
}


def _cells(counts: Counts) -> dict[str, str]:
    walk = counts.get("walk")
    types, written, names = (
        counts[key].values() for key in ("types", "written_out", "vague_names")
    )
    met = _walk_cells(walk) if walk else ["–"] * 5
    cells = (
        f"{counts['packages']}, {counts['layers']}",
        f"{counts['modules']:,}",
        f"{round(counts['lines'], -2):,} ({round(counts['test_lines'], -2):,})",
        f"{counts['one_importer']:,}",
        f"{counts['classes']:,}, {counts['records']:,}",
        " / ".join(map(str, types)),
        *met,
        f"{counts['glossary']:,}",
        " / ".join(f"{number:,}" for number in names),
        f"{counts['same_name']:,}",
        *map(str, written),
        f"{counts['local_imports']:,}",
        f"{counts['docstrings']:,}, {counts['what_docstrings']:,}",
    )
    return dict(zip(AIMS, cells, strict=True))


def _walk_cells(walk: Counts) -> list[str]:
    return [
        f"{walk['packages']:,}",
        f"{walk['modules']:,}",
        f"{walk['functions']:,}, {walk['unnamed']:,}",
        f"{walk['arrows']:,}",
        f"{len(walk['both_ways']):,}",
    ]


def _layers(settings: Path, package: str) -> int:
    contracts = tomllib.loads(settings.read_text(encoding="utf-8"))["tool"]["importlinter"]
    whole = (each for each in contracts["contracts"] if each.get("containers") == [package])
    return len(next(whole)["layers"])


def _import_name(module: Module, package: str) -> str:
    return f"{package}.{module.name}".removesuffix(".__init__")


def _imported(module: Module, known: Mapping[str, str]) -> Iterator[str]:
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module in known:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def _is_record(each: ast.ClassDef) -> bool:
    is_dataclass = any("dataclass" in ast.unparse(decorator) for decorator in each.decorator_list)
    return is_dataclass or any(ast.unparse(base) == "NamedTuple" for base in each.bases)


def _places(listed: list[str], names: list[str]) -> list[str]:
    """Return the full names that match a listed last part, and any folders before it."""

    def matches(pattern: str, name: str) -> bool:
        *folders, last = pattern.split(".")
        *path, own = name.split(".")
        return own == last and set(folders) <= set(path)

    return [name for name in names if any(matches(pattern, name) for pattern in listed)]


def _function_names(modules: list[Module]) -> list[str]:
    return [f"{module.name}.{each.name}" for module in modules for each in module.functions()]


def _words(glossary: Path) -> int:
    lines = glossary.read_text(encoding="utf-8").splitlines()
    first = [line.split(" | ")[0] for line in lines if line.startswith("| **")]
    return len({word for cell in first for word in re.findall(r"\*\*([^*]+)\*\*", cell)})


def _bound_names(modules: list[Module]) -> Counter[str]:
    return Counter(
        node.id
        for module in modules
        for node in module.nodes
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )


def _local_imports(modules: list[Module], package: str) -> Iterator[tuple[str, int]]:
    for module in modules:
        if module.name.startswith("cli."):
            inner = (node for each in module.functions() for node in ast.walk(each))
            yield from {
                (module.name, node.lineno)
                for node in inner
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(package)
            }


def _docstrings(modules: list[Module]) -> Iterator[str]:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for module in modules:
        for node in module.nodes:
            if isinstance(node, kinds) and (text := ast.get_docstring(node)):
                yield text


def main() -> None:
    """Count, and print or write the counts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=TREE)
    parser.add_argument("--json", action="store_true", help="print the counts as JSON")
    parser.add_argument("--types", action="store_true", help="list the classes of the four kinds")
    parser.add_argument("--write", action="store_true", help="write the counts for the docs")
    options = parser.parse_args()
    if options.types:
        print(json.dumps(types_of(modules_of(options.tree)), indent=2))
        return
    counts = count(options.tree) | {"walk": count_walk(options.tree)}
    if options.write:
        text = json.dumps(counts, indent=2) + "\n"
        (DOCS / "house_now.json").write_text(text, encoding="utf-8")
    else:
        print(json.dumps(counts, indent=2) if options.json else table({"Now": counts}))


if __name__ == "__main__":
    main()
