"""Quantifiers: all, some, none, most and not all, for counts of things and people."""

from __future__ import annotations

from random import Random

from horsesense.generation.rule import KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.quantifiers import (
    Claim,
    Question,
    draw_pair,
    draw_partial,
    draw_quantifier,
    draw_small_pair,
    follows,
    is_diagonal,
    prove_count,
    prove_follows,
    texts,
)
from horsesense.generation.words import first_made, joined, number_word, people, table

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def split(rng: Random, least: int, parts: int) -> list[int]:
    """Counts for all days but the one with the key, which leave it at least one.

    >>> split(Random(0), 9, 3)
    [7, 1]
    """
    days: list[int] = []
    for left in range(parts - 1, 0, -1):
        days.append(rng.randint(1, least - sum(days) - left))
    return days


def tell_by_days(rng: Random, event: dict[str, str], total: int, days: list[int]) -> str:
    """Tell an event at once or day by day, with the key in one of the days.

    >>> tell_by_days(Random(0), {"things": "eggs", "did": "broke"}, 9, [])
    'exactly {} of the nine eggs broke'
    """
    did, of_the = event["did"], f"of the {number_word(total)} {event['things']}"
    if not days:
        return f"exactly {KEY} {of_the} {did}"
    amounts = [number_word(day) for day in days]
    amounts.insert(rng.randrange(len(amounts) + 1), KEY)
    first, *others = (
        f"{amount} LOT {did} on {day}" for amount, day in zip(amounts, DAYS, strict=False)
    )
    clauses = [first.replace("LOT", of_the), *(clause.replace("LOT", "more") for clause in others)]
    return joined([*clauses, f"no others {did}"])


def tell_deed(deed: dict[str, str], did: bool, is_denied: bool) -> str:
    """Tell that somebody did it or not, plainly or by denying the opposite.

    >>> tell_deed({"did": "came", "denied_not": "did not stay away"}, True, True)
    'did not stay away'
    """
    if is_denied:
        return deed["denied_not" if did else "denied_did"]
    return deed["did" if did else "not"]


AREA = "quantifiers"
CLAIMS = (
    ("it <> that", ("follows", "does not follow")),
    ("it <> that", ("is certain", "is not certain")),
    ("it <> that", ("must be true", "need not be true")),
)
# What becomes of a claim when another has been denied.
DENIALS = (
    ("it <> be true that", ("cannot", "may still")),
    ("it <> that", ("is impossible", "is still possible")),
)


def quantify_things(rng: Random, difficulty: Difficulty) -> Draft:
    """If exactly {three, nine} of the nine eggs broke, then <some, none> of them stayed whole."""
    events = [
        event for event in table(AREA)["events"] if difficulty.chain == 1 or "is_dated" in event
    ]
    event = rng.choice(events)
    is_of_others = difficulty.negations > 0

    def draw() -> Draft | None:
        total = rng.randint(difficulty.chain + 4, 30)
        pair = draw_pair(rng, total)
        counts = rng.sample(range(difficulty.chain, total + 1), 2)
        asked = [total - count if is_of_others else count for count in counts]
        if not is_diagonal(pair, asked, total):
            return None
        days = split(rng, min(counts), difficulty.chain)
        keys = [number_word(count - sum(days)) for count in counts]
        premises = tell_by_days(rng, event, total, days)
        verb = event["not"] if is_of_others else event["did"]
        clause = f"of the {number_word(total)} {event['things']} {verb}"

        def prove(key: int, answer: int) -> Proof:
            fact = f"{number_word(asked[key])} {clause}"
            return prove_count(pair[answer], asked[key], total, fact)

        of_them = rng.choice(("them", f"the {event['things']}"))
        frame = f"if {premises}, then <> of {of_them} {verb}"
        return Draft(frame, (keys[0], keys[1]), texts(pair), square(prove))

    return first_made(draw)


