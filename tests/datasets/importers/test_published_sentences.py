"""What a model reads is what the file says: every sentence of every published file."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from horsesense.datasets.importers import FORMATS, FileImport, SourceFile, guess_format
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.recovery import Journal, RawEntry, RawProblem
from horsesense.schema import Header, Mode, Problem, Schema, find_unprintable, modes, problems
from horsesense.schema.material import PROBLEMS
from horsesense.schema.notation import parse_grid, print_grid
from tests.datasets.importers.imported import DATA

# Longer files are read by the tests of their formats.
LONGEST = 400_000


def holds_problems(path: Path) -> bool:
    if not path.is_file() or path.stat().st_size > LONGEST:
        return False
    file = SourceFile(path.name, path.read_bytes())
    return any(form.looks_like(file) for form in FORMATS.values())


FILES = sorted(filter(holds_problems, DATA.rglob("*"))) if DATA.exists() else []


def shown(text: str) -> str:
    """The text with its white space as cleaning leaves it."""
    visible = "".join(" " if char in "\t\n\r" else char for char in text)
    visible = "".join(char for char in visible if not find_unprintable(char))
    return " ".join(word for word in visible.split(" ") if word)


def told(found: RawProblem) -> tuple[set[str], str | None]:
    """The sentences of a problem, and the right one."""
    options = tuple(tuple(phrase.strip() for phrase in option) for option in found.options)
    found = found._replace(options=options)
    sentences = [shown(found.sentence(option)) for option in range(len(options))]
    return set(sentences), None if found.right is None else sentences[found.right]


def posed(one: Problem) -> tuple[set[str], str | None]:
    sentences = [sentence.text for sentence in one.sentences]
    return set(sentences), None if one.right is None else sentences[one.right]


def recording(form: Format, modes_of: dict[str, Mode], found: dict[str, RawProblem]) -> Format:
    """The format, that writes down what it has read before anything is recovered of it."""

    def read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
        groups = list(form.read(file, journal, companions))
        for group in groups:
            modes_of[group.id] = group.mode
            found.update({one.name: one for one in group.problems})
        return groups

    return replace(form, read=read)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(DATA)))
def test_every_published_sentence_is_posed_to_the_letter(path: Path) -> None:
    file = SourceFile(path.name, path.read_bytes())
    form = guess_format(file)
    modes_of: dict[str, Mode] = {}
    found: dict[str, RawProblem] = {}
    reading = FileImport(file, recording(form, modes_of, found), Header("x"), Journal())
    for entry in reading:
        mode = modes_of[entry.id] if modes_of[entry.id] in modes(entry.grid) else Mode.BY_ANSWER
        names = dict(entry.extras)[PROBLEMS].split(", ")
        for name, one in zip(names, problems(entry.grid, mode), strict=True):
            assert posed(one) == told(found.pop(name))
        assert parse_grid(print_grid(entry.grid)) == entry.grid
        if isinstance(entry.grid, Schema):
            assert all(phrase for value in entry.grid.keys.values for phrase in value)
    assert found == {}
