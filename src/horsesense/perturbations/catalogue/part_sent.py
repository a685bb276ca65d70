"""Part of the sentence: a control that keeps only the clause with the blank (Elazar et al.).

The sentence is split at the last punctuation or discourse marker before the blank. What the
authors have published for WinoGrande is what follows the marker, to the end of the text, with the
first word as it was; the example in their paper keeps the marker. Both can be had.
"""

from __future__ import annotations

import re

from horsesense.perturbations.catalogue.cutting import as_it_stands, cut_before, with_capital
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
from horsesense.schema import Entry, starts_sentence

CAPITAL, LOWER = "capital", "lower"
KEPT, DROPPED = "kept", "dropped"

# The full stop is missing in their footnote and in use in what they have published. So is it that
# a marker with a capital does not count; the mark before it does. Inside a number nothing is split.
_MARKER = re.compile(
    r"(?<![\w'’-])(?P<word>so|but|and|because|although|though|due|since)(?![\w'’-])"
    r"|[:;,](?=\s)"
    r"|(?P<end>[.?!…])[\"'”’)\]]*(?=\s)"
)


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    is_kept = settings["marker"] == KEPT
    removed: list[str] = []

    def find_start(rendering: Rendering, blank: int) -> int:
        marker = last_marker(rendering, blank)
        if marker is None:
            return 0
        removed.append(marker[0])
        return marker.start() if is_kept and marker["word"] else marker.end()

    if settings["start"] == LOWER:
        grid = cut_before(as_it_stands(entry.grid), find_start)
    else:
        grid = with_capital(cut_before(entry.grid, find_start))
    return Rewriting(grid, "split at " + ", ".join(dict.fromkeys(removed)), Voucher.RULE)


def last_marker(rendering: Rendering, blank: int) -> re.Match[str] | None:
    """The last marker before the blank that is not part of a candidate."""
    candidates = rendering.pieces("candidate")
    markers = [
        marker
        for marker in _MARKER.finditer(rendering.text, 0, blank)
        if not any(candidate.start <= marker.start() < candidate.end for candidate in candidates)
        and not (marker["end"] and not starts_sentence(rendering.text[: marker.end()]))
    ]
    return markers[-1] if markers else None


PART_SENT = Transformation(
    name="part-sent",
    version=1,
    title="only the part of the sentence with the blank",
    source="Elazar et al. 2021, section 5; thesis 2.9.4",
    level=Level.PROBLEM,
    touches=EVERYTHING,
    precondition="punctuation or one of the words so, but, and, because, although, though, due and "
    "since before the blank, and the key phrases behind it",
    not_for="a sentence that has no such place, or its key phrases before it",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the answer without knowing what happened; if it does, the clause "
    "with the blank is tied to one of the answers by mere association",
    example="[The kettle] would not fit under [the tap] because <it = the kettle, the tap> was too "
    "{tall, low}.\n",
    rewrite=_rewrite,
    parameters=(
        Parameter("marker", KEPT, "whether the word at which it is split stays", (KEPT, DROPPED)),
        Parameter(
            "start",
            CAPITAL,
            "whether the part gets a capital, or begins as it did in the sentence",
            (CAPITAL, LOWER),
        ),
    ),
)
