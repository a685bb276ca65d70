"""Draw an explanation: a problem by tokens or messages, and below it what each method adds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import groupby
from textwrap import wrap

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from horsesense.evaluation.inference import (
    Conversation,
    Costs,
    Coverage,
    Exchange,
    Explanation,
    OptionTokens,
    PartName,
    Sum,
    TokenColumn,
)
from horsesense.models import LabelPart, Part
from horsesense.scoring.outcome import Verdict

VERDICTS = {
    Verdict.SOLVED: ("✓", "bold green"),
    Verdict.FAILED: ("✗", "bold red"),
    Verdict.UNDECIDED: ("=", "bold yellow"),
    Verdict.UNLABELLED: ("?", "dim"),
}
_MARKS = {Coverage.ALL: "█", Coverage.SOME: "▒", Coverage.NONE: "·"}
_LONGEST_OPTION, _SHORTEST_OPTION = 12, 6
_SMALLEST_BAR = 8
# The width of the roles of messages.
_ROLE = 11


def render(lines: Iterable[Text], width: int, *, colour: bool) -> str:
    """The lines as they go to a terminal, or as plain text."""
    buffer = StringIO()
    console = Console(
        file=buffer, width=width, force_terminal=colour, highlight=False, markup=False
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())


def draw(
    explained: Explanation,
    title: str,
    width: int,
    *,
    before: Iterable[str] = (),
    method: str = "",
) -> Iterator[Text]:
    """Everything there is to show of a problem, in lines of that width.

    Paragraphs `before` the tokens follow the statement. Tokens that the method does not count are
    dim.
    """
    yield Text("")
    yield from _heading(title, explained.statement, width)
    for paragraph in before:
        yield from map(Text, wrap(paragraph, width, break_on_hyphens=False))
    yield Text("")
    if explained.grid.columns:
        yield from token_lines(explained, width, method)
        if any(_uncounted(explained, method)):
            yield Text(f"dim: {method} does not count these tokens", "dim")
        yield Text("")
    for conversation in explained.conversations:
        yield from _conversation_lines(conversation, width)
    yield from _sum_lines(explained, width)
    if explained.remarks:
        yield Text("")
    for remark in explained.remarks:
        for number, line in enumerate(wrap(remark, width - 2, break_on_hyphens=False)):
            yield Text(("  " if number else "• ") + line, "dim")


def _conversation_lines(conversation: Conversation, width: int) -> Iterator[Text]:
    """All questions of a method, and what the replies come to."""
    count = len(conversation.exchanges)
    for number, exchange in enumerate(conversation.exchanges, 1):
        yield Text.assemble(
            (f"{conversation.method}, question {number} of {count}", "bold"),
            (f"  {_asked_about(exchange)}", "dim"),
        )
        for message in exchange.messages:
            yield from _said(message.role, message.content, width)
        if exchange.thoughts:
            yield from _said("thoughts", exchange.thoughts, width)
        yield from _said("reply", exchange.reply, width, style="bold")
        yield from _said("read as", _read_as(exchange), width, style="dim")
        yield Text("")
    yield from map(Text, wrap(f"{conversation.method}: {conversation.summary}", width))
    yield Text("")


def _asked_about(exchange: Exchange) -> str:
    order = " / ".join(exchange.shown)
    return f"{exchange.sentence}  {order}" if exchange.sentence else order


def _read_as(exchange: Exchange) -> str:
    """How a reply was read, how it ended, and the probabilities of the answers.

    >>> _read_as(Exchange((), ("A. owl", "B. vole"), "", "A", "stop", "", "A. owl", None, (), ""))
    'A. owl (finish: stop)'
    """
    read = exchange.written or exchange.fault or ""
    if exchange.preferred not in (None, "", exchange.written):
        read += f", but {exchange.preferred} is the most likely answer"
    pairs = zip(exchange.shown, exchange.probabilities, strict=False)
    shares = ", ".join(f"{answer} {share:.3f}" for answer, share in pairs)
    return f"{read} (finish: {exchange.finish}){f'; {shares}' if shares else ''}"


def _said(role: str, content: str, width: int, *, style: str = "") -> Iterator[Text]:
    """A message with its role before it; its lines are folded, and otherwise as they were sent."""
    room = max(width - _ROLE - len(GAP), _SMALLEST_BAR)
    lines = [
        part
        for line in content.split("\n")
        for part in wrap(line, room, drop_whitespace=False, replace_whitespace=False) or [""]
    ]
    for number, line in enumerate(lines):
        role_cell = ("" if number else role).rjust(_ROLE)
        yield Text.assemble((role_cell, "cyan"), GAP, (line, style))


def _heading(title: str, statement: str, width: int) -> Iterator[Text]:
    """A rule with the statement in it, or above it if it is long."""
    is_short = cell_len(title) + cell_len(statement) <= width - 10
    shown = f"{title}  {statement}" if statement and is_short else title
    rule = "─" * (width - cell_len(shown) - 4)
    yield Text.assemble(("── ", "dim"), (shown, "bold"), (f" {rule}", "dim"))
    if not is_short:
        for line in wrap(statement, width):
            yield Text(line, "bold")


def _sum_lines(explained: Explanation, width: int) -> Iterator[Text]:
    """A line for each method: the tokens it adds up, what each option costs, what it prefers."""
    sums = [sum_ for sum_ in explained.sums if sum_.outcome is not None]
    if not sums:
        return
    rows = _rows(explained, sums, width - _SMALLEST_BAR)
    if explained.grid.columns:
        taken = _total(rows) + len(GAP)
        shown = _shown_columns(explained, sums, max(width - taken, _SMALLEST_BAR))
        bars = [Text("adds up", "bold"), *(_bar(sum_, explained, shown) for sum_ in sums)]
        rows = [[row[0], bar, *row[1:]] for row, bar in zip(rows, bars, strict=True)]
    widths = _widths(rows)
    is_left = [True, bool(explained.grid.columns), *[False] * (len(widths) - 3), True]
    for row in rows:
        line = Text()
        for cell, space, left in zip(row, widths, is_left, strict=True):
            padding = " " * (space - cell.cell_len)
            line.append_text(Text.assemble(*((cell, padding) if left else (padding, cell)), GAP))
        yield line


def _rows(explained: Explanation, sums: Sequence[Sum], room: int) -> list[list[Text]]:
    """The headings and the methods, with the options cut as far as the room makes needed."""
    for longest in range(_LONGEST_OPTION, _SHORTEST_OPTION - 1, -1):
        options = [cut(option, longest) for option in explained.options]
        rows = [_titles(options, sums), *(_cells(sum_, options) for sum_ in sums)]
        if _total(rows) <= room:
            break
    return rows


def _total(rows: Sequence[Sequence[Text]]) -> int:
    return sum(_widths(rows)) + len(GAP) * (len(rows[0]) - 1)


def _widths(rows: Sequence[Sequence[Text]]) -> list[int]:
    return [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]


def _titles(options: Sequence[str], sums: Sequence[Sum]) -> list[Text]:
    is_divided = any(divisor > 1 for sum_ in sums for divisor in sum_.divisors)
    titles = ["method", "÷" if is_divided else "", *options, "margin", "prefers"]
    return [Text(title, "bold") for title in titles]


def _cells(sum_: Sum, options: Sequence[str]) -> list[Text]:
    outcome = sum_.outcome
    assert outcome is not None
    chosen, (mark, style) = outcome.chosen, VERDICTS[outcome.verdict]
    costs = [
        Text(f"{cost:.3f}", "bold" if at == chosen else "") for at, cost in enumerate(outcome.costs)
    ]
    return [
        Text(sum_.method),
        Text(_divisors(sum_.divisors), "dim"),
        *costs,
        Text(margin_cell(outcome.signed_margin)),
        Text(f"{mark} {'undecided' if chosen is None else options[chosen]}", style),
    ]


def _divisors(divisors: Sequence[int]) -> str:
    """Return the numbers that the sums were divided by: one if all are equal, none if all are 1.

    >>> _divisors((1, 1)), _divisors((8, 8)), _divisors((8, 9))
    ('', '8', '8, 9')
    """
    distinct = list(dict.fromkeys(divisors))
    if len(distinct) == 1:
        return "" if distinct == [1] else str(distinct[0])
    return ", ".join(map(str, divisors))


def _shown_columns(explained: Explanation, sums: Sequence[Sum], room: int) -> list[int]:
    """The columns that a bar shows: of long runs that no method tells apart, some are left out."""
    columns = explained.grid.columns

    def alike(at: int) -> tuple[int, tuple[Coverage, ...]]:
        return columns[at].run, tuple(sum_.coverage[at] for sum_ in sums)

    runs = [list(run) for _, run in groupby(range(len(columns)), key=alike)]
    longest = max(map(len, runs))
    while longest > 1 and sum(min(len(run), longest) for run in runs) > room:
        longest -= 1
    return [at for run in runs for at in run[:longest]]


def _bar(sum_: Sum, explained: Explanation, shown: Sequence[int]) -> Text:
    bar = Text()
    for at in shown:
        bar.append(_MARKS[sum_.coverage[at]], STYLES[explained.grid.columns[at].part])
    return bar


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
class _TokenLine:
    """A line of cells, one for each column, and the name before them."""

    name: str
    cells: Sequence[str]
    styles: Sequence[str]
    name_style: str = "dim"


def token_lines(explained: Explanation, width: int, method: str = "") -> Iterator[Text]:
    """The tokens of all options and their costs, in as many blocks as the width makes needed.

    Tokens that the method does not count are dim.
    """
    columns, groups = explained.grid.columns, _groups(explained, method)
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


def _uncounted(explained: Explanation, method: str) -> list[bool]:
    """Whether the method leaves out the tokens of each column; without a method, none is."""
    coverage = next((sum_.coverage for sum_ in explained.sums if sum_.method == method), ())
    if not coverage:
        return [False] * len(explained.grid.columns)
    return [each is Coverage.NONE for each in coverage]


def _groups(explained: Explanation, method: str) -> list[list[_TokenLine]]:
    """For each option its tokens above their costs, and at last what makes the difference."""
    columns, is_left_out = explained.grid.columns, _uncounted(explained, method)
    styles = [
        "dim" if is_out else STYLES[column.part]
        for column, is_out in zip(columns, is_left_out, strict=True)
    ]
    plain = ["dim" if is_out else "" for is_out in is_left_out]
    groups = []
    pairs = zip(explained.options, explained.grid.options, strict=True)
    for at, (name, option) in enumerate(pairs):
        mark = SENSIBLE if at == explained.right else " "
        heading = f"{mark} {cut(name, _LONGEST_NAME)}"
        group = [_TokenLine(heading, _texts(option, columns), styles, "bold")]
        for costs in option.costs:
            group.append(
                _TokenLine(f"  {costs.name}".rstrip(), _costs(option, costs, columns), plain)
            )
        groups.append(group)
    return [*groups, [_difference(costs, is_left_out) for costs in explained.differences]]


def _difference(costs: Costs, is_left_out: Sequence[bool]) -> _TokenLine:
    cells = ["" if value is None else _signed(value) for value in costs.values]
    name = f"Δ {costs.name}" if costs.name else "  difference"
    styles = [
        "dim" if is_out else _FAVOURS.get(cell[:1], "dim")
        for cell, is_out in zip(cells, is_left_out, strict=True)
    ]
    return _TokenLine(name, cells, styles)


def _shown(
    groups: Sequence[Sequence[_TokenLine]], block: Sequence[_PlacedColumn], *, is_only: bool
) -> Iterator[_TokenLine]:
    """The rows that have something in a block; what all options have in common is shown once."""
    options = groups[:-1]
    contents = {tuple(row.cells[place.at] for row in group for place in block) for group in options}
    if len(contents) == 1 and len(options) > 1 and not is_only:
        yield from _together(options[0])
        return
    for row in (row for group in groups for row in group):
        if any(row.cells[place.at] for place in block):
            yield row


def _together(group: Sequence[_TokenLine]) -> list[_TokenLine]:
    """The rows of an option as those of all."""
    return [replace(group[0], name=_ALL, name_style="dim"), *group[1:]]


def cut(text: str, width: int) -> str:
    """The text, or the beginning of it that fits."""
    return text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip(" …") + "…"


def _texts(option: OptionTokens, columns: Sequence[TokenColumn]) -> list[str]:
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


def _costs(option: OptionTokens, costs: Costs, columns: Sequence[TokenColumn]) -> list[str]:
    """Return the cost of each column's token: empty if not queried, a dash if missing."""
    shown = []
    for at, column in zip(option.places, columns, strict=True):
        value = costs.at(at)
        is_missing = at is not None and not costs.name and column.part is not Part.SPECIAL
        shown.append(f"{value:.2f}" if value is not None else UNDEFINED if is_missing else "")
    return shown


