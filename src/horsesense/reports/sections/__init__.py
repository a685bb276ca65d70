"""Sections of a report: each is made by one function, and shown by every writer.

To add a section, put a file with a function under `@section` into this package; it is loaded
automatically. A section of another package is found by its entry point in `horsesense.sections`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import TypeAlias

from horsesense.registry import Registry, blame
from horsesense.reports.figures.drawing import DrawnFigure
from horsesense.reports.table import ReportTable
from horsesense.results import Results

GROUP = "horsesense.sections"
# New sections come after those of the thesis, and before the last one, which lists what is missing.
NEW, LAST = 500, 1000

# A paragraph, a table or a figure; None stands for one that has nothing to show.
Part: TypeAlias = str | ReportTable | DrawnFigure | None
MakeParts: TypeAlias = Callable[[Results], Iterable[Part]]


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
    """A function that makes the parts of a section, with its name, title and position.

    `plug_in` says where it is from, if another package brings it.
    """

    name: str
    title: str
    position: int
    parts: MakeParts
    plug_in: str = ""

    def __call__(self, results: Results) -> Section:
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
                    raise TypeError(f"expected a string, ReportTable or DrawnFigure, not {kind}")
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


SECTIONS: Registry[SectionMaker] = Registry(
    "report section",
    GROUP,
    SectionMaker,
    wrap=lambda maker, source: replace(maker, plug_in=source),
)


@cache
def load_own_sections() -> None:
    """Register the sections of this package, in the order of the report."""
    modules = [import_module(f"{__name__}.{each.name}") for each in pkgutil.iter_modules(__path__)]
    makers = [
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, SectionMaker)
    ]
    SECTIONS.add(*sorted(makers, key=lambda maker: maker.position))


def make_sections(results: Results) -> tuple[Section, ...]:
    """All sections that have something to show, in order.

    A plug-in that fails does not stop the report: its section says what went wrong.
    """
    load_own_sections()
    made = [(maker.position, _made(maker, results)) for maker in SECTIONS.values()]
    made += [(NEW, _failed(name, name, reason)) for name, reason in SECTIONS.failed.items()]
    made.sort(key=lambda placed: placed[0])
    return tuple(each for _, each in made if not each.is_empty)


def _made(maker: SectionMaker, results: Results) -> Section:
    if not maker.plug_in:
        return maker(results)
    failing = f"the plug-in {maker.plug_in} failed"
    try:
        made = maker(results)
    except Exception as error:  # whatever the code of others may raise
        return _failed(maker.name, maker.title, f"{failing}: {type(error).__name__}: {error}")
    figures = tuple(
        replace(figure, draw=blame(figure.draw, lambda: failing)) for figure in made.figures
    )
    return replace(made, figures=figures)


def _failed(name: str, title: str, reason: str) -> Section:
    """A section that says why it is missing."""
    note = f"This section is missing, because {reason}. The rest of the report is complete."
    return Section(name=name, title=title, paragraphs=(note,))
