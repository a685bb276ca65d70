"""Sentences about parts whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "If the cog is part of the lever and the pump includes the lever, then the cog belongs to "
    "the pump.",
    "The pump is heavier than the cog if the cog is part of the lever and the pump is not "
    "complete without the lever.",
    "If the cog is part of the pump, the pump is in the bakery, the fan is part of the mill "
    "and the barn houses the mill, then the fan is in the barn.",
    "If the cog is part of the pump and Ada takes away the cog and leaves the rest where it "
    "was, then the pump is still there.",
    "If the cog is part of the pump and Ada sells the pump and keeps the rest, then the cog is "
    "sold.",
    "A toenail is part of a leg.",
    "A finger does not have an arm among its parts.",
    "An hour has among its parts a second.",
    "A spoke is not part of a foot.",
]
FALSE = [
    "If the cog is part of the lever and the pump includes the lever, then the cog has among "
    "its parts the pump.",
    "When the cog is part of the lever and the lever is part of the pump, the pump is lighter "
    "than the cog.",
    "If the cog is part of the pump, the pump is in the bakery, the fan is part of the mill "
    "and the barn houses the mill, then Ada will find the fan in the bakery.",
    "If the cog is part of the pump and Ada sells the cog and keeps the rest, then the pump is "
    "sold.",
    "A leg is part of a toenail.",
    "A thumb is not part of a hand.",
    "One of the parts of a castle is a thigh.",
]
OPEN = [
    "If the cog is part of the pump and the lever is part of the pump, then the cog is part of "
    "the lever.",
    "If the cog is part of the pump and the fan is in the barn, then the cog is in the barn.",
    "If the cog is part of the pump and the pump is part of the cog, then the cog is part of "
    "the pump.",
    "A toe is part of an arm.",
    "A leg is part of a piano.",
    "A belly is part of a violin.",
    "A clock face is part of a church.",
]
UNREADABLE = [
    "If the cog is part of the pump and the pump is beside the mill, then the cog is part of "
    "the mill.",
    "If the cog is part of the bakery, then the bakery includes the cog.",
    "A wing is part of a hand.",
    "An toe is part of a foot.",
    "A foot is a part of a leg.",
]
