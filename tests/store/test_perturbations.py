from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.errors import HorsesenseError, SchemaError, StoreError, UnknownNameError
from horsesense.perturbations.catalogue.modes import DYADIC
from horsesense.perturbations.checks import Perturbed, SkippedEntry
from horsesense.perturbations.transformation import Level, Purpose, Right, Touch, Validity, Voucher
from horsesense.schema import Entry, Header, Mode
from horsesense.store import (
    Store,
    count_validity,
    find_perturbation,
    freeze,
    list_datasets,
    list_perturbations,
    load_entries,
    load_ledger,
    load_left_out,
    load_pairs,
    remove_datasets,
    remove_perturbation,
    save_entries,
    save_perturbation,
    verify_perturbations,
)
from tests.store import processes
from tests.store.builders import (
    KITE,
    LADDER,
    content_counts,
    entry,
    findings,
    lanterns,
    make,
    query,
    row_counts,
    source,
    tables,
)
from tests.store.perturbing import (
    LENGTHENED,
    NAME,
    applied,
    apply,
    field,
    results_of,
    say,
)
from tests.store.test_concurrency import go, kill_after
from tests.strategies import entries

VOUCHERS = st.sampled_from(Voucher)


def test_what_was_applied_is_known_by_its_name(fresh_store: Store) -> None:
    original = field(fresh_store)
    kept, is_new = apply(fresh_store, original, seed=7)
    assert is_new and find_perturbation(fresh_store, NAME) == kept
    assert (kept.original, kept.transformation, kept.version) == (original, "lengthened", 1)
    assert (kept.parameters, kept.seed) == ({"words": "last week"}, 7)
    assert (kept.mode, kept.level, kept.purpose) == (
        Mode.BY_ANSWER,
        Level.PROBLEM,
        Purpose.CONSISTENCY,
    )
    assert kept.applied_at and kept.dataset is None


def test_what_was_made_and_what_was_left_out_come_back_in_order(fresh_store: Store) -> None:
    original = field(fresh_store)
    kept, _ = apply(fresh_store, original)
    ledger = list(load_ledger(fresh_store, kept))
    pairs = load_pairs(fresh_store, kept)
    made = [Perturbed(one.entry, one.how, one.voucher, pairs[one.entry.id]) for one in ledger]
    assert [*made[:1], *load_left_out(fresh_store, kept), *made[1:]] == results_of(
        fresh_store, original
    )
    originals = {one.id: one for one in load_entries(fresh_store, original)}
    assert [one.original for one in ledger] == [originals[one.entry.id] for one in ledger]


def test_pairs_come_back_without_the_transformation_and_outlive_an_edit(
    fresh_store: Store,
) -> None:
    kept = applied(fresh_store, entry("kite"), transformation=DYADIC)
    straight = {(0, 0): (0, 1), (1, 2): (0, 1)}
    turned = {(0, 1): (1, 0), (1, 3): (1, 0)}
    found = load_pairs(fresh_store, kept)
    assert {(one.before, one.after): one.options for one in found["kite"]} == straight | turned
    say(fresh_store, "kite", "edited", edit=f"It is |so, not so| that {KITE}.")
    assert load_pairs(fresh_store, find_perturbation(fresh_store, NAME)) == found
    rows = query(fresh_store.path, "SELECT entry, before, after, options FROM pair ORDER BY after")
    assert rows[:2] == [("kite", 0, 0, "0 1"), ("kite", 0, 1, "1 0")]


def test_where_only_schemas_correspond_there_are_no_pairs(fresh_store: Store) -> None:
    kept = applied(fresh_store, transformation=replace(LENGTHENED, level=Level.SCHEMA))
    assert load_pairs(fresh_store, kept) == {}


