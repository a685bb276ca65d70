from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.audit import Weight
from horsesense.audit.duplicates import (
    ALIKE,
    LEAST_COMMON,
    MOST_SAME_KEYS,
    check_candidates_repeated,
    check_duplicates,
    check_keys_repeated,
    check_near_duplicates,
    check_words,
    find_alike,
)
from horsesense.audit.words import content_words, parts_of
from horsesense.schema import Entry, LooseGrid, LooseProblem
from horsesense.schema.notation import parse_grid
from tests.audit.made_datasets import SOUND, dataset_of, entry

JUG = "[The jug] hit [the urn] hard, and <it = the jug, the urn> {fell, broke}."


@pytest.mark.parametrize(
    "copy",
    [
        "[the jug] hit [the urn] hard and <it = the jug, the urn> {fell, broke}",
        "[2: The jug] hit [1: the urn] hard, and <it = the urn, the jug> {broke, fell}.",
        "[THE JUG] hit [the urn] - hard! - and <it = the jug, the urn> {fell, broke}…",
        "The jug hit the urn hard, and <the jug, the urn> {fell, broke}.",
    ],
)
def test_the_same_sentences_in_another_order_or_spelling_are_a_fault(copy: str) -> None:
    checked = check_duplicates(dataset_of(*SOUND, JUG, copy))
    assert [(one.weight, one.entries) for one in checked.concerns] == [
        (Weight.FAULT, ("e13", "e14"))
    ]
    assert "keep one" in checked.concerns[0].text


def test_a_sound_dataset_has_no_duplicates() -> None:
    checked = check_duplicates(dataset_of(*SOUND, JUG))
    assert not checked.concerns
    assert checked.figures[1].value == 0


def test_the_same_sentences_with_other_right_answers_contradict_each_other() -> None:
    other = "[The jug] hit [the urn] hard, and <it = the jug, the urn> {broke, fell}."
    concern = check_duplicates(dataset_of(JUG, other)).concerns[0]
    assert "different right answers" in concern.text


@pytest.mark.parametrize(
    ("copies", "contradict"),
    [
        (("in may hay <keeps*, rots>", "in may hay <? keeps, rots>"), False),
        (("in may hay <? keeps, rots>", "in may hay <keeps*, rots>"), False),
        (("in may hay <keeps*, rots>", "in may hay <rots, keeps*>"), False),
        (
            (
                "in may hay <keeps*, rots>",
                "in may hay <? rots, keeps>",
                "In May hay <rots*, keeps>",
            ),
            True,
        ),
        (("{dry, wet} hay <keeps, rots>", "<dry, wet> hay {keeps, rots}"), False),
        (("{dry, wet} hay <keeps, rots>", "<dry, wet> hay {rots, keeps}"), True),
    ],
)
def test_copies_contradict_each_other_only_where_both_are_known(
    copies: tuple[str, ...], contradict: bool
) -> None:
    concern = check_duplicates(dataset_of(*copies)).concerns[0]
    assert concern.entries == tuple(f"e{n}" for n in range(1, len(copies) + 1))
    assert ("different right answers" in concern.text) is contradict


def test_half_of_a_loose_pair_may_be_unknown_in_a_copy() -> None:
    def pair(name: str, *rows: str) -> Entry:
        parts = [part for row in rows for part in parts_of(parse_grid(row))]
        return Entry(
            name, LooseGrid(tuple(part for part in parts if isinstance(part, LooseProblem)))
        )

    here = pair("a", "in may hay <keeps*, rots>", "in june rye <? keeps, rots>")
    there = pair("b", "in may hay <? keeps, rots>", "in june rye <keeps, rots*>")
    wrong = pair("c", "in may hay <? keeps, rots>", "in june rye <keeps*, rots>")
    assert "keep one" in check_duplicates(dataset_of(here, there)).concerns[0].text
    assert (
        "one of them is wrong" in check_duplicates(dataset_of(here, there, wrong)).concerns[0].text
    )


def test_a_problem_that_stands_in_two_entries_is_a_fault() -> None:
    single = "[The jug] hit [the urn] hard, and <it = the jug*, the urn> fell."
    checked = check_duplicates(dataset_of(JUG, single, SOUND[0]))
    assert [one.entries for one in checked.concerns] == [("e1", "e2")]
    assert "the same problem" in checked.concerns[0].text


def test_entries_with_other_names_are_near_duplicates() -> None:
    copies = (
        "[Anton] borrowed [Jakob]'s ladder until <he = Anton, Jakob> {brought, fetched} it home.",
        "[Bruno] borrowed [Felix]'s ladder until <he = Bruno, Felix> {brought, fetched} it home.",
    )
    checked = check_near_duplicates(dataset_of(*SOUND, *copies))
    assert [(one.weight, one.entries) for one in checked.concerns] == [
        (Weight.LOOK, ("e13", "e14"))
    ]
    assert not check_near_duplicates(dataset_of(*SOUND, copies[0])).concerns


