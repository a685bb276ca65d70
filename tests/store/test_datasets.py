from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest

from horsesense.errors import SchemaError, StoreError, UnknownNameError
from horsesense.schema import Entry, Header
from horsesense.store import (
    Store,
    find_dataset,
    list_datasets,
    load_entries,
    save_entries,
    sources_of,
)
from tests.store import processes
from tests.store.builders import (
    FERRY,
    KITE,
    LADDER,
    entry,
    findings,
    full_entry,
    lanterns,
    names,
    query,
    row_counts,
    save,
    source,
    tables,
)

Closable = Generator[Entry, None, None]

GRIDS = {
    "substitution": KITE,
    "transposition": "{sparrows, hawks} <hide from, hunt> {hawks, sparrows}",
    "dyad": "it is |true, false| that " + KITE,
    "target": "[the miller] paid [the carter] when <he = the miller, the carter> {got, sold} oats",
    "single": FERRY,
    "unlabelled": "the ferry <? stayed, sailed, sank>",
    "loose": "the soup cooled on the <sill*, hob>\n& the soup boiled on the <hob*, sill>",
    "minimal-pair": "<The bridge held the cart.*, The bridge ate the cart.>",
    "quoted": 'the sign said <"stop, now", \\# "go"> when the light was {red, "[green]"}',
}


@pytest.mark.parametrize("notation", GRIDS.values(), ids=GRIDS)
def test_every_kind_of_grid_comes_out_as_it_went_in(fresh_store: Store, notation: str) -> None:
    dataset = save(fresh_store, "kinds", entry("one", notation)).dataset
    assert list(load_entries(fresh_store, dataset)) == [entry("one", notation)]
    assert findings(fresh_store) == []


def test_every_field_comes_out_as_it_went_in(fresh_store: Store) -> None:
    dataset = save(fresh_store, "full", full_entry()).dataset
    assert list(load_entries(fresh_store, dataset)) == [full_entry()]
    assert findings(fresh_store) == []


@pytest.mark.parametrize("name", ["unbalanced", "unbalanced-first"])
def test_an_unbalanced_phrase_may_hold_a_comma(fresh_store: Store, name: str) -> None:
    one = entry("kite", phrases=((name, ("the torn, tarred kite",)),))
    dataset = save(fresh_store, "commas", one).dataset
    assert list(load_entries(fresh_store, dataset)) == [one]


@pytest.mark.parametrize(
    "fields",
    [
        {"flags": (("invertible", True), ("switchable", False))},
        {"extras": (("x-b", "second"), ("x-a", "first"))},
    ],
    ids=["flags", "extras"],
)
def test_ids_agree_whatever_the_order_of_the_fields(
    fresh_store: Store, fields: dict[str, Any]
) -> None:
    save(fresh_store, "order", entry("kite", **fields))
    assert findings(fresh_store) == []


def test_a_line_too_long_to_be_read_again_is_not_kept(fresh_store: Store) -> None:
    answers = " <crept*,ran>"
    longest = entry("long", "a" * (10_000 - len(answers)) + answers)
    with pytest.raises(SchemaError, match="longer than 10,000"):
        save(fresh_store, "long", longest)
    assert list_datasets(fresh_store) == []


def test_two_entries_of_one_id_are_not_kept(fresh_store: Store) -> None:
    with pytest.raises(SchemaError, match="two entries have the id 'kite'"):
        save(fresh_store, "twice", entry("kite"), entry("kite", LADDER))
    assert list_datasets(fresh_store) == []


def test_the_order_of_entries_is_kept(fresh_store: Store) -> None:
    order = ["c", "a", "d", "b"]
    dataset = save(fresh_store, "order", *map(entry, order)).dataset
    assert names(load_entries(fresh_store, dataset)) == order


def test_a_header_comes_out_as_it_went_in(fresh_store: Store) -> None:
    header = Header("field", "Field: notes", "A. Miller", "CC-BY-4.0", "for “tests” only")
    save_entries(fresh_store, header, [entry("kite")], source)
    assert find_dataset(fresh_store, "field").header == header


