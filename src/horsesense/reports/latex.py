"""LaTeX: tables with booktabs, ready to paste, their symbols set as mathematics."""

from __future__ import annotations

import re
from collections.abc import Iterator

from horsesense.reports.report import Report
from horsesense.reports.table import Align, ReportTable, TableColumn

PREAMBLE = """\
% Paste the tables into a document whose preamble has
%   \\usepackage[T1]{fontenc}
%   \\usepackage{textcomp,amsmath,booktabs,longtable,adjustbox}
% and is read as UTF-8, which LaTeX does since 2018."""
# More rows than these do not fit on a page.
_LONG = 45
_CHARACTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    # After the end of a row these would be taken for its arguments.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "−": "$-$",
    "–": "--",
    "×": r"$\times$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "✓": r"$\surd$",
    "✗": r"$\times$",
    "†": r"\textdagger{}",
    "‡": r"\textdaggerdbl{}",
    "§": r"\textsection{}",
    "κ": r"$\kappa$",
    "Δ": r"$\Delta$",
    "«": r"\guillemotleft{}",
    "»": r"\guillemotright{}",
    "’": "'",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "…": r"\ldots{}",
    "\u00a0": "~",
}
_IN_MATHS = {"−": "-", "κ": r"\kappa ", "Δ": r"\Delta ", "*": "^{*}"}
_NUMBER = re.compile(r"[+−]?\d*\.\d+|[<>] \.\d+")
_FRACTION = re.compile(r"\(([^()]+)\)/\(?([^()]+)\)?")


def latex(report: Report) -> str:
    """Return all tables, each to be pasted by itself, with the text around them as comments."""
    summary = report.summary
    warnings = (f"WARNING: {warning}" for warning in summary.warnings)
    parts = [
        PREAMBLE,
        _comment(report.opening, *warnings, summary.headline, *summary.caveats),
    ]
    parts += map(latex_table, summary.tables)
    for section in report.sections:
        if section.paragraphs or section.tables:
            parts.append(_comment(f"---- {section.title} ----", *section.paragraphs))
            parts += map(latex_table, section.tables)
    return "\n\n".join(parts) + "\n"


def latex_table(table: ReportTable) -> str:
    """One table with its caption, label and notes; one that is longer than a page may break."""
    is_long = sum(len(group.rows) for group in table.groups) > _LONG
    return "\n".join(_long(table) if is_long else _short(table))


def escaped(text: str) -> str:
    r"""A text that is set as it is.

    >>> escaped("100 % of ant_1 & <b>"), escaped("−.117")
    ('100 \\% of ant\\_1 \\& \\textless{}b\\textgreater{}', '$-$.117')
    """
    return "".join(_CHARACTERS.get(character, character) for character in re.sub(r"\s+", " ", text))


def symbol(text: str) -> str:
    r"""A symbol as mathematics.

    >>> symbol("C*"), symbol("c_p"), symbol("(r − r_B)/(1 − r_B)")
    ('$C^{*}$', '$c_{p}$', '$\\frac{r - r_{B}}{1 - r_{B}}$')
    """
    written = _FRACTION.sub(r"\\frac{\1}{\2}", text)
    written = re.sub(r"_(\w)", r"_{\1}", written)
    return f"${''.join(_IN_MATHS.get(character, character) for character in written)}$"


def _comment(*paragraphs: str) -> str:
    return "\n".join(f"% {' '.join(paragraph.split())}" for paragraph in paragraphs)


def _short(table: ReportTable) -> Iterator[str]:
    yield r"\begin{table}[htbp]"
    yield r"\centering"
    yield _caption(table)
    yield r"\begin{adjustbox}{max width=\textwidth}"
    yield rf"\begin{{tabular}}{{{_alignment(table)}}}"
    yield r"\toprule"
    yield _heading(table)
    yield from _body(table)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield r"\end{adjustbox}"
    yield from _notes(table)
    yield r"\end{table}"


def _long(table: ReportTable) -> Iterator[str]:
    yield r"\begingroup\small"
    yield rf"\begin{{longtable}}{{{_alignment(table)}}}"
    yield _caption(table) + r"\\"
    yield r"\toprule"
    yield _heading(table)
    yield r"\midrule"
    yield r"\endhead"
    yield r"\bottomrule"
    yield r"\endfoot"
    yield from _body(table, is_begun=True)
    yield r"\end{longtable}"
    yield from _notes(table)
    yield r"\endgroup"


def _caption(table: ReportTable) -> str:
    return rf"\caption{{{escaped(table.title)}.}}\label{{tab:{table.name}}}"


def _alignment(table: ReportTable) -> str:
    return "".join("l" if column.align is Align.LEFT else "r" for column in table.columns)


def _heading(table: ReportTable) -> str:
    return _row(_headed(column) for column in table.columns)


def _headed(column: TableColumn) -> str:
    if not column.is_symbol:
        return escaped(column.heading)
    first, comma, rest = column.heading.partition(",")
    return symbol(first) + comma + escaped(rest)


def _body(table: ReportTable, *, is_begun: bool = False) -> Iterator[str]:
    for at, group in enumerate(table.groups):
        if at or not is_begun:
            yield r"\midrule"
        if group.heading:
            count = len(table.columns)
            yield rf"\multicolumn{{{count}}}{{l}}{{\emph{{{escaped(group.heading)}}}}} \\"
        for row in group.rows:
            yield _row(_cell(column, text) for column, text in zip(table.columns, row, strict=True))


def _cell(column: TableColumn, text: str) -> str:
    """A cell: symbols and numbers as mathematics, so that a minus is one."""
    if column.holds_symbols and text:
        return symbol(text)
    if _NUMBER.fullmatch(text):
        return f"${text.replace('−', '-')}$"
    return escaped(text)


def _row(cells: Iterator[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _notes(table: ReportTable) -> Iterator[str]:
    if table.notes:
        message = "; ".join(escaped(note) for note in table.notes)
        yield r"\par\smallskip\begin{minipage}{\textwidth}\footnotesize"
        yield f"{message}."
        yield r"\end{minipage}"
