"""Sentences about animals whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "Owls eat mice.",
    "Mice are eaten by owls.",
    "Mice make a meal for owls.",
    "Acorns are no proper meal for hungry owls.",
    "Mice are not eaten by cows.",
    "By way of mice, owls feed on seeds.",
    "In the food chain that runs through frogs and slugs, herons are above leaves.",
    "In the food chain by way of mice, seeds are nearer the bottom than owls.",
    "A lorry can carry a cow.",
    "A wheelbarrow cannot carry an army tank.",
    "A walnut is light enough for a crow to carry.",
    "If the hen stands on the goat and the goat stands on the cow, then the cow carries the hen.",
    "The hen is somewhere above the cow if the cow carries the goat and the goat carries the hen.",
    "In a tower of animals in which the hen stands on the goat and the cow does not stand on the "
    "goat but under it, the hen loses its footing when the cow runs away.",
    "If the hen stands on the goat and the goat stands on the cow, then the goat does not fall "
    "when the hen vanishes.",
]
FALSE = [
    "Mice eat owls.",
    "Owls are food for mice.",
    "Mice make a meal of owls.",
    "Acorns are a good meal for hungry owls.",
    "Owls do not eat mice.",
    "By way of mice, owls feed seeds.",
    "In the food chain that runs through frogs and slugs, leaves are above herons.",
    "A lorry can be carried by a cat.",
    "A wheelbarrow is strong enough to carry an army tank.",
    "A walnut is far too heavy for a crow to carry.",
    "If the hen stands on the goat and the goat stands on the cow, then the hen carries the cow.",
    "The hen bears the weight of the cow if the cow carries the goat and the goat carries the hen.",
    "In a tower of animals in which the hen stands on the goat and the cow does not stand on the "
    "goat but under it, the hen keeps its footing when the cow runs away.",
    "If the hen stands on the goat and the goat stands on the cow, then the goat falls when the "
    "hen vanishes.",
]
OPEN = [
    "Foxes eat cats.",
    "Badgers do not eat mice.",
    "By way of rats, owls feed on leaves.",
    "A donkey can carry a pig.",
    "A brick cannot carry an ant.",
    "A lorry can carry a helicopter.",
    "A car can carry a pig.",
    "A shopping bag is strong enough to carry an eagle.",
    "If the hen stands on the goat and the cat stands on the goat, then the cat carries the hen.",
    "If the hen stands on the goat and the goat stands on the hen, then the goat carries the hen.",
]
UNREADABLE = [
    "Unicorns eat mice.",
    "Owls devour mice.",
    "owls eat mice",
    "A lorry can carry a unicorn.",
    "If the hen stands on the goat and the goat likes the cow, then the cow carries the hen.",
    "If the hen stands on the goat and the goat stands on the cow, then the cow likes the hen.",
]
