"""The perturbed WSC of Abdou et al., JSON lines: one file for each perturbation.

Rows are those of WinoGrande in lower case, twins by `pair_number`. `qID` is `q`, a digit for
the perturbation, and the number of the problem in the WSC, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.formats.perturbed_wordings import OWNED
from horsesense.datasets.importers.formats.perturbed_wsc import (
    FLAGS,
    FLAGS_DIFFER,
    ROW_271,
    check_flags,
    set_flags,
)
from horsesense.datasets.importers.formats.winogrande import FIELDS, LABEL, read_option_row
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import BY_MARK, Group, Journal, RawProblem, Twins
from horsesense.schema import possessive

MISPLACED, UNANNOTATED = "misplaced-gap", "unannotated-flags"
_PAIR = "pair_number"
_ID = re.compile(r"q([0-7])(\d{1,3})")
PERTURBATIONS = (
    "original",
    "voice",
    "tense",
    "number",
    "gender",
    "relative-clause",
    "synonym",
    "adverb",
)
# In these the gap stands for the first of two pronouns; it belongs where the second last occurs.
_PRONOUNS = {
    **dict.fromkeys(("q0270", "q2270", "q5269", "q5270", "q6270", "q7270"), ("her", "her")),
    **dict.fromkeys(("q586", "q587", "q5160", "q5161"), ("it", "it")),
    **dict.fromkeys(("q3160", "q3161"), ("they", "they")),
    **dict.fromkeys(("q3220", "q3221", "q3273", "q3274"), ("they", "their")),
    "q4270": ("his", "his"),
    "q5249": ("she", "she"),
    "q5254": ("he", "he"),
}
# The problems whose pronoun is possessive, which the answers do not show.
_POSSESSIVE = frozenset(
    (208, 209, *range(216, 222), *range(228, 238), *range(240, 246), 269, 270, *range(273, 277))
)
_FAULTY, _FAULTY_PAIR = 270, 134
# Nobody annotated the problems that came to the WSC later; the files say 0 there.
_ANNOTATED = 273


def _looks_like(file: SourceFile) -> bool:
    needed = (*FIELDS, _PAIR)
    return not file.is_json_list and are_columns_of(file.first_object, needed, answer=LABEL)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    groups: dict[str, Group] = {}
    rows: dict[str, list[Mapping[str, object]]] = {}
    for line, row in file.json_lines(journal):
        try:
            found = read_option_row(line, row)
            check_flags(row)
            pair = row.get(_PAIR)
            if isinstance(pair, bool) or not isinstance(pair, int):
                raise BadRow(f"the pair_number {pair!r} is no number")
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        perturbation, number = _from_id(found.name)
        found = _mended(found, perturbation, number, pair, journal)
        tags = (perturbation,) if perturbation else ()
        groups.setdefault(str(pair), Group(str(pair), [], tags=tags)).found.append(found)
        rows.setdefault(str(pair), []).append(_flags(row, found, number, journal))
    for name, group in groups.items():
        set_flags(group, rows[name], journal)
    return groups.values()


def _from_id(name: str) -> tuple[str, int]:
    """The perturbation and the number of the problem in the WSC, from 0; or neither."""
    parts = _ID.fullmatch(name)
    return (PERTURBATIONS[int(parts[1])], int(parts[2])) if parts else ("", -1)


def _mended(
    found: RawProblem, perturbation: str, number: int, pair: int, journal: Journal
) -> RawProblem:
    """The problem with its gap in the right place, its answers made to fit, and its label right."""
    texts = _with_gap_moved(found)
    is_placed = texts is None
    if texts is not None:
        odd, done = "the gap is at another pronoun", "put where it belongs"
        if is_placed := journal.repair(MISPLACED, found.line, found.name, odd, done):
            found = found._replace(texts=texts)
    if number in _POSSESSIVE and is_placed:
        odd, done = "the gap stands for a possessive pronoun", "the answers are possessive too"
        if journal.repair(OWNED, found.line, found.name, odd, done):
            owner = "their" if perturbation == "number" else "his"
            options = tuple((possessive(phrase, owner),) for (phrase,) in found.options)
            found = found._replace(options=options)
    if (number, pair, found.right) == (_FAULTY, _FAULTY_PAIR, 0):
        odd, done = "the WSC's answer is not the first", "the second"
        if journal.repair(ROW_271, found.line, found.name, odd, done):
            found = found._replace(right=1)
    return found


def _with_gap_moved(found: RawProblem) -> tuple[str, str] | None:
    """The texts around the place of the pronoun, where the gap is known to be elsewhere."""
    mistaken, pronoun = _PRONOUNS.get(found.name, ("", ""))
    before, is_there, after = found.texts[1].rpartition(f" {pronoun} ")
    if not pronoun or not is_there:
        return None
    return f"{found.texts[0]}{mistaken}{before} ", f" {after}"


def _flags(
    row: dict[str, Any], found: RawProblem, number: int, journal: Journal
) -> Mapping[str, object]:
    """What the row says of the problem, unless it says so without knowing."""
    if number >= _ANNOTATED and any(row.get(name) == 0 for name in FLAGS):
        odd, done = "0 for a problem that nobody has annotated", "left open"
        if journal.repair(UNANNOTATED, found.line, found.name, odd, done):
            return {}
    return row


FORMAT = Format(
    name="perturbed-wsc-jsonl",
    title="the perturbed WSC of Abdou et al., JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "their pair_number"),
    repairs={
        MISPLACED: "a gap that stands for another pronoun is moved",
        OWNED: "answers are made possessive where the pronoun was",
        ROW_271: "problem 271 gets the WSC's answer",
        UNANNOTATED: "flags of the last twelve problems, never annotated, are left open",
    },
    issues={FLAGS_DIFFER: "the problems of a schema are flagged differently"},
)
