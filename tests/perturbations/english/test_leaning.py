"""Clauses that take their subject or their verb from another."""

import pytest

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.voice import check_nothing_leans_on, check_pronouns
from horsesense.perturbations.rewriting import renderings
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema.notation import parse_grid


def check(text: str) -> None:
    check_nothing_leans_on(next(token for token in parse(text) if token.dep_ == "ROOT"))


@pytest.mark.parametrize(
    "text",
    [
        "Tom pushed Ben because Ann was late.",
        "Tom pushed Ben, and Ann laughed.",
        "Tom asked Ben to leave.",
        "Tom told Ben that Ann was late.",
        "In the hall Tom pushed Ben.",
        "When Ann was late, Tom pushed Ben.",
        "Tom pushed Ben when Ann was not there.",
    ],
)
def test_a_clause_with_a_subject_of_its_own_leans_on_nothing(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Tom pushed Ben and ran.", "a second verb has the same subject"),
        ("Tom pushed Ben, laughing loudly.", "a participle depends on the subject"),
        ("Tom called Ben after eating.", "a participle depends on the subject"),
        ("Tom pushed Ben before Ann did.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben before Ann did", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but Ann did not because she slept.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but Ann didn't, so she slept.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but Ann didn't so she slept.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben harder than Ann.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben instead of Ann.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but not Ann.", "an ellipsis depends on the verb"),
        ("Tom liked Ben as much as Ann.", "an ellipsis depends on the verb"),
        ("Tom called Ben before Ann.", "an ellipsis depends on the verb"),
        ("Feeling tired, Tom called Ben.", "a participle depends on the subject"),
        ("While at home, Tom called Ben.", "a participle depends on the subject"),
        ("Tom pushed Ben to help Ann.", "the object has a complement"),
        ("Tom wanted to push Ben.", "the object has a complement"),
        ("Tom called Ben a thief.", "the object has a complement"),
    ],
)
def test_what_leans_on_a_clause_is_found(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        check(text)


@pytest.mark.parametrize(
    "text", ["Ann slept, but Tom pushed Ben.", "Ann slept while Tom pushed Ben."]
)
def test_a_clause_that_is_told_beside_another_stays_like_it(text: str) -> None:
    verb = next(token for token in parse(text) if token.text == "pushed")
    with pytest.raises(NotApplicable, match="told beside another"):
        check_nothing_leans_on(verb)


def check_after_verb(line: str) -> None:
    shown = renderings(parse_grid(line))[0]
    check_pronouns(shown, next(token for token in parse(shown.text) if token.dep_ == "ROOT"))


def test_a_pronoun_after_the_clause_has_to_be_the_target() -> None:
    check_after_verb("[Tom] called [Ben] because <he = Tom, Ben> was {ill, near} him.")
    check_after_verb("[Tom] called [Ben] because <he = Tom, Ben> broke his {leg, lamp}.")
    check_after_verb("[Tom] asked [Ben] for <his = Tom, Ben> {map, lamp}.")


@pytest.mark.parametrize(
    "line",
    [
        "[Tom] called [Ben] as he knew <he = Tom, Ben> was {ill, near}.",
        "[Tom] asked [Ben] for his map because <he = Tom, Ben> was {ill, near}.",
        "[Tom] asked [Ben] to take his map because <he = Tom, Ben> was {ill, near}.",
    ],
)
def test_another_pronoun_would_seem_to_mean_the_new_subject(line: str) -> None:
    with pytest.raises(NotApplicable, match="seem to mean another"):
        check_after_verb(line)
