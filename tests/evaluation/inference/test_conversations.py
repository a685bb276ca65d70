from __future__ import annotations

from math import log

import pytest

from horsesense.evaluation.inference import (
    Conversation,
    Explanation,
    ObservedProblem,
    explain,
    score,
    score_observed,
    spelling_of,
)
from horsesense.models import ChatObservation, ChatRequest, Family, Reply, ReplyToken
from horsesense.scoring import find_method
from tests.evaluation.inference.talker import Respond, Talker, says
from tests.evaluation.inference.word_model import WordModel
from tests.scoring.asked import FERRY, problem_of

CARS, PLANETS = "A ferry can carry cars.", "A ferry cannot carry cars."


def explained(respond: Respond, *methods: str, notation: str = FERRY) -> Explanation:
    chosen = [find_method(name, Family.CHAT) for name in methods]
    (observed,) = score(Talker(respond), [problem_of(notation)], chosen)
    return explain(observed, str)


def conversation(respond: Respond, method: str, notation: str = FERRY) -> Conversation:
    (only,) = explained(respond, method, notation=notation).conversations
    return only


def the_letter_of(option: str) -> Respond:
    """Reply with the letter under which an option is shown."""

    def respond(request: ChatRequest) -> Reply:
        lines = request.messages[-1].content.splitlines()
        (letter,) = (line[0] for line in lines if line.endswith(f". {option}"))
        return Reply(letter, "stop")

    return respond


def test_every_message_and_reply_is_shown_as_it_was_sent() -> None:
    shown = conversation(lambda request: Reply(" A.\n ", "stop", thoughts="Hm."), "letter@2")
    first, second = shown.exchanges
    assert [message.role for message in first.messages] == ["user", "assistant"] * 2 + ["user"]
    assert first.messages[-1].content.index("A. can\n") < first.messages[-1].content.index("B. ")
    assert (first.reply, first.finish, first.thoughts) == (" A.\n ", "stop", "Hm.")
    assert first.shown == ("A. can", "B. cannot") and second.shown == ("A. cannot", "B. can")
    assert (first.written, second.written) == ("A. can", "A. cannot")


@pytest.mark.parametrize(
    ("respond", "method", "summary"),
    [
        (the_letter_of("can"), "letter", "“can”: it is chosen in both orders"),
        (says("A"), "letter", "undecided: the choice follows the position, the first option in"),
        (says("B"), "letter", "undecided: the choice follows the position, the last option in"),
        (says("can"), "cloze", "“can”: it is chosen in both orders"),
        (says("owl"), "letter", "undecided: a reply is unparsable"),
        (says("I cannot say."), "letter", "undecided: a reply is refused"),
        (says("yes"), "judge", "undecided: every sentence is called sensible"),
        (says("no"), "judge", "undecided: no sentence is called sensible"),
    ],
)
def test_what_the_replies_come_to_is_said_in_words(
    respond: Respond, method: str, summary: str
) -> None:
    assert conversation(respond, method).summary.startswith(summary)


def test_different_faults_are_all_named() -> None:
    replies = iter([Reply("I cannot say.", "stop"), Reply("so", "length")])
    shown = conversation(lambda request: next(replies), "letter")
    assert [exchange.fault for exchange in shown.exchanges] == ["refused", "truncated"]
    assert shown.summary == "undecided: a reply is refused and one is truncated"
    assert shown.tags == ("refused", "truncated")


def test_a_verdict_is_about_a_sentence() -> None:
    def respond(request: ChatRequest) -> Reply:
        return Reply("yes" if CARS in request.messages[-1].content else "no", "stop")

    shown = conversation(respond, "judge")
    assert [each.sentence for each in shown.exchanges] == [CARS, CARS, PLANETS, PLANETS]
    assert [each.shown for each in shown.exchanges] == [("yes", "no"), ("no", "yes")] * 2
    assert shown.summary == "“can”: only the sentence with it is called sensible in both orders"


def test_a_verdict_that_follows_the_order_of_the_words_names_no_place() -> None:
    def respond(request: ChatRequest) -> Reply:
        text = request.messages[-1].content
        return Reply("yes" if text.rfind("yes") < text.rfind("no") else "no", "stop")

    assert conversation(respond, "judge").summary == "undecided: the choice follows the position"


def test_the_most_likely_answer_is_shown_beside_the_written_one() -> None:
    alternatives = (("A", log(0.2)), ("B", log(0.6)), ("so", log(0.1)))
    token = ReplyToken("A", log(0.2), alternatives)
    shown = conversation(lambda request: Reply("A", "stop", (token,)), "letter")
    first = shown.exchanges[0]
    assert first.probabilities == pytest.approx((0.25, 0.75))
    assert (first.written, first.preferred) == ("A. can", "B. cannot")
    assert shown.summary.endswith("; the most likely answer counts, and another one is written")


def test_a_problem_that_a_method_cannot_ask_about_has_no_conversation() -> None:
    problem, letter = problem_of(FERRY), find_method("letter", Family.CHAT)
    observed = ObservedProblem(problem, (ChatObservation({"letter": ()}),) * 2)
    shown = explain(score_observed(observed, [letter]), str)
    assert shown.conversations == ()
    assert any(remark.startswith("letter: undefined") for remark in shown.remarks)


def test_replies_and_not_a_tie_leave_a_problem_undecided() -> None:
    shown = explained(says("A"), "letter")
    assert not any("a tie" in remark for remark in shown.remarks)
    assert shown.grid.columns == ()


def test_only_language_models_spell_tokens() -> None:
    assert spelling_of(Talker(says("A"))) is str
    model = WordModel()
    token = model.tokenize("owl").ids[0]
    assert spelling_of(model)(token) == model.token_text(token)
