"""Possession: who sells what to whom, and whose a thing is after it changed hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from horsesense.generation.rule import ANSWER, KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.theories.transfers import (
    RETURN,
    SIDES,
    Deed,
    Standing,
    Transfer,
    prove_holder,
    prove_owner,
    standing_after,
)
from horsesense.generation.words import joined, people, table, with_article

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
START = "the {thing} belonged to {owner} at first"
IN_ORDER = "if {events}, then {end} in the end"
BY_DAYS = "if {start} and within one week {events}, then {end} at the end of that week"
# The chance that a thing goes back to its owner before it is lent or stolen again.
RETURNING = 0.25
# Deeds by which a thing gets another owner, and those by which it does not; most people are honest.
_PASSING, _KEEPING = ("give", "sell"), ("lend", "lend", "steal")


@dataclass(frozen=True, slots=True)
class Choice:
    """Two deeds that go into the same place of a sentence: by the first the owner changes."""

    deeds: tuple[Deed, Deed]
    verbs: tuple[str, str]
    side: str


@dataclass(frozen=True, slots=True)
class TransferStory:
    """Transfers with the side from which each is told, and its verb, or a place for the key."""

    transfers: tuple[Transfer, ...]
    manners: tuple[str, ...]
    sides: tuple[str, ...]
    verbs: tuple[str, ...]

    def with_key(self, at: int, choice: Choice) -> TransferStory:
        """One transfer is by one of two deeds, and its verb is the key."""
        transfers, sides, verbs = list(self.transfers), list(self.sides), list(self.verbs)
        # Either deed will do: they have the same words around them.
        transfers[at] = replace(transfers[at], deed=choice.deeds[0])
        sides[at], verbs[at] = choice.side, KEY
        return replace(self, transfers=tuple(transfers), sides=tuple(sides), verbs=tuple(verbs))

    def sentence(self, rng: Random, thing: str, end: str) -> str:
        """The sentence that tells the transfers and the result."""
        owner = self.transfers[0].giver
        start = START.replace("{thing}", thing).replace("{owner}", owner)
        steps = list(zip(self.transfers, self.sides, self.verbs, strict=True))
        if rng.random() < 0.5:
            events = [transfer.told(side, _then(verb)) for transfer, side, verb in steps]
            return IN_ORDER.replace("{events}", joined([start, *events])).replace("{end}", end)
        days = sorted(rng.sample(range(len(DAYS)), len(steps)))
        events = [
            f"{transfer.told(side, verb)} on {DAYS[day]}"
            for (transfer, side, verb), day in zip(steps, days, strict=True)
        ]
        rng.shuffle(events)
        frame = BY_DAYS.replace("{start}", start).replace("{events}", joined(events))
        return frame.replace("{end}", end)


@cache
def deed(name: str) -> Deed:
    """The deed of that name in the table of possession."""
    return Deed(name, **table("possession")["deeds"][name])


def draw_transfers(
    rng: Random, named: Sequence[str], *, passing: int, may_return: bool = True
) -> list[Transfer]:
    """From each to the next: the first few pass the thing on for good, the others do not.

    >>> [transfer.plain for transfer in draw_transfers(Random(1), ["Ada", "Bo", "Cy"], passing=1)]
    ['Ada gave it to Bo', 'Cy stole it from Bo']
    """
    transfers: list[Transfer] = []
    owner = holder = named[0]
    for at in range(len(named) - 1):
        is_last = at == len(named) - 2
        taker = named[at + 1]
        if at < passing:
            way, owner = rng.choice(_PASSING), taker
        elif may_return and holder != owner and not is_last and rng.random() < RETURNING:
            way, taker = RETURN, owner
        else:
            way = rng.choice(_KEEPING)
        transfers.append(Transfer(deed(way), holder, taker))
        holder = taker
    return transfers


def tell_transfers(
    rng: Random, transfers: Sequence[Transfer], difficulty: Difficulty
) -> TransferStory:
    """The transfers, some told from the other side and some by a denial."""
    manners = difficulty.manners(rng)
    sides, verbs = [], []
    for transfer, manner in zip(transfers, manners, strict=True):
        own = transfer.deed
        side = SIDES[1 - SIDES.index(own.natural)] if manner == "turned" else own.natural
        sides.append(side)
        verbs.append(own.denial if manner == "denied" else own.verb(side))
    return TransferStory(tuple(transfers), tuple(manners), tuple(sides), tuple(verbs))


def choice_of_deeds(rng: Random, manner: str) -> Choice:
    """Two deeds to choose from, told plainly, from the taker's side, or by a denial.

    >>> choice_of_deeds(Random(0), "turned").verbs
    ('bought', 'borrowed')
    """
    if manner == "turned":
        pair = deed("sell"), deed(rng.choice(_KEEPING))
        return Choice(pair, (pair[0].taker, pair[1].taker), SIDES[1])
    pair = deed(rng.choice(_PASSING)), deed("lend")
    if manner == "denied":
        return Choice(pair, (pair[0].denial, pair[1].denial), SIDES[0])
    return Choice(pair, (pair[0].giver, pair[1].giver), SIDES[0])


def _then(verb: str) -> str:
    """The verb with «then», which comes after «was»."""
    return f"was then {verb[4:]}" if verb.startswith("was ") else f"then {verb}"


DOER, OTHER = "the one", "the other"


@dataclass(frozen=True, slots=True)
class PossessionQuestion:
    """A question about an act; `ask` answers it from the transfer and its result.

    None means that there is no answer: who hands over a thing is not asked to give it back, and
    who lends one out need not own it.
    """

    frame: str
    answers: tuple[str, str]
    ask: Callable[[Transfer, Standing], bool | None]


def _owns(transfer: Transfer, end: Standing) -> bool | None:
    """Return whether the doer owns the thing; who lends it or gets it back may have borrowed it."""
    if end.owner != DOER:
        return False
    return True if transfer.deed.passes else None


def _owes(transfer: Transfer, end: Standing) -> bool | None:
    """Return whether the doer has the thing of another."""
    owns = _owns(transfer, end)
    return None if owns is None or end.holder != DOER else not owns


QUESTIONS = (
    PossessionQuestion(
        "{who} who {} {thing} <> for it",
        ("pays", "is paid"),
        lambda transfer, _: transfer.taker == DOER if transfer.deed.is_paid else None,
    ),
    PossessionQuestion(
        "{who} who {} {thing} <> afterwards",
        ("has it", "is without it"),
        lambda _, end: end.holder == DOER,
    ),
    PossessionQuestion(
        "{who} who {} {thing} is <> of it afterwards",
        ("the owner", "not the owner"),
        _owns,
    ),
    PossessionQuestion(
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


def verdict(question: PossessionQuestion, act: Transfer) -> bool | None:
    """The answer to a question about an act.

    >>> verdict(QUESTIONS[3], act_of("lend", is_taker=True))
    True
    """
    return question.ask(act, standing_after(_start(act), [act]))


def prove_act(question: PossessionQuestion, act: Transfer) -> Proof:
    """Return whether the first answer to a question holds of an act that has one.

    >>> prove_act(QUESTIONS[2], act_of("lend", is_taker=True)).text
    'the other lent it to the one; it belongs to the other and is with the one'
    """
    steps = prove_owner(DOER, _start(act), [act]).steps
    paid = (f"{act.taker} pays {act.giver}",) if act.deed.is_paid else ()
    return Proof(verdict(question, act) is True, (*steps, *paid))


def _start(act: Transfer) -> Standing:
    """Whose the thing was before; what is returned belongs to the taker already."""
    return Standing(act.taker if act.deed.name == RETURN else act.giver, act.giver)


AREA = "possession"
LONGEST = 5

TRADING = (
    ("sell {goods} to", "buy {goods} from"),
    ("get money for {goods} from", "get {goods} for money from"),
    ("hand over {goods} for money to", "hand over money for {goods} to"),
)
ACTORS = ("someone", "a person", "a man", "a woman")
WHOSE = ("belonged to", "was with")
WHO_OWNS = ("owned the {thing} that was with", "had the {thing} that belonged to")


def trade(rng: Random, difficulty: Difficulty) -> Draft:
    """Bakers sell bread to customers; customers buy bread from bakers."""
    row = rng.choice(table("possession")["trades"])
    keys = row["from"], rng.choice(row["to"])
    first, second = rng.choice(TRADING)
    answers = first.replace("{goods}", row["goods"]), second.replace("{goods}", row["goods"])

    def told(seller: str, buyer: str) -> str:
        return f"{seller} sell {row['goods']} to {buyer}"

    def prove(key: int, answer: int) -> Proof:
        seller, buyer = (keys[key], keys[1 - key])[:: -1 if answer else 1]
        return prove_greater(seller, buyer, [keys], told)

    return Draft("{} <> {}", keys, answers, square(prove))


def act(rng: Random, difficulty: Difficulty) -> Draft:
    """Someone who borrows a drum ought to give it back; someone who buys one does not have to."""
    known = table("possession")
    question = rng.choice(QUESTIONS)
    acts = {row["verb"]: act_of(row["deed"], is_taker=row["is_taker"]) for row in known["acts"]}
    yes, no = (
        [verb for verb, outcome in acts.items() if verdict(question, outcome) is held]
        for held in (True, False)
    )
    keys = rng.choice(yes), rng.choice(no)

    def prove(key: int, answer: int) -> Proof:
        proof = prove_act(question, acts[keys[key]])
        return proof.denied() if answer else proof

    frame = question.frame.replace("{who}", rng.choice(ACTORS))
    frame = frame.replace("{thing}", with_article(rng.choice(known["things"])))
    return Draft(frame, keys, question.answers, square(prove))


def own_or_keep(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada lent the drum to Bo, then it belonged to Ada and was with Bo in the end."""
    thing = rng.choice(table("possession")["things"])
    named = people(rng, difficulty.chain + 1)
    start = Standing(named[0], named[0])
    transfers = draw_transfers(rng, named, passing=rng.randrange(difficulty.chain))
    end = standing_after(start, transfers)
    telling = tell_transfers(rng, transfers, difficulty)
    ends = end.owner, end.holder
    if rng.random() < 0.5:
        frame = telling.sentence(rng, thing, f"the {thing} {KEY} {ANSWER}")

        def prove_one(key: int, answer: int) -> Proof:
            prove = prove_holder if key else prove_owner
            return prove(ends[answer], start, transfers)

        return Draft(frame, WHOSE, ends, square(prove_one))

    def prove_both(key: int, answer: int) -> Proof:
        owner, holder = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        is_owner = prove_owner(owner, start, transfers)
        return Proof(
            is_owner.holds and prove_holder(holder, start, transfers).holds, is_owner.steps
        )

    frame = telling.sentence(rng, thing, f"{KEY} {ANSWER} {KEY}")
    first, second = (phrase.replace("{thing}", thing) for phrase in WHO_OWNS)
    return Draft(frame, ends, (first, second), square(prove_both))


