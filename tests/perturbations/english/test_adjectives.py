"""The lists of adjectives, and what they fit."""

import pytest

from horsesense.perturbations.english.adjectives import (
    fitting_modifiers,
    fitting_pairs,
    kind_of,
    surnames,
)
from horsesense.perturbations.english.pipeline import table
from horsesense.schema import LooseGrid, LooseProblem, Schema
from horsesense.schema.notation import parse_grid

CUP = "[The cup] hit [the jug], so <it = the cup, the jug> {fell, broke}."


def part(line: str) -> Schema | LooseProblem:
    grid = parse_grid(line)
    return grid.rows[0] if isinstance(grid, LooseGrid) else grid


def test_the_lists_are_sound() -> None:
    lists = table("adjectives")
    for one in (*lists["pairs"], *lists["modifiers"]):
        assert one["kind"] in (*lists["kinds"], "any")
        assert set(one["topics"]) <= set(lists["topics"])
    assert all(map(len, surnames()))


def test_the_kind_of_a_noun_is_known_if_it_is_on_the_lists() -> None:
    assert (kind_of("cup"), kind_of("Dog"), kind_of("idea")) == ("thing", "animal", None)


@pytest.mark.parametrize(
    "line", [CUP, "[The cup] hit [the jug], so <it = the cup, the jug*> broke."]
)
def test_a_pair_fits_a_sentence_that_is_about_something_else(line: str) -> None:
    assert ["red", "blue"] in fitting_pairs(part(line), "thing")


def test_no_pair_fits_that_is_about_what_the_sentence_is_about() -> None:
    about_colour = fitting_pairs(part(CUP.replace("fell", "was green")), "thing")
    assert about_colour and ["red", "blue"] not in about_colour
    assert fitting_pairs(part(CUP), "no such kind") == []


def test_modifiers_are_words_of_the_kind() -> None:
    assert "monogrammed" in fitting_modifiers(part(CUP), "thing")
    named = part(CUP.replace("fell", "was monogrammed"))
    assert "monogrammed" not in fitting_modifiers(named, "thing")
