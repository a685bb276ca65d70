from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.builtin import BUILT_IN, open_built_in
from horsesense.models import Question
from horsesense.schema import modes, problems
from horsesense.schema.notation import read_schemas
from horsesense.scoring.chat import (
    REFUSALS,
    REFUSING_FINISHES,
    TRUNCATING_FINISHES,
    ReadReply,
    ReplyFault,
    read_question,
)
from tests.scoring.asked import CHOICES, FERRY, PARCEL, problem_of, questions_by, replied

LETTER, LETTER_REVERSED = questions_by("letter", problem_of())
WORD = questions_by("word", problem_of())[0]
CLOZE = questions_by("cloze", problem_of())[0]
JUDGE = questions_by("judge", problem_of())[0]
REASONED = questions_by("letter+reasoning", problem_of())[0]
SENTENCES = CLOZE.sentences

# What stands for the answer, the other one, and what comes around them.
LETTER_TEMPLATES = (
    "{0}",
    " {0}\n",
    "{0}.",
    "({0})",
    "**{0}**",
    "__{0}__",
    "`{0}`",
    "“{0}”",
    "\\boxed{{{0}}}",
    "$\\boxed{{\\text{{{0}}}}}$",
    "- {0}",
    "> {0}",
    "Answer: {0}",
    "**Answer:** {0}",
    "**Answer**: {0}",
    "ANSWER: {0}.",
    "The answer is {0}.",
    "The correct answer is **{0}**.",
    "The answer would be option {0}.",
    "The best choice: ({0})",
    "Option {0}",
    "I choose option {0}, as it fits.",
    "I choose ({0}).",
    "{0}) the option",
    "{0}: the option",
    "{0}. the option",
    "{0} is right.",
    "{0} because it fits.",
    "{0}, not {1}",
    "{0} rather than {1}.",
    "Not {1}, but {0}.",
    "Option {1} is wrong, so {0}.",
    "{1} is not right, {0} is.",
    "It could be {1}. Or {0}?\nAnswer: {0}",
    "Answer: {1}. No, wait. Answer: {0}",
    "{0}\n\nOption {1} would be odd.",
    "<think>{1}? No.</think>{0}",
    "{0}\n{0}",
)
LOWER_TEMPLATES = ("{0}", "{0}.", "({0})", "{0}) the option", "{0}. the option", "Answer: {0}")
OPTION_TEMPLATES = (
    "{0}",
    "{0}.",
    "“{0}”",
    "**{0}**",
    "- {0}",
    "Answer: {0}",
    "The answer is {0}.",
    "It was {0}, of course.",
    "{0}, not {1}.",
    "{0} rather than {1}",
    "{0} instead of {1}",
    "It wasn't {1}, but {0}.",
    "{0}\n\nFor {1} it would be odd.",
    "Is it {1}?\nAnswer: {0}",
    "<think>{1}</think>\n\n{0}",
)
SENTENCE_TEMPLATES = (
    "{0}",
    "**{0}**",
    "“{0}”",
    "The complete text is:\n\n{0}",
    "{0} That makes sense.",
    "{1}\nNo.\nAnswer: {0}",
)
VERDICT_TEMPLATES = (
    "{0}",
    "{0}.",
    "**{0}**",
    '"{0}"',
    "{0}, it does.",
    "{0} it does",
    "{0} – as things are.",
    "{0}\n\nThere is nothing to add.",
    "Answer: {0}",
    "The answer is {0}.",
    "Is it {1}, or what? Answer: {0}",
    "I see. {0}.",
)


def read(question: Question, text: str, finish: str = "stop") -> ReadReply:
    return read_question(replied(question, text, finish))


