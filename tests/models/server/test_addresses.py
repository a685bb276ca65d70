"""The names of models behind servers, and the addresses in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from horsesense.errors import ServerError
from horsesense.models import check_model, is_local, load_model, shown_name
from horsesense.models.server.addresses import Address, parse_address, split_url


@pytest.mark.parametrize("kind", ["openai", "vllm", "sglang", "llama.cpp", "chat"])
def test_a_name_has_a_kind_a_model_and_a_url(kind: str) -> None:
    name = f"{kind}:acme/ant:7b@http://127.0.0.1:8000/v1"
    assert parse_address(name) == Address(kind, "acme/ant:7b", "http://127.0.0.1:8000/v1")
    assert shown_name(name) == f"{kind}:acme/ant:7b"
    assert is_local(name)


@pytest.mark.parametrize("name", ["gpt2", "acme/ant", "random@7", "chat:smollm2-135m", "./a:b"])
def test_other_names_are_left_to_other_providers(name: str) -> None:
    assert parse_address(name) is None


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("vlm:ant@http://127.0.0.1:8000", "did you mean vllm?"),
        ("ollama:ant@http://127.0.0.1:8000", "did you mean|choose from openai, vllm"),
        ("vllm:ant", "needs a name and an address; write vllm:NAME@http"),
        ("vllm:ant@127.0.0.1:8000", "starts with http"),
        ("openai:@http://127.0.0.1:8000", "name of the model is missing"),
        ("openai:ant@http://", "address 'http://' of the server is not valid"),
        ("openai:ant@http://a b", "not valid"),
        ("openai:ant@http://127.0.0.1:port", "not valid"),
        ("openai:ant@http://127.0.0.1/#here", "after `#`"),
        ("chat:ant@https:/127.0.0.1", "starts with http"),
    ],
)
def test_malformed_names_are_explained(name: str, problem: str) -> None:
    with pytest.raises(ServerError, match=problem):
        check_model(name)


@pytest.mark.parametrize(
    "url",
    [
        "https://me:hush-hush@127.0.0.1",
        "https://hush-hush@127.0.0.1",
        "https://127.0.0.1/?key=hush-hush",
        "https://127.0.0.1/?hush-hush",
        "https://me:hush-hush@",
    ],
)
def test_secrets_in_an_address_are_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ServerError) as refusal:
        load_model(f"openai:ant@{url}")
    assert "hush" not in str(refusal.value)


@pytest.mark.parametrize(
    "name",
    [
        "a@http://x:hush-hush@127.0.0.1",
        "chat:a@http//127.0.0.1?k=hush-hush",
        "chat:a@HTTP://127.0.0.1?k=hush-hush",
        "a@https//127.0.0.1/?hush-hush",
        "a@http:hush-hush",
        "vllm:a@http//me:hush-hush@127.0.0.1",
    ],
)
def test_secrets_in_a_misspelt_address_are_not_repeated(name: str, tmp_path: Path) -> None:
    with pytest.raises(ServerError, match="; write (vllm|chat):NAME@http://127.0.0.1") as refusal:
        load_model(name, cache=tmp_path)
    assert "hush" not in str(refusal.value)


@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "/v1/completions", "/v1/chat/completions"])
def test_an_address_may_end_where_its_owner_likes(end: str) -> None:
    root = "http://127.0.0.1:8000/proxy"
    assert split_url(root + end) == (root, f"{root}/v1")


def test_an_interface_elsewhere_is_named_by_its_endpoint() -> None:
    url = "https://127.0.0.1/beta/openai/chat/completions"
    assert split_url(url)[1] == "https://127.0.0.1/beta/openai"


def test_a_revision_is_refused() -> None:
    with pytest.raises(Exception, match="has no revisions"):
        load_model("vllm:ant@http://127.0.0.1:9", revision="main")


def test_a_chat_model_without_a_server_is_not_ours(tmp_path: Path) -> None:
    assert not is_local("chat:no/such-model-anywhere", tmp_path)


def test_a_key_that_everybody_could_read_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HORSESENSE_API_KEY", "hush-hush")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    messages: list[str] = []
    with pytest.raises(ServerError, match="cannot be reached"):
        load_model("chat:ant@http://192.0.2.1", progress=messages.append)
    (message,) = messages
    assert "the key is sent to http://192.0.2.1 unencrypted" in message and "hush" not in message
