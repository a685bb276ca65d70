"""Successor only: a control that leaves nothing of a problem but its answers (Trichelair et al.).

It is meant for problems like SWAG's, which ask how a text goes on.
"""

from __future__ import annotations

import re
from dataclasses import replace

from horsesense.perturbations.catalogue.cutting import with_capital
from horsesense.perturbations.transformation import (
    Level,
    NotApplicable,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
)
from horsesense.schema import Axis, Entry, Frame, Kind, LooseGrid, Row, Slot

# What may follow the blank, and goes with every answer then.
_END = re.compile(r"[.?!…\"'”’)\]]+")


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    grid = entry.grid
    if not isinstance(grid, LooseGrid) or grid.kind is not Kind.SINGLE:
        raise NotApplicable(f"a {grid.kind} is not a problem by itself")
    [row] = grid.rows
    if row.target is not None:
        raise NotApplicable("its answers stand for a pronoun and say nothing by themselves")
    *before, slot = row.frame
    end = ""
    if isinstance(slot, str) and _END.fullmatch(slot) and before:
        end, slot = slot, before[-1]
    if not isinstance(slot, Slot) or row.answers.placeholders > 1:
        raise NotApplicable("the blank is not the end of the text")
    alone = LooseGrid((_alone(row, slot, end),))
    return Rewriting(with_capital(alone), "the context removed", Voucher.RULE)


def _alone(row: Row, slot: Slot, end: str) -> Row:
    frame: Frame = (slot,)
    answers = Axis(tuple((phrase + end,) for (phrase,) in row.answers.values))
    return replace(row, frame=frame, answers=answers)


SUCCESSOR_ONLY = Transformation(
    name="successor-only",
    version=1,
    title="the answers alone, without the context",
    source="Trichelair et al. 2019, section 4",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES, Touch.FRAME}),
    precondition="a problem without a twin whose blank is the end of the text",
    not_for="schemas and pairs, answers that stand for a pronoun",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the ending that somebody wrote without what it is the end of; if "
    "it does, the endings differ by how they are worded",
    example="Rosa puts the loaf on the board. She <takes the bread knife.*, is eaten by a table., "
    "pours it into the sink., sings the butter.>\n",
    rewrite=_rewrite,
)