def margin_cell(margin: float | None) -> str:
    """Format a margin with its sign; 0, which is undecided, has none.

    >>> margin_cell(1.5), margin_cell(-0.25), margin_cell(0.0), margin_cell(None)
    ('+1.500', '−0.250', '0.000', '–')
    """
    if not margin:
        return UNDEFINED if margin is None else "0.000"
    return f"{margin:+.3f}".replace("-", "−")


def _signed(value: float) -> str:
    """The number with its sign, and zero without one.

    >>> _signed(1.5), _signed(-0.25), _signed(-0.001)
    ('+1.50', '−0.25', '0')
    """
    shown = f"{value:+.2f}"
    return "0" if float(shown) == 0 else shown.replace("-", "−")


@dataclass(frozen=True, slots=True)
class _PlacedColumn:
    """The position of a column that is drawn in a block, and its width there."""

    at: int
    width: int


def _blocks(
    columns: Sequence[TokenColumn], widths: Sequence[int], room: int
) -> list[list[_PlacedColumn]]:
    """Split the columns into as few blocks as fit, none much shorter than the others."""
    blocks = _filled(columns, widths, room)
    while len(blocks) > 1 and len(narrower := _filled(columns, widths, room - 1)) == len(blocks):
        blocks, room = narrower, room - 1
    return blocks


