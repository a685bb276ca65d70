from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

import pytest

from horsesense.evaluation.inference import Finding, Health, examine
from horsesense.evaluation.inference.doctor import CANARIES
from horsesense.models import ChatModel, ChatRequest, Family, ModelInfo, Replies, Reply, ReplyToken
from tests.evaluation.inference.talker import Respond, Talker, says

GREETING = "Say hello."
SERVED = ModelInfo("chat:talker", Family.CHAT, "", server="vllm 0.32.0")


def findings(model: ChatModel) -> dict[str, Finding]:
    """The findings by check, with a clock that moves a second at every look."""
    seconds = count()
    return {each.check: each for each in examine(model, clock=lambda: float(next(seconds)))}


def plainly(request: ChatRequest) -> Reply:
    """Choose the plain words, or greet back."""
    content = request.messages[-1].content
    if content == GREETING:
        return Reply("Hello!", "stop")
    plain = [canary.partition("<")[2].partition("*,")[0] for canary in CANARIES]
    (letter,) = (
        line[0] for line in content.splitlines() if any(line[1:] == f". {words}" for words in plain)
    )
    return Reply(letter, "stop", (ReplyToken(letter, -0.1, ((letter, -0.1), ("so", -3.0))),))


def test_a_sound_chat_model_passes_every_check() -> None:
    checks = findings(Talker(plainly))
    assert {finding.verdict for finding in checks.values()} == {Health.OK}
    assert checks["letters"].text == "12 of 12 replies give the letter that was asked for"
    assert checks["canaries"].text.startswith("chooses 6 of 6 plain phrases")
    assert checks["speed"].text == "about 12.0 requests a second"
    assert list(checks)[:4] == ["context", "memory", "template", "reply"]


def test_what_a_server_says_is_shown_instead_of_files() -> None:
    checks = findings(Talker(plainly, info=SERVED, is_behind_server=True))
    assert checks["server"].text == "vllm 0.32.0"
    assert checks["template"].text == "applied by the server"
    assert checks.keys().isdisjoint({"memory", "context", "batching"})
    assert "not reported" in findings(Talker(plainly))["batching"].text
    unknown = replace(SERVED, server="", context=64)
    checks = findings(Talker(plainly, info=unknown, is_behind_server=True))
    assert checks["server"].text == "it does not say what it is"
    assert checks["context"].verdict is Health.WARNING


def greeting(**fields: object) -> Respond:
    """Reply to the greeting with these fields, and otherwise soundly."""

    def respond(request: ChatRequest) -> Reply:
        reply = plainly(request)
        is_greeting = request.messages[-1].content == GREETING
        return replace(reply, **fields) if is_greeting else reply  # type: ignore[arg-type]

    return respond


@pytest.mark.parametrize(
    ("respond", "check", "verdict", "text"),
    [
        (greeting(text=" \n"), "reply", Health.FAILURE, "is empty (finish: stop)"),
        (greeting(text="so " * 40), "reply", Health.OK, "so…”"),
        (greeting(tokens=()), "probabilities", Health.OK, "none with replies"),
        (greeting(tokens=(ReplyToken("Hi", -1.0),)), "probabilities", Health.OK, "no alternatives"),
        (
            greeting(tokens=(ReplyToken("Hi", -1.0, (("Hi", -1.0),)),)),
            "probabilities",
            Health.OK,
            "with 1 alternatives",
        ),
        (greeting(tokens=(ReplyToken("Hi", 0.5),)), "probabilities", Health.FAILURE, "than 0"),
        (
            greeting(tokens=(ReplyToken("Hi", float("nan")),)),
            "probabilities",
            Health.FAILURE,
            "NaN",
        ),
        (says("so"), "letters", Health.WARNING, "0 of 12 replies give the letter"),
        (says("A"), "canaries", Health.WARNING, "6 choices follow the order"),
    ],
)
def test_faults_are_found(respond: Respond, check: str, verdict: Health, text: str) -> None:
    finding = findings(Talker(respond))[check]
    assert finding.verdict is verdict and text in finding.text
    assert bool(finding.remedy) == (verdict is not Health.OK)


def test_replies_that_change_are_found() -> None:
    numbers = count()
    checks = findings(Talker(lambda request: Reply(f"A {next(numbers)}", "stop")))["repetition"]
    assert checks.verdict is Health.WARNING and "get 4 other replies" in checks.text


def test_requests_without_a_reply_stop_the_examination() -> None:
    class Silent(Talker):
        def ask(self, requests: Sequence[ChatRequest]) -> Iterator[Replies]:
            heard = [each for each in requests if each.messages[-1].content == GREETING]
            yield from super().ask(heard)

    checks = findings(Silent(plainly))
    assert checks["replies"].text == "12 of 12 requests got no reply"
    assert "speed" not in checks
