"""The page in a real browser: what it shows, how it is used, and what it must never do."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from horsesense.reports.page import page
from horsesense.results import ORIGINAL, Results
from tests.browser.chromium import needs_browser, visit
from tests.reports.built import small_report, with_figures, without_figures
from tests.reports.page_profiles import (
    IMAGE,
    PROBLEMS,
    SCRIPT,
    hostile_profile,
    large_profile,
    two_figures,
    wordy_profile,
)
from tests.reports.small_profile import ANT, small_profile

pytestmark = needs_browser

FEW_ROWS = 40
WHITE = "rgb(255, 255, 255)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pages are."""
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def small(folder: Path) -> dict[str, Any]:
    """A visit to the page of the small profile."""
    path = folder / "small.html"
    path.write_text(page(with_figures(small_report(), *two_figures())), encoding="utf-8")
    return visit(
        path, "towel hands", "listed", "opened", "keyboard", "looks", "sizes", "without-script"
    )


@pytest.fixture(scope="module")
def hostile(folder: Path) -> dict[str, Any]:
    """A visit to the page of the hostile profile."""
    return visit(
        _written(folder, "hostile", hostile_profile()),
        "slept",
        "listed",
        "opened",
        "without-script",
    )


@pytest.fixture(scope="module")
def large(folder: Path) -> dict[str, Any]:
    """A visit to a page of 1,000 problems."""
    return visit(_written(folder, "large", large_profile()), "soup-3", "listed", "looks")


def _written(folder: Path, name: str, profile: Results) -> Path:
    path = folder / f"{name}.html"
    path.write_text(page(without_figures(profile)), encoding="utf-8")
    return path


@cache
def _margins() -> list[str]:
    """The margins of the first model by the standard method, least first, as they are shown."""
    profile = small_profile()
    model = profile.models[0]
    found = []
    for dataset in profile.datasets:
        for one in profile.answer_sets[profile.standard(model, dataset.name)].answers:
            outcome = one.outcome
            found.append(outcome.margin * (1 if outcome.chosen in (None, outcome.right) else -1))
    return [_shown(one) for one in sorted(found)]


def _shown(margin: float) -> str:
    kept = round(margin, 3)
    digits = 3 if 0 < abs(kept) < 0.005 else 2
    sign = "−" if kept < 0 else "+" if kept > 0 else ""
    return sign + f"{abs(kept):.{digits}f}"


def test_it_loads_without_a_complaint_and_asks_nobody_for_anything(small: dict[str, Any]) -> None:
    assert small["troubles"] == []
    assert {one.partition("#")[0] for one in small["requests"]} == {small["address"]}


def test_it_lists_every_problem_of_the_original(small: dict[str, Any]) -> None:
    problems = [one for one in small_profile().problems if one.variant == ORIGINAL]
    assert small["listed"]["rows"] == len(problems)
    assert small["listed"]["tally"].startswith(f"{len(problems)} of {len(problems)} problems")
    assert small["listed"]["title"].endswith("· horsesense")


def test_words_that_are_searched_for_must_all_be_there(small: dict[str, Any]) -> None:
    assert small["listed"]["found"] == 2
    assert small["listed"]["empty"].startswith("No problems match.")


def test_problems_are_filtered_by_outcome_and_by_flips(small: dict[str, Any]) -> None:
    assert set(small["listed"]["failed"]) == {"failed"}
    assert small["listed"]["flips"]
    assert not [one for one in small["listed"]["flips"] if one.startswith(("0", "–"))]


def test_problems_are_sorted_by_margin_either_way(small: dict[str, Any]) -> None:
    assert small["listed"]["ascending"] == _margins()
    assert small["listed"]["descending"] == _margins()[::-1]
    assert small["listed"]["ascending said"] == "ascending"
    assert small["listed"]["descending said"] == "descending"


