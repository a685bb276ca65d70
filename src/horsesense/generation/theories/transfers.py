"""The theory of transfers: whose a thing is and with whom it is, after it changed hands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof

RETURN = "return"
SIDES = ("giver", "taker")


@dataclass(frozen=True, slots=True)
class Deed:
    """A way for a thing to change hands, with the words for it; see the table of possession."""

    name: str
    passes: bool
    natural: str
    giver: str
    giver_link: str
    taker: str
    taker_link: str
    base: str
    unlike: str
    is_paid: bool = False

    def verb(self, side: str) -> str:
        """The verb for the giver or the taker."""
        return self.giver if side == SIDES[0] else self.taker

    def link(self, side: str) -> str:
        """What leads from the verb to the other one."""
        return self.giver_link if side == SIDES[0] else self.taker_link

    @property
    def denial(self) -> str:
        """The verb of the natural side, by a denial of another one."""
        return f"did not {self.unlike} but {self.verb(self.natural)}"


@dataclass(frozen=True, slots=True)
class Transfer:
    """A thing goes from one to another by some deed."""

    deed: Deed
    giver: str
    taker: str

    def told(self, side: str, verb: str) -> str:
        """The transfer from one side, in its own verb or another one."""
        first, second = (self.giver, self.taker)[:: 1 if side == SIDES[0] else -1]
        return f"{first} {verb} it {self.deed.link(side)} {second}"

    @property
    def plain(self) -> str:
        """The transfer as one would tell it."""
        return self.told(self.deed.natural, self.deed.verb(self.deed.natural))


@dataclass(frozen=True, slots=True)
class Standing:
    """Whose a thing is, and with whom it is."""

    owner: str
    holder: str

    def after(self, transfer: Transfer) -> Standing:
        """What it comes to by a transfer; an error where that could not happen."""
        if transfer.giver != self.holder:
            raise GenerationError(f"{transfer.plain!r}: it was with {self.holder}")
        if transfer.deed.passes and transfer.giver != self.owner:
            raise GenerationError(f"{transfer.plain!r}: it belonged to {self.owner}")
        if transfer.deed.name == RETURN and transfer.taker != self.owner:
            raise GenerationError(f"{transfer.plain!r}: it was not from there")
        return Standing(transfer.taker if transfer.deed.passes else self.owner, transfer.taker)


def standing_after(start: Standing, transfers: Sequence[Transfer]) -> Standing:
    """Whose the thing is, and with whom it is, after all transfers.

    >>> lend = Deed("lend", False, "giver", "lent", "to", "borrowed", "from", "lend", "give")
    >>> standing_after(Standing("Ada", "Ada"), [Transfer(lend, "Ada", "Bo")])
    Standing(owner='Ada', holder='Bo')
    """
    for transfer in transfers:
        start = start.after(transfer)
    return start


def prove_owner(person: str, start: Standing, transfers: Sequence[Transfer]) -> Proof:
    """Whether the thing belongs to somebody in the end.

    >>> give = Deed("give", True, "giver", "gave", "to", "was given", "by", "give", "lend")
    >>> prove_owner("Bo", Standing("Ada", "Ada"), [Transfer(give, "Ada", "Bo")]).text
    'Ada gave it to Bo; it belongs to Bo and is with Bo'
    """
    end = standing_after(start, transfers)
    return Proof(end.owner == person, _steps(end, transfers))


def prove_holder(person: str, start: Standing, transfers: Sequence[Transfer]) -> Proof:
    """Whether the thing is with somebody in the end.

    >>> prove_holder("Bo", Standing("Ada", "Bo"), []).text
    'it belongs to Ada and is with Bo'
    """
    end = standing_after(start, transfers)
    return Proof(end.holder == person, _steps(end, transfers))


def _steps(end: Standing, transfers: Sequence[Transfer]) -> tuple[str, ...]:
    told = (transfer.plain for transfer in transfers)
    return (*told, f"it belongs to {end.owner} and is with {end.holder}")
