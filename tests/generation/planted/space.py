"""Sentences about space whose truth is known, or that have none, to try the checker on."""

from __future__ import annotations

TRUE = [
    "In a queue, if Ada stands in front of Bo and Cy stands behind Bo, then Ada stands in front "
    "of Cy.",
    "In a single stack of books, the red book lies above the blue book if the green book does not "
    "lie above the red book and the blue book lies below the green book.",
    "On the banks of one river, when Alderby lies upstream of Upwell and Yarrow does not lie as "
    "far upstream as Upwell, Yarrow lies downstream of Alderby.",
    "In a house in Britain, the attic is above the cellar.",
    "In a house in Britain, one goes down to get to the cellar from the attic.",
    "Oslo lies further north than Cairo.",
    "Someone who goes from Oslo to Cairo ends up further south.",
    "Any place that lies further north than Oslo lies further north than Cairo.",
    "If Ada faces north and Ada turns left, then Ada faces west in the end.",
    "Ada faces east in the end if the east is behind Ada and Ada turns left, turns round and "
    "turns right.",
    "If Ada and Bo sit face to face and the lamp is on Ada's left, then the lamp is on Bo's right.",
]
FALSE = [
    "In a queue, if Ada stands in front of Bo and Cy stands behind Bo, then Ada stands behind Cy.",
    "In a goods train, the red wagon is nearer the front than the blue wagon if the red wagon is "
    "not as near the front as the green wagon and the green wagon is nearer the back than the "
    "blue wagon.",
    "In a house in Britain, the attic is below the cellar.",
    "In a house in Britain, one goes up to get to the cellar from the attic.",
    "Oslo lies further south than Cairo.",
    "Someone who goes from Oslo to Cairo ends up further north.",
    "Any place that lies further north than Oslo lies further south than Cairo.",
    "If Ada faces north and Ada turns left, then Ada faces east in the end.",
    "When Ada and Bo sit face to face, the lamp is on Bo's right if it is on Ada's right.",
]
OPEN = [
    "In a queue, if Ada stands in front of Bo and Cy stands in front of Bo, then Ada stands in "
    "front of Cy.",
    "Any place that lies further south than Oslo lies further south than Cairo.",
    "Any place that lies further north than Cairo lies further north than Oslo.",
]
UNREADABLE = [
    "In a queue, if Ada stands in front of Bo and Cy stands below Bo, then Ada stands in front of "
    "Cy.",
    "If Ada stands in front of Bo and Bo stands in front of Cy, then Ada stands in front of Cy.",
    "In a house in Britain, the attic is above the crypt.",
    "Atlantis lies further north than Cairo.",
    "If Ada faces north and Bo turns left, then Ada faces west in the end.",
    "If Ada and Bo sit face to face and the lamp is on Ada's left, then the lamp is on Cy's right.",
]
