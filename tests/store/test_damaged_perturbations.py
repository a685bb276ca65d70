import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import strategies as st

from horsesense.errors import StoreError
from horsesense.perturbations.transformation import Voucher
from horsesense.store import (
    Store,
    find_perturbation,
    load_ledger,
    load_pairs,
    verify_file,
    verify_perturbations,
)
from horsesense.store.migrations import STEPS, migrate
from tests.store.builders import (
    KITE,
    change,
    query,
    row_counts,
)
from tests.store.perturbing import (
    NAME,
    applied,
    apply,
    field,
    say,
)

VOUCHERS = st.sampled_from(Voucher)


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE perturbed SET notation = replace(notation, 'kite', 'kits')",
        "UPDATE perturbed SET notation = 'the kite <climbed'",
        "UPDATE perturbed SET notation = x'00ff'",
        "UPDATE perturbed SET fields = 'note: calm'",
        "UPDATE perturbed SET fields = 'unheard-of: yes'",
        "UPDATE perturbed SET how = 'by magic'",
        "UPDATE perturbed SET voucher = 'rule'",
        "UPDATE perturbed SET voucher = 'a neighbour'",
        "UPDATE perturbed SET original = 2 WHERE entry = 'kite'",
        "UPDATE perturbed SET position = 20 WHERE entry = 'kite'",
        "DELETE FROM perturbed WHERE entry = 'kite'",
        "UPDATE left_out SET reason = 'too cold'",
        "DELETE FROM left_out",
        "DELETE FROM pair WHERE entry = 'kite'",
        "UPDATE pair SET after = 7 WHERE entry = 'kite' AND before = 0",
        "UPDATE pair SET options = '1 0'",
        "UPDATE pair SET options = 'both'",
        "UPDATE perturbation SET touches = 'nothing'",
        "UPDATE perturbation SET \"right\" = 'the other answer'",
        "DELETE FROM judgement WHERE entry = 'kite'",
        "INSERT INTO judgement SELECT 99, perturbation, entry, 'good', \"by\", at, notation, note,"
        " '' FROM judgement WHERE entry = 'kite'",
        "INSERT INTO judgement SELECT 0, perturbation, entry, 'good', \"by\", at, notation, note,"
        " '' FROM judgement WHERE entry = 'kite'",
        "INSERT INTO judgement SELECT 99, perturbation, entry, 'edited', \"by\", at, 'the <', note,"
        " '' FROM judgement WHERE entry = 'kite'",
        "UPDATE perturbation SET seed = 3",
        "UPDATE perturbation SET parameters = '{'",
        "UPDATE perturbation SET mode = 'by ear'",
        "UPDATE perturbation SET purpose = 'control'",
        "UPDATE perturbation SET title = 'shorter'",
        "UPDATE perturbation SET id = '00'",
    ],
)
def test_a_perturbation_that_was_tampered_with_is_found(fresh_store: Store, tampering: str) -> None:
    applied(fresh_store)
    change(fresh_store.path, tampering)
    assert verify_perturbations(fresh_store)[NAME] != []


def test_a_sound_perturbation_stays_sound_when_judged(fresh_store: Store) -> None:
    applied(fresh_store)
    say(fresh_store, "kite", "edited", edit=f"{KITE} at noon")
    assert verify_perturbations(fresh_store) == {NAME: []}
    assert list(verify_file(fresh_store)) == []


@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE perturbed SET notation = 'the kite <climbed' WHERE entry = 'kite'",
        "UPDATE perturbed SET fields = x'00ff' WHERE entry = 'kite'",
        "DELETE FROM judgement WHERE entry = 'kite'",
        "UPDATE entry SET name = 'no name' WHERE name = 'kite'",
    ],
)
def test_a_damaged_row_is_reported_and_not_used(fresh_store: Store, tampering: str) -> None:
    kept = applied(fresh_store)
    change(fresh_store.path, tampering)
    with pytest.raises(StoreError, match=f"{NAME} is damaged"):
        list(load_ledger(fresh_store, kept))


@pytest.mark.parametrize("options", ["both", "", b"01"])
def test_damaged_pairs_are_reported(fresh_store: Store, options: object) -> None:
    kept = applied(fresh_store)
    change(fresh_store.path, "UPDATE pair SET options = ? WHERE entry = 'kite'", options)
    with pytest.raises(StoreError, match=f"{NAME} is damaged"):
        load_pairs(fresh_store, kept)


def test_a_damaged_perturbation_is_reported(fresh_store: Store) -> None:
    applied(fresh_store)
    change(fresh_store.path, "UPDATE perturbation SET level = 'sea'")
    with pytest.raises(StoreError, match=f"{NAME} is damaged"):
        find_perturbation(fresh_store, NAME)


def test_nothing_is_kept_in_a_store_that_cannot_be_written_to(
    fresh_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = field(fresh_store)
    monkeypatch.setattr(fresh_store, "is_read_only", True)
    with pytest.raises(StoreError, match="cannot be written to"):
        apply(fresh_store, original)


def test_a_store_of_the_third_step_gets_the_tables(store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, STEPS[:3])
    assert "perturbation" not in row_counts(store_path)
    with Store.open(store_path) as store:
        applied(store)
        assert list(verify_file(store)) == []
    assert query(store_path, "SELECT count(*) FROM judgement") == [(3,)]
