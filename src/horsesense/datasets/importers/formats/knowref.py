"""KnowRef: mined sentences as a JSON list, and with switched candidates as TSV.

In JSON, the pronoun is in square brackets. `correct_candidate` names the right candidate;
`correct_candidate_idx` often points to the other one and is not used. Texts are tokenised and kept
so. There are no twins, and `oiginal_id` (sic) is not unique, so problems are numbered from 0, like
the question ids of the TSV. There, a row has both sentences, and twins share a `question_id`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import (
    REPAIRS,
    Companions,
    Format,
    fitted,
    numbered_label,
    read_rows,
    twins_by_key,
)
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.importers.substitutions import substitution
from horsesense.datasets.recovery import BY_MARK, SINGLES, Journal, RawEntry, RawProblem, Twins

INDEX_DISAGREES = "index-disagrees"
TWO_PRONOUNS = "two-pronouns"
SAME_CANDIDATE = "same-candidate"
SAME_REPAIR = {SAME_CANDIDATE: "a row that offers the same candidate twice is left out"}
_PRONOUN = re.compile(r"\[([^][]+)\]")
_LISTS = ("candidate0", "candidate1", "correct_candidate")
# Lists of one text, or a text by itself.
_OF_ONE = (*_LISTS, "original_sentence")
_FIELDS = ("sentence_with_pronoun", *_LISTS)
# Tags for the heuristic flags of the file.
_TAGS = {
    "is_pronoun_male": "pronoun-male",
    "is_pronoun_person": "pronoun-person",
    "is_pronoun_plural": "pronoun-plural",
    "is_agree_on_gender": "agree-on-gender",
    "is_agree_on_number": "agree-on-number",
    "is_agree_on_type": "agree-on-type",
}


def _looks_like(file: SourceFile) -> bool:
    return file.is_json_list and are_columns_of(file.first_object, _FIELDS)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    for number, (line, row) in enumerate(file.json_objects(journal)):
        name = str(number)
        row = row | {field: [row[field]] for field in _OF_ONE if isinstance(row.get(field), str)}
        if row.get("candidate0") == row.get("candidate1") is not None:
            odd = f"both candidates are {row['candidate0']}"
            if journal.repair(SAME_CANDIDATE, line, name, odd, "left out", left_out=1):
                continue
        try:
            yield _group(name, line, row, journal)
        except BadRow as error:
            journal.fault(BAD_ROW, line, name, str(error))


def _group(name: str, line: int, row: dict[str, Any], journal: Journal) -> RawEntry:
    raw_problem = fitted(_raw_problem(name, line, row, journal), journal)
    tags = [tag for flag, tag in _TAGS.items() if row.get(flag) is True]
    original = row.get("original_sentence")
    if original and original != [_PRONOUN.sub(r"\1", row["sentence_with_pronoun"])]:
        tags.append("renamed")
    extras = {}
    if type(number := row.get("oiginal_id")) is int:
        extras["x-original-id"] = str(number)
    return RawEntry(name, [raw_problem], tags=tuple(tags), extras=extras)


def _raw_problem(name: str, line: int, row: dict[str, Any], journal: Journal) -> RawProblem:
    (sentence,) = texts_of(row, "sentence_with_pronoun")
    candidates = [_only(row, field) for field in _LISTS]
    right = candidates.pop()
    if right not in candidates:
        raise BadRow(f"the right candidate {right!r} is not one of the two")
    if candidates[0] == candidates[1]:
        raise BadRow(f"both candidates are {right!r}; nothing is left to choose")
    position = candidates.index(right)
    pieces = _PRONOUN.split(sentence)
    texts, pronouns = tuple(pieces[::2]), pieces[1::2]
    if not 1 <= len(pronouns) <= 2:
        raise BadRow(f"{len(pronouns)} pronouns in brackets where one is expected")
    if len(pronouns) == 2:
        odd = f"{' and '.join(map(repr, pronouns))} stand in brackets"
        journal.oddity(TWO_PRONOUNS, line, name, odd, "the answer fills both places")
    if (index := row.get("correct_candidate_idx")) is not None and index != position:
        odd = f"'correct_candidate_idx' is {index!r}, but candidate{position} is the right one"
        journal.oddity(INDEX_DISAGREES, line, name, odd, "the right candidate's name is used")
    options = tuple((candidate,) * len(pronouns) for candidate in candidates)
    return RawProblem(name, line, texts, options, position, pronouns[0])


def _only(row: dict[str, Any], field: str) -> str:
    """The text of a field that is a list of one, or was a text by itself."""
    value = row.get(field)
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], str):
        raise BadRow(f"{field!r} is neither a string nor a list of one string")
    return value[0]


FORMAT = Format(
    name="knowref",
    title="KnowRef, JSON",
    looks_like=_looks_like,
    read=_read,
    twins=SINGLES,
    repairs={**REPAIRS, **SAME_REPAIR},
    issues={
        INDEX_DISAGREES: "the index of the right candidate contradicts its name; the name is used",
        TWO_PRONOUNS: "two pronouns are marked; the answer fills both places",
    },
)


BROKEN_SWITCH = "broken-switch"
_TSV_FIELDS = ("question_id", "source", "substitution0", "substitution1", "label")
_SWITCHED = "-switched"
# What the program that exchanged the candidates has left behind where one contains the other.
_LEFT_BEHIND = "####"


def _looks_like_tsv(file: SourceFile) -> bool:
    return are_columns_of(file.headings("\t"), _TSV_FIELDS)


def _read_tsv(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    seen: Counter[str] = Counter()
    sources: dict[str, str] = {}

    def read(line: int, row: dict[str, Any]) -> RawProblem | None:
        question, source, first, second, label = texts_of(row, *_TSV_FIELDS)
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
        return _raw_problem_tsv(name, line, first, second, label)

    raw_problems = read_rows(file.tsv_rows(journal), journal, read)
    for group in twins_by_key(
        (raw_problem.name.removesuffix(_SWITCHED), raw_problem) for raw_problem in raw_problems
    ):
        if source := sources[group.id].strip():
            group.extras["x-source"] = source
        yield group


def _raw_problem_tsv(name: str, line: int, first: str, second: str, label: str) -> RawProblem:
    phrases = substitution(first, second)
    if not phrases.first or not phrases.second:
        raise BadRow("the two sentences do not differ in a phrase that both have")
    texts, options = (phrases.before, phrases.after), ((phrases.first,), (phrases.second,))
    return RawProblem(name, line, texts, options, numbered_label(label, 2, first=0))


FORMAT_TSV = Format(
    name="knowref-tsv",
    title="KnowRef with switched candidates, TSV",
    looks_like=_looks_like_tsv,
    read=_read_tsv,
    twins=Twins(BY_MARK, "their question_id"),
    repairs=SAME_REPAIR,
    issues={BROKEN_SWITCH: "candidates were swapped wrongly; the sentence is kept as published"},
)
