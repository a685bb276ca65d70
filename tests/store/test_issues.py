"""Issues in the store: kept with the source of a dataset, filtered, counted, replaced, removed."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from horsesense.schema import Entry, Header, Issue, IssueKind
from horsesense.store import (
    IssueCount,
    Saved,
    Source,
    Store,
    count_issues,
    find_dataset,
    load_entries,
    load_issues,
    remove_datasets,
    save_entries,
    sources_of,
)
from horsesense.store.migrations import APPLICATION_ID, STEPS, migrate
from tests.store.builders import (
    LADDER,
    entry,
    findings,
    full_entry,
    query,
    row_counts,
    save,
    source,
)

BREAKS = Issue("line-breaks", IssueKind.STEP, 3, "kite", "q1", "", "put right")
MORE_BREAKS = Issue("line-breaks", IssueKind.STEP, 4, "kite", "q2", "", "put right")
SPELLING = Issue("spelling", IssueKind.REPAIR, 3, "kite", "q1", "'kyte'", "'kite'")
SPELT_SO = Issue("spelling", IssueKind.ODDITY, 9, "ladder", "q3", "'lader'", "left as it is")
NO_LABEL = Issue("bad-label", IssueKind.FAULT, 12, "", "q5", "no label", "left out")
SORTED = Issue("sorted", IssueKind.STEP, 0, "", "", "in no order", "sorted")
ALL = (SORTED, BREAKS, SPELLING, MORE_BREAKS, SPELT_SO, NO_LABEL)


def save_with(
    store: Store,
    *issues: Issue,
    name: str = "field",
    file: str = "field.xml",
    entries: tuple[Entry, ...] = (entry("kite"), entry("ladder", LADDER)),
    companions: tuple[Source, ...] = (),
) -> Saved:
    return save_entries(
        store,
        Header(name),
        entries,
        lambda: source(file),
        issues=lambda: issues,
        companions=companions,
    )


def loaded(store: Store, name: str = "field", **filters: Any) -> list[Issue]:
    return list(load_issues(store, find_dataset(store, name), **filters))


def test_issues_come_back_as_they_were_and_in_their_order(fresh_store: Store) -> None:
    save_with(fresh_store, *ALL)
    assert loaded(fresh_store) == list(ALL)


def test_a_dataset_may_have_none(fresh_store: Store) -> None:
    save(fresh_store, "plain", entry("kite"))
    assert loaded(fresh_store, "plain") == []
    assert count_issues(fresh_store, find_dataset(fresh_store, "plain")) == []


@pytest.mark.parametrize(
    "filters, expected",
    [
        ({"names": ["spelling"]}, [SPELLING, SPELT_SO]),
        ({"names": ["spelling", "sorted"]}, [SORTED, SPELLING, SPELT_SO]),
        ({"kinds": ["step"]}, [SORTED, BREAKS, MORE_BREAKS]),
        ({"kinds": [IssueKind.FAULT, IssueKind.ODDITY]}, [SPELT_SO, NO_LABEL]),
        ({"names": ["spelling"], "kinds": ["repair"]}, [SPELLING]),
        ({"entry": "kite"}, [BREAKS, SPELLING, MORE_BREAKS]),
        ({"entry": "kite", "names": ["line-breaks"], "kinds": ["step"]}, [BREAKS, MORE_BREAKS]),
        ({"names": ["nonsense"]}, []),
        ({"entry": "nonsense"}, []),
        ({"names": ["' OR 1 --"]}, []),
        ({"names": [], "kinds": [], "entry": ""}, list(ALL)),
    ],
)
def test_issues_are_filtered_by_name_kind_and_entry(
    fresh_store: Store, filters: dict[str, Any], expected: list[Issue]
) -> None:
    save_with(fresh_store, *ALL)
    assert loaded(fresh_store, **filters) == expected


def test_issues_are_counted_in_entries_problems_and_times(fresh_store: Store) -> None:
    again = Issue("line-breaks", IssueKind.STEP, 4, "kite", "q2", "once more", "put right")
    saved = save_with(fresh_store, *ALL, again)
    assert count_issues(fresh_store, saved.dataset) == [
        IssueCount("line-breaks", IssueKind.STEP, entries=1, problems=2, times=3),
        IssueCount("bad-label", IssueKind.FAULT, entries=0, problems=1, times=1),
        IssueCount("sorted", IssueKind.STEP, entries=0, problems=0, times=1),
        IssueCount("spelling", IssueKind.ODDITY, entries=1, problems=1, times=1),
        IssueCount("spelling", IssueKind.REPAIR, entries=1, problems=1, times=1),
    ]


def test_issues_of_another_dataset_or_version_are_not_mixed_in(fresh_store: Store) -> None:
    save_with(fresh_store, BREAKS)
    save_with(fresh_store, SPELLING, entries=(entry("kite"),))
    save_with(fresh_store, NO_LABEL, name="meadow")
    assert loaded(fresh_store, "field@1") == [BREAKS]
    assert loaded(fresh_store) == loaded(fresh_store, "field@2") == [SPELLING]
    assert loaded(fresh_store, "meadow") == [NO_LABEL]


def test_importing_the_same_file_again_replaces_its_issues(fresh_store: Store) -> None:
    save_with(fresh_store, *ALL)
    (before,) = sources_of(fresh_store, find_dataset(fresh_store, "field"))
    saved = save_with(fresh_store, SPELLING)
    assert not saved.is_new
    assert loaded(fresh_store) == [SPELLING]
    assert sources_of(fresh_store, saved.dataset) == [before]
    save_with(fresh_store)
    assert loaded(fresh_store) == []


def test_of_several_files_with_the_same_content_the_last_tells(fresh_store: Store) -> None:
    save_with(fresh_store, BREAKS, MORE_BREAKS)
    saved = save_with(fresh_store, SPELLING, file="copy.xml")
    assert not saved.is_new
    assert loaded(fresh_store) == [SPELLING]
    assert [one.name for one in count_issues(fresh_store, saved.dataset)] == ["spelling"]
    assert len(sources_of(fresh_store, saved.dataset)) == 2


def test_a_last_file_without_issues_has_none(fresh_store: Store) -> None:
    save_with(fresh_store, BREAKS)
    saved = save_with(fresh_store, file="tidied.xml")
    assert loaded(fresh_store) == []
    assert count_issues(fresh_store, saved.dataset) == []


def test_issues_go_with_their_dataset(fresh_store: Store, store_path: Path) -> None:
    save_with(fresh_store, *ALL)
    kept = save_with(fresh_store, BREAKS, name="meadow")
    remove_datasets(fresh_store, [find_dataset(fresh_store, "field")])
    assert row_counts(store_path)["issue"] == 1
    assert list(load_issues(fresh_store, kept.dataset)) == [BREAKS]
    remove_datasets(fresh_store, [kept.dataset])
    assert row_counts(store_path)["issue"] == 0
    assert findings(fresh_store) == []


def test_issues_are_asked_for_when_the_entries_have_been_read(fresh_store: Store) -> None:
    told: list[Issue] = []

    def entries() -> Iterator[Entry]:
        yield entry("kite")
        told.append(BREAKS)

    save_entries(fresh_store, Header("field"), entries(), source, issues=lambda: list(told))
    assert loaded(fresh_store) == [BREAKS]


def test_nothing_is_kept_if_reading_fails_half_way(fresh_store: Store, store_path: Path) -> None:
    def entries() -> Iterator[Entry]:
        yield entry("kite")
        raise OSError("gone")

    def issues() -> Iterator[Issue]:
        yield BREAKS
        raise OSError("gone")

    before = row_counts(store_path)
    with pytest.raises(OSError, match="gone"):
        save_entries(fresh_store, Header("field"), entries(), source, issues=lambda: ALL)
    with pytest.raises(OSError, match="gone"):
        save_entries(fresh_store, Header("field"), [entry("kite")], source, issues=issues)
    after = row_counts(store_path)
    assert after["issue"] == after["dataset"] == after["source"] == 0
    assert after == before


def test_companions_are_sources_too_and_have_no_issues(
    fresh_store: Store, store_path: Path
) -> None:
    labels = Source("labels.json", "ab" * 32, 7, "xml", "1")
    for _ in range(2):
        saved = save_with(fresh_store, BREAKS, companions=(labels,))
    assert [one.file for one in sources_of(fresh_store, saved.dataset)] == [
        "field.xml",
        "labels.json",
    ]
    assert loaded(fresh_store) == [BREAKS]
    files = "SELECT DISTINCT file FROM issue JOIN source ON source.pk = issue.source"
    assert query(store_path, files) == [("field.xml",)]


def test_what_is_no_text_is_kept_as_it_can_be_shown(fresh_store: Store) -> None:
    odd = Issue("odd\udcff", IssueKind.ODDITY, 1, "", "q\ud800", "'\udce9'", "")
    save_with(fresh_store, odd)
    (kept,) = loaded(fresh_store)
    assert (kept.name, kept.problem, kept.odd) == ("odd\\udcff", "q\\ud800", "'\\udce9'")


@pytest.mark.parametrize("text", ["é “so” 鳥", "a\x00b", "two\nlines", "x" * 100_000])
def test_any_other_text_is_kept_to_the_letter(fresh_store: Store, text: str) -> None:
    issue = Issue("odd", IssueKind.ODDITY, 1, "", "q1", text, text)
    save_with(fresh_store, issue)
    assert loaded(fresh_store) == [issue]


def test_many_issues_are_kept(fresh_store: Store) -> None:
    many = [Issue("odd", IssueKind.STEP, n, f"e{n // 2}", f"q{n}", "", "") for n in range(5000)]
    saved = save_with(fresh_store, *many)
    assert loaded(fresh_store) == many
    assert count_issues(fresh_store, saved.dataset) == [
        IssueCount("odd", IssueKind.STEP, 2500, 5000, 5000)
    ]


def old_store(path: Path) -> None:
    """A store as the first version of the tables had it, with a dataset of every field."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection, STEPS[:1])
        fields = dict(connection.execute("SELECT name, 1 FROM sqlite_master").fetchall())
        assert "dataset" in fields and "issue" not in fields
    new = path.with_name("new.db")
    with Store.create_or_open(new) as store:
        save(store, "field", full_entry(), entry("kite"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ATTACH ? AS new", (str(new),))
        tables = ("dataset", "numbering", "source", "grid", "entry", "tag", "field", "membership")
        for table in tables:
            old = connection.execute(f"SELECT * FROM {table}").description
            columns = ", ".join(column[0] for column in old)
            connection.execute(f"INSERT INTO {table} SELECT {columns} FROM new.{table}")


def test_a_store_of_the_first_step_is_brought_up_to_date_and_keeps_its_data(
    store_path: Path,
) -> None:
    old_store(store_path)
    assert query(store_path, "PRAGMA user_version") == [(1,)]
    before = row_counts(store_path)
    with Store.open(store_path) as store:
        dataset = find_dataset(store, "field")
        assert list(load_entries(store, dataset)) == [full_entry(), entry("kite")]
        assert list(load_issues(store, dataset)) == []
        assert findings(store) == []
        saved = save_with(store, *ALL, name="meadow")
        assert list(load_issues(store, saved.dataset)) == list(ALL)
    assert query(store_path, "PRAGMA user_version") == [(len(STEPS),)]
    assert query(store_path, "PRAGMA application_id") == [(APPLICATION_ID,)]
    after = row_counts(store_path)
    # The two entries there were, and of the two that were added the one that is new.
    assert (before["entry"], after["entry"]) == (2, 3)


def test_an_old_store_is_brought_up_to_date_but_once(store_path: Path) -> None:
    old_store(store_path)
    for _ in range(2):
        with Store.create_or_open(store_path) as store:
            save_with(store, BREAKS)
            assert loaded(store) == [BREAKS]
    versions = query(store_path, "SELECT name, version FROM dataset ORDER BY pk")
    assert versions == [("field", 1), ("field", 2)]
