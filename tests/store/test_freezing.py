from dataclasses import replace

import pytest

from horsesense.perturbations.transformation import Rewriting, Settings, Voucher
from horsesense.schema import Entry, Header
from horsesense.store import (
    Store,
    accepted_in,
    find_dataset,
    find_perturbation,
    freeze,
    list_datasets,
    load_entries,
    remove_datasets,
    sources_of,
)
from tests.store.builders import (
    KITE,
    entry,
    findings,
    names,
    query,
    row_counts,
)
from tests.store.perturbing import (
    LENGTHENED,
    NAME,
    applied,
    apply,
    field,
    say,
)

NOON = f"{KITE} at noon"
THESIS = "schema type: Winograd; dataset name: field; perturbation: {}; baseline: {}"


def test_nothing_is_frozen_as_long_as_nothing_is_valid(fresh_store: Store) -> None:
    kept = applied(fresh_store, entry("kite"))
    assert freeze(fresh_store, kept) is None
    assert [one.name for one in list_datasets(fresh_store)] == ["field"]


def test_that_nothing_is_valid_any_more_is_frozen_too(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    saved = freeze(fresh_store, kept)
    assert saved and find_perturbation(fresh_store, NAME).outdated is None
    say(fresh_store, "vouched", "rejected")
    assert freeze(fresh_store, kept) is freeze(fresh_store, kept) is None
    now = find_perturbation(fresh_store, NAME)
    assert (now.dataset, now.outdated) == (None, saved.dataset)
    rows = query(fresh_store.path, "SELECT dataset, unreviewed FROM frozen ORDER BY pk")
    assert rows == [(saved.dataset.pk, 0), (None, 0)]
    assert findings(fresh_store) == []
    say(fresh_store, "vouched", "accepted")
    freeze(fresh_store, kept)
    now = find_perturbation(fresh_store, NAME)
    assert (now.dataset, now.outdated) == (saved.dataset, None)


def test_a_perturbation_made_anew_outdates_what_was_frozen_of_the_one_before(
    fresh_store: Store,
) -> None:
    original = field(fresh_store)
    saved = freeze(fresh_store, apply(fresh_store, original)[0])
    proposed = replace(LENGTHENED, rewrite=_proposing)
    freeze(fresh_store, apply(fresh_store, original, transformation=proposed)[0])
    now = find_perturbation(fresh_store, NAME)
    assert saved and (now.dataset, now.outdated) == (None, saved.dataset)


def _proposing(one: Entry, settings: Settings) -> Rewriting:
    return replace(LENGTHENED.rewrite(one, settings), voucher=Voucher.NOBODY)


def test_an_old_version_does_not_become_current_when_the_last_is_removed(
    fresh_store: Store,
) -> None:
    kept = applied(fresh_store)
    first = freeze(fresh_store, kept)
    say(fresh_store, "kite", "accepted")
    second = freeze(fresh_store, kept)
    assert first and second
    remove_datasets(fresh_store, [second.dataset])
    now = find_perturbation(fresh_store, NAME)
    assert (now.dataset, now.outdated) == (None, first.dataset)


def test_what_a_dataset_has_is_accepted_in_its_own_wording_or_not_at_all(
    fresh_store: Store,
) -> None:
    kept = applied(fresh_store)
    say(fresh_store, "kite", "accepted")
    saved = freeze(fresh_store, kept)
    assert saved and accepted_in(fresh_store, kept, saved.dataset) == {"kite", "vouched"}
    say(fresh_store, "kite", "edited", edit=NOON)
    assert accepted_in(fresh_store, kept, saved.dataset) == {"vouched"}
    say(fresh_store, "vouched", "rejected")
    assert accepted_in(fresh_store, kept, saved.dataset) == set()


def test_valid_entries_are_frozen_in_the_order_of_the_original(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    say(fresh_store, "ladder", "accepted")
    say(fresh_store, "kite", "edited", edit=NOON)
    saved = freeze(fresh_store, kept)
    assert saved and saved.dataset.name == NAME and saved.is_new
    frozen = list(load_entries(fresh_store, saved.dataset))
    assert names(frozen) == ["kite", "vouched", "ladder"]
    assert frozen[0] == entry("kite", NOON, tags=("toys", "air"), note="windy")
    assert find_perturbation(fresh_store, NAME).dataset == saved.dataset


def test_a_dataset_gets_a_version_whenever_what_is_valid_has_changed(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    versions = []
    for validity in ("accepted", "accepted", "rejected", "accepted"):
        say(fresh_store, "kite", validity)
        saved = freeze(fresh_store, kept)
        again = freeze(fresh_store, kept)
        assert saved and again and again.dataset == saved.dataset and not again.is_new
        versions.append(saved.dataset.version)
        assert find_perturbation(fresh_store, NAME).dataset == saved.dataset
    assert versions == [1, 1, 2, 1]
    assert names(load_entries(fresh_store, find_dataset(fresh_store, f"{NAME}@1"))) == [
        "kite",
        "vouched",
    ]
    assert names(load_entries(fresh_store, find_dataset(fresh_store, f"{NAME}@2"))) == ["vouched"]
    assert row_counts(fresh_store.path)["frozen"] == 3


def test_proposals_are_frozen_only_if_asked_for_and_then_it_is_said(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    say(fresh_store, "ladder", "rejected")
    reviewed, all_of_it = freeze(fresh_store, kept), freeze(fresh_store, kept, unreviewed=True)
    assert reviewed and all_of_it
    assert names(load_entries(fresh_store, reviewed.dataset)) == ["vouched"]
    assert names(load_entries(fresh_store, all_of_it.dataset)) == ["kite", "vouched"]
    assert all_of_it.dataset.header.note.endswith("; unreviewed: 1")
    assert "unreviewed" not in reviewed.dataset.header.note
    marks = query(fresh_store.path, "SELECT unreviewed FROM frozen ORDER BY pk")
    assert marks == [(0,), (1,)]


def test_the_dataset_tells_where_it_comes_from(fresh_store: Store) -> None:
    header = Header("field", "The field", "Olga", "CC BY 4.0", "sown by hand")
    kept, _ = apply(fresh_store, field(fresh_store, header=header), seed=4)
    saved = freeze(fresh_store, kept)
    assert saved and saved.dataset.header == Header(
        NAME,
        "The field, with more words",
        "Olga",
        "CC BY 4.0",
        "made from field@1 by lengthened 1: words last week, seed 4",
    )
    (found,) = sources_of(fresh_store, saved.dataset)
    assert (found.file, found.sha256, found.bytes) == ("field@1", kept.id, 0)
    assert (found.importer, found.importer_version) == ("lengthened", "1")


@pytest.mark.parametrize(
    "name, before, after",
    [
        ("lengthened", ("original", "no baseline"), ("lengthened", "no baseline")),
        ("no-candidate", ("original", "no baseline"), ("original", "remove candidates")),
        ("no-candidate", ("associative", "no baseline"), ("associative", "remove candidates")),
        ("lengthened", ("original minus associative", "no baseline"), None),
        ("lengthened", ("switched", "no baseline"), None),
    ],
)
def test_the_first_line_of_a_published_file_stays_one(
    fresh_store: Store, name: str, before: tuple[str, str], after: tuple[str, str] | None
) -> None:
    original = field(fresh_store, header=Header("field", note=THESIS.format(*before)))
    kept, _ = apply(fresh_store, original, transformation=replace(LENGTHENED, name=name))
    saved = freeze(fresh_store, kept)
    assert saved
    note = saved.dataset.header.note
    assert note == THESIS.format(*after) if after else note.startswith("made from field@1")


def test_settings_that_are_no_text_can_be_told(fresh_store: Store) -> None:
    original = field(fresh_store, entry("kite", flags=(("invertible", True),)))
    odd = replace(LENGTHENED, rewrite=lambda one, _: LENGTHENED.rewrite(one, LENGTHENED.settings()))
    kept, _ = apply(fresh_store, original, transformation=odd, words="\n\udcff")
    saved = freeze(fresh_store, kept)
    assert saved and r'words "\n\udcff", seed 0' in saved.dataset.header.note
    assert find_perturbation(fresh_store, NAME).parameters == {"words": "\n\udcff"}


def test_a_frozen_dataset_can_be_removed_and_made_again(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    saved = freeze(fresh_store, kept)
    assert saved
    remove_datasets(fresh_store, [saved.dataset])
    assert find_perturbation(fresh_store, NAME).dataset is None
    again = freeze(fresh_store, kept)
    assert again and again.dataset.id == saved.dataset.id
    assert findings(fresh_store) == []
