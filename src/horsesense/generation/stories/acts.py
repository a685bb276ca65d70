"""What comes of an act: who buys, lends or steals a thing has it, owns it or owes it then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from horsesense.generation.proof import Proof
from horsesense.generation.stories.handing import deed
from horsesense.generation.theories.transfers import (
    RETURN,
    Standing,
    Transfer,
    prove_owner,
    standing_after,
)

DOER, OTHER = "the one", "the other"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about an act; `ask` tells it from the transfer and what it comes to.

    None is no answer: who hands over a thing is not asked to give it back, and who lends one out
    need not own it.
    """

    frame: str
    answers: tuple[str, str]
    ask: Callable[[Transfer, Standing], bool | None]


def _owns(transfer: Transfer, end: Standing) -> bool | None:
    """Whether the doer owns the thing; who lends it or gets it back may have borrowed it."""
    if end.owner != DOER:
        return False
    return True if transfer.deed.passes else None


def _owes(transfer: Transfer, end: Standing) -> bool | None:
    """Whether the doer has the thing of another."""
    owns = _owns(transfer, end)
    return None if owns is None or end.holder != DOER else not owns


QUESTIONS = (
    Question(
        "{who} who {} {thing} <> for it",
        ("pays", "is paid"),
        lambda transfer, _: transfer.taker == DOER if transfer.deed.is_paid else None,
    ),
    Question(
        "{who} who {} {thing} <> afterwards",
        ("has it", "is without it"),
        lambda _, end: end.holder == DOER,
    ),
    Question(
        "{who} who {} {thing} is <> of it afterwards",
        ("the owner", "not the owner"),
        _owns,
    ),
    Question(
        "{who} who {} {thing} <> to give it back",
        ("ought", "does not have"),
        _owes,
    ),
)


def act_of(name: str, *, is_taker: bool) -> Transfer:
    """The deed of that name, done by one of its sides.

    >>> act_of("lend", is_taker=True).plain
    'the other lent it to the one'
    """
    giver, taker = (OTHER, DOER) if is_taker else (DOER, OTHER)
    return Transfer(deed(name), giver, taker)


def verdict(question: Question, act: Transfer) -> bool | None:
    """The answer to a question about an act.

    >>> verdict(QUESTIONS[3], act_of("lend", is_taker=True))
    True
    """
    return question.ask(act, standing_after(_start(act), [act]))


def prove_act(question: Question, act: Transfer) -> Proof:
    """Whether the first answer to a question holds of an act that has one.

    >>> prove_act(QUESTIONS[2], act_of("lend", is_taker=True)).text
    'the other lent it to the one; it belongs to the other and is with the one'
    """
    steps = prove_owner(DOER, _start(act), [act]).steps
    paid = (f"{act.taker} pays {act.giver}",) if act.deed.is_paid else ()
    return Proof(verdict(question, act) is True, (*steps, *paid))


def _start(act: Transfer) -> Standing:
    """Whose the thing was before; what is returned belongs to the taker already."""
    return Standing(act.taker if act.deed.name == RETURN else act.giver, act.giver)
