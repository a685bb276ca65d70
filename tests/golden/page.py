"""The numbers of a report: those in the tables of the page, of Markdown and of LaTeX.

Headings and words may change. Kept are the numbers below the heading of each table, from left to
right and from top to bottom, and those with a decimal point in the summary.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from tests.golden.tables import Table

# A number by itself, such as .25 or −7.1 or 10,000; none that is part of a name, as in smart@1.
NUMBER = re.compile(r"(?<![\w.@\-/:])[−+\-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.?\d+)(?![\w@:]|\.\d)")
# Tables of how a run was made differ from machine to machine and from day to day.
PASSING = re.compile(r"\d\d:\d\d|glibc|sqlite|GiB|finished|seconds", re.IGNORECASE)


def page_numbers(folder: Path) -> Table:
    """The numbers of all reports in the folder of a run."""
    table = Table(("report", "table"), ("numbers",))
    parts = {
        "page": _html_tables((folder / "report.html").read_text(encoding="utf-8")),
        "markdown": _markdown_tables((folder / "report.md").read_text(encoding="utf-8")),
        "latex": _latex_tables((folder / "report.tex").read_text(encoding="utf-8")),
    }
    for report, tables in parts.items():
        kept = [text for text in tables if numbers(text) and not PASSING.search(text)]
        for number, text in enumerate(kept, 1):
            table.add((report, str(number)), {"numbers": numbers(text)})
    summary = (folder / "summary.txt").read_text(encoding="utf-8")
    decimals = sorted(number for number in numbers(summary) if "." in number)
    table.add(("summary", "sorted"), {"numbers": decimals})
    return table


def numbers(text: str) -> list[str]:
    """All numbers of a text, as they are written but for signs and commas."""
    return [
        found.replace("−", "-").replace(",", "").replace("+", "") for found in NUMBER.findall(text)
    ]


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.is_body = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.texts.append("")
        elif tag == "tbody":
            self.is_body = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "tbody":
            self.is_body = False
        elif tag in {"td", "th"} and self.is_body:
            self.texts[-1] += " "

    def handle_data(self, data: str) -> None:
        if self.is_body:
            self.texts[-1] += data


def _html_tables(page: str) -> list[str]:
    parser = _Tables()
    parser.feed(page)
    return parser.texts


def _markdown_tables(text: str) -> list[str]:
    return re.findall(r"^\|[-:| ]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)


def _latex_tables(text: str) -> list[str]:
    bodies = re.findall(r"\\toprule.*?\\midrule(.*?)\\bottomrule", text, re.DOTALL)
    # `\multicolumn{6}` and the like are about the layout.
    return [re.sub(r"\\[a-z]+(?:\{[\d-]+\})?", " ", body).replace("$", "") for body in bodies]
