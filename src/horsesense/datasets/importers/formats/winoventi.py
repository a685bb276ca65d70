"""WinoVenti: a sentence with [MASK] and two words for it, one of which goes with its noun.

Each pair has two contexts: one in which the associated word is right, and an exception in which
the alternative is. The rows of a pair share their first five columns and are far apart, because
all generic rows come before all exceptions. The right word is always in the column `target`, so
the options are ordered by checksums. Problems are tagged `generic` or `exception`. Some
contexts bring a space that stands before a full stop in one row of the pair only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format, twins_by_key
from horsesense.datasets.importers.formats.minimal_pairs import in_order
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import BY_MARK, Journal, RawEntry, RawProblem, Twins

_ORDERED, _SPACE = "options-ordered", "space-before-stop"
_PAIR = (
    "Word",
    "Associative Bias",
    "Alternative",
    "biased_word_context",
    "adversarial_word_context",
)
_ROW = ("masked_prompt", "target", "incorrect", "test_type")
_MASK = "[MASK]"
_BEFORE_STOP = re.compile(r" +(?=[.,;!?](?:\s|$))")
_TYPES = {"1": "generic", "2": "exception"}


def _looks_like(file: SourceFile) -> bool:
    return are_columns_of(file.headings("\t"), (*_PAIR, *_ROW))


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    odd, done = "the right option always comes first", "put into the order of checksums"
    journal.step(_ORDERED, 0, "", odd, done)
    keyed: list[tuple[str, RawProblem]] = []
    words: dict[str, str] = {}
    for number, (line, row) in enumerate(file.tsv_rows(journal), start=1):
        try:
            pair = "\t".join(texts_of(row, *_PAIR))
            raw_problem = _raw_problem(journal, str(number), line, row, pair)
        except BadRow as error:
            journal.fault(BAD_ROW, line, str(number), str(error))
            continue
        keyed.append((pair, raw_problem))
        words[raw_problem.name] = row[_PAIR[0]]
    groups = list(twins_by_key(keyed))
    for group in groups:
        group.id = group.problems[0].name
        group.extras = {"x-word": words[group.id]}
    return groups


def _raw_problem(
    journal: Journal, name: str, line: int, row: dict[str, Any], pair: str
) -> RawProblem:
    prompt, target, incorrect, test_type = texts_of(row, *_ROW)
    repaired = _BEFORE_STOP.sub("", prompt)
    if repaired != prompt and journal.repair(_SPACE, line, name, "a space", "removed"):
        prompt = repaired
    texts = tuple(prompt.split(_MASK))
    if len(texts) != 2:
        raise BadRow(f"{len(texts) - 1} blanks {_MASK} where one is expected")
    if test_type not in _TYPES:
        raise BadRow(f"test_type is {test_type!r}, neither {' nor '.join(_TYPES)}")
    # Words such as «edible» are often the associated one, so a word alone must not decide.
    _, right = in_order(f"{pair}\t{target}", f"{pair}\t{incorrect}")
    options = ((target,), (incorrect,)) if right == 0 else ((incorrect,), (target,))
    return RawProblem(name, line, texts, options, right, tags=(_TYPES[test_type],))


FORMAT = Format(
    name="winoventi",
    title="WinoVenti, tab-separated",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "the five columns that the rows of a pair share"),
    repairs={_SPACE: "a space before a full stop or comma is removed"},
    issues={_ORDERED: "the options of a pair are sorted by their checksums"},
)
