import sys
from dataclasses import replace
from math import inf, isnan

import pytest

from horsesense.errors import HorsesenseError
from horsesense.metrics.statistics import interval
from horsesense.results import Kind
from horsesense.results.frames import (
    answers_frame,
    measurements_frame,
    problems_frame,
    tokens_frame,
)
from horsesense.results.rows import (
    LEVEL,
    answer_table,
    flat_tables,
    measurement_table,
    token_table,
)
from tests.reports.small_profile import ANT, BEE, small_profile
from tests.results.awkward import OPTIONS, awkward_profile, bare_profile
from tests.results.read_back import measurements_from_rows


def test_measurements_come_back_from_their_rows() -> None:
    for profile in (awkward_profile(), small_profile()):
        read = measurements_from_rows(measurement_table(profile))
        assert read == profile.measurements
        assert repr(read) == repr(profile.measurements)


def test_measurements_come_back_from_texts() -> None:
    profile = awkward_profile()
    texts = [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in measurement_table(profile)
    ]
    assert repr(measurements_from_rows(texts)) == repr(profile.measurements)


def test_a_row_of_a_measurement_is_flat() -> None:
    value, change, _ = measurement_table(awkward_profile(), {"problem-accuracy": "a"})
    assert list(value)[4:9] == ["method", "metric", "symbol", "kind", "value"]
    assert (value["subset"], value["symbol"], value["kind"]) == ("not (a)", "a", "value")
    assert (value["level"], value["against_model"]) == (0.95, None)
    assert (change["symbol"], change["level"], change["against_model"]) == ("", None, "ant")


def test_the_level_is_that_of_the_intervals() -> None:
    assert interval.LEVEL == LEVEL


def test_answers_are_told_with_their_texts() -> None:
    solved, tied, unlabelled, only_failed, *_ = answer_table(awkward_profile())
    assert solved["statement"] == "___ sank." and solved["twins"] == (2,)
    assert (solved["right"], solved["chosen"], solved["chosen_option"]) == (0, 0, "Infinity")
    assert (solved["margin"], solved["costs"], solved["verdict"]) == (inf, (0.1, inf), "solved")
    assert solved["tags"] == ("equal-length", "sea")
    assert (tied["chosen"], tied["right_option"], tied["twins"]) == (None, OPTIONS[1], (1, 1))
    assert (unlabelled["right"], unlabelled["verdict"]) == (None, "unlabelled")
    assert unlabelled["statement"] is None and unlabelled["chosen_option"] == "b"
    # Where it is only known whether a problem was solved, no option was right or chosen.
    assert (only_failed["right"], only_failed["chosen"]) == (None, None)
    assert only_failed["verdict"] == "failed"


def test_there_is_a_row_for_every_answer() -> None:
    profile = small_profile()
    rows = list(answer_table(profile))
    keys = {tuple(row[name] for name in list(row)[:6]) for row in rows}
    assert len(rows) == len(keys) == sum(len(sheet.answers) for sheet in profile.sheets.values())


def test_all_that_a_profile_holds_is_in_some_table() -> None:
    profile = small_profile()
    counts = {table.name: len(table.rows) for table in flat_tables(profile)}
    assert counts == {
        "measurements": len(profile.measurements),
        "answers": sum(len(sheet.answers) for sheet in profile.sheets.values()),
        "options": len(profile.options),
        "problems": len(profile.problems),
        "models": len(profile.models),
        "datasets": len(profile.datasets),
        "forms": len(profile.forms),
        "tokens": len(profile.tokens),
        "gaps": len(profile.gaps),
        "run": 1,
    }


def test_the_share_of_an_option_that_is_never_offered_is_not_defined() -> None:
    (one, *_) = awkward_profile().options
    profile = awkward_profile(options=(one, replace(one, chosen=0, offered=0)))
    (table,) = [table for table in flat_tables(profile) if table.name == "options"]
    assert [row["share"] for row in table] == [0.5, None]


def test_a_problem_is_told_token_by_token_for_each_option() -> None:
    assert list(token_table(small_profile(), "kitchen", "soup", 1)) == [
        {"model": ANT, "option": option, "token": token, "part": part, "cost": cost}
        for option, was in (("Emil", 3.0), ("Otto", 4.0))
        for token, part, cost in (
            ("Otto", "prefix", None),
            (" &", "prefix", 2.5),
            (f" {option}", "blank", 1.25),
            (" <was>", "suffix", was),
            (".", "suffix", 0.5),
        )
    ]


def test_tokens_of_other_problems_and_forms_are_left_out() -> None:
    profile = small_profile()
    (first, second) = profile.tokens
    others = (
        replace(first, form="switched"),
        replace(first, entry="towel"),
        replace(second, number=2),
        replace(first, dataset="yard", entry="soup"),
    )
    mixed = replace(profile, tokens=(*others, first, replace(second, model=BEE)))
    told = [(row["model"], row["option"]) for row in token_table(mixed, "kitchen", "soup", 1)]
    assert told == [*[(ANT, "Emil")] * 5, *[(BEE, "Otto")] * 5]
    assert {row["option"] for row in token_table(mixed, "kitchen", "soup", 2)} == {"Otto"}
    assert not token_table(mixed, "kitchen", "lid", 1).rows


def test_frames_hold_the_same_numbers() -> None:
    profile = small_profile()
    frame = measurements_frame(profile, {"problem-accuracy": "a"})
    assert len(frame) == len(profile.measurements)
    for name in ("value", "low", "p"):
        told = [None if one != one else one for one in frame[name].tolist()]
        assert told == [getattr(one, name) for one in profile.measurements]
    of_accuracy = frame[frame.metric == "problem-accuracy"]
    assert set(of_accuracy.symbol) == {"a"} and set(frame.kind) == {one.value for one in Kind}


def test_frames_of_answers_and_problems_have_their_rows() -> None:
    profile = awkward_profile()
    answers = answers_frame(profile)
    assert answers.chosen.dtype == "Int64"
    assert answers.chosen.isna().tolist()[:4] == [False, True, False, True]
    assert answers.costs[0] == (0.1, inf)
    right = problems_frame(profile).right_option
    assert right.tolist()[:2] == list(OPTIONS) and right.isna().tolist() == [False, False, True]


def test_frames_of_tokens_have_costs_that_are_numbers() -> None:
    frame = tokens_frame(awkward_profile(), "quay", "boat", 1)
    assert list(frame.columns) == ["model", "option", "token", "part", "cost"]
    assert frame.token.tolist() == ["Infinity", " sank"]
    assert set(frame.option) == {OPTIONS[0]}
    first, second = frame.cost.tolist()
    assert frame.cost.dtype == "float64" and isnan(first) and second == inf


def test_frames_of_nothing_have_their_columns() -> None:
    frame = answers_frame(bare_profile())
    assert len(frame) == 0 and "margin" in frame.columns


def test_without_pandas_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(HorsesenseError, match=r"pip install 'horsesense\[frames\]'"):
        problems_frame(awkward_profile())
