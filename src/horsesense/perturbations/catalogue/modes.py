"""Perturbations about modes: dyadic, by-key and by-boolean (thesis 3.5.5, 3.5.6).

`dyadic` puts a schema into a boolean wrapper. The other two keep the sentences, and another
part of them is to be guessed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from horsesense.errors import SchemaError
from horsesense.perturbations.transformation import (
    NOTHING,
    Level,
    NotApplicable,
    Parameter,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
    needs_schema,
)
from horsesense.schema import Axis, AxisName, Entry, Mode, Schema, Slot, join_parts, wrap
from horsesense.schema.notation import WRAPPERS, parse_wrapper

_parse_wrapper = cache(parse_wrapper)  # once for all entries
_LAST_WORD = re.compile(r"(?P<rest>.*?)(?P<word>[\w'’-]+) ", re.DOTALL)
_FIRST_WORD = re.compile(r" (?P<word>[\w'’-]+)(?P<rest>.*)", re.DOTALL)


def _wrap(entry: Entry, settings: Settings) -> Rewriting:
    schema = needs_schema(entry.grid)
    wrapper = _parse_wrapper(settings["wrapper"])
    try:
        grid = wrap(schema, wrapper)
    except SchemaError as error:
        raise NotApplicable(error.problem) from error
    return Rewriting(grid, "wrapped", Voucher.RULE)


DYADIC = Transformation(
    name="dyadic",
    version=1,
    title="the schema in a boolean wrapper",
    source="Maler 2023, 3.5.6",
    level=Level.PROBLEM,
    touches=frozenset({Touch.FRAME}),
    precondition="a schema that is a single statement, and not yet a dyad",
    not_for="several sentences, a question, a problem without key phrases",
    right=Right.SPLIT,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model still knows the answer when it is told that a sentence is true, and "
    "that its opposite is false",
    example="a lorry <can, cannot> pass under a {high, low} bridge\n",
    rewrite=_wrap,
    parameters=(
        Parameter(
            "wrapper",
            WRAPPERS["true"],
            f"a sentence with a truth pair, and … for the schema, or one of {', '.join(WRAPPERS)}; "
            "each value given makes a perturbation of its own",
        ),
    ),
)


def _read_by_key(entry: Entry, settings: Settings) -> Rewriting:
    schema = needs_schema(entry.grid)
    voucher = voucher_for_inversion(entry)
    if all(phrase for value in schema.keys.values for phrase in value):
        return Rewriting(schema, "read by key", voucher)
    wider, word = _widen_keys(schema)
    return Rewriting(wider, f"read by key, with {word!r} in both key phrases", voucher)


def voucher_for_inversion(entry: Entry) -> Voucher:
    """Say who vouches that a schema can be solved by key, unless its author denies it."""
    flag = entry.flag("invertible")
    if flag is False:
        raise NotApplicable("not invertible")
    return Voucher.AUTHOR if flag else Voucher.RULE


def _widen_keys(schema: Schema) -> tuple[Schema, str]:
    """Add a neighbouring word to both key phrases, since an empty phrase cannot fill a blank.

    The word to the left is used, or if there is none, the word to the right.
    """
    place = schema.frame.index(Slot(AxisName.KEY, 0))
    frame = list(schema.frame)
    for beside, pattern in ((place - 1, _LAST_WORD), (place + 1, _FIRST_WORD)):
        text = frame[beside] if 0 <= beside < len(frame) else ""
        match = pattern.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            continue
        word, is_left = match["word"], beside < place
        frame[beside] = match["rest"]
        phrases = [f"{word} {key}" if is_left else f"{key} {word}" for (key,) in schema.keys.values]
        keys = Axis(tuple((phrase.strip(" "),) for phrase in phrases))
        return replace(schema, frame=join_parts(frame), keys=keys), word
    raise NotApplicable("a key phrase is empty, and no word beside it can be added")


def _read_by_boolean(entry: Entry, settings: Settings) -> Rewriting:
    return Rewriting(entry.grid, "read by boolean", Voucher.RULE)


BY_KEY = Transformation(
    name="by-key",
    version=1,
    title="the key phrase is guessed from the answer",
    source="Elazar et al. 2021, section 6; Maler 2023, 2.9.3, 3.4.3, 3.5.5",
    level=Level.SCHEMA,
    touches=NOTHING,
    precondition="a schema with two key phrases, which its author does not call uninvertible; "
    "where one is empty, a word beside it is added to both",
    not_for="problems without key phrases",
    right=Right.KEY,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model that finds the answer from the key also finds the key from the answer",
    example="a lorry <can, cannot> pass under a {high, low} bridge\n",
    rewrite=_read_by_key,
    mode=Mode.BY_KEY,
)
BY_BOOLEAN = Transformation(
    name="by-boolean",
    version=1,
    title="the truth value is guessed from key and answer",
    source="Maler 2023, 3.5.6",
    level=Level.SCHEMA,
    touches=NOTHING,
    precondition="a dyad; «dyadic» turns a schema into one",
    not_for="a schema that is not in a wrapper",
    right=Right.TRUTH,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model can judge a statement that it would complete correctly",
    example="It is |true, false| that {owls, voles} <do, do not> eat {voles, owls}.\n",
    rewrite=_read_by_boolean,
    mode=Mode.BY_BOOLEAN,
)
# They only set the mode, so they change nothing on a dataset that already has that mode.
ONLY_MODES = frozenset({BY_KEY.name, BY_BOOLEAN.name})
