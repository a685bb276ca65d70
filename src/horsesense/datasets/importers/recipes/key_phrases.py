"""Key phrases that are published with more words than differ.

No rule yields them; the inverted files of the thesis show them. By dataset and schema: how many
words to the left and to the right belong to the phrase.
"""

from __future__ import annotations

from collections.abc import Iterable

from horsesense.datasets.recovery import Group, Journal

WIDER_KEYS = "wider-key-phrases"
_WIDENINGS = {
    "wsc266": {31: (1, 0), 32: (1, 0), 101: (1, 0), 105: (0, 1), 128: (0, 1), 130: (0, 2)},
    "reid250": {
        **dict.fromkeys((87, 88), (1, 1)),
        **dict.fromkeys((90, 92, 95, 96, 117, 118), (1, 0)),
        98: (2, 0),
    },
}


def widen_keys(groups: Iterable[Group], dataset: str, journal: Journal) -> None:
    """Give schemas, whose ids are their numbers in a dataset, the key phrases published for it."""
    widenings = {str(number): words for number, words in _WIDENINGS.get(dataset, {}).items()}
    for group in groups:
        widening = widenings.get(group.id)
        if widening is None:
            continue
        first = group.found[0]
        odd = "the published inverted file has a wider key phrase than what differs"
        done = f"words added: {widening[0]} to the left, {widening[1]} to the right"
        if journal.repair(WIDER_KEYS, first.line, first.name, odd, done):
            group.widening = widening
