"""Chat models behind servers: scripted ones, and llama.cpp's own."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import ModelError, ServerError
from horsesense.models import (
    Budget,
    ChatModel,
    ChatRequest,
    Message,
    Reply,
    ReplyToken,
    ServerOptions,
    load_model,
)
from tests.servers.faulty import (
    Answer,
    FaultyServer,
    Request,
    Response,
    Script,
    faulty_proxy,
    faulty_server,
    refuses,
    resets,
    says,
)

pytestmark = pytest.mark.usefixtures("soon")

CHAT = "/v1/chat/completions"
USAGE = {"prompt_tokens": 20, "completion_tokens": 2}
LISTED = says({"data": [{"id": "ant", "created": 5, "owned_by": "vllm", "max_model_len": 512}]})
FACTS: Script = {"/v1/models": LISTED, "/version": says({"version": "0.32.0"})}


def asking(text: str, top: int = 0, settings: str = "{}") -> ChatRequest:
    messages = (Message("system", "Be brief."), Message("user", text))
    return ChatRequest(messages, 8, top, settings)


def replies(content: Any = "B.", finish: Any = "stop", **fields: Any) -> Answer:
    """An answer with one choice; fields are those of its message, besides these."""
    choice: dict[str, Any] = {"index": 0, "finish_reason": finish}
    if "logprobs" in fields:
        choice["logprobs"] = fields.pop("logprobs")
    answer = {name: fields.pop(name) for name in ("usage", "model") if name in fields}
    message = {"role": "assistant", "content": content, **fields}
    return says({"model": "ant", "choices": [{**choice, "message": message}], **answer})


def chat(server: FaultyServer, **options: Any) -> ChatModel:
    model = load_model(f"chat:ant@{server.url}", server=ServerOptions(**options))
    assert isinstance(model, ChatModel)
    return model


def reply_to(answer: Answer, request: ChatRequest) -> tuple[Reply, Any]:
    """The reply to a request, and the body that was sent."""
    with faulty_server({**FACTS, CHAT: answer}) as server:
        model = chat(server)
        ((pair,),) = model.ask([request])
        model.release()
        assert pair[0] == request
        return pair[1], server.sent_to(CHAT)[-1].json


def test_a_conversation_is_sent_as_it_is_with_the_most_likely_reply_asked_for() -> None:
    reply, body = reply_to(replies(usage=USAGE), asking("A or B?"))
    assert body == {
        "model": "ant",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "A or B?"},
        ],
        "max_tokens": 8,
        "temperature": 0,
        "seed": 0,
    }
    assert reply == Reply("B.", "stop", (), 20, 2)


def test_a_chat_model_is_described_without_its_address() -> None:
    with faulty_server({**FACTS, CHAT: replies()}) as server:
        model = chat(server)
        model.release()
    info = model.info
    assert (info.name, info.family, info.server) == ("chat:ant", "chat", "vllm 0.32.0")
    assert info.context == 512 and "127.0.0.1" not in repr(info) and model.is_served
    assert not server.sent_to(CHAT)


def test_log_probabilities_of_a_reply_are_kept_with_alternatives() -> None:
    content = [
        {"token": "B", "logprob": -0.5, "top_logprobs": [
            {"token": "B", "logprob": -0.5}, {"token": "A", "logprob": -1.0},
            {"token": "C", "logprob": -9999.0}]},
        {"token": ".", "logprob": -0.25, "top_logprobs": []},
        {"token": "<end>", "logprob": -0.1},
    ]  # fmt: skip
    reply, body = reply_to(replies(logprobs={"content": content}), asking("?", top=50))
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    assert reply.tokens == (
        ReplyToken("B", -0.5, (("B", -0.5), ("A", -1.0))),
        ReplyToken(".", -0.25),
    )


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_thoughts_are_kept_apart(name: str) -> None:
    content = [{"token": each, "logprob": -0.5} for each in ("Hm", " B", "?", "B")]
    answer = replies("B", logprobs={"content": content}, **{name: "Hm B?"})
    reply, _ = reply_to(answer, asking("?", top=1))
    assert reply.thoughts == "Hm B?" and [token.text for token in reply.tokens] == ["B"]


def listed(*tokens: str | tuple[str, list[int]]) -> dict[str, Any]:
    """Log-probabilities of tokens, some with their bytes."""
    pairs = [(each, None) if isinstance(each, str) else each for each in tokens]
    return {"content": [{"token": text, "bytes": b, "logprob": -0.5} for text, b in pairs]}


@pytest.mark.parametrize(
    ("text", "tokens", "kept"),
    [
        ("A", ["Z"], []),
        ("A", ["A", "</ANSWER>"], ["A"]),
        ("A", ["A", "B"], []),
        ("A", ["AB"], []),
        ("A", ["A", " is better", "</think>", "A", "", "<|end|>"], ["A"]),
        ("A", ["</think>", "\n\n", " A", "\n"], [" A", "\n"]),
        ("é A", ["A", "?", ("\ufffd", [195]), ("\ufffd", [169]), " A"],
         ["\ufffd", "\ufffd", " A"]),
        ("é A", ["A", "?", "\ufffd", "\ufffd", " A"], []),
        ("A", ["A", ("B", [300])], []),
        ("A", [("A", [])], []),
        ("", ["A", "?"], []),
        ("<b>", ["<b>", "<end>"], ["<b>"]),
    ],
)  # fmt: skip
def test_only_tokens_that_spell_the_text_are_kept(
    text: str, tokens: list[Any], kept: list[str]
) -> None:
    reply, _ = reply_to(replies(text, logprobs=listed(*tokens)), asking("?", top=1))
    assert [token.text for token in reply.tokens] == kept


@pytest.mark.parametrize(("other", "is_fine"), [(-1.0, True), (-0.932, True), (-0.923, False)])
def test_alternatives_are_not_more_probable_than_possible(other: float, is_fine: bool) -> None:
    entry = {"token": "B", "logprob": -0.5, "top_logprobs": [
        {"token": "B", "logprob": -0.5}, {"token": "A", "logprob": other}]}  # fmt: skip
    answer = replies("B", logprobs={"content": [entry]})
    if is_fine:
        assert reply_to(answer, asking("?", top=2))[0].tokens
        return
    with pytest.raises(ServerError, match="probabilities add up to 1.004; no reply of it"):
        reply_to(answer, asking("?", top=2))


def test_rounding_makes_no_log_probability_positive() -> None:
    answer = replies("B", logprobs={"content": [{"token": "B", "logprob": 1e-7}]})
    assert reply_to(answer, asking("?", top=1))[0].tokens == (ReplyToken("B", 0.0),)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (replies(None, "length"), Reply("", "length")),
        (replies("", None), Reply("", "")),
        (replies(None, "tool_calls", tool_calls=[{}]), Reply("", "tool_calls")),
        (replies("", "content_filter"), Reply("", "content_filter")),
        (replies(None, "stop", refusal="I can't."), Reply("I can't.", "refusal")),
        (replies([{"type": "text", "text": "B"}, {"text": "."}]), Reply("B.", "stop")),
        (replies("Zoë 😀\n"), Reply("Zoë 😀\n", "stop")),
        (replies(usage={"prompt_tokens": True, "completion_tokens": -1}), Reply("B.", "stop")),
        (replies(usage=[1]), Reply("B.", "stop")),
    ],
)  # fmt: skip
def test_replies_of_every_kind_are_read(answer: Answer, expected: Reply) -> None:
    assert reply_to(answer, asking("?"))[0] == expected


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (says({"choices": []}), r"without choices\[0\]"),
        (says({"choices": [{"text": "B."}]}), "without message"),
        (says({"choices": [{"message": "B."}]}), "a message that is not a JSON object"),
        (says([]), r"without choices\[0\]"),
        (replies(logprobs={"content": [{"token": "B", "logprob": 0.5}]}), "log-probability '0.5'"),
        (replies(logprobs={"content": [{"token": "B", "logprob": None}]}), "probability 'null'"),
        (replies(logprobs={"content": [{"token": "B", "logprob": float("nan")}]}), "'NaN'"),
        (replies(logprobs={"content": [5]}), "without token"),
    ],
)  # fmt: skip
def test_what_is_no_reply_is_an_error(answer: Answer, problem: str) -> None:
    with pytest.raises(ServerError, match=problem):
        reply_to(answer, asking("?", top=2))


def refusing(*settings: str) -> Answer:
    """Refuse these settings by name, as servers do; answer without them."""

    def answer(request: Request) -> Response:
        for name in settings:
            if name in request.json:
                hint = " Use 'max_completion_tokens' instead." if name == "max_tokens" else ""
                return refuses(400, f"Unsupported parameter: '{name}'.{hint}")(request)
        return replies()(request)

    return answer


@pytest.mark.parametrize(
    ("refused", "note"),
    [
        (["logprobs"], "the server refuses logprobs, so replies have no log-probabilities"),
        (["top_logprobs"], "the server refuses logprobs, so replies have no log-probabilities"),
        (["temperature"], "the server refuses a temperature, so replies are not always"),
        (["seed"], "the server refuses a seed"),
        (["max_tokens"], "the server wants max_completion_tokens instead of max_tokens"),
        (["max_tokens", "temperature", "logprobs", "seed"], "the server refuses a temperature"),
    ],
)
def test_a_refused_setting_is_left_out_from_then_on(refused: list[str], note: str) -> None:
    with faulty_server({**FACTS, CHAT: refusing(*refused)}) as server:
        model = chat(server)
        requests = [asking(f"Number {n}?", top=2) for n in range(4)]
        answered = [pair for batch in model.ask(requests) for pair in batch]
        model.release()
        bodies = [request.json for request in server.sent_to(CHAT)]
    assert {request for request, _ in answered} == set(requests)
    assert len(bodies) == len(requests) + len(refused)
    assert any(each.startswith(note) for each in model.dropped)
    if "max_tokens" in refused:
        assert bodies[-1]["max_completion_tokens"] == 8


def test_another_refusal_is_an_error() -> None:
    too_long = refuses(400, "max_tokens is too large for the context")
    with pytest.raises(ServerError, match="max_tokens is too large"):
        reply_to(too_long, asking("?"))


@pytest.mark.parametrize(
    "error",
    [
        {"message": "The response was filtered.", "code": "content_filter"},
        {"message": "Your prompt triggered the content management policy."},
        {"message": "Blocked by our content policy (seed)."},
    ],
)
def test_a_filtered_conversation_is_refused_and_the_others_are_not(error: dict[str, str]) -> None:
    def answer(request: Request) -> Response:
        is_filtered = "3?" in request.json["messages"][-1]["content"]
        return (says({"error": error}, 400) if is_filtered else replies())(request)

    with faulty_server({**FACTS, CHAT: answer}) as server:
        model = chat(server)
        requests = [asking(f"{n}?") for n in (3, 1, 2)]
        answered = dict(pair for batch in model.ask(requests) for pair in batch)
        model.release()
    assert answered[requests[0]] == Reply("", "content_filter")
    assert answered[requests[1]] == answered[requests[2]] == Reply("B.", "stop")


@pytest.mark.parametrize(
    "error",
    [
        {"message": "Too many tokens.", "code": "context_length_exceeded"},
        {"message": "This model's maximum context length is 512 tokens."},
    ],
)
def test_a_conversation_that_is_too_long_is_named(error: dict[str, str]) -> None:
    problem = "(Too many|maximum context).* ends with 'A or B\\?'; choose a model .* longer context"
    with pytest.raises(ServerError, match=problem):
        reply_to(says({"error": error}, 400), asking("A or B?"))


def test_settings_are_merged_and_null_leaves_one_out() -> None:
    settings = json.dumps({"temperature": None, "reasoning_effort": "low", "seed": 7})
    _, body = reply_to(replies(), asking("?", settings=settings))
    assert "temperature" not in body and (body["reasoning_effort"], body["seed"]) == ("low", 7)


@pytest.mark.parametrize("name", ["messages", "model", "stream", "n", "top_logprobs"])
def test_settings_cannot_change_what_is_asked(name: str) -> None:
    with pytest.raises(ModelError, match=f"'{name}' cannot be a setting of a chat model"):
        reply_to(replies(), asking("?", settings=json.dumps({name: 1})))


def test_a_dated_name_is_that_of_the_model() -> None:
    with faulty_server({**FACTS, CHAT: replies(model="ant-2026-01-01")}) as server:
        model = chat(server)
        list(model.ask([asking("?"), asking("!")]))
        model.release()
    assert model.dropped == ("the server answers as ant-2026-01-01",)


def test_all_replies_must_come_from_the_same_model() -> None:
    script: Script = {**FACTS, CHAT: [replies(model="ant-1"), replies(model="ant-2")]}
    with faulty_server(script) as server:
        model = chat(server)
        batches = model.ask([asking("?"), asking("!")])
        next(batches)
        with pytest.raises(ServerError, match="another model than before, 'ant-2' instead of 'an"):
            next(batches)
        model.release()


def test_a_later_run_asks_no_other_model_under_the_same_name(tmp_path: Path) -> None:
    for number, name in enumerate(("ant-2026-01-01", "ant-2026-01-01", "ant-2026-06-01")):
        with faulty_server({**FACTS, CHAT: replies(model=name)}) as server:
            model = load_model(f"chat:ant@{server.url}", cache=tmp_path)
            assert isinstance(model, ChatModel)
            if number < 2:
                assert list(model.ask([asking("?")]))
            else:
                problem = "'ant-2026-06-01' instead of 'ant-2026-01-01'; write chat:ant-2026-06-01@"
                with pytest.raises(ServerError, match=problem):
                    list(model.ask([asking("?")]))
            model.release()


def test_a_name_that_cannot_be_kept_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "answering").write_text("")
    messages: list[str] = []
    with faulty_server({**FACTS, CHAT: [replies(model="ant-1")] * 2}) as server:
        model = load_model(f"chat:ant@{server.url}", cache=tmp_path, progress=messages.append)
        assert isinstance(model, ChatModel)
        list(model.ask([asking("?"), asking("!")]))
        model.release()
    (message,) = messages
    assert "cannot be used" in message and model.dropped == ("the server answers as ant-1",)


def test_replies_before_a_failure_are_yielded() -> None:
    script: Script = {**FACTS, CHAT: [replies(), replies(), refuses(401)]}
    with faulty_server(script) as server:
        model = chat(server, concurrency=1)
        answered = []
        with pytest.raises(ServerError, match="HORSESENSE_API_KEY"):
            for batch in model.ask([asking(f"{n}?") for n in range(5)]):
                answered += batch
        model.release()
    assert len(answered) == 2


def test_requests_count_towards_the_budget_as_the_server_counts_them() -> None:
    budget = Budget()
    script: Script = {**FACTS, CHAT: [resets(replies(), 5), replies(usage=USAGE)]}
    with faulty_server(script) as server:
        model = chat(server, budget=budget)
        list(model.ask([asking("?")]))
        model.release()
    # The first answer was cut off, so nobody knows what it took.
    assert budget.requests == 2
    assert budget.prompt_tokens == 20 + model.count_prompt_tokens([asking("?")])
    assert budget.reply_tokens == 2 + 8


def test_conversations_are_reserved_as_the_server_counts_them() -> None:
    requests = [asking("?" * 40 * n) for n in range(1, 9)]
    sizes, budget = dict[str, int](), Budget(max_tokens=10**6)

    def answer(request: Request) -> Response:
        text = request.json["messages"][-1]["content"]
        sizes[text] = budget.prompt_tokens
        used = {"prompt_tokens": 3 * len(text), "completion_tokens": 1}
        return replies(usage=used)(request)

    with faulty_server({**FACTS, CHAT: answer}) as server:
        model = chat(server, budget=budget, concurrency=1)
        before, ratio = 0, 1.0
        for request in requests:
            list(model.ask([request]))
            text = request.messages[-1].content
            estimate = model.count_prompt_tokens([request])
            assert sizes[text] == before + math.ceil(estimate * ratio)
            counted = 3 * len(text) / estimate
            ratio = counted if not before else max(ratio, counted)
            before += 3 * len(text)
        model.release()
    assert budget.prompt_tokens == before


def test_requests_are_sent_one_by_one_until_the_server_has_counted() -> None:
    filtered = says({"error": {"message": "no", "code": "content_filter"}}, 400)
    together, most = [0], [0, 0]

    def answer(request: Request) -> Response:
        together[0] += 1
        is_first = len(server.sent_to(CHAT)) <= 3
        most[is_first] = max(most[is_first], together[0])
        time.sleep(0.02)
        together[0] -= 1
        is_filtered = len(server.sent_to(CHAT)) <= 2
        return (filtered if is_filtered else replies(usage=USAGE))(request)

    with faulty_server({**FACTS, CHAT: answer}) as server:
        model = chat(server, concurrency=4)
        assert sum(len(batch) for batch in model.ask([asking(f"{n}?") for n in range(12)])) == 12
        model.release()
    assert most[True] == 1 and most[False] > 1


@pytest.fixture
def llama_cpp_chat(llama_cpp_url: str) -> Iterator[ChatModel]:
    """The embedded default behind llama.cpp's own server."""
    model = load_model(f"chat:smollm2-135m@{llama_cpp_url}")
    assert isinstance(model, ChatModel)
    yield model
    model.release()


