"""KnowRef with switched candidates: a table of whole sentences, two rows for each question.

The first row has the published sentence, the second the same with its candidates exchanged; each
has the sentence twice, with either candidate in the pronoun's place. The place is not marked and
must be found by comparing. Possessive pronouns were replaced by plain names, which stays so.

As the two candidates change places and the answer with them, a question is a transposition schema.
The problems are not read as Winograd problems, for their schemas have one key placeholder only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import (
    Companions,
    Format,
    numbered_label,
    read_rows,
    twins_by_key,
)
from horsesense.datasets.importers.formats.knowref import SAME_CANDIDATE, SAME_REPAIR
from horsesense.datasets.importers.source import BadRow, SourceFile, texts_of
from horsesense.datasets.importers.substitutions import substitution
from horsesense.datasets.recovery import BY_MARK, Group, Journal, RawProblem, Twins

BROKEN_SWITCH = "broken-switch"
_FIELDS = ("question_id", "source", "substitution0", "substitution1", "label")
_SWITCHED = "-switched"
# What the program that exchanged the candidates has left behind where one contains the other.
_LEFT_BEHIND = "####"


def _looks_like(file: SourceFile) -> bool:
    return are_columns_of(file.headings("\t"), _FIELDS)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    seen: Counter[str] = Counter()
    sources: dict[str, str] = {}

    def read(line: int, row: dict[str, Any]) -> RawProblem | None:
        question, source, first, second, label = texts_of(row, *_FIELDS)
        seen[question] += 1
        if seen[question] > 2:
            raise BadRow(f"row {seen[question]} of question {question}; two are expected")
        sources[question] = source
        name = question if seen[question] == 1 else question + _SWITCHED
        if first == second and journal.repair(
            SAME_CANDIDATE, line, name, "both sentences are the same", "left out", left_out=1
        ):
            return None
        if _LEFT_BEHIND in first:
            journal.oddity(BROKEN_SWITCH, line, name, f"{_LEFT_BEHIND!r} in the sentence")
        return _found(name, line, first, second, label)

    found = read_rows(file.tsv_rows(journal), journal, read)
    for group in twins_by_key((one.name.removesuffix(_SWITCHED), one) for one in found):
        if source := sources[group.id].strip():
            group.extras["x-source"] = source
        yield group


def _found(name: str, line: int, first: str, second: str, label: str) -> RawProblem:
    place = substitution(first, second)
    if not place.first or not place.second:
        raise BadRow("the two sentences do not differ in a phrase that both have")
    texts, options = (place.before, place.after), ((place.first,), (place.second,))
    return RawProblem(name, line, texts, options, numbered_label(label, 2, first=0))


FORMAT = Format(
    name="knowref-tsv",
    title="KnowRef with switched candidates, TSV",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "their question_id"),
    repairs=SAME_REPAIR,
    issues={BROKEN_SWITCH: "candidates were exchanged wrongly; the sentence stays as published"},
)
