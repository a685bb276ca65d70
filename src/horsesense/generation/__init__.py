"""The generator: fresh adversarial schemas, whose answers follow by rule from small tables."""

from horsesense.generation.generating import (
    GENERATOR_VERSION,
    Recipe,
    Wanted,
    generate,
    generate_dataset,
    header,
    span,
)
from horsesense.generation.rule import Difficulty, Rule
from horsesense.generation.rules import AREAS, RULES

__all__ = [
    "AREAS",
    "GENERATOR_VERSION",
    "RULES",
    "Difficulty",
    "Recipe",
    "Rule",
    "Wanted",
    "generate",
    "generate_dataset",
    "header",
    "span",
]
