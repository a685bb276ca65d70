import csv
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from math import inf, isnan
from pathlib import Path

import pytest

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.metrics import METRICS
from horsesense.metrics.statistics import interval
from horsesense.results import Column, EstimateKind, Results, Skipped, Table
from horsesense.results.rows import LEVEL
from tests.reports.small_profile import ANT, BEE, small_profile
from tests.results.awkward import OPTIONS, awkward_profile, bare_profile
from tests.results.read_back import estimates_from_rows

TABLE = Table(
    "skipped",
    [
        Column("where", str, "which model"),
        Column("reason", str, "why"),
        Column("length", int | None, "of the reason", lambda row: len(row.reason) or None),
    ],
    [Skipped("ant", "too slow"), Skipped("bee", ""), Skipped("ant", "asleep", True)],
)


def test_a_table_is_a_sequence_of_its_rows() -> None:
    assert (len(TABLE), TABLE[0].where, [one.where for one in TABLE[1:]]) == (
        3,
        "ant",
        ["bee", "ant"],
    )
    assert tuple(TABLE) == TABLE and TABLE[:1] != TABLE[1:2]
    assert hash(TABLE[:2]) == hash(tuple(TABLE)[:2])
    assert repr(TABLE) == "<Table skipped: 3 rows of where, reason, length>"
    assert repr(TABLE[:1]).startswith("<Table skipped: 1 row of")


def test_rows_are_chosen_by_their_columns() -> None:
    assert [one.reason for one in TABLE.where(where="ant")] == ["too slow", "asleep"]
    assert [one.where for one in TABLE.where(where="ant", length=6)] == ["ant"]
    assert [one.where for one in TABLE.filter(lambda row: not row.is_named)] == ["ant", "bee"]
    assert TABLE.where() == TABLE and not TABLE.where(length=None).column("reason")[0]


def test_an_unknown_column_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match=r"column of skipped named 'reasons'; .* reason"):
        TABLE.column("reasons")


