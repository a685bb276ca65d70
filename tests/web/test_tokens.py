"""The paths besides completions: tokens, the model, the version."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from horsesense.web.spelling import spell
from tests.web.conftest import Clients, Models

each_model = pytest.mark.parametrize("name", ["gpt2", "llama-bos"])
TEXT = "The kite – 🪁 – sank."


@each_model
def test_a_text_is_tokenized_with_and_without_special_tokens(
    clients: Clients, models: Models, name: str
) -> None:
    model, client = models(name), clients(name)
    for specials in (True, False):
        ids = list(model.tokenize(TEXT, specials=specials).ids)
        answer = client.post(
            "/tokenize", model=client.name, prompt=TEXT, add_special_tokens=specials,
            return_token_strs=True,
        ).json()  # fmt: skip
        assert answer == {
            "count": len(ids),
            "max_model_len": 256,
            "tokens": ids,
            "token_strs": [model.token_text(token) for token in ids],
        }
    assert client.post("/tokenize", prompt=TEXT).json()["token_strs"] is None


@each_model
def test_ids_become_the_text_again(clients: Clients, models: Models, name: str) -> None:
    ids = list(models(name).tokenize(TEXT, specials=False).ids)
    assert clients(name).post("/detokenize", tokens=ids).json() == {"prompt": TEXT}
    assert clients(name).post("/detokenize", tokens=[50256]).json() == {"prompt": "<|endoftext|>"}


@pytest.mark.parametrize(
    ("path", "fields", "status"),
    [
        ("/tokenize", {"prompt": ["a"]}, 422),
        ("/tokenize", {}, 422),
        ("/tokenize", {"prompt": "a<|endoftext|>"}, 400),
        ("/tokenize", {"prompt": "a", "model": "gpt5"}, 404),
        ("/detokenize", {"tokens": "abc"}, 422),
        ("/detokenize", {"tokens": [True]}, 422),
        ("/detokenize", {"tokens": [60_000]}, 422),
        ("/detokenize", {"tokens": [5], "model": "gpt5"}, 404),
    ],
)
def test_what_has_no_tokens_is_refused(
    clients: Clients, path: str, fields: dict[str, object], status: int
) -> None:
    response = clients("gpt2").post(path, **fields)
    assert response.status_code == status
    assert response.json()["error"]["message"]


def test_the_model_is_listed_with_what_identifies_it(clients: Clients, models: Models) -> None:
    info = models("gpt2").info
    (listed,) = clients("gpt2").http.get("/v1/models").json()["data"]
    assert listed["id"] == info.name
    assert listed["max_model_len"] == info.context
    assert listed["fingerprint"] == info.fingerprint
    assert listed["horsesense_version"] == version("horsesense")


def test_the_server_names_itself(clients: Clients) -> None:
    http = clients("gpt2").http
    expected = {"version": version("horsesense"), "server": "horsesense"}
    assert http.get("/version").json() == expected
    assert http.get("/health").status_code == 200


@each_model
def test_no_two_tokens_are_written_alike(models: Models, name: str) -> None:
    spelling = spell(models(name))
    assert len(set(spelling.texts)) == len(spelling.texts) == models(name).info.vocabulary


@each_model
def test_the_tokens_of_a_text_add_up_to_it(models: Models, name: str) -> None:
    spelling = spell(models(name))
    for text in (TEXT, " a", "a  b", "\n\n", "naïve 鳶", "🪁🪁"):
        assert spelling.write(models(name).tokenize(text, specials=False).ids) == text
