"""Blind reading: make sheets of problems without their answers, and record the readers' answers.

    python readings/sheets.py make DATASET ROUND FOLDER
    python readings/sheets.py take DATASET ROUND FOLDER

`make` writes four sheets for the schemas of a built-in dataset that have not been read in their
current wording. A sheet shows sentences with their two options in random order, and nothing else:
no name, no tag, no note. No reader sees two problems of a schema, so neither gives the other away.
In a file that ends in `.answers`, the reader writes a line for each problem: its number, A or B,
«sure» or «hesitant», and optionally a remark. `take` adds the answers to the records in this
folder.

DATASET is the name of a built-in dataset. With `.wordings` appended, it stands for the
perturbations made from hand-written material (switched, adjectival, in another tense, …); one
problem of each perturbed schema is read.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from random import Random

from horsesense.datasets.builtin import open_built_in
from horsesense.perturbations import Perturbed, Voucher, find_transformation, perturb
from horsesense.schema import BLANK, VERSIONS, Entry, Mode, Problem, Schema, problems
from horsesense.schema.notation import SchemaFile, grid_id

HERE = Path(__file__).parent
READERS = 4
WORDINGS = ".wordings"
TRANSFORMATIONS = (
    "switched",
    "adjectival",
    "unbalanced",
    "tense",
    "number",
    "gender",
    "voice",
    "relative-clause",
    "adverb",
    "synonym",
)
LETTERS = "AB"
CERTAINTIES = ("sure", "hesitant")


@dataclass(frozen=True, slots=True)
class Line:
    """A problem on a sheet, with its options in the order in which they are shown."""

    entry: Entry
    number: int
    problem: Problem
    order: list[int]

    @property
    def text(self) -> str:
        """Return the text that the reader sees."""
        text = self.problem.statement.text
        grid = self.entry.grid
        if self.problem.mode is Mode.BY_ANSWER and isinstance(grid, Schema) and grid.target:
            text = text.replace(BLANK, f"*{grid.target.written}*")
        options = (" … ".join(self.problem.options[index]) for index in self.order)
        lettered = (f"({letter}) {option}" for letter, option in zip(LETTERS, options, strict=True))
        return f"{text}  {'   '.join(lettered)}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A reader's answer to a problem of an entry, whose wording `content` identifies."""

    round: int
    reader: str
    entry: str
    content: str
    mode: str
    problem: int
    answer: str  # right or wrong
    certainty: str  # sure or hesitant
    remark: str = ""

    @property
    def is_sound(self) -> bool:
        """Return whether the answer was right and given without hesitation."""
        return self.answer == "right" and self.certainty == "sure"


def entries_of(dataset: str) -> list[Entry]:
    """Return the entries of a built-in dataset, or its wordings, in the order of their ids."""
    name = dataset.removesuffix(WORDINGS)
    with open_built_in(name) as stream:
        entries = sorted(SchemaFile(stream, name, name), key=lambda entry: entry.id)
    return list(_wordings(entries)) if dataset.endswith(WORDINGS) else entries


def _wordings(entries: list[Entry]) -> Iterator[Entry]:
    """Apply the transformations to the entries and their hand-written material."""
    for name in TRANSFORMATIONS:
        transformation = find_transformation(name)
        # Without the author's version, a parser would propose one, which nobody vouches for.
        applicable = [
            entry for entry in entries if name not in VERSIONS or name in dict(entry.versions)
        ]
        for done in perturb(applicable, transformation, transformation.settings()):
            if isinstance(done, Perturbed) and done.voucher is not Voucher.NOBODY:
                yield replace(done.entry, id=f"{done.entry.id}.{name}")


def posed(entry: Entry, dataset: str) -> dict[int, Problem]:
    """Return the problems to read, by number: by answer, and by key where that makes sense."""
    by_answer = problems(entry.grid, Mode.BY_ANSWER)
    if dataset.endswith(WORDINGS):
        drawn = int(grid_id(entry.grid), 16) % len(by_answer)
        return {drawn: by_answer[drawn]}
    by_key = () if entry.flag("invertible") is False else problems(entry.grid, Mode.BY_KEY)
    return dict(enumerate((*by_answer, *by_key)))


def record(dataset: str) -> list[Reading]:
    """Load all readings of a dataset so far."""
    file = HERE / f"{dataset}.tsv"
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        return [_read_row(row) for row in csv.DictReader(stream, dialect="excel-tab")]


def _read_row(row: dict[str, str]) -> Reading:
    round_number, problem = int(row.pop("round")), int(row.pop("problem"))
    return Reading(round=round_number, problem=problem, **row)


