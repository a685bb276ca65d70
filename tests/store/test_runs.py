import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import StoreError, UnknownNameError
from horsesense.results import EstimateKind, Plan, ResultKey, Results
from horsesense.results.kept import TABLES
from horsesense.scoring.outcome import AnswerSet
from horsesense.store import (
    RunSummary,
    Store,
    find_run,
    keep_run,
    list_runs,
    load_accuracies,
    load_run,
    remove_run,
    verify_file,
    verify_runs,
)
from horsesense.store.migrations import STEPS, migrate
from tests.results.awkward import (
    ANT,
    BEE,
    awkward_estimates,
    awkward_profile,
    awkward_record,
    bare_profile,
    exact,
)
from tests.store.builders import change, query, row_counts, tables
from tests.store.processes import finish, start


@pytest.fixture
def kept(fresh_store: Store) -> Store:
    keep_run(fresh_store, awkward_profile())
    return fresh_store


def another(start: str) -> Results:
    """The same profile of another run, whose id starts so."""
    return replace(awkward_profile(), record=awkward_record(id=start, key=start.ljust(64, "7")))


def rows_of_runs(path: Path) -> dict[str, int]:
    """How many rows the tables of runs have."""
    return {name: count for name, count in row_counts(path).items() if name in TABLES}


def test_a_profile_comes_back_to_the_last_bit(kept: Store) -> None:
    loaded = load_run(kept, awkward_record().id)
    assert loaded == awkward_profile()
    assert exact(loaded) == exact(awkward_profile())


def test_a_profile_of_nothing_comes_back(fresh_store: Store) -> None:
    keep_run(fresh_store, bare_profile())
    assert load_run(fresh_store, "01") == bare_profile()


def test_a_loaded_profile_can_be_kept_elsewhere(kept: Store, tmp_path: Path) -> None:
    with Store.create_or_open(tmp_path / "other.db") as other:
        keep_run(other, load_run(kept, "latest"))
        assert exact(load_run(other, "latest")) == exact(awkward_profile())
    assert query(kept.path, "SELECT checksum FROM run") == query(
        other.path, "SELECT checksum FROM run"
    )


def test_a_loaded_profile_outlives_its_store(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        keep_run(store, awkward_profile())
        loaded = load_run(store, "latest")
        remove_run(store, "latest")
    assert loaded == awkward_profile()


def test_another_answer_set_is_another_profile(kept: Store) -> None:
    answer_sets = dict(awkward_profile().answer_sets)
    del answer_sets[BEE]
    assert load_run(kept, "latest") != awkward_profile(answer_sets=answer_sets)
    assert load_run(kept, "latest").answer_sets[ANT] == answer_sets[ANT]
    assert (
        BEE in load_run(kept, "latest").answer_sets
        and BEE.replace(variant="?") not in load_run(kept, "latest").answer_sets
    )


def test_the_same_run_again_adds_and_replaces_nothing(kept: Store) -> None:
    before = tables(kept.path)
    keep_run(kept, awkward_profile(skipped=(), record=awkward_record(seconds=1.0)))
    assert tables(kept.path) == before


def test_a_run_that_cannot_be_kept_whole_is_not_kept_at_all(fresh_store: Store) -> None:
    option = replace(awkward_profile().options[0], offered=None)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match=r"option_chosen\.offered"):
        keep_run(fresh_store, awkward_profile(options=(option,)))
    assert not any(rows_of_runs(fresh_store.path).values())


def test_two_processes_keep_the_same_run_once(store_path: Path) -> None:
    Store.create_or_open(store_path).__exit__(None, None, None)
    processes = [start("keep-run", store_path) for _ in range(2)]
    assert [finish(one, "go\n") for one in processes] == [["kept"], ["kept"]]
    assert query(store_path, "SELECT count(*) FROM run") == [(1,)]
    with Store.open(store_path) as store:
        assert load_run(store, "latest") == awkward_profile()
        assert verify_runs(store) == {awkward_record().id: []}


class SlowAnswerSets(dict[ResultKey, AnswerSet]):
    """Answer sets of a run that another process keeps while they are read."""

    path = Path()

    def items(self) -> Any:
        with Store.open(self.path) as store:
            keep_run(store, awkward_profile())
        return super().items()


