"""The generator: fresh adversarial schemas, whose answers follow by rule from small tables."""

from horsesense.generation.areas import AREAS, RULES
from horsesense.generation.generating import (
    GENERATOR_VERSION,
    Recipe,
    RequestedDifficulty,
    generate,
    generate_dataset,
    header,
    span,
)
from horsesense.generation.rule import Difficulty, Rule

__all__ = [
    "AREAS",
    "GENERATOR_VERSION",
    "RULES",
    "Difficulty",
    "Recipe",
    "Rule",
    "RequestedDifficulty",
    "generate",
    "generate_dataset",
    "header",
    "span",
]
