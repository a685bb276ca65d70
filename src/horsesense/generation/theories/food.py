"""The theory of food: who eats whom, from meals that are known and diets that are certain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof


@dataclass(frozen=True, slots=True)
class FoodWeb:
    """What each animal eats, what grows, and who eats nothing but plants, or but animals."""

    meals: Mapping[str, tuple[str, ...]]
    plants: frozenset[str]
    only_plants: frozenset[str]
    only_animals: frozenset[str]

    def eats(self, eater: str, food: str) -> bool:
        """Whether it is known that the one eats the other."""
        return food in self.meals.get(eater, ())


def prove_eats(eater: str, food: str, web: FoodWeb) -> Proof:
    """Whether one eats the other; an error where neither meals nor diets tell.

    >>> web = FoodWeb({"owls": ("mice",)}, frozenset(["nuts"]), frozenset(), frozenset(["owls"]))
    >>> prove_eats("owls", "nuts", web)
    Proof(holds=False, steps=('owls eat animals only', 'nuts are no animals'))
    """
    if web.eats(eater, food):
        return Proof(True, (f"{eater} eat {food}",))
    if web.eats(food, eater):
        return Proof(False, (f"{food} eat {eater}", "the eaten do not eat their eaters"))
    if eater in web.only_plants and food not in web.plants:
        return Proof(False, (f"{eater} eat plants only", f"{food} are no plants"))
    if eater in web.only_animals and food in web.plants:
        return Proof(False, (f"{eater} eat animals only", f"{food} are no animals"))
    raise GenerationError(f"nothing tells whether {eater} eat {food}")


def is_known(eater: str, food: str, web: FoodWeb) -> bool:
    """Whether the web tells if one eats the other."""
    try:
        prove_eats(eater, food, web)
    except GenerationError:
        return False
    return True
