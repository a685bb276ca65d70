"""Edits of a grid's text, made on parsable sentences, and word-by-word differences.

A schema is a frame with gaps, which nobody can parse. So it is rendered: the placeholders get a
phrase, a Winograd schema's answer placeholder its pronoun. What was found out about the rendered
text is written as edits of it, and the edits are carried back to the parts of the grid that the
text came from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Literal, NamedTuple, TypeAlias

from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Frame,
    Grid,
    LooseGrid,
    LooseProblem,
    Part,
    Schema,
    Slot,
    Target,
    join_parts,
)

Piece: TypeAlias = Literal["text", "candidate", "key", "answer", "target", "truth"]
# What stands for a pronoun that nobody has recorded: a noun phrase parses as well as any.
_UNKNOWN = "it"


class Segment(NamedTuple):
    """A stretch of a rendering, `start` up to `end`, and the part of the frame it came from."""

    start: int
    end: int
    piece: Piece
    part: int


class Edit(NamedTuple):
    """A replacement for a stretch of text; an empty stretch is an insertion.

    An insertion between two segments goes to the text, or if none is text to the first.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """One sentence of a grid, to be parsed: its text, and where each part of the frame stands.

    `row` is the row of a loose grid (0 in a schema), `key` the value of the key axis.
    """

    text: str
    segments: tuple[Segment, ...]
    row: int
    key: int

    def segment_at(self, start: int, end: int) -> Segment | None:
        """The segment that holds all of a stretch, if one does; the text's, if it is empty."""
        holding = [
            segment for segment in self.segments if segment.start <= start and end <= segment.end
        ]
        if start == end:
            holding.sort(key=lambda segment: segment.piece != "text")
        return holding[0] if holding else None

    def pieces(self, piece: Piece) -> tuple[Segment, ...]:
        """The segments of one kind, in the order of the sentence."""
        return tuple(segment for segment in self.segments if segment.piece == piece)


def renderings(grid: Grid) -> tuple[Rendering, ...]:
    """One sentence for each key value of a schema, or for each row of a loose grid.

    Where there is a target it stands in its place; elsewhere the sensible answer does.
    """
    if isinstance(grid, Schema):
        return tuple(_rendering(grid.frame, grid, 0, key) for key in (0, 1))
    return tuple(_rendering(row.frame, row, number, 0) for number, row in enumerate(grid.rows))


def _rendering(frame: Frame, owner: Schema | LooseProblem, row: int, key: int) -> Rendering:
    text, segments = "", []
    for number, part in enumerate(frame):
        phrase, piece = _phrase(part, owner, key)
        segments.append(Segment(len(text), len(text) + len(phrase), piece, number))
        text += phrase
    return Rendering(text, tuple(segments), row, key)


def _phrase(part: Part, owner: Schema | LooseProblem, key: int) -> tuple[str, Piece]:
    if isinstance(part, str):
        return part, "text"
    if isinstance(part, Candidate):
        return part.text, "candidate"
    if part.axis is AxisName.ANSWER:
        target = owner.target
        if target is not None:
            return (target.pronoun if target.is_known else _UNKNOWN), "target"
        right = key if isinstance(owner, Schema) else owner.right or 0
        return owner.answers.phrase(right, part), "answer"
    assert isinstance(owner, Schema)
    if part.axis is AxisName.KEY:
        return owner.keys.phrase(key, part), "key"
    assert owner.truths is not None
    return owner.truths.phrase(0, part), "truth"


def rewritten(
    grid: Grid,
    edits: Sequence[Sequence[Edit]],
    *,
    answers: Sequence[Axis] | None = None,
) -> Grid:
    """The grid after the edits, given for each of its renderings in turn.

    `answers` are the new answers, one axis for a schema, one for each row of a loose grid; where
    they are not given, the answers stay. The renderings of a schema share their frame, so edits of
    the frame must agree; edits of a key phrase belong to that phrase alone. An edit of the target
    changes the pronoun.
    """
    rendered = renderings(grid)
    if isinstance(grid, LooseGrid):
        rows = [
            _edited_row(row, rendering, changes, answers[number] if answers else row.answers)
            for number, (row, rendering, changes) in enumerate(
                zip(grid.rows, rendered, edits, strict=True)
            )
        ]
        return LooseGrid(tuple(rows))
    changed = [
        _changes(rendering, changes) for rendering, changes in zip(rendered, edits, strict=True)
    ]
    keys = {n for n, part in enumerate(grid.frame) if _is_key(part)}
    first, second = ({n: t for n, t in texts.items() if n not in keys} for texts in changed)
    if first != second:
        raise NotApplicable("the two problems would differ in more than their key phrases")
    frame, target = _edited_frame(grid.frame, first, grid.target)
    return replace(
        grid,
        frame=frame,
        target=target,
        keys=_edited_keys(grid, changed),
        answers=answers[0] if answers else grid.answers,
    )


