from horsesense.audit.duplicates import (
    check_candidates_repeated,
    check_keys_repeated,
    check_words,
)
from horsesense.audit.findings import Weight
from tests.audit.made_subjects import SOUND, subject_of

VARIED = tuple(
    f"[Ada{n}] saw [Eve{n}] with verb{n}, and <she = Ada{n}, Eve{n}> {{on{n}, off{n}}} it."
    for n in range(20)
)


def test_words_that_are_varied_are_fine() -> None:
    checked = check_words(subject_of(*VARIED))
    assert not checked.concerns
    figures = {one.name: one.value for one in checked.figures}
    assert figures["type-token ratio of content words"] == 1
    assert figures["different content words"] == 100


def test_a_content_word_in_more_than_a_tenth_is_looked_at() -> None:
    ladders = [one.replace("verb", "the Ladder's verb") for one in VARIED[:3]]
    (concern,) = check_words(subject_of(*ladders, *VARIED[3:])).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e1", "e2", "e3"))
    assert "'ladder' is in 3 of 20 entries" in concern.text
    assert not check_words(subject_of(*ladders[:2], *VARIED[2:])).concerns


def test_a_word_counts_once_for_an_entry() -> None:
    often = VARIED[0].replace("verb0", "owls, owls, owls and owls")
    assert not check_words(subject_of(often, *VARIED[1:])).concerns


def test_a_name_that_is_a_candidate_again_and_again_is_looked_at() -> None:
    same = [one.replace(f"Ada{n}", "Ada") for n, one in enumerate(VARIED[:3])]
    (concern,) = check_candidates_repeated(subject_of(*same, *VARIED[3:])).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e1", "e2", "e3"))
    assert "'ada' is in 3 of 20" in concern.text
    twice = check_candidates_repeated(subject_of(*same[:2], *VARIED[2:]))
    assert not twice.concerns
    assert {one.name: one.value for one in twice.figures}["candidates used more than once"] == 1


def test_a_key_pair_that_is_used_twice_is_looked_at() -> None:
    again = VARIED[7].replace("on7", "OFF2").replace("off7", "on2")
    (concern,) = check_keys_repeated(subject_of(*VARIED[:7], again)).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e3", "e8"))
    assert "'off2 / on2' are used 2 times" in concern.text
    assert not check_keys_repeated(subject_of(*VARIED)).concerns


def test_small_datasets_and_those_without_keys_are_not_judged() -> None:
    assert check_words(subject_of(*SOUND)).skipped
    assert check_candidates_repeated(subject_of(*SOUND)).skipped
    assert check_keys_repeated(subject_of("hay <keeps*, rots> here")).skipped


def test_key_pairs_that_are_used_again_are_told_once_the_most_frequent_first() -> None:
    keys = ["{wet, dry}", "{hot, icy}", "{dry, wet}", "{icy, hot}", "{hot, icy}", "{old, new}"]
    made = [f"hay{n} <keeps, rots> if {pair}" for n, pair in enumerate(keys)]
    (concern,) = check_keys_repeated(subject_of(*made)).concerns
    assert concern.text == (
        "2 key pairs are used more than once, the worst: the key phrases 'hot / icy' are used 3 "
        "times; once is enough"
    )
    assert concern.entries == ("e2", "e4", "e5", "e1", "e3")


def test_one_entry_is_not_said_to_be_several() -> None:
    assert check_words(subject_of(SOUND[0])).skipped.startswith("1 entry; ")
    assert check_candidates_repeated(subject_of(SOUND[0])).skipped.startswith("1 entry with")