def deed_decides(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada gave it to Bo, it belonged to Bo in the end; if she lent it, to Ada."""
    thing = rng.choice(table("possession")["things"])
    named = people(rng, difficulty.chain + 1)
    start = Standing(named[0], named[0])
    at = rng.randrange(difficulty.chain)
    transfers = draw_transfers(rng, named, passing=at, may_return=False)
    telling = tell_transfers(rng, transfers, difficulty)
    choice = choice_of_deeds(rng, telling.manners[at])
    telling = telling.with_key(at, choice)
    answers = named[at + 1], named[at]

    def prove(key: int, answer: int) -> Proof:
        own = list(transfers)
        own[at] = Transfer(choice.deeds[key], named[at], named[at + 1])
        return prove_owner(answers[answer], start, own)

    frame = telling.sentence(rng, thing, f"the {thing} belonged to {ANSWER}")
    return Draft(frame, choice.verbs, answers, square(prove))


RULES = (
    Rule("trade", AREA, "who sells what to whom", trade),
    Rule("act", AREA, "the result of buying, lending and stealing", act),
    Rule(
        "own-or-keep",
        AREA,
        "who owns a thing, and who has it",
        own_or_keep,
        chain=range(1, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "deed-decides",
        AREA,
        "who owns a thing that was given or lent",
        deed_decides,
        chain=range(1, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
)
