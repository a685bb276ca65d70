"""Minimal pairs: BLiMP (JSON lines) and CrowS-Pairs (CSV).

Both list the same sentence first in every pair, so the sentences are ordered by their checksums.

CrowS-Pairs measures whether a model prefers stereotypes; neither sentence is right, so its pairs
are unlabelled. The field `x-more` has the number of the more stereotypical sentence, 1 or 2. Tags
are the kind of bias, and whether the pair shows a stereotype or an anti-stereotype. Annotations
are not kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format, fit_id, fit_tag
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import SINGLES, Journal, RawEntry, RawProblem
from horsesense.schema import Phrases

_ORDERED = "sentences-ordered"
ISSUES = {_ORDERED: "the sentences of each pair are sorted by their checksums"}


def in_order(first: str, second: str) -> tuple[tuple[Phrases, Phrases], int]:
    """The sentences as options in the order of their SHA-256, and where the first came to stand.

    >>> in_order("Owls hide.", "Voles hide."), in_order("Voles hide.", "Owls hide.")[1]
    (((('Voles hide.',), ('Owls hide.',)), 1), 0)
    """
    is_first = _checksum(first) <= _checksum(second)
    return (((first,), (second,)), 0) if is_first else (((second,), (first,)), 1)


def report_order(journal: Journal, odd: str) -> None:
    """Say once for the whole file that its sentences were put into order, and why."""
    journal.step(_ORDERED, 0, "", odd, "put into the order of their checksums")


def _checksum(sentence: str) -> bytes:
    # JSON may hold half a character, which is cleaned away later.
    return sha256(sentence.encode(errors="surrogatepass")).digest()


_FIELDS = ("sentence_good", "sentence_bad", "UID", "pairID")
_TAGS = ("field", "linguistics_term", "UID")


def _looks_like(file: SourceFile) -> bool:
    return not file.is_json_list and are_columns_of(file.first_object, _FIELDS)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    report_order(journal, "`sentence_good` comes before `sentence_bad`")
    for line, row in file.json_lines(journal):
        try:
            yield _group(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))


def _group(line: int, row: dict[str, Any]) -> RawEntry:
    good, bad, uid, pair = texts_of(row, *_FIELDS)
    options, right = in_order(good, bad)
    name = fit_id(f"{uid}-{pair}")
    tags = (fit_tag(row[tag]) for tag in _TAGS if isinstance(row.get(tag), str))
    return RawEntry(
        id=name,
        problems=[RawProblem(name, line, ("", ""), options, right)],
        tags=tuple(dict.fromkeys(filter(None, tags))),
    )


FORMAT_BLIMP = Format(
    name="blimp",
    title="BLiMP, JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=SINGLES,
    issues=ISSUES,
)


MORE = "x-more"
_FIELDS_CROWS_PAIRS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
_DIRECTIONS = ("stereo", "antistereo")
# The column of the row's number has no heading.
_NUMBER = ""


def _looks_like_crows(file: SourceFile) -> bool:
    return are_columns_of(file.headings(","), (_NUMBER, *_FIELDS_CROWS_PAIRS))


def _read_crows(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    report_order(journal, "`sent_more` comes before `sent_less`")
    for line, row in file.csv_rows(journal):
        try:
            yield _group_crows_pairs(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, row.get(_NUMBER, ""), str(error))


def _group_crows_pairs(line: int, row: dict[str, str]) -> RawEntry:
    number, more, less, direction, bias = texts_of(row, _NUMBER, *_FIELDS_CROWS_PAIRS)
    if direction not in _DIRECTIONS:
        raise BadRow(f"{direction!r} is neither {' nor '.join(_DIRECTIONS)}")
    tag = fit_tag(bias)
    if not tag:
        raise BadRow("no bias_type")
    options, place = in_order(more, less)
    name = fit_id(number)
    return RawEntry(
        id=name,
        problems=[RawProblem(name, line, ("", ""), options, None)],
        tags=(tag, direction),
        extras={MORE: str(place + 1)},
    )


FORMAT_CROWS_PAIRS = Format(
    name="crows-pairs",
    title="CrowS-Pairs, CSV",
    looks_like=_looks_like_crows,
    read=_read_crows,
    twins=SINGLES,
    issues=ISSUES,
)