def exchanged(question: Question) -> Question:
    """Return the question with the options exchanged, so that each answer is the other one."""
    return replace(
        question,
        answers=question.answers[::-1],
        options=question.options[::-1],
        sentences=question.sentences[::-1],
    )


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("template", LETTER_TEMPLATES)
def test_a_letter_is_read_however_it_is_written(template: str, answer: int) -> None:
    for question in (LETTER, LETTER_REVERSED):
        letters = question.answers[answer], question.answers[1 - answer]
        assert read(question, template.format(*letters)) == ReadReply(answer)


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("template", LOWER_TEMPLATES)
def test_a_letter_in_lower_case_is_read_if_it_stands_alone(template: str, answer: int) -> None:
    assert read(LETTER, template.format(LETTER.answers[answer].lower())) == ReadReply(answer)


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("template", OPTION_TEMPLATES)
def test_an_option_is_read_however_it_is_written(template: str, answer: int) -> None:
    texts = WORD.answers[answer], WORD.answers[1 - answer]
    assert read(WORD, template.format(*texts)) == ReadReply(answer)
    assert read(WORD, template.format(*map(str.upper, texts))) == ReadReply(answer)
    bare = [text.removeprefix("the ") for text in texts]
    assert read(WORD, template.format(*bare)) == ReadReply(answer)


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("template", SENTENCE_TEMPLATES)
def test_a_sentence_is_read_however_it_is_written(template: str, answer: int) -> None:
    texts = SENTENCES[answer], SENTENCES[1 - answer]
    assert read(CLOZE, template.format(*texts)) == ReadReply(answer)
    assert read(CLOZE, template.format(*map(str.lower, texts))) == ReadReply(answer)


@pytest.mark.parametrize("answer", [0, 1])
@pytest.mark.parametrize("template", VERDICT_TEMPLATES)
def test_a_verdict_is_read_however_it_is_written(template: str, answer: int) -> None:
    texts = JUDGE.answers[answer], JUDGE.answers[1 - answer]
    assert read(JUDGE, template.format(*texts)) == ReadReply(answer)
    assert read(JUDGE, template.format(*map(str.upper, texts))) == ReadReply(answer)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A good question, as they say.",
        "A or B",
        "A and B are both right.",
        "A. the postman\nB. the dog",
        "A. does\nB. does not",
        "A. does not\nB. does",
        "A: it does not. B: it does.",
        "A\nB",
        "It is not A.",
        "B is wrong.",
        "C",
        "The answer is C.",
        "The answer is a bit tricky.",
        "Either fits.",
        "The postman or the dog",
        "In the U.S.A. dogs bark.",
        "Answer:",
        "<think>A is right, so",
    ],
)
def test_a_reply_without_one_clear_letter_is_unparsable(text: str) -> None:
    assert read(LETTER, text) == ReadReply(None, ReplyFault.UNPARSABLE)


def test_an_article_of_an_option_is_not_read_as_a_letter() -> None:
    question = questions_by("letter", problem_of("<a net, a dog> catches {fish, thieves}"))[1]
    assert [read(question, text).answer for text in ("A net", "A dog.")] == [0, 1]
    assert [read(question, text).answer for text in ("A. A net", "B: a dog")] == [1, 0]


def test_an_option_in_words_answers_for_its_letter_if_it_is_the_whole_reply() -> None:
    assert read(LETTER, "The dog.").answer == 1
    assert read(LETTER_REVERSED, "The dog.").answer == 1
    assert read(LETTER, "The dog was here.").fault is ReplyFault.UNPARSABLE
    assert [read(LETTER, sentence).answer for sentence in SENTENCES] == [0, 1]
    assert read(LETTER, f"A. {SENTENCES[1]}").answer == 0


@pytest.mark.parametrize(
    "text", ["", "the cat", "the postman or the dog", "not the dog", "The ___ was angry.", "it"]
)
def test_a_reply_without_one_clear_option_is_unparsable(text: str) -> None:
    assert read(WORD, text) == ReadReply(None, ReplyFault.UNPARSABLE)


def test_an_option_is_read_in_a_complete_sentence_that_names_both() -> None:
    assert [read(WORD, sentence).answer for sentence in SENTENCES] == [0, 1]


def test_a_longer_option_is_not_read_as_a_shorter_one_inside_it() -> None:
    question = questions_by("word", problem_of("it <is, is not> {hot, cold} in the oven"))[0]
    assert [read(question, text).answer for text in ("is", "is not", "It is not.")] == [0, 1, 1]
    assert read(question, "It is, or is not.").fault is ReplyFault.UNPARSABLE


def test_contractions_are_read_as_what_they_stand_for() -> None:
    question = questions_by("word", problem_of(FERRY))[0]
    for text in ("cannot", "can not", "can't", "It can’t.", "A ferry can not carry cars."):
        assert read(question, text).answer == 1
    question = questions_by("word", problem_of("it <is, is not> {hot, cold} in the oven"))[0]
    assert [read(question, text).answer for text in ("isn't", "It is.")] == [1, 0]
    question = questions_by("word", problem_of("they <will, will not> melt in {July, May}"))[0]
    assert [read(question, text).answer for text in ("won't", "will")] == [1, 0]


