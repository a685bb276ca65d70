"""Areas: a module for each field of common sense, with its frames and its rules."""

from __future__ import annotations

from horsesense.generation.areas import (
    animals,
    causes,
    containment,
    gifts,
    kinds,
    kinship,
    magnitude,
    parts,
    possession,
    quantifiers,
    quantity,
    space,
    time,
    towers,
)
from horsesense.generation.rule import Rule

RULES: tuple[Rule, ...] = (
    *quantity.RULES,
    *magnitude.RULES,
    *containment.RULES,
    *space.RULES,
    *time.RULES,
    *kinship.RULES,
    *parts.RULES,
    *kinds.RULES,
    *animals.RULES,
    *towers.RULES,
    *causes.RULES,
    *possession.RULES,
    *gifts.RULES,
    *quantifiers.RULES,
)
AREAS: tuple[str, ...] = tuple(dict.fromkeys(rule.area for rule in RULES))
