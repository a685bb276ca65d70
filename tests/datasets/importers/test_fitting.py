import pytest

from horsesense.datasets.importers.format import CAPITAL, LOWERCASE, POSSESSIVE, fitted
from horsesense.datasets.recovery import Journal, RawProblem


def fit(
    before: str, after: str, pronoun: str, *options: str, off: tuple[str, ...] = ()
) -> tuple[list[str], list[tuple[str, str, str]]]:
    """The answers as they come out, and what was said about them."""
    found = RawProblem("7", 3, (before, after), tuple((one,) for one in options), 0, pronoun)
    journal = Journal(off)
    answers = [phrase for (phrase,) in fitted(found, journal).options]
    return answers, [(issue.name, issue.odd, issue.done) for issue in journal.issues()]


def test_an_article_loses_its_capital_inside_a_sentence_and_a_name_does_not() -> None:
    assert fit("The owl saw Nora, so ", " hid.", "it", "The owl", "Nora") == (
        ["the owl", "Nora"],
        [(LOWERCASE, "'The owl'", "'the owl'")],
    )


def test_a_noun_or_an_acronym_keeps_its_capital() -> None:
    assert fit("Owls hate IT staff, so ", " hid.", "they", "Owls", "IT staff") == (
        ["Owls", "IT staff"],
        [],
    )


def test_an_answer_gets_a_capital_where_the_pronoun_has_one() -> None:
    assert fit("An owl saw Nora. ", " hid.", "It", "the owl", "Nora") == (
        ["The owl", "Nora"],
        [(CAPITAL, "'the owl'", "'The owl'")],
    )
    assert fit("An owl saw Nora. ", " hid.", "It", "The owl", "Nora") == (["The owl", "Nora"], [])


@pytest.mark.parametrize("pronoun", ["_", "I"])
def test_a_pronoun_that_cannot_tell_leaves_it_to_the_text(pronoun: str) -> None:
    assert fit("It broke. ", " wept.", pronoun, "the owl", "Nora")[0] == ["The owl", "Nora"]
    assert fit("It broke, so ", " wept.", pronoun, "The owl", "Nora")[0] == ["the owl", "Nora"]


@pytest.mark.parametrize(
    ("pronoun", "after", "expected"),
    [
        ("its", " nest.", ["the owl's", "the voles's"]),
        ("their", " nest.", ["the owl's", "the voles'"]),
        ("her", " nest.", ["the owl's", "the voles's"]),
        ("her", " to the nest.", ["the owl", "the voles"]),
        ("it", " nest.", ["the owl", "the voles"]),
    ],
)
def test_answers_own_what_the_pronoun_owns(pronoun: str, after: str, expected: list[str]) -> None:
    answers, said = fit("He saw ", after, pronoun, "the owl", "the voles")
    assert answers == expected
    assert [name for name, _, _ in said] == [POSSESSIVE] * (expected[0] != "the owl")


def test_answers_that_are_owners_already_stay_as_they_are() -> None:
    assert fit("He saw ", " nest.", "its", "the owl's", "Nora's") == (["the owl's", "Nora's"], [])


def test_each_repair_can_be_switched_off_by_itself() -> None:
    options = ("The owl", "Nora")
    assert fit("He saw ", " nest.", "its", *options, off=(LOWERCASE,))[0] == ["The owl's", "Nora's"]
    assert fit("He saw ", " nest.", "its", *options, off=(POSSESSIVE,))[0] == ["the owl", "Nora"]
    assert fit("", " sat.", "It", "the owl", "Nora", off=(CAPITAL,))[0] == ["the owl", "Nora"]


def test_a_problem_with_two_blanks_is_left_alone() -> None:
    found = RawProblem(
        "7", 3, ("The owl and ", " or ", "."), (("The owl",) * 2, ("a",) * 2), 0, "it"
    )
    assert fitted(found, Journal()) is found
