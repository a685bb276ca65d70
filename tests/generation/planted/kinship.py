"""Sentences about kinship whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "If Ida is Eva's mother and Otto is Eva's son, then Ida is an ancestor of Otto.",
    "When Ida is Eva's sister and Eva is Otto's mother, Ida is Otto's aunt.",
    "Ida is a great-aunt of Otto if Otto is not Eva's son but Eva's grandson and Ida is Eva's "
    "sister.",
    "If Ida is Eva's mother and Eva is Otto's mother, then Otto was born after Ida.",
    "If Otto is Ida's son and Ida is Emil's aunt, then Otto is Emil's cousin.",
    "Your mother's nephew is your cousin.",
    "The daughter of the son of your brother is your great-niece.",
    "A person's aunt's son is that person's cousin.",
    "You are younger than the mother of your father.",
    "Every son was born after his father.",
]
FALSE = [
    "If Ida is Eva's mother and Otto is Eva's son, then Ida is a descendant of Otto.",
    "When Ida is Eva's sister and Eva is Otto's mother, Ida is Otto's niece.",
    "When Ida is Eva's sister and Eva is Otto's mother, Ida is Otto's grandmother.",
    "When Ida is Eva's sister and Eva is Otto's mother, Ida is Otto's uncle.",
    "If Ida is Eva's mother and Eva is Otto's mother, then Otto is older than Ida.",
    "Your mother's nephew is your grandfather.",
    "The father of your mother is your great-grandfather.",
    "You are older than the mother of your father.",
    "A great-grandson is one of the ancestors of his great-grandfather.",
]
OPEN = [
    "If Ida is Eva's sister and Eva is Otto's mother, then Ida is older than Otto.",
    "If Otto is Ida's son and Ida is Eva's grandmother, then Otto is Eva's uncle.",
    "If Ida is Eva's grandmother and Otto is Eva's father, then Ida is Otto's mother.",
    "If Ida is Eva's mother and Eva is Ida's mother, then Ida is older than Eva.",
    "If Ida is Eva's mother and Ruth is Eva's mother, then Ida is Eva's mother.",
    "Your mother's son is your brother.",
    "The sister of your aunt is your mother.",
    "Your grandmother's son is your uncle.",
]
UNREADABLE = [
    "If Ida is Eva's boss and Eva is Otto's mother, then Ida is Otto's grandmother.",
    "Your mother's great-cousin is your cousin.",
    "Your mother's nephew is their cousin.",
    "A mother is older than his son.",
]