def quantify_people(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada came, Bo did not stay away and Cy {came, stayed away}, <all, not all> of them came."""
    total = difficulty.chain
    deed = rng.choice(table(AREA)["deeds"])
    named = people(rng, total)
    is_of_others = difficulty.converses > 0
    denied = rng.sample(range(total), difficulty.negations)
    keyed = rng.randrange(total)

    def draw() -> Draft | None:
        pair = draw_small_pair(rng, total)
        done = [rng.random() < 0.6 for _ in named]
        rest = sum(did for at, did in enumerate(done) if at != keyed)
        counts = rest + 1, rest
        asked = [total - count if is_of_others else count for count in counts]
        if not is_diagonal(pair, asked, total):
            return None
        clauses = [
            f"{name} {'{}' if at == keyed else tell_deed(deed, done[at], at in denied)}"
            for at, name in enumerate(named)
        ]
        keys = tell_deed(deed, True, keyed in denied), tell_deed(deed, False, keyed in denied)
        verb = deed["not"] if is_of_others else deed["did"]

        def prove(key: int, answer: int) -> Proof:
            fact = f"{number_word(asked[key])} of the {number_word(total)} people {verb}"
            return prove_count(pair[answer], asked[key], total, fact)

        frame = f"if {joined(clauses)}, then <> of them {verb}"
        return Draft(frame, keys, texts(pair), square(prove))

    return first_made(draw)


def follow_quantifier(rng: Random, difficulty: Difficulty) -> Draft:
    """If {none, not all} of the nine lamps went out, it <follows, does not> that all stayed on."""
    event = rng.choice(table(AREA)["events"])
    is_denied = difficulty.negations > 0
    is_of_others = difficulty.converses > 0

    def draw() -> Draft | None:
        total = rng.randint(4, 20)
        given = [Claim(draw_partial(rng, total))] if difficulty.chain > 1 else []
        question = Question(total, given, is_denied, is_of_others)
        first = draw_quantifier(rng, total, is_denied=is_denied)
        claimed = question.draw_claim(rng, first)
        other = question.draw_other(rng, claimed) if claimed else None
        if not claimed or not other:
            return None
        keys = first, other
        things = f"of the {number_word(total)} {event['things']}"
        # What is denied comes last, so that nothing else is denied with it.
        premises = [f"{claim.quantifier.text} {things} {event['did']}" for claim in given]
        open_one = f"{{}} {'of them' if given else things} {event['did']}"
        premises.append(f"it is not true that {open_one}" if is_denied else open_one)
        verb = event["not"] if is_of_others else event["did"]
        that, answers = rng.choice(CLAIMS)
        frame = f"if {joined(premises)}, then {that} {claimed.text} of them {verb}"

        def prove(key: int, answer: int) -> Proof:
            premises = question.premises(keys[key])
            proof = prove_follows(premises, question.claim(claimed), total)
            return proof.denied() if answer else proof

        return Draft(frame, texts(keys), answers, square(prove))

    return first_made(draw)


def rank_quantifiers(rng: Random, difficulty: Difficulty) -> Draft:
    """If {all, most} of the nine eggs broke, it <follows, does not> that {most, all} did."""
    event = rng.choice(table(AREA)["events"])
    # What the stronger allows the weaker allows; denied, it is the other way round.
    is_denied = difficulty.negations > 0

    def draw() -> Draft | None:
        total = rng.randint(4, 20)
        first, second = (draw_quantifier(rng, total, is_denied=is_denied) for _ in range(2))
        claims = [Claim(each, is_denied=is_denied) for each in (first, second)]
        if [follows([claims[at]], claims[1 - at], total) for at in (0, 1)] != [True, False]:
            return None

        def prove(key: int, answer: int) -> Proof:
            proof = prove_follows([claims[key]], claims[1 - key], total)
            return proof.denied() if answer else proof

        that, answers = rng.choice(DENIALS if is_denied else CLAIMS)
        denial = "it is not true that " if is_denied else ""
        things = f"of the {number_word(total)} {event['things']} {event['did']}"
        frame = f"if {denial}{{}} {things}, then {that} {{}} of them {event['did']}"
        return Draft(frame, texts((first, second)), answers, square(prove))

    return first_made(draw)


def quantify_members(rng: Random, difficulty: Difficulty) -> Draft:
    """<All, not all> of the twelve months have {at least twenty-eight days, thirty-one days}."""
    collection = rng.choice(table(AREA)["collections"])
    total, name = collection["count"], collection["name"]

    def draw() -> Draft | None:
        pair = draw_pair(rng, total)
        chosen = rng.sample(collection["properties"], 2)
        counts = [row["count"] for row in chosen]
        if not is_diagonal(pair, counts, total):
            return None

        def prove(key: int, answer: int) -> Proof:
            fact = f"{number_word(counts[key])} of {name} {chosen[key]['text']}"
            return prove_count(pair[answer], counts[key], total, fact)

        keys = chosen[0]["text"], chosen[1]["text"]
        return Draft(f"<> of {name} {{}}", keys, texts(pair), square(prove))

    return first_made(draw)


RULES = (
    Rule(
        "quantify-things",
        AREA,
        "whether a number out of a total is all, most or some",
        quantify_things,
        chain=range(1, 5),
        negations=range(2),
        is_open=True,
    ),
    Rule(
        "quantify-people",
        AREA,
        "how many of some people did something",
        quantify_people,
        chain=range(2, 6),
        converses=range(2),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "follow-quantifier",
        AREA,
        "what follows from all, some or none",
        follow_quantifier,
        chain=range(1, 3),
        converses=range(2),
        negations=range(2),
        is_open=True,
    ),
    Rule(
        "rank-quantifiers",
        AREA,
        "which of two quantifiers says more",
        rank_quantifiers,
        negations=range(2),
        is_open=True,
    ),
    Rule(
        "quantify-members",
        AREA,
        "how many months, cards or numbers have a property",
        quantify_members,
    ),
)