def test_an_option_before_a_negation_is_not_chosen() -> None:
    question = questions_by("word", problem_of("it <is, was> {hot, cold} in the oven"))[0]
    assert read(question, "It is not.").fault is ReplyFault.UNPARSABLE
    assert [read(question, text).answer for text in ("was, not is", "is not was")] == [1, 0]


def test_options_that_overlap_in_a_reply_both_count() -> None:
    question = replace(WORD, answers=("red hen", "hen house"), options=("red hen", "hen house"))
    for each in (question, exchanged(question)):
        assert read(each, "a red hen house it was").fault is ReplyFault.UNPARSABLE


@pytest.mark.parametrize(
    "options",
    [("US", "us"), ("a", "an"), ("the 'it'", "it"), ("Rita", "Rita's"), ("3.5", "3"), ("?", "!")],
)
def test_options_that_differ_in_little_are_told_apart(options: tuple[str, str]) -> None:
    question = replace(WORD, answers=options, options=options, sentences=options)
    assert [read(question, text).answer for text in options] == [0, 1]


def test_the_genitive_does_not_matter_unless_it_distinguishes_the_options() -> None:
    question = questions_by("word", problem_of("[Ada] met [Bea]. <Her's = Ada, Bea> hat {a, b}"))[0]
    assert question.answers == ("Ada's", "Bea's")
    assert [read(question, text).answer for text in ("Ada", "Bea’s hat")] == [0, 1]


def test_options_that_differ_in_markup_only_are_not_guessed() -> None:
    question = replace(WORD, answers=("go", "*go*"), options=("go", "*go*"), sentences=("", "*"))
    for each in (question, replace(question, kind=CLOZE.kind)):
        assert read(each, "go").fault is ReplyFault.UNPARSABLE


def test_a_part_of_the_sentence_with_the_option_in_its_place_is_enough() -> None:
    assert read(CLOZE, "… because the dog was angry!").answer == 1
    assert read(CLOZE, "The dog was angry.").fault is ReplyFault.UNPARSABLE
    assert read(CLOZE, "the dog").answer == 1
    assert read(CLOZE, "The dog barked.").fault is ReplyFault.UNPARSABLE


def test_both_complete_sentences_are_no_answer() -> None:
    assert read(CLOZE, "\n".join(SENTENCES)).fault is ReplyFault.UNPARSABLE


@pytest.mark.parametrize(
    "notation",
    [
        "{Ada, Bea} sat behind {Bea, Ada}, so <Ada, Bea> was in front",
        FERRY,
        "<The hen laid an egg.*, The egg laid a hen.>",
        "<? cats, mice, owls> hunt <mice, cats, mice> at night",
    ],
)
@pytest.mark.parametrize("method", CHOICES)
def test_every_shape_of_problem_is_read(notation: str, method: str) -> None:
    problem = problem_of(notation)
    for question in questions_by(method, problem):
        texts = question.sentences if method == "cloze" else question.answers
        answers = [read(question, text).answer for text in texts]
        assert answers == [*range(len(problem.options))]


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_answer_to_built_in_problems_is_read(name: str) -> None:
    with open_built_in(name) as stream:
        entries = tuple(read_schemas(stream, name, name))
    for entry in entries[::12]:
        for mode in modes(entry.grid):
            for problem in problems(entry.grid, mode):
                for method in CHOICES:
                    _, question = questions_by(method, problem)
                    for texts in (question.answers, question.options, question.sentences):
                        replies = [read(question, text).answer for text in texts]
                        assert replies == [*range(len(texts))]


@pytest.mark.parametrize(
    "text",
    ["", "Yes or no.", "yes/no", "Yes and no.", "No problem here", "It makes sense.", "Nobody"]
    + ["Yes. No.", "There is no doubt about it.", "The answer is unclear: yes, no."]
    + ["Yes, but no", "Yes... well, no", "No, wait. Yes.", "Yes – or, actually, nope."]
    + ["I would not say yes.", "If the answer is yes, …", "I don't think the answer is no."]
    + ["I can hardly say yes", "nopes", "Yeah, no."],
)
def test_a_reply_without_one_clear_verdict_is_unparsable(text: str) -> None:
    assert read(JUDGE, text) == ReadReply(None, ReplyFault.UNPARSABLE)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        *(("I would say yes", 0), ("I'd say no.", 1), ("I think yes, it does.", 0)),
        *(("Nope", 1), ("Nope, it does not.", 1), ("Yep!", 0), ("I would rather say no.", 1)),
        *(("My verdict is yes.", 0), ("Yes, but no one would say so.", 0), ("Yes. No problem.", 0)),
    ],
)
def test_a_verdict_in_other_words_is_read(text: str, answer: int) -> None:
    assert read(JUDGE, text) == ReadReply(answer)


