"""Answer sheets in rows: what many answers share is there once, and a sheet is made when needed.

A profile has some hundreds of sheets with some hundred thousand answers, and who reads a profile
back wants a few of them. So the rows are read, which is quick, and of a sheet answers are made
when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, TypeAlias

from horsesense.results.address import Address
from horsesense.results.posed import PosedProblem
from horsesense.scoring.outcome import Answer, Outcome, Sheet

Rows: TypeAlias = Sequence[tuple[Any, ...]]


class ProblemRow(NamedTuple):
    """A problem that was posed; `statement` is None where only answers to it are known."""

    dataset: str
    form: str
    entry: str
    number: int
    options: tuple[str, ...]
    right: int | None = None
    statement: str | None = None
    sentences: tuple[str, ...] = ()


class TagsRow(NamedTuple):
    """Tags that hold of a problem together."""

    tags: tuple[str, ...]


class SheetRow(NamedTuple):
    """An answer sheet without its answers, and how many these are."""

    model: str
    dataset: str
    form: str
    subset: str
    method: str
    name: str
    answers: int
    schemas: tuple[tuple[int, int], ...]
    remarks: tuple[str, ...]
    marks: tuple[str, ...]


class AnswerRow(NamedTuple):
    """An answer: positions of its sheet, problem and tags, and the outcome."""

    sheet: int
    problem: int
    tags: int
    chosen: int | None
    right: int | None
    margin: float
    has_choice: bool
    costs: tuple[float, ...]


class Packed(NamedTuple):
    """The rows of all sheets, and of the problems that were posed."""

    problems: Sequence[ProblemRow]
    tags: Sequence[TagsRow]
    sheets: Sequence[SheetRow]
    answers: Sequence[AnswerRow]


class PackedSheets(Mapping[Address, Sheet]):
    """Answer sheets by their addresses, equal to a dictionary of them."""

    def __init__(
        self,
        problems: Sequence[ProblemRow],
        tags: Sequence[frozenset[str]],
        sheets: Sequence[SheetRow],
        answers: Rows,
        read_answers: Callable[[Rows], Rows] = list,
    ) -> None:
        ends = list(accumulate(one.answers for one in sheets))
        total = ends[-1] if ends else 0
        if len(answers) != total:
            raise ValueError(f"there are {len(answers)} answers, and {total} on the sheets")
        self._problems, self._tags, self._read = problems, tags, read_answers
        self._rows = {
            Address(*one[:5]): (one, answers[end - one.answers : end])
            for one, end in zip(sheets, ends, strict=True)
        }
        self._made: dict[Address, Sheet] = {}

    def __getitem__(self, address: Address) -> Sheet:
        if address not in self._made:
            self._made[address] = self._sheet(*self._rows[address])
        return self._made[address]

    def __iter__(self) -> Iterator[Address]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, address: object) -> bool:
        return address in self._rows

    def _sheet(self, row: SheetRow, answers: Rows) -> Sheet:
        made = []
        for _, at, tags, chosen, right, margin, has_choice, costs in self._read(answers):
            problem = self._problems[at]
            outcome = Outcome(costs, chosen, right, margin, has_choice)
            made.append(
                Answer(problem.entry, problem.number, outcome, problem.options, self._tags[tags])
            )
        return Sheet(row.name, tuple(made), row.schemas, row.remarks, frozenset(row.marks))


def pack_sheets(problems: Iterable[PosedProblem], sheets: Mapping[Address, Sheet]) -> Packed:
    """The rows of all sheets; problems that are only on these come after those that were posed."""
    posed = [
        ProblemRow(
            *(one.dataset, one.form, one.entry, one.number, one.options),
            one.right,
            one.statement,
            one.sentences,
        )
        for one in problems
    ]
    places: dict[tuple[Any, ...], int] = {}
    for at, row in enumerate(posed):
        places.setdefault(row[:5], at)
    tags: dict[frozenset[str], int] = {}
    answers: list[AnswerRow] = []
    for number, (address, sheet) in enumerate(sheets.items()):
        for one in sheet.answers:
            key = (address.dataset, address.form, one.entry, one.number, one.options)
            if key not in places:
                places[key] = len(posed)
                posed.append(ProblemRow(*key))
            answers.append(
                _row(number, places[key], tags.setdefault(one.tags, len(tags)), one.outcome)
            )
    listed = [_sheet_row(address, sheet) for address, sheet in sheets.items()]
    return Packed(posed, [TagsRow(tuple(sorted(one))) for one in tags], listed, answers)


def _row(sheet: int, problem: int, tags: int, one: Outcome) -> AnswerRow:
    return AnswerRow(
        sheet, problem, tags, one.chosen, one.right, one.margin, one.has_choice, one.costs
    )


def _sheet_row(address: Address, sheet: Sheet) -> SheetRow:
    return SheetRow(
        *(address.model, address.dataset, address.form, address.subset, address.method),
        sheet.name,
        len(sheet.answers),
        sheet.schemas,
        sheet.remarks,
        tuple(sorted(sheet.marks)),
    )
