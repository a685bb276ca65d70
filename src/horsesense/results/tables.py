"""A profile as plain tables, and back: what the store keeps and what documents hold.

Every value is in one place and of one kind, so that nothing is lost either way. A table is a list
of rows. Rows refer to each other by their positions, which count from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias, get_type_hints

from horsesense.results.address import Address
from horsesense.results.measurement import Kind, Measurement
from horsesense.results.packed_sheets import (
    AnswerRow,
    PackedSheets,
    ProblemRow,
    Rows,
    SheetRow,
    TagsRow,
    pack_sheets,
)
from horsesense.results.posed import PosedProblem, TokenCosts
from horsesense.results.profile import OptionChosen, Profile
from horsesense.results.record import Record
from horsesense.results.subjects import DatasetSubject, FormSubject, Gap, ModelSubject

Tables: TypeAlias = Mapping[str, Rows]


class _AddressRow(NamedTuple):
    """An address that there may not be, beside another one."""

    against_model: str | None
    against_dataset: str | None
    against_form: str | None
    against_subset: str | None
    against_method: str | None


# The tables, and whose fields their columns are; an address takes five columns.
TABLES: Mapping[str, type] = {
    "run": Record,
    "run_model": ModelSubject,
    "run_dataset": DatasetSubject,
    "run_form": FormSubject,
    "posed_problem": ProblemRow,
    "tag_set": TagsRow,
    "sheet": SheetRow,
    "answer": AnswerRow,
    "measurement": Measurement,
    "option_chosen": OptionChosen,
    "token_cost": TokenCosts,
    "gap": Gap,
}
_NOWHERE = (None,) * len(fields(Address))
_NUMBERS = tuple(
    one.name for one in fields(Measurement) if one.name not in ("kind", "of", "against")
)
_address = attrgetter("model", "dataset", "form", "subset", "method")
_before, _after = attrgetter(*_NUMBERS[:2]), attrgetter(*_NUMBERS[2:])


@cache
def columns_of(table: str) -> dict[str, Any]:
    """The columns of a table, and what their values are.

    >>> columns_of("gap")
    {'where': <class 'str'>, 'reason': <class 'str'>, 'is_named': <class 'bool'>}
    """
    columns: dict[str, Any] = {}
    for name, hint in get_type_hints(TABLES[table]).items():
        if hint == Address:
            columns |= get_type_hints(Address)
        elif hint == Address | None:
            columns |= get_type_hints(_AddressRow)
        else:
            columns[name] = hint
    return columns


def to_tables(profile: Profile) -> dict[str, Rows]:
    """The rows of all tables."""
    packed = pack_sheets(profile.problems, profile.sheets)
    return {
        "run": _rows(Record, [profile.record]),
        "run_model": _rows(ModelSubject, profile.models),
        "run_dataset": _rows(DatasetSubject, profile.datasets),
        "run_form": _rows(FormSubject, profile.forms),
        "posed_problem": list(packed.problems),
        "tag_set": list(packed.tags),
        "sheet": list(packed.sheets),
        "answer": list(packed.answers),
        "measurement": [_measurement_row(one) for one in profile.measurements],
        "option_chosen": [
            (*_address(one.of), one.option, one.chosen, one.offered) for one in profile.options
        ],
        "token_cost": _rows(TokenCosts, profile.tokens),
        "gap": _rows(Gap, profile.gaps),
    }


def from_tables(tables: Tables, read_answers: Callable[[Rows], Rows] = list) -> Profile:
    """The profile whose rows they are.

    Answer sheets are made when somebody asks for them; `read_answers` reads the rows of one.
    """
    addresses = _Addresses()
    problems = [ProblemRow(*row) for row in tables["posed_problem"]]
    return Profile(
        record=_made(Record, tables["run"])[0],
        models=_made(ModelSubject, tables["run_model"]),
        datasets=_made(DatasetSubject, tables["run_dataset"]),
        forms=_made(FormSubject, tables["run_form"]),
        measurements=tuple(_measurement(row, addresses) for row in tables["measurement"]),
        options=tuple(
            OptionChosen(addresses[row[:5]], *row[5:]) for row in tables["option_chosen"]
        ),
        problems=tuple(
            PosedProblem(*one[:4], one.statement, one.options, one.right, one.sentences)
            for one in problems
            if one.statement is not None
        ),
        sheets=PackedSheets(
            problems,
            [frozenset(tags) for (tags,) in tables["tag_set"]],
            [SheetRow(*row) for row in tables["sheet"]],
            tables["answer"],
            read_answers,
        ),
        tokens=_made(TokenCosts, tables["token_cost"]),
        gaps=_made(Gap, tables["gap"]),
    )


class _Addresses(dict[tuple[Any, ...], Address]):
    """Each address once, however many rows name it."""

    def __missing__(self, row: tuple[Any, ...]) -> Address:
        self[row] = made = Address(*row)
        return made


def _rows(kind: type, instances: Sequence[Any]) -> Rows:
    values: Callable[[Any], tuple[Any, ...]] = attrgetter(*(one.name for one in fields(kind)))
    return [values(one) for one in instances]


def _made(kind: type, rows: Rows) -> tuple[Any, ...]:
    names = [one.name for one in fields(kind)]
    return tuple(kind(**dict(zip(names, row, strict=True))) for row in rows)


def _measurement_row(one: Measurement) -> tuple[Any, ...]:
    against = _NOWHERE if one.against is None else _address(one.against)
    return (one.kind, *_address(one.of), *_before(one), *against, *_after(one))


def _measurement(row: tuple[Any, ...], addresses: _Addresses) -> Measurement:
    of, against = row[1:6], row[8:13]
    return Measurement(
        kind=Kind(row[0]),
        of=addresses[of],
        against=None if against == _NOWHERE else addresses[against],
        **dict(zip(_NUMBERS, row[6:8] + row[13:], strict=True)),
    )
