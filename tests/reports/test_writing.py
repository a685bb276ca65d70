"""A profile in every format, by one door."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib.resources import files
from xml.etree import ElementTree

import pytest

from horsesense.errors import UnknownNameError
from horsesense.reports import (
    ReportTable,
    RowGroup,
    TableColumn,
    build_report,
    latex,
    latex_table,
    markdown,
    markdown_table,
    text,
    text_summary,
    text_table,
)
from horsesense.reports.page import page
from horsesense.reports.table import left
from horsesense.reports.writing import (
    FOLDERS,
    FORMATS,
    TABLE_FORMATS,
    TEXTS,
    csv_files,
    figure_files,
    parquet_files,
    readable_files,
    report_files,
    report_text,
    table_text,
)
from horsesense.results import ORIGINAL, EstimateKind
from horsesense.results.document import from_document
from tests.reports.built import small_report, small_tables, without_figures
from tests.reports.small_profile import small_profile
from tests.results.awkward import awkward_profile


def test_a_text_is_what_its_writer_makes_of_the_profile() -> None:
    report = small_report()
    assert report_text(report, "text", width=80) == text(report, width=80, all_tables=True)
    assert report_text(report, "markdown") == markdown(report)
    assert report_text(report, "latex") == latex(report)
    assert from_document(json.loads(report_text(report, "json"))) == report.results
    written = report_text(build_report(awkward_profile()), "html")
    assert written.lower().startswith("<!doctype html>")


def test_a_table_is_written_alone() -> None:
    (table, *_) = small_tables()
    assert table_text(table, "text", width=60) == text_table(table, width=60)
    assert table_text(table, "markdown") == markdown_table(table)
    assert table_text(table, "latex") == latex_table(table)


TABLE = ReportTable(
    name="birds",
    title="Birds",
    columns=(left("Bird"), left("Metric"), TableColumn("Value"), TableColumn("Difference")),
    groups=(
        RowGroup((("owl", "a", ".605", "−.117"), ("", "A", "1.000", "–"))),
        RowGroup((("crow", "a", ".5 (n = 3)", "+.019"),), "Baselines"),
    ),
    notes=("all of them fly",),
)


def test_a_table_in_csv_has_numbers_that_programs_read_and_no_blank_cells() -> None:
    assert table_text(TABLE, "csv").splitlines() == [
        "Group,Bird,Metric,Value,Difference",
        ",owl,a,0.605,-0.117",
        ",owl,A,1.000,",
        "Baselines,crow,a,.5 (n = 3),0.019",
    ]
    ungrouped = replace(TABLE, groups=TABLE.groups[:1])
    assert table_text(ungrouped, "csv").splitlines()[:2] == [
        "Bird,Metric,Value,Difference",
        "owl,a,0.605,-0.117",
    ]


def test_a_table_in_html_is_well_formed_and_says_what_the_others_say() -> None:
    begun = replace(TABLE, title="Birds <& co>")
    root = ElementTree.fromstring(f"<div>{table_text(begun, 'html')}</div>")
    assert [cell.text for cell in root.iter("th")] == [
        "Bird", "Metric", "Value", "Difference", "Baselines",
    ]  # fmt: skip
    assert [cell.text for cell in root.iter("td")][:4] == ["owl", "a", ".605", "−.117"]
    assert [cell.get("style") for cell in root.iter("td")][1:3] == [
        "text-align: left", "text-align: right",
    ]  # fmt: skip
    assert (root.findtext("table/caption"), root.findtext("p")) == (
        "Birds <& co>", "all of them fly",
    )  # fmt: skip


def test_a_table_in_json_has_its_rows_in_the_order_of_the_columns() -> None:
    assert json.loads(table_text(TABLE, "json")) == {
        "name": "birds",
        "title": "Birds",
        "columns": ["Bird", "Metric", "Value", "Difference"],
        "rows": [
            {"group": "", "cells": ["owl", "a", 0.605, -0.117]},
            {"group": "", "cells": ["owl", "A", 1.0, None]},
            {"group": "Baselines", "cells": ["crow", "a", ".5 (n = 3)", 0.019]},
        ],
        "notes": ["all of them fly"],
    }


def test_json_begins_with_the_verdict_the_findings_and_the_page() -> None:
    report = small_report()
    content = json.loads(report_text(report, "json", page_path="report.html"))
    assert list(content)[:4] == ["verdict", "findings", "page", "warnings"]
    assert content["verdict"] == report.summary.headline
    assert {"value", "low", "high"} <= content["findings"][0]["both_twins_right"].keys()
    assert content["page"] == "report.html"


def test_several_formats_are_files_under_their_names() -> None:
    profile = awkward_profile()
    report = build_report(profile)
    written = dict(report_files(report, (*TEXTS, *FOLDERS)))
    assert set(TEXTS.values()) <= written.keys()
    assert written["report.md"] == markdown(report).encode()
    assert {one: written[f"csv/{one}"] for one, _ in csv_files(profile)} == dict(csv_files(profile))
    assert {f"parquet/{one}" for one, _ in parquet_files(profile)} <= written.keys()
    date = profile.record.finished_at.replace(":", "-")
    of_harness = {one for one in written if one.startswith("lm-eval/")}
    assert f"lm-eval/ant/results_{date}.json" in of_harness
    assert f"lm-eval/bee/samples_quay_switched_{date}.jsonl" in of_harness


def test_what_people_read_is_the_summary_the_page_and_tables_to_be_pasted() -> None:
    report = build_report(awkward_profile())
    written = {name: content.decode() for name, content in readable_files(report)}
    assert list(written) == ["summary.txt", "report.html", "report.md", "report.tex"]
    assert written["summary.txt"] == text_summary(report)
    assert "ant was tested on quay (no problem with a known answer" in written["summary.txt"]
    assert written["report.html"].lower().startswith("<!doctype html>")
    assert written["report.md"] == markdown(report)
    assert written["report.tex"] == latex(report)


def test_every_figure_is_written_as_svg_and_png() -> None:
    profile = small_profile()
    values = [one for one in profile.estimates if one.kind is EstimateKind.VALUE]
    yard = [one for one in values if (one.key.dataset, one.key.variant) == ("yard", ORIGINAL)]
    small = replace(profile, datasets=profile.datasets[1:], estimates=tuple(yard))
    report = build_report(small)
    names = {one.name for one in report.figures}
    assert {"datasets", "plane-yard"} <= names
    written = dict(figure_files(report))
    assert written.keys() == {f"{one}.{suffix}" for one in names for suffix in ("svg", "png")}
    for name, content in written.items():
        assert content.startswith(b"<svg" if name.endswith("svg") else b"\x89PNG")


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownNameError, match="no format of one text named 'csv'"):
        report_text(small_report(), "csv")
    with pytest.raises(UnknownNameError, match="no format of a table named 'parquet'"):
        table_text(small_tables()[0], "parquet")
    with pytest.raises(UnknownNameError, match="no format named 'pdf'"):
        list(report_files(small_report(), ["pdf"]))
    assert set(TABLE_FORMATS) < set(FORMATS)


def test_what_the_page_is_made_of_is_found_in_its_package() -> None:
    assets = files("horsesense.reports.page") / "assets"
    names = {one.name for one in assets.iterdir()}
    assert names >= {"page.html", "page.css", "page.js", "theme.js"}


def test_without_matplotlib_a_page_has_all_but_figures_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    written = report_text(small_report(), "html")
    told = "without its figures: figures need matplotlib: pip install"
    assert told in written and 'class="drawn"' not in written
    plain = page(without_figures(small_profile()))
    assert told not in plain
    assert written[written.index(' id="tables"') :] == plain[plain.index(' id="tables"') :]
