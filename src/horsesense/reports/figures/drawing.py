"""The common look of all figures: sizes, ink, colours, hatches, markers, and numbers as text.

Whatever must be seen is drawn in ink, which an SVG takes from the page around it; colours only tell
series apart, and differ in lightness, so that they do so in grey and to the colour-blind as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from horsesense.errors import FileError

if TYPE_CHECKING:
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
    """What a series looks like."""

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


def why_none() -> str:
    """Why no figure can be drawn here, and what to do about it; empty where figures can be."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        return "figures need matplotlib: pip install 'horsesense[figures]'"
    return ""


@contextmanager
def own_settings() -> Iterator[None]:
    """Matplotlib as it comes, whatever the user has set, and as it was before after that."""
    if missing := why_none():
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
