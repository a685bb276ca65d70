import pytest

from horsesense.errors import HorsesenseError
from horsesense.perturbations.catalogue.modes import DYADIC
from horsesense.perturbations.checks import SkippedEntry
from horsesense.perturbations.transformation import Voucher
from horsesense.store import (
    Store,
    StoredDataset,
    adopt,
    load_entries,
    load_ledger,
    load_left_out,
    load_pairs,
)
from tests.store.builders import (
    FERRY,
    KITE,
    LADDER,
    entry,
    findings,
    names,
    row_counts,
    save,
)
from tests.store.perturbing import (
    LENGTHENED,
    NAME,
    field,
    last_words,
    say,
)


@pytest.fixture
def published(fresh_store: Store) -> StoredDataset:
    """What somebody else has made of two entries of the field."""
    vouched = entry("vouched", LADDER.replace("loft", "attic"))
    return save(fresh_store, "field-longer", entry("kite", f"{KITE} today"), vouched).dataset


def test_an_imported_dataset_can_be_adopted(fresh_store: Store, published: StoredDataset) -> None:
    original = field(fresh_store)
    given_settings = LENGTHENED.settings()
    kept = adopt(fresh_store, NAME, original, LENGTHENED, given_settings, published)
    ledger = list(load_ledger(fresh_store, kept))
    assert [one.entry for one in ledger] == list(load_entries(fresh_store, published))
    assert {(one.how, one.voucher) for one in ledger} == {("imported", Voucher.AUTHOR)}
    assert last_words(fresh_store) == {"kite": "accepted", "vouched": "accepted"}
    assert load_left_out(fresh_store, kept) == [
        SkippedEntry("ferry", "not in field-longer"),
        SkippedEntry("ladder", "not in field-longer"),
    ]
    assert kept.dataset == published


def test_adopting_again_adds_nothing(fresh_store: Store, published: StoredDataset) -> None:
    original = field(fresh_store)
    first, second = (
        adopt(fresh_store, NAME, original, LENGTHENED, LENGTHENED.settings(), published)
        for _ in range(2)
    )
    assert first == second
    counts = row_counts(fresh_store.path)
    assert (counts["perturbation"], counts["judgement"], counts["frozen"]) == (1, 2, 1)


def test_a_dataset_with_entries_of_its_own_is_not_adopted(
    fresh_store: Store, published: StoredDataset
) -> None:
    other = save(fresh_store, "meadow", entry("kite")).dataset
    with pytest.raises(HorsesenseError, match="not a perturbation of meadow, which has no vouched"):
        adopt(fresh_store, NAME, other, LENGTHENED, LENGTHENED.settings(), published)


def test_what_is_unchanged_or_does_not_pair_is_left_out_of_the_frozen_dataset(
    fresh_store: Store,
) -> None:
    original = field(fresh_store)
    longer = entry("ladder", f"{LADDER} today")
    loose = entry("vouched", FERRY.replace("harbour", "lake"))
    given = save(fresh_store, "field-longer", entry("kite"), loose, longer).dataset
    kept = adopt(fresh_store, NAME, original, LENGTHENED, LENGTHENED.settings(), given)
    reasons = {one.id: one.reason for one in load_left_out(fresh_store, kept)}
    assert reasons == {
        "kite": "unchanged",
        "vouched": "its kind has changed",
        "ferry": "not in field-longer",
    }
    assert kept.dataset and kept.dataset.name == NAME
    assert list(load_entries(fresh_store, kept.dataset)) == [longer]
    assert findings(fresh_store) == []


def test_what_people_have_rejected_is_not_frozen_by_adopting_again(
    fresh_store: Store, published: StoredDataset
) -> None:
    original = field(fresh_store)
    adopt(fresh_store, NAME, original, LENGTHENED, LENGTHENED.settings(), published)
    say(fresh_store, "kite", "rejected")
    kept = adopt(fresh_store, NAME, original, LENGTHENED, LENGTHENED.settings(), published)
    assert kept.dataset and names(load_entries(fresh_store, kept.dataset)) == ["vouched"]


def test_what_is_no_dyad_is_not_adopted_as_dyadic(
    fresh_store: Store, published: StoredDataset
) -> None:
    original = field(fresh_store)
    with pytest.raises(
        HorsesenseError, match=r"field-longer is not dyadic of field: it is not a dyad \(2\)"
    ):
        adopt(fresh_store, NAME, original, DYADIC, DYADIC.settings(), published)
    assert row_counts(fresh_store.path)["perturbation"] == 0


def test_dyads_are_adopted_with_two_problems_for_each(fresh_store: Store) -> None:
    original = field(fresh_store)
    given = save(fresh_store, "dyads", entry("kite", f"It is |so, not so| that {KITE}.")).dataset
    kept = adopt(fresh_store, NAME, original, DYADIC, DYADIC.settings(), given)
    assert kept.dataset == given
    pairs = load_pairs(fresh_store, kept)["kite"]
    assert [one.before for one in pairs] == [0, 0, 1, 1]
