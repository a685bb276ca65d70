"""From tokens to grids: what the placeholders of a line mean together.

A line with key phrases is a schema; one without, whose right answer is starred or left
open with a question mark, is a problem by itself. Lines that begin with `&` join the
problem above in a loose grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from horsesense.errors import NotationError, NotationErrors, SchemaError, UnknownNameError
from horsesense.schema import (
    Axis,
    AxisName,
    BooleanWrapper,
    Candidate,
    Grid,
    LooseGrid,
    LooseProblem,
    Part,
    Schema,
    Slot,
    Target,
    find_unprintable,
    join_parts,
)
from horsesense.schema.notation.lexer import VERBATIM, Lexer, Mark, Placeholder, Text, Token
from horsesense.schema.notation.printer import print_part

# Far longer than any sentence; a longer line is a sign of the wrong file.
MAX_LINE = 10_000


def parse_grid(text: str) -> Grid:
    """Read notation: one line for a schema, one for each problem of a loose grid.

    >>> parse_grid("a lorry <can, cannot> pass under a {high, low} bridge").kind.value
    'substitution schema'
    """
    lines = text.split("\n")
    parts: list[Schema | LooseProblem] = []
    errors: list[NotationError] = []
    for number, line in enumerate(lines, start=1):
        try:
            parts.append(parse_line(line, is_first=number == 1))
        except NotationErrors as error:
            place = "notation" if len(lines) > 1 else ""
            errors += [one.located(place, number) for one in error.errors]
    if errors:
        raise NotationErrors(errors)
    try:
        return join_rows(parts)
    except SchemaError as error:
        raise NotationErrors([notation_error(error.problem, lines[-1], 0, error.remedy)]) from error


def join_rows(parts: Sequence[Schema | LooseProblem]) -> Grid:
    """The grid that the lines of one entry make together."""
    if len(parts) == 1 and isinstance(parts[0], Schema):
        return parts[0]
    rows = [part for part in parts if isinstance(part, LooseProblem)]
    if len(rows) < len(parts):
        raise SchemaError("only problems without key phrases can be joined by '&'")
    return LooseGrid(tuple(rows))


def parse_line(line: str, *, start: int = 0, is_first: bool = True) -> Schema | LooseProblem:
    """Read one line, from a column on; raises all that is wrong with it together."""
    check_line(line)
    if not is_first:
        if not line.startswith("& "):
            raise NotationErrors([notation_error("each further line starts with '& '", line, 0)])
        start = 2
    verbatim = line.startswith(VERBATIM, start)
    lexer = Lexer(line, start + verbatim)
    tokens = lexer.tokens()
    if lexer.errors:
        raise NotationErrors(lexer.errors)
    try:
        return _Assembly(line, tokens).grid_line(verbatim=verbatim)
    except SchemaError as error:
        raise NotationErrors([located(error, line, tokens)]) from error


def check_line(line: str) -> None:
    """Refuse a line that is too long, or holds what no sentence holds."""
    if len(line) > MAX_LINE:
        problem = f"the line is longer than {MAX_LINE:,} characters"
        raise NotationErrors([notation_error(problem, line[: MAX_LINE + 1], MAX_LINE)])
    if char := find_unprintable(line):
        what = "a tab" if char == "\t" else f"the character {char!r}"
        column = line.index(char)
        raise NotationErrors(
            [
                notation_error(
                    f"{what} is not allowed in a line", line, column, "use a space, or remove it"
                )
            ]
        )


class _Assembly:
    """The pieces of one line, being put together."""

    def __init__(self, line: str, tokens: list[Token]) -> None:
        self.line = line
        self.frame = join_parts(parts_of(tokens))
        self.placeholders: dict[str, list[Placeholder]] = {"key": [], "answer": [], "truth": []}
        for token in tokens:
            if isinstance(token, Placeholder):
                self.placeholders[token.name].append(token)

    def grid_line(self, *, verbatim: bool) -> Schema | LooseProblem:
        answers = self._axis(AxisName.ANSWER)
        if answers is None:
            self._fail(
                "there is no answer placeholder",
                len(self.line),
                "write the answers in angle brackets: <can, cannot>",
            )
        keys, truths = self._axis(AxisName.KEY), self._axis(AxisName.TRUTH)
        target = self._target()
        if keys is not None:
            self._refuse_labels()
            return Schema(self.frame, keys, answers, truths, target, verbatim)
        if truths is not None:
            column = self.placeholders[AxisName.TRUTH][0].column
            self._fail("a truth pair needs a schema with key phrases", column)
        return LooseProblem(self.frame, answers, self._label(), target, verbatim)

    def _axis(self, name: AxisName) -> Axis | None:
        """The values of an axis: the first phrases of its placeholders, the second ones, …"""
        found = self.placeholders[name]
        if not found:
            return None
        if len({len(placeholder.phrases) for placeholder in found}) > 1:
            counts = " and ".join(str(len(placeholder.phrases)) for placeholder in found)
            self._fail(f"the {name} placeholders hold {counts} phrases", found[1].column)
        lists = [[phrase.value for phrase in placeholder.phrases] for placeholder in found]
        return Axis(tuple(zip(*lists, strict=True)))

    def _target(self) -> Target | None:
        first, *others = self.placeholders[AxisName.ANSWER]
        for other in others:
            if other.target is not None:
                self._fail("the target belongs in the first answer placeholder", other.column)
        return None if first.target is None else Target(first.target)

    def _refuse_labels(self) -> None:
        """In a schema the key decides which answer is right; no label may contradict it."""
        for placeholder in self.placeholders[AxisName.ANSWER]:
            if placeholder.is_unlabelled:
                self._fail("the key decides which answer is right", placeholder.column + 1)
            for phrase in placeholder.phrases:
                if phrase.is_right:
                    self._fail(
                        "the key decides which answer is right",
                        phrase.column,
                        "remove the star; the first answer goes with the first key phrase",
                    )

    def _label(self) -> int | None:
        """Which answer is starred; None where a question mark leaves it open."""
        answers = self.placeholders[AxisName.ANSWER]
        starred = {n for p in answers for n, phrase in enumerate(p.phrases) if phrase.is_right}
        if any(p.is_unlabelled for p in answers):
            if starred:
                self._fail("a star and a question mark contradict each other", answers[0].column)
            return None
        if len(starred) > 1:
            self._fail("more than one answer is starred", answers[-1].column)
        if not starred:
            self._fail(
                "these answers have no key phrases to decide between them",
                answers[0].column,
                "add a key placeholder such as {high, low}; or, for a problem by itself, "
                "star the right answer: <can*, cannot>, or leave it open: <? can, cannot>",
            )
        return starred.pop()

    def _fail(self, problem: str, column: int, remedy: str = "") -> NoReturn:
        raise NotationErrors([notation_error(problem, self.line, column, remedy)])


def parts_of(tokens: list[Token]) -> list[Part]:
    """The parts of a frame, with the placeholders of each axis counted."""
    parts: list[Part] = []
    counts = {"key": 0, "answer": 0, "truth": 0, "candidate": 0}
    numbered = [token.number > 0 for token in tokens if isinstance(token, Mark)]
    if any(numbered) and not all(numbered):
        raise SchemaError("number all candidates or none", axis="candidate")
    for token in tokens:
        if isinstance(token, Text):
            parts.append(token.value)
        elif isinstance(token, Mark):
            counts["candidate"] += 1
            parts.append(Candidate(token.number or counts["candidate"], token.value))
        else:
            parts.append(Slot(AxisName(token.name), counts[token.name]))
            counts[token.name] += 1
    return parts


def located(error: SchemaError, line: str, tokens: list[Token]) -> NotationError:
    """The schema's complaint, at the placeholder that it is about."""
    columns = [
        token.column
        for token in tokens
        if (isinstance(token, Placeholder) and token.name == error.axis)
        or (isinstance(token, Mark) and error.axis == "candidate")
    ]
    column = columns[min(error.index, len(columns) - 1)] if columns else 0
    return notation_error(error.problem, line, column, error.remedy)


