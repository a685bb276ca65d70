from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from horsesense.errors import FileError, UnknownNameError
from horsesense.reports import build_report, write_report
from horsesense.reports.writing import run_files
from tests.reports.small_profile import small_profile


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("report.html", "<!doctype html>"),
        ("report.MD", "# "),
        ("report.tex", "%"),
        ("report.txt", ""),
        ("report.json", "{"),
    ],
)
def test_a_report_is_written_as_its_suffix_says(tmp_path: Path, name: str, begins: str) -> None:
    path = write_report(small_profile(), tmp_path / name)
    text = path.read_text("utf-8")
    assert text.lower().startswith(begins) and "kitchen" in text
    if path.suffix == ".json":
        assert json.loads(text)


def test_without_a_suffix_a_folder_of_reports_and_tables_is_written(tmp_path: Path) -> None:
    folder = write_report(small_profile(), str(tmp_path / "made" / "tables"))
    assert (folder / "report.html").read_text("utf-8").lower().startswith("<!doctype html>")
    names = {"report.md", "report.tex", "summary.txt", "answers.csv"}
    assert names <= {path.name for path in folder.iterdir()}
    assert (folder / "estimates.csv").read_text("utf-8").count("schema-accuracy") > 10


def test_a_folder_has_the_formats_that_are_named(tmp_path: Path) -> None:
    folder = write_report(small_profile(), tmp_path / "some", formats=["latex", "csv"])
    assert {path.name for path in folder.iterdir()} == {"report.tex", "csv"}
    assert (folder / "csv" / "answers.csv").exists()


def test_a_report_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"\.docx"):
        write_report(small_profile(), tmp_path / "report.docx")
    with pytest.raises(FileError, match=r"\.csv needs several files: give a folder"):
        write_report(small_profile(), tmp_path / "report.csv")
    with pytest.raises(FileError, match="names a single file, but formats need a folder"):
        write_report(small_profile(), tmp_path / "report.md", formats=["latex"])
    with pytest.raises(FileError, match="the path is empty"):
        write_report(small_profile(), "")
    with pytest.raises(FileError, match="cannot be written"):
        write_report(small_profile(), tmp_path / "no" / "such" / "folder.md")


def test_without_matplotlib_a_page_is_written_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in ("page.html", "folder"):
        with pytest.warns(UserWarning, match=rf"{name} has no figures: .*'horsesense\[figures\]'"):
            write_report(small_profile(), tmp_path / name)
    write_report(small_profile(), tmp_path / "report.md")
    write_report(small_profile(), tmp_path / "tables", formats=["latex"])
    assert "written without its figures" in (tmp_path / "folder" / "report.html").read_text()


def test_a_run_writes_what_people_read_and_all_estimates() -> None:
    files = dict(run_files(build_report(small_profile())))
    assert {"report.html", "summary.txt", "estimates.csv"} <= files.keys()
    assert files["estimates.csv"].startswith(b"model,")