def test_a_real_server_replies_with_log_probabilities(llama_cpp_chat: ChatModel) -> None:
    requests = [asking(f"Is {n} even? Answer yes or no.", top=5) for n in range(8)]
    answered = {
        request: reply for batch in llama_cpp_chat.ask(requests) for request, reply in batch
    }
    assert set(answered) == set(requests)
    for reply in answered.values():
        assert reply.finish in ("stop", "length") and reply.text
        assert "".join(token.text for token in reply.tokens) == reply.text
        assert reply.prompt_tokens and reply.reply_tokens and 1 <= reply.reply_tokens <= 8
        for token in reply.tokens:
            assert len(token.alternatives) == 5
            assert token.log_prob == pytest.approx(max(p for _, p in token.alternatives))


def test_a_real_server_is_described(llama_cpp_chat: ChatModel) -> None:
    assert re.fullmatch(r"llama\.cpp( b\d+)?", llama_cpp_chat.info.server)
    assert llama_cpp_chat.dropped == ()


def test_a_proxy_that_fails_often_changes_no_reply(
    llama_cpp_chat: ChatModel, llama_cpp_url: str
) -> None:
    # What is in its cache, and which requests come together, changes the server's numbers a bit.
    alone = '{"cache_prompt": false}'
    requests = [asking(f"Say {n}.", settings=alone) for n in range(10)]
    direct = dict(
        pair for each in requests for batch in llama_cpp_chat.ask([each]) for pair in batch
    )
    with faulty_proxy(llama_cpp_url, share=0.3, seed=5) as proxy:
        options = ServerOptions(retries=20, concurrency=1)
        model = load_model(f"chat:smollm2-135m@{proxy.url}", server=options)
        assert isinstance(model, ChatModel)
        through = dict(pair for batch in model.ask(requests) for pair in batch)
        model.release()
    assert proxy.failed and through.keys() == direct.keys()
    assert [through[each].text for each in requests] == [direct[each].text for each in requests]
