"""Observations in the store: save and load the log-probabilities of models.

They are stored under the exact tokens of their query. A row is used only if it is intact: its
tokens are those of the query, not merely a match of the hash; it has as many numbers as the query
requests, and they can be log-probabilities; and its checksum matches. Other rows are reported and
queried again.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple

from horsesense.errors import ModelError, StoreError
from horsesense.models import Answers, ModelInfo, Query, QueryKind, key_of
from horsesense.store import checksums
from horsesense.store.checksums import digest
from horsesense.store.connection import Store

# How far rounding may lift a log-probability above zero.
ABOVE_ZERO = 1e-6
# The number of rows in one SQL query.
_CHUNK = 1000
# The digits of a checksum for the numbers; eight more cover the time.
_DIGITS = 16
_MODEL = (
    "fingerprint, name, family, architecture, weights, tokenizer, revision, dtype, device,"
    " parameters, vocabulary, context, server"
)
_ASKING = "id, name, started_at, horsesense, torch, transformers, way, why"
_OBSERVATION = "model, asking, method, key, ids, masks, label, log_probs, checksum, observed_at"


@dataclass(frozen=True, slots=True)
class QueryRun:
    """A session of querying a model: when, with which versions, and how sentences were batched."""

    id: str
    name: str
    started_at: str
    horsesense: str
    torch: str
    transformers: str
    batching: str
    fallback_reason: str


class Loaded(NamedTuple):
    """Answers from the store, and the keys of damaged rows."""

    answers: dict[Query, tuple[float, ...]]
    damaged: tuple[str, ...]


class ObservationRow(NamedTuple):
    """An observation as a row of the table."""

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
    """Return why numbers cannot be the answer to a query; an empty string if they can.

    >>> from horsesense.models import causal_query
    >>> fault(causal_query((4, 5, 6)), (-0.5, float("nan")))
    'the log-probability of token 2 of 2 is nan'
    """
    if len(log_probs) != query.size:
        return f"there are {len(log_probs)} log-probabilities, but {query.size} were requested"
    if not log_probs or (math.isfinite(sum(log_probs)) and max(log_probs) <= ABOVE_ZERO):
        return ""
    for number, value in enumerate(log_probs, start=1):
        if not math.isfinite(value) or value > ABOVE_ZERO:
            return f"the log-probability of token {number} of {query.size} is {value:.6g}"
    return ""


def as_kept(log_probs: Iterable[float]) -> tuple[float, ...]:
    """Round numbers to the precision of the store, so that new and stored answers are equal.

    >>> as_kept((-0.1, -0.0))
    (-0.10000000149011612, 0.0)
    """
    return tuple([value + 0.0 for value in array("f", log_probs)])


def keep_answers(store: Store, info: ModelInfo, run: QueryRun, answers: Answers) -> Answers:
    """Store a batch of answers in one transaction, and return them as stored.

    Answers that another process has stored in the meantime are kept and returned instead.
    """
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to; choose another with --store")
    fingerprint = info.fingerprint
    now = utc_now()
    rows = [_dated(_row(fingerprint, query, values), now) for query, values in answers]
    with store.writing() as connection:
        model, asking = keep_query_run(connection, info, run)
        inserted = connection.executemany(
            f"INSERT OR IGNORE INTO observation ({_OBSERVATION})"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((model, asking, *row, now) for row in rows),
        )
    stored = {query: as_kept(values) for query, values in answers}
    if inserted.rowcount < len(rows):
        stored.update(load_answers(store, info, stored).answers)
    return list(stored.items())


def load_answers(store: Store, info: ModelInfo, queries: Iterable[Query]) -> Loaded:
    """Load the stored answers of a model to these queries."""
    answers: dict[Query, tuple[float, ...]] = {}
    damaged: list[str] = []
    remaining = iter(queries)
    fingerprint = info.fingerprint
    with store.reading() as connection:
        model = find_model(connection, fingerprint)
        while model is not None and (chunk := list(islice(remaining, _CHUNK))):
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
    """Remove rows of a model, such as damaged ones that will be queried again."""
    with store.writing() as connection:
        model = find_model(connection, info.fingerprint)
        connection.executemany(
            "DELETE FROM observation WHERE model = ? AND key = ?", ((model, key) for key in keys)
        )


def believed(row: ObservationRow, fingerprint: str, query: Query) -> tuple[float, ...] | None:
    """Return the numbers of a row, or None if it is damaged or belongs to another query."""
    if row.content != query.content or row.key != query.key:
        return None
    return _numbers(row, fingerprint, query)


def find_model(connection: sqlite3.Connection, fingerprint: str) -> int | None:
    """Return the primary key of a model, or None if the store has no answers of it."""
    query = "SELECT pk FROM model WHERE fingerprint = ?"
    row = connection.execute(query, (fingerprint,)).fetchone()
    return int(row[0]) if row else None


def _rows(
    connection: sqlite3.Connection, model: int, keys: tuple[str, ...]
) -> list[ObservationRow]:
    marks = ", ".join("?" * len(keys))
    rows = connection.execute(
        f"SELECT {', '.join(ObservationRow._fields)} FROM observation"
        f" WHERE model = ? AND key IN ({marks})",
        (model, *keys),
    )
    return [*map(ObservationRow._make, rows)]


def _row(fingerprint: str, query: Query, log_probs: tuple[float, ...]) -> ObservationRow:
    problem = fault(query, log_probs)
    if problem:
        raise ModelError(f"{problem}; nothing of this batch was stored")
    key, text = query.key, "[" + ",".join(f"{value:.9g}" for value in as_kept(log_probs)) + "]"
    return ObservationRow(
        query.kind.value,
        key,
        _json(query.ids),
        _json(query.masks),
        _json(query.label),
        text,
        _checksum(fingerprint, key, text),
    )


def _numbers(row: ObservationRow, fingerprint: str, query: Query) -> tuple[float, ...] | None:
    try:
        if row.checksum[:_DIGITS] != _checksum(fingerprint, row.key, row.log_probs):
            return None
        values = as_kept(json.loads(row.log_probs))
    except (ValueError, TypeError):
        return None
    return None if fault(query, values) else values


def is_whole(row: ObservationRow, fingerprint: str, observed_at: object) -> bool:
    """Return whether a row matches its checksum and its key."""
    if not all(isinstance(value, str) for value in row):
        return False
    checksum = _checksum(fingerprint, row.key, row.log_probs)
    # In rows of earlier versions the checksum does not cover the time.
    valid = (checksum, _dated(row._replace(checksum=checksum), observed_at).checksum)
    return row.checksum in valid and row.key == key_of(row.content)


def _dated(row: ObservationRow, observed_at: object) -> ObservationRow:
    """Extend the checksum of a row by the time of the observation."""
    return row._replace(checksum=row.checksum + digest(f"{row.checksum} {observed_at}")[:8])


def _checksum(fingerprint: str, key: str, log_probs: str) -> str:
    return hashlib.sha256(f"{fingerprint} {key} {log_probs}".encode()).hexdigest()[:_DIGITS]


def keep_query_run(
    connection: sqlite3.Connection, info: ModelInfo, run: QueryRun
) -> tuple[int, int]:
    """Return the primary keys of the model and the session, which are stored if necessary."""
    inserted = connection.execute(
        f"INSERT OR IGNORE INTO model ({_MODEL}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [getattr(info, column) for column in _MODEL.split(", ")],
    )
    model = find_model(connection, info.fingerprint)
    assert model is not None
    if inserted.rowcount:
        checksums.sign(connection, "model", model)
    inserted = connection.execute(
        f"INSERT OR IGNORE INTO asking (model, {_ASKING}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (model, *astuple(run)),
    )
    (asking,) = connection.execute("SELECT pk FROM asking WHERE id = ?", (run.id,)).fetchone()
    if inserted.rowcount:
        checksums.sign(connection, "asking", asking)
    return model, asking


def utc_now() -> str:
    """Return the time as the store writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def places_of(store: Store, fingerprint: str) -> list[int]:
    """Return the primary keys of a model's rows, ordered so that shared prefixes are adjacent."""
    with store.reading() as connection:
        model = find_model(connection, fingerprint)
        rows = connection.execute(
            "SELECT pk FROM observation WHERE model = ? ORDER BY method, ids, masks, label",
            (model,),
        )
        return [pk for (pk,) in rows]


