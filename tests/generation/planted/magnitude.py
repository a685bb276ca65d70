"""Sentences about magnitude whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "If Ada is taller than Bo and Bo is taller than Cy, then Ada is taller than Cy.",
    "When Bo is not as tall as Ada and Cy is shorter than Bo, Cy is shorter than Ada.",
    "Ada is kinder than Cy if Ada is kinder than Bo and Cy is exactly as kind as Bo.",
    "A mosquito is lighter than a hen's egg.",
    "Anything that weighs more than a carthorse weighs more than a teaspoon.",
    "Molten iron is hotter than a snowflake.",
    "If it takes less water than a thimble holds to fill a vessel then it takes less water to fill "
    "that vessel than to fill a bathtub.",
]
FALSE = [
    "If Ada is taller than Bo and Bo is taller than Cy, then Cy is taller than Ada.",
    "When Bo is not as tall as Ada and Cy is shorter than Bo, Cy is taller than Ada.",
    "Ada is less kind than Cy if Ada is kinder than Bo and Cy is exactly as kind as Bo.",
    "A mosquito is heavier than a hen's egg.",
    "Anything that weighs more than a carthorse weighs less than a teaspoon.",
    "Liquid nitrogen is hotter than a snowflake.",
    "It takes more water to fill a thimble than to fill a bathtub.",
]
OPEN = [
    "If Ada is taller than Bo and Cy is taller than Bo, then Ada is taller than Cy.",
    "If Ada is taller than Bo and Bo is taller than Ada, then Ada is taller than Bo.",
    "If Ada is not as tall as Bo and Bo is exactly as tall as Cy, then Ada is taller than Di.",
    "A grown man is heavier than a grown sheep.",
    "Anything that is lighter than a carthorse is lighter than a teaspoon.",
]
UNREADABLE = [
    "If Ada is taller than Bo and Bo is older than Cy, then Ada is taller than Cy.",
    "if Ada is taller than Bo and Bo is taller than Cy, then Ada is taller than Cy",
    "A unicorn is heavier than a hen's egg.",
    "A mosquito is lighter as a hen's egg.",
]
