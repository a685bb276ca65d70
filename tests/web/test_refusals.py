"""Requests that cannot be answered, and what the server says to them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

import httpx
import pytest

from horsesense.errors import ArgumentError, ModelError
from horsesense.web import serving
from tests.web.conftest import Clients, Models
from tests.web.served import Client

NAME = "gpt2"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"max_tokens": 2}, "at most one token"),
        ({"max_tokens": None}, "16 by default"),
        ({"temperature": 0.7}, "does not sample"),
        ({"n": 2}, "does not support n"),
        ({"stream": True}, "does not support stream"),
        ({"stop": ["."]}, "does not support stop"),
        ({"logit_bias": {"5": 1}}, "does not support logit_bias"),
        ({"best_off": 1}, "'best_off'"),
        ({"logprobs": 21}, "between 0 and 20"),
        ({"prompt_logprobs": -1}, "between 0 and 20"),
        ({"prompt": ""}, "no tokens"),
        ({"prompt": []}, "prompt must be"),
        ({"prompt": [[5], []]}, "no tokens"),
        ({"prompt": [60_000]}, "no token 60000"),
        ({"prompt": [-1]}, "no token -1"),
        ({"prompt": "a<|endoftext|>b"}, "token ids"),
        ({"prompt": [7] * 257}, "at most 256 tokens"),
        ({"prompt": "owl " * 300}, "never cuts"),
        ({"prompt": [7] * 256, "max_tokens": 1}, "one to generate"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_reason(
    clients: Clients, fields: dict[str, Any], words: str
) -> None:
    error = clients(NAME).refusal(422 if fields.get("prompt") == [] else 400, **fields)
    assert words in error["message"]
    assert error["type"] == "invalid_request_error"
    assert error["param"] == next(iter(fields))


@pytest.mark.parametrize(
    "fields",
    [
        {"prompt": 5},
        {"prompt": None},
        {"prompt": [True]},
        {"prompt": [1.5]},
        {"prompt": ["owl", 5]},
        {"prompt": [[5], "owl"]},
        {"prompt": [["owl"]]},
        {"max_tokens": "1"},
        {"max_tokens": True},
        {"max_tokens": 1.0},
        {"logprobs": True},
        {"logprobs": "1"},
        {"echo": 1},
        {"return_token_ids": "yes"},
        {"add_special_tokens": 0},
    ],
)
def test_a_field_of_the_wrong_type_is_named(clients: Clients, fields: dict[str, Any]) -> None:
    error = clients(NAME).refusal(422, **fields)
    assert error["param"] == next(iter(fields))


def test_fields_that_change_nothing_are_accepted(clients: Clients) -> None:
    neutral: dict[str, Any] = {
        "n": 1, "best_of": 1, "stream": False, "stop": None, "suffix": None, "temperature": 0.0,
        "top_p": 1.0, "presence_penalty": 0, "logit_bias": {}, "seed": 5, "user": "an owl",
    }  # fmt: skip
    assert clients(NAME).complete("Owls hoot.", **neutral) == clients(NAME).complete("Owls hoot.")


def test_another_model_is_not_here_and_the_own_one_is_listed(clients: Clients) -> None:
    error = clients(NAME).refusal(404, model="gpt5")
    assert "'gpt5'" in error["message"] and clients(NAME).name in error["message"]
    assert (error["code"], error["param"]) == ("model_not_found", "model")


def test_what_is_no_json_object_is_refused(clients: Clients) -> None:
    http = clients(NAME).http
    deep, long = b"[" * 200_000, b'{"prompt": [' + b"9" * 5000 + b"]}"
    for content, status in (
        (b"{", 400), (b"\xff", 400), (b"[]", 422), (b"", 400), (deep, 400), (long, 400)
    ):  # fmt: skip
        response = http.post("/v1/completions", content=content)
        assert response.status_code == status
        assert "message" in response.json()["error"]


def test_characters_that_cannot_be_written_are_refused(clients: Clients) -> None:
    http = clients(NAME).http
    for content in (b'{"prompt": "\\ud800"}', b'{"\\ud800": 1}', b'{"stop": "\\ud800"}'):
        response = http.post("/v1/completions", content=content)
        assert response.status_code in (400, 422)
        assert response.json()["error"]["message"]


def test_an_unknown_path_and_a_wrong_method_are_refused_alike(clients: Clients) -> None:
    http = clients(NAME).http
    for response, status in (
        (http.get("/v1/nothing"), 404),
        (http.post("/v1/chat/completions", json={}), 404),
        (http.get("/v1/completions"), 405),
    ):
        assert response.status_code == status
        assert "message" in response.json()["error"]


@pytest.fixture(scope="module")
def guarded(models: Models) -> Iterator[Client]:
    """A server with a token that reads little."""
    with serving(models(NAME), token="a secret", max_body_bytes=2000) as url:
        client = Client(url, models(NAME).info.name)
        with client.http:
            yield client


def test_a_token_is_needed_wherever_there_is_something_to_know(guarded: Client) -> None:
    for path in ("/v1/models", "/version"):
        assert guarded.http.get(path).status_code == 401
    for path in ("/v1/completions", "/tokenize", "/detokenize"):
        response = guarded.post(path)
        assert response.status_code == 401
        assert response.json()["error"]["type"] == "authentication_error"
        assert "a secret" not in response.text
    assert guarded.http.get("/health").status_code == 200


@pytest.mark.parametrize("given", ["Bearer a secre", "Bearer a secret2", "a secret", "Bearer"])
def test_a_wrong_token_is_no_token(guarded: Client, given: str) -> None:
    headers = {"Authorization": given}
    assert guarded.http.get("/v1/models", headers=headers).status_code == 401


def test_with_the_token_everything_is_answered(guarded: Client) -> None:
    headers = {"Authorization": "Bearer a secret"}
    assert guarded.http.get("/v1/models", headers=headers).status_code == 200


def test_a_large_body_is_refused_however_it_comes(guarded: Client) -> None:
    body = json.dumps({"model": guarded.name, "prompt": "o" * 3000, "max_tokens": 0}).encode()
    headers = {"Authorization": "Bearer a secret"}
    for content in (body, iter([body[:500], body[500:1000], body[1000:]])):
        try:
            response = guarded.http.post("/v1/completions", content=content, headers=headers)
        except httpx.WriteError:
            continue  # the server closed the connection before all was sent
        assert response.status_code == 413
        assert "2,000 bytes" in response.json()["error"]["message"]


@pytest.mark.parametrize("error", [ModelError("out of memory"), RuntimeError("a bug")])
def test_a_model_that_fails_is_the_fault_of_the_server(
    clients: Clients, models: Models, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> NoReturn:
        raise error

    monkeypatch.setattr(models(NAME), "answer", fail)
    refusal = clients(NAME).refusal(500, echo=True, logprobs=0)
    assert refusal["type"] == "server_error"
    monkeypatch.undo()
    assert clients(NAME).complete("Owls hoot.")[0]["text"] == "Owls hoot."


def test_other_machines_need_a_token(models: Models) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        with (
            pytest.raises(ArgumentError, match="HORSESENSE_SERVE_TOKEN"),
            serving(models(NAME), host=host),
        ):
            pass


def test_a_masked_model_cannot_be_served(models: Models) -> None:
    with pytest.raises(ArgumentError, match="for causal"), serving(models("bert")):
        pass
