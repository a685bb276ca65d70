"""A figure of a report, drawn on demand, and its SVG made fit for a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from typing import TYPE_CHECKING

from horsesense.reports.figures.drawing import own_settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure
import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from horsesense.reports.figures.drawing import INK

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


_SVG, _LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
_FONTS = "system-ui, 'DejaVu Sans', Verdana, sans-serif"
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_UNWANTED = {f"{_SVG}metadata", f"{_SVG}style"}
_INVISIBLE = "fill: none"


def for_pages(svg: str, name: str, title: str, alt: str) -> str:
    """The SVG that matplotlib wrote, as a part of a page.

    It loses its header, its metadata and its style sheet, which would apply to the whole page, and
    every name that nothing refers to; the other names begin with the figure's own. What looks alike
    says so once.
    """
    drawn = ElementTree.fromstring(svg.replace(INK, "currentColor"))
    referred = {name for element in drawn.iter() for name in _references(element)}
    root = Element("svg", _opening(drawn, name))
    for tag, text in (("title", title), ("desc", alt)):
        ElementTree.SubElement(root, tag, {"id": f"{name}-{tag}"}).text = text
    children = [new for child in drawn for new in _simplified(child, name, referred)]
    root.extend(_together(children))
    return ElementTree.tostring(root, encoding="unicode")


def _references(element: Element) -> Iterator[str]:
    yield element.get(_LINK, "").removeprefix("#")
    for value in element.attrib.values():
        yield from _REFERENCE.findall(value)


def _opening(drawn: Element, name: str) -> dict[str, str]:
    *_, width, height = drawn.attrib["viewBox"].split()
    return {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {width} {height}",
        "width": f"{width}pt",
        "height": f"{height}pt",
        "role": "img",
        "aria-labelledby": f"{name}-title",
        "aria-describedby": f"{name}-desc",
        "style": "max-width: 100%; height: auto; stroke-linejoin: round; stroke-linecap: butt; "
        f"font-family: {_FONTS}",
    }


def _simplified(old: Element, name: str, referred: set[str]) -> Iterator[Element]:
    """The element without what nobody needs; its children instead of a group that says nothing."""
    if old.tag in _UNWANTED or old.get("style") == _INVISIBLE:
        return
    new = Element(old.tag.removeprefix(_SVG), dict(_attributes(old, name, referred)))
    new.text = (old.text or "").strip() or None
    new.extend(_together([one for child in old for one in _simplified(child, name, referred)]))
    if new.tag in ("g", "defs") and not len(new):
        return
    if new.tag == "g" and not new.attrib:
        yield from new
    else:
        yield new


def _attributes(old: Element, name: str, referred: set[str]) -> Iterator[tuple[str, str]]:
    for key, value in old.attrib.items():
        if key == "id" and value in referred:
            yield key, f"{name}-{value}"
        elif key == _LINK:
            yield "href", f"#{name}-{value.removeprefix('#')}"
        elif key == "style":
            yield key, _REFERENCE.sub(rf"url(#{name}-\1)", _without_fonts(value))
        elif key == "clip-path":
            yield key, _REFERENCE.sub(rf"url(#{name}-\1)", value)
        elif key != "id" and not value.startswith("rotate(-0 "):
            yield key, _LONG_NUMBER.sub(lambda found: _short(found[0]), value.replace("\n", ""))


def _without_fonts(style: str) -> str:
    """The page's own font, which is narrower if anything, in place of the one it was set in."""
    style = re.sub(r"font-family: [^;]*; ?", "", style)
    return re.sub(r"font: ([^;]*?)([\d.]+px) '[^;]*; ?", r"font-weight: \1;font-size: \2; ", style)


def _short(number: str) -> str:
    """A hundredth of a point is finer than any printer."""
    return f"{float(number):.2f}".rstrip("0").rstrip(".")


def _together(siblings: list[Element]) -> Iterator[Element]:
    """Neighbours that look alike in a group, which says how they look."""
    group: list[Element] = []
    for element in [*siblings, None]:
        if group and (element is None or element.get("style") != group[0].get("style")):
            yield from _grouped(group)
            group = []
        if element is not None:
            group.append(element)


def _grouped(alike: list[Element]) -> Iterator[Element]:
    style = alike[0].get("style")
    if len(alike) == 1 or style is None:
        yield from alike
        return
    parent = Element("g", {"style": style})
    for element in alike:
        del element.attrib["style"]
    parent.extend(alike)
    yield parent