def test_other_words_stand_for_yes_and_no_only() -> None:
    question = replace(JUDGE, answers=("Ja", "Nein"))
    assert [read(question, text).answer for text in ("ja", "NEIN.", "Nope")] == [0, 1, None]


TROPHY = problem_of(
    "[The trophy] does not fit into [the case]"
    " because <it = the trophy, the case> is too {big, small}."
)


@pytest.mark.parametrize(
    ("method", "text", "answer"),
    [
        ("letter", "The correct answer is:\n\nB. the case", 1),
        ("letter", "B. the case — since the trophy is too big", 1),
        ("letter", "Answer: **B**\n\nExplanation: Option A would not make sense.", 1),
        ("letter", "The blank refers to the trophy. So the answer is A.", 0),
        ("letter", "A the trophy", 0),
        ("letter", "I'd say A, the trophy.", 0),
        ("letter", "<answer>A</answer>", 0),
        ("letter+reasoning", "### Answer:\nA", 0),
        ("letter+reasoning", "Size decides.\n\nAnswer: the trophy", 0),
        ("word", "The trophy.\n\nThe trophy is too big to fit into the case.", 0),
        ("word", 'The correct option is "the trophy", because the case is fine.', 0),
        ("word", "The case is the right answer, and not the trophy that is in it now.", 1),
        ("word", "“It” refers to the trophy.", 0),
        ("word", "It refers to the trophy, which the case was made to hold.", None),
        ("word", "The trophy does not fit into the case because [the trophy] is too big.", 0),
        ("cloze", "The trophy doesn't fit into the case because the case is too big.", 1),
        ("cloze", "The trophy does not fit into the case because it is too big.", None),
        ("judge", "**Yes** — it does.", 0),
        ("judge", "Yes, it makes sense. No issues.", 0),
        ("judge", "Not really.", None),
    ],
)
def test_a_reply_as_models_write_it_is_read(method: str, text: str, answer: int | None) -> None:
    assert read(questions_by(method, TROPHY)[0], text).answer == answer


def test_the_sentences_around_the_one_with_the_blank_need_not_be_there() -> None:
    question = questions_by(
        "cloze", problem_of("It is late. [Owls] see [hens]. <They = owls, hens> {a, b}.")
    )[0]
    assert [read(question, text).answer for text in ("Hens a.", "Owls a!")] == [1, 0]


def test_only_what_follows_the_last_marker_counts_after_reasoning() -> None:
    assert read(REASONED, "B fits.\nAnswer: B. No.\n**Answer:** A").answer == 0
    assert read(REASONED, "The answer is B.").fault is ReplyFault.UNPARSABLE
    assert read(REASONED, "B").fault is ReplyFault.UNPARSABLE
    assert read(REASONED, "B\nAnswer: it depends").fault is ReplyFault.UNPARSABLE
    assert read(REASONED, "Let me see: B", "length").fault is ReplyFault.TRUNCATED
    assert read(REASONED, "I cannot see why. B", "length").fault is ReplyFault.TRUNCATED


def test_without_reasoning_a_marker_without_an_answer_is_ignored() -> None:
    assert read(LETTER, "B, as the answer: it fits").answer == 1


def test_a_reply_that_is_cut_off_is_truncated_unless_it_has_its_answer() -> None:
    assert read(LETTER, "The answer", "length") == ReadReply(None, ReplyFault.TRUNCATED)
    assert read(LETTER, "", "length") == ReadReply(None, ReplyFault.TRUNCATED)
    assert read(LETTER, "B, as the", "length") == ReadReply(1)


@pytest.mark.parametrize("phrase", REFUSALS)
def test_a_refusal_is_read_as_one(phrase: str) -> None:
    for finish in ("stop", "length"):
        fault = read(LETTER, f"{phrase.capitalize()}, help you".replace("'", "’"), finish).fault
        assert fault is ReplyFault.REFUSED


