"""Dyadic: a schema inside a boolean wrapper (thesis 3.5.6)."""

from __future__ import annotations

from functools import cache

from horsesense.errors import SchemaError
from horsesense.perturbations.transformation import (
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
from horsesense.schema import Entry, wrap
from horsesense.schema.notation import WRAPPERS, parse_wrapper

_read = cache(parse_wrapper)


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    schema = needs_schema(entry.grid)
    wrapper = _read(settings["wrapper"])
    try:
        grid = wrap(schema, wrapper)
    except SchemaError as error:
        raise NotApplicable(error.problem) from error
    return Rewriting(grid, "wrapped", Voucher.RULE)


DYADIC = Transformation(
    name="dyadic",
    version=1,
    title="the schema in a boolean wrapper",
    source="thesis 3.5.6",
    level=Level.PROBLEM,
    touches=frozenset({Touch.FRAME}),
    precondition="a schema of one sentence that is a statement, and no dyad yet",
    not_for="several sentences, a question, a problem without key phrases",
    right=Right.SPLIT,
    purpose=Purpose.CONSISTENCY,
    tests="whether a model still knows the answer when it is told that a sentence is true, and "
    "that its opposite is false",
    example="a lorry <can, cannot> pass under a {high, low} bridge\n",
    rewrite=_rewrite,
    parameters=(
        Parameter(
            "wrapper",
            WRAPPERS["true"],
            f"a sentence with a truth pair, and … for the schema, or one of {', '.join(WRAPPERS)}; "
            "given several times, it makes a perturbation each time",
        ),
    ),
)
