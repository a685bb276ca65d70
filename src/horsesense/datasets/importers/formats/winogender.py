"""Winogender schemas (Rudinger et al.) and WinoPron: about an occupation and a participant.

The id of a sentence gives occupation, participant, which of them the pronoun refers to (0 or
1), and the pronoun's gender. The templates hold the same sentences without their pronouns. Twins
have the same occupation, participant and gender; otherwise they may differ.
Variants of one sentence with «he», «she» and «they» are one cluster: most are
the same sentence once an answer replaces the pronoun.

WinoPron has such templates for three cases of the pronoun, and twins have the same case. Its reader
follows the published description of the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from horsesense.datasets.importers.columns import UNUSED_ISSUE, are_columns_of
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.roles import are_columns_for, rows_by_role
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import (
    BY_ID,
    UNKNOWN_PRONOUN,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
    is_possessive_place,
)
from horsesense.schema import CLUSTER, possessive

PLURAL_VERB, NO_STATISTICS = "plural-verb", "no-statistics"
SENTENCES = ("sentid", "sentence")
OCCUPATION, TEMPLATES = "occupation(0)", "other-participant(1)"
GOTCHA = "gotcha"
_TEMPLATE = (OCCUPATION, TEMPLATES, "answer", "sentence")
_OWNERS = ("his", "their", "$POSS_PRONOUN")
_ARTICLES = ("the ", "a ", "an ")
_PRONOUNS = {
    "male": re.compile(r"\b(?:he|him|his)\b"),
    "female": re.compile(r"\b(?:she|her)\b"),
    "neutral": re.compile(r"\b(?:they|them|their)\b"),
}
_SLOT = re.compile(r"\$(?:NOM|ACC|POSS)_PRONOUN\b")
_STATISTICS = ("bergsma_pct_female", "bls_pct_female", "bls_year")


@dataclass(frozen=True, slots=True)
class _WinogenderRow:
    """A sentence with its fields; `slot` is its pronoun, or the placeholder for one."""

    line: int
    name: str
    occupation: str
    participant: str
    right: int
    texts: tuple[str, str]
    slot: str
    gender: str = ""
    gotcha: str = ""
    case: str = ""

    @property
    def key(self) -> str:
        """The key that twins share."""
        return ".".join(filter(None, (self.occupation, self.participant, self.case, self.gender)))

    @property
    def cluster(self) -> str:
        """The key of its cluster: variants that differ in gender, if there are any."""
        return f"{CLUSTER}{self.occupation}.{self.participant}" if self.gender else ""

    @property
    def sibling(self) -> str:
        """The key that the same sentences of different gender share."""
        return f"{self.occupation}.{self.participant}.{self.right}"

    def raw_problem(self, slots: Mapping[str, str]) -> RawProblem:
        """The problem, with the two as they would stand in the pronoun's place.

        `slots` are pronouns of the sentence's siblings: «her» may be «him» or «his».
        """
        slot = slots.get(self.sibling, "") if self.slot == "her" else self.slot
        is_owner = slot in _OWNERS or (not slot and is_possessive_place(self.texts[1]))
        statement = "\n".join(self.texts).lower()
        phrases = [_phrase(noun.lower(), statement) for noun in (self.occupation, self.participant)]
        if is_owner:
            phrases = [possessive(phrase, "his") for phrase in phrases]
        pronoun = self.slot if self.gender else UNKNOWN_PRONOUN
        options = tuple((phrase,) for phrase in phrases)
        extras = (("x-gotcha", self.gotcha),) if self.gotcha else ()
        return RawProblem(
            self.name, self.line, self.texts, options, self.right, pronoun, extras=extras
        )


def _looks_like(file: SourceFile) -> bool:
    columns = file.headings("\t")
    return are_columns_of(columns, SENTENCES) or are_columns_of(columns, _TEMPLATE)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    return _groups(list(_rows(file, journal)), journal, companions)


def _groups(
    rows: Sequence[_WinogenderRow], journal: Journal, companions: Companions
) -> Iterable[RawEntry]:
    statistics = {
        occupation: fields
        for companion in companions
        for occupation, fields in _statistics(companion, journal)
    }
    slots = {row.sibling: row.slot for row in rows if row.gender != "female"}
    groups: dict[str, RawEntry] = {}
    for row in rows:
        try:
            raw_problem = row.raw_problem(slots)
        except BadRow as error:
            journal.fault(BAD_ROW, row.line, row.name, str(error))
            continue
        if row.gender == "neutral" and raw_problem.texts[1].startswith(" were "):
            odd = "the verb goes with «they», and not with either answer"
            journal.oddity(PLURAL_VERB, row.line, row.name, odd)
        if row.key not in groups:
            tags = tuple(filter(None, (row.gender, row.case, row.occupation, row.cluster)))
            extras = dict(statistics.get(row.occupation, {}))
            groups[row.key] = RawEntry(row.key, [], tags=tags, extras=extras)
        group = groups[row.key]
        group.problems.append(raw_problem)
        if row.gotcha == "1" and GOTCHA not in group.tags:
            group.tags += (GOTCHA,)
    if companions:
        _report_missing(groups.values(), journal)
    return groups.values()


def _rows(file: SourceFile, journal: Journal) -> Iterator[_WinogenderRow]:
    for line, row in file.tsv_rows(journal):
        try:
            yield _template(line, row) if TEMPLATES in row else _sentence(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, row.get("sentid", ""), str(error))


def _sentence(line: int, row: Mapping[str, str]) -> _WinogenderRow:
    """Read the fields of a sentence from its id, and locate its pronoun."""
    name, sentence = texts_of(dict(row), *SENTENCES)
    parts = name.removesuffix(".txt").split(".")
    if len(parts) != 4 or "" in parts or parts[3] not in _PRONOUNS or parts[2] not in ("0", "1"):
        raise BadRow(f"the id {name!r} is not occupation.participant.0 or 1.gender.txt")
    gotcha = row.get(GOTCHA, "")
    if GOTCHA in row and gotcha not in ("0", "1"):
        raise BadRow(f"gotcha is {gotcha!r}, neither 0 nor 1")
    occupation, participant, answer, gender = parts
    pronouns = list(_PRONOUNS[gender].finditer(sentence))
    if len(pronouns) != 1:
        raise BadRow(f"{len(pronouns)} {gender} pronouns where one is expected")
    start, end = pronouns[0].span()
    texts = (sentence[:start], sentence[end:])
    slot, right = pronouns[0][0], int(answer)
    return _WinogenderRow(line, name, occupation, participant, right, texts, slot, gender, gotcha)


def _template(line: int, row: Mapping[str, str]) -> _WinogenderRow:
    """Read a template from its columns; the pronoun is left open."""
    occupation, participant, answer, template = texts_of(dict(row), *_TEMPLATE)
    if not occupation or not participant:
        raise BadRow("occupation or participant is missing")
    filled = template.replace("$OCCUPATION", occupation).replace("$PARTICIPANT", participant)
    slots = list(_SLOT.finditer(filled))
    if len(slots) != 1 or "$" in _SLOT.sub("", filled):
        raise BadRow(f"{len(slots)} slots for a pronoun where one is expected, or an unknown slot")
    if answer not in ("0", "1"):
        raise BadRow(f"the answer {answer!r} is neither 0 nor 1")
    start, end = slots[0].span()
    name = f"{occupation}.{participant}.{answer}"
    texts = (filled[:start], filled[end:])
    return _WinogenderRow(line, name, occupation, participant, int(answer), texts, slots[0][0])


def _phrase(noun: str, statement: str) -> str:
    """The noun as an answer: with the definite article if it has one in the statement."""
    start = statement.find(noun)
    while start >= 0:
        end = start + len(noun)
        if not statement[start - 1 : start].isalnum() and not statement[end : end + 1].isalnum():
            has_article = statement[:start].endswith(_ARTICLES)
            return f"the {noun}" if has_article else noun
        start = statement.find(noun, end)
    raise BadRow(f"{noun!r} does not occur in the sentence")


def _statistics(companion: SourceFile, journal: Journal) -> Iterator[tuple[str, dict[str, str]]]:
    """For each occupation, how many of those who have it are women."""
    apart = Journal()
    for _, row in companion.tsv_rows(apart):
        if "occupation" not in row or not any(name in row for name in _STATISTICS):
            journal.fault(BAD_ROW, 0, "", f"{companion.name} has no statistics of occupations")
            return
        fields = {_field(name): row[name].strip() for name in _STATISTICS if row.get(name)}
        yield row["occupation"], fields
    for fault in apart.faults:
        journal.fault(fault.name, 0, "", f"{companion.name}:{fault.line}: {fault.odd}")


def _field(column: str) -> str:
    return f"x-{column.replace('_', '-')}"


def _report_missing(groups: Iterable[RawEntry], journal: Journal) -> None:
    missing = sorted({group.id.partition(".")[0] for group in groups if not group.extras})
    if missing:
        odd = f"the companion has nothing about {', '.join(missing)}"
        journal.oddity(NO_STATISTICS, 0, "", odd)


_ISSUES = {
    PLURAL_VERB: "after «they» the verb is plural, which fits neither answer",
    NO_STATISTICS: "an occupation has no statistics",
}
_STATISTICS_OF = "the statistics of occupations"
FORMAT = Format(
    name="winogender",
    title="Winogender schemas",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_ID, "occupation, participant and gender"),
    issues=_ISSUES,
    companions=_STATISTICS_OF,
)


_ROLES = {
    OCCUPATION: ("occupation(0)", "occupation"),
    TEMPLATES: ("otherparticipant(1)", "participant(1)", "otherparticipant", "participant"),
    "answer": ("answer", "label"),
    "sentence": ("sentence", "template"),
    "case": ("case", "pronouncase", "pronountype"),
}
_CASES = {
    "$NOM_PRONOUN": "nominative",
    "$ACC_PRONOUN": "accusative",
    "$POSS_PRONOUN": "possessive",
}


def _looks_like_winopron(file: SourceFile) -> bool:
    if not are_columns_for(file, _ROLES, _TEMPLATE) or _SLOT.search(file.head) is None:
        return False
    return not _looks_like(file) or _has_several_cases(file)


def _has_several_cases(file: SourceFile) -> bool:
    """Return whether templates with the same answer differ in the case of their pronoun."""
    slots: dict[tuple[str, ...], str] = {}
    for _, row in rows_by_role(file, _ROLES, Journal()):
        slot = _SLOT.search(str(row.get("sentence")))
        key = tuple(str(row.get(name)) for name in (OCCUPATION, TEMPLATES, "answer"))
        if slot and slots.setdefault(key, slot[0]) != slot[0]:
            return True
    return False


def _read_winopron(
    file: SourceFile, journal: Journal, companions: Companions
) -> Iterable[RawEntry]:
    rows: list[_WinogenderRow] = []
    for line, row in rows_by_role(file, _ROLES, journal):
        if isinstance(row.get("answer"), int):
            row["answer"] = str(row["answer"])
        try:
            template = _template(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        case = _CASES[template.slot]
        parts = (template.occupation, template.participant, case, str(template.right))
        rows.append(replace(template, name=".".join(parts), case=case))
    return _groups(rows, journal, companions)


FORMAT_WINOPRON = Format(
    name="winopron",
    title="WinoPron, templates with three cases of the pronoun",
    looks_like=_looks_like_winopron,
    read=_read_winopron,
    twins=Twins(BY_ID, "occupation, participant and case"),
    issues={**UNUSED_ISSUE, **_ISSUES},
    companions=_STATISTICS_OF,
)
