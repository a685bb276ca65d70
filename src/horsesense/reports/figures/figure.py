"""A figure of a report, which is drawn when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from horsesense.reports.figures.drawing import own_settings
from horsesense.reports.figures.svg import for_pages

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PRINT_DPI = 200


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A figure: `name` tells it from others of the report, and is fit for a file.

    `title` and `caption` stand with it, and are not drawn. `alt` says what is to be seen to those
    who do not see it.
    """

    name: str
    title: str
    caption: str
    alt: str
    draw: Callable[[], Figure] = field(repr=False, compare=False)

    def svg(self) -> str:
        """An SVG for a page, on no background, in the page's ink; always the same."""
        with own_settings():
            written = StringIO()
            self.draw().savefig(written, format="svg")
        return for_pages(written.getvalue(), self.name, self.title, self.alt)

    def png(self, dpi: int = PRINT_DPI) -> bytes:
        """A PNG on white; always the same."""
        with own_settings():
            written = BytesIO()
            drawn = self.draw()
            drawn.set_facecolor("white")
            drawn.savefig(written, format="png", dpi=dpi, metadata={"Software": None})
        return written.getvalue()
