"""Load the thesis' own datasets, as far as their files are in the folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.perturbations import TRANSFORMATIONS, Perturbed, perturb
from horsesense.schema import Entry, Header, Mode, Problem, Schema, problems, wrap
from horsesense.schema.notation import parse_wrapper

WRAPPER = parse_wrapper("It is |true, false| that …")  # thesis (3.74a)
_BY = {"answer": Mode.BY_ANSWER, "key": Mode.BY_KEY, "boolean": Mode.BY_BOOLEAN}
# Files, modes, and the steps applied to a file first. Some files of the thesis are rebuilt from
# others: wsc266_inverted (by key), wsc266_switched and wsc266_nonassociative_nocands (from the
# XML), reid250x2-v1-by-key and -by-boolean (wrapped).
_SETS = """
wsc266/wsc266.txt                     answer
wsc266/wsc266.txt                     key
wsc266/wsc266_adjectival.txt          answer
wsc266/wsc266_unbalanced.txt          answer
wsc266/wsc266_associative.txt         answer
wsc266/wsc266_associative_nocands.txt answer
wsc266/wsc266_nonassociative.txt      answer
wsc_xml/273/WSCollection.xml          answer   switched
wsc_xml/273/WSCollection.xml          answer   nonassociative no-candidate
reid250/reid250.txt                   answer
reid250/reid250-inverted.txt          key
reid250/reid250x2-v1-by-answer.txt    answer
reid250/reid250.txt                   key      wrapped
reid250/reid250.txt                   boolean  wrapped
"""


@dataclass(frozen=True, slots=True)
class NumberedProblem:
    """A problem, and the number of its schema in WSC266 or Reid250, the same in every file."""

    problem: Problem
    number: int


@dataclass(frozen=True, slots=True)
class Dataset:
    """A file in one mode."""

    name: str
    problems: tuple[NumberedProblem, ...]


def datasets(folder: Path) -> list[Dataset]:
    """Load all datasets whose files are in the folder."""
    lines = [line.split() for line in _SETS.strip().splitlines()]
    return [_dataset(folder, *line) for line in lines if (folder / line[0]).exists()]


def missing_files(folder: Path) -> list[str]:
    """List the files that are not in the folder."""
    files = dict.fromkeys(line.split()[0] for line in _SETS.strip().splitlines())
    return [file for file in files if not (folder / file).exists()]


def share(data: Iterable[Dataset], number: int, of: int) -> list[Problem]:
    """Return one of several shares of the problems.

    A share has all problems of its schemas from all datasets. A program that merges equal texts,
    or equal beginnings, therefore loses almost nothing when shares are scored one by one.
    """
    return [
        numbered.problem
        for dataset in data
        for numbered in dataset.problems
        if numbered.number % of == number
    ]


def requests_of(scored: Sequence[Problem], *, full: bool) -> list[tuple[str, str]]:
    """Return the requests for lm-evaluation-harness: pairs of a context and its continuation.

    Partial: the text after the last blank, given everything before it. Full: the whole sentence
    with an empty context, which the harness replaces by its prefix token.
    """
    requests = []
    for problem in scored:
        for sentence in problem.sentences:
            end = sentence.spans_of(problem.mode.axis)[-1].end
            requests.append(("", sentence.text) if full else _cut(sentence.text, end))
    return [request for request in requests if request[1]]


def _cut(text: str, end: int) -> tuple[str, str]:
    return text[:end], text[end:]


def _dataset(folder: Path, file: str, by: str, *steps: str) -> Dataset:
    path = folder / file
    recipe = "wsc266" if path.suffix == ".xml" else ""
    reading = open_import(SourceFile(file, path.read_bytes()), Header("measured"), recipe=recipe)
    entries: Iterable[Entry] = reading
    for step in steps:
        entries = _STEPS[step](entries)
    numbered = (
        NumberedProblem(problem, int(entry.id))
        for entry in entries
        for problem in problems(entry.grid, _BY[by])
    )
    return Dataset(" ".join([recipe or path.stem, "by", by, *steps]), tuple(numbered))


def _wrapped(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        assert isinstance(entry.grid, Schema)
        yield replace(entry, grid=wrap(entry.grid, WRAPPER))


def _without_associative(entries: Iterable[Entry]) -> Iterator[Entry]:
    return (entry for entry in entries if not entry.flag("associative"))


def _perturbed(name: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    transformation = TRANSFORMATIONS[name]
    for result in perturb(entries, transformation, transformation.settings()):
        if isinstance(result, Perturbed):
            yield result.entry


_STEPS: Mapping[str, Callable[[Iterable[Entry]], Iterable[Entry]]] = {
    "wrapped": _wrapped,
    "nonassociative": _without_associative,
    "switched": partial(_perturbed, "switched"),
    "no-candidate": partial(_perturbed, "no-candidate"),
}