def test_the_first_to_keep_a_run_is_the_one_that_counts(fresh_store: Store) -> None:
    answer_sets = SlowAnswerSets(awkward_profile().answer_sets)
    answer_sets.path = fresh_store.path
    keep_run(fresh_store, awkward_profile(answer_sets=answer_sets, skipped=()))
    assert load_run(fresh_store, "latest") == awkward_profile()


def test_a_run_is_found_by_its_key_alone(kept: Store) -> None:
    assert find_run(kept, awkward_record().key) == awkward_record()
    assert find_run(kept, awkward_record().id) is None


def test_runs_are_listed_in_the_order_they_were_kept(kept: Store) -> None:
    keep_run(kept, another("00aa"))
    keep_run(kept, bare_profile())
    first, second, third = list_runs(kept)
    assert first == RunSummary(awkward_record(), ("ant", "bee"), ("quay",), ("bee",))
    assert first.evaluated == ("ant", "bee")  # the plan names the baseline
    assert second.record.id == "00aa" and third.models == ()
    assert load_run(kept, "latest") == bare_profile()


def test_baselines_that_the_plan_does_not_name_are_not_evaluated_unless_alone() -> None:
    summary = RunSummary(
        awkward_record(plan=Plan(models=("cat",), data=("quay",))),
        ("ant", "bee"),
        ("quay",),
        ("bee",),
    )
    assert summary.evaluated == ("ant",)
    assert replace(summary, baselines=("ant", "bee")).evaluated == ("ant", "bee")


def test_the_accuracies_of_a_run_are_those_by_the_standard_method(fresh_store: Store) -> None:
    (value, *_), standard = awkward_estimates(), ANT.replace(method="partial")
    accuracy = replace(value, key=standard, value=0.8)
    schema_accuracy = replace(accuracy, metric="schema-accuracy", value=None, reason="no schemas")
    others = (
        replace(accuracy, metric="consistency"),
        *(
            replace(accuracy, key=standard.replace(**change))
            for change in (
                {"method": "full"},
                {"subset": "not a"},
                {"variant": "switched"},
                {"dataset": "moor"},
                {"model": "cat"},
            )
        ),
        replace(accuracy, kind=EstimateKind.DIFFERENCE, against=BEE),
    )
    profile = awkward_profile(estimates=(*others, accuracy, schema_accuracy))
    model = replace(profile.models[0], standard=(("quay", "partial"),))
    keep_run(fresh_store, replace(profile, models=(model,)))
    id = profile.record.id
    assert load_accuracies(fresh_store, id) == (accuracy, schema_accuracy)
    assert load_accuracies(fresh_store, "latest") == (accuracy, schema_accuracy)


def test_an_accuracy_that_does_not_match_its_count_is_damage(fresh_store: Store) -> None:
    wrong = replace(awkward_estimates()[0], key=ANT, value=0.7)
    keep_run(fresh_store, awkward_profile(estimates=(wrong,)))
    with pytest.raises(StoreError, match="problem-accuracy of ant does not match its count"):
        load_accuracies(fresh_store, "latest")


def test_the_beginning_of_an_id_will_do_if_it_is_the_only_one(kept: Store) -> None:
    keep_run(kept, another("00ac"))
    keep_run(kept, another("00ac55"))
    assert load_run(kept, "00ab").record == awkward_record()
    assert load_run(kept, "00ac").record.id == "00ac"  # an id that another one begins with
    with pytest.raises(
        StoreError, match="several runs start with '00': 00ab12cd34ef, 00ac, 00ac55"
    ):
        load_run(kept, "00")


@pytest.mark.parametrize("id", ["00ab12cd34ff", "latest.", ""])
def test_an_unknown_run_is_refused(kept: Store, id: str) -> None:
    with pytest.raises(UnknownNameError, match="no run named.*00ab12cd34ef"):
        load_run(kept, id)


def test_without_runs_the_way_to_one_is_told(fresh_store: Store) -> None:
    with pytest.raises(UnknownNameError, match="'horsesense run' creates one"):
        load_run(fresh_store, "latest")
    assert list_runs(fresh_store) == ()


