"""Minimal pairs whose fields tell which sentence is which: an order that tells nothing.

The order of letters would tell: «her» comes before «herself» every time, and in some collections
that is every time the right one. So the order is that of checksums.
"""

from __future__ import annotations

from hashlib import sha256

from horsesense.datasets.recovery import Journal
from horsesense.schema import Phrases

_ORDERED = "sentences-ordered"
ISSUES = {_ORDERED: "the sentences of each pair are put into the order of their checksums"}


def in_order(first: str, second: str) -> tuple[tuple[Phrases, Phrases], int]:
    """The sentences as options in the order of their SHA-256, and where the first came to stand.

    >>> in_order("Owls hide.", "Voles hide."), in_order("Voles hide.", "Owls hide.")[1]
    (((('Voles hide.',), ('Owls hide.',)), 1), 0)
    """
    is_first = _checksum(first) <= _checksum(second)
    return (((first,), (second,)), 0) if is_first else (((second,), (first,)), 1)


def tell_order(journal: Journal, odd: str) -> None:
    """Say once for the whole file that its sentences were put into order, and why."""
    journal.step(_ORDERED, 0, "", odd, "put into the order of their checksums")


def _checksum(sentence: str) -> bytes:
    # JSON may hold half a character, which is cleaned away later.
    return sha256(sentence.encode(errors="surrogatepass")).digest()
