from dataclasses import replace

import pytest

from horsesense.audit.findings import Weight
from horsesense.audit.shape import (
    check_blank_position,
    check_connectives,
    check_kinds_and_tags,
    third_of_blank,
)
from horsesense.schema import problems
from horsesense.schema.notation import parse_grid
from tests.audit.made_subjects import SOUND, entry, of_entries, subject_of, value


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
    checked = check_blank_position(subject_of(*SOUND))
    assert not checked.concerns
    shares = [one.value for one in checked.figures]
    assert sum(share for share in shares if share is not None) == pytest.approx(1)


def test_blanks_that_are_mostly_late_are_looked_at() -> None:
    late = [
        f"[Nora] saw [Lena] here in year {n}, and <she = Nora, Lena> {{ran, sat}}."
        for n in range(9)
    ]
    (concern,) = check_blank_position(subject_of(*late, *SOUND[:3])).concerns
    assert concern.weight is Weight.LOOK
    assert "in the last third in 10 of 12" in concern.text


def test_connectives_that_change_are_fine() -> None:
    checked = check_connectives(subject_of(*SOUND))
    assert not checked.concerns
    assert value(checked, "until") == pytest.approx(1 / 12)
    assert value(checked, "two sentences or more") == pytest.approx(2 / 12)


def test_a_connective_in_more_than_a_third_is_looked_at() -> None:
    because = [f"[a{n}] hit [b{n}] because <it = a{n}, b{n}> {{fell, broke}}" for n in range(7)]
    (concern,) = check_connectives(subject_of(*SOUND, *because)).concerns
    assert "'because' is in 7 of 19" in concern.text
    assert concern.entries == tuple(f"e{n}" for n in range(13, 20))
    assert not check_connectives(subject_of(*SOUND, *because[:6])).concerns


def test_too_few_winograd_schemas_are_not_judged() -> None:
    for check in (check_blank_position, check_connectives):
        assert "9 Winograd schemas" in check(subject_of(*SOUND[:9])).skipped
        assert "1 Winograd schema;" in check(subject_of(SOUND[0])).skipped
        assert "no Winograd" in check(subject_of("hay <keeps, rots> if {dry, wet}")).skipped


def test_minimal_pairs_with_a_target_have_no_blank_and_are_left_out() -> None:
    pairs = [f"<it = Owl {n} fell.*, Vole {n} fell.>" for n in range(12)]
    for check in (check_blank_position, check_connectives):
        assert check(subject_of(*SOUND, *pairs)) == check(subject_of(*SOUND))
        assert "no Winograd" in check(subject_of(*pairs)).skipped


def test_kinds_are_counted() -> None:
    checked = check_kinds_and_tags(subject_of(*SOUND, "hay <keeps, rots> if {dry, wet}"))
    assert value(checked, "substitution schema, Winograd") == 12
    assert value(checked, "substitution schema") == 1
    assert value(checked, "entries without a tag") == 13
    assert check_kinds_and_tags(of_entries()).skipped


def test_tags_of_single_problems_are_counted_by_problem() -> None:
    made = [
        replace(entry(f"e{n}", f"hay{n} <keeps, rots> if {{dry, wet}}", tags=("farm",)), extras=own)
        for n, own in enumerate([(("x-tags.2", "damp"),), (("x-tags.1", "damp"),), ()])
    ]
    checked = check_kinds_and_tags(of_entries(*made, entry("bare", "hay <keeps*, rots>.")))
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
    found = check_kinds_and_tags(of_entries(*made)).concerns
    assert [one.text.partition(";")[0] for one in found] == concerns