def test_an_empty_dataset_can_be_kept(fresh_store: Store) -> None:
    dataset = save(fresh_store, "empty").dataset
    assert (dataset.entries, list(load_entries(fresh_store, dataset))) == (0, [])
    assert findings(fresh_store) == []


def test_saving_twice_adds_nothing(fresh_store: Store) -> None:
    first = save(fresh_store, "field", full_entry(), entry("ladder", LADDER))
    before = row_counts(fresh_store.path)
    second = save(fresh_store, "field", full_entry(), entry("ladder", LADDER))
    assert (first.is_new, second.is_new) == (True, False)
    assert second.dataset == first.dataset
    assert row_counts(fresh_store.path) == before


def test_saving_an_old_version_again_adds_nothing(fresh_store: Store) -> None:
    first = save(fresh_store, "field", entry("kite")).dataset
    save(fresh_store, "field", entry("kite", LADDER))
    before = row_counts(fresh_store.path)
    again = save(fresh_store, "field", entry("kite"))
    assert (again.dataset, again.is_new) == (first, False)
    assert row_counts(fresh_store.path) == before


def test_a_changed_schema_makes_a_new_version_and_the_old_one_stays(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"))
    saved = save(fresh_store, "field", entry("kite", LADDER))
    old, new = find_dataset(fresh_store, "field@1"), find_dataset(fresh_store, "field")
    assert (saved.is_new, saved.dataset, new.version) == (True, new, 2)
    assert list(load_entries(fresh_store, old)) == [entry("kite")]
    assert list(load_entries(fresh_store, new)) == [entry("kite", LADDER)]


def test_added_changed_and_removed_are_told_apart(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("same"), entry("gone"), entry("other"))
    saved = save(fresh_store, "field", entry("new"), entry("other", LADDER), entry("same"))
    assert (saved.added, saved.changed, saved.removed) == (("new",), ("other",), ("gone",))


def test_a_changed_note_or_tag_is_a_changed_entry(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"), entry("ferry", FERRY))
    saved = save(
        fresh_store, "field", entry("kite", note="windy"), entry("ferry", FERRY, tags=("sea",))
    )
    assert saved.changed == ("kite", "ferry")


def test_versions_are_compared_with_the_one_right_before(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"))
    save(fresh_store, "field", entry("ferry", FERRY))
    saved = save(fresh_store, "field", entry("kite"), entry("ferry", FERRY))
    assert (saved.added, saved.changed, saved.removed) == (("kite",), (), ())


def test_a_first_version_has_nothing_to_be_compared_with(fresh_store: Store) -> None:
    save(fresh_store, "other", entry("ladder", LADDER))
    saved = save(fresh_store, "field", entry("kite"))
    assert (saved.added, saved.changed, saved.removed) == ((), (), ())


def test_another_order_is_another_version(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"), entry("ferry"))
    saved = save(fresh_store, "field", entry("ferry"), entry("kite"))
    assert (saved.dataset.version, saved.changed) == (2, ())


def test_another_header_is_another_version(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"))
    saved = save_entries(fresh_store, Header("field", licence="CC0"), [entry("kite")], source)
    assert (saved.dataset.version, saved.dataset.header.licence) == (2, "CC0")
    assert find_dataset(fresh_store, "field@1").header.licence == ""


def test_ten_versions_keep_their_order(fresh_store: Store) -> None:
    for number in range(1, 11):
        save(fresh_store, "field", entry(f"kite-{number}"))
    assert find_dataset(fresh_store, "field").version == 10
    listed = list_datasets(fresh_store, all_versions=True)
    assert [one.version for one in listed] == list(range(1, 11))


def test_versions_share_what_has_not_changed(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"), entry("ladder", LADDER))
    save(fresh_store, "field", entry("kite"), entry("ferry", FERRY))
    counts = row_counts(fresh_store.path)
    assert (counts["entry"], counts["grid"], counts["membership"]) == (3, 3, 4)


def test_datasets_share_entries(fresh_store: Store) -> None:
    save(fresh_store, "one", full_entry())
    before = row_counts(fresh_store.path)
    save(fresh_store, "two", full_entry())
    after = row_counts(fresh_store.path)
    added = {name for name in after if after[name] != before[name]}
    assert added == {"dataset", "membership", "numbering", "source"}


def test_a_grid_under_two_ids_is_kept_once(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("one"), entry("two"))
    counts = row_counts(fresh_store.path)
    assert (counts["entry"], counts["grid"]) == (2, 1)


def test_the_latest_versions_are_listed_by_name(fresh_store: Store) -> None:
    for name, notation in [("b", KITE), ("a", KITE), ("b", LADDER)]:
        save(fresh_store, name, entry("one", notation))
    assert [(one.name, one.version) for one in list_datasets(fresh_store)] == [("a", 1), ("b", 2)]


@pytest.mark.parametrize("name", ["fielt", "field@2", "field@one", "field@", "@1", "", "field@1@1"])
def test_an_unknown_dataset_is_refused(fresh_store: Store, name: str) -> None:
    save(fresh_store, "field", entry("kite"))
    with pytest.raises(UnknownNameError):
        find_dataset(fresh_store, name)


@pytest.mark.parametrize("name", ["field@01", "field@+1", "field@ 1", "field@1.0"])
def test_a_version_is_written_in_one_way_only(fresh_store: Store, name: str) -> None:
    save(fresh_store, "field", entry("kite"))
    with pytest.raises(UnknownNameError):
        find_dataset(fresh_store, name)


def test_the_nearest_names_are_offered(fresh_store: Store) -> None:
    save(fresh_store, "field", entry("kite"))
    with pytest.raises(UnknownNameError, match=r"did you mean field\?"):
        find_dataset(fresh_store, "fielt")
    with pytest.raises(UnknownNameError, match="did you mean field@1"):
        find_dataset(fresh_store, "field@3")
    with pytest.raises(UnknownNameError, match=r"did you mean hs-winograd\?"):
        find_dataset(fresh_store, "hs-winogrd")


def test_a_name_that_is_no_text_is_unknown(fresh_store: Store) -> None:
    with pytest.raises(UnknownNameError):
        find_dataset(fresh_store, "field\udcff")


def test_where_content_came_from_is_recorded(fresh_store: Store) -> None:
    (recorded,) = sources_of(fresh_store, save(fresh_store, "field", entry("kite")).dataset)
    assert replace(recorded, imported_at="") == source()
    age = datetime.now(UTC) - datetime.fromisoformat(recorded.imported_at)
    assert timedelta(seconds=-1) < age < timedelta(minutes=1)


def test_a_second_source_of_the_same_content_is_recorded_once(fresh_store: Store) -> None:
    for file in ["field.schemas", "copy.schemas", "copy.schemas", "field.schemas"]:
        dataset = save(fresh_store, "field", entry("kite"), file=file).dataset
    assert [one.file for one in sources_of(fresh_store, dataset)] == [
        "field.schemas",
        "copy.schemas",
    ]


def test_the_source_is_asked_for_after_the_last_entry(fresh_store: Store) -> None:
    seen: list[str] = []

    def entries() -> Iterator[Entry]:
        yield entry("kite")
        seen.append("all read")

    save_entries(fresh_store, Header("f"), entries(), lambda: source(seen[0]))
    assert sources_of(fresh_store, find_dataset(fresh_store, "f"))[0].file == "all read"


def test_ids_are_the_same_in_another_store_and_process(fresh_store: Store, tmp_path: Path) -> None:
    here = save_entries(fresh_store, Header("field"), lanterns(3), source).dataset.id
    process = processes.start("save", tmp_path / "other.db", "field", 3)
    assert processes.finish(process, "go\n")[-1] == f"saved {here}"
    every_id = "SELECT id FROM grid UNION ALL SELECT id FROM entry"
    assert query(fresh_store.path, every_id) == query(tmp_path / "other.db", every_id)


@pytest.mark.parametrize(
    "error",
    [
        ValueError(),
        OSError(5, "the file of the entries is gone"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "in the file of the entries"),
        KeyboardInterrupt(),
        GeneratorExit(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_entries_that_fail_half_way_leave_everything_as_it_was(
    fresh_store: Store, error: BaseException
) -> None:
    save(fresh_store, "field", full_entry())
    before = tables(fresh_store.path)

    def entries() -> Iterator[Entry]:
        yield from lanterns(1500)
        raise error

    with pytest.raises(type(error)):
        save_entries(fresh_store, Header("field"), entries(), source)
    assert tables(fresh_store.path) == before
    assert save(fresh_store, "field", entry("kite")).is_new


def test_a_source_that_fails_leaves_everything_as_it_was(fresh_store: Store) -> None:
    before = tables(fresh_store.path)
    with pytest.raises(ZeroDivisionError):
        save_entries(fresh_store, Header("field"), [entry("kite")], lambda: source(str(1 // 0)))
    assert tables(fresh_store.path) == before


def test_what_is_being_read_can_be_saved_under_another_name(fresh_store: Store) -> None:
    dataset = save_entries(fresh_store, Header("field"), lanterns(500), source).dataset
    noted = (replace(one, note="copied") for one in load_entries(fresh_store, dataset))
    copy = save_entries(fresh_store, Header("copy"), noted, source).dataset
    assert {one.note for one in load_entries(fresh_store, copy)} == {"copied"}
    assert (copy.entries, findings(fresh_store)) == (500, [])


def test_what_has_been_read_in_part_can_be_saved(fresh_store: Store) -> None:
    dataset = save(fresh_store, "field", *lanterns(3)).dataset
    with closing(cast(Closable, load_entries(fresh_store, dataset))) as entries:
        next(entries)
        rest = save_entries(fresh_store, Header("rest"), entries, source).dataset
    assert names(load_entries(fresh_store, rest)) == ["lantern-2", "lantern-3"]


def test_two_datasets_can_be_read_side_by_side(fresh_store: Store) -> None:
    one = save(fresh_store, "one", *lanterns(5)).dataset
    two = save(fresh_store, "two", *lanterns(9)).dataset
    pairs = zip(load_entries(fresh_store, one), load_entries(fresh_store, two), strict=False)
    assert all(first == second for first, second in pairs)
    assert save(fresh_store, "three", entry("kite")).is_new


def test_reading_may_stop_half_way(fresh_store: Store) -> None:
    dataset = save(fresh_store, "field", *lanterns(5)).dataset
    for one in load_entries(fresh_store, dataset):
        assert one.id == "lantern-1"
        break
    assert save(fresh_store, "other", entry("kite")).is_new


def test_a_store_may_close_before_its_readers(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        dataset = save(store, "field", *lanterns(3)).dataset
        entries = cast(Closable, load_entries(store, dataset))
        next(entries)
    entries.close()


def test_a_closed_store_says_so(store_path: Path) -> None:
    with Store.create_or_open(store_path) as store:
        pass
    with pytest.raises(StoreError, match="closed"):
        list_datasets(store)


def test_a_published_dataset_is_no_misspelling_of_another_one(fresh_store: Store) -> None:
    save(fresh_store, "winogender", entry("kite"))
    with pytest.raises(UnknownNameError) as caught:
        find_dataset(fresh_store, "WinoGrande")
    assert str(caught.value).endswith("; horsesense dataset import winogrande fetches it")
    with pytest.raises(UnknownNameError, match="horsesense dataset known wikicrem says how to"):
        find_dataset(fresh_store, "wikicrem")
    with pytest.raises(UnknownNameError, match="did you mean winogender"):
        find_dataset(fresh_store, "winogendre")
