"""What is read back is verified: damage is an error that names what is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from horsesense.errors import StoreError
from horsesense.schema import Header, Issue, IssueKind
from horsesense.store import (
    Store,
    check_store,
    count_issues,
    count_kept,
    count_validity,
    find_dataset,
    find_perturbation,
    keep_run,
    list_datasets,
    list_perturbations,
    list_runs,
    load_entries,
    load_entry,
    load_history,
    load_issues,
    load_ledger,
    load_run,
    repair_store,
    save_entries,
    search,
    sources_of,
)
from horsesense.store.migrations import STEPS, migrate
from tests.results.awkward import awkward_profile, without_servers
from tests.store.builders import (
    LADDER,
    change,
    entry,
    lanterns,
    make,
    put_back,
    query,
    save,
    source,
)
from tests.store.perturbing import NAME, applied, apply, field, last_words, say
from tests.store.test_observations import QUERIES, keep

CHANGED = "UPDATE judgement SET"
Reading = Callable[[Store], object]


@pytest.fixture
def full(store_path: Path) -> Path:
    """A closed store with something of everything."""
    with Store.create_or_open(store_path) as store:
        applied(store)
        say(store, "kite", "accepted")
        issues = [Issue("odd-space", IssueKind.STEP, 1, "pot", "", "two spaces", "one")]
        save_entries(
            store, Header("oddities"), [entry("pot")], lambda: source(), issues=lambda: issues
        )
        keep_run(store, awkward_profile())
        keep(store, *QUERIES)
    with closing(sqlite3.connect(store_path)) as connection:
        connection.execute("DROP TRIGGER judgement_stands")
    return store_path


def entries_of(store: Store) -> object:
    return list(load_entries(store, find_dataset(store, "field")))


def one_entry(store: Store) -> object:
    return load_entry(store, find_dataset(store, "field"), "kite")


def ledger(store: Store) -> object:
    return list(load_ledger(store, find_perturbation(store, NAME)))


def counts(store: Store) -> object:
    return count_validity(store, find_perturbation(store, NAME))


def history(store: Store) -> object:
    return load_history(store, find_perturbation(store, NAME), "kite")


def issues(store: Store) -> object:
    return list(load_issues(store, find_dataset(store, "oddities")))


def issue_counts(store: Store) -> object:
    return count_issues(store, find_dataset(store, "oddities"))


def sources(store: Store) -> object:
    return sources_of(store, find_dataset(store, "oddities"))


DAMAGES: list[tuple[str, Reading, str]] = [
    ("UPDATE entry SET note = 'calm' WHERE name = 'kite'", entries_of, "the entry kite of field"),
    ("UPDATE entry SET note = 'calm' WHERE name = 'kite'", one_entry, "the entry kite of field"),
    ("UPDATE entry SET name = 'kits' WHERE name = 'kite'", one_entry, "the entry kits of field"),
    ("UPDATE grid SET notation = replace(notation, 'kite', 'kits')", one_entry, "the entry kite"),
    ("UPDATE grid SET notation = x'00ff'", one_entry, "the entry kite of field"),
    ("UPDATE tag SET tag = 'earth' WHERE tag = 'air'", one_entry, "the entry kite of field"),
    ("UPDATE membership SET entry = 1 WHERE position = 2", entries_of, "the dataset field@1"),
    ("UPDATE membership SET position = 9 WHERE position = 4", entries_of, "the dataset field@1"),
    ("UPDATE dataset SET title = 'Meadow'", list_datasets, "the record of the dataset"),
    ("UPDATE dataset SET version = 7", list_datasets, "the record of the dataset"),
    ("UPDATE dataset SET stored_at = x'00'", list_datasets, "the record of the dataset"),
    ("UPDATE source SET file = 'other'", sources, "the record of the source other"),
    ("UPDATE issue SET odd = 'three spaces'", issues, "the record of the source"),
    ("UPDATE issue SET name = 'odd'", issue_counts, "the record of the source"),
    ("DELETE FROM issue", issues, "the record of the source"),
    (f"{CHANGED} validity = 'rejected' WHERE \"by\" = 'Ada'", ledger, "a judgement of kite by Ada"),
    (f"{CHANGED} validity = 'rejected' WHERE \"by\" = 'Ada'", counts, "a judgement of kite by Ada"),
    (f"{CHANGED} at = '2020' WHERE \"by\" = 'Ada'", history, "a judgement of kite by Ada"),
    (f"{CHANGED} \"by\" = 'Bo' WHERE \"by\" = 'Ada'", history, "a judgement of kite by Bo"),
    ("DELETE FROM judgement WHERE \"by\" = 'Ada'", ledger, f"the ledger of {NAME}"),
    ("DELETE FROM judgement WHERE \"by\" = 'Ada'", counts, f"the ledger of {NAME}"),
    ("UPDATE perturbed SET how = 'by magic'", ledger, f"the perturbation {NAME}"),
    ("UPDATE left_out SET reason = 'cold'", counts, f"the perturbation {NAME}"),
    ("UPDATE perturbation SET turn = 7", list_perturbations, f"the perturbation {NAME}"),
    ("UPDATE frozen SET dataset = 2", list_perturbations, "the record of a freezing"),
    ("UPDATE measurement SET reason = 'x'", load_run, "the run latest"),
    ("DELETE FROM answer", load_run, "the run latest"),
    ("UPDATE run SET seconds = 3", list_runs, "the record of the run"),
    ("UPDATE run_model SET name = 'bee'", list_runs, "the record of the run"),
    ("UPDATE model SET name = 'bee'", count_kept, "the record of the model bee"),
]


@pytest.mark.parametrize(("damage", "read", "told"), DAMAGES)
def test_what_is_damaged_is_refused_by_its_name_and_found_by_the_check(
    full: Path, damage: str, read: Reading, told: str
) -> None:
    if "frozen" in damage:
        with Store.open(full) as store:
            from horsesense.store import freeze

            freeze(store, find_perturbation(store, NAME))
    with Store.open(full) as store:
        read(store)
    change(full, damage)
    with Store.open(full) as store:
        with pytest.raises(StoreError, match=rf"{told}.* is damaged"):
            read(store)
        assert any(one.findings for one in check_store(store))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entry SET sentences = 'The kite sank.' WHERE name = 'kite'",
        "UPDATE grid SET notation = replace(notation, 'kite', 'kits')",
        "UPDATE entry_search_data SET block = zeroblob(20) WHERE id > 10",
        "UPDATE entry_search_docsize SET sz = x'0101'",
    ],
)
def test_a_search_shows_nothing_that_is_damaged(full: Path, damage: str) -> None:
    change(full, damage)
    with Store.open(full) as store, pytest.raises(StoreError, match="is damaged"):
        search(store, "wind")


def test_all_of_a_sound_store_is_sound(full: Path) -> None:
    with Store.open(full) as store:
        found = list(check_store(store))
    assert {one.state for one in found} == {"sound"}
    assert [one.part for one in found][:4] == [
        "the file",
        "the search index",
        "dataset field@1",
        "dataset oddities@1",
    ]


def test_importing_again_mends_a_dataset(store_path: Path) -> None:
    content = (entry("kite", tags=("air",), note="windy"), entry("ladder", LADDER))
    make(store_path, "field", *content)
    with Store.open(store_path) as store:
        before = list(load_entries(store, find_dataset(store, "field")))
    for damage in (
        "UPDATE entry SET note = 'calm', sentences = '' WHERE name = 'kite'",
        "UPDATE grid SET notation = 'x'",
        "UPDATE grid SET id = pk",
        "UPDATE entry SET id = pk",
        "UPDATE tag SET tag = 'earth'",
        "DELETE FROM membership WHERE position = 2",
        "UPDATE dataset SET title = 'x', version = 'x', entries = 99",
        "UPDATE source SET file = 'x'",
        "DELETE FROM entry_search_data",
    ):
        change(store_path, damage)
        with Store.open(store_path) as store:
            if "search" in damage:
                repair_store(store)
            else:
                assert save(store, "field", *content).is_mended, damage
            assert {one.state for one in check_store(store)} == {"sound"}, damage
            assert list(load_entries(store, find_dataset(store, "field"))) == before
            assert len(search(store, "kite")) == 1


def test_applying_again_mends_a_perturbation_and_keeps_what_was_said(full: Path) -> None:
    change(full, "UPDATE perturbed SET notation = 'x', how = 'y', entry = entry || 'z'")
    change(full, "UPDATE perturbation SET title = 'x'")
    change(full, "DELETE FROM left_out")
    with Store.open(full) as store:
        apply(store, find_dataset(store, "field"))
        assert last_words(store)["kite"] == "accepted"
        assert not any(one.findings for one in check_store(store))


def test_a_damaged_last_word_can_be_said_again(full: Path) -> None:
    change(full, "UPDATE judgement SET validity = 'rejected' WHERE \"by\" = 'Ada'")
    with Store.open(full) as store:
        say(store, "kite", "accepted", by="Bo")
        assert last_words(store)["kite"] == "accepted"


def test_a_dataset_with_a_damaged_record_beside_others_holds_up_all_of_them(full: Path) -> None:
    """Its name may be what is damaged, so that nobody can tell whose latest version it is."""
    change(full, "UPDATE dataset SET name = 'x' WHERE name = 'oddities'")
    with Store.open(full) as store, pytest.raises(StoreError, match="the dataset x@1 is damaged"):
        find_dataset(store, "field")


def test_a_repair_drops_what_can_be_asked_again_and_nothing_else(full: Path) -> None:
    change(full, "UPDATE observation SET log_probs = '[-9]' WHERE pk = 1")
    change(full, "UPDATE measurement SET reason = 'x'")
    change(full, "UPDATE entry_search_docsize SET sz = x'0101'")
    change(full, "UPDATE asking SET torch = '9'")
    with Store.open(full) as store:
        done = "\n".join(repair_store(store).done)
        assert {one.state for one in check_store(store)} == {"sound"}
        assert list_runs(store) == ()
        assert sum(one.rows for one in count_kept(store)) == len(QUERIES) - 1
        assert last_words(store)["kite"] == "accepted"
    for told in ("run 00ab12cd34ef", "1 damaged answers", "search index"):
        assert told in done


def test_whatever_stands_in_a_column_is_checked_and_repaired_without_a_crash(
    full: Path, tmp_path: Path
) -> None:
    """Bytes or a huge number in every column in turn; what nobody can tell is not found."""
    with closing(sqlite3.connect(full)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        columns = connection.execute(
            "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c"
            " WHERE m.type = 'table' AND m.name NOT LIKE 'entry_search%'"
            " AND m.name NOT LIKE 'sqlite_%'"
        ).fetchall()
    unseen = set()
    for at, (table, column) in enumerate(columns):
        path = tmp_path / f"{at}.db"
        path.write_bytes(full.read_bytes())
        value = ("x'ff00'", "9223372036854775807")[at % 2]
        with closing(sqlite3.connect(path)) as connection, suppress(sqlite3.IntegrityError):
            count = connection.execute(f'UPDATE {table} SET "{column}" = {value}').rowcount
            connection.commit()
            with Store.open_damaged(path) as store:
                damaged = [one.part for one in check_store(store) if one.findings]
                repair_store(store)
                list(check_store(store))
            if count and not damaged:
                unseen.add(f"{table}.{column}")
    # The number of a single row counts for nothing, and a seal of nothing is none.
    assert unseen <= {"gap.position", "seal.part", "observation.pk", "token_cost.position"}


def test_a_repair_keeps_what_a_dataset_has_lost(full: Path) -> None:
    change(full, "INSERT INTO tag VALUES (77, 'lost', 0)")
    with Store.open(full) as store:
        repair_store(store)
        assert "a row of tag refers to nothing" in next(iter(check_store(store))).findings
    assert query(full, "SELECT count(*) FROM tag WHERE tag = 'lost'") == [(1,)]


def test_a_repair_keeps_answers_whose_session_is_lost(full: Path) -> None:
    change(full, "DELETE FROM asking")
    with Store.open(full) as store:
        assert any("of a session with a model" in one for one in repair_store(store).done)
        assert {one.state for one in check_store(store)} == {"sound"}
        assert sum(one.rows for one in count_kept(store)) == len(QUERIES)


@pytest.mark.parametrize("read", [entries_of, one_entry, lambda store: search(store, "wind")])
def test_entries_whose_schemas_are_lost_are_damaged(full: Path, read: Reading) -> None:
    change(full, "DELETE FROM grid")
    with Store.open(full) as store, pytest.raises(StoreError, match="is damaged"):
        read(store)


def test_a_wrong_last_version_number_is_put_right(full: Path) -> None:
    change(full, "UPDATE numbering SET last_version = 0 WHERE name = 'field'")
    with Store.open(full) as store:
        assert any(
            "last version number of field" in one.findings[0]
            for one in check_store(store)
            if one.findings
        )
        assert any(
            "last version number of field was reset to 1" in one for one in repair_store(store).done
        )
        assert {one.state for one in check_store(store)} == {"sound"}


def test_a_record_whose_name_is_no_name_is_said_to_be_damaged(full: Path) -> None:
    change(full, "UPDATE dataset SET name = 'a b', checksum = '' WHERE name = 'oddities'")
    with Store.open(full) as store:
        with pytest.raises(StoreError, match="the record of the dataset a b@1 is damaged"):
            list_datasets(store)
        assert find_dataset(store, "field", is_checked=False).name == "field"
        parts = {one.part: one.findings for one in check_store(store) if one.findings}
    assert "'a b' cannot be a dataset's name" in parts["the record of the dataset a b@1"][0]


def test_a_repair_that_finds_the_store_busy_copies_nothing(
    full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("horsesense.store.connection.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(full)) as other, Store.open(full) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is busy"):
            repair_store(store)
    assert not list(full.parent.glob("*repaired*"))


def test_a_repair_leaves_damaged_datasets_and_judgements_and_says_how_to_get_them_back(
    full: Path,
) -> None:
    change(full, "UPDATE entry SET note = 'calm' WHERE name = 'kite'")
    change(full, "UPDATE judgement SET note = 'x' WHERE \"by\" = 'Ada'")
    with Store.open(full) as store:
        assert repair_store(store).done == ("the search index was rebuilt",)
        damaged = {one.part: one.remedy for one in check_store(store) if one.findings}
    assert set(damaged) == {"dataset field@1", f"perturbation {NAME}"}
    assert "dataset import field.schemas" in damaged["dataset field@1"]
    assert query(full, "SELECT count(*) FROM entry WHERE note = 'calm'") == [(1,)]


def test_pages_that_cannot_be_read_are_refused_and_the_rest_is_copied(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        save(store, "lanterns", *lanterns(300))
        save(store, "field", entry("kite"))
        keep(store, *QUERIES)
    data = bytearray(store_path.read_bytes())
    ((page,),) = query(store_path, "SELECT rootpage FROM sqlite_master WHERE name = 'observation'")
    data[(page - 1) * 4096 : page * 4096] = bytes(4096)
    store_path.write_bytes(data)
    with pytest.raises(StoreError, match=r"is damaged \(.*'horsesense store check'"):
        Store.open(store_path)
    with Store.open_damaged(store_path) as store:
        copy = repair_store(store).copy
    assert copy is not None
    assert store_path.read_bytes() == data
    with Store.open(copy) as store:
        assert {one.state for one in check_store(store)} == {"sound"}
        assert len(list(load_entries(store, find_dataset(store, "lanterns")))) == 300
        assert count_kept(store) == []


def test_a_store_made_before_there_were_checksums_is_read_and_said_to_be_unverified(
    full: Path,
) -> None:
    """The file is put back to what the earlier steps make, with the same rows."""
    with Store.open(full) as store:
        keep_run(store, without_servers(awkward_profile()), replace=True)
    put_back(full, 6)
    with Store.open(full) as store:
        for read in (entries_of, ledger, counts, history, issues, sources, load_run, list_runs):
            read(store)
        assert len(search(store, "wind")) > 0
        states = {one.part: one.state for one in check_store(store)}
    assert states["dataset field@1"] == states[f"perturbation {NAME}"] == "unverified"
    assert states["the file"] == states["run 00ab12cd34ef"] == "sound"
    change(full, "UPDATE dataset SET title = x'00' WHERE name = 'field'")
    with (
        Store.open(full) as store,
        pytest.raises(StoreError, match="title has a value of the wrong type"),
    ):
        list_datasets(store)


def test_what_is_added_to_an_old_ledger_is_verified(store_path: Path) -> None:
    with closing(sqlite3.connect(store_path, isolation_level=None)) as connection:
        migrate(connection, STEPS)
    with Store.open(store_path) as store:
        apply(store, field(store))
    with closing(sqlite3.connect(store_path)) as connection, connection:
        connection.execute("DROP TRIGGER judgement_stands")
        connection.execute("UPDATE judgement SET checksum = ''")
        connection.execute("UPDATE perturbation SET checksum = '', ledger = ''")
    with Store.open(store_path) as store:
        say(store, "kite", "accepted")
    change(store_path, "UPDATE judgement SET \"by\" = 'Bo' WHERE \"by\" = 'Ada'")
    with Store.open(store_path) as store, pytest.raises(StoreError, match="by Bo is damaged"):
        ledger(store)