def _filled(
    columns: Sequence[TokenColumn], widths: Sequence[int], room: int
) -> list[list[_PlacedColumn]]:
    """Fill blocks with columns, one after the other; each has at least one."""
    blocks: list[list[int]] = [[]]
    for at in range(len(columns)):
        if blocks[-1] and _width(_widened(columns, widths, [*blocks[-1], at])) > room:
            blocks.append([])
        blocks[-1].append(at)
    return [_widened(columns, widths, block) for block in blocks if block]


def _width(block: Sequence[_PlacedColumn]) -> int:
    return sum(place.width + len(GAP) for place in block) - len(GAP)


def _widened(
    columns: Sequence[TokenColumn], widths: Sequence[int], block: Sequence[int]
) -> list[_PlacedColumn]:
    """The columns with a last one wide enough, in each part, for the part's name above it."""
    places = []
    for _, group in groupby(block, key=lambda at: columns[at].run):
        run = [_PlacedColumn(at, widths[at]) for at in group]
        name = _part_name(columns, run[0].at)
        missing = max(len(name) - _width(run), 0)
        places += [*run[:-1], _PlacedColumn(run[-1].at, run[-1].width + missing)]
    return places


def _part_name(columns: Sequence[TokenColumn], at: int) -> str:
    """Return the heading above a column; without a blank, the whole text is the “sentence”."""
    part = columns[at].part
    if part in _UNNAMED:
        return ""
    is_whole = all(column.part in (Part.PREFIX, Part.SPECIAL) for column in columns)
    return "sentence" if is_whole else str(part)


def _ruler(columns: Sequence[TokenColumn], block: Sequence[_PlacedColumn], margin: int) -> Text:
    """The names of the parts, each as wide as its columns."""
    line = Text(" " * margin)
    for _, group in groupby(block, key=lambda place: columns[place.at].run):
        run = list(group)
        name, part = _part_name(columns, run[0].at), columns[run[0].at].part
        drawn = f"{name} " if name and _width(run) > len(name) else name
        line.append(drawn.ljust(_width(run), "─" if name else " "), STYLES[part])
        line.append(GAP)
    return line


def _line(row: _TokenLine, block: Sequence[_PlacedColumn], margin: int) -> Text:
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
