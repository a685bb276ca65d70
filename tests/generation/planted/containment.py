"""Sentences about containment whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "If the red box is inside the blue tin and the green crate contains the blue tin, then the "
    "red box lies in the green crate.",
    "The green crate has more room than the red box if the red box is not outside the blue tin "
    "and the blue tin is inside the green crate.",
    "When the red box is inside the blue tin and the blue tin is inside the green crate, the "
    "green crate is larger than the red box.",
    "If the red box is inside the blue tin and Ada carries off the red box with its contents "
    "and nothing else, then the blue tin is left behind.",
    "If the red box is inside the blue tin and Ada takes only the blue tin and what is in it "
    "away, then the red box is taken along.",
    "If the ring is inside the red box, the red box is inside the garage and the blue tin is "
    "inside the stable, then Ada will find the ring in the garage.",
    "A coin would fit into a mug.",
    "A mug is too small for a piano to go in.",
    "There is no room in an apple for a bus.",
]
FALSE = [
    "If the red box is inside the blue tin and the green crate contains the blue tin, then the "
    "red box contains the green crate.",
    "When the red box is inside the blue tin and the blue tin is inside the green crate, the "
    "red box has more room than the green crate.",
    "If the red box is inside the blue tin and Ada carries off the blue tin with its contents "
    "and nothing else, then the red box is left behind.",
    "If the ring is inside the red box, the red box is inside the garage and the blue tin is "
    "inside the stable, then the ring is in the stable.",
    "A piano is small enough to fit into a teacup.",
    "A coin would never go into a cathedral.",
]
OPEN = [
    "If the red box is inside the blue tin and the green crate is inside the blue tin, then "
    "the red box is inside the green crate.",
    "If the red box is inside the blue tin and the blue tin is inside the red box, then the "
    "red box lies in the blue tin.",
    "If the ring is inside the red box and the blue tin is inside the stable, then the ring is "
    "in the stable.",
    "A bucket would fit into a suitcase.",
    "A mug would fit into a pumpkin.",
]
UNREADABLE = [
    "If the red box is beside the blue tin, then the blue tin contains the red box.",
    "If the red box is inside the blue tin, then the red dog is inside the blue tin.",
    "If the red box is inside the blue tin and Ada carries off the red box, then the blue tin "
    "is left behind.",
    "A unicorn would fit into a mug.",
    "A apple would fit into a bucket.",
]
