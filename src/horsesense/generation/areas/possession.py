"""Possession: who sells what to whom, and whose a thing is after it changed hands."""

from __future__ import annotations

from random import Random

from horsesense.generation.draft import ANSWER, KEY, Draft, square
from horsesense.generation.people import people
from horsesense.generation.proof import Proof
from horsesense.generation.rule import Difficulty, Rule
from horsesense.generation.stories.acts import QUESTIONS, act_of, prove_act, verdict
from horsesense.generation.stories.handing import choice_of_deeds, draw_transfers, tell_transfers
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.theories.transfers import (
    Standing,
    Transfer,
    prove_holder,
    prove_owner,
    standing_after,
)
from horsesense.generation.words import table, with_article

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
        [verb for verb, one in acts.items() if verdict(question, one) is held]
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
    told = tell_transfers(rng, transfers, difficulty)
    ends = end.owner, end.holder
    if rng.random() < 0.5:
        frame = told.sentence(rng, thing, f"the {thing} {KEY} {ANSWER}")

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

    frame = told.sentence(rng, thing, f"{KEY} {ANSWER} {KEY}")
    first, second = (phrase.replace("{thing}", thing) for phrase in WHO_OWNS)
    return Draft(frame, ends, (first, second), square(prove_both))


def deed_decides(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada gave it to Bo, it belonged to Bo in the end; if she lent it, to Ada."""
    thing = rng.choice(table("possession")["things"])
    named = people(rng, difficulty.chain + 1)
    start = Standing(named[0], named[0])
    at = rng.randrange(difficulty.chain)
    transfers = draw_transfers(rng, named, passing=at, may_return=False)
    told = tell_transfers(rng, transfers, difficulty)
    choice = choice_of_deeds(rng, told.manners[at])
    told = told.with_key(at, choice)
    answers = named[at + 1], named[at]

    def prove(key: int, answer: int) -> Proof:
        own = list(transfers)
        own[at] = Transfer(choice.deeds[key], named[at], named[at + 1])
        return prove_owner(answers[answer], start, own)

    frame = told.sentence(rng, thing, f"the {thing} belonged to {ANSWER}")
    return Draft(frame, choice.verbs, answers, square(prove))


RULES = (
    Rule("trade", AREA, "who sells what to whom", trade),
    Rule("act", AREA, "what comes of buying, lending and stealing", act),
    Rule(
        "own-or-keep",
        AREA,
        "whose a thing is, and with whom it is",
        own_or_keep,
        chain=range(1, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "deed-decides",
        AREA,
        "whose a thing is if it was given, or lent",
        deed_decides,
        chain=range(1, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
)
