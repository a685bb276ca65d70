from dataclasses import replace
from pathlib import Path

import pytest

from horsesense.errors import HorsesenseError, SchemaError, StoreError, UnknownNameError
from horsesense.perturbations.checks import Perturbed
from horsesense.perturbations.transformation import Rewriting, Validity, Voucher
from horsesense.schema import Entry, Mode
from horsesense.schema.notation import parse_grid, print_grid
from horsesense.store import (
    ReviewVerdict,
    Store,
    WordingChanged,
    find_dataset,
    find_perturbation,
    freeze,
    judge,
    judge_together,
    load_history,
    load_ledger,
    remove_perturbation,
    save_perturbation,
    verify_perturbations,
)
from tests.store import processes
from tests.store.builders import (
    FERRY,
    KITE,
    LADDER,
    change,
    entry,
    findings,
    lanterns,
    make,
    names,
    query,
)
from tests.store.perturbing import (
    LENGTHENED,
    NAME,
    applied,
    apply,
    field,
    history,
    last_words,
    say,
)
from tests.store.test_concurrency import go

NOON = f"{KITE} at noon"
THESIS = "schema type: Winograd; dataset name: field; perturbation: {}; baseline: {}"


def wording(store: Store, name: str) -> str:
    """How an entry of the current perturbation reads now."""
    ledger = load_ledger(store, find_perturbation(store, NAME))
    (found,) = [print_grid(one.entry.grid) for one in ledger if one.entry.id == name]
    return found


def test_before_anybody_has_looked_the_voucher_speaks(fresh_store: Store) -> None:
    applied(fresh_store)
    assert last_words(fresh_store) == {
        "kite": "proposed",
        "vouched": "accepted",
        "ladder": "proposed",
    }
    assert history(fresh_store, "kite") == [("proposed", "horsesense")]
    assert history(fresh_store, "vouched") == [("accepted", "author")]