def _is_key(part: Part) -> bool:
    return isinstance(part, Slot) and part.axis is AxisName.KEY


def _edited_keys(grid: Schema, changed: Sequence[dict[int, str]]) -> Axis:
    places = [number for number, part in enumerate(grid.frame) if _is_key(part)]
    return Axis(
        tuple(
            tuple(
                changed[key].get(place, phrase)
                for place, phrase in zip(places, grid.keys.values[key], strict=True)
            )
            for key in (0, 1)
        )
    )


def _edited_row(
    row: LooseProblem, rendering: Rendering, edits: Sequence[Edit], answers: Axis
) -> LooseProblem:
    frame, target = _edited_frame(row.frame, _changes(rendering, edits), row.target)
    return replace(row, frame=frame, target=target, answers=answers)


def _changes(rendering: Rendering, edits: Sequence[Edit]) -> dict[int, str]:
    """The parts of the frame that change, by number, with their new text."""
    by_part: dict[int, list[Edit]] = {}
    segments: dict[int, Segment] = {}
    for edit in edits:
        segment = rendering.segment_at(edit.start, edit.end)
        if segment is None:
            stretch = rendering.text[edit.start : edit.end]
            raise NotApplicable(f"{stretch!r} stands partly in a candidate or a placeholder")
        if segment.piece in ("answer", "truth"):
            raise NotApplicable(f"{rendering.text[edit.start : edit.end]!r} is an {segment.piece}")
        by_part.setdefault(segment.part, []).append(edit)
        segments[segment.part] = segment
    return {part: _applied(rendering, segments[part], changes) for part, changes in by_part.items()}


def _applied(rendering: Rendering, segment: Segment, edits: Sequence[Edit]) -> str:
    text, position = "", segment.start
    for edit in sorted(edits, key=lambda change: (change.start, change.end)):
        if edit.start < position:
            raise NotApplicable(f"{edit.text!r} would overlap another change")
        text += rendering.text[position : edit.start] + edit.text
        position = edit.end
    return text + rendering.text[position : segment.end]


def _edited_frame(
    frame: Frame, changes: dict[int, str], target: Target | None
) -> tuple[Frame, Target | None]:
    parts: list[Part] = []
    for number, part in enumerate(frame):
        text = changes.get(number)
        if text is None:
            parts.append(part)
        elif isinstance(part, str):
            parts.append(text)
        elif isinstance(part, Candidate):
            parts.append(Candidate(part.number, text))
        else:
            parts.append(part)
            target = _retargeted(target, text)
    return join_parts(parts), target


def _retargeted(target: Target | None, pronoun: str) -> Target | None:
    """Another pronoun in the place of the target; an unrecorded one stays so."""
    if target is None or not target.is_known:
        return target
    is_doubtful = target.is_possessive and pronoun.lower() == "her"
    return Target(f"{pronoun}'s" if is_doubtful else pronoun)


# A word with its apostrophes and hyphens, a stretch of white space, or a punctuation mark.
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")


class DiffKind(StrEnum):
    """The change of a stretch of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class DiffPart(NamedTuple):
    """A stretch of text that was kept, removed or added."""

    kind: DiffKind
    text: str


def word_diff(before: str, after: str) -> tuple[DiffPart, ...]:
    """The runs that lead from one sentence to the other, what is removed before what is added.

    Without what was added they spell the first, without what was removed the second.

    >>> [(run.kind.value, run.text) for run in word_diff("a dog barks", "a dog barked")]
    [('same', 'a dog '), ('removed', 'barks'), ('added', 'barked')]
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    changes = [("".join(old[i:j]), "".join(new[k:m])) for _, i, j, k, m in matcher.get_opcodes()]
    runs: list[DiffPart] = []
    for removed, added in _joined(changes):
        if removed == added:
            runs.append(DiffPart(DiffKind.SAME, removed))
            continue
        if removed:
            runs.append(DiffPart(DiffKind.REMOVED, removed))
        if added:
            runs.append(DiffPart(DiffKind.ADDED, added))
    return tuple(runs)


def side(runs: tuple[DiffPart, ...], kind: DiffKind) -> tuple[DiffPart, ...]:
    """The runs of one sentence: of the first with REMOVED, of the second with ADDED."""
    return tuple(run for run in runs if run.kind in (DiffKind.SAME, kind))


def _joined(changes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The changes, merged if only white space is between them."""
    joined: list[tuple[str, str]] = []
    for old, new in changes:
        if len(joined) > 1 and old != new and _is_space(*joined[-1]):
            gap, _ = joined.pop()
            removed, added = joined.pop()
            joined.append((removed + gap + old, added + gap + new))
        else:
            joined.append((old, new))
    return joined


def _is_space(old: str, new: str) -> bool:
    return old == new and old.isspace()
