import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from horsesense.store import Store, keep_run
from tests.results.awkward import awkward_profile
from tests.store.builders import FERRY, LADDER, entry, findings, make

DATASETTE = os.environ.get("HORSESENSE_DATASETTE", "")

pytestmark = pytest.mark.skipif(not DATASETTE, reason="HORSESENSE_DATASETTE names no datasette")


@pytest.fixture
def library_path(store_path: Path) -> Path:
    """A closed store with three schemas."""
    kite = entry("kite", tags=("windy", "toys"), extras=(("x-by", "me"),))
    make(store_path, "field", kite, entry("ladder", LADDER, note="borrowed"), entry("f", FERRY))
    return store_path


def get(path: Path, address: str) -> Any:
    """What Datasette shows at an address, which it finds without a server."""
    done = subprocess.run(
        [DATASETTE, str(path), "--get", address], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_tables_are_shown_with_their_references(library_path: Path) -> None:
    shown = {table["name"]: table for table in get(library_path, "/store.json")["tables"]}
    visible = {name for name, table in shown.items() if not table["hidden"]} - {"sqlite_sequence"}
    kept = {
        "answer",
        "asking",
        "dataset",
        "entry",
        "field",
        "frozen",
        "gap",
        "grid",
        "issue",
        "judgement",
        "left_out",
        "measurement",
        "membership",
        "model",
        "numbering",
        "observation",
        "option_chosen",
        "pair",
        "perturbation",
        "perturbed",
        "posed_problem",
        "reply",
        "reply_count",
        "run",
        "run_dataset",
        "run_form",
        "run_model",
        "seal",
        "server_usage",
        "sheet",
        "source",
        "tag",
        "tag_set",
        "token_cost",
    }
    assert visible == kept
    (reference,) = shown["entry"]["foreign_keys"]["outgoing"]
    assert (reference["column"], reference["other_table"]) == ("grid", "grid")


def test_rows_are_shown(library_path: Path) -> None:
    (dataset,) = get(library_path, "/store/dataset.json?_shape=array")
    assert (dataset["name"], dataset["version"], dataset["entries"]) == ("field", 1, 3)
    grids = get(library_path, "/store/grid.json?_shape=array")
    assert LADDER in [grid["notation"] for grid in grids]


def test_the_listing_shows_all_side_by_side(library_path: Path) -> None:
    kite, ladder, _ = get(library_path, "/store/listing.json?_shape=array&_sort=position")
    assert (kite["dataset"], kite["id"], kite["tags"]) == ("field", "kite", "toys, windy")
    assert (ladder["kind"], ladder["note"]) == ("substitution schema", "borrowed")


@pytest.mark.parametrize(
    "words, names", [("loft", ["ladder"]), ("the", ["f", "kite", "ladder"]), ("moon", [])]
)
def test_full_text_search_filters(library_path: Path, words: str, names: list[str]) -> None:
    shown = get(library_path, f"/store/entry.json?_shape=array&_search={words}")
    assert sorted(one["name"] for one in shown) == names


def test_the_store_is_sound_afterwards(library_path: Path) -> None:
    get(library_path, "/store/entry.json?_search=kite")
    with Store.open(library_path) as store:
        assert findings(store) == []


def test_a_store_that_is_open_can_be_looked_at(fresh_store: Store) -> None:
    make(fresh_store.path, "field", entry("kite"))
    (shown,) = get(fresh_store.path, "/store/entry.json?_shape=array")
    assert shown["name"] == "kite"


def test_runs_are_shown(fresh_store: Store) -> None:
    keep_run(fresh_store, awkward_profile())
    (run,) = get(fresh_store.path, "/store/run.json?_shape=array")
    assert run["id"] == awkward_profile().record.id
    shown = get(fresh_store.path, "/store/answered.json?_shape=array&model=ant&_sort=margin")
    assert {one["verdict"] for one in shown} == {"solved", "failed", "undecided", "unlabelled"}
    numbers = get(fresh_store.path, "/store/measurement.json?_shape=array&kind=value")
    assert [one["value"] for one in numbers] == [0.1 + 0.2]
