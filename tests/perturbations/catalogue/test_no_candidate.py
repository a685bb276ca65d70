import pytest

from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.no_candidate import NO_CANDIDATE
from horsesense.schema import problems
from tests.perturbations.written import applied, entry, result

LADLE = (
    "[The ladle] would not go into [the drawer], as <it = the ladle, the drawer> was {long, short}."
)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        (LADLE, "Would not go into, as ___ was long."),
        (
            "At noon [Nora]'s kite rose above [Lena]'s. <It = Nora's, Lena's> was {old, new}.",
            "At noon kite rose above. ___ was old.",
        ),
        (
            "On [1: the boys]' [1: hats], so [2: Ann] said, <they = the boys, Ann> had {mud, fun}.",
            "On, so said, ___ had mud.",
        ),
        ("[the owl] saw [a vole], and <it = the owl, the vole> {hooted, hid}", "Saw, and ___ hoot"),
        (
            "The [1: owl] saw the [2: vole]; the [1: owl] left; <it = owl, vole> was {fed, safe}.",
            "The saw the; the left; ___ was fed.",
        ),
    ],
)
def test_every_mention_goes_with_its_ending_and_spaces_close_up(text: str, statement: str) -> None:
    done = result(NO_CANDIDATE, entry(text))
    assert isinstance(done, Perturbed)
    assert problems(done.entry.grid)[0].statement.text.startswith(statement)
    assert done.voucher is Voucher.RULE


def test_the_start_may_be_left_as_it_was() -> None:
    assert applied(NO_CANDIDATE, entry(LADLE), start="lower") == (
        "! would not go into, as <it = the ladle, the drawer> was {long, short}."
    )


def test_answers_and_the_right_one_stay() -> None:
    before = entry("[The owl] fled [the cat] as <it = the owl, the cat*> was fierce.")
    done = result(NO_CANDIDATE, before)
    assert isinstance(done, Perturbed)
    (old,), (new,) = problems(before.grid), problems(done.entry.grid)
    assert (old.options, old.right) == (new.options, new.right)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a lorry <can, cannot> pass under a {high, low} bridge", "it has no marked candidates"),
        ("[Nora] saw her when <she = Nora, Lena> was {in, out}.", "candidate 2 is not marked"),
    ],
)
def test_without_marks_there_is_nothing_to_delete(text: str, reason: str) -> None:
    assert applied(NO_CANDIDATE, entry(text)) == f"({reason})"


def test_words_that_meet_in_a_control_may_be_the_same() -> None:
    text = "I gave to [Nora] to keep [the owl] as <she = Nora, the owl> was {in, out}."
    assert applied(NO_CANDIDATE, entry(text)).startswith("I gave to to keep as")
