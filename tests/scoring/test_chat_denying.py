"""Replies that deny or suppose an answer, or refuse in words that look like one."""

import pytest

from horsesense.models import Question
from horsesense.scoring.chat import ReadReply, ReplyFault, read_question
from tests.scoring.asked import FERRY, problem_of, questions_by, replied

LETTER = questions_by("letter", problem_of())[0]
LETTER_REVERSED = questions_by("letter", problem_of())[1]
WORD = questions_by("word", problem_of())[0]
CLOZE = questions_by("cloze", problem_of())[0]
SENTENCES = questions_by("cloze", problem_of())[0].sentences


def read(question: Question, text: str, finish: str = "stop") -> ReadReply:
    return read_question(replied(question, text, finish))


def test_letters_before_both_options_are_no_answer() -> None:
    question = questions_by("letter", problem_of(FERRY))[0]
    texts = ("A can, B cannot", "A can", "B cannot.", "B) cannot", "A ferry can.")
    assert [read(question, text).answer for text in texts] == [None, 0, 1, 1, None]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("A is, B is not", None),
        ("B is not", 1),
        ("B is not.", 1),
        ("B is not right.", None),
        ("B) is not", 1),
        ("B) is not hot in the oven", 1),
        ("A is wrong", None),
        ("A is", 0),
    ],
)
def test_an_option_beside_its_letter_does_not_reject_it(text: str, answer: int | None) -> None:
    problem = problem_of("it <is, is not> {hot, cold} in the oven")
    assert read(questions_by("letter", problem)[0], text).answer == answer


@pytest.mark.parametrize(
    "text",
    [
        *("Answer: A or B", "Answer: A/B", "The answer is A and B.", "The answer is B or option A"),
        *("Answer: A is incorrect", "Answer: B is not right.", "The answer is A is wrong."),
        *("Anything but A", "Everything except option A", "I would not choose B", "Rule out B"),
        *("B can be ruled out", "B is impossible", "B does not fit", "B makes no sense."),
        *("Option B doesn't make sense", "A and B are wrong", "b) is wrong", "Neither A nor B"),
        *("I do not think it is A", "Not A or B", "I don't think the answer is A."),
        *("The options are: A", "The options are:\nA. the postman.\nB. the dog."),
        *("If the answer is A", "whether A or B", "Options: A"),
        *("A can't be right", "A was eliminated", "A won't do", "A cannot be it"),
    ],
)
def test_a_letter_that_is_denied_or_supposed_is_no_answer(text: str) -> None:
    for question in (LETTER, LETTER_REVERSED):
        assert read(question, text) == ReadReply(None, ReplyFault.UNPARSABLE)


@pytest.mark.parametrize("text", ["I can't choose A", "I cannot say A", "I can't say A or B"])
def test_a_letter_that_the_model_cannot_choose_is_refused(text: str) -> None:
    assert read(LETTER, text) == ReadReply(None, ReplyFault.REFUSED)


@pytest.mark.parametrize("text", ["The options are: A", "If the answer is A", "Rule out A"])
def test_a_reply_cut_off_after_a_letter_that_is_no_answer_is_truncated(text: str) -> None:
    assert read(LETTER, text, "length") == ReadReply(None, ReplyFault.TRUNCATED)


@pytest.mark.parametrize(
    "text",
    [
        *("B over A", "B is a no-brainer", "I can't be sure, but B", "I'm not sure but I think B"),
        *("A is no good, so B", "B, because the dog is not angry", "Not A but option B"),
        *("A does not fit, so B.", "Rule out A. The answer is B.", "Anything but A, so B"),
        *(
            "Not A but B",
            "The answer is B and A is wrong.",
            "If I had to choose, B.",
            "B fits, A does not.",
        ),
        *(
            "A can be ruled out; B",
            "It does not say so, but B",
            "The options are A and B. Answer: B",
        ),
        *("Answer: B\nIf the answer were A, the dog would be angry.", "B: the dog does not fit A"),
    ],
)
def test_a_letter_that_is_stated_beside_a_denied_one_is_read(text: str) -> None:
    assert read(LETTER, text).answer == 1


