from dataclasses import replace

import pytest

from horsesense.perturbations import (
    NotApplicable,
    Purpose,
    Rewriting,
    Touch,
    Transformation,
    Voucher,
    check,
)
from horsesense.perturbations.catalogue.modes import DYADIC
from horsesense.perturbations.catalogue.switched import SWITCHED
from horsesense.perturbations.transformation import EVERYTHING
from horsesense.schema.notation import parse_grid

ROPE = "[Nora] threw [Lena] the rope because <she = Nora, Lena> was {ashore, drowning}."


def free(*touches: Touch, purpose: Purpose = Purpose.CONSISTENCY) -> Transformation:
    return replace(SWITCHED, touches=frozenset(touches), purpose=purpose)


def checked(after: str, transformation: Transformation, before: str = ROPE) -> str:
    """Why a rewriting is refused; nothing if it is not."""
    try:
        check(parse_grid(before), Rewriting(parse_grid(after), "by hand"), transformation)
    except NotApplicable as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("after", "reason"),
    [
        (ROPE, "unchanged"),
        (ROPE.replace("the rope", "the the rope"), "a word is doubled: the the"),
        (ROPE.replace("[Lena]", "her"), "candidate 2 no longer occurs"),
        (ROPE.replace("[Lena]", "[Ida]"), "the answer 'Lena' does not occur"),
        (ROPE.replace("drowning", "sinking"), "one of its problems is unchanged"),
        (f"It is |true, false| that {ROPE[:-1]}", "the problems do not pair with those before"),
        ("[Nora] waved to [Lena] as <she = Nora*, Lena> left.", "its kind has changed"),
    ],
)
def test_nobody_gets_away_with_it(after: str, reason: str) -> None:
    assert checked(after, free(*EVERYTHING)).startswith(reason)


def test_a_word_that_was_doubled_before_may_stay_so() -> None:
    before = ROPE.replace("the rope", "the the rope")
    assert checked(before.replace("rope", "line"), free(*EVERYTHING), before) == ""
    assert checked(ROPE.replace("was", "had had been"), free(*EVERYTHING)) == ""


@pytest.mark.parametrize(
    ("after", "needed", "reason"),
    [
        (ROPE.replace("ashore, drowning", "dry, wet"), Touch.KEYS, "the key phrases have changed"),
        (ROPE.replace("rope", "line"), Touch.FRAME, "the frame has changed"),
        (ROPE.replace("[Lena]", "[old Lena]"), Touch.CANDIDATES, "the candidates have changed"),
        (
            ROPE.replace("Nora, Lena", "Nora, old Lena"),
            Touch.CANDIDATES,
            "the answers have changed",
        ),
    ],
)
def test_what_was_not_to_be_touched_must_be_the_same(
    after: str, needed: Touch, reason: str
) -> None:
    assert checked(after, free(*(EVERYTHING - {needed}))) == reason
    assert checked(after, free(needed)) == ""


def test_rows_of_a_loose_pair_are_held_to_it_one_by_one() -> None:
    before = "the bus waited as <it = the bus*, the train> was early\n& it <left*, stood> there"
    after = before.replace("waited", "stopped").replace("stood", "stayed")
    assert checked(after, free(Touch.FRAME), before) == "the answers have changed"
    assert checked(before.replace("stood", "stayed"), free(*EVERYTHING), before) == (
        "one of its problems is unchanged"
    )
    assert checked(before + "\n& a <third*, last> one", free(*EVERYTHING), before) == (
        "the problems do not pair with those before"
    )
    turned = before.replace("left*, stood", "left, stood*").replace("waited", "stopped")
    assert checked(turned, free(*EVERYTHING), before) == "another answer would be right"


def test_problems_that_go_with_two_each_are_those_of_a_dyad() -> None:
    assert checked(ROPE.replace("rope", "line"), DYADIC) == "it is not a dyad"
    assert checked(f"It is |true, false| that {ROPE[:-1]}", DYADIC) == ""


def test_a_control_may_destroy_but_must_change_something() -> None:
    control = free(*EVERYTHING, purpose=Purpose.CONTROL)
    assert checked(ROPE.replace("[Lena] the", "the the"), control) == ""
    assert checked(ROPE, control) == "unchanged"


def test_what_the_author_wrote_may_touch_anything() -> None:
    after = Rewriting(parse_grid(ROPE.replace("rope", "line")), "by hand", Voucher.AUTHOR)
    check(parse_grid(ROPE), after, free(Touch.KEYS))
