"""Events, states and habits."""

import pytest

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.verbs import (
    base_form,
    is_event,
    is_reported_event,
    is_told_in_sequence,
    marks_of,
)


def told(text: str, word: str) -> bool:
    verb = next(token for token in parse(text) if token.text == word)
    return is_event(verb, base_form(word))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Tom painted the shed.", "painted"),
        ("Tom looked at the shed.", "looked"),
        ("Tom did the dishes.", "did"),
        ("Tom turned the key.", "turned"),
        ("Tom painted the shed while it rained.", "painted"),
    ],
)
def test_an_event_may_be_going_on(text: str, word: str) -> None:
    assert told(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Tom knew the shed.", "knew"),
        ("Tom looked tired.", "looked"),
        ("Ann sang before Tom did.", "did"),
        ("Ann sang and Tom did too.", "did"),
        ("Tom dropped the cup.", "dropped"),
        ("The shed turned out to be old.", "turned"),
        ("Tom started painting the shed.", "started"),
        ("Tom often painted the shed.", "painted"),
        ("Tom painted the shed every year.", "painted"),
        ("When it rained, Tom painted the shed.", "painted"),
        ("Ann slept when Tom painted the shed.", "painted"),
        ("It was the day Ann called Eve because she was glad.", "called"),
        ("Ann slept when Tom painted the shed and closed the gate.", "closed"),
    ],
)
def test_no_state_no_habit_and_nothing_tied_to_another_event_is_going_on(
    text: str, word: str
) -> None:
    assert not told(text, word)


@pytest.mark.parametrize(
    "text",
    [
        "Tom opened the gate, and Ann waved.",
        "Tom chased the dog, which hid in the shed.",
        "Tom called Ann. She came.",
        "Tom cheered because Ann sang.",
        "Tom called Ann after lunch.",
        "Tom painted the shed; now it is red.",
        "Tom tried to sleep, but he was too hot.",
        "Tom was late, but Ann did not wait.",
        "Tom called Ann and was invited.",
        "Ann sang and Tom did too.",
    ],
)
def test_events_that_follow_each_other_are_a_story(text: str) -> None:
    assert is_told_in_sequence(parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "Tom painted the shed because it was old.",
        "Tom tried to sleep because he was tired.",
        "Tom didn't call Ann because he was shy.",
        "Tom was painting the shed and Ann was asleep.",
        "Tom was glad when Ann was there.",
        "Tom had painted the shed, so Ann thanked him.",
    ],
)
def test_one_event_among_states_is_no_story(text: str) -> None:
    assert not is_told_in_sequence(parse(text))


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Ann said that Tom broke the cup.", "broke", True),
        ("Ann said that Tom knew the cup.", "knew", False),
        ("Ann cried because Tom broke the cup.", "broke", False),
    ],
)
def test_an_event_that_is_reported_lies_before_the_report(
    text: str, word: str, expected: bool
) -> None:
    verb = next(token for token in parse(text) if token.text == word)
    assert is_reported_event(verb) is expected


def test_the_words_that_introduce_a_clause_are_its_marks() -> None:
    slept = next(token for token in parse("Tom left while Ann slept.") if token.text == "slept")
    assert marks_of(slept) == {"while"}
