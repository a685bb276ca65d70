"""All, some, none and most, of known numbers of things."""

from __future__ import annotations

import re
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty
from horsesense.generation.stories.quantifiers import (
    Claim,
    counted,
    follows,
    plain_quantifiers,
    prove_count,
    prove_follows,
)
from horsesense.generation.words import number_word, table
from tests.generation.drawn import drafts, named, sentences, with_drafts

TABLE = table("quantifiers")
NUMBERS = {number_word(number): number for number in range(60)}
PLAIN = plain_quantifiers()


def truth(quantifier: str, count: int, total: int) -> bool:
    """What a quantifier says of a count, by a table of its own."""
    if " than " in quantifier or quantifier.startswith(("at ", "exactly ")):
        manner, _, number = quantifier.rpartition(" ")
        limit = total / 2 if number == "half" else NUMBERS[number]
        return {
            "at least": count >= limit,
            "at most": count <= limit,
            "exactly": count == limit,
            "more than": count > limit,
            "fewer than": count < limit,
        }[manner]
    return {
        "all": count == total,
        "both": count == total == 2,
        "not both": count < 2,
        "not all": count < total,
        "some": count > 0,
        "none": count == 0,
        "neither": count == 0,
        "most": count > total / 2,
        "few": 0 < count < total / 5,
        "an even number": count % 2 == 0,
        "an odd number": count % 2 == 1,
    }[quantifier]


@with_drafts(7, 60)
def test_what_is_said_of_things_is_true_of_their_number(count: int) -> None:
    pattern = r"If (.+), then (.+) of (?:them|the \w+) (.+)"
    for draft in drafts(named("quantify-things"), count):
        for text, is_true in sentences(draft):
            found = re.fullmatch(pattern, text)
            assert found
            premises, quantifier, verb = found.groups()
            words = re.findall(r"[\w-]+", premises.lower())
            total = NUMBERS[re.search(r"of the ([\w-]+)", premises)[1]]  # type: ignore[index]
            count = sum(NUMBERS.get(one, 0) for one in words) - total
            if not premises.endswith(verb):
                count = total - count
            assert truth(quantifier, count, total) == is_true, text


@with_drafts(5, 40)
def test_what_is_said_of_people_is_true_of_their_number(count: int) -> None:
    for draft in drafts(named("quantify-people"), count):
        for text, is_true in sentences(draft):
            premises, claim = text.removeprefix("If ").split(", then ")
            quantifier, verb = claim.split(" of them ")
            deed = next(one for one in TABLE["deeds"] if verb in (one["did"], one["not"]))
            denial = "denied_not" if verb == deed["did"] else "denied_did"
            clauses = re.split(r", | and ", premises)
            did = [clause.split(" ", 1)[1] in (verb, deed[denial]) for clause in clauses]
            assert truth(quantifier, sum(did), len(did)) == is_true, text


def test_what_is_said_of_known_collections_is_true_of_their_number() -> None:
    for seed in range(400):
        draft = named("quantify-members").make(Random(seed), Difficulty())
        collection = next(one for one in TABLE["collections"] if one["name"] in draft.frame)
        counts = {one["text"]: one["count"] for one in collection["properties"]}
        for text, is_true in sentences(draft):
            quantifier, key = text.split(f" of {collection['name']} ")
            held = truth(quantifier.lower(), counts[key], collection["count"])
            assert held == is_true, text


@with_drafts(5, 40)
def test_what_follows_from_a_quantifier_is_true_in_every_case(count: int) -> None:
    pattern = r"if (?:(.+) of the ([\w-]+) .+ and )?(it is not true that )?(.+?) of (?:the|them) .+"
    for draft in drafts(named("follow-quantifier"), count):
        premises, claim = draft.frame.split(", then ")
        found = re.fullmatch(pattern, premises)
        assert found
        total = NUMBERS[re.search(r"of the ([\w-]+)", premises)[1]]  # type: ignore[index]
        claimed, verb = claim.split(" that ")[1].split(" of them ")
        for key, row in zip(draft.keys, draft.cells, strict=True):
            cases = [
                count
                for count in range(total + 1)
                if truth(key, count, total) != bool(found[3])
                and (not found[1] or truth(found[1], count, total))
            ]
            others = not premises.endswith(verb)
            held = [truth(claimed, total - n if others else n, total) for n in cases]
            assert all(held) == row[0].holds, (draft.frame, key)


