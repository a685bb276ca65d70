"""Observations in the store: what models said, kept under the exact tokens that they read.

A row is believed only if it is whole: its tokens are those of the query and not merely of the
same hash, its numbers are as many as were asked for and can be log-probabilities, and its
checksum fits. Anything else is reported and asked again.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple

from horsesense.errors import ModelError, StoreError
from horsesense.models import Answers, ModelInfo, Query, key_of
from horsesense.store import checksums
from horsesense.store.checksums import digest
from horsesense.store.store import Store

# A log-probability is never above zero, but rounding may put it there.
ABOVE_ZERO = 1e-6
_CHUNK = 1000
# Of the checksum of the numbers; eight more are of the time.
_DIGITS = 16
_MODEL = (
    "fingerprint, name, family, architecture, weights, tokenizer, revision, dtype, device,"
    " parameters, vocabulary, context"
)
_ASKING = "id, name, started_at, horsesense, torch, transformers, way, why"
_OBSERVATION = "model, asking, method, key, ids, masks, label, log_probs, checksum, observed_at"


@dataclass(frozen=True, slots=True)
class AskingRun:
    """One run of asking a model: when, with what, and how sentences were batched."""

    id: str
    name: str
    started_at: str
    horsesense: str
    torch: str
    transformers: str
    way: str
    why: str


class Loaded(NamedTuple):
    """Answers from the store, and the keys of the rows that could not be believed."""

    answers: dict[Query, tuple[float, ...]]
    damaged: tuple[str, ...]


class Row(NamedTuple):
    """An observation as the table has it."""

    method: str
    key: str
    ids: str
    masks: str
    label: str
    log_probs: str
    checksum: str

    @property
    def content(self) -> str:
        """The content of the query that it answers."""
        return f'["{self.method}",{self.ids},{self.masks},{self.label}]'


_json = json.JSONEncoder(separators=(",", ":")).encode


def fault(query: Query, log_probs: Sequence[float]) -> str:
    """What keeps numbers from being the answer to a query; nothing for sound ones.

    >>> from horsesense.models import causal_query
    >>> fault(causal_query((4, 5, 6)), (-0.5, float("nan")))
    'the log-probability of token 2 of 2 is nan'
    """
    if len(log_probs) != query.size:
        return f"there are {len(log_probs)} log-probabilities, and {query.size} were asked for"
    if not log_probs or (math.isfinite(sum(log_probs)) and max(log_probs) <= ABOVE_ZERO):
        return ""
    for number, value in enumerate(log_probs, start=1):
        if not math.isfinite(value) or value > ABOVE_ZERO:
            return f"the log-probability of token {number} of {query.size} is {value:.6g}"
    return ""


def as_kept(log_probs: Iterable[float]) -> tuple[float, ...]:
    """Numbers as they come back from the store, so that it makes no difference where they are from.

    >>> as_kept((-0.1, -0.0))
    (-0.10000000149011612, 0.0)
    """
    return tuple([value + 0.0 for value in array("f", log_probs)])


def keep_answers(store: Store, info: ModelInfo, run: AskingRun, answers: Answers) -> Answers:
    """Keep a batch of answers whole, or on any error nothing of it; return them as they are kept.

    What another process has kept meanwhile stays, and is what is returned.
    """
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to; choose another with --store")
    fingerprint = info.fingerprint
    now = _now()
    rows = [_dated(_row(fingerprint, query, values), now) for query, values in answers]
    with store.writing() as connection:
        model, asking = _keep_run(connection, info, run)
        kept = connection.executemany(
            f"INSERT OR IGNORE INTO observation ({_OBSERVATION})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((model, asking, *row, now) for row in rows),
        )
    ours = {query: as_kept(values) for query, values in answers}
    if kept.rowcount < len(rows):
        ours.update(load_answers(store, info, ours).answers)
    return list(ours.items())


def load_answers(store: Store, info: ModelInfo, queries: Iterable[Query]) -> Loaded:
    """What the model has answered to these queries before."""
    answers: dict[Query, tuple[float, ...]] = {}
    damaged: list[str] = []
    asked = iter(queries)
    fingerprint = info.fingerprint
    with store.reading() as connection:
        model = find_model(connection, fingerprint)
        while model is not None and (chunk := list(islice(asked, _CHUNK))):
            contents = [query.content for query in chunk]
            by_key = dict(
                zip(map(key_of, contents), zip(chunk, contents, strict=True), strict=True)
            )
            for row in _rows(connection, model, tuple(by_key)):
                query, content = by_key.get(row.key, (chunk[0], ""))
                values = _numbers(row, fingerprint, query) if row.content == content else None
                if values is None:
                    damaged.append(row.key)
                else:
                    answers[query] = values
    return Loaded(answers, tuple(damaged))


def forget_answers(store: Store, info: ModelInfo, keys: Iterable[str]) -> None:
    """Remove rows of a model, such as damaged ones that are to be asked again."""
    with store.writing() as connection:
        model = find_model(connection, info.fingerprint)
        connection.executemany(
            "DELETE FROM observation WHERE model = ? AND key = ?", ((model, key) for key in keys)
        )


def believed(row: Row, fingerprint: str, query: Query) -> tuple[float, ...] | None:
    """The numbers of a row, if it is whole and answers the query."""
    if row.content != query.content or row.key != query.key:
        return None
    return _numbers(row, fingerprint, query)


def find_model(connection: sqlite3.Connection, fingerprint: str) -> int | None:
    """The key of a model that has been asked before."""
    row = connection.execute("SELECT pk FROM model WHERE fingerprint = ?", (fingerprint,))
    found = row.fetchone()
    return int(found[0]) if found else None


def _rows(connection: sqlite3.Connection, model: int, keys: tuple[str, ...]) -> list[Row]:
    marks = ", ".join("?" * len(keys))
    found = connection.execute(
        f"SELECT {', '.join(Row._fields)} FROM observation WHERE model = ? AND key IN ({marks})",
        (model, *keys),
    )
    return [*map(Row._make, found)]


def _row(fingerprint: str, query: Query, log_probs: tuple[float, ...]) -> Row:
    wrong = fault(query, log_probs)
    if wrong:
        raise ModelError(f"{wrong}; nothing of this batch was stored")
    key, text = query.key, "[" + ",".join(f"{value:.9g}" for value in as_kept(log_probs)) + "]"
    return Row(
        query.kind.value,
        key,
        _json(query.ids),
        _json(query.masks),
        _json(query.label),
        text,
        _checksum(fingerprint, key, text),
    )


def _numbers(row: Row, fingerprint: str, query: Query) -> tuple[float, ...] | None:
    try:
        if row.checksum[:_DIGITS] != _checksum(fingerprint, row.key, row.log_probs):
            return None
        values = as_kept(json.loads(row.log_probs))
    except (ValueError, TypeError):
        return None
    return None if fault(query, values) else values


def is_whole(row: Row, fingerprint: str, observed_at: object) -> bool:
    """Whether a row is what was written, as far as its checksum tells."""
    if not all(isinstance(value, str) for value in row):
        return False
    summed = _checksum(fingerprint, row.key, row.log_probs)
    # Earlier versions wrote rows whose time the checksum does not cover.
    dated = (summed, _dated(row._replace(checksum=summed), observed_at).checksum)
    return row.checksum in dated and row.key == key_of(row.content)


def _dated(row: Row, observed_at: object) -> Row:
    """The row with the time of the observation in its checksum, too."""
    return row._replace(checksum=row.checksum + digest(f"{row.checksum} {observed_at}")[:8])


def _checksum(fingerprint: str, key: str, log_probs: str) -> str:
    return hashlib.sha256(f"{fingerprint} {key} {log_probs}".encode()).hexdigest()[:_DIGITS]


def _keep_run(connection: sqlite3.Connection, info: ModelInfo, run: AskingRun) -> tuple[int, int]:
    """The keys of the model and of the run, which are kept if they are not there (any more)."""
    kept = connection.execute(
        f"INSERT OR IGNORE INTO model ({_MODEL}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [getattr(info, column) for column in _MODEL.split(", ")],
    )
    model = find_model(connection, info.fingerprint)
    assert model is not None
    if kept.rowcount:
        checksums.sign(connection, "model", model)
    kept = connection.execute(
        f"INSERT OR IGNORE INTO asking (model, {_ASKING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (model, *astuple(run)),
    )
    found = connection.execute("SELECT pk FROM asking WHERE id = ?", (run.id,)).fetchone()
    asking = int(found[0])
    if kept.rowcount:
        checksums.sign(connection, "asking", asking)
    return model, asking


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
