"""The kept run that a command is about: the one named, or the latest that has the model."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from horsesense.datasets.opening import read_bytes
from horsesense.errors import FileError, HorsesenseError, UnknownNameError
from horsesense.results import ModelSubject, Results
from horsesense.results.document import read_document
from horsesense.store import LATEST, RunSummary, Store, list_runs, load_run

# How to come by a file of results.
_MAKES = "'horsesense report --format json' makes a file of results"


def run_with(store: Store, model: str | None, run: str | None) -> Results:
    """The profile of that run; without one, of the latest that has the model, if one is named."""
    if run is not None or model is None:
        return load_run(store, run or LATEST)
    runs = list_runs(store)
    for one in reversed(runs):
        if model in one.models:
            return load_run(store, one.record.id)
    raise no_such_model(model, runs)


def model_in(profile: Results, name: str | None) -> ModelSubject:
    """The model of that name in a run; without a name, the first that it is about."""
    if not profile.models:
        raise HorsesenseError(f"the run {profile.record.id} has no models; evaluate one with it")
    if name is None:
        return profile.evaluated[0]
    for one in profile.models:
        if one.name == name:
            return one
    known = [one.name for one in profile.models]
    raise UnknownNameError(f"model in the run {profile.record.id}", name, known)


def read_profile(source: str) -> Results:
    """The profile in a file of results, as `horsesense report --format json` writes it."""
    if Path(source).is_dir():
        raise FileError(f"{source} is a folder; {_MAKES}")
    data = read_bytes(source)
    if not data.strip():
        raise FileError(f"{source} is empty; {_MAKES}")
    try:
        return read_document(data)
    except FileError as error:
        raise FileError(f"{source}: {error}; {_MAKES}") from error


def no_such_model(name: str, runs: tuple[RunSummary, ...]) -> UnknownNameError:
    """What was meant, or what there is instead and how to make what there is not."""
    known = list(dict.fromkeys(model for one in runs for model in one.models))
    if get_close_matches(name, known, n=1):
        return UnknownNameError("model in any run", name, known)
    listed = f"the runs have {', '.join(known)}" if known else "there is no run yet"
    remedy = f"{listed}; 'horsesense run --model {name}' evaluates it"
    return UnknownNameError("model in any run", name, known, remedy=remedy)
