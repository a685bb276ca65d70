"""The common look of all figures: sizes, ink, colours, hatches, markers, and numbers as text.

Whatever must be seen is drawn in ink, which an SVG takes from the page around it; colours only tell
series apart, and differ in lightness, so that they do so in grey and to the colour-blind as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO, StringIO
from textwrap import wrap
from typing import TYPE_CHECKING, TypeAlias
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from horsesense.errors import FileError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Inches: a column of text, and the least that is left around a drawing.
WIDTH = 6.5
MARGIN = 0.06
# Points: labels, and what explains them.
FONT_SIZE, SMALL = 8.0, 7.0
# Inches from one line of text to the next.
LINE = 0.145

# A colour that nothing else has: in an SVG, `currentColor` stands in its place.
INK = "#1b1c1f"
FAINT = 0.18
# From dark to light, between the black and the white of pages.
_COLOURS = ("#5d2a73", "#2f7fc1", "#f0a63c", "#d9ebb8")
_MARKERS = ("o", "s", "^", "D", "v", "P", "p", "X")
_HATCHES = ("", "/////", "....", "xxxx")


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a series."""

    colour: str
    marker: str
    hatch: str


def styles(count: int) -> tuple[Style, ...]:
    """Styles for so many series: no two alike, and neighbours differ in lightness.

    >>> [style.marker for style in styles(2)]
    ['o', 's']
    """
    start = 1 if count <= 2 else 0
    colours = _COLOURS[start : start + max(count, 1)]
    return tuple(
        Style(
            colours[at % len(colours)],
            _MARKERS[(at + at // len(_MARKERS)) % len(_MARKERS)],
            _HATCHES[at % len(_HATCHES)],
        )
        for at in range(count)
    )


def tick_text(value: float) -> str:
    """The number at a tick of an axis, as short as it can be.

    >>> tick_text(0.25), tick_text(-0.5), tick_text(1)
    ('.25', '−.5', '1')
    """
    digits = f"{abs(value):.2f}".rstrip("0").rstrip(".")
    return ("−" if value < 0 else "") + (digits.removeprefix("0") or "0")


def wrapped(text: str, width: int) -> str:
    """Text in lines of at most so many characters; long names break after their hyphens.

    >>> wrapped("mean-all-but-first", 10)
    'mean-all-\\nbut-first'
    """
    return "\n".join(wrap(re.sub(r"([/_:.])(?=\w)", "\\1\u200b", text), width)).replace(
        "\u200b", ""
    )


def slug(*words: str) -> str:
    """Words as a name for files and for what an HTML page refers to.

    >>> slug("methods", "My data (2)")
    'methods-my-data-2'
    """
    return re.sub(r"[^a-z0-9]+", "-", "-".join(words).lower()).strip("-")


def missing_figures_reason() -> str:
    """Why no figure can be drawn here, and what to do about it; empty where figures can be."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        return "figures need matplotlib: pip install 'horsesense[figures]'"
    return ""


@contextmanager
def default_settings() -> Iterator[None]:
    """Matplotlib as it comes, whatever the user has set, and as it was before after that."""
    if missing := missing_figures_reason():
        raise FileError(missing)
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "font.size": FONT_SIZE,
                "text.parse_math": False,  # a name may have a dollar in it
                "text.color": INK,
                "axes.labelcolor": INK,
                "axes.edgecolor": INK,
                "axes.linewidth": 0.6,
                "xtick.color": INK,
                "ytick.color": INK,
                "xtick.labelsize": SMALL,
                "ytick.labelsize": SMALL,
                "xtick.major.width": 0.6,
                "ytick.major.width": 0.6,
                "xtick.major.size": 2.5,
                "ytick.major.size": 2.5,
                "hatch.linewidth": 0.6,
                "legend.fontsize": SMALL,
                "svg.fonttype": "none",
                "svg.hashsalt": "horsesense",
            }
        )
        yield


def empty_figure(height: float, width: float = WIDTH) -> Figure:
    """A figure of that size in inches, on no background."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), facecolor="none")


Point: TypeAlias = tuple[float, float]
# Looks of marks that are no series: what a number is compared with, and what chance would give.
HOLLOW, UPRIGHT = Style("none", "o", ""), Style(INK, "|", "")
_SIZES = {"|": 8.0}
_SIZE, _HOLLOW_SIZE = 5.0, 4.2
_CAP = 0.025  # inches


@dataclass(frozen=True, slots=True)
class ChartValue:
    """A number with its interval; None is undefined.

    `before` is the value that it is compared with, `expected` the one that chance would give.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    before: float | None = None
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of a legend."""

    label: str
    style: Style
    is_bar: bool = False


def draw_series(
    axes: Axes,
    placed: Sequence[tuple[float, ChartValue]],
    style: Style,
    *,
    bar: float | None = None,
) -> None:
    """Draw the values of a series as dots, or as bars of that height, with their intervals.

    Each value comes with its y, in inches from the top.
    """
    defined = [(y, shown) for y, shown in placed if shown.value is not None]
    points = [(shown.value, y) for y, shown in defined if shown.value is not None]
    if bar is not None:
        axes.barh(
            [y for _, y in points],
            [value for value, _ in points],
            height=bar,
            facecolor=style.colour,
            edgecolor=INK,
            hatch=style.hatch,
            linewidth=0.6,
            zorder=2,
            clip_on=False,
        )
    before = [(shown.before, y) for y, shown in defined]
    changes = [
        ((old, y), new) for (old, y), new in zip(before, points, strict=True) if old is not None
    ]
    if bar is None:
        segments(axes, changes, alpha=0.35, width=2.6)
    dots(axes, [start for start, _ in changes], Style("none", style.marker, ""), size=_HOLLOW_SIZE)
    dots(axes, [(shown.expected, y) for y, shown in defined if shown.expected is not None], UPRIGHT)
    known = [
        (shown.low, shown.high, y)
        for y, shown in defined
        if shown.low is not None and shown.high is not None
    ]
    lines = [((low, y), (high, y)) for low, high, y in known]
    if bar is not None:
        lines += [((x, y - _CAP), (x, y + _CAP)) for low, high, y in known for x in (low, high)]
    segments(axes, lines, width=0.9)
    if bar is None:
        dots(axes, points, style)


def dots(axes: Axes, points: Sequence[Point], style: Style, *, size: float | None = None) -> None:
    """Markers of one look."""
    if points:
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            linestyle="none",
            marker=style.marker,
            markersize=size or _SIZES.get(style.marker, _SIZE),
            markerfacecolor=style.colour,
            markeredgecolor=INK,
            markeredgewidth=0.8,
            clip_on=False,
            zorder=4,
        )


def segments(
    axes: Axes, ends: Iterable[tuple[Point, Point]], *, width: float, alpha: float = 1.0
) -> None:
    """Straight lines of one look, as a single path with gaps."""
    nowhere = (float("nan"), float("nan"))
    points = [point for start, end in ends for point in (start, end, nowhere)]
    if points:
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=INK,
            alpha=alpha,
            linewidth=width,
            solid_capstyle="butt",
            clip_on=False,
            zorder=0 if alpha < 1 else 3,
        )


