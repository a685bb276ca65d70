"""The page as text: what goes into it, what is escaped, and how large it gets."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256
from html import escape
from typing import Any

import pytest

from horsesense.reports import Conclusion, ModelVerdict, build_report
from horsesense.reports.page import accuracies, page, reproducibility
from horsesense.reports.page.data import INFINITE, as_element, page_data
from horsesense.reports.report import facts, report_title
from horsesense.results import ORIGINAL, ResultKey, Results
from horsesense.results.measuring.noteworthy import problem_views
from horsesense.scoring.outcome import Outcome
from tests.reports.built import small_report, with_figures, without_figures
from tests.reports.page_profiles import (
    IMAGE,
    PROBLEMS,
    SCRIPT,
    hostile_profile,
    large_profile,
    two_figures,
)
from tests.reports.small_profile import ANT, BEE, FIRST, GAP, record, small_profile

MOST_BYTES = 5_000_000


@pytest.fixture(scope="module")
def written() -> str:
    """The page of the small profile, with its figures."""
    return page(with_figures(small_report(), *two_figures()))


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    """What the page's scripts read."""
    return page_data(small_profile())


def plain_page(profile: Results) -> str:
    """The page of a profile, without figures."""
    return page(without_figures(profile))


def _embedded(text: str) -> Any:
    found = re.search(r'<script type="application/(.*?)" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[2] if found[1] == "json" else gzip.decompress(b64decode(found[2])))


def _answers(data: dict[str, Any], model: str, form: str, method: str) -> dict[str, Any]:
    models = [one["name"] for one in data["models"]]
    forms = [(data["datasets"][one["dataset"]]["name"], one["name"]) for one in data["forms"]]
    at = (models.index(model), forms.index(("kitchen", form)), method)
    found: dict[str, Any] = next(
        one for one in data["answers"] if (one["model"], one["form"], one["method"]) == at
    )
    return found


def _rows(data: dict[str, Any], variant: str) -> list[list[Any]]:
    """The problems of all variants with that name."""
    forms = [one["name"] for one in data["forms"]]
    return [row for _, rows in data["problems"] for row in rows if forms[row[0]] == variant]


def test_its_parts_stand_in_order(written: str) -> None:
    parts = ("top", "summary", "problems", "figures", "tables", "record", "glossary")
    places = [written.index(f' id="{part}"') for part in parts]
    assert places == sorted(places)


def test_it_names_nothing_outside(written: str) -> None:
    assert not re.findall(r'(?:src|href)="(?!#|data:,")[^"]*"', written)
    assert "@import" not in written
    assert not re.findall(r"url\((?!#)", written)


def test_only_its_own_scripts_may_run(written: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', written)
    assert policy is not None
    scripts = re.findall(r"<script>(.*?)</script>", written, re.DOTALL)
    assert len(scripts) == 2
    hashes = [b64encode(sha256(one.encode()).digest()).decode() for one in scripts]
    allowed = " ".join(f"'sha256-{one}'" for one in hashes)
    assert escape(f"script-src {allowed};") in policy[1].replace("&#39;", "&#x27;")
    assert policy[1].startswith("default-src &#39;none&#39;;")


def test_the_data_in_it_are_what_the_profile_holds(written: str, data: dict[str, Any]) -> None:
    assert _embedded(written) == json.loads(json.dumps(data))


def test_it_repeats_the_run_by_a_command_and_a_plan(written: str) -> None:
    assert "horsesense run --again 0123456789ab" in written
    made = reproducibility(record())
    assert "models:\n- ant_1\n- bee|2 & co\n" in made.plan
    assert escape(made.plan, quote=False).strip() in written.replace("&#39;", "'")


def test_large_data_are_compressed_and_small_ones_can_be_read() -> None:
    small, large = {"tags": ["</script>"]}, {"texts": ["owl"] * 100_000}
    assert 'type="application/json"' in as_element(small)
    assert 'type="application/gzip"' in as_element(large)
    assert as_element(large) == as_element(large)
    assert (_embedded(as_element(small)), _embedded(as_element(large))) == (small, large)


def test_tables_and_figures_explain_the_symbols_in_them_right_below(written: str) -> None:
    table = written[written.index(' id="table-consistency-kitchen"') :].partition("</figure>")[0]
    line = table[table.index("</table>") :]
    assert (
        '<i class="symbol">C<sub>a</sub></i> the share of schemas solved before and after' in line
    )
    assert "the share of problems that are solved" not in line
    figure = written[written.index(' class="drawn"') :].partition("</figure>")[0]
    assert '<i class="symbol">a</i> the share of problems that are solved' in figure


def test_figures_are_folded_by_question_with_the_answer_in_the_heading(written: str) -> None:
    folds = re.findall(r'<details class="fold" id="figures-([a-z-]+)"( open)?>', written)
    assert [name for name, _ in folds][:4] == ["controls", "perturbations", "inversion", "methods"]
    assert [name for name, is_open in folds if is_open] == [folds[0][0]]
    assert "Do all scoring methods lead to the same conclusion?</h3>" in written
    assert '<span class="fold-answer">' in written


def test_what_decided_a_problem_is_said_for_the_standard_method(data: dict[str, Any]) -> None:
    said = [one["why"] for one in data["answers"] if "why" in one]
    assert said and all(
        each.startswith("It prefers ") for listed in said for each in listed if each
    )


def test_every_section_is_shown_in_order(written: str) -> None:
    sections = small_report().sections
    places = [written.index(f' id="section-{section.name}"') for section in sections]
    assert places == sorted(places)
    assert all(f"<h3>{section.title}</h3>" in written for section in sections)
    assert all(f' id="table-{table.name}"' in written for table in small_report().tables)


def test_what_was_skipped_is_listed_and_entries_left_out_are_counted(written: str) -> None:
    skipped = written[written.index(' id="section-skipped"') :]
    assert escape(GAP.where) in skipped
    assert ' id="table-left-out"' in skipped


def test_a_page_where_nothing_was_skipped_says_so() -> None:
    told = "No model or variant was skipped."
    assert told in plain_page(replace(small_profile(), skipped=()))
    assert told not in plain_page(small_profile())


def test_figures_are_left_out_where_there_are_none(written: str) -> None:
    assert ' class="drawn"' in written
    assert ' class="drawn"' not in plain_page(small_profile())


def test_symbols_are_written_as_print_has_them(written: str) -> None:
    assert '<dt class="symbol">C<sub>a</sub></dt>' in written
    assert '<i class="symbol">a</i>' in written


def test_every_hostile_text_is_escaped() -> None:
    written = plain_page(hostile_profile())
    assert SCRIPT not in written
    assert IMAGE not in written
    assert len(re.findall(r"</script>", written)) == 3
    assert "<!--" not in written.partition("<body>")[2]


def test_a_thousand_problems_stay_below_five_megabytes() -> None:
    profile = large_profile()
    written = page(with_figures(build_report(profile), *two_figures() * 9))
    assert len(_rows(_embedded(written), ORIGINAL)) >= PROBLEMS
    assert len(written.encode()) < MOST_BYTES


def test_answers_stand_in_the_order_of_problems(data: dict[str, Any]) -> None:
    answer_set = small_profile().answer_sets[ResultKey(ANT, "kitchen", method="smart@1")]
    coded = _answers(data, ANT, ORIGINAL, "smart@1")
    letters = [
        "-" if one.outcome.chosen is None else str(one.outcome.chosen) for one in answer_set.answers
    ]
    assert coded["chosen"] == "".join(letters)
    assert coded["margins"] == [round(one.outcome.margin * 1000) for one in answer_set.answers]
    assert "-" in coded["chosen"]


def test_what_is_noteworthy_is_counted_as_elsewhere(data: dict[str, Any]) -> None:
    coded = _answers(data, BEE, ORIGINAL, "mean-statement")
    views = problem_views(small_profile(), BEE, "kitchen")
    assert coded["flips"] == [[len(one.flips), len(one.tests)] for one in views]
    assert coded["twins"] == [[one.twin, one.schema_solved] for one in views]
    named = [{data["tags"][tag] for tag in tags} for tags in coded["tags"]]
    assert named == [set(one.tags) for one in views]


def test_other_forms_have_the_answers_of_the_standard_method_alone(data: dict[str, Any]) -> None:
    originals = {at for at, form in enumerate(data["forms"]) if form["name"] == ORIGINAL}
    methods = {
        (one["model"], one["method"]) for one in data["answers"] if one["form"] not in originals
    }
    assert methods == {(0, "smart@1"), (1, "mean-statement"), (2, "choice")}


def test_sentences_are_kept_where_they_are_not_the_statement_filled_in(
    data: dict[str, Any],
) -> None:
    assert {len(row) for row in _rows(data, "switched")} == {5}
    assert 6 in {len(row) for row in _rows(data, "dyadic.by-key")}


def test_tokens_are_kept_of_the_original_with_what_they_cost(data: dict[str, Any]) -> None:
    (found,) = data["tokens"]
    texts, costs, parts, *_ = found["rows"][2][1]
    assert [data["texts"][at] for at in texts] == ["Otto", " &", " Otto", " <was>", "."]
    assert costs == [None, 250, 125, 400, 50]
    assert [data["parts"][int(at)] for at in parts][2] == "blank"


def test_tokens_of_other_forms_and_of_unknown_problems_are_left_out() -> None:
    one = small_profile().tokens[0]
    others = (replace(one, variant="switched"), replace(one, entry="nowhere"))
    assert page_data(replace(small_profile(), tokens=others))["tokens"] == []


def test_what_cannot_be_written_as_a_number_has_a_sign_of_its_own() -> None:
    profile = small_profile()
    at = ResultKey(FIRST, "kitchen", method="choice")
    answer_set = profile.answer_sets[at]
    first, second, *_ = answer_set.answers
    sure = replace(first, outcome=Outcome((0.0, float("inf")), 0, 0, float("inf")))
    short = replace(answer_set, answers=(sure, second), schemas=((0, 1),))
    coded = _answers(
        page_data(replace(profile, answer_sets={at: short})), FIRST, ORIGINAL, "choice"
    )
    assert coded["chosen"][2:] == "." * 14
    assert coded["margins"][0] == INFINITE
    assert coded["margins"][2] is None


def test_a_form_of_which_no_problem_was_kept_is_empty() -> None:
    found = page_data(replace(small_profile(), problems=(), tokens=()))
    assert found["problems"] == []
    assert {one["chosen"] for one in found["answers"]} == {""}


def test_a_model_that_was_not_asked_about_a_dataset_has_no_answers_to_it() -> None:
    profile = small_profile()
    ant = replace(profile.models[0], standard=(("kitchen", "smart@1"),))
    answer_sets = {
        at: one
        for at, one in profile.answer_sets.items()
        if (at.model, at.dataset) != (ANT, "yard")
    }
    found = page_data(replace(profile, models=(ant, *profile.models[1:]), answer_sets=answer_sets))
    yard = [at for at, form in enumerate(found["forms"]) if form["dataset"] == 1]
    assert not [one for one in found["answers"] if one["model"] == 0 and one["form"] in yard]
    assert found["models"][0]["standard"] == ["smart@1", None]


def test_the_title_names_baselines_only_where_there_is_nothing_else() -> None:
    profile = small_profile()
    assert report_title(profile) == "ant_1 and bee|2 & co on kitchen and yard"
    assert report_title(replace(profile, models=profile.models[2:])) == "first on kitchen and yard"


def test_facts_tell_what_was_run_and_when() -> None:
    told = {one.name: one.text for one in facts(small_profile())}
    assert told["Models"] == "ant_1 and bee|2 & co"
    assert told["Baseline"] == "first"
    assert told["Data"] == "kitchen (16 problems, 8 schemas) and yard (8 problems, 4 schemas)"
    assert told["Date"] == "2 January 2026, 03:05 UTC"
    assert told["Run"] == "0123456789ab"


def test_facts_of_one_model_without_baselines_say_no_more_than_that() -> None:
    profile = small_profile()
    alone = replace(
        profile, models=profile.models[:1], record=replace(profile.record, finished_at="today")
    )
    assert [(one.name, one.text) for one in facts(alone)][:1] == [("Model", "ant_1")]
    assert {one.name: one.text for one in facts(alone)}["Date"] == "today"
    assert "Baseline" not in {one.name for one in facts(alone)}


def test_baselines_that_stand_beside_nothing_are_the_models() -> None:
    profile = small_profile()
    only = replace(profile, models=tuple(one for one in profile.models if one.is_baseline))
    assert [(one.name, one.text) for one in facts(only)][:2] == [
        ("Model", "first"),
        ("Data", "kitchen (16 problems, 8 schemas) and yard (8 problems, 4 schemas)"),
    ]
    both = replace(profile, models=(*profile.models, replace(profile.models[-1], name="last")))
    assert {one.name: one.text for one in facts(both)}["Baselines"] == "first and last"


def test_names_in_the_heading_are_not_broken_at_hyphens() -> None:
    profile = small_profile()
    named = tuple(replace(one, name="hs-winograd") for one in profile.datasets[:1])
    told = plain_page(
        replace(profile, datasets=named, variants=(), problems=(), answer_sets={}, tokens=())
    )
    assert '<span class="word">hs-winograd</span></bdi></h1>' in told


def test_an_interval_without_width_is_told_as_in_tables() -> None:
    profile = small_profile()
    alike = tuple(replace(one, low=0.5, high=0.5) for one in profile.estimates)
    told = plain_page(replace(profile, estimates=alike))
    assert '<span class="number range">no width</span>' in told
    assert "95 % interval no width, chance" in told
    assert ".500 to .500" not in told


def test_what_no_plan_names_is_not_said_to_be_repeatable() -> None:
    profile = small_profile()
    given = replace(profile, record=replace(profile.record, in_memory=("mine", "<own>")))
    told = plain_page(given)
    assert "horsesense run --again" not in told
    assert "No command can repeat this run" in told and "mine and &lt;own&gt;" in told


def test_a_verdict_has_its_accuracies_beside_it() -> None:
    verdict = ModelVerdict(ANT, "kitchen", Conclusion.FEWER, "", ())
    profile, key = small_profile(), ResultKey(ANT, "kitchen", method="smart@1")
    assert accuracies(profile, verdict) == (
        profile.value(key, "problem-accuracy"),
        profile.value(key, "schema-accuracy"),
    )


def test_a_verdict_without_measurements_has_none_beside_it() -> None:
    bare = replace(small_profile(), estimates=())
    assert accuracies(bare, ModelVerdict(ANT, "kitchen", Conclusion.TOO_FEW, "", ())) == ()
