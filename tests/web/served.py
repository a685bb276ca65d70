"""Clients of a server in tests, and a slow reference for what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import httpx

Json: TypeAlias = Any


class Client:
    """A program that uses a server."""

    def __init__(self, url: str, name: str, **options: Any) -> None:
        self.http = httpx.Client(base_url=url, timeout=60, trust_env=False, **options)
        self.name = name

    def post(self, path: str, **fields: Json) -> httpx.Response:
        return self.http.post(path, json=fields)

    def complete(self, prompt: Json, **fields: Json) -> Json:
        """The choices for prompts, scored unless the fields say otherwise."""
        scoring = {"echo": True, "logprobs": 0, "max_tokens": 0}
        fields = {"model": self.name, "prompt": prompt} | scoring | fields
        response = self.post("/v1/completions", **fields)
        assert response.status_code == 200, response.text
        return response.json()["choices"]

    def refusal(self, status: int, **fields: Json) -> Json:
        """The error in the answer to a request that must fail."""
        fields = {"model": self.name, "prompt": "Owls hoot.", "max_tokens": 0} | fields
        response = self.post("/v1/completions", **fields)
        assert response.status_code == status, response.text
        (error,) = response.json().values()
        assert set(error) == {"message", "type", "param", "code"}
        return error


class Reference:
    """The model in a folder as transformers loads it, one text at a time, nothing shared."""

    def __init__(self, folder: Path) -> None:
        import transformers

        network: Any = transformers.AutoModelForCausalLM.from_pretrained(folder)
        self.network = network.eval()
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    @cache  # noqa: B019
    def log_probs(self, ids: tuple[int, ...]) -> list[list[float]]:
        """The log-probability of every token of the vocabulary after each of these."""
        import torch

        with torch.inference_mode():
            logits = self.network(input_ids=torch.tensor([ids])).logits[0].float()
            rows: list[list[float]] = torch.log_softmax(logits, -1).tolist()
        return rows

    def scores(self, ids: Sequence[int]) -> list[float | None]:
        """The log-probability of each token, None for the first."""
        rows = self.log_probs(tuple(ids))
        return [None, *(rows[at][token] for at, token in enumerate(ids[1:]))]

    def ranking(self, ids: Sequence[int], at: int, count: int) -> list[int]:
        """The most probable tokens after the token at that place."""
        row = self.log_probs(tuple(ids))[at]
        return sorted(range(len(row)), key=lambda token: -row[token])[:count]
