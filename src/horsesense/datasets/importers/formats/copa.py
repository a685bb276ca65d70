"""COPA, Balanced COPA and BCOPA-CE in XML, and COPA in the JSON lines of SuperGLUE.

Premise and alternative become one sentence, joined by `because` or `so`. Which words are names,
and keep their capital, is inferred from all texts of the file. In XML, twins have ids 1000 or 500
apart. In SuperGLUE, `idx` counts from 0 in each file; the test file has no labels and begins with
item 501 of the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format, fit_tag, numbered_label
from horsesense.datasets.importers.safe_xml import Element, parse_xml
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import (
    BY_ID,
    SINGLES,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
    trimmed,
)
from horsesense.errors import FileError
from horsesense.schema import (
    decapitalise,
    ends_sentence,
    is_finished_text,
    names_inside,
    opens_sentences,
    without_full_stop,
)

CONNECTIVES = {"cause": "because", "effect": "so"}
COMPANIONS = 'a list of ids for each subset: {"easy": [501, …], "hard": […]}'

_FULL_STOP, _OPEN_PREMISE = "missing-full-stop", "open-premise"
_POSSIBLE_NAME, _UNKNOWN_IDS = "possible-name", "unknown-ids"
REPAIRS = {_FULL_STOP: "a full stop is added to an alternative that has none"}
ISSUES = {
    _OPEN_PREMISE: "the premise does not end in a full stop",
    _POSSIBLE_NAME: "the first word of an alternative was lower-cased, but might be a name",
    _UNKNOWN_IDS: "ids of a companion do not occur in the file",
}
_LOWER_WORD = re.compile(r"\b[^\W\d_A-Z]\w*")


@dataclass(frozen=True, slots=True)
class Item:
    """A premise, its alternatives, and whether the question is about the cause or the effect."""

    name: str
    line: int
    premise: str
    alternatives: tuple[str, str]
    question: str
    right: int | None

    @property
    def texts(self) -> tuple[str, str, str]:
        """Premise and alternatives."""
        return (self.premise, *self.alternatives)


def make_item(name: str, line: int, texts: Iterable[str], question: str, right: int | None) -> Item:
    """The item, if nothing of it is missing."""
    if question not in CONNECTIVES:
        raise BadRow(f"the question is {question!r}, which is neither cause nor effect")
    premise, first, second = texts
    if not (premise.strip() and first.strip() and second.strip()):
        raise BadRow("the premise or an alternative is empty")
    return Item(name, line, premise, (first, second), question, right)


def raw_problems_of(items: Iterable[Item], journal: Journal) -> list[tuple[Item, RawProblem]]:
    """The problems; which words are names is taken from all of them together."""
    clean = []
    for item in items:
        clean.append(_trimmed(item, journal))
        if not all(clean[-1].texts):
            journal.fault(BAD_ROW, item.line, item.name, "the premise or an alternative is empty")
            clean.pop()
    texts = [text for item in clean for text in item.texts]
    common = frozenset(_LOWER_WORD.findall("\n".join(texts)))
    names = {name for text in texts for name in names_inside(text)}
    spelling = _Spelling(journal, common, frozenset(names))
    return [(item, _raw_problem(item, spelling)) for item in clean]


def subset_tags(
    companions: Companions, ids: Iterable[str], journal: Journal
) -> dict[str, tuple[str, ...]]:
    """By id, the subsets that it belongs to; ids that the file does not have are reported."""
    tags: dict[str, tuple[str, ...]] = {}
    for companion in companions:
        for subset, number in _members(companion.name, companion.json()):
            tags[number] = (*tags.get(number, ()), subset)
    if unknown := len(tags.keys() - set(ids)):
        journal.oddity(_UNKNOWN_IDS, 0, "", f"{unknown} ids that the file does not have", "")
    return tags


def _members(name: str, subsets: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(subsets, dict):
        raise FileError(f"{name}: not a JSON object with a list of ids for each subset")
    for subset, members in subsets.items():
        if not isinstance(members, list) or not fit_tag(subset):
            raise FileError(f"{name}: {subset!r} is not the name of a list of ids")
        yield from ((fit_tag(subset), str(member)) for member in dict.fromkeys(map(str, members)))


def _trimmed(item: Item, journal: Journal) -> Item:
    def step(name: str) -> None:
        journal.step(name, item.line, item.name, "", "cleaned")

    premise, first, second = (trimmed(text, step) for text in item.texts)
    return Item(item.name, item.line, premise, (first, second), item.question, item.right)


@dataclass(frozen=True, slots=True)
class _Spelling:
    """Words that the file writes in lower case, and names it writes inside sentences."""

    journal: Journal
    common: frozenset[str]
    names: frozenset[str]

    def lead(self, item: Item) -> str:
        """The premise up to the blank."""
        premise, connective = item.premise, CONNECTIVES[item.question]
        bare = without_full_stop(premise)
        if bare != premise:
            return f"{bare} {connective} "
        if ends_sentence(premise):
            self._report_open(item, f"a new sentence begins with {connective.capitalize()!r}")
            return f"{premise} {connective.capitalize()} "
        if not is_finished_text(premise):  # the full stop of an abbreviation is part of it
            self._report_open(item, "")
        return f"{premise} {connective} "

    def clause(self, item: Item, alternative: str) -> str:
        """The alternative as it stands in the blank."""
        if not is_finished_text(alternative):
            done = "a full stop added"
            if self.journal.repair(_FULL_STOP, item.line, item.name, repr(alternative), done):
                alternative += "."
        first, space, rest = alternative.partition(" ")
        if opens_sentences(first) or first.lower() in self.common:
            return decapitalise(first) + space + rest
        clause = decapitalise(alternative, self.names)
        # A word that the file has in the singular is no name in the plural.
        if clause != alternative and first.lower().removesuffix("s") not in self.common:
            odd = f"{first!r} may be a name"
            self.journal.oddity(_POSSIBLE_NAME, item.line, item.name, odd, "lowered")
        return clause

    def _report_open(self, item: Item, done: str) -> None:
        odd = f"the premise ends in {item.premise[-1]!r}"
        self.journal.oddity(_OPEN_PREMISE, item.line, item.name, odd, done)


def _raw_problem(item: Item, spelling: _Spelling) -> RawProblem:
    first, second = (spelling.clause(item, alternative) for alternative in item.alternatives)
    texts = (spelling.lead(item), "")
    return RawProblem(item.name, item.line, texts, ((first,), (second,)), item.right)


_ROOT = "copa-corpus"
_SAME_TWIN = "same-twin"
_NUMBER = re.compile("[0-9]{1,9}")
# How far the ids of twins lie apart: in Balanced COPA, and in BCOPA-CE.
_DISTANCES = (1000, 500)


def _looks_like(file: SourceFile) -> bool:
    return f"<{_ROOT}" in file.head


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    root = parse_xml(file.name, file.data)
    if root.tag != _ROOT:
        raise FileError(f"{file.name}:{root.line}: {root.tag!r} where {_ROOT!r} is expected")
    pairs = raw_problems_of(_items(root, journal), journal)
    subsets = subset_tags(companions, [item.name for item, _ in pairs], journal)
    groups: dict[str, RawEntry] = {}
    first_of = _first_twins([raw_problem for _, raw_problem in pairs], journal)
    for item, raw_problem in pairs:
        first = first_of[raw_problem.name]
        group = groups.setdefault(first, RawEntry(first, []))
        tags = dict.fromkeys((item.question, *subsets.get(item.name, ())))
        group.problems.append(raw_problem._replace(tags=tuple(tags)))
    return groups.values()


def _items(root: Element, journal: Journal) -> Iterator[Item]:
    for element in root.children:
        try:
            yield _item(element)
        except BadRow as error:
            journal.fault(BAD_ROW, element.line, element.attributes.get("id", ""), str(error))


def _item(element: Element) -> Item:
    if element.tag != "item":
        raise BadRow(f"{element.tag!r} where an item is expected")
    texts = []
    for tag in ("p", "a1", "a2"):
        child = element.child(tag)
        if child is None:
            raise BadRow(f"no element {tag!r}")
        texts.append(child.text)
    for name in ("id", "asks-for"):
        if name not in element.attributes:
            raise BadRow(f"no attribute {name!r}")
    right = numbered_label(element.attributes.get("most-plausible-alternative"), 2, first=1)
    question = element.attributes["asks-for"]
    return make_item(element.attributes["id"], element.line, texts, question, right)


def _first_twins(raw_problems: Sequence[RawProblem], journal: Journal) -> dict[str, str]:
    """By id, the id that twins go by: that of the one with the lower number, or its own."""
    numbered = {
        int(raw_problem.name): raw_problem
        for raw_problem in raw_problems
        if _NUMBER.fullmatch(raw_problem.name)
    }
    first_of = {raw_problem.name: raw_problem.name for raw_problem in raw_problems}
    for number, raw_problem in numbered.items():
        for distance in _DISTANCES:
            other = numbered.get(number - distance)
            if other is not None and sorted(raw_problem.options) == sorted(other.options):
                first_of[raw_problem.name] = other.name
                if raw_problem.texts == other.texts:
                    odd = f"the same as item {other.name}, which it should mirror"
                    journal.oddity(_SAME_TWIN, raw_problem.line, raw_problem.name, odd)
                break
    return first_of


FORMAT_XML = Format(
    name="copa-xml",
    title="COPA, Balanced COPA and BCOPA-CE, XML",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_ID, "ids 1000 or 500 apart, with the same alternatives"),
    repairs=REPAIRS,
    issues={
        **ISSUES,
        _SAME_TWIN: "the premises of twins are the same, and so is the question",
    },
    companions=COMPANIONS,
)


_FIELDS = ("premise", "choice1", "choice2", "question")
# Subsets are those of the test file, and their ids are those of the corpus.
_FIRST_TEST_ID = 501


def _looks_like_superglue(file: SourceFile) -> bool:
    needed = (*_FIELDS, "idx")
    return not file.is_json_list and are_columns_of(file.first_object, needed, ["label"])


def _read_superglue(
    file: SourceFile, journal: Journal, companions: Companions
) -> Iterable[RawEntry]:
    pairs = raw_problems_of(_items_superglue(file, journal), journal)
    ids = [_corpus_id(item) for item, _ in pairs]
    subsets = subset_tags(companions, ids, journal)
    for (item, raw_problem), corpus_id in zip(pairs, ids, strict=True):
        yield RawEntry(
            raw_problem.name, [raw_problem], tags=(item.question, *subsets.get(corpus_id, ()))
        )


def _items_superglue(file: SourceFile, journal: Journal) -> Iterator[Item]:
    for line, row in file.json_lines(journal):
        try:
            yield _item_superglue(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))


def _item_superglue(line: int, row: dict[str, Any]) -> Item:
    *texts, question = texts_of(row, *_FIELDS)
    index = row.get("idx")
    if not isinstance(index, int) or index < 0:
        raise BadRow(f"the idx {index!r} is not a number from 0")
    right = numbered_label(row.get("label"), 2, first=0)
    return make_item(str(index), line, texts, question, right)


def _corpus_id(item: Item) -> str:
    is_number = item.name.isdecimal() and len(item.name) < 10
    return str(int(item.name) + _FIRST_TEST_ID) if is_number and item.right is None else ""


FORMAT_SUPERGLUE = Format(
    name="superglue-copa",
    title="COPA as in SuperGLUE, JSON lines",
    looks_like=_looks_like_superglue,
    read=_read_superglue,
    twins=SINGLES,
    repairs=REPAIRS,
    issues=ISSUES,
    companions=COMPANIONS,
)