def load_rows(store: Store, places: Sequence[int]) -> list[ObservationRow]:
    """Load rows by primary key, in that order; rows that no longer exist are left out."""
    loaded: dict[int, ObservationRow] = {}
    with store.reading() as connection:
        for chunk in _chunks(places):
            rows = connection.execute(
                f"SELECT pk, {', '.join(ObservationRow._fields)} FROM observation"
                f" WHERE pk IN ({', '.join('?' * len(chunk))})",
                chunk,
            )
            loaded.update((pk, ObservationRow(*row)) for pk, *row in rows)
    return [loaded[place] for place in places if place in loaded]


def answered_query(row: ObservationRow) -> Query | None:
    """Return the query that a row answers, or None if it is unreadable."""
    try:
        masks = tuple(tuple(mask) for mask in json.loads(row.masks))
        ids, label = (tuple(json.loads(text)) for text in (row.ids, row.label))
        return Query(QueryKind(row.method), ids, masks, label)
    except (ValueError, TypeError):
        return None


def is_damaged(row: ObservationRow, fingerprint: str) -> bool:
    """Return whether the numbers of a row cannot be used."""
    query = answered_query(row)
    return query is None or believed(row, fingerprint, query) is None


def _chunks(places: Sequence[int]) -> Iterator[list[int]]:
    remaining = iter(places)
    while chunk := list(islice(remaining, _CHUNK)):
        yield chunk