def test_an_open_problem_shows_tokens_methods_perturbations_and_its_twin(
    small: dict[str, Any],
) -> None:
    opened = small["opened"]
    assert opened["name"] == "soup.1"
    assert opened["tokens"] == ["Otto\n–", "&\n2.50", "Emil\n1.25", "<was>\n3.00", ".\n0.50"]
    assert opened["readout"] == "“&” costs 2.50 nats, probability 8.2 %"
    assert opened["headings"] == [
        "Token by token",
        "Decision of each scoring method",
        "Decision of each model, with its standard method",
        "Perturbations and other variants",
    ]
    parts = opened["parts"]
    assert parts.index("statement") < parts.index("twin") < parts.index("tokens")
    assert [text[:10] for text in opened["why"]] == ["It prefers"]
    for name in ("switched", "by-key", "no-candidate", *small_profile().models[0].methods):
        assert name in opened["text"]
    assert opened["twin"] == "soup.2"


def test_an_open_problem_can_be_linked_to(small: dict[str, Any]) -> None:
    assert small["opened"]["hash"] == "#problem=kitchen/soup.1"
    assert small["opened"]["linked"] == "soup.2"


def test_the_keyboard_reaches_everything(small: dict[str, Any]) -> None:
    keys = small["keyboard"]
    assert (keys["first"], keys["outline"]) == ("Skip to the results", "solid")
    assert keys["slash"] == "search"
    walked = [keys[name] for name in ("down", "j", "arrow", "k")]
    assert walked == ["towel.1", "towel.2", "soup.1", "towel.2"]
    assert (keys["entered"], keys["next"]) == ("towel.2", "soup.1")
    assert keys["is closed"]
    assert keys["focus after"] == "soup.1"


def test_it_is_light_or_dark_as_the_system_or_the_reader_wants(small: dict[str, Any]) -> None:
    looks = small["looks"]
    assert looks["light"] != looks["dark"]
    assert looks["switched to light"] == looks["remembered"] == looks["light"]
    assert looks["auto again"] == looks["dark"]


def test_on_paper_it_is_white_and_whole(small: dict[str, Any]) -> None:
    looks = small["looks"]
    assert looks["paper"] == WHITE
    assert not looks["filters on paper"]
    assert looks["closed on paper"] == 0
    assert looks["rows on paper"] == small["listed"]["rows"]


def test_nothing_sticks_out_on_a_telephone(small: dict[str, Any]) -> None:
    assert small["sizes"] == {"width": 380, "width with a problem": 380, "detail": 380}


def test_long_words_and_narrow_cards_do_not_stick_out(folder: Path) -> None:
    found = visit(_written(folder, "wordy", wordy_profile()), "saw", "fitting")
    assert found["fitting"] == {"table": 0, "detail": 0, "cards at 794": 0, "cards at 820": 0}


def test_without_scripts_summary_figures_and_tables_are_there(small: dict[str, Any]) -> None:
    found = small["without-script"]
    assert ANT in found["text"]
    assert "needs JavaScript" in found["text"]
    assert found["figures"] == 2
    assert found["tables"] > 10


def test_nothing_that_data_say_is_run(hostile: dict[str, Any]) -> None:
    assert hostile["troubles"] == []
    assert hostile["opened"]["has run"] == "nothing"
    assert {one.partition("#")[0] for one in hostile["requests"]} == {hostile["address"]}


def test_what_data_say_is_shown_as_it_is(hostile: dict[str, Any]) -> None:
    assert hostile["listed"]["rows"] == 2
    assert hostile["listed"]["title"].startswith(f"model {SCRIPT} on data")
    assert SCRIPT in hostile["opened"]["text"]
    assert IMAGE in hostile["opened"]["text"]
    assert SCRIPT in hostile["without-script"]["text"]


def test_a_thousand_problems_are_drawn_as_they_come_into_sight(large: dict[str, Any]) -> None:
    assert large["troubles"] == []
    assert FEW_ROWS <= large["listed"]["rows"] < PROBLEMS
    assert large["looks"]["rows on paper"] >= PROBLEMS
