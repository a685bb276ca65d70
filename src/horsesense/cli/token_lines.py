"""How the tokens of a problem's options are drawn: in common columns, each above its cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from horsesense.evaluation.inference import Column, Costs, Explanation, OptionTokens, PartName
from horsesense.models import LabelPart, Part

UNDEFINED = "–"
GAP = "  "
SENSIBLE = "✓"
# Green and red are left for what is right and wrong.
STYLES: dict[PartName, str] = {
    Part.SPECIAL: "dim",
    Part.PREFIX: "cyan",
    Part.BLANK: "bold magenta",
    Part.BETWEEN: "yellow",
    Part.SUFFIX: "bright_blue",
    LabelPart.SENTINEL: "cyan",
    LabelPart.PHRASE: "bold magenta",
    LabelPart.EOS: "dim",
}
# A difference speaks for the sensible option, or against it.
_FAVOURS = {"+": "green", "−": "red"}
_LONGEST_NAME = 18
_ALL = "  all options"
_FILLED = (Part.BLANK, LabelPart.PHRASE)
# These are plain from how they are spelt, and too short to have a name above them.
_UNNAMED = (Part.SPECIAL, LabelPart.EOS)


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of cells, one for each column, and what stands before it."""

    name: str
    cells: Sequence[str]
    styles: Sequence[str]
    name_style: str = "dim"


def token_lines(explained: Explanation, width: int) -> Iterator[Text]:
    """The tokens of all options and their costs, in as many blocks as the width makes needed."""
    columns, groups = explained.grid.columns, _groups(explained)
    rows = [row for group in groups for row in group]
    margin = max(cell_len(row.name) for row in rows) + len(GAP)
    widths = [max(cell_len(row.cells[at]) for row in rows) for at in range(len(columns))]
    blocks = _blocks(columns, widths, width - margin)
    if len(blocks) > 1:
        margin = max(margin, len(_ALL) + len(GAP))
        blocks = _blocks(columns, widths, width - margin)
    for number, block in enumerate(blocks):
        if number:
            yield Text("")
        yield _ruler(columns, block, margin)
        for row in _shown(groups, block, is_only=len(blocks) == 1):
            yield _line(row, block, margin)


def _groups(explained: Explanation) -> list[list[_Row]]:
    """For each option its tokens above their costs, and at last what makes the difference."""
    columns = explained.grid.columns
    styles, plain = [STYLES[column.part] for column in columns], [""] * len(columns)
    groups = []
    pairs = zip(explained.options, explained.grid.options, strict=True)
    for at, (name, option) in enumerate(pairs):
        mark = SENSIBLE if at == explained.right else " "
        heading = f"{mark} {cut(name, _LONGEST_NAME)}"
        group = [_Row(heading, _texts(option, columns), styles, "bold")]
        for costs in option.costs:
            group.append(_Row(f"  {costs.name}".rstrip(), _costs(option, costs, columns), plain))
        groups.append(group)
    return [*groups, [_difference(costs) for costs in explained.differences]]


def _difference(costs: Costs) -> _Row:
    cells = ["" if value is None else _signed(value) for value in costs.values]
    name = f"Δ {costs.name}" if costs.name else "  difference"
    return _Row(name, cells, [_FAVOURS.get(cell[:1], "dim") for cell in cells])


def _shown(
    groups: Sequence[Sequence[_Row]], block: Sequence[_Place], *, is_only: bool
) -> Iterator[_Row]:
    """The rows that have something in a block; what all options have in common is shown once."""
    options = groups[:-1]
    contents = {tuple(row.cells[place.at] for row in group for place in block) for group in options}
    if len(contents) == 1 and len(options) > 1 and not is_only:
        yield from _together(options[0])
        return
    for row in (row for group in groups for row in group):
        if any(row.cells[place.at] for place in block):
            yield row


def _together(group: Sequence[_Row]) -> list[_Row]:
    """The rows of an option as those of all."""
    return [replace(group[0], name=_ALL, name_style="dim"), *group[1:]]


