import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.nouns import Number
from horsesense.perturbations.english.number import agreeing_edits, predicate_edits
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.rewriting import Edit

PLURAL, SINGULAR = Number.PLURAL, Number.SINGULAR


def edited(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def places(text: str, *words: str) -> set[int]:
    """Where these words stand."""
    return {token.i for token in parse(text) if token.text in words}


def agreed(text: str, subject: str, to: Number) -> str:
    return edited(text, agreeing_edits(parse(text), places(text, subject), to))


# Only the verbs are looked at: the subject has not been changed yet.
@pytest.mark.parametrize(
    "one, many",
    [
        ("The owl is here.", "The owl are here."),
        ("The owl wasn't here.", "The owl weren't here."),
        ("The owl has slept.", "The owl have slept."),
        ("The owl doesn't sleep.", "The owl don't sleep."),
        ("The owl watches us.", "The owl watch us."),
        ("The owl near us watches it and flies away.", "The owl near us watch it and fly away."),
        ("I saw the owl that lives there.", "I saw the owl that live there."),
        (
            "I know the owl which is old and which has eaten.",
            "I know the owl which are old and which have eaten.",
        ),
        (
            "We feed the owl that lives here and that sleeps there.",
            "We feed the owl that live here and that sleep there.",
        ),
        ("I like the owl, and that is true.", "I like the owl, and that is true."),
        ("There is an owl in the tree.", "There are an owl in the tree."),
        ("Was the owl asleep?", "Were the owl asleep?"),
    ],
)
def test_verbs_agree_with_a_changed_subject(one: str, many: str) -> None:
    assert agreed(one, "owl", PLURAL) == many


@pytest.mark.parametrize(
    "text",
    [
        "My aunt watches the owl.",
        "The owl slept.",
        "The owl can sleep.",
        "The owl and I were here.",
    ],
)
def test_other_verbs_stay(text: str) -> None:
    assert agreed(text, "owl", PLURAL) == text


def test_what_is_joined_stays_plural() -> None:
    text = "The owls and the fox are here."
    assert agreed(text, "owls", SINGULAR) == text


def test_verbs_agree_in_the_singular_too() -> None:
    assert agreed("The owls have slept.", "owls", SINGULAR) == "The owls has slept."
    assert agreed("The owls watch us.", "owls", SINGULAR) == "The owls watches us."


def test_what_may_be_an_infinitive_is_refused() -> None:
    with pytest.raises(NotApplicable, match="the form of 'watch' is not clear"):
        agreed("The owls have slept and watch us.", "owls", SINGULAR)


def test_a_contraction_is_refused() -> None:
    with pytest.raises(NotApplicable, match="contraction"):
        agreed("She said that he's here.", "he", PLURAL)


@pytest.mark.parametrize(
    "one, many",
    [
        ("My aunt was the winner.", "My aunt was the winners."),
        ("My aunt wants to be a teacher.", "My aunt wants to be teachers."),
        ("My aunt, a nurse, was late.", "My aunt, nurses, was late."),
        ("My uncle was a nurse when my aunt came.", "My uncle was a nurse when my aunt came."),
        ("My aunt was hero of the day.", "My aunt was hero of the day."),
        ("My aunt was lucky to win a race.", "My aunt was lucky to win a race."),
    ],
)
def test_what_a_subject_is_said_to_be_follows(one: str, many: str) -> None:
    assert edited(one, predicate_edits(parse(one), places(one, "aunt"), PLURAL)) == many


@pytest.mark.parametrize(
    "text, reason",
    [
        ("We asked who is near the owl.", "the subject of 'is' is not clear"),
        ("The nest of the owl is high.", "the subject of 'is' is not clear"),
        ("The owl or the fox is here.", "'or' joins two subjects"),
    ],
)
def test_a_verb_whose_subject_is_in_doubt_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        agreed(text, "owl", PLURAL)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("My aunt worked as a nurse.", "'as' before a noun"),
        ("Being a nurse is hard for my aunt.", "it is unclear whom 'nurse' describes"),
        ("My aunt asked the man to be a nurse.", "it is unclear whom 'nurse' describes"),
    ],
)
def test_what_may_be_said_of_somebody_else_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        predicate_edits(parse(text), places(text, "aunt"), PLURAL)


def test_what_names_a_subject_once_more_is_put_into_the_singular_with_an_article() -> None:
    text = "My aunts were nurses."
    edits = predicate_edits(parse(text), places(text, "aunts"), SINGULAR)
    assert edited(text, edits) == "My aunts were a nurse."


def test_a_second_that_whose_noun_is_not_clear_is_refused() -> None:
    text = "We feed the owls that live here and that sleep there near the foxes."
    with pytest.raises(NotApplicable, match="the subject of 'sleep' is not clear"):
        agreed(text, "owls", SINGULAR)


def test_a_name_for_what_somebody_is_has_to_follow_too() -> None:
    text = "Rosa was a Capricorn."
    with pytest.raises(NotApplicable, match="no unambiguous plural"):
        predicate_edits(parse(text), places(text, "Rosa"), PLURAL)
