"""Sections: each is one function, plug-ins bring more, and every writer shows all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from horsesense.reports import Report, Section, build_report, latex, markdown, text
from horsesense.reports.page import page
from horsesense.reports.sections import GROUP, SECTIONS, load_own_sections
from horsesense.reports.writing import figure_files
from tests.reports import hand_made
from tests.reports.built import small_report
from tests.results.awkward import awkward_profile

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package that brings sections, each with the name of its entry point."""

    def installed(**points: str) -> None:
        folder = tmp_path / "almanac-1.2.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Name: almanac\nVersion: 1.2\n", encoding="utf-8")
        lines = [f"{name} = {value}" for name, value in points.items()]
        written = "\n".join([f"[{GROUP}]", *lines]) + "\n"
        (folder / "entry_points.txt").write_text(written, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        SECTIONS.reload()

    yield installed
    monkeypatch.undo()
    SECTIONS.reload()


def section_named(report: Report, name: str) -> Section:
    return next(section for section in report.sections if section.name == name)


def test_our_sections_are_in_the_order_of_the_report() -> None:
    load_own_sections()
    assert list(SECTIONS.own_names) == [
        "setup",
        "methods",
        "chat",
        "comparison",
        "perturbations",
        "inversion",
        "controls",
        "dyads",
        "responses",
        "usage",
        "skipped",
    ]


def test_sections_without_anything_to_show_are_left_out() -> None:
    report = build_report(hand_made.profile((), (), (), ()))
    assert [section.name for section in report.sections] == ["skipped"]
    assert section_named(report, "skipped").paragraphs == ("No model or variant was skipped.",)


def test_a_section_of_another_package_is_shown_by_every_writer(install: Install) -> None:
    install(moon="tests.reports.brought:moon")
    report = build_report(awkward_profile())
    assert [section.name for section in report.sections][:2] == ["setup", "moon"]
    for written in (text(report, all_tables=True), markdown(report), latex(report), page(report)):
        assert "Phases of the moon" in written
        assert "2 models were run at night." in written
        assert "Days" in written and "full" in written
    assert "2 models were run at night." in text(report)


def test_tables_with_the_same_name_are_numbered(install: Install) -> None:
    install(moon="tests.reports.brought:moon")
    report = build_report(awkward_profile())
    assert [table.name for section in report.sections for table in section.tables][:3] == [
        "models",
        "data",
        "models-2",
    ]


def test_a_figure_that_a_plug_in_does_not_draw_is_replaced_by_the_reason(install: Install) -> None:
    install(moon="tests.reports.brought:moon")
    report = build_report(hand_made.profile((), (), (), ()))
    reason = (
        "This figure is missing: the plug-in 'tests.reports.brought:moon' of almanac 1.2 failed:"
        " ValueError: the moon is behind clouds"
    )
    assert reason in page(report).replace("&#39;", "'")
    files = dict(figure_files(report))
    assert list(files) == ["moon.svg", "moon.png", "clouds.txt"]
    assert files["clouds.txt"].decode() == f"{reason}\n"


@pytest.mark.parametrize(
    ("value", "title", "reason"),
    [
        ("brought:eclipse", "Eclipses", "failed: ValueError: no light"),
        ("brought:number", "A number", "expected a string, ReportTable or DrawnFigure, not int"),
        ("brought:ragged", "A row too short", "'models' needs rows of 2 texts, one for each"),
        ("brought:second", "sky", "horsesense has a report section of the name 'skipped' already"),
        ("brought:table", "sky", "is not a report section"),
        ("nowhere:moon", "sky", "No module named 'tests.reports.nowhere'"),
    ],
)
def test_a_section_that_fails_names_its_plug_in_and_the_rest_is_written(
    install: Install, value: str, title: str, reason: str
) -> None:
    before = build_report(awkward_profile())
    install(sky=f"tests.reports.{value}")
    report = build_report(awkward_profile())
    (failed,) = [section for section in report.sections if section not in before.sections]
    assert failed.title == title
    (note,) = failed.paragraphs
    assert f"tests.reports.{value}" in note and reason in note
    assert [each for each in report.sections if each != failed] == list(before.sections)
    assert note in " ".join(text(report, width=1000).splitlines())


def test_two_packages_may_not_bring_the_same_section(install: Install) -> None:
    install(early="tests.reports.brought:moon", late="tests.reports.brought:moon")
    report = build_report(awkward_profile())
    assert "both provide 'moon'" in section_named(report, "moon").paragraphs[0]


def test_a_section_of_figures_alone_has_no_heading_where_figures_are_not_shown() -> None:
    drawn = Section(name="sky", title="The night sky", figures=small_report().figures[:1])
    report = replace(small_report(), sections=(drawn,))
    for written in (text(report, all_tables=True), markdown(report), latex(report)):
        assert "The night sky" not in written