def cut(text: str, width: int) -> str:
    """The text, or the beginning of it that fits."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip(" …") + "…"


def _texts(option: OptionTokens, columns: Sequence[Column]) -> list[str]:
    """The token of each column, a blank's in brackets, one across its edge with a mark."""
    shown = ["" if at is None else option.texts[at] for at in option.places]
    for at in option.straddling:
        shown[option.places.index(at)] += "/"
    for _, run in groupby(range(len(columns)), key=lambda at: columns[at].run):
        filled = [at for at in run if columns[at].part in _FILLED and shown[at]]
        if filled:
            shown[filled[0]] = "[" + shown[filled[0]]
            shown[filled[-1]] += "]"
    return shown


def _costs(option: OptionTokens, costs: Costs, columns: Sequence[Column]) -> list[str]:
    """The cost of each column's token; what was not asked is left out, what is missing is not."""
    shown = []
    for at, column in zip(option.places, columns, strict=True):
        value = costs.at(at)
        is_missing = at is not None and not costs.name and column.part is not Part.SPECIAL
        shown.append(f"{value:.2f}" if value is not None else UNDEFINED if is_missing else "")
    return shown


def _signed(value: float) -> str:
    """The number with its sign, and zero without one.

    >>> _signed(1.5), _signed(-0.25), _signed(-0.001)
    ('+1.50', '−0.25', '0')
    """
    shown = f"{value:+.2f}"
    return "0" if float(shown) == 0 else shown.replace("-", "−")


@dataclass(frozen=True, slots=True)
class _Place:
    """A column in a block, and how wide it is drawn."""

    at: int
    width: int


def _blocks(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[list[_Place]]:
    """The columns in as few blocks as fit into the room, none much shorter than the others."""
    blocks = _filled(columns, widths, room)
    while len(blocks) > 1 and len(narrower := _filled(columns, widths, room - 1)) == len(blocks):
        blocks, room = narrower, room - 1
    return blocks


def _filled(columns: Sequence[Column], widths: Sequence[int], room: int) -> list[list[_Place]]:
    """The columns in blocks that are as full as can be, each with at least one."""
    blocks: list[list[int]] = [[]]
    for at in range(len(columns)):
        if blocks[-1] and _width(_widened(columns, widths, [*blocks[-1], at])) > room:
            blocks.append([])
        blocks[-1].append(at)
    return [_widened(columns, widths, block) for block in blocks if block]


def _width(block: Sequence[_Place]) -> int:
    return sum(place.width + len(GAP) for place in block) - len(GAP)


def _widened(
    columns: Sequence[Column], widths: Sequence[int], block: Sequence[int]
) -> list[_Place]:
    """The columns with a last one wide enough, in each part, for the part's name above it."""
    places = []
    for _, group in groupby(block, key=lambda at: columns[at].run):
        run = [_Place(at, widths[at]) for at in group]
        name = _part_name(columns, run[0].at)
        missing = max(len(name) - _width(run), 0)
        places += [*run[:-1], _Place(run[-1].at, run[-1].width + missing)]
    return places


def _part_name(columns: Sequence[Column], at: int) -> str:
    """What stands above a column; without a blank, what would be before it is all there is."""
    part = columns[at].part
    if part in _UNNAMED:
        return ""
    is_whole = all(column.part in (Part.PREFIX, Part.SPECIAL) for column in columns)
    return "sentence" if is_whole else str(part)


def _ruler(columns: Sequence[Column], block: Sequence[_Place], margin: int) -> Text:
    """The names of the parts, each as wide as its columns."""
    line = Text(" " * margin)
    for _, group in groupby(block, key=lambda place: columns[place.at].run):
        run = list(group)
        name, part = _part_name(columns, run[0].at), columns[run[0].at].part
        drawn = f"{name} " if name and _width(run) > len(name) else name
        line.append(drawn.ljust(_width(run), "─" if name else " "), STYLES[part])
        line.append(GAP)
    return line


def _line(row: _Row, block: Sequence[_Place], margin: int) -> Text:
    """The cells of a row, each at the right of its column."""
    line = Text()
    line.append(row.name, row.name_style)
    line.append(" " * (margin - cell_len(row.name)))
    for place in block:
        cell = row.cells[place.at]
        line.append(" " * (place.width - cell_len(cell)))
        line.append(cell, row.styles[place.at])
        line.append(GAP)
    return line
