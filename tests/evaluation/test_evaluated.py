from __future__ import annotations

import subprocess
import sys

import pytest

import horsesense
from horsesense.errors import UnreadableError
from horsesense.evaluation import evaluate
from horsesense.reports import build_report, text_summary
from horsesense.reports.page import glance_html
from horsesense.results import Results
from tests.evaluation.evaluated import SCHEMAS, by_words
from tests.evaluation.inference.stand_in import StandIn


def test_results_are_shown_in_words_at_a_glance_in_tables_and_figures() -> None:
    report = build_report(by_words())
    assert "of your own" in " ".join(text_summary(report).split())
    glance = glance_html(report)
    assert glance.count("<tr>") >= 3 and "<td" in glance and "stand-in" in glance
    assert {"methods-own", "perturbations-own"} <= {figure.name for figure in report.figures}
    assert report.tables
    chance = evaluate("random", SCHEMAS, perturbations="none")
    assert "random was tested on 3 schemas of your own" in text_summary(build_report(chance))


def test_frames_have_every_number_answer_and_problem() -> None:
    results = by_words()
    answers, problems = results.answers.to_pandas(), results.problems.to_pandas()
    measured = results.estimates.to_pandas()
    assert len(measured) == len(results.estimates)
    row = measured[(measured.metric == "schema-accuracy") & (measured.kind == "value")].iloc[0]
    assert row.symbol == "A"
    assert set(answers.variant) == set(problems.variant) == {"original", "switched", "no-candidate"}
    assert len(problems[problems.variant == "original"]) == 6


def test_a_problem_is_shown_token_by_token() -> None:
    results = by_words()
    tokens = results.problem_tokens(results.problems[0].entry, 2).to_pandas()
    first = tokens[tokens.option == "Nora"]
    assert "".join(first.token) == "Nora handed Lena a towel because Nora was wet."
    assert set(first.part) == {"prefix", "blank", "suffix"}
    assert first.cost.notna().sum() == len(first) - 1


def test_importing_horsesense_imports_none_of_its_packages() -> None:
    code = "import sys, horsesense; print([m for m in sys.modules if 'horsesense.' in m])"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
    assert horsesense.evaluate is evaluate and horsesense.Results is Results
    assert horsesense.__version__[0].isdigit()
    assert {"evaluate", "Results", "__version__"} <= set(dir(horsesense))
    with pytest.warns(DeprecationWarning, match=r"horsesense\.Profile is now horsesense\.Results"):
        assert horsesense.Profile is Results
    with pytest.raises(AttributeError, match="no attribute 'assess'"):
        horsesense.assess  # noqa: B018
    with pytest.raises(AttributeError, match=r"'write_report'; it is in horsesense\.reports"):
        horsesense.write_report  # noqa: B018


def test_keep_going_skips_what_a_model_cannot_read() -> None:
    texts = [
        "the kite <rose, sank> in the {rising, dying} wind",
        "a ☃ <melts, holds> in {sun, ice}",
    ]
    with pytest.raises(UnreadableError, match="no token for '☃' in 'A ☃ melts"):
        evaluate(StandIn(), texts, perturbations="none", methods="standard")
    results = evaluate(StandIn(), texts, perturbations="none", methods="standard", keep_going=True)
    assert any("2 problems skipped, as it cannot tokenize" in gap.reason for gap in results.skipped)
