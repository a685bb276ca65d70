import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings, Voucher
from horsesense.perturbations.english.gender import propose_gender
from horsesense.perturbations.english.people import Gender, gender_of_name
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry
from tests.strategies import brisk, grids, tame

BOAT = (
    "[Peter] would not sell [Henry] his boat because <he = Peter, Henry> {loved, hated} it himself."
)


def proposed(text: str, seed: int = 0) -> str:
    return print_grid(propose_gender(entry(text), Settings(seed=seed)).grid)


def lettered(text: str) -> str:
    """The proposal with X and Y in the place of the names that were drawn."""
    after = proposed(text)
    names = [word for word in re.findall(r"[A-Z][a-z]+", after) if word not in text]
    drawn = [name for name in dict.fromkeys(names) if gender_of_name(name)]
    for letter, name in zip("XY", drawn, strict=False):
        after = re.sub(rf"\b{name}\b", letter, after)
    return after


def refused(text: str) -> str:
    with pytest.raises(NotApplicable) as error:
        proposed(text)
    return str(error.value)


def test_names_and_every_pronoun_change_and_the_proposal_says_how() -> None:
    done = propose_gender(entry(BOAT), Settings())
    assert lettered(BOAT) == (
        "[X] would not sell [Y] her boat because <she = X, Y> {loved, hated} it herself."
    )
    first, second = re.findall(r"\[(\w+)\]", print_grid(done.grid))
    assert done.how == (
        f"Peter → {first}, Henry → {second}, his → her, he → she, himself → herself"
    )
    assert done.voucher is Voucher.NOBODY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # an owner in the frame
            "[Ruth] lent [Paula] her coat because <she = Ruth, Paula> was {warm, told to wear it}.",
            "[X] lent [Y] his coat because <he = X, Y> was {warm, told to wear it}.",
        ),
        (  # an object in a key phrase
            "[Ruth] lent [Paula] a coat, as <she = Ruth, Paula> wanted to {help her, get warm}.",
            "[X] lent [Y] a coat, as <he = X, Y> wanted to {help him, get warm}.",
        ),
        (  # a target that owns
            "[Ruth] led [Paula] home because <her's = Ruth, Paula> eyes were {sharp, sore}.",
            "[X] led [Y] home because <his = X, Y> eyes were {sharp, sore}.",
        ),
        (
            "[Peter] led [Henry] home because <his = Peter, Henry> eyes were {sharp, sore}.",
            "[X] led [Y] home because <her's = X, Y> eyes were {sharp, sore}.",
        ),
        (  # an owner alone
            "[Ruth] told [Paula] that <she = Ruth, Paula> knew the keys were {hers, not hers}.",
            "[X] told [Y] that <he = X, Y> knew the keys were {his, not his}.",
        ),
        (  # nouns, with the article that they need
            "[A king] hired [an actor]. <He = the king, the actor> was {rich, funny}.",
            "[A queen] hired [an actress]. <She = the queen, the actress> was {rich, funny}.",
        ),
        (
            "[A man] greeted [an uncle]. <He = the man, the uncle> was {polite, deaf}.",
            "[A woman] greeted [an aunt]. <She = the woman, the aunt> was {polite, deaf}.",
        ),
        (  # what belongs to a person, and the person
            "[Peter's brother] taught [Peter], as <he = Peter's brother, Peter> was {bored, keen}.",
            "[X's sister] taught [X], as <she = X's sister, X> was {bored, keen}.",
        ),
        (  # plurals
            "[The boys] fed [the kings], as <they = the boys, the kings> were {kind, hungry}.",
            "[The girls] fed [the queens], as <they = the girls, the queens> were {kind, hungry}.",
        ),
        (  # titles
            "[Mr. Hill] rang [Uncle Henry] because <he = Mr. Hill, Uncle Henry> was {lonely, ill}.",
            "[Mrs. Hill] rang [Aunt X] because <she = Mrs. Hill, Aunt X> was {lonely, ill}.",
        ),
        (
            "[Dr. Hill] rang [Helen Marsh], as <she = Dr. Hill, Helen Marsh> was {lonely, ill}.",
            "[Dr. Hill] rang [X Marsh], as <he = Dr. Hill, X Marsh> was {lonely, ill}.",
        ),
        (  # what is said of a candidate
            "[Peter] is the only boy [Henry] trusts. <He = Peter, Henry> is a {fair, shy} boy.",
            "[X] is the only girl [Y] trusts. <She = X, Y> is a {fair, shy} girl.",
        ),
        (  # a partner
            "[Peter]'s wife likes [Henry] because <he = Peter, Henry> {is relaxed, can cook} now.",
            "[X]'s husband likes [Y] because <she = X, Y> {is relaxed, can cook} now.",
        ),
        (  # both genders, each with pronouns of its own
            "[Peter] lent [Ruth] his bicycle because <_ = Peter, Ruth> {took, missed} the bus.",
            "[X] lent [Y] her bicycle because <_ = X, Y> {took, missed} the bus.",
        ),
        (  # somebody else, after every pronoun
            "[Peter] told [Henry] that <he = Peter, Henry> was {missed, blamed} by an aunt.",
            "[X] told [Y] that <she = X, Y> was {missed, blamed} by an aunt.",
        ),
        (  # a candidate whose noun and name stand together
            "[Ruth] put [her sister Paula] to bed, so <she = Ruth, the sister> could {read, rest}.",
            "[X] put [his brother Y] to bed, so <he = X, the brother> could {read, rest}.",
        ),
    ],
)
def test_all_that_tells_the_gender_of_the_candidates_follows(text: str, expected: str) -> None:
    assert lettered(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a lorry <can, cannot> pass under a {high, low} bridge", "it has no target"),
        (
            "[The vase] fell on [the cup] because <it = the vase, the cup> stood {high, low}.",
            "no candidate has a gender",
        ),
        (
            "[Peter's boat] hit [Henry's], as <it = Peter's boat, Henry's boat> was {fast, slow}.",
            "no candidate has a gender",
        ),
        (
            "[Kim] beat [Ruth] at chess because <_ = Kim, Ruth> played {well, badly}.",
            "a name of either gender",
        ),
        (
            "[Zebulon] fed [Henry] because <he = Zebulon, Henry> was {kind, hungry}.",
            "a name of unknown gender",
        ),
        (
            "[Peter] spoke of [Henry] to a nun who sang, but <he = Peter, Henry> was {shy, away}.",
            "a pronoun could refer to someone who is not a candidate",
        ),
        (
            "[Peter] swept Henrys yard with [Henry], as <he = Peter, Henry> was {kind, weak}.",
            "a name also occurs in another form",
        ),
        (
            "[Peter] told [Henry] that she knew that <he = Peter, Henry> was {sorry, forgiven}.",
            "pronouns of both genders",
        ),
        (
            "[The fireman] fed [Henry] because <he = the fireman, Henry> was {kind, hungry}.",
            "'fireman' has no counterpart",
        ),
        (
            "[Ruth] trimmed a beard for [Paula], as <she = Ruth, Paula> was {skilful, clumsy}.",
            "'beard' goes with one gender",
        ),
        (
            "[Ruth and Amy] met [the girls], as <they = Ruth and Amy, the girls> had {lost, won}.",
            "a candidate is several people",
        ),
    ],
)
def test_where_english_cannot_be_trusted_nothing_is_proposed(text: str, reason: str) -> None:
    assert refused(text) == reason


def test_a_candidate_that_is_not_marked_is_not_mistaken_for_somebody_else() -> None:
    text = "[Peter] saw a man selling plums. <He = Peter, the plum seller> was very {hungry, loud}."
    assert refused(text) == "a pronoun could refer to someone who is not a candidate"


@brisk
@given(st.integers())
def test_names_are_drawn_from_the_other_gender_and_by_the_seed_alone(seed: int) -> None:
    after = proposed(BOAT, seed)
    names = re.findall(r"\[(\w+)\]", after)
    assert [gender_of_name(name) for name in names] == [Gender.FEMALE] * 2
    assert names[0][0] != names[1][0]
    assert after == proposed(BOAT, seed)


@brisk
@given(grids(tame))
def test_any_grid_gives_a_grid_of_its_shape_or_a_reason(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        after = propose_gender(Entry("any", grid), Settings()).grid
        assert after.kind is grid.kind
        assert after.cells == grid.cells
