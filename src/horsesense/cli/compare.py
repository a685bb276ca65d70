"""`horsesense compare`: how models differ on what they were all asked, and which schemas flip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import click

from horsesense.cli.compare_views import comparison_json, notes_of, show_comparison
from horsesense.cli.kept_runs import model_in, no_such_model, read_profile
from horsesense.cli.output import json_option, note, show_json, working
from horsesense.cli.runs import opened_runs
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.results import ModelSubject, Results
from horsesense.results.measuring.across_runs import Side, compare_sides, losses
from horsesense.store import LATEST, RunSummary, Store, list_runs, load_run

# Where a side is worse, and where not everything could be compared.
NOT_WELL = 1
_SHOWN_FLIPS = 10


@click.command("compare")
@click.argument("names", nargs=-1, required=True, metavar="A B…")
@click.option(
    "--method",
    metavar="METHOD",
    help="A scoring method for all, or MODEL=METHOD,… for each. [the standard ones]",
)
@click.option(
    "--flips",
    "shown_flips",
    type=click.IntRange(min=0),
    default=_SHOWN_FLIPS,
    show_default=True,
    help="How many flipped schemas of each dataset are listed.",
)
@click.option(
    "--fail-if-worse",
    "delta",
    is_flag=False,
    flag_value=0.0,
    type=click.FloatRange(0, 1),
    metavar="[DELTA]",
    help="Exit with 1 if a later one is worse than A, by more than DELTA, with adjusted p < .05.",
)
@json_option
@click.pass_obj
def compare_command(
    path: Path,
    names: tuple[str, ...],
    method: str | None,
    shown_flips: int,
    delta: float | None,
    as_json: bool,
) -> None:
    """Compare models with the first of them, on all that both were asked.

    A and B are models in kept runs (the latest that has them; of a baseline, the run of the model
    beside it), runs by their ids, RUN:MODEL, or files of results. Answers to the same problems are
    compared in pairs, with the same resamples for both sides; p is that of the sign flip, adjusted
    over the whole table. A schema flips if one side solves it and the other does not.

    The exit code is 1 where runs cannot be compared in full, and with --fail-if-worse where a
    later one is worse than A; less accuracy in a control is no loss.

    Example:

    \b
        horsesense compare smollm2-135m longer --fail-if-worse=.02
    """
    if len(names) < 2:
        raise click.UsageError("a comparison takes two models or runs; give another")
    if twice := [name for name, number in Counter(names).items() if number > 1]:
        raise click.UsageError(f"{', '.join(twice)}: given twice; RUN:MODEL tells runs apart")
    sides = with_methods(sides_named(path, names), names, method)
    with working("drawing resamples"):
        comparison = compare_sides(sides)
    found = () if delta is None else losses(comparison, delta)
    if as_json:
        show_json(comparison_json(comparison, None if delta is None else found))
    else:
        show_comparison(comparison, shown_flips)
        for told in notes_of(comparison, found):
            note(told)
    if not comparison.variants:
        raise HorsesenseError("nothing could be compared")
    if found or comparison.skipped:
        click.get_current_context().exit(NOT_WELL)


def sides_named(path: Path, names: Sequence[str]) -> list[Side]:
    """What the names stand for, each under a name that no other has."""
    with ExitStack() as opened:
        # Files need no store.
        is_needed = not all(map(_is_of_file, names))
        store = opened.enter_context(opened_runs(path)) if is_needed else None
        sources = _Sources(store)
        found = _beside([sources.meant(name) for name in names])
    models = Counter(one.model.name for one in found)
    return [
        Side(one.name if models[one.model.name] > 1 else one.model.name, one.profile, one.model)
        for one in found
    ]


def with_methods(sides: Sequence[Side], names: Sequence[str], given: str | None) -> list[Side]:
    """The sides by the method that was given for all of them, or for each by its name."""
    if given is None:
        return list(sides)
    if "=" not in given:
        return [replace(side, method=given) for side in sides]
    assigned = [_assigned(one) for one in given.split(",")]
    known = {*names, *(called for side in sides for called in (side.name, side.model.name))}
    for name, _ in assigned:
        if name not in known:
            raise UnknownNameError("model here", name, names)
    return [
        replace(side, method=_method_of(side, name, assigned))
        for name, side in zip(names, sides, strict=True)
    ]


def _method_of(side: Side, name: str, assigned: Sequence[tuple[str, str]]) -> str:
    """The method for what is called so on the command line, or as it is shown; else its model's."""
    for called in ((name, side.name), (side.model.name,)):
        methods = [method for one, method in assigned if one in called]
        if len(methods) > 1:
            raise click.UsageError(f"--method: {name} is given {' and '.join(methods)}; give one")
        if methods:
            return methods[0]
    return ""


def _assigned(text: str) -> tuple[str, str]:
    name, equals, method = text.strip().rpartition("=")
    if not (name and equals and method):
        raise click.UsageError(
            f"--method: {text!r} is no model with its method, as in smollm2-135m=partial"
        )
    return name, method


@dataclass(frozen=True, slots=True)
class _Meant:
    """What a name on the command line stands for; `name` is one that tells runs apart.

    `is_latest` is set where only a model was named, and so the latest run that has it is taken.
    """

    name: str
    profile: Results
    model: ModelSubject
    is_latest: bool = False


def _beside(found: Sequence[_Meant]) -> list[_Meant]:
    """The same, with baselines from the run of a model: every run has them, the latest as well."""
    runs = [one.profile for one in found if not one.model.is_baseline]
    return [_from(runs, one) if one.is_latest and one.model.is_baseline else one for one in found]


def _from(runs: Sequence[Results], meant: _Meant) -> _Meant:
    """The same model in the first of the runs that has it."""
    for run in runs:
        for model in run.models:
            if model.name == meant.model.name:
                return _Meant(f"{run.record.id}:{model.name}", run, model)
    return meant


class _Sources:
    """The runs of a store, and files of results; each is read once."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._runs: tuple[RunSummary, ...] = () if store is None else list_runs(store)
        self._read: dict[str, Results] = {}

    def meant(self, name: str) -> _Meant:
        """What is called that: a model, a run or file, or a model in one."""
        for one in reversed(self._runs):
            if name in one.models:
                return replace(self._in(one.record.id, name), is_latest=True)
        if self._is_source(name):
            return self._in(name, None)
        source, colon, model = name.partition(":")
        if colon and self._is_source(source):
            return self._in(source, model)
        if Path(name).is_dir():
            read_profile(name)  # says what can be read instead
        raise no_such_model(name, self._runs)

    def _is_source(self, name: str) -> bool:
        ids = [one.record.id for one in self._runs]
        is_run = bool(name) and any(id.startswith(name) or name == LATEST for id in ids)
        return is_run or Path(name).is_file()

    def _in(self, source: str, model: str | None) -> _Meant:
        """That model of a run or file, or the only one it has, baselines aside."""
        profile = self._read.get(source) or self._profile(source)
        self._read[source] = profile
        shown = source if Path(source).is_file() else profile.record.id
        if model is None:
            named = [one.name for one in profile.evaluated]
            if len(named) > 1:
                listed = ", ".join(f"{shown}:{one}" for one in named)
                raise click.UsageError(f"{source} has several models; say which: {listed}")
        found = model_in(profile, model)
        return _Meant(f"{shown}:{found.name}", profile, found)

    def _profile(self, source: str) -> Results:
        if self._store is None or Path(source).is_file():
            return read_profile(source)
        return load_run(self._store, source)


def _is_of_file(name: str) -> bool:
    return Path(name).is_file() or Path(name.partition(":")[0]).is_file()
