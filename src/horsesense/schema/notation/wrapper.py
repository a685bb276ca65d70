"""The notation of boolean wrappers: a truth pair, and `…` where the schema goes."""

from __future__ import annotations

from horsesense.errors import NotationErrors, SchemaError, UnknownNameError
from horsesense.schema import Axis, AxisName, BooleanWrapper, Part, Slot, join_parts
from horsesense.schema.notation.lexer import Lexer, Placeholder, Text, Token
from horsesense.schema.notation.parser import check_line, located, notation_error, parts_of
from horsesense.schema.notation.printer import print_part

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
            problem = "a wrapper holds nothing but a truth pair and the place of the schema"
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
