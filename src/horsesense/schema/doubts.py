"""Find likely mistakes in well-formed schemas, for an author's second look."""

from __future__ import annotations

import re
from collections.abc import Iterator

from horsesense.schema.axis import AxisName, Slot
from horsesense.schema.frame import Frame, Target, candidates_of
from horsesense.schema.loose import LooseGrid
from horsesense.schema.problem import Grid

# Doublings that are good English: «that that», «had had».
_DOUBLED = re.compile(r"\b(?!that\b|had\b|is\b)(\w+) \1\b", re.IGNORECASE)
# Words before which nobody would take «her» for a possessive.
_AFTER_OBJECT = frozenset(
    str.split(
        "a about after and as at because before but by down for from her his how if in into it "
        "off on onto or out over since so than that the their to under until up what when where "
        "while who why with"
    )
)


def doubts(grid: Grid) -> Iterator[str]:
    """Say what an author should look at again; nothing for a schema without blemish."""
    sentences = [grid.sentence(cell).text for cell in grid.cells]
    if len(set(sentences)) < len(sentences):
        yield "two of its sentences are the same"
    for sentence in dict.fromkeys(sentences):
        if doubled := _DOUBLED.search(sentence):
            yield f"a word is repeated: {doubled[0]!r} in {sentence!r}"
            break
    for frame, target, answers in _winograd_parts(grid):
        yield from _target_doubts(frame, target, answers)


def _winograd_parts(grid: Grid) -> Iterator[tuple[Frame, Target, list[str]]]:
    for part in grid.rows if isinstance(grid, LooseGrid) else (grid,):
        if part.target is not None:
            yield part.frame, part.target, [phrases[0] for phrases in part.answers.values]


def _target_doubts(frame: Frame, target: Target, answers: list[str]) -> Iterator[str]:
    if target.written.lower() == "her" and _may_own(frame, answers):
        yield 'the target "her" is read as an object; write "her\'s" if it is possessive'
    marked = {candidate.number for candidate in candidates_of(frame)}
    for number, answer in enumerate(answers, start=1):
        if marked and number not in marked:
            yield f"the candidate of {answer!r} is not marked"
    if not marked:
        yield "no candidate is marked, so nothing that needs candidates can be done"


def _may_own(frame: Frame, answers: list[str]) -> bool:
    """Return whether «her» stands before what may be a noun, and the answers are not possessive."""
    if all(answer.endswith(("'s", "s'", "’s", "s’")) for answer in answers):
        return False
    after = frame.index(Slot(AxisName.ANSWER, 0)) + 1
    following = frame[after] if after < len(frame) else "."
    if not isinstance(following, str) or following == " ":
        return True
    word = re.match(r" (\w+)", following)
    return word is not None and word[1].lower() not in _AFTER_OBJECT
