"""The addresses of servers, and the names of models behind them, such as `vllm:NAME@URL`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

import httpx

from horsesense.errors import ServerError

KINDS = ("openai", "vllm", "sglang", "llama.cpp", "chat")
_NAME = re.compile(r"(?P<kind>[\w.+-]+):(?P<model>.*?)@(?P<url>https?://.*)", re.DOTALL)
_ENDPOINT = re.compile(r"/(chat/)?completions$")
_LOOPBACK = re.compile(r"localhost|127\.[0-9.]+|\[?::1\]?")


class Address(NamedTuple):
    """Where a model is served: the kind of interface, its name there, and the server's URL."""

    kind: str
    model: str
    url: str


def parse_address(name: str) -> Address | None:
    """Return the address in the name of a model; None if it names no server.

    >>> parse_address("vllm:acme/ant-7b@http://127.0.0.1:8000/v1")
    Address(kind='vllm', model='acme/ant-7b', url='http://127.0.0.1:8000/v1')
    >>> parse_address("gpt2")
    """
    kind, colon, rest = name.partition(":")
    match = _NAME.fullmatch(name)
    if match is None:
        if colon and kind in KINDS and kind != "chat":
            raise ServerError(_incomplete(kind, rest))
        if re.search("@http", name, re.IGNORECASE):
            # No other provider may show the name, as there may be a secret in the address.
            raise ServerError(_incomplete(kind if kind in KINDS else "vllm", rest))
        return None
    kind, model, url = match["kind"], match["model"], match["url"]
    if kind not in KINDS:
        similar = get_close_matches(kind, KINDS, n=1)
        hint = f"did you mean {similar[0]}?" if similar else f"choose from {', '.join(KINDS)}"
        raise ServerError(f"no kind of server named {kind!r}; {hint}")
    if not model.strip():
        raise ServerError(_incomplete(kind, rest))
    check_url(url)
    return Address(kind, model, url)


def _incomplete(kind: str, rest: str) -> str:
    """Return what is wrong with a name, and how to write it, without the address in it."""
    example = f"{kind}:NAME@http://127.0.0.1:8000"
    model, at, url = rest.rpartition("@")
    if at and not model:
        return f"the name of the model is missing before @; write {example}"
    if at and "://" not in url:
        return f"the address of a server starts with http:// or https://; write {example}"
    return f"a model behind a server needs a name and an address; write {example}"


def check_url(url: str) -> None:
    """Raise an error if the URL is malformed or holds a secret."""
    # The URL itself is not quoted if it may hold a secret.
    remedy = "put the key into the environment variable HORSESENSE_API_KEY"
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        parsed = None
    if parsed is None or not parsed.host or re.search(r"\s", url):
        shown = "" if "@" in url or "?" in url else f" {url!r}"
        raise ServerError(
            f"the address{shown} of the server is not valid; write it as in http://127.0.0.1:8000"
        )
    if parsed.userinfo or "@" in url:
        raise ServerError(f"the address of the server has a user or a password in it; {remedy}")
    if parsed.query or "?" in url:
        raise ServerError(
            f"the address of the server has a query after `?`; leave it out; {remedy}"
        )
    if "#" in url:
        raise ServerError("the address of the server has a part after `#`; leave it out")


def split_url(url: str) -> tuple[str, str]:
    """Return the root of a server, and where its OpenAI-like interface is.

    >>> split_url("http://127.0.0.1:8000/v1/chat/completions")
    ('http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1')
    >>> split_url("http://127.0.0.1:8000/"), split_url("https://127.0.0.1/api/completions")[1]
    (('http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'), 'https://127.0.0.1/api')
    """
    whole = url.rstrip("/")
    api = _ENDPOINT.sub("", whole).rstrip("/")
    root = api.removesuffix("/v1").rstrip("/")
    is_explicit = api != whole or root != api
    return root, api if is_explicit else f"{root}/v1"


def is_loopback(url: str) -> bool:
    """Return whether the server is on this machine.

    >>> is_loopback("http://localhost:8000"), is_loopback("https://192.0.2.1")
    (True, False)
    """
    return bool(_LOOPBACK.fullmatch(httpx.URL(url).host))
