from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.models import Message, ReplyKind
from horsesense.schema import Mode, Problem, modes, problems
from horsesense.schema.notation import parse_grid
from horsesense.scoring.chat import (
    OWN_PROTOCOLS,
    Protocol,
    option_text,
    own_protocol,
    questions_about,
    read_question,
)
from tests.scoring.asked import CHOICES, FERRY, problem_of, questions_by, replied
from tests.strategies import brisk, grids, tame


def text_of(question_messages: tuple[Message, ...]) -> str:
    return question_messages[-1].content


@pytest.mark.parametrize("method", CHOICES)
def test_a_choice_is_asked_in_both_orders(method: str) -> None:
    first, second = questions_by(method, problem_of(FERRY))
    assert first.order == (0, 1) and second.order == (1, 0)
    texts = [text_of(question.request.messages) for question in (first, second)]
    assert texts[0].index("can\n") < texts[0].index("cannot\n")
    assert texts[1].index("can\n") > texts[1].index("cannot\n")
    assert all("A ferry ___ carry cars." in text for text in texts)


def test_even_numbers_of_options_are_reversed_and_with_odd_ones_the_middle_moves_too() -> None:
    seconds = {}
    for options in ("a*, b", "a*, b, c", "a*, b, c, d", "a*, b, c, d, e"):
        _, second = questions_by("letter", problem_of(f"<{options}> come last"))
        seconds[len(second.order)] = second.order
    assert seconds == {2: (1, 0), 3: (2, 0, 1), 4: (3, 2, 1, 0), 5: (4, 3, 1, 2, 0)}


def test_letters_go_with_the_options_as_they_are_shown() -> None:
    first, second = questions_by("letter", problem_of(FERRY))
    assert first.answers == ("A", "B") and second.answers == ("B", "A")
    assert "A. can\nB. cannot" in text_of(first.request.messages)
    assert "A. cannot\nB. can" in text_of(second.request.messages)


def test_each_sentence_is_judged_with_yes_and_no_in_both_orders() -> None:
    asked = questions_by("judge", problem_of(FERRY))
    assert [question.sentence for question in asked] == [0, 0, 1, 1]
    texts = [text_of(question.request.messages) for question in asked]
    assert [text.splitlines()[-1] for text in texts] == [
        "Answer yes or no.",
        "Answer no or yes.",
    ] * 2
    assert "A ferry cannot carry cars." in texts[2]


def test_twins_share_the_questions_about_the_sentences_they_share() -> None:
    keys = [
        question.request
        for problem in problems(parse_grid("{Ada, Bea} leads {Bea, Ada}, so <Ada, Bea> follows"))
        for question in questions_by("judge", problem)
    ]
    assert len(keys) == 8 == len(set(keys))
    by_key = problems(parse_grid(FERRY), Mode.BY_KEY)
    by_answer = problems(parse_grid(FERRY))
    asked = [
        {question.request for problem in some for question in questions_by("judge", problem)}
        for some in (by_key, by_answer)
    ]
    assert asked[0] == asked[1]


def test_alternatives_are_requested_where_an_answer_is_one_token() -> None:
    tops = {name: questions_by(name, problem_of())[0].request.top for name in OWN_PROTOCOLS}
    assert tops == {"letter": 20, "word": 0, "cloze": 0, "judge": 20}


def test_reasoning_takes_more_tokens_and_names_the_marker() -> None:
    for name in OWN_PROTOCOLS:
        plain = questions_by(name, problem_of())[0]
        reasoned = questions_by(f"{name}+reasoning", problem_of())[0]
        assert reasoned.request.max_tokens > plain.request.max_tokens
        assert '"Answer:"' in text_of(reasoned.request.messages)
        assert reasoned.is_reasoned and not plain.is_reasoned


def test_the_system_message_comes_first_if_there_is_one() -> None:
    letter = own_protocol("letter")
    asked = questions_about(replace(letter, system="Be brief."), problem_of(), examples=1)
    roles = [message.role for message in asked[0].request.messages]
    assert roles == ["system", "user", "assistant", "user"]
    assert asked[0].request.messages[0].content == "Be brief."
    assert questions_by("letter", problem_of())[0].request.messages[0].role == "user"


def example_messages(name: str, problem: Problem, count: int) -> tuple[Message, ...]:
    first, *others = questions_by(f"{name}@{count}", problem)
    opening = first.request.messages[:-1]
    assert all(question.request.messages[:-1] == opening for question in others)
    return opening


@pytest.mark.parametrize("name", OWN_PROTOCOLS)
def test_examples_are_turns_that_are_the_same_in_both_orders(name: str) -> None:
    opening = example_messages(name, problem_of(FERRY), 8)
    assert [message.role for message in opening] == ["user", "assistant"] * 8


def test_every_two_examples_have_one_right_answer_at_each_place() -> None:
    for name, places in {"letter": "ABBABAAB", "judge": "YNNYNYYN"}.items():
        opening = example_messages(name, problem_of(FERRY), 8)
        answers = [message.content[0].upper() for message in opening[1::2]]
        assert "".join(answers) == places