def test_all_that_is_like_an_entry_is_told_together() -> None:
    made = [f"grey owls nest under mossy roofs <by day, by night> {{a{n}x, b{n}x}}" for n in "123"]
    checked = check_near_duplicates(dataset_of(*made))
    (concern,) = checked.concerns
    assert concern.entries == ("e1", "e2", "e3")
    assert concern.text.startswith("2 entries share with the first up to ")
    assert checked.figures[1].value == 2


def test_the_same_key_phrases_make_less_likeness_enough() -> None:
    first = "[Anna] met [Ella] by the harbour and <she = Anna, Ella> {sailed, waved} off at dusk."
    second = "[Ruth] met [Nora] at the harbour where <she = Ruth, Nora> {%s} for her uncle."
    same = check_near_duplicates(dataset_of(first, second % "waved, sailed"))
    assert [one.entries for one in same.concerns] == [("e1", "e2")]
    assert "the same key phrases" in same.concerns[0].text
    assert not check_near_duplicates(dataset_of(first, second % "looked, shopped")).concerns


def test_of_very_many_entries_with_the_same_key_phrases_the_first_are_compared() -> None:
    def like(n: int) -> str:
        return f"w{n}q x{n}q y{n}q happen <keep, rot> if {{wet, dry}}"

    many = [
        f"w{n}q x{n}q y{n}q z{n}q <keeps{n}, rots{n}> if {{dry, wet}}"
        for n in range(MOST_SAME_KEYS + 1)
    ]
    for n in (0, MOST_SAME_KEYS - 1):
        assert [one.first for one in find_alike(dataset_of(*many, like(n)))] == [f"e{n + 1}"]
    assert not list(find_alike(dataset_of(*many, like(MOST_SAME_KEYS))))
    assert list(find_alike(dataset_of(many[-1], like(MOST_SAME_KEYS))))


def test_short_statements_that_share_two_words_are_not_alike() -> None:
    checked = check_near_duplicates(
        dataset_of("{ice, steam} is <colder, hotter> than water", "{ice, water} is <hard, wet>")
    )
    assert not checked.concerns


def test_single_problems_are_compared_too() -> None:
    made = [f"grey owls nest under mossy roofs in <{place}*, water>" for place in ("may", "june")]
    assert [one.entries for one in check_near_duplicates(dataset_of(*made)).concerns] == [
        ("e1", "e2")
    ]
    assert not check_near_duplicates(dataset_of(made[0], "hay <keeps*, rots> here")).concerns


def test_exact_duplicates_are_no_near_duplicates_as_well() -> None:
    assert not check_near_duplicates(dataset_of(JUG, JUG.upper().replace("IT =", "It ="))).concerns


words = st.sampled_from(["owl", "hay", "jug", "elm", "fog", "ice", "rye", "ash", "oat", "yew"])


@given(st.lists(st.lists(words, min_size=1, max_size=8, unique=True), max_size=12))
def test_the_index_finds_what_comparing_everything_finds(bags: list[list[str]]) -> None:
    entries = [
        entry(f"e{n}", f"{' '.join(bag)} {{on{n}, off{n}}} <go, do>") for n, bag in enumerate(bags)
    ]
    found = {one.second: (one.first, one.share) for one in find_alike(dataset_of(*entries))}
    assert found == _by_comparing_everything([(f"e{n}", bag) for n, bag in enumerate(bags)])


def _by_comparing_everything(bags: list[tuple[str, list[str]]]) -> dict[str, tuple[str, float]]:
    found: dict[str, tuple[str, float]] = {}
    full = {name: set(content_words(" ".join(bag))) for name, bag in bags}
    said = dict(bags)
    for second in full:
        for first in full:
            if first == second:
                break
            common = full[first] & full[second]
            share = len(common) / len(full[first] | full[second])
            is_same = said[first] == said[second]
            is_alike = (share >= ALIKE and len(common) >= LEAST_COMMON) or is_same
            if is_alike and first not in found and share > found.get(second, ("", 0.0))[1]:
                found[second] = (first, share)
    return found


def test_what_stays_when_likenesses_are_taken_out_is_not_alike() -> None:
    made = [
        entry(f"e{n}", f"owls nest under {' '.join(some)} <by day, by night> in {{a{n}x, b{n}x}}")
        for n, some in enumerate(combinations(("barns", "roofs", "elms", "hedges", "rocks"), 3))
    ]
    out = {one.second for one in find_alike(dataset_of(*made))}
    left = [one for one in made if one.id not in out]
    assert out
    assert not list(find_alike(dataset_of(*left)))


