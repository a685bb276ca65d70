import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.verbs import (
    Person,
    Tense,
    base_form,
    check_plain,
    finite_tokens,
    inflected,
    main_verbs,
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
        ("I sang a song.", Person.I),
        ("You sang a song.", Person.PLURAL),
        ("Tom and Ann sang a song.", Person.PLURAL),
        ("The girls sang a song.", Person.PLURAL),
        ("The girl with the drums sang a song.", Person.SINGULAR),
        ("All of the girls sang a song.", Person.PLURAL),
        ("There were two mice in the barn.", Person.PLURAL),
        ("Everyone sang a song.", Person.SINGULAR),
        ("It was late.", Person.SINGULAR),
        ("Two sang a song.", Person.PLURAL),
    ],
)
def test_a_verb_agrees_with_its_subject(text: str, person: Person) -> None:
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
        ("Was late.", "no subject"),
        ("Tom did went home.", "does not fit its place"),
        ("Is Tom late.", "before its subject"),
    ],
)
def test_a_verb_that_is_out_of_place_is_refused(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        finite_tokens(parse(text))


def test_a_sentence_without_a_verb_is_refused() -> None:
    with pytest.raises(NotApplicable, match="no main verb"):
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
