"""The theory of transfers: owners and holders, purses after gifts, things after swaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from horsesense.errors import GenerationError
from horsesense.generation.rule import Proof
from horsesense.generation.words import number_word

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
        """The preposition between the verb and the other person."""
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
    """The owner and the holder of a thing."""

    owner: str
    holder: str

    def after(self, transfer: Transfer) -> Standing:
        """The standing after a transfer; an error if the transfer is impossible."""
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
    """Return whether the thing belongs to somebody in the end.

    >>> give = Deed("give", True, "giver", "gave", "to", "was given", "by", "give", "lend")
    >>> prove_owner("Bo", Standing("Ada", "Ada"), [Transfer(give, "Ada", "Bo")]).text
    'Ada gave it to Bo; it belongs to Bo and is with Bo'
    """
    end = standing_after(start, transfers)
    return Proof(end.owner == person, _steps(end, transfers))


def prove_holder(person: str, start: Standing, transfers: Sequence[Transfer]) -> Proof:
    """Return whether the thing is with somebody in the end.

    >>> prove_holder("Bo", Standing("Ada", "Bo"), []).text
    'it belongs to Ada and is with Bo'
    """
    end = standing_after(start, transfers)
    return Proof(end.holder == person, _steps(end, transfers))


def _steps(end: Standing, transfers: Sequence[Transfer]) -> tuple[str, ...]:
    clauses = (transfer.plain for transfer in transfers)
    return (*clauses, f"it belongs to {end.owner} and is with {end.holder}")


@dataclass(frozen=True, slots=True)
class Gift:
    """A gift of some pieces from one person to another."""

    giver: str
    taker: str
    count: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Two people exchange what they have."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Purses:
    """How many everyone has at first, the gifts that follow, and the two who are compared."""

    start: Mapping[str, int]
    gifts: tuple[Gift, ...]
    asked: tuple[str, str]


def counts_after(start: Mapping[str, int], gifts: Sequence[Gift]) -> dict[str, int]:
    """How many everyone has in the end, whatever the order of the gifts.

    >>> counts_after({"Ada": 9, "Bo": 4}, [Gift("Ada", "Bo", 3)])
    {'Ada': 6, 'Bo': 7}
    """
    counts = dict(start)
    for gift in gifts:
        counts[gift.giver] -= gift.count
        counts[gift.taker] += gift.count
        # In any order of telling there must be enough to give.
        if (
            sum(present.count for present in gifts if present.giver == gift.giver)
            > start[gift.giver]
        ):
            raise GenerationError(f"{gift.giver} has not enough to give")
    return counts


def prove_richer(first: str, second: str, start: Mapping[str, int], gifts: Sequence[Gift]) -> Proof:
    """Return whether the first has more than the second in the end; an error if they have as many.

    >>> prove_richer("Ada", "Bo", {"Ada": 9, "Bo": 4}, [Gift("Ada", "Bo", 3)]).text
    'Ada has nine - three = six; Bo has four + three = seven'
    """
    counts = counts_after(start, gifts)
    if counts[first] == counts[second]:
        raise GenerationError(f"{first} and {second} have as many")
    steps = []
    for person in (first, second):
        sum_ = number_word(start[person])
        for gift in gifts:
            if person in (gift.giver, gift.taker):
                sum_ += f" {'-' if person == gift.giver else '+'} {number_word(gift.count)}"
        steps.append(f"{person} has {sum_} = {number_word(counts[person])}")
    return Proof(counts[first] > counts[second], tuple(steps))


def things_after(start: Mapping[str, str], swaps: Sequence[Swap]) -> dict[str, str]:
    """Who has what after the swaps.

    >>> things_after({"Ada": "drum", "Bo": "kite"}, [Swap("Ada", "Bo")])
    {'Ada': 'kite', 'Bo': 'drum'}
    """
    things = dict(start)
    for swap in swaps:
        things[swap.first], things[swap.second] = things[swap.second], things[swap.first]
    return things


def prove_has(person: str, thing: str, start: Mapping[str, str], swaps: Sequence[Swap]) -> Proof:
    """Return whether somebody has a thing after the swaps.

    >>> prove_has("Ada", "drum", {"Ada": "drum", "Bo": "kite"}, [Swap("Ada", "Bo")])
    Proof(holds=False, steps=('Ada gets the kite and Bo the drum', 'Ada has the kite'))
    """
    steps = []
    for at, swap in enumerate(swaps):
        now = things_after(start, swaps[: at + 1])
        step = f"{swap.first} gets the {now[swap.first]} and {swap.second} the {now[swap.second]}"
        steps.append(step)
    has = things_after(start, swaps)[person]
    return Proof(has == thing, (*steps, f"{person} has the {has}"))
