"""Replies of chat models in the store: save and load them.

They are stored under their exact request. A row is used only if it is intact: its request is the
one that is looked up, its reply can be read, and its checksum matches, which covers the model, the
request, the reply and the time. Other rows are reported and queried again.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from horsesense.errors import ModelError, StoreError
from horsesense.models import (
    ChatRequest,
    ModelInfo,
    Replies,
    Reply,
    ReplyToken,
    read_reply,
)
from horsesense.store.connection import Store
from horsesense.store.observations import (
    ABOVE_ZERO,
    QueryRun,
    find_model,
    keep_query_run,
    utc_now,
)

# The number of rows in one SQL query.
_CHUNK = 1000
_DIGITS = 24


class LoadedReplies(NamedTuple):
    """Replies from the store, and the keys of damaged rows."""

    replies: dict[ChatRequest, Reply]
    damaged: tuple[str, ...]


class ReplyRow(NamedTuple):
    """A reply as a row of the table; request and reply are JSON."""

    key: str
    request: str
    reply: str
    checksum: str
    replied_at: str


_COLUMNS = ", ".join(ReplyRow._fields)


def keep_replies(store: Store, info: ModelInfo, run: QueryRun, replies: Replies) -> Replies:
    """Store a batch of replies in one transaction, and return them as stored.

    Replies that another process has stored in the meantime are kept and returned instead.
    """
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to; choose another with --store")
    now = utc_now()
    stored = [(request, as_stored(reply)) for request, reply in replies]
    rows = [_row(info.fingerprint, request, reply, now) for request, reply in stored]
    with store.writing() as connection:
        model, asking = keep_query_run(connection, info, run)
        inserted = connection.executemany(
            f"INSERT OR IGNORE INTO reply (model, asking, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((model, asking, *row) for row in rows),
        )
    if inserted.rowcount == len(rows):
        return stored
    earlier = load_replies(store, info.fingerprint, (request for request, _ in stored)).replies
    return [(request, earlier.get(request, reply)) for request, reply in stored]


def load_replies(store: Store, fingerprint: str, requests: Iterable[ChatRequest]) -> LoadedReplies:
    """Load the stored replies of a model to these requests."""
    replies: dict[ChatRequest, Reply] = {}
    damaged: list[str] = []
    remaining = iter(requests)
    with store.reading() as connection:
        model = find_model(connection, fingerprint)
        while model is not None and (chunk := list(islice(remaining, _CHUNK))):
            # Settings may be spelt differently in requests that are the same to the model.
            by_key: dict[str, list[ChatRequest]] = {}
            for request in chunk:
                by_key.setdefault(request.key, []).append(request)
            for row in _rows(connection, model, tuple(by_key)):
                reply = readable_reply(row, fingerprint)
                if reply is None:
                    damaged.append(row.key)
                else:
                    replies.update((request, reply) for request in by_key[row.key])
    return LoadedReplies(replies, tuple(damaged))


def forget_replies(store: Store, fingerprint: str, keys: Iterable[str]) -> None:
    """Remove rows of a model, such as damaged ones that will be queried again."""
    with store.writing() as connection:
        model = find_model(connection, fingerprint)
        connection.executemany(
            "DELETE FROM reply WHERE model = ? AND key = ?", ((model, key) for key in keys)
        )


def as_stored(reply: Reply) -> Reply:
    """Return a reply as the store can hold it: without halves of characters.

    Raise an error if a log-probability cannot be one.

    >>> as_stored(Reply("an owl \\ud83e", "length")).text
    'an owl \ufffd'
    """
    for token in reply.tokens:
        for text, log_prob in ((token.text, token.log_prob), *token.alternatives):
            if not math.isfinite(log_prob) or log_prob > ABOVE_ZERO:
                raise ModelError(
                    f"the log-probability of {text!r} in a reply is {log_prob:.6g};"
                    " nothing of this batch was stored"
                )
    try:
        reply.content.encode()
    except UnicodeEncodeError:
        return replace(
            reply,
            text=_whole(reply.text),
            finish=_whole(reply.finish),
            thoughts=_whole(reply.thoughts),
            tokens=tuple(
                ReplyToken(
                    _whole(token.text),
                    token.log_prob,
                    tuple((_whole(text), log_prob) for text, log_prob in token.alternatives),
                )
                for token in reply.tokens
            ),
        )
    return reply


def is_whole_reply(row: ReplyRow, fingerprint: str) -> bool:
    """Return whether a row matches its checksum and its key."""
    if not all(isinstance(value, str) for value in row):
        return False
    return row.key == _hash(row.request) and row.checksum == _checksum(fingerprint, row)


def readable_reply(row: ReplyRow, fingerprint: str) -> Reply | None:
    """Return the reply of a row, or None if it is damaged."""
    if not is_whole_reply(row, fingerprint):
        return None
    try:
        return read_reply(row.reply)
    except (ValueError, TypeError, KeyError):
        return None


def _rows(connection: sqlite3.Connection, model: int, keys: tuple[str, ...]) -> list[ReplyRow]:
    marks = ", ".join("?" * len(keys))
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM reply WHERE model = ? AND key IN ({marks})", (model, *keys)
    )
    return [*map(ReplyRow._make, rows)]


def _row(fingerprint: str, request: ChatRequest, reply: Reply, replied_at: str) -> ReplyRow:
    row = ReplyRow(request.key, request.content, reply.content, "", replied_at)
    return row._replace(checksum=_checksum(fingerprint, row))


def _checksum(fingerprint: str, row: ReplyRow) -> str:
    # JSON has no line breaks of its own, so the parts cannot run into each other.
    return _hash("\n".join((fingerprint, row.key, row.request, row.reply, row.replied_at)))[
        :_DIGITS
    ]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()


def _whole(text: str) -> str:
    """Join halves of characters, and replace those that stand alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