def notation_error(problem: str, line: str, column: int, remedy: str = "") -> NotationError:
    """An error at a column of a line."""
    return NotationError(problem, line=line, column=column, remedy=remedy)


HOLE, ASCII_HOLE = "…", "..."
# Wrappers that have a name. The softer truth pairs allow for exceptions (thesis 3.5.6).
WRAPPERS = {
    "true": "It is |true, false| that …",
    "correct": "That … is |correct, incorrect|.",
    "plausible": "It is |plausible, implausible| that …",
    "probable": "It is |probable, improbable| that …",
    "generally": "It is |generally true, not generally true| that …",
    "right": "Whoever says that … is |right, wrong|.",
    "agree": "A sensible person would |agree, deny| that …",
}
# Stands for the schema while the wrapper is put together; a wrapper has no keys of its own.
_SCHEMA = Slot(AxisName.KEY, 0)


def parse_wrapper(text: str) -> BooleanWrapper:
    """Read a boolean wrapper, or find it by its name; `...` will do for `…`.

    >>> parse_wrapper("That ... is |plausible, implausible|").truths.values
    (('plausible',), ('implausible',))
    >>> parse_wrapper("agree").truths.values
    (('agree',), ('deny',))
    """
    if text.isalpha():  # a single word, which no wrapper could be
        if text not in WRAPPERS:
            raise UnknownNameError("wrapper", text, WRAPPERS)
        text = WRAPPERS[text]
    check_line(text)
    lexer = Lexer(text)
    tokens = lexer.tokens()
    if lexer.errors:
        raise NotationErrors(lexer.errors)
    try:
        return _assembled(text, tokens)
    except SchemaError as error:
        raise NotationErrors([located(error, text, tokens)]) from error


