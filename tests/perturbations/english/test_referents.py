import random

import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.nouns import Number, Sort
from horsesense.perturbations.english.people import Gender, gender_of_name
from horsesense.perturbations.english.referents import Referent, SecondNames, referents_of
from horsesense.perturbations.rewriting import renderings
from horsesense.schema import Schema
from tests.perturbations.written import entry


def found(line: str) -> list[Referent]:
    grid = entry(line).grid
    assert isinstance(grid, Schema)
    return referents_of(grid, renderings(grid)[0], SecondNames(random.Random(0), set()))


def test_a_noun_is_found_with_its_number_its_sort_and_its_other_form() -> None:
    jug, bowl = found("[The jug] hit [the bowl] and <it = the jug, the bowl> {moved, broke}.")
    assert (jug.word, jug.new, jug.number, jug.sort) == (
        "jug",
        "jugs",
        Number.SINGULAR,
        Sort.THING,
    )
    assert (bowl.word, bowl.new, bowl.is_name) == ("bowl", "bowls", False)


def test_a_name_is_found_with_a_second_one() -> None:
    rosa, _ = found("[Rosa] thanked [Helen] because <_ = Rosa, Helen> was {cold, away}.")
    assert rosa.is_name and rosa.sort is Sort.FEMALE
    assert gender_of_name(rosa.new.removeprefix("Rosa and ")) is Gender.FEMALE


def test_a_part_of_the_body_that_is_nobodys_counts_like_other_things() -> None:
    chest, _ = found("[The tea chest] hit [the jug] as <it = the chest, the jug> was {old, new}.")
    assert chest.new == "chests"


def test_a_name_after_a_comma_is_somebody_else_where_a_clause_begins() -> None:
    for name in ("[Rosa]", "[Rosa]'s dog"):
        line = f"Near the bench, {name} met [Helen] as <she = Rosa, Helen> was {{lost, near}}."
        assert [one.word for one in found(line)] == ["Rosa", "Helen"]


def test_a_candidates_number_says_whose_it_is() -> None:
    line = "[2: The bowl] hit [1: the jug] and <it = the jug, the bowl> {moved, broke}."
    assert [one.word for one in found(line)] == ["jug", "bowl"]


def test_another_mention_stands_for_the_candidate_but_no_part_of_another_noun() -> None:
    line = (
        "We hung [a bell] on [a kite] near the bell tower. "
        "The bell rang because <it = the bell, the kite> was {loud, fast}."
    )
    bell, kite = found(line)
    assert [one.i for one in bell.heads] == [3, 13] and len(kite.heads) == 1


def test_a_second_name_is_drawn_once_for_a_name_and_for_no_other() -> None:
    names = SecondNames(random.Random(0), {"Rosa", "Helen"})
    first = names.beside("Rosa", Sort.FEMALE)
    assert names.beside("Rosa", Sort.FEMALE) == first
    assert names.beside("Helen", Sort.FEMALE) not in {first, "Rosa", "Helen"}


@pytest.mark.parametrize(
    "name, sort, forms",
    [
        ("Joe", Sort.MALE, {"Joseph"}),
        ("Sue", Sort.FEMALE, {"Susan"}),
        ("Bob", Sort.MALE, {"Robert"}),
        ("Elizabeth", Sort.FEMALE, {"Betty", "Lisa"}),
    ],
)
def test_no_second_name_is_a_form_of_a_name_in_the_sentence(
    name: str, sort: Sort, forms: set[str]
) -> None:
    other = "Ian" if sort is Sort.MALE else "Ida"
    for seed in range(300):
        names = SecondNames(random.Random(seed), {name, other})
        assert not {names.beside(name, sort), names.beside(other, sort)} & forms


def test_no_second_name_begins_like_another() -> None:
    for seed in range(100):
        names = SecondNames(random.Random(seed), {"Rosa", "Helen", "Maria"})
        drawn = [names.beside(name, Sort.FEMALE) for name in ("Rosa", "Helen", "Maria")]
        assert len({name[:2] for name in (*drawn, "Rosa", "Helen", "Maria")}) == 6


@pytest.mark.parametrize(
    "sentence, reason",
    [
        ("The owl can <see, hear> what is", "no target"),
        ("[The jug] hit [the bowls] as <it = the jug, the bowls> was", "differ in number"),
        ("[Oslo] beat [Cairo] as <it = Oslo, Cairo> was", "not known as a person's name"),
        ("[Paul Smith] met [Victor] as <he = Paul Smith, Victor> was", "several words"),
        ("[Rosa] and [Helen] left as <she = Rosa, Helen> was", "is joined"),
        ("[The jug] hit [the bowl] as <they = the jug, the bowl> were", "another number"),
        ("[The jug and cup] hit [the bowl] as <it = the jug, the bowl> was", "is joined"),
        ("[Nell and Ida] met [Rosa] as <she = Nell, Rosa> was", "is joined"),
        ("[Rosa] Smith met [Helen] as <she = Rosa, Helen> was", "'smith' after a name"),
        ("[Rosa] met a neighbour, [Helen], as <she = Rosa, Helen> was", "names another noun"),
        ("[Rosa] ran to a nurse, [Helen], and left as <she = Rosa, Helen> was", "another noun"),
        ("A nurse named [Rosa] met [Helen] as <she = Rosa, Helen> was", "names another noun"),
        ("[The ears] hurt more than [the legs], as <they = the ears, the legs> were", "together"),
        ("[His nose] hurt more than [his leg], as <it = his nose, his leg> was", "of its kind"),
        ("[The jug] hit a bowl near the bowl as <it = the jug, the bowl> was", "not marked"),
        ("A jug fell onto a bed, as <it = the big jug, the jug> was", "not marked"),
        ("Some of [the jugs] hit [the cups] as <they = the jugs, the cups> were", "'some' counts"),
        ("The [garden] gate hit [the jug] as <it = the garden, the jug> was", "another noun"),
        ("[A man in a red coat] met [the boy] as <he = the man, the boy> was", "of its own"),
        ("[The jug] hit [the bowl] near a jug as <it = the jug, the bowl> was", "another one"),
        (
            "[1: The jug] hit [2: the bowl] and [1: the pot] as <it = the jug, the bowl> was",
            "different ways",
        ),
    ],
)
def test_a_candidate_that_is_not_plain_is_refused(sentence: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        found(f"{sentence} {{old, new}}.")
