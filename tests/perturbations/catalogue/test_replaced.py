from horsesense.perturbations import Perturbed, Voucher
from horsesense.perturbations.catalogue.wordings import ADJECTIVAL, UNBALANCED
from tests.perturbations.written import applied, entry, result, sensible

LADLE = (
    "[The ladle] would not go into [the drawer]; <it = the ladle, the drawer> was {long, short}."
)


def test_the_authors_phrases_become_candidates_and_answers() -> None:
    done = result(ADJECTIVAL, entry(LADLE, adjectival="the red box, the blue box"))
    assert isinstance(done, Perturbed)
    assert sensible(done.entry.grid) == [
        "The red box would not go into the blue box; the red box was long.",
        "The red box would not go into the blue box; the blue box was short.",
    ]
    assert (done.voucher, done.how) == (Voucher.AUTHOR, "the author's phrases")


def test_the_second_candidate_is_unbalanced_or_the_first_on_request() -> None:
    one = entry(LADLE, unbalanced="the cobwebbed chest", unbalanced_first="the dented copper ladle")
    assert "into [the cobwebbed chest]; <it = the ladle, the cobwebbed chest>" in applied(
        UNBALANCED, one
    )
    assert applied(UNBALANCED, one, candidate="first").startswith("[The dented copper ladle] would")


def test_an_article_outside_the_candidate_must_fit() -> None:
    text = "A [ladle] was in a [drawer] when <it = ladle, drawer> {bent, broke}."
    assert applied(UNBALANCED, entry(text, unbalanced="old oak chest")) == (
        "('a' does not go with 'old oak chest')"
    )


def test_answers_that_become_equal_are_no_schema() -> None:
    one = entry(LADLE, adjectival="the box, the box")
    assert applied(ADJECTIVAL, one).startswith(
        "(the result is not a valid schema: 'the box' occurs"
    )


def test_in_a_verbatim_schema_the_new_answers_are_spelt_for_their_place() -> None:
    owner = "! [Ann] hid [Eve]'s hat , as <her's = Ann's, Eve's> head was {hot, cold} ."
    assert applied(ADJECTIVAL, entry(owner, adjectival="the red hen, Mia")) == (
        "! [The red hen] hid [Mia]'s hat , as <her's = the red hen's, Mia's> head was {hot, cold} ."
    )
    opening = "! [The ladle] bent [the fork] . <It = The ladle, The fork> was {hard, soft} ."
    one = entry(opening, adjectival="the red box, the blue box")
    assert "<It = The red box, The blue box>" in applied(ADJECTIVAL, one)