def add_legend(figure: Figure, keys: Sequence[Key], left: float, top: float) -> None:
    """Keys in lines of three, above everything else."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Line2D | Patch] = []
    for key in keys:
        style = key.style
        if key.is_bar:
            bar = Patch(facecolor=style.colour, edgecolor=INK, linewidth=0.6, label=key.label)
            bar.set_hatch(style.hatch)
            handles.append(bar)
            continue
        handles.append(
            Line2D(
                [],
                [],
                linestyle="none",
                label=key.label,
                marker=style.marker,
                markersize=_SIZES.get(style.marker, _SIZE),
                markerfacecolor=style.colour,
                markeredgecolor=INK,
                markeredgewidth=0.8,
            )
        )
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(left, top),
        ncols=3,
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        labelspacing=0.25,
        columnspacing=1.4,
        handletextpad=0.5,
        handlelength=1.4,
        handleheight=0.9,
    )


PRINT_DPI = 200


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """A figure: `name` tells it from others of the report, and is fit for a file.

    `title` and `caption` stand with it, and are not drawn. `alt` says what is to be seen to those
    who do not see it.

    Figures of one `family` show the same thing, each for another `facet`, such as a dataset; a page
    shows them together under the name of the family. `symbols` are those of the metrics in it.
    """

    name: str
    title: str
    caption: str
    alt: str
    draw: Callable[[], Figure] = field(repr=False, compare=False)
    family: str = ""
    facet: str = ""
    symbols: tuple[str, ...] = ()

    def svg(self) -> str:
        """An SVG for a page, on no background, in the page's ink; always the same."""
        with default_settings():
            written = StringIO()
            self.draw().savefig(written, format="svg")
        return for_pages(written.getvalue(), self.name, self.title, self.alt)

    def png(self, dpi: int = PRINT_DPI) -> bytes:
        """A PNG on white; always the same."""
        with default_settings():
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
