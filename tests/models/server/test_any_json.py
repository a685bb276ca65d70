"""Whatever a server returns in place of an answer, the error is ours, and no wrong value passes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from horsesense.errors import ModelError
from horsesense.models import (
    ChatModel,
    ChatRequest,
    LanguageModel,
    Message,
    causal_query,
    load_model,
)
from horsesense.models.huggingface.model import HuggingFaceModel
from tests.servers.faulty import Request, Response, faulty_server, forwards, says

pytestmark = pytest.mark.usefixtures("soon", "one_thread")

# JSON of every kind, with the values and the names that answers have.
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, -1, -9999, 10**400, -(10**400), 1e308, float("nan"), float("inf")])
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["\ud800", "\x1b[31m", "x" * 1000])
)
NAMES = st.sampled_from(["tokens", "token_logprobs", "logprob", "token", "message", "content", "7"])
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner), max_leaves=6
)


def places(content: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path to each part of some JSON, and to the whole."""
    yield path
    if isinstance(content, dict | list):
        for key in content if isinstance(content, dict) else range(len(content)):
            yield from places(content[key], (*path, key))


def replaced(content: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return a copy with another value at a path."""
    if not path:
        return value
    copy = deepcopy(content)
    parent = copy
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return copy


@dataclass
class Spoiler:
    """A server whose next answer on one path is spoiled."""

    forward: Callable[[Request], Response]
    spoil: Callable[[Any], Any] = field(default=lambda content: content)

    def answer(self, request: Request) -> Response:
        response = self.forward(request)
        if request.method == "GET":
            return response
        return says(self.spoil(json.loads(response.body)))(request)


FUZZED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture(params=["openai", "vllm"])
def spoiled_model(
    request: pytest.FixtureRequest, small_model: HuggingFaceModel, small_url: str, tmp_path: Path
) -> Iterator[tuple[LanguageModel, Spoiler]]:
    spoiler = Spoiler(forwards(small_url))
    with faulty_server({"*": spoiler.answer}) as server:
        name = f"{request.param}:{small_model.info.name}@{server.url}"
        model = load_model(name, cache=tmp_path)
        assert isinstance(model, LanguageModel)
        yield model, spoiler
        model.release()


def spoil_at(number: int, value: Any) -> Callable[[Any], Any]:
    """Replace the part of an answer with that number, counted around."""

    def spoil(content: Any) -> Any:
        paths = [*places(content)]
        return replaced(content, paths[number % len(paths)], value)

    return spoil


@given(JSON, st.integers(0, 10_000))
@FUZZED
def test_a_value_of_any_kind_anywhere_is_recognized_or_changes_nothing(
    spoiled_model: tuple[LanguageModel, Spoiler],
    small_model: HuggingFaceModel,
    value: Any,
    number: int,
) -> None:
    model, spoiler = spoiled_model
    query = causal_query(small_model.tokenize("The goat ate oats.").ids)
    expected = small_model.answer_singly(query)
    spoiler.spoil = spoil_at(number, value)
    try:
        ((_, values),) = (pair for batch in model.answer([query]) for pair in batch)
    except ModelError as error:
        assert str(error)
        return
    # A number that could be a log-probability cannot be told from the one it replaces.
    differing = sum(a != pytest.approx(b, abs=1e-4) for a, b in zip(values, expected, strict=True))
    assert differing <= 1


@given(JSON, st.integers(0, 10_000))
@FUZZED
def test_a_text_tokenized_by_anything_is_recognized_or_whole(
    spoiled_model: tuple[LanguageModel, Spoiler], value: Any, number: int
) -> None:
    model, spoiler = spoiled_model
    spoiler.spoil = spoil_at(number, value)
    try:
        tokenization = model.tokenize("The goat ate oats.")
    except ModelError:
        return
    assert tokenization.ends[-1] == len(tokenization.text)


CHAT = {
    "model": "ant",
    "choices": [
        {
            "finish_reason": "stop",
            "message": {"content": "B", "reasoning": "hm", "refusal": None},
            "logprobs": {
                "content": [
                    {"token": "B", "logprob": -0.5, "top_logprobs": [{"token": "A", "logprob": -1}]}
                ]
            },
        }
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 1},
}


@given(JSON, st.sampled_from([*places(CHAT)]))
@FUZZED
def test_a_reply_with_anything_in_it_is_an_error_or_can_be_stored(
    value: Any, path: tuple[Any, ...]
) -> None:
    request = ChatRequest((Message("user", "A or B?"),), 4, top=2)
    with faulty_server({"*": says(replaced(CHAT, path, value))}) as server:
        model = load_model(f"chat:ant@{server.url}")
        assert isinstance(model, ChatModel)
        try:
            ((pair,),) = model.ask([request])
            pair[1].content.encode()
            assert all(token.log_prob <= 1e-6 for token in pair[1].tokens)
            assert (pair[1].prompt_tokens or 0) < 1 << 53
        except ModelError as error:
            str(error).encode()
        finally:
            model.release()
