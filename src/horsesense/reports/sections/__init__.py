"""Sections of a report: each is made by one function, and shown by every writer.

To add a section, put a file into this package with a function under `@section`; nothing else has
to be touched. A section of another package is found by its entry point in `horsesense.sections`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.registry import brought, guarded
from horsesense.reports.figures.figure import DrawnFigure
from horsesense.reports.table import ReportTable
from horsesense.results import Profile

GROUP = "horsesense.sections"
# New sections come after those of the thesis, and before the last one, which lists what is missing.
NEW, LAST = 500, 1000

# A paragraph, a table or a figure; None stands for one that has nothing to show.
Part: TypeAlias = str | ReportTable | DrawnFigure | None
MakeParts: TypeAlias = Callable[[Profile], Iterable[Part]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of a report: paragraphs, tables, and figures, which are drawn when needed."""

    name: str
    title: str
    paragraphs: tuple[str, ...] = ()
    tables: tuple[ReportTable, ...] = ()
    figures: tuple[DrawnFigure, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True if there is nothing to show."""
        return not (self.paragraphs or self.tables or self.figures)


@dataclass(frozen=True, slots=True)
class SectionMaker:
    """A function that makes the parts of a section, with its name, title and position."""

    name: str
    title: str
    position: int
    parts: MakeParts

    def __call__(self, results: Profile) -> Section:
        """Make the section for these results."""
        paragraphs, tables, figures = [], [], []
        for part in self.parts(results):
            match part:
                case str():
                    paragraphs.append(part)
                case ReportTable():
                    tables.append(part)
                case DrawnFigure():
                    figures.append(part)
                case None:
                    pass
                case _:
                    kind = type(part).__name__
                    raise TypeError(f"expected a text, ReportTable or DrawnFigure, not {kind}")
        return Section(
            name=self.name,
            title=self.title,
            paragraphs=tuple(paragraphs),
            tables=tuple(tables),
            figures=tuple(figures),
        )


def section(name: str, *, title: str, position: int = NEW) -> Callable[[MakeParts], SectionMaker]:
    """Make a section of the function below, which yields texts, tables and figures.

    Sections are shown by their position, from the lowest to the highest.
    """
    return lambda parts: SectionMaker(name, title, position, parts)


@cache
def own_sections() -> dict[str, SectionMaker]:
    """Sections of this package by name, in the order of the report."""
    modules = [import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    makers = [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, SectionMaker)
    ]
    return {maker.name: maker for maker in sorted(makers, key=lambda maker: maker.position)}


def make_sections(results: Profile) -> tuple[Section, ...]:
    """All sections that have something to show, in order.

    A plug-in that fails does not stop the report: its section says what went wrong.
    """
    made = [(maker.position, maker(results)) for maker in own_sections().values()]
    names = set(own_sections())
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        position, its_section = _plug_in_section(point, names, results)
        names.add(its_section.name)
        made.append((position, its_section))
    made.sort(key=lambda placed: placed[0])
    return tuple(each for _, each in made if not each.is_empty)


def _plug_in_section(
    point: EntryPoint, taken: Container[str], results: Profile
) -> tuple[int, Section]:
    try:
        (loaded,) = brought([point], SectionMaker, "report section", taken)
    except HorsesenseError as error:
        return NEW, _failed(point.name, point.name, str(error))
    maker, failing = loaded.thing, f"the plug-in {point.value!r} failed"
    try:
        made = maker(results)
    except Exception as error:  # whatever the code of others may raise
        reason = f"{failing}: {type(error).__name__}: {error}"
        return maker.position, _failed(maker.name, maker.title, reason)
    figures = tuple(
        replace(figure, draw=guarded(figure.draw, lambda: failing)) for figure in made.figures
    )
    return maker.position, replace(made, figures=figures)


def _failed(name: str, title: str, reason: str) -> Section:
    """A section that says why it is missing."""
    note = f"This section is missing, because {reason}. The rest of the report is complete."
    return Section(name=name, title=title, paragraphs=(note,))
