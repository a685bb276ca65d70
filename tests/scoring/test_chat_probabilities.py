"""Log-probabilities of answers: at the token that states the written one, and at no other."""

from math import exp, fsum, inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.models import Question, ReplyToken
from horsesense.scoring.chat import ReadReply, ReplyFault, read_question
from tests.scoring.asked import problem_of, questions_by, replied, token

LETTER = questions_by("letter", problem_of())[0]
WORD = questions_by("word", problem_of())[0]
JUDGE = questions_by("judge", problem_of())[0]
REASONED = questions_by("letter+reasoning", problem_of())[0]


def test_the_most_likely_letter_is_preferred_to_the_written_one() -> None:
    tokens = [token("B", B=log(0.25), A=log(0.5), C=log(0.25))]
    reply = read_question(replied(LETTER, "B", tokens=tokens))
    assert reply.answer == 1 and reply.preferred == 0
    assert [exp(value) for value in reply.log_probs] == pytest.approx([2 / 3, 1 / 3])


def test_spellings_of_a_letter_are_added_up() -> None:
    tokens = [token(" A", **{" A": log(0.2), "A": log(0.1), "(A": log(0.1), " B": log(0.4)})]
    assert read_question(replied(LETTER, " A", tokens=tokens)).log_probs == ()
    tokens = [token(" A", **{" A": log(0.3), "A": log(0.3), " B": log(0.2), "a": log(0.2)})]
    values = read_question(replied(LETTER, " A", tokens=tokens)).log_probs
    assert [exp(value) for value in values] == pytest.approx([0.75, 0.25])


def test_verdicts_are_added_up_in_any_case() -> None:
    tokens = [token("Yes", Yes=log(0.4), yes=log(0.2), NO=log(0.2), other=log(0.2))]
    values = read_question(replied(JUDGE, "Yes", tokens=tokens)).log_probs
    assert [exp(value) for value in values] == pytest.approx([0.75, 0.25])


def test_the_token_itself_counts_if_it_is_no_alternative() -> None:
    tokens = [ReplyToken("A", log(0.6), (("B", log(0.2)),))]
    values = read_question(replied(LETTER, "A", tokens=tokens)).log_probs
    assert [exp(value) for value in values] == pytest.approx([0.75, 0.25])


def test_a_letter_that_is_not_listed_is_at_most_as_likely_as_the_last_that_is() -> None:
    tokens = [token("A", A=log(0.6), x=log(0.3), y=log(0.1))]
    values = read_question(replied(LETTER, "A", tokens=tokens)).log_probs
    assert [exp(value) for value in values] == pytest.approx([6 / 7, 1 / 7])


@pytest.mark.parametrize(
    "tokens",
    [
        [],
        [token("***")],
        [token("The", The=-0.1, It=-2.0)],
        [token("A", A=-1.0)],  # the other letter may be as likely
        [token("A", A=-1.0, B=-1.0)],
        [ReplyToken("A", -inf, (("A", -inf), ("B", -inf)))],
    ],
)
def test_there_are_no_letter_probabilities_without_a_likeliest_letter(
    tokens: list[ReplyToken],
) -> None:
    assert read_question(replied(LETTER, "A", tokens=tokens)) == ReadReply(0)


def test_letter_probabilities_are_those_after_the_last_marker() -> None:
    for question in (LETTER, REASONED):
        tokens = [
            token("A", A=-0.1, B=-9.0),
            token("\nAns"),
            token("wer"),
            token(":"),
            token(" **"),
        ]
        reply = replied(question, "A\nAnswer: **B", tokens=[*tokens, token("B", B=-0.1, A=-5.0)])
        assert read_question(reply).preferred == 1


def spelled(*texts: str, **alternatives: float) -> list[ReplyToken]:
    """Return tokens with those texts, each the likeliest and with the same alternatives."""
    return [ReplyToken(text, -0.1, ((text, -0.1), *alternatives.items())) for text in texts]


