from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty
from horsesense.generation.theories.order import (
    Influence,
    MachinePart,
    paths,
    prove_effect,
    prove_state,
)
from horsesense.generation.words import table
from tests.generation.drawn import named, true_sentences

LAMP = MachinePart("the lamp", "is on", "is off", "is not on", "is not off")
FAN = MachinePart("the fan", "runs", "rests", "does not run", "does not rest")


@pytest.mark.parametrize(
    ("signs", "sign"), [((1, 1), 1), ((1, -1), -1), ((-1, -1), 1), ((-1, -1, -1), -1)]
)
def test_signs_multiply_along_a_chain(signs: tuple[int, ...], sign: int) -> None:
    links = [Influence(str(at), str(at + 1), one, f"link {at}") for at, one in enumerate(signs)]
    proof = prove_effect("0", str(len(signs)), sign, links)
    assert proof.holds
    assert proof.steps[: len(signs)] == tuple(link.told for link in links)
    assert not prove_effect("0", str(len(signs)), -sign, links).holds


def test_an_effect_that_no_chain_leads_to_is_an_error() -> None:
    links = [Influence("a", "b", 1, ""), Influence("b", "a", 1, "")]
    with pytest.raises(GenerationError, match="a way to c"):
        prove_effect("a", "c", 1, links)


def test_states_are_followed_from_part_to_part() -> None:
    proof = prove_state([LAMP, FAN, LAMP], [-1, -1], given=1, asked=1)
    assert proof.holds
    assert proof.steps == ("the lamp is on", "the fan rests", "the lamp is on")


def test_states_can_be_told_by_a_denial() -> None:
    assert (LAMP.denied(1), LAMP.denied(-1)) == ("is not off", "is not on")


def test_denials_in_the_table_deny_the_states() -> None:
    for part in table("causes")["parts"]:
        for form in ("yes", "no"):
            plain, denied = part[form].split(), part[f"not_{form}"].split()
            if plain[0] == "is":
                assert denied == ["is", "not", *plain[1:]]
            else:
                assert denied[:2] == ["does", "not"]
                assert plain[0] in (denied[2], f"{denied[2]}s")


def test_nothing_causes_its_own_cause() -> None:
    effects = table("causes")["effects"]
    longest = max(links for links in range(1, 12) if paths(effects, links))
    assert longest < 11
    for links in range(1, longest + 1):
        assert all(len(set(path)) == len(path) for path in paths(effects, links))


@pytest.mark.parametrize("links", [1, 2, 3])
def test_causes_lead_to_their_effects_by_the_links_of_the_table(links: int) -> None:
    rule, effects = named("cause-or-effect"), table("causes")["effects"]
    for seed in range(20):
        draft = rule.make(Random(seed), Difficulty(chain=links))
        (cause, effect), (leads, comes) = draft.keys, draft.answers
        told = [f"{cause} {leads} {effect}", f"{effect} {comes} {cause}"]
        assert [one.lower() for one in true_sentences(draft)] == [one.lower() for one in told]
        steps = [step.split(" can cause ") for step in draft.cells[0][0].steps]
        assert len(steps) == links and (steps[0][0], steps[-1][1]) == (cause, effect)
        assert all(one[1] == other[0] for one, other in pairwise(steps))
        assert all(what in effects[by] for by, what in steps)


def test_no_agent_makes_a_thing_both_more_and_less_so() -> None:
    changes = table("causes")["changes"]
    for change in changes:
        agents = [*change["up"], *change["down"]]
        assert len(set(agents)) == len(agents)
        assert change["then"]["sign"] in (1, -1)
    assert len({change["thing"] for change in changes}) == len(changes)


def test_agents_are_told_in_the_singular() -> None:
    plurals = ("days", "weeks", "months", "years", "hours", "a few", "two", "many")
    for change in table("causes")["changes"]:
        assert not any(one.startswith(plurals) for one in [*change["up"], *change["down"]])


def test_agents_do_not_speak_of_what_is_named_later() -> None:
    for change in table("causes")["changes"]:
        words = " ".join([*change["up"], *change["down"]]).split()
        assert not {"it", "its"} & set(words), change["thing"]


def test_people_and_animals_are_not_said_to_be_changed() -> None:
    rule = named("make-far-effect")
    drawn = [rule.make(Random(seed), Difficulty(chain=2)).frame for seed in range(500)]
    alive = [change["thing"] for change in table("causes")["changes"] if change.get("is_alive")]
    for thing in alive:
        assert any(f"does to {thing}," in frame for frame in drawn)
        assert not any(f"changes {thing} " in frame for frame in drawn)


def test_nothing_useless_is_a_protection() -> None:
    rows = table("causes")["protections"]
    assert len({(row["whom"], row["harm"]) for row in rows}) == len(rows)
    for row in rows:
        assert row["useless"] and not set(row["by"]) & set(row["useless"])
