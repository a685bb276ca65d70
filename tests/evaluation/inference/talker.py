"""A chat model for tests: a function replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from horsesense.models import ChatModel, ChatRequest, Family, ModelInfo, Replies, Reply

Respond = Callable[[ChatRequest], Reply]


def says(text: str) -> Respond:
    """Reply with the same text to everything."""
    return lambda request: Reply(text, "stop")


@dataclass(repr=False)
class Talker(ChatModel):
    """A model that replies by a function, in batches of three; every request is counted."""

    respond: Respond
    info: ModelInfo = field(
        default_factory=lambda: ModelInfo("chat:talker", Family.CHAT, "Talker", weights="cc" * 32)
    )
    is_behind_server: bool = False
    asked: list[ChatRequest] = field(default_factory=list)

    @property
    def is_served(self) -> bool:
        """Whether it pretends to be behind a server."""
        return self.is_behind_server

    def ask(self, requests: Sequence[ChatRequest]) -> Iterator[Replies]:
        """Reply to all requests."""
        for start in range(0, len(requests), 3):
            batch = requests[start : start + 3]
            self.asked += batch
            yield [(request, self.respond(request)) for request in batch]