@pytest.mark.parametrize(
    "texts",
    [
        ("The", " answer", " is", " B", "."),
        ("**", "B", "**"),
        ("I", " would", " say", " “", "B", "”"),
        ("B", "\n", "the", " dog"),
        ("B", ",", " as", " the", " answer", ":", " it", " fits"),
    ],
)
def test_letter_probabilities_are_those_of_the_token_that_states_the_answer(
    texts: tuple[str, ...],
) -> None:
    tokens = [
        ReplyToken(text, -0.1, ((text, -0.1), ("A", -3.0 if text.strip() == "B" else -0.2)))
        for text in texts
    ]
    reply = read_question(replied(LETTER, "".join(texts), tokens=tokens))
    assert reply.answer == reply.preferred == 1
    assert [exp(value) for value in reply.log_probs] == pytest.approx([0.0522, 0.9478], abs=1e-4)


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        (LETTER, ("A", " good", " question", ".", " B", ".")),  # the article
        (LETTER, ("A", "lice", " says", " B")),  # the start of a word
        (LETTER, ("Not", " A", ",", " but", " B")),
        (LETTER, ("Option", " A", " is", " wrong", ",", " so", " B", ".")),
        (LETTER, ("The", " dog")),
        (LETTER, ("b", ".")),
        (JUDGE, ("No", " doubt", " about", " it", ".", " No", ".")),
        (JUDGE, ("There", " is", " no", " way", ".", " No", ".")),
        (JUDGE, ("Nope", ".")),
    ],
)
def test_there_are_no_probabilities_unless_the_first_token_like_an_answer_states_it(
    question: Question, texts: tuple[str, ...]
) -> None:
    tokens = spelled(*texts, A=-3.0, B=-2.0, Yes=-0.2, No=-4.0)
    assert read_question(replied(question, "".join(texts), tokens=tokens)) == ReadReply(1)


def test_tokens_that_spell_another_answer_than_the_reply_are_ignored() -> None:
    reply = read_question(replied(LETTER, "B", tokens=spelled("A", B=-3.0)))
    assert reply == ReadReply(1)


def test_tokens_in_thoughts_that_follow_the_reply_are_ignored() -> None:
    tokens = spelled("The", " dog", ".", "<think>", "B", A=-3.0)
    reply = read_question(replied(LETTER, "The dog.<think>B", tokens=tokens))
    assert reply == ReadReply(1)


PIECES = ("A", " A", " B", "B", " Yes", " no", "The", " answer", " is", " not", " or", ".", ",")


@given(st.lists(st.sampled_from([*PIECES, "\nAnswer:", "\n", " **", " the dog", " cat"])))
def test_the_written_answer_counts_if_each_token_is_likelier_than_all_others(
    texts: list[str],
) -> None:
    rivals = dict.fromkeys(("A", "B", "Yes", "No"), -3.0)
    tokens = [ReplyToken(text, -0.1, tuple({**rivals, text: -0.1}.items())) for text in texts]
    for question in (LETTER, JUDGE, REASONED):
        reply = read_question(replied(question, "".join(texts), tokens=tokens))
        assert reply.preferred == reply.answer


def test_letter_probabilities_are_those_after_the_thoughts() -> None:
    tokens = [
        token("<think>"),
        token("A", A=-0.1, B=-9.0),
        token("</think>"),
        token("B", B=-1, A=-2),
    ]
    reply = read_question(replied(LETTER, "<think>A</think>B", tokens=tokens))
    assert reply.answer == reply.preferred == 1


def test_a_tiny_probability_stays_finite() -> None:
    tokens = [token("A", A=-5000.0, B=-9000.0)]
    values = read_question(replied(LETTER, "A", tokens=tokens)).log_probs
    assert values == pytest.approx((0.0, -700.0))


def test_a_fault_has_no_probabilities() -> None:
    tokens = [token("A", A=-0.1, B=-3.0)]
    reply = read_question(replied(LETTER, "A or B", tokens=tokens))
    assert reply == ReadReply(None, ReplyFault.UNPARSABLE)


@given(st.lists(st.floats(-50, 0), min_size=2, max_size=2, unique=True))
def test_letter_probabilities_equal_their_definition(values: list[float]) -> None:
    first, second = values
    tokens = [token("A", A=first, B=second)]
    log_probs = read_question(replied(LETTER, "A", tokens=tokens)).log_probs
    total = fsum(map(exp, values))
    if log_probs:
        assert log_probs == pytest.approx((first - log(total), second - log(total)))
    else:
        assert abs(first - second) < 1e-12


def test_words_have_no_probabilities() -> None:
    tokens = [token("the", the=-0.1), token(" dog", dog=-0.1)]
    assert read_question(replied(WORD, "the dog", tokens=tokens)) == ReadReply(1)
