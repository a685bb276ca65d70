from __future__ import annotations

import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.verbs import (
    Tense,
    VerbPerson,
    base_form,
    check_plain,
    finite_tokens,
    inflected,
    is_event,
    is_reported_event,
    is_told_in_sequence,
    main_verbs,
    marks_of,
    person_of,
    subject_of,
    tense_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Tom couldn't paint the shed because it was wet.", ["could", "was"]),
        ("Ann has been waiting for the bus that is late.", ["has", "is"]),
        ("Ann wants to leave after eating.", ["wants"]),
    ],
)
def test_only_the_words_with_a_tense_are_finite(text: str, words: list[str]) -> None:
    assert [token.text for token in finite_tokens(parse(text))] == words


def test_modals_have_a_tense_and_some_no_counterpart() -> None:
    could, must = (finite_tokens(parse(f"Tom {word} sing."))[0] for word in ("could", "must"))
    assert tense_of(could) is Tense.PAST
    with pytest.raises(NotApplicable, match="'must'"):
        tense_of(must)


def test_the_main_verbs_are_those_of_every_sentence_and_every_coordinated_clause() -> None:
    text = "Tom closed the gate and fed the hens, but Ann slept because it rained. She was ill."
    assert [verb.text for verb in main_verbs(parse(text))] == ["closed", "fed", "slept", "was"]


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("I sang a song.", VerbPerson.I),
        ("You sang a song.", VerbPerson.PLURAL),
        ("Tom and Ann sang a song.", VerbPerson.PLURAL),
        ("The girls sang a song.", VerbPerson.PLURAL),
        ("The girl with the drums sang a song.", VerbPerson.SINGULAR),
        ("All of the girls sang a song.", VerbPerson.PLURAL),
        ("There were two mice in the barn.", VerbPerson.PLURAL),
        ("Everyone sang a song.", VerbPerson.SINGULAR),
        ("It was late.", VerbPerson.SINGULAR),
        ("Two sang a song.", VerbPerson.PLURAL),
    ],
)
def test_a_verb_agrees_with_its_subject(text: str, person: VerbPerson) -> None:
    subject = subject_of(main_verbs(parse(text))[0])
    assert subject is not None and person_of(subject) is person


def test_some_may_be_singular_or_plural() -> None:
    subject = subject_of(main_verbs(parse("Some sang a song."))[0])
    assert subject is not None
    with pytest.raises(NotApplicable, match="'some' may be singular or plural"):
        person_of(subject)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Was late.", "the subject of a verb was not found"),
        ("Tom did went home.", "does not fit its position"),
        ("Is Tom late.", "before its subject"),
    ],
)
def test_a_verb_that_is_out_of_place_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        finite_tokens(parse(text))


def test_a_sentence_without_a_verb_is_refused() -> None:
    with pytest.raises(NotApplicable, match="the main verb of a sentence was not found"):
        main_verbs(parse("The cat on the mat."))


def test_the_infinitive_of_no_past_tense_is_not_known() -> None:
    with pytest.raises(NotApplicable, match="'sings' is not known"):
        base_form("sings")


def test_the_subject_of_a_relative_clause_is_what_it_describes() -> None:
    doc = parse("Ann fed the hens that laid the eggs.")
    laid = finite_tokens(doc)[1]
    subject = subject_of(laid)
    assert (laid.text, subject and subject.text) == ("laid", "hens")


@pytest.mark.parametrize(
    ("past", "base"), [("found", "find"), ("lay", "lie"), ("lied", "lie"), ("put", "put")]
)
def test_the_infinitive_of_a_past_tense_is_known(past: str, base: str) -> None:
    assert base_form(past) == base
    assert past in inflected(base, "VBD")


@pytest.mark.parametrize("text", ["Is it late?", "He said “go” to her.", 'A sign read "stop".'])
def test_questions_and_direct_speech_are_refused(text: str) -> None:
    with pytest.raises(NotApplicable):
        check_plain(text)


def test_an_apostrophe_is_no_direct_speech() -> None:
    check_plain("The boys' dog can't eat Tom's hat.")


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