def test_a_removed_run_leaves_nothing_behind(kept: Store) -> None:
    before = tables(kept.path)
    keep_run(kept, another("5e"))
    remove_run(kept, "5e")
    assert {**tables(kept.path), "sqlite_sequence": []} == {**before, "sqlite_sequence": []}
    remove_run(kept, "latest")
    assert not any(rows_of_runs(kept.path).values())
    assert list(verify_file(kept)) == []


def test_whole_numbers_stay_whole(kept: Store) -> None:
    kinds = query(
        kept.path, 'SELECT typeof("count"), typeof(total), typeof(value) FROM measurement'
    )
    assert kinds[0] == ("integer", "real", "real") and kinds[1] == ("null",) * 3


def test_other_tools_can_read_infinite_costs(kept: Store) -> None:
    ((cost, text),) = query(
        kept.path,
        "SELECT json_extract(costs, '$[1]'), json_extract(texts, '$[0]') FROM token_cost"
        " WHERE option = 0",
    )
    assert cost == float("inf") and text == "Infinity"


def test_answers_are_shown_side_by_side_with_their_texts(kept: Store) -> None:
    rows = query(
        kept.path,
        'SELECT entry, number, chosen, "right", verdict, tags FROM answered'
        " WHERE run = '00ab12cd34ef' AND model = 'ant' ORDER BY entry, number",
    )
    assert rows == [
        ("boat", 1, "Infinity", "Infinity", "solved", '["equal-length","sea"]'),
        ("boat", 2, None, awkward_profile().problems[0].options[1], "undecided", '["sea"]'),
        ("gull", 1, "b", None, "unlabelled", "[]"),
        ("gull", 2, None, None, "failed", "[]"),
    ]


DAMAGE: dict[str, Callable[[Path], None]] = {
    "an answer is gone": lambda path: change(path, "DELETE FROM answer WHERE position = 7"),
    "no JSON": lambda path: change(path, "UPDATE posed_problem SET options = '['"),
    "no plan": lambda path: change(path, """UPDATE run SET plan = '{"tempo": 1}'"""),
    "no kind": lambda path: change(path, "UPDATE measurement SET kind = 'guess'"),
    "bytes": lambda path: change(path, "UPDATE run_model SET methods = x'ff'"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_run_is_refused_and_found_by_the_check(kept: Store, damage: str) -> None:
    DAMAGE[damage](kept.path)
    with pytest.raises(StoreError, match="is damaged .*; remove it"):
        load_run(kept, "latest")
    (told,) = verify_runs(kept).values()
    assert told[0] == "the run as a whole does not match its checksum"
    assert "it cannot be read" in told[1]


def test_a_record_that_cannot_be_read_is_said_to_be_damaged(kept: Store) -> None:
    DAMAGE["no plan"](kept.path)
    with pytest.raises(StoreError, match="is damaged"):
        list_runs(kept)


def test_damage_to_the_answers_of_a_answer_set_is_found(kept: Store) -> None:
    change(kept.path, "UPDATE answer SET costs = 'dear' WHERE position = 0")
    (told,) = verify_runs(kept).values()
    assert len(told) == 2
    with pytest.raises(StoreError, match="is damaged"):
        load_run(kept, "latest").answer_sets[ANT]


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE measurement SET value = value + 1e-16 WHERE position = 2",
        "UPDATE measurement SET value = 0.0 WHERE position = 1",
        "UPDATE answer SET chosen = 1 WHERE position = 0",
        "UPDATE gap SET reason = 'none'",
        "UPDATE run SET asked = 1",
    ],
)
def test_a_changed_number_is_found_by_the_check(kept: Store, sql: str) -> None:
    before = tables(kept.path)
    change(kept.path, sql)
    assert tables(kept.path) != before
    assert verify_runs(kept) == {
        awkward_record().id: ["the run as a whole does not match its checksum"]
    }


def test_a_store_from_before_runs_is_brought_up_to_date(store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as connection:
        migrate(connection, STEPS[:4])
    with Store.open(store_path) as store:
        keep_run(store, awkward_profile())
        assert load_run(store, "latest") == awkward_profile()