@pytest.mark.parametrize(
    "text",
    [
        *("The dog is incorrect", "dog is not the answer", "Anything except the dog"),
        *("the dog can't be right", "Anything but the dog", "Rule out the dog.", "Not the dog"),
        *("I would not choose the dog", "The dog doesn't fit.", "the dog makes no sense"),
        *("If the answer is the dog", "The answer is the dog or the postman", "Wrong: the dog"),
        *("The answer is the dog is wrong", "The dog would be clearly wrong", "if the dog"),
        *("It does not fit the blank if it is the dog",),
    ],
)
def test_an_option_that_is_denied_or_supposed_is_no_answer(text: str) -> None:
    assert read(WORD, text) == ReadReply(None, ReplyFault.UNPARSABLE)


@pytest.mark.parametrize(
    "text",
    [
        *("The postman is wrong, so the dog", "The postman is wrong. The dog is right."),
        *("Not the postman but the dog", "The postman makes no sense.\nThe dog"),
        *("If I had to choose, the dog", f"It is wrong that {SENTENCES[0]}\nThe dog"),
    ],
)
def test_an_option_that_is_stated_beside_a_denied_one_is_read(text: str) -> None:
    assert read(WORD, text).answer == 1


@pytest.mark.parametrize(
    "template",
    [
        *("It is wrong that {0}", "It is false to say that {0}", "Incorrect: {0}", "Not: {0}"),
        *("I don't think that {0}", "{0} is false.", "{0} That is not right.", "Whether {0}"),
        *("It makes no sense that {0}", "{0} makes no sense", "“{0}” does not make sense."),
        *("{0} This cannot be right.", "{0} would be quite impossible"),
    ],
)
def test_a_sentence_that_is_denied_is_no_answer(template: str) -> None:
    for sentence in SENTENCES:
        text = template.format(sentence.removesuffix("."))
        for question in (CLOZE, LETTER, WORD):
            assert read(question, text) == ReadReply(None, ReplyFault.UNPARSABLE)


def test_a_problem_may_deny_its_own_sentence() -> None:
    notation = (
        "Is it true? [Ada] says that [Bea] won. <She = Ada, Bea> {sang, wept}. That is not true."
    )
    question = questions_by("cloze", problem_of(notation))[0]
    assert [read(question, text).answer for text in question.sentences] == [0, 1]
    assert read(question, "Ada says that Bea won. Bea sang. That is not true.").answer == 1


def test_words_of_the_problem_beside_the_blank_deny_no_option() -> None:
    notation = "[Ada] did not tell [Bea] if old <she = Ada, Bea> {sang, wept}"
    question = questions_by("cloze", problem_of(notation))[0]
    parts = [f"… tell Bea if old {name} sang" for name in ("Ada", "Bea")]
    assert [read(question, part).answer for part in parts] == [0, 1]
    assert read(question, "did not tell Bea if the old Bea sang").answer == 1


def test_a_sentence_that_is_stated_beside_a_denied_one_is_read() -> None:
    assert read(CLOZE, f"It is wrong that {SENTENCES[0]} {SENTENCES[1]}").answer == 1
    assert read(CLOZE, f"It is wrong that {SENTENCES[0]}\nThe dog").answer == 1


@pytest.mark.parametrize(
    "text",
    [
        *("Sorry, I cannot help with that", "I cannot answer", "I can't decide", "Sorry, I can't"),
        *("I cannot.", "I can not say.", "Sorry, I am unable to help, as I can't."),
    ],
)
def test_a_refusal_is_no_answer_if_the_options_are_can_and_cannot(text: str) -> None:
    for question in questions_by("word", problem_of(FERRY)):
        assert read(question, text) == ReadReply(None, ReplyFault.REFUSED)


@pytest.mark.parametrize(
    "text",
    ["I can help: it depends.", "It cannot be determined.", "Sorry, can't say.", "I can!"],
)
def test_what_the_writer_can_do_is_no_option(text: str) -> None:
    question = questions_by("word", problem_of(FERRY))[0]
    assert read(question, text) == ReadReply(None, ReplyFault.UNPARSABLE)
