"""Replies of chat models in the store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from horsesense.models import ChatRequest, ModelInfo, Replies, Reply
from horsesense.store.connection import Store
from horsesense.store.observations import QueryRun


class LoadedReplies(NamedTuple):
    """Replies from the store, and the keys of damaged rows."""

    replies: dict[ChatRequest, Reply]
    damaged: tuple[str, ...]


def keep_replies(store: Store, info: ModelInfo, run: QueryRun, replies: Replies) -> Replies:
    """Store a batch of replies in one transaction, and return them as stored."""
    raise NotImplementedError


def load_replies(store: Store, fingerprint: str, requests: Iterable[ChatRequest]) -> LoadedReplies:
    """Load the stored replies of a model to these requests."""
    raise NotImplementedError


def forget_replies(store: Store, fingerprint: str, keys: Iterable[str]) -> None:
    """Remove rows of a model, such as damaged ones."""
    raise NotImplementedError
