from __future__ import annotations

from dataclasses import replace

import pytest

from horsesense.audit import Weight
from horsesense.audit.shape import (
    Readability,
    check_blank_position,
    check_connectives,
    check_kinds_and_tags,
    check_readability,
    readability,
    syllables,
    third_of_blank,
)
from horsesense.schema import problems
from horsesense.schema.notation import parse_grid
from tests.audit.made_datasets import SOUND, dataset_of, entry, value


@pytest.mark.parametrize(
    ("notation", "third"),
    [
        ("<it = a, b> {fell, broke} as [a] hit [b]", 0),
        ("[a] saw how <it = a, b> {fell, broke} on [b]", 1),
        ("[a] hit [b], so that {old, new} things met <it = a, b>", 2),
        ("[a] hit <it = a, b> {hard, oft} by [b]", 1),
    ],
)
def test_the_third_of_the_words_in_which_the_blank_stands(notation: str, third: int) -> None:
    assert third_of_blank(problems(parse_grid(notation))[0]) == third


def test_blanks_in_different_places_are_fine() -> None:
    checked = check_blank_position(dataset_of(*SOUND))
    assert not checked.concerns
    shares = [one.value for one in checked.figures]
    assert sum(share for share in shares if share is not None) == pytest.approx(1)


def test_blanks_that_are_mostly_late_are_looked_at() -> None:
    late = [
        f"[Nora] saw [Lena] here in year {n}, and <she = Nora, Lena> {{ran, sat}}."
        for n in range(9)
    ]
    (concern,) = check_blank_position(dataset_of(*late, *SOUND[:3])).concerns
    assert concern.weight is Weight.LOOK
    assert "in the last third in 10 of 12" in concern.text


def test_connectives_that_change_are_fine() -> None:
    checked = check_connectives(dataset_of(*SOUND))
    assert not checked.concerns
    assert value(checked, "until") == pytest.approx(1 / 12)
    assert value(checked, "two sentences or more") == pytest.approx(2 / 12)


def test_a_connective_in_more_than_a_third_is_looked_at() -> None:
    because = [f"[a{n}] hit [b{n}] because <it = a{n}, b{n}> {{fell, broke}}" for n in range(7)]
    (concern,) = check_connectives(dataset_of(*SOUND, *because)).concerns
    assert "'because' is in 7 of 19" in concern.text
    assert concern.entries == tuple(f"e{n}" for n in range(13, 20))
    assert not check_connectives(dataset_of(*SOUND, *because[:6])).concerns


def test_too_few_winograd_schemas_are_not_judged() -> None:
    for check in (check_blank_position, check_connectives):
        assert "9 Winograd schemas" in check(dataset_of(*SOUND[:9])).skipped
        assert "1 Winograd schema;" in check(dataset_of(SOUND[0])).skipped
        assert "no Winograd" in check(dataset_of("hay <keeps, rots> if {dry, wet}")).skipped


def test_minimal_pairs_with_a_target_have_no_blank_and_are_left_out() -> None:
    pairs = [f"<it = Owl {n} fell.*, Vole {n} fell.>" for n in range(12)]
    for check in (check_blank_position, check_connectives):
        assert check(dataset_of(*SOUND, *pairs)) == check(dataset_of(*SOUND))
        assert "no Winograd" in check(dataset_of(*pairs)).skipped


def test_kinds_are_counted() -> None:
    checked = check_kinds_and_tags(dataset_of(*SOUND, "hay <keeps, rots> if {dry, wet}"))
    assert value(checked, "substitution schema, Winograd") == 12
    assert value(checked, "substitution schema") == 1
    assert value(checked, "entries without a tag") == 13
    assert check_kinds_and_tags(dataset_of()).skipped


def test_tags_of_single_problems_are_counted_by_problem() -> None:
    made = [
        replace(entry(f"e{n}", f"hay{n} <keeps, rots> if {{dry, wet}}", tags=("farm",)), extras=own)
        for n, own in enumerate([(("x-tags.2", "damp"),), (("x-tags.1", "damp"),), ()])
    ]
    checked = check_kinds_and_tags(dataset_of(*made, entry("bare", "hay <keeps*, rots>.")))
    figures = {one.name: (one.value, one.total) for one in checked.figures}
    assert figures["tag farm"] == (3, 4)
    assert figures["tag damp, of single problems"] == (2, 7)
    assert figures["entries without a tag"] == (1, 4)


@pytest.mark.parametrize(
    ("tags", "concerns"),
    [
        (["space"] * 10 + ["time"] * 10, []),
        (["space"] * 20, []),
        (["space"] * 11 + ["time"] * 9, ["the tag 'space' is on 11 of 20 entries"]),
        (["space"] * 10 + ["time"] * 9 + ["timing"], ["the tag 'timing' is used once"]),
        (
            ["space"] * 10 + ["time"] * 8 + ["timing", "spice"],
            ["2 entries, the first: the tag 'spice' is used once"],
        ),
        (["level:1"] * 19 + ["level:2"], []),
    ],
)
def test_tags_that_are_on_most_entries_or_on_one_are_looked_at(
    tags: list[str], concerns: list[str]
) -> None:
    made = [
        entry(f"e{n}", f"hay{n} <keeps, rots> if {{dry, wet}}", tags=(tag,))
        for n, tag in enumerate(tags)
    ]
    found = check_kinds_and_tags(dataset_of(*made)).concerns
    assert [one.text.partition(";")[0] for one in found] == concerns


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("the", 1),
        ("owl", 1),
        ("ladle", 2),
        ("rule", 1),
        ("kettle", 2),
        ("baked", 1),
        ("needed", 2),
        ("houses", 2),
        ("makes", 1),
        ("unfortunate", 4),
        ("responsibility", 6),
        ("Ann's", 1),
        ("8", 1),
    ],
)
def test_syllables_are_counted_by_groups_of_vowels(word: str, number: int) -> None:
    assert syllables(word) == number


def test_abbreviations_end_no_sentence() -> None:
    assert readability("Mr. Hill fell. He got up!") == Readability(6, 2, 6)
    assert readability("…") is None


def test_the_formulas_are_those_of_flesch_and_kincaid() -> None:
    found = Readability(words=20, sentences=2, syllables=25)
    assert found.reading_ease == pytest.approx(206.835 - 10.15 - 105.75)
    assert found.grade == pytest.approx(3.9 + 14.75 - 15.59)


def test_easy_sentences_are_fine_and_hard_ones_are_looked_at() -> None:
    assert not check_readability(dataset_of(*SOUND)).concerns
    hard = (
        "[The administrator] accommodated [the superintendent] considering <he = the "
        "administrator, the superintendent> anticipated {availability, unavailability}."
    )
    (concern,) = check_readability(dataset_of(*SOUND, hard)).concerns
    assert (concern.weight, concern.entries) == (Weight.LOOK, ("e13",))


def test_an_empty_dataset_is_not_judged() -> None:
    assert check_readability(dataset_of()).skipped


def test_all_that_is_hard_is_told_once_with_the_worst_grade() -> None:
    hard = "considerable unavailability <irritated*, accommodated> the administration {}"
    made = [hard.format("today"), hard.format("notwithstanding responsibilities")]
    (concern,) = check_readability(dataset_of(*SOUND, *made)).concerns
    assert concern.entries == ("e14", "e13")
    worst = check_readability(dataset_of(made[1])).concerns[0].text
    assert concern.text == f"2 entries, the worst: {worst}"
