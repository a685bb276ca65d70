"""Which problems of a run are meant by a name such as `hs-winograd/ID.1@switched`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.results import ORIGINAL, ProblemRow


@dataclass(frozen=True, slots=True)
class _Name:
    """A name taken apart; the dataset is empty where none is named."""

    dataset: str
    problem: str
    form: str


def problem_name(one: ProblemRow) -> str:
    """What a problem is called on the command line; the original needs no form."""
    form = "" if one.variant == ORIGINAL else f"@{one.variant}"
    return f"{one.dataset}/{one.entry}.{one.number}{form}"


def problems_named(problems: Iterable[ProblemRow], text: str) -> tuple[ProblemRow, ...]:
    """The problem of that name, or those of the schema of that name; ID/1 is read as ID.1."""
    listed = tuple(problems)
    name = _taken_apart(listed, text)
    there = [
        one for one in listed if one.variant == name.form and name.dataset in ("", one.dataset)
    ]
    found = [one for one in there if one.entry == name.problem] or [
        one
        for one in there
        if name.problem in (f"{one.entry}.{one.number}", f"{one.entry}/{one.number}")
    ]
    if not found and (form := _unknown_form(listed, text)):
        raise UnknownNameError("form in the run", form, {one.variant for one in listed})
    if not found:
        raise UnknownNameError(_kind(name), name.problem, _known(there, name.problem))
    datasets = list(dict.fromkeys(one.dataset for one in found))
    if len(datasets) > 1:
        which = " or ".join(f"{one}/{text}" for one in datasets)
        raise HorsesenseError(f"{text!r} is in several datasets; give {which}")
    return tuple(found)


def _taken_apart(problems: Iterable[ProblemRow], text: str) -> _Name:
    """An id may have slashes and at signs of its own; only datasets and forms are cut off."""
    datasets = {one.dataset for one in problems}
    forms = {one.variant for one in problems}
    before, at, form = text.rpartition("@")
    rest, form = (before, form) if at and form in forms else (text, ORIGINAL)
    for dataset in sorted(datasets, key=len, reverse=True):
        if rest.startswith(f"{dataset}/"):
            return _Name(dataset, rest.removeprefix(f"{dataset}/"), form)
    return _Name("", rest, form)


def _unknown_form(problems: Iterable[ProblemRow], text: str) -> str:
    """What stands where a form would, and is none."""
    form = text.rpartition("@")[2] if "@" in text else ""
    return "" if form in {one.variant for one in problems} else form


def _kind(name: _Name) -> str:
    where = f" of {name.dataset}" if name.dataset else " in the run"
    return f"problem{where}" if name.form == ORIGINAL else f"problem{where} in form {name.form}"


def _known(problems: Iterable[ProblemRow], name: str) -> list[str]:
    """What there is to be named in the same way: schemas, or problems with their numbers."""
    is_numbered = name.rpartition(".")[2].isdecimal()
    return list(
        dict.fromkeys(f"{one.entry}.{one.number}" if is_numbered else one.entry for one in problems)
    )
