"""A transformation as another package would write it: the key phrases in capitals."""

from dataclasses import replace

from horsesense.perturbations import (
    Level,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
)
from horsesense.perturbations.transformation import needs_schema
from horsesense.schema import Axis, Entry


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    schema = needs_schema(entry.grid)
    keys = Axis(tuple(tuple(phrase.upper() for phrase in value) for value in schema.keys.values))
    return Rewriting(replace(schema, keys=keys), "in capitals", Voucher.RULE)


UPPER = Transformation(
    name="upper",
    version=1,
    title="the key phrases in capitals",
    source="made up",
    level=Level.PROBLEM,
    touches=frozenset({Touch.KEYS}),
    precondition="a schema with key phrases",
    not_for="problems without any",
    right=Right.SAME,
    purpose=Purpose.CONSISTENCY,
    tests="whether capitals matter",
    example="a lorry <can, cannot> pass under a {high, low} bridge\n",
    rewrite=_rewrite,
)


def _fail(entry: Entry, settings: Settings) -> Rewriting:
    raise KeyError(entry.id)


BROKEN = replace(UPPER, name="broken", rewrite=_fail)
