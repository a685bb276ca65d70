"""The Winograd Schema Challenge in XML, as Davis keeps it: 273 problems, or 285.

Twins are neighbours and are not marked; problems 253 to 255 are three. The published labels of
Trichelair et al. (associative, switchable) can be joined by index.
"""

from __future__ import annotations

from collections.abc import Iterable

from horsesense.datasets.importers import davis_xml
from horsesense.datasets.importers.format import Companions, Format, Recipe
from horsesense.datasets.importers.formats.trichelair import add_labels, labels_by_index
from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.recipes import wsc266
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import NEIGHBOURS, Group, Journal

_looks_like_any = davis_xml.holds("schema")
_looks_like_pdp = davis_xml.holds("humanSubjects")


def _looks_like(file: SourceFile) -> bool:
    return _looks_like_any(file) and not _looks_like_pdp(file)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    found = [one for _, one in davis_xml.problems_of(file, journal)]
    groups = list(twins_of_neighbours(found))
    for group in groups:
        first, last = group.found[0].name, group.found[-1].name
        group.id = first if first == last else f"{first}-{last}"
    for labels in companions:
        _flag(groups, labels, journal)
    return groups


def _flag(groups: Iterable[Group], labels: SourceFile, journal: Journal) -> None:
    """Give each schema the labels of its problems."""
    by_index = labels_by_index(labels, journal)
    for group in groups:
        for one in group.found:
            add_labels(group, one.name, by_index.get(int(one.name) - 1, {}))


def _read_wsc266(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    found = [one for _, one in davis_xml.problems_of(file, journal)]
    return wsc266.groups_of(found, journal)


FORMAT = Format(
    name="wsc-xml",
    title="the Winograd Schema Challenge in XML",
    looks_like=_looks_like,
    read=_read,
    twins=NEIGHBOURS,
    repairs=davis_xml.REPAIRS,
    issues={**davis_xml.ISSUES, **wsc266.ISSUES},
    companions="the associative or switchable labels of Trichelair et al., joined by index",
    contiguous=True,
    recipes={wsc266.NAME: Recipe(wsc266.TITLE, _read_wsc266, wsc266.REPAIRS)},
)
