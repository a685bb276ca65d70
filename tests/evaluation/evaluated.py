"""A few schemas, and what came of their evaluation."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

from horsesense.evaluation import evaluate
from horsesense.results import Results
from horsesense.schema import Entry
from horsesense.schema.notation import SchemaFile
from tests.evaluation.inference.stand_in import StandIn

SCHEMAS = [
    "[Nora] handed [Lena] a towel because <she = Nora, Lena> was {dry, wet}.\n    switchable: yes",
    "[The ladle] did not fit [the drawer] because <it = the ladle, the drawer> was {long, short}.",
    "[Karl] asked [Hugo] to wash up: <he = Hugo, Karl> had {rested, cooked} all day.",
]


@cache
def by_words() -> Results:
    return evaluate(StandIn(), SCHEMAS, perturbations=["switched", "no-candidate"])


def numbers(found: Results) -> list[tuple[Any, ...]]:
    """All measurements of the first model, whatever its name is."""
    name = found.models[0].name
    return [
        (one.kind, one.key.replace(model=""), one.metric, one.value, one.low, one.high, one.p)
        for one in found.estimates
        if one.key.model == name and (one.against is None or one.against.model == name)
    ]


def entries_of(text: str) -> list[Entry]:
    return list(SchemaFile(BytesIO(text.encode()), "own", "own"))
