from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import (
    AREAS,
    RULES,
    Difficulty,
    Recipe,
    RequestedDifficulty,
    Rule,
    generate,
    generate_dataset,
    header,
)
from horsesense.generation.rule import Draft, Proof, settle, square
from horsesense.schema import Entry, Schema
from horsesense.schema.notation import print_entry

DAY = date(2026, 3, 1)
RECIPE = Recipe(0, DAY)


def made(count: int, recipe: Recipe = RECIPE, rules: tuple[Rule, ...] = RULES) -> list[Entry]:
    return list(islice(generate(recipe, rules), count))


def sentences(entry: Entry) -> frozenset[str]:
    assert isinstance(entry.grid, Schema)
    return frozenset(entry.grid.sentence(cell).text for cell in entry.grid.cells)


def of_three(rng: Random, difficulty: Difficulty) -> Draft:
    """A rule with three different schemas to give."""
    more = rng.choice(("one", "two", "three"))
    cells = square(lambda key, answer: Proof(key == answer, ("a goose is no egg",)))
    return Draft(f"{{}} and {more} make <>", ("a goose", "an egg"), ("noise", "breakfast"), cells)


SMALL = Rule("small", "yard", "geese and eggs", of_three)


def test_the_same_recipe_makes_the_same_set() -> None:
    assert made(60) == made(60)
    assert made(30) == made(60)[:30]


@pytest.mark.parametrize("other", [Recipe(1, DAY), Recipe(0, date(2026, 3, 2))])
def test_another_seed_or_day_makes_another_set(other: Recipe) -> None:
    first = {sentences(entry) for entry in made(60)}
    second = {sentences(entry) for entry in made(60, other)}
    assert len(first & second) < 6


def test_a_set_is_a_dataset_that_says_what_made_it() -> None:
    recipe = Recipe(0, date(2026, 3, 1))
    seen: list[Entry] = []

    def watch(entries: Iterator[Entry]) -> list[Entry]:
        seen.extend(entries)
        return seen

    dataset = generate_dataset(recipe, 5, RULES, watch=watch)
    assert dataset.entries == tuple(seen) == tuple(islice(generate(recipe, RULES), 5))
    assert (dataset.name, dataset.sources[0].importer) == (recipe.name, "generate")
    assert generate_dataset(recipe, 5, RULES, name="fresh").name == "fresh"


def test_areas_come_in_turn() -> None:
    entries = made(3 * len(AREAS))
    for start in range(0, len(entries), len(AREAS)):
        assert {entry.tags[0] for entry in entries[start : start + len(AREAS)]} == set(AREAS)


def test_an_entry_says_what_made_it_how_hard_it_is_and_why_it_is_so() -> None:
    names = {rule.name: rule for rule in RULES}
    for entry in made(200):
        extras = dict(entry.extras)
        rule = names[extras["x-rule"]]
        hard = dict(tag.split(":") for tag in entry.tags[1:])
        assert entry.tags[0] == rule.area
        assert int(hard["chain"]) in rule.chain
        assert int(hard["converses"]) in rule.converses
        assert int(hard["negations"]) in rule.negations
        assert extras["x-derivation"]


@pytest.mark.parametrize(
    "wanted",
    [
        RequestedDifficulty(chain=range(3, 5)),
        RequestedDifficulty(converses=range(1, 3), negations=range(1, 2)),
    ],
)
def test_difficulties_are_as_asked_for(wanted: RequestedDifficulty) -> None:
    for entry in made(100, Recipe(0, DAY, wanted)):
        hard = {name: int(value) for name, value in (tag.split(":") for tag in entry.tags[1:])}
        for name, numbers in hard.items():
            asked = getattr(wanted, name)
            assert asked is None or numbers in asked
        assert hard["converses"] + hard["negations"] <= hard["chain"]


def test_either_key_comes_first_in_about_half_of_them() -> None:
    """The one that comes first in the alphabet, which has nothing to do with the answer."""
    grids = [entry.grid for entry in made(400)]
    first = sum(
        isinstance(grid, Schema) and grid.keys.values[0] < grid.keys.values[1] for grid in grids
    )
    assert 140 < first < 260


def test_a_rule_that_has_given_all_is_passed_over() -> None:
    entries = made(100, rules=(SMALL, *RULES))
    assert sum(entry.tags[0] == "yard" for entry in entries) == 3
    assert len(entries) == 100


def test_when_nothing_is_left_that_is_said() -> None:
    with pytest.raises(GenerationError, match="no more of this kind .* after 3 schemas"):
        made(4, rules=(SMALL,))
    with pytest.raises(GenerationError, match="after 0 schemas"):
        made(1, Recipe(0, DAY, RequestedDifficulty(chain=range(50, 51))))


def test_a_draft_whose_proofs_contradict_its_shape_is_refused() -> None:
    cells = square(lambda key, answer: Proof(True, ("anything goes",)))
    draft = Draft("{} is <>", ("this", "that"), ("so", "so-so"), cells)
    with pytest.raises(GenerationError, match="is not a schema"):
        settle(draft, reverse=False)
    with pytest.raises(GenerationError, match="needs one or two"):
        Draft("nothing is <>", ("this", "that"), ("so", "so-so"), cells)


def test_reversing_changes_the_order_and_nothing_else() -> None:
    draft = of_three(Random(0), Difficulty())
    forth, back = settle(draft, reverse=False), settle(draft, reverse=True)
    assert forth.schema.keys.values == back.schema.keys.values[::-1]
    assert forth.schema.answers.values == back.schema.answers.values[::-1]


def test_a_set_says_how_it_was_made() -> None:
    about = header(Recipe(7, DAY))
    assert about.name == "fresh-2026-03-01.seed7"
    assert "seed 7" in about.note and "generator" in about.note
    assert about.licence == "CC BY 4.0"
    assert header(Recipe(0, DAY), "mine").name == "mine"


def test_a_denied_proof_keeps_its_steps() -> None:
    assert Proof(False, ("a", "b")).denied() == Proof(True, ("a", "b"))


def test_entries_can_be_written_and_are_bare_statements() -> None:
    for entry in made(200):
        first = print_entry(entry).splitlines()[0]
        assert not first.endswith(".")
        assert entry.grid.kind.value in ("substitution schema", "transposition schema")
