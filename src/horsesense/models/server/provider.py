"""The provider of models behind a server: it reads their names, and loads the right class."""

from __future__ import annotations

from pathlib import Path

from horsesense.models.loading import LoadOptions, ModelProvider
from horsesense.models.protocol import Model
from horsesense.models.server.addresses import Address, is_loopback, parse_address
from horsesense.models.server.keys import load_key


def load_served(name: str, options: LoadOptions) -> Model | None:
    """Load the model of a name such as `vllm:NAME@URL`; None for names without a server.

    The server is asked about the model, and tried with a few texts.
    """
    address = parse_address(name)
    if address is None:
        return None
    if address.url.startswith("http://") and not is_loopback(address.url) and load_key(address.url):
        options.progress(
            f"warning: the key is sent to {address.url} unencrypted, as the address starts with"
            " http://; use https:// if the server has it"
        )
    return _load(address, options)


def _load(address: Address, options: LoadOptions) -> Model:
    """Load the class of the kind, which nothing else needs."""
    model, url = address.model, address.url
    match address.kind:
        case "vllm":
            from horsesense.models.server.vllm import Vllm

            return Vllm(model, url, options)
        case "sglang":
            from horsesense.models.server.sglang import SGLang

            return SGLang(model, url, options)
        case "llama.cpp":
            from horsesense.models.server.llama_cpp import LlamaCpp

            return LlamaCpp(model, url, options)
        case "chat":
            from horsesense.models.server.chat import ServedChat

            return ServedChat(model, url, options)
        case _:
            from horsesense.models.server.openai import OpenAI

            return OpenAI(model, url, options)


def _is_served(name: str, cache: Path) -> bool | None:
    """Return True for names with a server, as nothing has to be fetched for them."""
    return None if parse_address(name) is None else True


def _check(name: str, cache: Path) -> None:
    parse_address(name)


PROVIDER = ModelProvider(
    "server", "models behind a server", load_served, is_local=_is_served, check=_check
)
