"""LaTeX that compiles: as no compiler may be there, what breaks one is looked for."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from horsesense.reports import (
    Align,
    ReportTable,
    RowGroup,
    TableColumn,
    build_report,
    latex,
    latex_table,
)
from horsesense.reports.latex import escaped, symbol
from tests.reports import hand_made
from tests.reports.built import small_report, small_tables

COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)")
# Beyond ASCII nothing is left that fonts in T1 might not have.
KNOWN_COMMANDS = {
    *(r"\begin", r"\end", r"\centering", r"\caption", r"\label", r"\textwidth", r"\toprule"),
    *(r"\midrule", r"\bottomrule", r"\multicolumn", r"\emph", r"\par", r"\smallskip", r"\small"),
    *(r"\footnotesize", r"\endhead", r"\endfoot", r"\begingroup", r"\endgroup", r"\frac"),
    *(r"\uparrow", r"\downarrow", r"\surd"),
    *(r"\kappa", r"\Delta", r"\times", r"\textdagger", r"\textdaggerdbl", r"\guillemotleft"),
    r"\textsection",
    *(r"\textquotedblleft", r"\textquotedblright"),
    *(r"\guillemotright", r"\textless", r"\textgreater", r"\textbar", r"\textquotedbl", r"\ldots"),
    *(r"\textasciitilde", r"\textasciicircum", r"\textbackslash", r"\textasciigrave"),
    *("\\\\", r"\%", r"\&", r"\#", r"\_", r"\$", r"\{", r"\}"),
}


def code(written: str) -> str:
    """Without comments."""
    return "\n".join(line for line in written.splitlines() if not line.startswith("%"))


def check(written: str) -> None:
    """Fail on what LaTeX would stumble over."""
    assert written.isascii(), [one for one in written if not one.isascii()]
    assert set(COMMAND.findall(written)) <= KNOWN_COMMANDS
    bare = COMMAND.sub("", written)
    depth = 0
    for one in bare:
        depth += {"{": 1, "}": -1}.get(one, 0)
        assert depth >= 0
    assert depth == 0
    assert not set('%#~^"<>|`\\') & set(re.sub(r"\$[^$]*\$|Table~", "", bare))
    assert "_" not in re.sub(r"\$[^$]*\$", "", bare)
    for line in bare.splitlines():
        assert line.count("$") % 2 == 0, line
    opened: list[str] = []
    for which, name in re.findall(r"\\(begin|end)\{(\w+)\}", written):
        if which == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []


def test_every_table_is_sound() -> None:
    for one in small_tables():
        check(latex_table(one))


def test_every_row_has_as_many_cells_as_there_are_columns() -> None:
    for one in small_tables():
        rows = [line for line in latex_table(one).splitlines() if re.search(r"(?<!\\)&", line)]
        assert {len(re.findall(r"(?<!\\)&", line)) + 1 for line in rows} == {len(one.columns)}


def test_a_whole_report_is_sound_and_says_what_it_needs() -> None:
    written = latex(small_report())
    assert r"%   \usepackage{textcomp,amsmath,booktabs,longtable,adjustbox}" in written
    check(code(written))
    assert written.count(r"\label{tab:") == len(small_tables())


def test_comments_stay_comments_whatever_they_hold() -> None:
    written = latex(small_report())
    before, _, _ = written.partition(r"\begin{table}")
    assert all(line.startswith("%") for line in before.splitlines() if line)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("C_p", "$C_{p}$"),
        ("κ", r"$\kappa $"),
        ("ΔA", r"$\Delta A$"),
        ("A − C_a", "$A - C_{a}$"),
        ("(r − r_B)/r", r"$\frac{r - r_{B}}{r}$"),
    ],
)
def test_symbols_are_set_as_mathematics(text: str, written: str) -> None:
    assert symbol(text) == written


def test_a_text_keeps_its_spaces_and_loses_its_line_ends() -> None:
    assert escaped(" 95 %\nof [all]") == r" 95 \% of {[}all{]}"


def some(count: int, **more: object) -> ReportTable:
    columns = (
        TableColumn("Model", Align.LEFT),
        TableColumn("Metric", Align.LEFT, holds_symbols=True),
        TableColumn("a, Any Length", is_symbol=True),
    )
    told: dict[str, object] = {"groups": (RowGroup((("ant", "A", "−.5"),) * count),)} | more
    return ReportTable(name="some", title="Some", columns=columns, **told)  # type: ignore[arg-type]


def test_cells_are_numbers_symbols_or_texts() -> None:
    rows = (
        ("ant", "a", "−.117"),
        ("", "", "< .001"),
        ("bee", "A", "–"),
        ("fly", "C*", "+.5 to +.6"),
    )
    written = latex_table(some(0, groups=(RowGroup(rows),)))
    assert r"Model & Metric & $a$, Any Length \\" in written
    assert r"ant & $a$ & $-.117$ \\" in written
    assert r" &  & $< .001$ \\" in written
    assert r"bee & $A$ & -- \\" in written
    assert r"fly & $C^{*}$ & +.5 to +.6 \\" in written


def test_a_table_of_many_rows_may_break_over_pages() -> None:
    short, long = latex_table(some(45)), latex_table(some(46))
    assert r"\begin{tabular}{llr}" in short and "longtable" not in short
    assert r"\begin{longtable}{llr}" in long and r"\begin{table}" not in long
    check(long)


def test_groups_of_a_long_table_stand_apart() -> None:
    groups = (RowGroup((("ant", "A", ".5"),) * 46), RowGroup((("first", "A", ".5"),), "Baselines"))
    written = latex_table(some(0, groups=groups))
    assert written.count(r"\midrule") == 2
    assert r"\multicolumn{3}{l}{\emph{Baselines}} \\" in written


def test_a_caption_names_only_the_table_itself_and_notes_stand_below() -> None:
    written = latex_table(some(1, thesis="4.16", notes=("n: 8", "p: exact")))
    assert r"\caption{Some.}\label{tab:some}" in written
    assert "\nn: 8; p: exact.\n" in written
    assert "minipage" not in latex_table(some(1))


def test_a_profile_of_nothing_is_still_a_report() -> None:
    check(code(latex(build_report(hand_made.profile((), (), (), ())))))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_it_compiles(tmp_path: Path) -> None:
    head = (
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n"
        "\\usepackage{textcomp,amsmath,booktabs,longtable,adjustbox}\n\\begin{document}\n"
    )
    (tmp_path / "report.tex").write_text(head + latex(small_report()) + "\\end{document}\n")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "report.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-2000:]