@pytest.mark.parametrize(
    "frame", ["a jar of plums <rolls, stays> if {}", "it <rolls, stays> if {}"]
)
def test_entries_that_differ_only_in_their_key_phrases_are_alike(frame: str) -> None:
    keys = (
        "{pushed by wild ponies, glued with yellow resin}",
        "{struck, tied to heavy iron rails}",
    )
    made = [frame.format(one) for one in keys]
    (concern,) = check_near_duplicates(dataset_of(*made, *SOUND)).concerns
    assert concern.entries == ("e1", "e2")
    assert concern.text.startswith("they share 100% of the content words besides key phrases (")
    other = f"grass <grows, withers> if {keys[1]}"
    assert not check_near_duplicates(dataset_of(made[0], other)).concerns


def test_key_words_alone_make_no_likeness() -> None:
    keys = "{pushed by wild ponies, glued with yellow resin}"
    made = [f"a jar <rolls, stays> if {keys}", f"the cart <moves, stands> when {keys}"]
    assert not check_near_duplicates(dataset_of(*made)).concerns


def test_entries_without_content_words_are_not_compared() -> None:
    made = [f"it <is, is not> {{{keys}}}" for keys in ("here, there", "up, down")]
    assert not check_near_duplicates(dataset_of(*made)).concerns


VARIED = tuple(
    f"[Ada{n}] saw [Eve{n}] with verb{n}, and <she = Ada{n}, Eve{n}> {{on{n}, off{n}}} it."
    for n in range(20)
)


def test_words_that_are_varied_are_fine() -> None:
    checked = check_words(dataset_of(*VARIED))
    assert not checked.concerns
    figures = {one.name: one.value for one in checked.figures}
    assert figures["type-token ratio of content words"] == 1
    assert figures["different content words"] == 100


def test_a_content_word_in_more_than_a_tenth_is_looked_at() -> None:
    ladders = [one.replace("verb", "the Ladder's verb") for one in VARIED[:3]]
    (concern,) = check_words(dataset_of(*ladders, *VARIED[3:])).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e1", "e2", "e3"))
    assert "'ladder' is in 3 of 20 entries" in concern.text
    assert not check_words(dataset_of(*ladders[:2], *VARIED[2:])).concerns


def test_a_word_counts_once_for_an_entry() -> None:
    often = VARIED[0].replace("verb0", "owls, owls, owls and owls")
    assert not check_words(dataset_of(often, *VARIED[1:])).concerns


def test_a_name_that_is_a_candidate_again_and_again_is_looked_at() -> None:
    same = [one.replace(f"Ada{n}", "Ada") for n, one in enumerate(VARIED[:3])]
    (concern,) = check_candidates_repeated(dataset_of(*same, *VARIED[3:])).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e1", "e2", "e3"))
    assert "'ada' is in 3 of 20" in concern.text
    twice = check_candidates_repeated(dataset_of(*same[:2], *VARIED[2:]))
    assert not twice.concerns
    assert {one.name: one.value for one in twice.figures}["candidates used more than once"] == 1


def test_a_key_pair_that_is_used_twice_is_looked_at() -> None:
    again = VARIED[7].replace("on7", "OFF2").replace("off7", "on2")
    (concern,) = check_keys_repeated(dataset_of(*VARIED[:7], again)).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e3", "e8"))
    assert "'off2 / on2' are used 2 times" in concern.text
    assert not check_keys_repeated(dataset_of(*VARIED)).concerns


def test_small_datasets_and_those_without_keys_are_not_judged() -> None:
    assert check_words(dataset_of(*SOUND)).skipped
    assert check_candidates_repeated(dataset_of(*SOUND)).skipped
    assert check_keys_repeated(dataset_of("hay <keeps*, rots> here")).skipped


def test_key_pairs_that_are_used_again_are_told_once_the_most_frequent_first() -> None:
    keys = ["{wet, dry}", "{hot, icy}", "{dry, wet}", "{icy, hot}", "{hot, icy}", "{old, new}"]
    made = [f"hay{n} <keeps, rots> if {pair}" for n, pair in enumerate(keys)]
    (concern,) = check_keys_repeated(dataset_of(*made)).concerns
    assert concern.text == (
        "2 key pairs are used more than once, the worst: the key phrases 'hot / icy' are used 3 "
        "times; once is enough"
    )
    assert concern.entries == ("e2", "e4", "e5", "e1", "e3")


def test_one_entry_is_not_said_to_be_several() -> None:
    assert check_words(dataset_of(SOUND[0])).skipped.startswith("1 entry; ")
    assert check_candidates_repeated(dataset_of(SOUND[0])).skipped.startswith("1 entry with")
