"""The embedded default as a chat model, with real conversations."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from horsesense import load_dataset
from horsesense.models import EMBEDDED, ChatRequest, Message, Reply, load_model
from horsesense.models.huggingface.chat import HuggingFaceChat
from horsesense.schema import pose
from tests.embedded import embedded_default

OWLS = (Message("user", "Do owls hunt?"),)


@pytest.fixture(scope="module")
def embedded_chat() -> HuggingFaceChat:
    embedded_default()
    model = load_model(f"chat:{EMBEDDED}")
    assert isinstance(model, HuggingFaceChat)
    return model


def reply_of(model: HuggingFaceChat, request: ChatRequest) -> Reply:
    return next(reply for batch in model.ask([request]) for _, reply in batch)


def conversations() -> list[ChatRequest]:
    """Forty conversations of different lengths about real schemas."""
    entries = pose(load_dataset("hs-adversarial")).entries
    problems = [problem for entry in entries for problem in entry.problems][::9]
    draw = random.Random(5)
    requests = []
    for number, problem in enumerate(problems[:40]):
        options = [" / ".join(option) for option in problem.options]
        question = f"{problem.sentences[0].text}\nA: {options[0]}\nB: {options[1]}\nAnswer:"
        system = [Message("system", "Answer with one letter.")] if number % 3 else []
        messages = (*system, Message("user", question))
        requests.append(ChatRequest(messages, draw.choice((1, 3, 8)), draw.randint(0, 5)))
    return requests


def test_the_replies_of_the_embedded_default_do_not_depend_on_what_else_is_asked(
    embedded_chat: HuggingFaceChat,
) -> None:
    import torch

    requests = conversations()
    assert len(requests) == 40
    replies = dict(pair for batch in embedded_chat.ask(requests) for pair in batch)
    network = embedded_chat.engine.network
    for request in requests:
        reply, prompt = replies[request], embedded_chat.prompt_ids(request.messages)
        ids = [*prompt, *embedded_chat._ids(reply.text)]
        with torch.inference_mode():
            logits = network(input_ids=torch.tensor([ids]), use_cache=False).logits[0]
        log_probs = torch.log_softmax(logits[len(prompt) - 1 :], -1)
        values, best = log_probs.topk(2)
        # Closer than drift, either may be the most likely; none of these is.
        assert float((values[:, 0] - values[:, 1]).min()) > 1e-3
        texts = [embedded_chat._token_text(token) for token in best[:, 0].tolist()]
        assert [token.text for token in reply.tokens] == texts[: len(reply.tokens)]
        expected = values[: len(reply.tokens), 0].tolist()
        assert [token.log_prob for token in reply.tokens] == pytest.approx(expected, abs=1e-3)
        for token, row in zip(reply.tokens, log_probs, strict=False):
            tops = row.topk(request.top).values.tolist()
            assert [p for _, p in token.alternatives] == pytest.approx(tops, abs=1e-3)
        if reply.finish == "stop":
            assert texts[len(reply.tokens)] == "<|im_end|>"
        else:
            assert len(reply.tokens) == request.max_tokens


def test_the_embedded_default_has_a_template_and_answers(embedded_chat: HuggingFaceChat) -> None:
    assert embedded_chat.render(OWLS).endswith(
        "<|im_start|>user\nDo owls hunt?<|im_end|>\n<|im_start|>assistant\n"
    )
    assert embedded_chat.batching in ("", "tree")
    request = ChatRequest((Message("user", "What is the capital of France?"),), 20)
    reply = reply_of(embedded_chat, request)
    assert "Paris" in reply.text and "<" not in reply.text and reply.finish == "stop"
    assert reply_of(embedded_chat, replace(request, max_tokens=1)).finish == "length"
