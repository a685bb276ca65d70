"""Parts and wholes, of the world and of machines in stories."""

from __future__ import annotations

import re
from random import Random

import pytest

from horsesense.generation import Difficulty
from horsesense.generation.theories.nesting import climb
from horsesense.generation.words import table
from tests.generation.drawn import drafts, named, sentences, with_drafts

PARTS = table("parts")
ABOVE = {part: whole for whole, parts in PARTS["wholes"].items() for part in parts}


def wholes(part: str) -> set[str]:
    """Everything that a part is part of."""
    found = set()
    while part in ABOVE:
        part = ABOVE[part]
        found.add(part)
    return found


def bare(phrase: str) -> str:
    return re.sub(r"^an? ", "", phrase.lower())


@pytest.mark.parametrize("name", ["relate-parts", "sort-parts", "judge-parts"])
@with_drafts(5, 40)
def test_statements_about_the_world_are_what_the_table_says(name: str, count: int) -> None:
    readings = (
        (r"(.+) is not part of (.+)", True, False),
        (r"(.+) does not have (.+) among its parts", False, False),
        (r"One of the parts of (.+) is (.+)", False, True),
        (r"(.+) (?:is part of|belongs to) (.+)", True, True),
        (r"(.+) includes (.+)", False, True),
        (r"(.+) has among its parts (.+)", False, True),
        (r"(.+) has (.+) among its parts", False, True),
    )
    for draft in drafts(named(name), count):
        for text, is_true in sentences(draft):
            pattern, part_first, is_positive = next(
                one for one in readings if re.fullmatch(one[0], text)
            )
            found = re.fullmatch(pattern, text)
            assert found
            part, whole = (bare(one) for one in found.groups()[:: 1 if part_first else -1])
            assert ((whole in wholes(part)) == is_positive) == is_true, text


def test_a_part_is_where_its_machine_is() -> None:
    for draft in drafts(named("place-part"), 5):
        for key, right in ((0, 0), (1, 1)):
            assert draft.cells[key][right].holds
            assert draft.cells[key][right].steps[-1].endswith(f"is in {draft.answers[right]}")


def test_the_last_step_of_a_place_is_turned_and_denied_too() -> None:
    frames = [named("place-part").make(Random(s), Difficulty(2, 1, 1)).frame for s in range(30)]
    assert any(" houses " in frame for frame in frames)
    assert any(" is nowhere but in " in frame for frame in frames)


def test_a_whole_takes_its_parts_along_and_not_the_other_way_round() -> None:
    draft = named("remove-part").make(Random(0), Difficulty(2))
    assert draft.cells[0][0].holds and draft.cells[1][1].holds
    assert "is not part of" in draft.cells[1][1].steps[-1]


def test_every_part_has_one_whole_and_a_domain() -> None:
    listed = [part for parts in PARTS["wholes"].values() for part in parts]
    assert len(set(listed)) == len(listed)
    tops = [top for domain in PARTS["domains"] for top in domain]
    links = list(ABOVE.items())
    assert {climb(part, links)[-1] for part in listed} == set(tops)
    assert len(set(tops)) == len(tops)


def test_every_loose_word_is_a_part() -> None:
    assert set(PARTS["loose"]) <= set(ABOVE)