def print_wrapper(wrapper: BooleanWrapper) -> str:
    """The notation of a boolean wrapper."""
    axes = {AxisName.TRUTH: wrapper.truths}
    before = "".join(print_part(part, axes) for part in wrapper.before)
    after = "".join(print_part(part, axes) for part in wrapper.after)
    return f"{before}{HOLE}{after}"


def _assembled(text: str, tokens: list[Token]) -> BooleanWrapper:
    truths: list[Placeholder] = []
    for token in tokens:
        if isinstance(token, Placeholder) and token.name == AxisName.TRUTH:
            truths.append(token)
        elif not isinstance(token, Text):
            problem = "a wrapper contains only a truth pair and the place of the schema"
            raise NotationErrors([notation_error(problem, text, token.column)])
    if len(truths) != 1:
        remedy = "write one truth pair: |true, false|"
        raise NotationErrors(
            [notation_error("a wrapper has one truth pair", text, len(text), remedy)]
        )
    frame = join_parts(piece for part in parts_of(tokens) for piece in _with_hole(part))
    if (holes := frame.count(_SCHEMA)) != 1:
        problem = f"there is {'more than one' if holes else 'no'} place for the schema"
        remedy = "write … or ... where the schema goes: It is |true, false| that …"
        raise NotationErrors([notation_error(problem, text, len(text), remedy)])
    hole = frame.index(_SCHEMA)
    axis = Axis(tuple((phrase.value,) for phrase in truths[0].phrases))
    return BooleanWrapper(frame[:hole], frame[hole + 1 :], axis)


def _with_hole(part: Part) -> list[Part]:
    """The part, with every hole in a text as a part of its own."""
    if not isinstance(part, str):
        return [part]
    first, *others = part.replace(ASCII_HOLE, HOLE).split(HOLE)
    return [first, *(piece for other in others for piece in (_SCHEMA, other))]
