from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import horsesense
from horsesense.errors import (
    FileError,
    HorsesenseError,
    UnknownNameError,
    UnreadableError,
)
from horsesense.evaluation import evaluate
from horsesense.results import Results
from horsesense.schema import Dataset, Header
from tests.evaluation.evaluated import SCHEMAS, by_words, entries_of
from tests.evaluation.inference.stand_in import StandIn


def test_what_was_found_is_told_in_words_and_at_a_glance() -> None:
    found = by_words()
    assert repr(found) == "<Evaluated stand-in on own>"
    assert "stand-in on own" in found.summary
    baseline = evaluate("random", SCHEMAS, perturbations="none")
    assert repr(baseline) == "<Evaluated random on own>"
    glance = found._repr_html_()
    assert glance.count("<tr>") >= 3 and "<td" in glance and "stand-in" in glance


def test_frames_have_every_number_answer_and_problem() -> None:
    found = by_words()
    measured, answers, problems = found.estimates(), found.answers(), found.problems()
    assert len(measured) == len(found.profile.estimates)
    row = measured[(measured.metric == "schema-accuracy") & (measured.kind == "value")].iloc[0]
    assert row.symbol == "A"
    assert set(answers.variant) == set(problems.variant) == {"original", "switched", "no-candidate"}
    assert len(problems[problems.variant == "original"]) == 6


def test_a_problem_is_told_token_by_token() -> None:
    found = by_words()
    entry = found.profile.problems[0].entry
    tokens = found.tokens(entry, 2)
    first = tokens[tokens.option == "Nora"]
    assert "".join(first.token) == "Nora handed Lena a towel because Nora was wet."
    assert set(first.part) == {"prefix", "blank", "suffix"}
    assert first.cost.notna().sum() == len(first) - 1
    with pytest.raises(UnknownNameError, match=rf"{entry} is called '3' \(known: 1, 2\)"):
        found.tokens(entry, 3)
    with pytest.raises(UnknownNameError, match="no entry whose tokens were kept is called 'nope'"):
        found.tokens("nope")


def test_tokens_are_of_one_dataset_where_two_have_the_same_entry() -> None:
    towel = f"{SCHEMAS[0]}\n    id: towel"
    other = "[Ida] gave [Ella] a bun since <she = Ella, Ida> was {hungry, full}.\n    id: towel"
    data = [Dataset(Header(name), entries_of(text)) for name, text in (("a", towel), ("b", other))]
    found = evaluate(StandIn(), data, perturbations="none", methods="standard")
    for name, option, begins in (("a", "Nora", "Nora handed"), ("b", "Ella", "Ida gave")):
        tokens = found.tokens("towel", 1, dataset=name)
        told = tokens[tokens.option == option].token
        assert "".join(told).startswith(begins) and told.str.count("[.]").sum() == 1
    with pytest.raises(HorsesenseError, match="towel is an entry of a and b; say which"):
        found.tokens("towel")
    with pytest.raises(UnknownNameError, match="no entry of c whose tokens"):
        found.tokens("towel", dataset="c")


def test_without_pandas_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = by_words().profile.problems[0].entry
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(HorsesenseError, match=r"pip install 'horsesense\[frames\]'"):
        by_words().tokens(entry)


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
def test_a_report_is_saved_as_its_suffix_says(tmp_path: Path, name: str, begins: str) -> None:
    path = by_words().save(tmp_path / name)
    text = path.read_text("utf-8")
    assert text.lower().startswith(begins)
    assert "stand-in" in text
    if path.suffix == ".json":
        assert json.loads(text)


def test_without_a_suffix_a_folder_of_reports_and_tables_is_saved(tmp_path: Path) -> None:
    folder = by_words().save(str(tmp_path / "made" / "tables"))
    assert (folder / "report.html").read_text("utf-8").lower().startswith("<!doctype html>")
    names = {"report.md", "report.tex", "summary.txt", "answers.csv"}
    assert names <= {one.name for one in folder.iterdir()}
    assert (folder / "estimates.csv").read_text("utf-8").count("schema-accuracy") > 10


def test_what_cannot_be_saved_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match=r"\.docx"):
        by_words().save(tmp_path / "report.docx")
    with pytest.raises(FileError, match=r"\.csv is several files: give a folder"):
        by_words().save(tmp_path / "report.csv")
    with pytest.raises(FileError, match="no name is given"):
        by_words().save("")
    with pytest.raises(FileError, match="cannot be written"):
        by_words().save(tmp_path / "no" / "such" / "folder.md")


def test_tables_and_figures_are_those_of_the_report() -> None:
    assert "glance" not in {one.name for one in by_words().figures()}
    assert {"methods-own", "perturbations-own"} <= {one.name for one in by_words().figures()}
    assert by_words().tables()


def test_to_import_horsesense_takes_nothing_with_it() -> None:
    code = "import sys, horsesense; print([m for m in sys.modules if 'horsesense.' in m])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
    assert horsesense.evaluate is evaluate and horsesense.Results is Results
    assert {"evaluate", "Results"} <= set(dir(horsesense))
    with pytest.warns(DeprecationWarning, match=r"horsesense\.Profile is now horsesense\.Results"):
        assert horsesense.Profile is Results
    with pytest.warns(DeprecationWarning, match=r"measurements\(\) is now estimates\(\)"):
        assert len(by_words().measurements()) == len(by_words().estimates())
    with pytest.raises(AttributeError, match="no attribute 'assess'"):
        horsesense.assess  # noqa: B018


def test_without_matplotlib_a_page_is_saved_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in ("page.html", "folder"):
        with pytest.warns(UserWarning, match=rf"{name} has no figures: .*'horsesense\[figures\]'"):
            by_words().save(tmp_path / name)
    by_words().save(tmp_path / "report.md")
    assert "written without its figures" in (tmp_path / "folder" / "report.html").read_text()


def test_to_keep_going_leaves_out_what_a_model_cannot_read() -> None:
    texts = [
        "the kite <rose, sank> in the {rising, dying} wind",
        "a ☃ <melts, holds> in {sun, ice}",
    ]
    with pytest.raises(UnreadableError, match="no token for '☃' in 'A ☃ melts"):
        evaluate(StandIn(), texts, perturbations="none", methods="standard")
    found = evaluate(StandIn(), texts, perturbations="none", methods="standard", keep_going=True)
    assert any(
        "2 problems left out, which it cannot" in gap.reason for gap in found.profile.skipped
    )
