"""The Pronoun Disambiguation Problems of 2016 in XML: two to five answers, and no twins."""

from __future__ import annotations

from collections.abc import Iterable

from horsesense.datasets.importers import davis_xml
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.safe_xml import Element
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import SINGLES, Group, Journal, RawProblem, trimmed


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    return (_group(element, found) for element, found in davis_xml.problems_of(file, journal))


def _group(element: Element, found: RawProblem) -> Group:
    extras = {}
    subjects = element.child("humanSubjects")
    if subjects and (told := trimmed(subjects.text, lambda step: None)):
        extras["x-human-subjects"] = told
    tags = ("same-text",) if element.child("sameText") else ()
    return Group(found.name, [found], tags=tags, extras=extras)


FORMAT = Format(
    name="pdp-xml",
    title="the Pronoun Disambiguation Problems in XML",
    looks_like=davis_xml.holds("humanSubjects"),
    read=_read,
    twins=SINGLES,
    repairs=davis_xml.REPAIRS,
    issues=davis_xml.ISSUES,
)