@pytest.mark.parametrize("name", OWN_PROTOCOLS)
@pytest.mark.parametrize("suffix", ["", "+reasoning"])
def test_the_answer_in_an_example_is_read_as_the_right_one(name: str, suffix: str) -> None:
    protocol = own_protocol(name)
    asked = questions_by(f"{name}@8{suffix}", problem_of(FERRY))[0]
    turns = asked.request.messages[:-1]
    for example, user, assistant in zip(protocol.examples, turns[::2], turns[1::2], strict=True):
        # The same text is asked about one of the example's problems, so find out which.
        matching = [
            (problem, question)
            for problem in example.problems
            for question in questions_by(f"{name}{suffix}", problem)
            if question.request.messages[-1] == user
        ]
        assert len(matching) == 1 or name == "judge"
        problem, question = matching[0]
        wanted = problem.right
        if question.sentence is not None:
            wanted = int(question.sentence != problem.right)
        assert read_question(replied(question, assistant.content)).answer == wanted


@pytest.mark.parametrize("name", OWN_PROTOCOLS)
def test_the_place_of_the_right_option_says_nothing_about_the_problem(name: str) -> None:
    opening = example_messages(name, problem_of(FERRY), 4)
    protocol = own_protocol(name)
    shown = [text_of((message,)) for message in opening[::2]]
    firsts = [
        any(
            question.request.messages[-1].content == text
            for question in questions_by(name, example.problems[0])
        )
        for text, example in zip(shown, protocol.examples, strict=False)
    ]
    assert name == "judge" or firsts == [True, True, False, False]


@pytest.mark.parametrize("name", OWN_PROTOCOLS)
def test_an_example_that_shares_a_sentence_with_the_problem_is_skipped(name: str) -> None:
    protocol = own_protocol(name)
    for number, example in enumerate(protocol.examples):
        others = [each for each in protocol.examples if each is not example]
        for problem in example.problems:
            asked = questions_about(protocol, problem, examples=8)
            expected = questions_about(
                replace(protocol, examples=tuple(others)), problem, examples=8
            )
            assert asked == expected
            turns = [message.content for message in asked[0].request.messages[:-1]]
            assert len(turns) == 14, number
            assert not any(each.text in turn for each in problem.sentences for turn in turns)


def test_no_blank_and_two_blanks_have_questions_of_their_own() -> None:
    pair = problem_of("<The hen laid an egg.*, The egg laid a hen.>")
    two = problem_of("<? cats, mice> hunt <mice, cats>")
    for name in CHOICES:
        without, both = (
            text_of(questions_by(name, each)[0].request.messages) for each in (pair, two)
        )
        assert "___" not in without and "The egg laid a hen." in without
        assert "two blanks" in both and "Cats / mice" in both


def test_more_options_than_letters_give_no_question() -> None:
    letter = replace(own_protocol("letter"), letters="AB")
    problem = problem_of("<? ants, bees, cows> come last")
    assert questions_about(letter, problem) == ()
    assert len(questions_about(replace(letter, letters="ABC"), problem)) == 2


def test_an_empty_phrase_is_shown_as_nothing() -> None:
    assert option_text(("", "owls")) == "(nothing) / owls"
    by_key = problems(parse_grid("it <did, did not> rain {, never}"), Mode.BY_KEY)[0]
    assert "A. (nothing)\nB. never" in text_of(questions_by("letter", by_key)[0].request.messages)


@brisk
@given(grids(tame), st.sampled_from(OWN_PROTOCOLS), st.sampled_from(["", "@2", "+reasoning"]))
def test_every_problem_has_questions_about_all_options_in_both_orders(
    grid: object, name: str, suffix: str
) -> None:
    for mode in modes(grid):  # type: ignore[arg-type]
        for problem in problems(grid, mode):  # type: ignore[arg-type]
            asked = questions_by(name + suffix, problem)
            count = len(problem.options)
            if own_protocol(name).kind is ReplyKind.VERDICT:
                assert len(asked) == 2 * count
            else:
                first, second = (question.order for question in asked)
                assert first == tuple(range(count)) == tuple(sorted(second))
                assert all(one != other for one, other in zip(first, second, strict=True))
                assert all(len(question.answers) == count for question in asked)
            assert len({question.request for question in asked}) == len(asked)


def placeholders(protocol: Protocol) -> list[str]:
    return [*protocol.questions, protocol.direct.instruction, protocol.reasoned.instruction]


def test_no_placeholder_is_left_in_a_question() -> None:
    for name in OWN_PROTOCOLS:
        assert any("{instruction}" in text for text in placeholders(own_protocol(name)))
        for suffix in ("@8", "@8+reasoning"):
            for question in questions_by(name + suffix, problem_of(FERRY)):
                assert not any("{" in message.content for message in question.request.messages)
