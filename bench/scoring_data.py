"""What is scored: the thesis' own datasets, as far as their files are at hand."""

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
# Files, modes of solution, and what is made of a file before. Of some files of the thesis there is
# what they can be made of: wsc266_inverted (by key), wsc266_switched and
# wsc266_nonassociative_nocands (from the XML), reid250x2-v1-by-key and -by-boolean (wrapped).
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
class Posed:
    """A problem, and the number of its schema in WSC266 or Reid250, whatever its file."""

    problem: Problem
    number: int


@dataclass(frozen=True, slots=True)
class Dataset:
    """A file in one mode of solution."""

    name: str
    posed: tuple[Posed, ...]


def datasets(folder: Path) -> list[Dataset]:
    """All of them whose files are at hand."""
    lines = [line.split() for line in _SETS.strip().splitlines()]
    return [_dataset(folder, *line) for line in lines if (folder / line[0]).exists()]


def absent(folder: Path) -> list[str]:
    """The files that are not at hand."""
    files = dict.fromkeys(line.split()[0] for line in _SETS.strip().splitlines())
    return [file for file in files if not (folder / file).exists()]


def share(found: Iterable[Dataset], number: int, of: int) -> list[Problem]:
    """One of so many shares of the problems.

    All that the datasets hold of one schema is in the same share, so that a program that merges
    what is equal, or begins alike, loses next to nothing when shares are scored one by one.
    """
    return [
        posed.problem for dataset in found for posed in dataset.posed if posed.number % of == number
    ]


def requests_of(asked: Sequence[Problem], *, full: bool) -> list[tuple[str, str]]:
    """What lm-evaluation-harness is to be asked: contexts, and what follows them.

    Partial: what follows the last blank, given all before it. Full: the whole sentence without
    a context, in whose place the harness puts its prefix token.
    """
    found = []
    for problem in asked:
        for sentence in problem.sentences:
            end = sentence.spans_of(problem.mode.axis)[-1].end
            found.append(("", sentence.text) if full else _cut(sentence.text, end))
    return [request for request in found if request[1]]


def _cut(text: str, end: int) -> tuple[str, str]:
    return text[:end], text[end:]


def _dataset(folder: Path, file: str, by: str, *made: str) -> Dataset:
    path = folder / file
    recipe = "wsc266" if path.suffix == ".xml" else ""
    found = open_import(SourceFile(file, path.read_bytes()), Header("measured"), recipe=recipe)
    entries: Iterable[Entry] = found
    for step in made:
        entries = _STEPS[step](entries)
    posed = (
        Posed(problem, int(entry.id))
        for entry in entries
        for problem in problems(entry.grid, _BY[by])
    )
    return Dataset(" ".join([recipe or path.stem, "by", by, *made]), tuple(posed))


def _wrapped(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        assert isinstance(entry.grid, Schema)
        yield replace(entry, grid=wrap(entry.grid, WRAPPER))


def _without_associative(entries: Iterable[Entry]) -> Iterator[Entry]:
    return (entry for entry in entries if not entry.flag("associative"))


def _perturbed(name: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    transformation = TRANSFORMATIONS[name]
    for one in perturb(entries, transformation, transformation.settings()):
        if isinstance(one, Perturbed):
            yield one.entry


_STEPS: Mapping[str, Callable[[Iterable[Entry]], Iterable[Entry]]] = {
    "wrapped": _wrapped,
    "nonassociative": _without_associative,
    "switched": partial(_perturbed, "switched"),
    "no-candidate": partial(_perturbed, "no-candidate"),
}
