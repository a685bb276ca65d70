"""How an explanation is drawn: a problem token by token, and below it what each method adds up.

Parts of a sentence have colours, and names above them for whoever sees none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import groupby
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from horsesense.cli.token_lines import GAP, SENSIBLE, STYLES, cut, token_lines
from horsesense.evaluation.inference import Explanation, Mark, Scored, Sum, Summary
from horsesense.models import Family, Model
from horsesense.scoring.outcome import Verdict

VERDICTS = {
    Verdict.SOLVED: ("✓", "bold green"),
    Verdict.FAILED: ("✗", "bold red"),
    Verdict.UNDECIDED: ("=", "bold yellow"),
    Verdict.UNLABELLED: ("?", "dim"),
}
_MARKS = {Mark.ALL: "█", Mark.SOME: "▒", Mark.NONE: "·"}
_LONGEST_OPTION, _SHORTEST_OPTION = 12, 6
_SMALLEST_BAR = 8
_HOW_TO_READ = (
    "Below each token is its cost, the negated logarithm of its probability; less is preferred."
    " A difference (Δ) with + speaks for the sensible option."
)


def render(lines: Iterable[Text], width: int, *, colour: bool) -> str:
    """The lines as they go to a terminal, or as plain text."""
    buffer = StringIO()
    console = Console(
        file=buffer, width=width, force_terminal=colour, highlight=False, markup=False
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines())


def introduction(model: Model, scored: Scored, width: int) -> Iterator[Text]:
    """Who was asked, and how to read what follows."""
    declared = model.info
    how = f" ({declared.family}), {scored.problem.mode}; {SENSIBLE} is the sensible option"
    room = width - cell_len(how)
    # Of the path to a folder, the end tells more than the beginning.
    name = declared.name if len(declared.name) <= room else "…" + declared.name[1 - room :]
    yield Text.assemble((name, "bold"), how)
    if declared.family is not Family.BASELINE:
        for line in wrap(_HOW_TO_READ, width):
            yield Text(line, "dim")


def draw(explained: Explanation, title: str, width: int) -> Iterator[Text]:
    """Everything there is to show of a problem, in lines of that width."""
    yield Text("")
    yield from _heading(title, explained.statement, width)
    yield Text("")
    if explained.grid.columns:
        yield from token_lines(explained, width)
        yield Text("")
    yield from _sum_lines(explained, width)
    if explained.remarks:
        yield Text("")
    for remark in explained.remarks:
        for number, line in enumerate(wrap(remark, width - 2, break_on_hyphens=False)):
            yield Text(("  " if number else "• ") + line, "dim")


def _heading(title: str, statement: str, width: int) -> Iterator[Text]:
    """A rule with the statement in it, or above it if it is long."""
    is_short = cell_len(title) + cell_len(statement) <= width - 10
    shown = f"{title}  {statement}" if statement and is_short else title
    rule = "─" * (width - cell_len(shown) - 4)
    yield Text.assemble(("── ", "dim"), (shown, "bold"), (f" {rule}", "dim"))
    if not is_short:
        for line in wrap(statement, width):
            yield Text(line, "bold")


def conclusion(summaries: Sequence[Summary]) -> Iterator[Text]:
    """Which methods solve all the schemas there are, both problems of each."""
    defined = [one for one in summaries if one.schemas.total]
    if not defined:
        return
    solved = [one.method for one in defined if one.schemas.count == one.schemas.total]
    yield Text("")
    yield Text.assemble(
        ("Both problems are solved by ", "bold"),
        (", ".join(solved) or "no method", "bold green" if solved else "bold red"),
    )


def _sum_lines(explained: Explanation, width: int) -> Iterator[Text]:
    """A line for each method: the tokens it adds up, what each option costs, what it prefers."""
    sums = [one for one in explained.sums if one.outcome is not None]
    if not sums:
        return
    rows = _rows(explained, sums, width - _SMALLEST_BAR)
    if explained.grid.columns:
        taken = _total(rows) + len(GAP)
        shown = _shown_columns(explained, sums, max(width - taken, _SMALLEST_BAR))
        bars = [Text("adds up", "bold"), *(_bar(one, explained, shown) for one in sums)]
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
        rows = [_titles(options, sums), *(_cells(one, options) for one in sums)]
        if _total(rows) <= room:
            break
    return rows


def _total(rows: Sequence[Sequence[Text]]) -> int:
    return sum(_widths(rows)) + len(GAP) * (len(rows[0]) - 1)


def _widths(rows: Sequence[Sequence[Text]]) -> list[int]:
    return [max(cell.cell_len for cell in column) for column in zip(*rows, strict=True)]


def _titles(options: Sequence[str], sums: Sequence[Sum]) -> list[Text]:
    is_divided = any(divisor > 1 for one in sums for divisor in one.divisors)
    titles = ["method", "÷" if is_divided else "", *options, "margin", "prefers"]
    return [Text(title, "bold") for title in titles]


def _cells(one: Sum, options: Sequence[str]) -> list[Text]:
    outcome = one.outcome
    assert outcome is not None
    chosen, (mark, style) = outcome.chosen, VERDICTS[outcome.verdict]
    costs = [
        Text(f"{cost:.3f}", "bold" if at == chosen else "") for at, cost in enumerate(outcome.costs)
    ]
    return [
        Text(one.method),
        Text(_divisors(one.divisors), "dim"),
        *costs,
        Text(f"{outcome.margin:.3f}"),
        Text(f"{mark} {'undecided' if chosen is None else options[chosen]}", style),
    ]


def _divisors(divisors: Sequence[int]) -> str:
    """What the sums were divided by: once where it is the same for all, nothing for one.

    >>> _divisors((1, 1)), _divisors((8, 8)), _divisors((8, 9))
    ('', '8', '8, 9')
    """
    found = list(dict.fromkeys(divisors))
    if len(found) == 1:
        return "" if found == [1] else str(found[0])
    return ", ".join(map(str, divisors))


def _shown_columns(explained: Explanation, sums: Sequence[Sum], room: int) -> list[int]:
    """The columns that a bar shows: of long runs that no method tells apart, some are left out."""
    columns = explained.grid.columns

    def alike(at: int) -> tuple[int, tuple[Mark, ...]]:
        return columns[at].run, tuple(one.marks[at] for one in sums)

    runs = [list(run) for _, run in groupby(range(len(columns)), key=alike)]
    longest = max(map(len, runs))
    while longest > 1 and sum(min(len(run), longest) for run in runs) > room:
        longest -= 1
    return [at for run in runs for at in run[:longest]]


def _bar(one: Sum, explained: Explanation, shown: Sequence[int]) -> Text:
    bar = Text()
    for at in shown:
        bar.append(_MARKS[one.marks[at]], STYLES[explained.grid.columns[at].part])
    return bar