def test_the_last_word_counts_and_all_others_stay(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    say(fresh_store, "kite", "accepted", "Ada")
    say(fresh_store, "kite", "rejected", "Bo", note="kites do not read calendars")
    assert last_words(fresh_store)["kite"] == "rejected"
    assert history(fresh_store, "kite") == [
        ("proposed", "horsesense"),
        ("accepted", "Ada"),
        ("rejected", "Bo"),
    ]
    last = load_history(fresh_store, kept, "kite")[-1]
    assert (last.entry, last.note) == ("kite", "kites do not read calendars")
    assert last.notation == f"{KITE} last week" and last.at


def test_a_judgement_cannot_be_changed_afterwards(fresh_store: Store) -> None:
    applied(fresh_store)
    with pytest.raises(Exception, match="a judgement stands as it was given"):
        change(fresh_store.path, "UPDATE judgement SET validity = 'accepted'")


def test_an_edit_has_its_own_wording(fresh_store: Store) -> None:
    applied(fresh_store)
    say(fresh_store, "kite", "edited", edit=NOON)
    assert wording(fresh_store, "kite") == NOON
    assert last_words(fresh_store)["kite"] == "edited"


@pytest.mark.parametrize("validity", ["accepted", "rejected"])
def test_who_judges_after_an_edit_judges_the_edit(fresh_store: Store, validity: str) -> None:
    kept = applied(fresh_store)
    say(fresh_store, "kite", "edited", edit=NOON)
    say(fresh_store, "kite", validity, "Bo")
    assert wording(fresh_store, "kite") == NOON
    assert load_history(fresh_store, kept, "kite")[-1].notation == NOON


def test_what_is_proposed_again_has_its_first_wording(fresh_store: Store) -> None:
    applied(fresh_store)
    say(fresh_store, "kite", "edited", edit=NOON)
    say(fresh_store, "kite", "proposed")
    assert wording(fresh_store, "kite") == f"{KITE} last week"


def test_an_edit_that_gives_the_proposal_is_an_acceptance(fresh_store: Store) -> None:
    applied(fresh_store)
    say(fresh_store, "kite", "edited", edit=NOON)
    say(fresh_store, "kite", "edited", edit=f"{KITE} last week")
    assert history(fresh_store, "kite")[1:] == [("edited", "Ada"), ("accepted", "Ada")]
    assert wording(fresh_store, "kite") == f"{KITE} last week"


def test_an_edit_that_was_rejected_and_then_accepted_is_still_an_edit(fresh_store: Store) -> None:
    applied(fresh_store)
    say(fresh_store, "kite", "edited", edit=NOON)
    say(fresh_store, "kite", "rejected", "Bo")
    say(fresh_store, "kite", "accepted", "Ada")
    assert history(fresh_store, "kite")[1:] == [
        ("edited", "Ada"),
        ("rejected", "Bo"),
        ("edited", "Ada"),
    ]


@pytest.mark.parametrize("validity", ["accepted", "rejected"])
def test_a_wording_that_was_not_seen_is_not_judged(fresh_store: Store, validity: str) -> None:
    applied(fresh_store)
    say(fresh_store, "kite", "edited", "Bo", edit=NOON)
    with pytest.raises(WordingChanged, match="kite has been changed in the meantime"):
        say(fresh_store, "kite", validity, seen=f"{KITE} last week")
    assert history(fresh_store, "kite")[1:] == [("edited", "Bo")]
    say(fresh_store, "kite", validity, seen=NOON)
    assert wording(fresh_store, "kite") == NOON


def test_judgements_given_together_are_stored_all_or_not_at_all(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    accepted = ReviewVerdict("ladder", Validity.ACCEPTED)
    for wrong in (
        ReviewVerdict("kite", Validity.EDITED, parse_grid(FERRY)),
        ReviewVerdict("kites", Validity.REJECTED),
        ReviewVerdict("kite", Validity.ACCEPTED, seen=NOON),
    ):
        with pytest.raises(HorsesenseError):
            judge_together(fresh_store, kept, [accepted, wrong], "Ada")
        assert len(history(fresh_store, "ladder")) == len(history(fresh_store, "kite")) == 1
    judge_together(fresh_store, kept, [accepted, ReviewVerdict("kite", Validity.REJECTED)], "Ada")
    assert last_words(fresh_store) == {
        "kite": "rejected",
        "vouched": "accepted",
        "ladder": "accepted",
    }


def test_an_edit_does_not_make_another_answer_right(fresh_store: Store) -> None:
    ferry = entry("ferry", FERRY)
    original = field(fresh_store, ferry)
    made = [Perturbed(entry("ferry", f"{FERRY} out"), "by hand", Voucher.NOBODY)]
    save_perturbation(fresh_store, NAME, original, LENGTHENED, LENGTHENED.settings(), made)
    with pytest.raises(HorsesenseError, match="ferry cannot be edited like this"):
        turned = FERRY.replace("stayed*, sailed", "stayed, sailed*")
        say(fresh_store, "ferry", "edited", edit=f"{turned} out")
    assert len(history(fresh_store, "ferry")) == 1


@pytest.mark.parametrize(
    "edit, wrong",
    [
        (KITE, "unchanged"),
        (FERRY, "another shape"),
        ("it is |true, false| that " + KITE, "another shape"),
        (f"{KITE} at at noon", "a word is doubled"),
        (f"{KITE} last week".replace("rising, dying", "dying, rising"), "another answer"),
        (f"{KITE} last week".replace("climbed, sank", "sank, climbed"), "another answer"),
        (KITE.replace("rising, dying", "dying, rising"), "another answer"),
    ],
)
def test_an_edit_is_checked_as_a_rewriting_is(fresh_store: Store, edit: str, wrong: str) -> None:
    applied(fresh_store)
    with pytest.raises(HorsesenseError, match=f"kite cannot be edited like this: .*{wrong}"):
        say(fresh_store, "kite", "edited", edit=edit)
    assert len(history(fresh_store, "kite")) == 1


def test_what_is_only_read_in_another_mode_cannot_be_edited(fresh_store: Store) -> None:
    inverted = replace(
        LENGTHENED, mode=Mode.BY_KEY, rewrite=lambda one, _: Rewriting(one.grid, "read by key")
    )
    kept = applied(fresh_store, transformation=inverted)
    assert [one.entry for one in load_ledger(fresh_store, kept)] == [
        one.original for one in load_ledger(fresh_store, kept)
    ]
    with pytest.raises(HorsesenseError, match="in another mode"):
        say(fresh_store, "kite", "edited", edit=NOON)


@pytest.mark.parametrize("validity, grid", [("edited", None), ("accepted", parse_grid(NOON))])
def test_an_edit_and_nothing_else_brings_a_wording(
    fresh_store: Store, validity: str, grid: object
) -> None:
    kept = applied(fresh_store)
    with pytest.raises(ValueError, match="only an edit"):
        judge(fresh_store, kept, "kite", Validity(validity), "Ada", grid=grid)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["kites", "ferry"])
def test_an_entry_that_was_not_perturbed_cannot_be_judged(fresh_store: Store, name: str) -> None:
    kept = applied(fresh_store)
    with pytest.raises(UnknownNameError, match=f"no entry of {NAME}"):
        say(fresh_store, name, "accepted")
    with pytest.raises(UnknownNameError, match=f"no entry of {NAME}"):
        load_history(fresh_store, kept, name)


@pytest.mark.parametrize("by, note", [("", ""), ("Ada\n", ""), ("Ada", "two\nlines")])
def test_a_judgement_has_a_name_and_one_line(fresh_store: Store, by: str, note: str) -> None:
    applied(fresh_store)
    with pytest.raises((HorsesenseError, SchemaError), match="one line|needs the name"):
        say(fresh_store, "kite", "accepted", by, note=note)


def test_what_has_been_made_anew_is_not_judged_behind_its_back(fresh_store: Store) -> None:
    original = field(fresh_store)
    kept, _ = apply(fresh_store, original)
    apply(fresh_store, original, words="this morning")
    with pytest.raises(StoreError, match="been replaced"):
        judge(fresh_store, kept, "kite", Validity.ACCEPTED, "Ada")
    with pytest.raises(StoreError, match="been replaced"):
        freeze(fresh_store, kept)


def test_what_was_removed_meanwhile_is_not_judged(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    remove_perturbation(fresh_store, kept)
    with pytest.raises(StoreError, match="no longer"):
        judge(fresh_store, kept, "kite", Validity.ACCEPTED, "Ada")


def test_judgements_are_carried_over_where_the_wording_is_the_same(fresh_store: Store) -> None:
    original = field(fresh_store)
    apply(fresh_store, original)
    say(fresh_store, "kite", "rejected", "Bo")
    say(fresh_store, "kite", "edited", "Ada", edit=NOON)
    _, is_new = apply(fresh_store, original, seed=1)
    assert is_new
    assert history(fresh_store, "kite") == [
        ("proposed", "horsesense"),
        ("rejected", "Bo"),
        ("edited", "Ada"),
    ]
    assert wording(fresh_store, "kite") == NOON
    assert history(fresh_store, "ladder") == [("proposed", "horsesense")]


def test_judgements_are_not_carried_over_where_the_wording_differs(fresh_store: Store) -> None:
    original = field(fresh_store)
    apply(fresh_store, original)
    say(fresh_store, "kite", "accepted")
    apply(fresh_store, original, words="this morning")
    assert history(fresh_store, "kite") == [("proposed", "horsesense")]


def test_judgements_are_not_carried_over_to_what_means_something_else(fresh_store: Store) -> None:
    original = field(fresh_store)
    apply(fresh_store, original)
    say(fresh_store, "kite", "accepted")
    apply(fresh_store, original, transformation=replace(LENGTHENED, name="extended"))
    assert history(fresh_store, "kite") == [("proposed", "horsesense")]


def test_a_new_version_of_the_original_keeps_what_is_said_of_old_entries(
    fresh_store: Store,
) -> None:
    applied(fresh_store, entry("kite"), entry("ladder", LADDER))
    say(fresh_store, "kite", "accepted")
    say(fresh_store, "ladder", "accepted")
    renamed = entry("ladder", LADDER.replace("Olga", "Vera"))
    applied(fresh_store, entry("new"), entry("kite", note="now with a note"), renamed)
    assert last_words(fresh_store) == {"new": "proposed", "kite": "accepted", "ladder": "proposed"}


def test_what_was_said_beside_another_original_is_not_carried_over(fresh_store: Store) -> None:
    settings = LENGTHENED.settings()
    made = [Perturbed(entry("kite", NOON), "by hand", Voucher.NOBODY)]
    for before in (KITE, KITE.replace("rising", "fresh")):
        original = field(fresh_store, entry("kite", before))
        save_perturbation(fresh_store, NAME, original, LENGTHENED, settings, made)
        assert history(fresh_store, "kite") == [("proposed", "horsesense")]
        say(fresh_store, "kite", "accepted")


def test_a_wording_that_comes_back_brings_its_judgements_back(fresh_store: Store) -> None:
    original = field(fresh_store)
    apply(fresh_store, original)
    say(fresh_store, "kite", "accepted")
    apply(fresh_store, original, words="this morning")
    say(fresh_store, "kite", "rejected")
    apply(fresh_store, original, seed=1)
    assert history(fresh_store, "kite") == [("proposed", "horsesense"), ("accepted", "Ada")]


def test_a_perturbation_takes_over_from_the_one_before_it(fresh_store: Store) -> None:
    original = field(fresh_store)
    apply(fresh_store, original)
    say(fresh_store, "kite", "accepted")
    apply(fresh_store, original, seed=1)
    say(fresh_store, "kite", "rejected", "Bo")
    apply(fresh_store, original, seed=2)
    assert history(fresh_store, "kite")[1:] == [("accepted", "Ada"), ("rejected", "Bo")]


def test_no_judgement_is_carried_over_twice(fresh_store: Store) -> None:
    original = field(fresh_store)
    apply(fresh_store, original)
    for validity in ("accepted", "rejected", "accepted"):  # all within a second
        say(fresh_store, "kite", validity)
    apply(fresh_store, original, seed=1)
    say(fresh_store, "kite", "rejected", "Bo")
    apply(fresh_store, original)
    apply(fresh_store, original, seed=1)
    apply(fresh_store, original, seed=2)
    said = ["proposed", "accepted", "rejected", "accepted", "rejected"]
    assert [validity for validity, _ in history(fresh_store, "kite")] == said


def test_two_processes_judge_at_once_and_nothing_is_lost(store_path: Path) -> None:
    make(store_path, "field", *lanterns(120))
    with Store.open(store_path) as store:
        apply(store, find_dataset(store, "field"))
    people = [processes.start("judge-all", store_path, NAME, name) for name in ("Ada", "Bo")]
    go(*people)
    said = {processes.finish(one)[-1] for one in people}
    counts = query(store_path, 'SELECT "by", count(*) FROM judgement GROUP BY 1 ORDER BY 1')
    assert counts == [("Ada", 120), ("Bo", 120), ("horsesense", 120)]
    with Store.open(store_path) as store:
        dataset = find_perturbation(store, NAME).dataset
        assert dataset and said == {f"frozen {dataset.id}"} and dataset.entries == 120
        assert findings(store) == []
        assert verify_perturbations(store) == {NAME: []}


def test_entries_are_loaded_by_what_was_said_last(fresh_store: Store) -> None:
    kept = applied(fresh_store)
    say(fresh_store, "kite", "accepted")

    def chosen(*validities: Validity) -> list[Entry]:
        return [one.entry for one in load_ledger(fresh_store, kept, validities=validities)]

    assert names(chosen(Validity.ACCEPTED)) == ["kite", "vouched"]
    assert names(chosen(Validity.PROPOSED)) == ["ladder"]
    assert names(chosen(Validity.PROPOSED, Validity.ACCEPTED)) == names(chosen())
    assert chosen(Validity.REJECTED) == []
