"""A run that is stopped, again and again, loses nothing and changes no number."""

import json
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.inference import processes
from tests.evaluation.inference.processes import FULL, Order, Scorers
from tests.models.tiny import save_tiny
from tests.store.builders import query

MANY, FEW = 300, 60
SOME_KILLS, MANY_KILLS = 6, 20


@pytest.fixture(scope="module")
def scorers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scorers]:
    """A process with a small model."""
    folder = save_tiny("gpt2", tmp_path_factory.mktemp("gpt2"))
    waiting = processes.start(folder, tmp_path_factory.mktemp("cache"))
    yield waiting
    waiting.process.communicate()


def kept(path: Path) -> dict[str, tuple[Any, ...]]:
    """All rows of the store, by their keys."""
    if not path.exists() or not query(
        path, "SELECT 1 FROM sqlite_master WHERE name = 'observation'"
    ):
        return {}
    rows = query(path, "SELECT key, ids, log_probs, checksum, observed_at FROM observation")
    return {key: tuple(row) for key, *row in rows}


def scored(scorers: Scorers, path: Path, count: int) -> list[dict[str, Any]]:
    """The outcomes of a run to the end."""
    result = path.with_suffix(".json")
    assert scorers.do(Order(str(path), count, (str(result),))) == [0]
    found: list[dict[str, Any]] = json.loads(result.read_text())
    return found


def assert_sound(path: Path) -> None:
    assert query(path, "PRAGMA integrity_check") == [("ok",)]
    assert query(path, "PRAGMA foreign_key_check") == []


def assert_same(path: Path, uninterrupted: Path) -> None:
    """Two stores hold the same sentences with the same numbers."""
    one, other = kept(path), kept(uninterrupted)
    assert one.keys() == other.keys()
    for key, (_, log_probs, *_) in one.items():
        assert log_probs == other[key][1]


@pytest.mark.parametrize("kills", [SOME_KILLS, pytest.param(MANY_KILLS, marks=pytest.mark.long)])
def test_a_run_that_is_killed_again_and_again_loses_nothing_and_changes_no_number(
    scorers: Scorers, tmp_path: Path, kills: int
) -> None:
    path, uninterrupted = tmp_path / "killed.db", tmp_path / "whole.db"
    rng, growth, before = random.Random(20), list[int](), kept(path)
    for _ in range(kills):
        after, delay = rng.choice([0, 1, 2, 3, 3, 4]), rng.uniform(0, 0.05)
        order = Order(str(path), MANY, ("",), signal.SIGKILL, after, delay)
        assert scorers.do(order) == [-signal.SIGKILL]
        now = kept(path)
        assert {key: now.get(key) for key in before} == before
        growth.append(len(now) - len(before))
        before = now
    assert sum(map(bool, growth)) >= kills / 2
    assert 0 in growth or kills < MANY_KILLS
    assert len(before) < 2 * MANY, "it was killed too late to have been interrupted"
    found = scored(scorers, path, MANY)
    assert_sound(path)
    assert {key: kept(path)[key] for key in before} == before
    expected = scored(scorers, uninterrupted, MANY)
    assert_same(path, uninterrupted)
    assert found == expected


def test_a_run_from_the_store_alone_gives_the_same_to_the_last_bit(
    scorers: Scorers, tmp_path: Path
) -> None:
    path = tmp_path / "store.db"
    first = scored(scorers, path, FEW)
    before = kept(path)
    assert scored(scorers, path, FEW) == first
    assert kept(path) == before


def test_an_interrupted_run_goes_on_where_it_stopped(scorers: Scorers, tmp_path: Path) -> None:
    path, uninterrupted = tmp_path / "stopped.db", tmp_path / "whole.db"
    assert scorers.do(Order(str(path), FEW, ("",), signal.SIGINT, after=3)) == [130]
    before = kept(path)
    assert 0 < len(before) < 2 * FEW
    found = scored(scorers, path, FEW)
    assert {key: kept(path)[key] for key in before} == before
    assert found == scored(scorers, uninterrupted, FEW)
    assert_same(path, uninterrupted)


def test_two_processes_that_ask_at_once_end_with_the_same_numbers(
    scorers: Scorers, tmp_path: Path
) -> None:
    path, results = tmp_path / "shared.db", [tmp_path / "one.json", tmp_path / "two.json"]
    assert scorers.do(Order(str(path), FEW, tuple(map(str, results)))) == [0, 0]
    one, two = (json.loads(result.read_text()) for result in results)
    assert one == two == scored(scorers, path, FEW)
    assert_sound(path)
    assert query(path, "SELECT count(*) FROM model") == [(1,)]


# More than the empty tables take, and less than all answers do.
@pytest.mark.parametrize("limit", [520_000, 640_000])
def test_a_full_disk_loses_nothing(scorers: Scorers, tmp_path: Path, limit: int) -> None:
    path, uninterrupted = tmp_path / "full.db", tmp_path / "whole.db"
    order = Order(str(path), FEW, ("",), file_limit=limit)
    assert scorers.do(order) == [FULL]
    assert_sound(path)
    before = kept(path)
    assert 0 < len(before) < 2 * FEW
    found = scored(scorers, path, FEW)
    assert {key: kept(path)[key] for key in before} == before
    assert found == scored(scorers, uninterrupted, FEW)
