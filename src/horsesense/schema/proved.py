"""Schemas and rows made without their own checks, by those who have proved what these ask.

One look at a published text can prove of a whole grid what its checks would ask part by part;
to ask again would double the time of an import. A row that was read or written by hand is never
made like this. The tests make each grid again, with its checks, and it has to be equal.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from horsesense.schema.axis import Axis
from horsesense.schema.frame import Frame, Target
from horsesense.schema.loose import Row
from horsesense.schema.schema import Schema


def _setters(kind: type[Row | Schema]) -> list[Any]:
    """What sets the fields of an object whatever it says to that, in their order."""
    return [vars(kind)[field.name].__set__ for field in fields(kind)]


_frame, _answers, _right, _target, _verbatim = _setters(Row)


def proved_row(
    frame: Frame, answers: Axis, right: int | None, target: Target | None, *, verbatim: bool
) -> Row:
    """The row of these parts, which its own checks would let pass."""
    row: Row = object.__new__(Row)
    _frame(row, frame)
    _answers(row, answers)
    _right(row, right)
    _target(row, target)
    _verbatim(row, verbatim)
    return row


_set_frame, _set_keys, _set_answers, _set_truths, _set_target, _set_verbatim = _setters(Schema)


def proved_schema(
    frame: Frame, keys: Axis, answers: Axis, target: Target | None, *, verbatim: bool
) -> Schema:
    """The schema of these parts, which its own checks would let pass."""
    schema: Schema = object.__new__(Schema)
    _set_frame(schema, frame)
    _set_keys(schema, keys)
    _set_answers(schema, answers)
    _set_truths(schema, None)
    _set_target(schema, target)
    _set_verbatim(schema, verbatim)
    return schema
