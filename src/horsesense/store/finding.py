"""Find results: a run in the store, by its id or by a model in it, or a file of results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from horsesense.errors import FileError, HorsesenseError, StoreError, UnknownNameError
from horsesense.results import ModelSubject, Results
from horsesense.store.runs import LATEST, RunSummary, list_runs, load_run
from horsesense.store.store import Store

# How to make a file of results.
_MAKES = "'horsesense report --format json' makes a file of results"


@contextmanager
def open_runs(path: Path) -> Iterator[Store]:
    """Open the store that has the runs; if there is none, the error says how to make one."""
    if not path.exists():
        raise StoreError(f"there is no store at {path}; 'horsesense run' creates one")
    with Store.open(path) as store:
        yield store


def load_results(store: Store, *, model: str | None = None, run: str | None = None) -> Results:
    """Load the results of a run, or of the latest run, or of the latest that has a model.

    `run` is an id, or the beginning of one.
    """
    if run is not None or model is None:
        return load_run(store, run or LATEST)
    runs = list_runs(store)
    for summary in reversed(runs):
        if model in summary.models:
            return load_run(store, summary.record.id)
    raise unknown_model(model, runs)


def find_model(results: Results, name: str | None) -> ModelSubject:
    """Find the model of that name in results; without a name, the first one evaluated."""
    if not results.models:
        raise HorsesenseError(f"the run {results.record.id} has no models; evaluate one with it")
    if name is None:
        return results.evaluated[0]
    for model in results.models:
        if model.name == name:
            return model
    known = [model.name for model in results.models]
    raise UnknownNameError(f"model in the run {results.record.id}", name, known)


def read_results(source: str) -> Results:
    """Read a file of results, as `horsesense report --format json` writes it."""
    # Here, as importers and the format of the file take a while to be imported.
    from horsesense.datasets.opening import read_bytes
    from horsesense.results.document import read_document

    if Path(source).is_dir():
        raise FileError(f"{source} is a folder; {_MAKES}")
    data = read_bytes(source)
    if not data.strip():
        raise FileError(f"{source} is empty; {_MAKES}")
    try:
        return read_document(data)
    except FileError as error:
        raise FileError(f"{source}: {error}; {_MAKES}") from error


def unknown_model(name: str, runs: tuple[RunSummary, ...]) -> UnknownNameError:
    """Make the error for a model that no run has: the nearest names, or how to evaluate it."""
    known = list(dict.fromkeys(model for one in runs for model in one.models))
    if get_close_matches(name, known, n=1):
        return UnknownNameError("model in any run", name, known)
    listed = f"the runs have {', '.join(known)}" if known else "there is no run yet"
    remedy = f"{listed}; 'horsesense run --model {name}' evaluates it"
    return UnknownNameError("model in any run", name, known, remedy=remedy)
