"""Find the sides of a comparison by name: models, runs, and files of results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path

from horsesense.errors import (
    ArgumentError,
    UnknownNameError,
)
from horsesense.results import ModelSubject, Results
from horsesense.results.measuring.across_runs import Side
from horsesense.store.connection import Store
from horsesense.store.runs import (
    LATEST,
    RunSummary,
    find_model,
    list_runs,
    load_run,
    open_runs,
    read_results,
    unknown_model,
)


def find_sides(
    store: str | PathLike[str], names: Sequence[str], method: str | None = None
) -> list[Side]:
    """Find the sides of a comparison, each with a unique name.

    A name is a model in a stored run (the latest that has it; for a baseline, the run of the other
    model), the id of a run, RUN:MODEL, or a file of results. The store need not exist if all names
    are files. `method` is one scoring method for all, or MODEL=METHOD,… for each; by default, each
    side uses its standard method.

        from horsesense.results.measuring.across_runs import compare_sides
        from horsesense.store import find_sides

        comparison = compare_sides(find_sides("horsesense.db", ["smollm2-135m", "longer"]))
    """
    if len(names) < 2:
        raise ArgumentError("a comparison needs two models or runs; give another one")
    if repeated := [name for name, number in Counter(names).items() if number > 1]:
        raise ArgumentError(
            f"{', '.join(repeated)}: given twice; use RUN:MODEL to distinguish runs"
        )
    with ExitStack() as stack:
        is_store_needed = not all(map(_is_in_file, names))
        opened = stack.enter_context(open_runs(Path(store))) if is_store_needed else None
        sources = _Sources(opened)
        matches = _match_baselines([sources.find(name) for name in names])
    models = Counter(match.model.name for match in matches)
    sides = [
        Side(
            match.name if models[match.model.name] > 1 else match.model.name,
            match.results,
            match.model,
        )
        for match in matches
    ]
    return _with_methods(sides, names, method)


def _with_methods(sides: Sequence[Side], names: Sequence[str], method: str | None) -> list[Side]:
    """Set the scoring method of all sides, or of each by its name."""
    if method is None:
        return list(sides)
    if "=" not in method:
        return [replace(side, method=method) for side in sides]
    assigned = [_assignment(part) for part in method.split(",")]
    known = {*names, *(name for side in sides for name in (side.name, side.model.name))}
    for name, _ in assigned:
        if name not in known:
            raise UnknownNameError("model here", name, names)
    return [
        replace(side, method=_method_of(side, name, assigned))
        for name, side in zip(names, sides, strict=True)
    ]


def _method_of(side: Side, name: str, assigned: Sequence[tuple[str, str]]) -> str:
    """Return the method assigned to a name of the side, or else to its model."""
    for side_names in ((name, side.name), (side.model.name,)):
        methods = [method for assigned_name, method in assigned if assigned_name in side_names]
        if len(methods) > 1:
            raise ArgumentError(f"--method: {name} is given {' and '.join(methods)}; give one")
        if methods:
            return methods[0]
    return ""


def _assignment(text: str) -> tuple[str, str]:
    name, equals, method = text.strip().rpartition("=")
    if not (name and equals and method):
        raise ArgumentError(
            f"--method: {text!r} is not of the form MODEL=METHOD, as in smollm2-135m=partial"
        )
    return name, method


@dataclass(frozen=True, slots=True)
class _Match:
    """The model that a name stands for, with a name that distinguishes runs.

    `is_latest` is set if only a model was named, and the latest run that has it was used.
    """

    name: str
    results: Results
    model: ModelSubject
    is_latest: bool = False


def _match_baselines(matches: Sequence[_Match]) -> list[_Match]:
    """Take baselines from the run of a compared model, as every run has them."""
    runs = [match.results for match in matches if not match.model.is_baseline]
    return [
        _in_first(runs, match) if match.is_latest and match.model.is_baseline else match
        for match in matches
    ]


def _in_first(runs: Sequence[Results], match: _Match) -> _Match:
    """Find the same model in the first of the runs that has it."""
    for run in runs:
        for model in run.models:
            if model.name == match.model.name:
                return _Match(f"{run.record.id}:{model.name}", run, model)
    return match


class _Sources:
    """The runs of a store, and files of results; each is read once."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._runs: tuple[RunSummary, ...] = () if store is None else list_runs(store)
        self._read: dict[str, Results] = {}

    def find(self, name: str) -> _Match:
        """Find a model, a run, a file, or a model in one of them by name."""
        for run in reversed(self._runs):
            if name in run.models:
                return replace(self._in(run.record.id, name), is_latest=True)
        if self._is_source(name):
            return self._in(name, None)
        source, colon, model = name.partition(":")
        if colon and self._is_source(source):
            return self._in(source, model)
        if Path(name).is_dir():
            read_results(name)  # raises an error that says what to give instead
        raise unknown_model(name, self._runs)

    def _is_source(self, name: str) -> bool:
        ids = [run.record.id for run in self._runs]
        is_run = bool(name) and any(id.startswith(name) or name == LATEST for id in ids)
        return is_run or Path(name).is_file()

    def _in(self, source: str, model: str | None) -> _Match:
        """Find that model in a run or file, or the only one it has, apart from baselines."""
        results = self._read.get(source) or self._results(source)
        self._read[source] = results
        label = source if Path(source).is_file() else results.record.id
        if model is None:
            names = [evaluated.name for evaluated in results.evaluated]
            if len(names) > 1:
                listed = ", ".join(f"{label}:{name}" for name in names)
                raise ArgumentError(f"{source} has several models; say which: {listed}")
        subject = find_model(results, model)
        return _Match(f"{label}:{subject.name}", results, subject)

    def _results(self, source: str) -> Results:
        if self._store is None or Path(source).is_file():
            return read_results(source)
        return load_run(self._store, source)


def _is_in_file(name: str) -> bool:
    return Path(name).is_file() or Path(name.partition(":")[0]).is_file()
