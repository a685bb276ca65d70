"""One self-contained page: all of a profile, to be read offline in any browser.

It asks for nothing from outside, and its policy forbids it to: no script runs but the two written
here, which are known by their hashes. What comes from data is escaped by the template, or stands in
a block of JSON that scripts write as text only.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any, Protocol

from horsesense.reports.cells import share
from horsesense.reports.page.data import as_script, page_data
from horsesense.reports.page.parts import chapters, facts, glossary, how_it_was_made, spans, title
from horsesense.reports.summary import summary
from horsesense.reports.table import Column
from horsesense.reports.tables import tables
from horsesense.results import Results

ASSETS = "assets"


class PageFigure(Protocol):
    """A figure that can stand in a page: a name, a title, a caption, and itself as SVG."""

    @property
    def name(self) -> str:
        """What tells it from others of the page."""

    @property
    def title(self) -> str:
        """What stands above it."""

    @property
    def caption(self) -> str:
        """What stands below it."""

    def svg(self) -> str:
        """An SVG element, whose texts are escaped."""


def page(profile: Results, *, figures: Sequence[PageFigure] = (), no_figures: str = "") -> str:
    """The page of a profile, with these figures, as HTML; `no_figures` says why there are none."""
    told = summary(profile)
    look, theme, script = (_asset(name) for name in ("page.css", "theme.js", "page.js"))
    written: str = _template().render(
        title=title(profile),
        policy=_policy(theme, script),
        look=look,
        theme=theme,
        script=script,
        data=as_script(page_data(profile)),
        profile=profile,
        facts=facts(profile),
        summary=told,
        spans=[spans(profile, one) for one in told.verdicts],
        figures=figures,
        no_figures=no_figures,
        chapters=chapters(tables(profile)),
        made=how_it_was_made(profile.record),
        glossary=glossary(),
    )
    return written


def _policy(*scripts: str) -> str:
    """What the browser may load and run: nothing from outside, and no script but these.

    Figures bring style attributes of their own, so that styles are not told by their hashes.
    """
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    return (files(__name__) / ASSETS / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals["share"] = share
    environment.filters |= {"notated": _notated, "heading": _heading}
    return environment.from_string(_asset("page.html"))


def _notated(text: str) -> Any:
    """A symbol or equation as print has it: what follows an underline stands below the line."""
    from markupsafe import Markup

    return Markup(re.sub(r"_(\w)", r"<sub>\1</sub>", escape(text)))


def _heading(column: Column) -> Any:
    """The heading of a column; of `a, equal length` only the symbol is in italics."""
    from markupsafe import Markup

    if not column.is_symbol:
        return column.heading
    symbol, comma, rest = column.heading.partition(", ")
    return Markup('<i class="symbol">{}</i>{}').format(_notated(symbol), comma + rest)
