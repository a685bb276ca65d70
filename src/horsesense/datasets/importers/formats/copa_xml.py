"""COPA and its relatives in XML: the corpus, Balanced COPA, BCOPA-CE.

How premise and alternatives become a sentence is told in `copa`. Balanced COPA gives item n a
mirror n + 1000, another premise with the same alternatives, of which the other is right. In
BCOPA-CE the twin of item n is n + 500: the same premise and alternatives, but the effect is asked
for instead of the cause, so that «because» and «so» are the key phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from horsesense.datasets.importers.copa import (
    COMPANIONS,
    ISSUES,
    REPAIRS,
    Item,
    found_of,
    make_item,
    subset_tags,
)
from horsesense.datasets.importers.format import Companions, Format, numbered_label
from horsesense.datasets.importers.safe_xml import Element, parse_xml
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import BY_ID, Group, Journal, RawProblem, Twins
from horsesense.errors import FileError

_ROOT = "copa-corpus"
_SAME_TWIN = "same-twin"
_NUMBER = re.compile("[0-9]{1,9}")
# How far the ids of twins lie apart: in Balanced COPA, and in BCOPA-CE.
_DISTANCES = (1000, 500)


def _looks_like(file: SourceFile) -> bool:
    return f"<{_ROOT}" in file.head


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    root = parse_xml(file.name, file.data)
    if root.tag != _ROOT:
        raise FileError(f"{file.name}:{root.line}: {root.tag!r} where {_ROOT!r} is expected")
    found = found_of(_items(root, journal), journal)
    subsets = subset_tags(companions, [item.name for item, _ in found], journal)
    groups: dict[str, Group] = {}
    first_of = _first_twins([one for _, one in found], journal)
    for item, one in found:
        first = first_of[one.name]
        group = groups.setdefault(first, Group(first, []))
        tags = dict.fromkeys((item.question, *subsets.get(item.name, ())))
        group.found.append(one._replace(tags=tuple(tags)))
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


def _first_twins(found: Sequence[RawProblem], journal: Journal) -> dict[str, str]:
    """By id, the id that twins go by: that of the one with the lower number, or its own."""
    numbered = {int(one.name): one for one in found if _NUMBER.fullmatch(one.name)}
    first_of = {one.name: one.name for one in found}
    for number, one in numbered.items():
        for distance in _DISTANCES:
            other = numbered.get(number - distance)
            if other is not None and sorted(one.options) == sorted(other.options):
                first_of[one.name] = other.name
                if one.texts == other.texts:
                    odd = f"the same as item {other.name}, which it should mirror"
                    journal.oddity(_SAME_TWIN, one.line, one.name, odd)
                break
    return first_of


FORMAT = Format(
    name="copa-xml",
    title="COPA, Balanced COPA and BCOPA-CE, XML",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_ID, "ids 1000 or 500 apart, with the same alternatives"),
    repairs=REPAIRS,
    issues={
        **ISSUES,
        _SAME_TWIN: "the premises of twins are the same, and so is what is asked for",
    },
    companions=COMPANIONS,
)
