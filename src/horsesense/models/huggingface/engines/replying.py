"""The engine of chat models: greedy replies to many conversations at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from horsesense.models.huggingface.self_tests import SelfTests
from horsesense.models.loading import DEFAULT_BYTES
from horsesense.models.protocol import ModelInfo


@dataclass(frozen=True, slots=True)
class Prompt:
    """The tokens of a conversation, the limit of its reply, and the number of alternatives."""

    ids: tuple[int, ...]
    limit: int
    top: int = 0


@dataclass(slots=True)
class Generated:
    """The tokens of a reply, with their log-probabilities and those of alternatives."""

    ids: list[int] = field(default_factory=list)
    log_probs: list[float] = field(default_factory=list)
    alternatives: list[tuple[tuple[int, float], ...]] = field(default_factory=list)
    is_complete: bool = False


class ReplyEngine:
    """Continue prompts with the most likely tokens."""

    def __init__(
        self,
        network: Any,
        info: ModelInfo,
        *,
        stops: frozenset[int],
        budget_bytes: int = DEFAULT_BYTES,
        batch: int | None = None,
        self_tests: SelfTests | None = None,
    ) -> None:
        self.network, self.info = network, info
        self.self_tests = self_tests or SelfTests()
        self._stops = stops
        self.batching, self.fallback_reason = "single", ""

    def reply(self, prompts: Sequence[Prompt]) -> Iterator[list[tuple[int, Generated]]]:
        """Yield batches of replies, each with the position of its prompt."""
        for at, prompt in enumerate(prompts):
            yield [(at, self.reply_singly(prompt))]

    def reply_singly(self, prompt: Prompt) -> Generated:
        """Reply to one prompt; each token is computed from all tokens before it."""
        reply = Generated()
        device = self.network.device
        with torch.inference_mode():
            while len(reply.ids) < prompt.limit and not reply.is_complete:
                ids = torch.tensor([[*prompt.ids, *reply.ids]], device=device)
                logits = self.network(input_ids=ids, use_cache=False).logits[0, -1]
                self._append(reply, prompt, logits)
        return reply

    def _append(self, reply: Generated, prompt: Prompt, logits: Tensor) -> None:
        log_probs = torch.log_softmax(logits.float(), -1)
        # Torch's argmax may return any of several equal maxima.
        token = int((log_probs == log_probs.max()).nonzero()[0])
        if token in self._stops:
            reply.is_complete = True
            return
        reply.ids.append(token)
        reply.log_probs.append(float(log_probs[token]))
        values, others = log_probs.topk(prompt.top)
        reply.alternatives.append(tuple(zip(others.tolist(), values.tolist(), strict=True)))
