"""From grids back to notation, in one canonical form; and the id that follows from it."""

from __future__ import annotations

import re
from hashlib import sha256

from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Grid,
    LooseProblem,
    Part,
    Schema,
    Slot,
    candidates_of,
)
from horsesense.schema.notation.lexer import SPECIAL, VERBATIM

_BRACKETS = {AxisName.KEY: ("{", "}"), AxisName.ANSWER: ("<", ">"), AxisName.TRUTH: ("|", "|")}
_TO_ESCAPE = re.compile(f"([{re.escape(SPECIAL)}])")
_NEEDS_QUOTES = re.compile(rf'[{re.escape(SPECIAL)},"=]|^\?|\*$')
_LOOKS_NUMBERED = re.compile(r"\d{1,3}: ")
# What means something at the start of a line of a schema file.
_LINE_STARTS = ("#", "&", "!", "---")


def print_grid(grid: Grid) -> str:
    """The notation of a grid; `parse_grid` gives the grid back.

    >>> from horsesense.schema.notation.parser import parse_grid
    >>> print_grid(parse_grid("a lorry ⟨can,cannot⟩ pass under a {high,low} bridge"))
    'a lorry <can, cannot> pass under a {high, low} bridge'
    """
    if isinstance(grid, Schema):
        return _print_line(grid)
    return "\n& ".join(map(_print_line, grid.rows))


def grid_id(grid: Grid) -> str:
    """An id that follows from the content alone: equal grids, and only they, share it."""
    return content_id("grid", print_grid(grid))


def content_id(kind: str, text: str) -> str:
    """The hash under which content of that kind is known: 32 hexadecimal digits."""
    return sha256(f"horsesense {kind}\n{text}".encode()).hexdigest()[:32]


def print_phrases(phrases: tuple[str, ...]) -> str:
    """Phrases with commas between them, quoted where they need it."""
    return ", ".join(map(_print_phrase, phrases))


def _print_line(line: Schema | LooseProblem) -> str:
    if isinstance(line, Schema):
        axes, right, is_open = line.axes, None, False
    else:
        axes, right, is_open = {AxisName.ANSWER: line.answers}, line.right, line.right is None
    target = line.target.written + " = " if line.target else ""
    lead = ("? " if is_open else "") + target
    numbered = _needs_numbers(candidates_of(line.frame))
    text = "".join(
        print_part(part, axes, lead=lead, right=right, numbered=numbered) for part in line.frame
    )
    if line.verbatim:
        return f"{VERBATIM} {text}"
    return f"\\{text}" if text.startswith(_LINE_STARTS) else text


def print_part(
    part: Part,
    axes: dict[AxisName, Axis],
    *,
    lead: str = "",
    right: int | None = None,
    numbered: bool = False,
) -> str:
    """One part of a frame; `lead` stands before the first answer, a star after the right one."""
    match part:
        case Candidate(number, text):
            return f"[{f'{number}: ' if numbered else ''}{_escape(text)}]"
        case Slot(axis, index):
            opener, closer = _BRACKETS[axis]
            phrases = [_print_phrase(value[index]) for value in axes[axis].values]
            if axis is AxisName.ANSWER and right is not None:
                phrases[right] += "*"
            shown_lead = lead if axis is AxisName.ANSWER and index == 0 else ""
            return f"{opener}{shown_lead}{', '.join(phrases)}{closer}"
    return _escape(str(part))


def _needs_numbers(candidates: tuple[Candidate, ...]) -> bool:
    """False where the order of the sentence is the order of the answers."""
    in_order = [candidate.number for candidate in candidates] == list(range(1, len(candidates) + 1))
    return not in_order or any(_LOOKS_NUMBERED.match(c.text) for c in candidates)


def _print_phrase(phrase: str) -> str:
    if not _NEEDS_QUOTES.search(phrase):
        return phrase
    escaped = phrase.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _escape(text: str) -> str:
    return _TO_ESCAPE.sub(r"\\\1", text)