def test_what_may_be_touched_and_what_is_right_afterwards_is_kept(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    assert (kept.touches, kept.right) == (LENGTHENED.touches, LENGTHENED.right)
    other = replace(LENGTHENED, touches=frozenset(Touch), right=Right.OTHER)
    again = applied(fresh_store, transformation=other)
    assert again.id != kept.id
    assert (again.touches, again.right) == (frozenset(Touch), Right.OTHER)


results = st.tuples(entries(), entries(), st.text(), st.none() | VOUCHERS)


@pytest.fixture(scope="module")
def growing_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store that keeps whatever the next test saves."""
    with Store.create_or_open(tmp_path_factory.mktemp("growing") / "store.db") as store:
        yield store


@given(drawn=st.lists(results, max_size=3, unique_by=lambda one: one[0].id))
@settings(deadline=None, max_examples=60)
def test_whatever_goes_in_comes_out(
    growing_store: Store, drawn: list[tuple[Entry, Entry, str, Voucher | None]]
) -> None:
    before = [one[0] for one in drawn]
    original = save_entries(growing_store, Header("field"), before, source).dataset
    made = [
        SkippedEntry(old.id, how)
        if voucher is None
        else Perturbed(replace(new, id=old.id), how, voucher)
        for old, new, how, voucher in drawn
    ]
    given_settings = LENGTHENED.settings()
    kept, _ = save_perturbation(growing_store, NAME, original, LENGTHENED, given_settings, made)
    ledger = list(load_ledger(growing_store, kept))
    assert [Perturbed(one.entry, one.how, one.voucher) for one in ledger] == [
        one for one in made if isinstance(one, Perturbed)
    ]
    assert load_left_out(growing_store, kept) == [
        one for one in made if isinstance(one, SkippedEntry)
    ]
    names = {one.entry.id for one in ledger}
    assert [one.original for one in ledger] == [one for one in before if one.id in names]
    assert verify_perturbations(growing_store) == {NAME: []}


def test_more_than_a_page_comes_back(fresh_store: Store) -> None:
    kept = applied(fresh_store, *lanterns(1200))
    assert [one.entry.id for one in load_ledger(fresh_store, kept)] == [
        one.id for one in lanterns(1200)
    ]
    assert not list(load_ledger(fresh_store, kept, validities=[Validity.ACCEPTED]))


def test_the_same_again_adds_nothing(fresh_store: Store) -> None:
    original = field(fresh_store)
    first, _ = apply(fresh_store, original)
    before = tables(fresh_store.path)
    assert apply(fresh_store, original) == (first, False)
    assert tables(fresh_store.path) == before


@pytest.mark.parametrize(
    "other",
    [
        {"words": "this morning"},
        {"seed": 1},
        {"transformation": replace(LENGTHENED, version=2)},
        {"transformation": replace(LENGTHENED, mode=Mode.BY_KEY)},
    ],
    ids=["parameters", "seed", "version", "mode"],
)
def test_whatever_differs_is_another_perturbation_of_that_name(
    fresh_store: Store, other: dict[str, object]
) -> None:
    original = field(fresh_store)
    first, _ = apply(fresh_store, original)
    second, is_new = apply(fresh_store, original, **other)  # type: ignore[arg-type]
    assert is_new and second.id != first.id
    assert list_perturbations(fresh_store) == [second]
    assert len(list(load_ledger(fresh_store, first))) == 3  # it is kept
    assert verify_perturbations(fresh_store) == {NAME: []}


def test_what_is_applied_once_more_is_current_again(fresh_store: Store) -> None:
    original = field(fresh_store)
    first, _ = apply(fresh_store, original)
    apply(fresh_store, original, words="this morning")
    again, is_new = apply(fresh_store, original)
    assert not is_new
    assert find_perturbation(fresh_store, NAME) == again == first


def test_perturbations_are_listed_by_their_original(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    field(fresh_store, entry("kite"))
    assert list_perturbations(fresh_store, original="field") == [kept]
    assert list_perturbations(fresh_store, original="field@1") == [kept]
    assert not list_perturbations(fresh_store, original="field@2")
    assert not list_perturbations(fresh_store, original="meadow")


def test_a_name_that_is_nearly_right_gets_an_offer(fresh_store: Store) -> None:
    applied(fresh_store)
    with pytest.raises(UnknownNameError, match=f"no perturbation .* did you mean {NAME}"):
        find_perturbation(fresh_store, "field.lengthend")


def test_counts_are_of_the_last_words(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    counts = count_validity(fresh_store, kept)
    assert (counts.proposed, counts.accepted, counts.left_out) == (2, 1, 1)
    say(fresh_store, "kite", "accepted")
    say(fresh_store, "kite", "rejected")
    say(fresh_store, "ladder", "edited", edit=f"{LADDER} at noon")
    counts = count_validity(fresh_store, kept)
    assert (counts.proposed, counts.accepted, counts.edited, counts.rejected) == (0, 1, 1, 1)
    assert (counts.share.count, counts.share.total) == (2, 3)


@pytest.mark.parametrize("name", ["field", "", "two words", "a" * 101])
def test_a_name_that_cannot_be_a_datasets_own_is_refused(fresh_store: Store, name: str) -> None:
    original = field(fresh_store)
    with pytest.raises(HorsesenseError, match="choose another|cannot be a perturbation's name"):
        save_perturbation(fresh_store, name, original, LENGTHENED, LENGTHENED.settings(), [])


@pytest.mark.parametrize(
    "names, wrong", [(["gull"], "no entry"), (["kite", "kite"], "two entries")]
)
def test_results_that_are_not_of_the_original_are_refused(
    fresh_store: Store, names: list[str], wrong: str
) -> None:
    original = field(fresh_store)
    made = [Perturbed(entry(name, LADDER), "", Voucher.NOBODY) for name in names]
    with pytest.raises(SchemaError, match=wrong):
        save_perturbation(fresh_store, NAME, original, LENGTHENED, LENGTHENED.settings(), made)
    assert list_perturbations(fresh_store) == []


def test_nothing_is_kept_if_applying_fails(fresh_store: Store) -> None:
    original = field(fresh_store)
    before = tables(fresh_store.path)

    def failing() -> Iterator[Perturbed | SkippedEntry]:
        yield SkippedEntry("kite", "too windy")
        raise RuntimeError("out of words")

    with pytest.raises(RuntimeError, match="out of words"):
        save_perturbation(fresh_store, NAME, original, LENGTHENED, LENGTHENED.settings(), failing())
    assert tables(fresh_store.path) == before


def test_an_original_removed_while_it_is_perturbed_is_noticed(fresh_store: Store) -> None:
    original = field(fresh_store)

    def removing() -> Iterator[Perturbed | SkippedEntry]:
        with Store.open(fresh_store.path) as other:
            remove_datasets(other, [original])
        yield SkippedEntry("kite", "too windy")

    given_settings = LENGTHENED.settings()
    with pytest.raises(StoreError, match="field@1 is no longer in"):
        save_perturbation(fresh_store, NAME, original, LENGTHENED, given_settings, removing())


@pytest.mark.parametrize("line", ["entry 0", "entry 250", "entry 550"])
def test_applying_that_is_killed_leaves_everything_as_it_was(store_path: Path, line: str) -> None:
    make(store_path, "field", *lanterns(600))
    before = tables(store_path)
    written = kill_after(processes.start("apply", store_path, "field"), line)
    assert "read" not in written
    assert tables(store_path) == before


@pytest.mark.parametrize("delay", [0, 3, 10, 30])
def test_applying_that_is_killed_at_its_end_is_whole_or_not_there(
    store_path: Path, delay: int
) -> None:
    make(store_path, "field", *lanterns(600))
    before = tables(store_path)
    written = kill_after(processes.start("apply", store_path, "field"), "read", delay / 1000)
    whole = row_counts(store_path)["judgement"] == 600
    assert whole or tables(store_path) == before
    assert whole or written[-1] != "applied"
    with Store.open(store_path) as store:
        apply(store, list_datasets(store)[0])
        assert findings(store) == []
        assert not any(verify_perturbations(store).values())


def test_two_processes_apply_the_same_at_once(store_path: Path) -> None:
    make(store_path, "field", *lanterns(300))
    appliers = [processes.start("apply", store_path, "field") for _ in range(2)]
    go(*appliers)
    assert [processes.finish(one)[-1] for one in appliers] == ["applied", "applied"]
    counts = row_counts(store_path)
    assert (counts["perturbation"], counts["perturbed"], counts["judgement"]) == (1, 300, 300)


def test_an_original_cannot_be_removed_before_its_perturbation(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    say(fresh_store, "kite", "accepted")
    before = tables(fresh_store.path)
    with pytest.raises(StoreError, match=rf"original of {NAME}.*horsesense perturb remove {NAME}"):
        remove_datasets(fresh_store, list_datasets(fresh_store, all_versions=True))
    assert tables(fresh_store.path) == before
    remove_perturbation(fresh_store, kept)
    remove_datasets(fresh_store, [kept.original])
    assert list_datasets(fresh_store) == []


def test_removing_takes_all_of_a_name_and_leaves_what_was_frozen(fresh_store: Store) -> None:
    original = field(fresh_store)
    kept, _ = apply(fresh_store, original)
    frozen = freeze(fresh_store, kept)
    second, _ = apply(fresh_store, original, words="this morning")
    remove_perturbation(fresh_store, second)
    assert list_perturbations(fresh_store) == []
    counts = row_counts(fresh_store.path)
    left = [
        counts[name] for name in ("perturbation", "perturbed", "left_out", "judgement", "frozen")
    ]
    assert left == [0, 0, 0, 0, 0]
    assert frozen and frozen.dataset in list_datasets(fresh_store)
    assert findings(fresh_store) == []


def test_removing_undoes_applying(fresh_store: Store) -> None:
    original = field(fresh_store)
    before = content_counts(row_counts(fresh_store.path))
    kept, _ = apply(fresh_store, original)
    remove_perturbation(fresh_store, kept)
    assert content_counts(row_counts(fresh_store.path)) == before


def test_a_perturbation_removed_while_it_is_read_is_noticed(fresh_store: Store) -> None:
    kept = applied(fresh_store, *lanterns(1200))
    ledger = load_ledger(fresh_store, kept)
    next(ledger)
    with Store.open(fresh_store.path) as other:
        remove_perturbation(other, kept)
    with pytest.raises(StoreError, match=f"{NAME} is no longer in"):
        list(ledger)