def test_a_table_is_written_as_csv_and_json(tmp_path: Path) -> None:
    text = TABLE.to_csv()
    TABLE.to_csv(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_bytes().decode() == text
    assert [*csv.reader(StringIO(text))][:3] == [
        ["where", "reason", "length"],
        ["ant", "too slow", "8"],
        ["bee", "", ""],
    ]
    assert json.loads(TABLE.to_json()) == [*TABLE.records()]
    TABLE.to_json(tmp_path / "table.json")
    assert json.loads((tmp_path / "table.json").read_bytes())[1]["length"] is None
    TABLE.to_parquet(tmp_path / "table.parquet")
    assert (tmp_path / "table.parquet").read_bytes() == TABLE.to_parquet()


@pytest.mark.parametrize("write", [TABLE.to_csv, TABLE.to_json, TABLE.to_parquet])
def test_a_table_written_to_a_file_does_not_fill_a_notebook(
    write: Callable[[Path], object], tmp_path: Path
) -> None:
    assert write(tmp_path / "table") is None and (tmp_path / "table").exists()


def test_every_table_of_results_is_valid_json_with_infinity_too_large() -> None:
    for table in awkward_profile().tables():
        assert len(json.loads(table.to_json())) == len(table)
    assert json.loads(awkward_profile().answers.to_json())[0]["margin"] == inf


def test_every_column_says_what_it_means() -> None:
    for table in small_profile().tables():
        assert all(column.meaning for column in table.columns.values())


def test_estimates_come_back_from_their_rows() -> None:
    for results in (awkward_profile(), small_profile()):
        read = estimates_from_rows(results.estimates.records())
        assert read == tuple(results.estimates)
        assert repr(read) == repr(tuple(results.estimates))


def test_estimates_come_back_from_texts() -> None:
    results = awkward_profile()
    texts = [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in results.estimates.records()
    ]
    assert repr(estimates_from_rows(texts)) == repr(tuple(results.estimates))


def test_a_row_of_an_estimate_is_flat() -> None:
    value, change, _ = awkward_profile().estimates.records()
    assert list(value)[4:9] == ["method", "metric", "symbol", "kind", "value"]
    symbol = METRICS["problem-accuracy"].declared.symbol
    assert (value["subset"], value["symbol"], value["kind"]) == ("not (a)", symbol, "value")
    assert (value["level"], value["against_model"]) == (0.95, None)
    assert (change["level"], change["against_model"]) == (None, "ant")


def test_the_level_is_that_of_the_intervals() -> None:
    assert interval.LEVEL == LEVEL


def test_answers_are_told_with_their_texts() -> None:
    solved, tied, unlabelled, only_failed, *_ = awkward_profile().answers
    assert solved.statement == "___ sank." and solved.twins == (2,)
    assert (solved.label, solved.choice, solved.choice_option) == (0, 0, "Infinity")
    assert (solved.margin, solved.costs, solved.correct) == (inf, (0.1, inf), True)
    assert solved.tags == ("equal-length", "sea") and solved.reason == ""
    assert (tied.choice, tied.label_option, tied.twins) == (None, OPTIONS[1], (1, 1))
    assert (tied.correct, tied.reason) == (None, "undecided")
    assert (unlabelled.label, unlabelled.correct, unlabelled.reason) == (None, None, "unlabelled")
    assert unlabelled.statement is None and unlabelled.choice_option == "b"
    # Where it is only known whether a problem was solved, no option was right or chosen.
    assert (only_failed.label, only_failed.choice, only_failed.correct) == (None, None, False)


def test_there_is_a_row_for_every_answer() -> None:
    results = small_profile()
    keys = {(*row[:4], row.problem_id) for row in results.answers}
    count = sum(len(answer_set.answers) for answer_set in results.answer_sets.values())
    assert len(results.answers) == len(keys) == count


def test_problems_say_what_they_belong_to() -> None:
    results = awkward_profile()
    first, second, *_ = results.problems.records()
    assert first["problem_id"] == "boat.1" and first["mode"] == "by answer"
    assert first["schema_id"] == second["schema_id"] == "boat.1"
    assert first["cluster"] == "boat" and first["tags"] == ("sea",)
    assert {row["schema_id"] for row in bare_profile().problems.records()} <= {None}


def test_the_cluster_is_the_tag_that_names_it() -> None:
    results = small_profile()
    (key, answer_set), *_ = results.answer_sets.items()
    answer = replace(answer_set.answers[0], tags=frozenset({"cluster:owl", "tall"}))
    answer_sets = {key: replace(answer_set, answers=(answer,), schemas=())}
    posed = results.problems.where(entry=answer.entry, number=answer.number, variant=key.variant)
    row, *_ = replace(
        results, answer_sets=answer_sets, problems=posed.where(dataset=key.dataset)
    ).problems.records()
    assert (row["cluster"], row["tags"], row["schema_id"]) == ("owl", ("tall",), None)


def test_all_that_results_hold_is_in_some_table() -> None:
    results = small_profile()
    assert {table.name: len(table) for table in results.tables()} == {
        "estimates": len(results.estimates),
        "answers": sum(len(answer_set.answers) for answer_set in results.answer_sets.values()),
        "options": len(results.options),
        "problems": len(results.problems),
        "models": len(results.models),
        "datasets": len(results.datasets),
        "variants": len(results.variants),
        "tokens": len(results.tokens),
        "replies": len(results.replies),
        "usage": len(results.usage),
        "skipped": len(results.skipped),
        "run": 1,
    }


def test_the_share_of_an_option_that_is_never_offered_is_not_defined() -> None:
    (one, *_) = awkward_profile().options
    results = awkward_profile(options=(one, replace(one, chosen=0, offered=0)))
    (table,) = [table for table in results.tables() if table.name == "options"]
    assert table.column("share") == (0.5, None)


def test_a_problem_is_told_token_by_token_for_each_option() -> None:
    assert list(small_profile().token_table("kitchen", "soup", 1).records()) == [
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


def test_tokens_of_other_problems_and_variants_are_left_out() -> None:
    results = small_profile()
    (first, second) = results.tokens
    others = (
        replace(first, variant="switched"),
        replace(first, entry="towel"),
        replace(second, number=2),
        replace(first, dataset="yard", entry="soup"),
    )
    mixed = replace(results, tokens=(*others, first, replace(second, model=BEE)))
    shown = [row[:2] for row in mixed.token_table("kitchen", "soup", 1)]
    assert shown == [*[(ANT, "Emil")] * 5, *[(BEE, "Otto")] * 5]
    assert set(mixed.token_table("kitchen", "soup", 2).column("option")) == {"Otto"}
    assert not mixed.token_table("kitchen", "lid", 1)


def test_frames_hold_the_same_numbers() -> None:
    results = small_profile()
    frame = results.estimates.to_pandas()
    assert len(frame) == len(results.estimates) and results.to_pandas().equals(frame)
    for name in ("value", "low", "p"):
        told = [None if one != one else one for one in frame[name].tolist()]
        assert told == [getattr(one, name) for one in results.estimates]
    assert set(frame.kind) == {one.value for one in EstimateKind}


def test_frames_of_answers_and_problems_have_their_rows() -> None:
    results = awkward_profile()
    answers = results.answers.to_pandas()
    assert (answers.choice.dtype, answers.correct.dtype) == ("Int64", "boolean")
    assert answers.choice.isna().tolist()[:4] == [False, True, False, True]
    assert answers.costs[0] == (0.1, inf)
    right = results.problems.to_pandas().label_option
    assert right.tolist()[:2] == list(OPTIONS) and right.isna().tolist() == [False, False, True]
    assert "sank" in results.problems._repr_html_()


def test_frames_of_tokens_have_costs_that_are_numbers() -> None:
    frame = awkward_profile().token_table("quay", "boat", 1).to_pandas()
    assert list(frame.columns) == ["model", "option", "token", "part", "cost"]
    assert frame.token.tolist() == ["Infinity", " sank"]
    assert set(frame.option) == {OPTIONS[0]}
    first, second = frame.cost.tolist()
    assert frame.cost.dtype == "float64" and isnan(first) and second == inf


def test_frames_of_nothing_have_their_columns() -> None:
    frame = bare_profile().answers.to_pandas()
    assert len(frame) == 0 and "margin" in frame.columns


def test_without_pandas_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(HorsesenseError, match=r"pip install 'horsesense\[frames\]'"):
        awkward_profile().problems.to_pandas()


def test_results_show_accuracies_with_their_intervals() -> None:
    results = small_profile()
    shown = repr(results)
    assert shown.startswith(f"Results of run {results.record.id}: {len(results.problems)} problems")
    assert "model" in shown and ANT in shown and " % (" in shown
    assert f", {len(results.skipped)} skipped" in shown
    html = results._repr_html_()
    assert html.count("<tr>") == len(shown.splitlines()) - 2


def test_results_without_intervals_show_the_value_alone() -> None:
    results = small_profile()
    bare = [replace(one, low=None, high=None) for one in results.estimates]
    shown = repr(replace(results, estimates=bare, skipped=()))
    assert "–" in repr(replace(results, estimates=()))
    assert "–" in repr(replace(results, estimates=[replace(one, value=None) for one in bare]))
    assert " %" in shown and " % (" not in shown and "skipped" not in shown


def test_results_are_saved_and_loaded(tmp_path: Path) -> None:
    results = awkward_profile()
    path = results.save(tmp_path / "results.json")
    assert Results.load(path).estimates == results.estimates
    with pytest.raises(HorsesenseError, match="cannot be read"):
        Results.load(tmp_path / "none.json")
    with pytest.raises(HorsesenseError, match="is a folder"):
        results.save(tmp_path)
    path.write_text("{}")
    with pytest.raises(HorsesenseError, match=r"results\.json: not a results file"):
        Results.load(path)
