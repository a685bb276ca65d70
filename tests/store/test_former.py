"""A run of the release before, as its store, its results.json and its CSV file have it.

The folder `former` was written by `horsesense run --data hs-winograd --limit 2 --perturb switched
--perturb no-candidate --perturb dyadic --method standard --resamples 20` and `horsesense report`.
"""

import csv
import gzip
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest

from horsesense.results import Results
from horsesense.results.kept import FORMER_COLUMNS
from horsesense.store import Store, load_run, verify_runs

FORMER = Path(__file__).parent / "former"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "store.db"
    path.write_bytes(gzip.decompress((FORMER / "store.db.gz").read_bytes()))
    with Store.create_or_open(path) as opened:
        yield opened


@pytest.fixture
def results(tmp_path: Path) -> Results:
    path = tmp_path / "results.json"
    path.write_bytes(gzip.decompress((FORMER / "results.json.gz").read_bytes()))
    return Results.load(path)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text, newline="")))


def test_a_former_store_and_a_former_file_hold_the_same_results(
    store: Store, results: Results
) -> None:
    assert load_run(store) == results
    assert list(verify_runs(store).values()) == [[]]


def test_the_limit_of_a_former_run_is_that_of_the_first_schemas(results: Results) -> None:
    assert (results.record.plan.first, results.record.plan.sample) == (2, None)


def test_former_results_give_the_same_numbers_to_the_digit(results: Results) -> None:
    names = {former: name for name, former in FORMER_COLUMNS.items()}
    before = rows(gzip.decompress((FORMER / "measurements.csv.gz").read_bytes()).decode())
    after = rows(results.estimates.to_csv())
    assert len(before) == len(after) > 200
    for old, new in zip(before, after, strict=True):
        assert {names.get(name, name): value for name, value in old.items()} == new


def test_former_results_can_be_saved_as_they_are_written_now(
    results: Results, tmp_path: Path
) -> None:
    assert Results.load(results.save(tmp_path / "results.json")) == results