@with_drafts(5, 40)
def test_no_premise_says_again_what_the_other_has_said(count: int) -> None:
    pattern = r"if (.+) of the ([\w-]+) .+ and (it is not true that )?\{\} of them .+, then .+"
    for draft in drafts(named("follow-quantifier"), count):
        if found := re.fullmatch(pattern, draft.frame):
            total = NUMBERS[found[2]]
            given = {n for n in range(total + 1) if truth(found[1], n, total)}
            for key in draft.keys:
                cases = {n for n in range(total + 1) if truth(key, n, total) != bool(found[3])}
                assert given - cases and cases - given, (draft.frame, key)


@with_drafts(15, 40)
def test_nobody_denies_that_some_did_or_that_not_all_did(count: int) -> None:
    for name in ("follow-quantifier", "rank-quantifiers"):
        denied = [
            draft for draft in drafts(named(name), count) if "not true that {}" in draft.frame
        ]
        keys = {key for draft in denied for key in draft.keys}
        assert {"all", "none"} <= keys
        assert not {"some", "not all"} & keys


def test_a_denied_claim_is_proved_by_the_cases_in_which_it_is_false() -> None:
    denied = [Claim(PLAIN[text], is_denied=True) for text in ("more than half", "all")]
    assert prove_follows(denied[:1], denied[1], 4).steps[-1] == "it is false in each of these cases"
    assert prove_follows(denied[1:], denied[0], 4).steps[-1] == "with three of four it is true"


def test_some_may_be_all_or_not() -> None:
    assert PLAIN["some"].holds(5, 5) is None
    with pytest.raises(GenerationError, match="can be read both ways"):
        prove_count(PLAIN["some"], 5, 5, "five of the five eggs broke")
    assert follows([Claim(PLAIN["all"])], Claim(PLAIN["some"]), 5) is None
    with pytest.raises(GenerationError, match="a matter of reading"):
        prove_follows([Claim(PLAIN["all"])], Claim(PLAIN["some"]), 5)


def test_nothing_follows_from_what_cannot_be() -> None:
    premises = [Claim(PLAIN["all"]), Claim(PLAIN["none"])]
    assert follows(premises, Claim(PLAIN["most"]), 5) is None


def test_a_denial_allows_what_was_not_allowed() -> None:
    proof = prove_follows([Claim(counted("at most", 3), is_denied=True)], Claim(PLAIN["all"]), 5)
    assert proof.steps == ("four or five of five are possible", "with four of five it is false")


def test_no_quantifier_begins_with_any_word() -> None:
    with pytest.raises(GenerationError, match="no quantifier begins with 'about'"):
        counted("about", 3)


def test_the_parts_of_a_count_are_told_day_by_day() -> None:
    draft = named("quantify-things").make(Random(0), Difficulty(4))
    assert [day for day in ("Monday", "Tuesday", "Wednesday", "Thursday") if day in draft.frame]
    assert draft.frame.count(" on ") >= 4


def test_counts_of_collections_are_within_their_size_and_listed_once() -> None:
    for collection in TABLE["collections"]:
        texts = [one["text"] for one in collection["properties"]]
        assert len(set(texts)) == len(texts)
        assert all(0 <= one["count"] <= collection["count"] for one in collection["properties"])


def test_opposites_are_different_words() -> None:
    for one in (*TABLE["events"], *TABLE["deeds"]):
        assert one["did"] != one["not"]