def read_soundly(entries: Iterable[Entry], dataset: str, readings: Iterable[Reading]) -> set[str]:
    """Return the entries whose problems were all read in this wording, each time soundly."""
    by_content: dict[str, list[Reading]] = {}
    for reading in readings:
        by_content.setdefault(reading.content, []).append(reading)
    sound = set()
    for entry in entries:
        own = by_content.get(grid_id(entry.grid), [])
        are_all_read = {reading.problem for reading in own} == set(posed(entry, dataset))
        if are_all_read and all(reading.is_sound for reading in own):
            sound.add(entry.id)
    return sound


def sheets(entries: Iterable[Entry], dataset: str, round_number: int) -> list[list[Line]]:
    """Deal out the problems, those of a schema to different readers."""
    rng = Random(round_number)
    dealt: list[list[Line]] = [[] for _ in range(READERS)]
    for entry in entries:
        to_read = posed(entry, dataset)
        readers = rng.sample(range(READERS), len(to_read))
        for reader, (number, problem) in zip(readers, to_read.items(), strict=True):
            dealt[reader].append(Line(entry, number, problem, rng.sample((0, 1), 2)))
    for sheet in dealt:
        rng.shuffle(sheet)
    return dealt


def make(dataset: str, round_number: int, folder: Path) -> None:
    """Write the sheets."""
    for name, sheet in _sheets(dataset, round_number):
        lines = (f"{number:4} {line.text}\n" for number, line in enumerate(sheet, 1))
        (folder / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
        print(f"{folder / name}.txt: {len(sheet)} problems")


def take(dataset: str, round_number: int, folder: Path) -> None:
    """Add the readers' answers to the record, and list those that were not sound."""
    if any(reading.round == round_number for reading in record(dataset)):
        raise SystemExit(f"round {round_number} of {dataset} is already recorded")
    taken = []
    for name, sheet in _sheets(dataset, round_number):
        answers = _answers(folder / f"{name}.answers", len(sheet))
        taken += [
            _reading(round_number, name, line, answer)
            for line, answer in zip(sheet, answers, strict=True)
        ]
    _keep(dataset, [*record(dataset), *taken])
    for reading in taken:
        if not reading.is_sound:
            answer = f"{reading.answer}, {reading.certainty} {reading.remark}"
            print(f"{reading.entry} {reading.mode}: {answer}")
    print(f"{len(taken)} read, {sum(reading.is_sound for reading in taken)} right and sure")


def _answers(file: Path, count: int) -> list[tuple[str, ...]]:
    """Read the answers to the problems of a sheet, in their order."""
    lines = [line.split(maxsplit=3) for line in file.read_text(encoding="utf-8").splitlines()]
    answers = {int(number): tuple(rest) for number, *rest in filter(None, lines)}
    if missing := set(range(1, count + 1)) - set(answers):
        raise SystemExit(f"{file}: no answer to {sorted(missing)}")
    return [answers[number] for number in range(1, count + 1)]


def _sheets(dataset: str, round_number: int) -> list[tuple[str, list[Line]]]:
    before = [reading for reading in record(dataset) if reading.round < round_number]
    entries = entries_of(dataset)
    done = read_soundly(entries, dataset, before)
    due = [entry for entry in entries if entry.id not in done]
    dealt = sheets(due, dataset, round_number)
    return [(f"{dataset}-{round_number}-{reader}", sheet) for reader, sheet in enumerate(dealt, 1)]


def _reading(round_number: int, name: str, line: Line, answer: tuple[str, ...]) -> Reading:
    letter, certainty, *remark = answer
    if letter not in tuple(LETTERS) or certainty not in CERTAINTIES:
        raise SystemExit(
            f"{name}: {letter} {certainty} is not an answer; write for example: A sure"
        )
    chosen = line.order[LETTERS.index(letter)]
    return Reading(
        round_number,
        f"reader {name.rpartition('-')[2]}",
        line.entry.id,
        grid_id(line.entry.grid),
        line.problem.mode.value,
        line.number,
        "right" if chosen == line.problem.right else "wrong",
        certainty,
        " ".join(remark),
    )


def _keep(dataset: str, readings: list[Reading]) -> None:
    with (HERE / f"{dataset}.tsv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(
            stream,
            [field.name for field in fields(Reading)],
            dialect="excel-tab",
            lineterminator="\n",
        )
        writer.writeheader()
        writer.writerows(map(asdict, readings))


if __name__ == "__main__":
    command, dataset, round_number, folder = sys.argv[1:]
    {"make": make, "take": take}[command](dataset, int(round_number), Path(folder))
