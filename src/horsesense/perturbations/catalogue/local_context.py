"""Local context: a control that keeps a few words before the blank and all after it.

Sakaguchi et al. call it «local context only», and keep two words.
"""

from __future__ import annotations

import re

from horsesense.errors import HorsesenseError
from horsesense.perturbations.catalogue.cutting import cut_before, with_capital
from horsesense.perturbations.rewriting import Rendering
from horsesense.perturbations.transformation import (
    EVERYTHING,
    Level,
    Parameter,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Transformation,
    Voucher,
)
from horsesense.schema import Entry

_WORD = re.compile(r"\S+")


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    words = _number(settings["words"])

    def find_start(rendering: Rendering, blank: int) -> int:
        return start_of_last_words(rendering.text[:blank], words)

    grid = with_capital(cut_before(entry.grid, find_start))
    return Rewriting(grid, f"{words} words before the blank kept", Voucher.RULE)


def start_of_last_words(text: str, count: int) -> int:
    """The position where the last `count` words begin; text touching its end is included.

    >>> [start_of_last_words("up and away (", count) for count in (0, 2, 9)]
    [12, 3, 0]
    """
    starts = [word.start() for word in _WORD.finditer(text)]
    needed = count + (text[-1:] not in ("", " "))
    if needed > len(starts):
        return 0
    return starts[-needed] if needed else len(text)


def _number(value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 5):
        raise HorsesenseError(f"{value!r} is not a number of words; write 2, for instance")
    return int(value)


LOCAL_CONTEXT = Transformation(
    name="local-context",
    version=1,
    title="only the words around the blank",
    source="Sakaguchi et al. 2020, section 4.1",
    level=Level.PROBLEM,
    touches=EVERYTHING,
    precondition="more than so many words before the blank, and the key phrases not among those "
    "that go",
    not_for="a key phrase that stands before those words, a blank too near the start",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the answer from the words right before and after the blank; if it "
    "does, they are tied to one of the answers by mere association",
    example="[The moth] kept flying at [the lamp] that night because <it = the moth, the lamp> was "
    "so {dazed, bright}.\n",
    rewrite=_rewrite,
    parameters=(Parameter("words", "2", "how many words before the blank are kept"),),
)
