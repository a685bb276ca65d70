from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty
from horsesense.generation.areas.possession import (
    OTHER,
    QUESTIONS,
    act_of,
    choice_of_deeds,
    deed,
    draw_transfers,
    tell_transfers,
    verdict,
)
from horsesense.generation.theories.transfers import Standing, Transfer, standing_after
from horsesense.generation.words import table

ADA = Standing("Ada", "Ada")


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("give", Standing("Bo", "Bo")),
        ("sell", Standing("Bo", "Bo")),
        ("lend", Standing("Ada", "Bo")),
        ("steal", Standing("Ada", "Bo")),
    ],
)
def test_a_deed_passes_the_thing_on_or_only_leaves_it_there(name: str, end: Standing) -> None:
    assert standing_after(ADA, [Transfer(deed(name), "Ada", "Bo")]) == end


def test_what_is_returned_is_with_its_owner_again() -> None:
    there = Transfer(deed("lend"), "Ada", "Bo")
    assert standing_after(ADA, [there, Transfer(deed("return"), "Bo", "Ada")]) == ADA


@pytest.mark.parametrize(
    ("start", "name", "taker", "reason"),
    [
        (Standing("Ada", "Cy"), "lend", "Bo", "it was with Cy"),
        (Standing("Cy", "Ada"), "sell", "Bo", "it belonged to Cy"),
        (Standing("Cy", "Ada"), "return", "Bo", "it was not from there"),
    ],
)
def test_a_deed_that_could_not_happen_is_an_error(
    start: Standing, name: str, taker: str, reason: str
) -> None:
    with pytest.raises(GenerationError, match=reason):
        start.after(Transfer(deed(name), "Ada", taker))


def test_transfers_are_drawn_so_that_they_can_happen() -> None:
    named = ["Ada", "Bo", "Cy", "Dee", "Eli", "Fay"]
    for seed in range(300):
        transfers = draw_transfers(Random(seed), named, passing=seed % 5)
        end = standing_after(ADA, transfers)
        assert end.owner == named[seed % 5]
        assert end.holder == "Fay"


def test_then_stands_after_was() -> None:
    turned = Difficulty(chain=3, converses=3)
    transfers = draw_transfers(Random(1), ["Ada", "Bo", "Cy", "Dee"], passing=1)
    told = tell_transfers(Random(0), transfers, turned)
    sentences = [told.sentence(Random(seed), "drum", "it rained") for seed in range(10)]
    assert any(" was then given it by " in one for one in sentences)
    assert not any(" then was " in one for one in sentences)


@pytest.mark.parametrize("manner", ["plain", "turned", "denied"])
def test_two_deeds_to_choose_from_fit_into_the_same_place(manner: str) -> None:
    for seed in range(20):
        choice = choice_of_deeds(Random(seed), manner)
        passes, keeps = choice.deeds
        assert passes.passes and not keeps.passes
        assert passes.link(choice.side) == keeps.link(choice.side)


def test_borrowers_owe_and_lenders_need_not_be_owners() -> None:
    paying, _, owning, owing = QUESTIONS
    lend, borrow = act_of("lend", is_taker=False), act_of("lend", is_taker=True)
    assert [verdict(one, lend) for one in QUESTIONS] == [None, False, None, None]
    assert [verdict(one, borrow) for one in QUESTIONS] == [None, True, False, True]
    assert verdict(paying, act_of("sell", is_taker=True))
    assert verdict(owning, act_of("give", is_taker=True))
    assert verdict(owning, act_of("return", is_taker=True)) is None
    assert verdict(owing, act_of("sell", is_taker=True)) is False
    assert borrow.giver == OTHER


def test_acts_of_the_table_are_deeds_of_the_table() -> None:
    known = table("possession")
    assert {act["deed"] for act in known["acts"]} <= set(known["deeds"])
    bases = {one["base"] for one in known["deeds"].values()}
    # «Buy» is the other side of «sell».
    assert {one["unlike"] for one in known["deeds"].values()} <= bases | {"buy"}


def test_nobody_buys_what_they_sell() -> None:
    for row in table("possession")["trades"]:
        assert row["from"] not in row["to"]


def test_lists_of_the_table_have_nothing_twice() -> None:
    known = table("possession")
    for names in (known["things"], known["counted"]):
        assert all(one != other for one, other in combinations(names, 2))