def test_a_reply_with_an_answer_is_no_refusal() -> None:
    assert read(LETTER, "I'm sorry for the dog. Answer: B") == ReadReply(1)


@pytest.mark.parametrize("finish", [*REFUSING_FINISHES, "SAFETY"])
def test_a_reply_that_a_filter_stopped_is_refused_whatever_it_says(finish: str) -> None:
    assert read(LETTER, "B", finish) == ReadReply(None, ReplyFault.REFUSED)


@pytest.mark.parametrize("finish", [*TRUNCATING_FINISHES, "MAX_TOKENS"])
def test_a_reply_is_truncated_however_the_server_says_so(finish: str) -> None:
    assert read(LETTER, "The answer", finish) == ReadReply(None, ReplyFault.TRUNCATED)
    assert read(REASONED, "I cannot see", finish) == ReadReply(None, ReplyFault.TRUNCATED)


def test_thoughts_are_no_refusal() -> None:
    thoughts = "<think>I cannot decide yet"
    assert read(LETTER, thoughts, "length") == ReadReply(None, ReplyFault.TRUNCATED)
    assert read(LETTER, thoughts) == ReadReply(None, ReplyFault.UNPARSABLE)
    assert read(LETTER, f"{thoughts}</think>I won't.").fault is ReplyFault.REFUSED


@pytest.mark.parametrize("method", ["letter", "cloze", "judge"])
def test_the_text_of_the_problem_is_no_refusal(method: str) -> None:
    notation = "[Ada] told [Bea]: I'm sorry, I can't come. <She = Ada, Bea> was {ill, sad}."
    question = questions_by(method, problem_of(notation))[0]
    text = "Ada told Bea: “I’m sorry, I can’t come.” She"
    assert read(question, text) == ReadReply(None, ReplyFault.UNPARSABLE)
    assert read(question, text, "length") == ReadReply(None, ReplyFault.TRUNCATED)
    for refusal in ("I can't help.", "I’m sorry!", "I'm sorry, but no", f"{text}. I cannot say."):
        assert read(question, refusal).fault is ReplyFault.REFUSED


# Words of replies that name no letter, no option, no sentence and no verdict.
NEUTRAL = st.lists(
    st.sampled_from(["A hard", "question", "about", "it", "yesterday", "nothing", "cat", "of B's"])
    | st.sampled_from(["\n", "**", "“", "”", ".", ",", "(", ")", "- ", "[", "]", "…", "___"]),
).map(" ".join)
# Anything, with much that has a meaning.
ANYTHING = st.lists(
    st.sampled_from(["A", "B", "a", "b", "yes", "no", "the dog", "the postman", "not", "Answer:"])
    | st.sampled_from([*SENTENCES, "is", "wrong", "or", "\n", " ", ".", ", ", "(", ")", "**"])
    | st.sampled_from(["if", "does", "but", "rule out", "I", "cannot", "that", "and", "say", "are"])
    | st.text(max_size=3)
).map(lambda parts: " ".join(parts))


@given(NEUTRAL)
def test_a_reply_that_names_no_answer_is_never_read_as_one(text: str) -> None:
    for question in (LETTER, WORD, CLOZE, JUDGE, REASONED):
        assert read(question, text).fault is ReplyFault.UNPARSABLE


@given(ANYTHING)
def test_reading_does_not_depend_on_the_order_of_the_options(text: str) -> None:
    for question in (LETTER, WORD, CLOZE, JUDGE, REASONED):
        answer = read(question, text).answer
        other = read(exchanged(question), text).answer
        assert other == (None if answer is None else 1 - answer)


@given(st.sampled_from(LETTER_TEMPLATES[:-1]), st.sampled_from("ABCDE"), st.sampled_from("ABCDE"))
def test_a_letter_of_five_is_read_however_it_is_written(
    template: str, letter: str, other: str
) -> None:
    question = replace(LETTER, answers=tuple("ABCDE"), options=tuple("vwxyz"))
    if letter != other:
        assert read(question, template.format(letter, other)).answer == "ABCDE".index(letter)


def test_the_problem_of_these_tests_is_as_it_says() -> None:
    assert PARCEL and SENTENCES[1].endswith("because the dog was angry.")
