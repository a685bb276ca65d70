"""The cached answers of models: count and prune observations and replies, and find their models.

Both are rows that belong to a model and to a session of querying it; what differs is how a row is
read and verified.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from horsesense.errors import UnknownNameError
from horsesense.store import checksums
from horsesense.store.connection import Store
from horsesense.store.observations import ObservationRow, is_damaged, is_whole
from horsesense.store.replies import ReplyRow, is_whole_reply, readable_reply

# A shorter prefix of a fingerprint could be a name.
_SHORTEST = 6
# What replies are counted under, beside the methods of observation.
CHAT = "chat"
# The tables of answers, and the column with the time of each row.
TABLES = {"observation": "observed_at", "reply": "replied_at"}
_ROWS: dict[str, type[ObservationRow] | type[ReplyRow]] = {
    "observation": ObservationRow,
    "reply": ReplyRow,
}


@dataclass(frozen=True, slots=True)
class KeptCount:
    """The amount of stored answers for one model and one method of observation.

    The method of replies is `chat`. `tokens` is the number of log-probabilities, or the number of
    tokens of the replies; `bytes` the size of the rows without the index; `damaged` the number of
    rows that do not match their checksums.
    """

    model: str
    fingerprint: str
    dtype: str
    device: str
    method: str
    rows: int
    tokens: int
    bytes: int
    first_at: str
    last_at: str
    damaged: int = 0


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many answers of a model were removed, or would be in a dry run."""

    model: str
    fingerprint: str
    rows: int
    bytes: int


class CachedRow(NamedTuple):
    """A row of a table of answers, with the fingerprint of its model."""

    pk: int
    model: int
    fingerprint: str
    at: object
    bytes: int
    row: ObservationRow | ReplyRow

    @property
    def method(self) -> str:
        """The method of observation; a damaged name is a method of its own."""
        return str(self.row.method) if isinstance(self.row, ObservationRow) else CHAT

    @property
    def tokens(self) -> int:
        """The number of log-probabilities, or of the tokens of a reply; 0 if unreadable."""
        if isinstance(self.row, ObservationRow):
            return _count_numbers(self.row.log_probs)
        reply = readable_reply(self.row, self.fingerprint)
        return 0 if reply is None else reply.reply_tokens or len(reply.tokens)

    @property
    def is_whole(self) -> bool:
        """Whether it matches its checksum and its key."""
        if isinstance(self.row, ObservationRow):
            return is_whole(self.row, self.fingerprint, self.at)
        return is_whole_reply(self.row, self.fingerprint)

    @property
    def is_intact(self) -> bool:
        """Whether it matches its checksum and can be used."""
        if isinstance(self.row, ObservationRow):
            return self.is_whole and not is_damaged(self.row, self.fingerprint)
        return readable_reply(self.row, self.fingerprint) is not None


def cached_rows(
    connection: sqlite3.Connection, table: str, condition: str = "1", values: Iterable[object] = ()
) -> Iterator[CachedRow]:
    """Yield the rows of a table of answers that meet a condition."""
    kind, at = _ROWS[table], TABLES[table]
    contents = [column for column in kind._fields if column != at]
    size = " + ".join(f"length(CAST({table}.{column} AS BLOB))" for column in contents)
    columns = ", ".join(f"{table}.{column}" for column in kind._fields)
    rows = connection.execute(
        f"SELECT {table}.pk, model.pk, model.fingerprint, {at}, {size}, {columns}"
        f" FROM {table} JOIN model ON model.pk = {table}.model WHERE {condition}",
        tuple(values),
    )
    for pk, model, fingerprint, time, length, *row in rows:
        yield CachedRow(pk, model, fingerprint, time, length, kind(*row))


def count_kept(store: Store) -> list[KeptCount]:
    """Count the stored answers by model and method of observation."""
    counts: dict[tuple[int, str], _Count] = {}
    with store.reading() as connection:
        models = {row["pk"]: row for row in checksums.read(connection, "model")}
        for table in TABLES:
            for cached in cached_rows(connection, table):
                count = counts.setdefault((cached.model, cached.method), _Count())
                count.rows += 1
                count.bytes += cached.bytes
                count.tokens += cached.tokens
                count.times.add(str(cached.at))
                count.damaged += not cached.is_whole
    summaries: list[tuple[str, int, KeptCount]] = []
    for (model, method), count in counts.items():
        record = models[model]
        summary = KeptCount(
            model=record["name"],
            fingerprint=record["fingerprint"],
            dtype=record["dtype"],
            device=record["device"],
            method=method,
            rows=count.rows,
            tokens=count.tokens,
            bytes=count.bytes,
            first_at=min(count.times),
            last_at=max(count.times),
            damaged=count.damaged,
        )
        summaries.append((summary.model, model, summary))
    summaries.sort(key=lambda row: (*row[:2], row[2].method))
    return [summary for *_, summary in summaries]


@dataclass(slots=True)
class _Count:
    rows: int = 0
    tokens: int = 0
    bytes: int = 0
    damaged: int = 0
    times: set[str] = field(default_factory=set)


def _count_numbers(log_probs: object) -> int:
    """Count the numbers of a JSON list without reading them; 0 if it is not a list."""
    text = str(log_probs)
    return text.count(",") + 1 if text.startswith("[") and text.endswith("]") else 0


def fingerprints_of(store: Store, name: str) -> tuple[str, ...]:
    """Return the fingerprints of models that ever had that name, or that start with it."""
    with store.reading() as connection:
        models = {row["pk"]: row for row in checksums.read(connection, "model")}
        query_runs = checksums.read(connection, "asking")
    known = {(row["name"], row["fingerprint"]) for row in models.values()}
    known |= {
        (row["name"], models[row["model"]]["fingerprint"])
        for row in query_runs
        if row["model"] in models
    }
    matches = {fingerprint for model, fingerprint in known if model == name}
    if not matches and len(name) >= _SHORTEST:
        matches = {fingerprint for _, fingerprint in known if fingerprint.startswith(name)}
    if not matches:
        raise UnknownNameError("model in the store", name, {model for model, _ in known})
    return tuple(sorted(matches))


def prune(
    store: Store,
    *,
    fingerprints: Sequence[str] | None = None,
    before: str | None = None,
    damaged: bool = False,
    dry_run: bool = False,
) -> list[Pruned]:
    """Remove the rows that meet all conditions: of some models, before a time, damaged.

    A dry run only counts them. Models without any rows left are removed as well.
    """
    with store.reading() if dry_run else store.writing() as connection:
        names = dict(connection.execute("SELECT pk, name FROM model"))
        counts: dict[tuple[str, str], tuple[int, int]] = {}
        for table in TABLES:
            doomed: list[tuple[int]] = []
            for cached in _selected(connection, table, fingerprints, before, damaged):
                model = names[cached.model], cached.fingerprint
                rows, total = counts.get(model, (0, 0))
                counts[model] = (rows + 1, total + cached.bytes)
                doomed.append((cached.pk,))
            if not dry_run:
                connection.executemany(f"DELETE FROM {table} WHERE pk = ?", doomed)
        if not dry_run:
            _remove_unused(connection)
    return [Pruned(*model, *count) for model, count in sorted(counts.items())]


def _selected(
    connection: sqlite3.Connection,
    table: str,
    fingerprints: Sequence[str] | None,
    before: str | None,
    damaged: bool,
) -> Iterator[CachedRow]:
    conditions: list[str] = ["1"]
    values: list[str] = []
    if fingerprints is not None:
        conditions.append(f"model.fingerprint IN ({', '.join('?' * len(fingerprints))})")
        values += fingerprints
    if before is not None:
        conditions.append(f"{TABLES[table]} < ?")
        values.append(before)
    for cached in cached_rows(connection, table, " AND ".join(conditions), values):
        if not (damaged and cached.is_intact):
            yield cached


def _remove_unused(connection: sqlite3.Connection) -> None:
    """Remove sessions without answers of either kind, and models without sessions."""
    unused = " AND ".join(f"pk NOT IN (SELECT asking FROM {table})" for table in TABLES)
    connection.execute(f"DELETE FROM asking WHERE {unused}")
    connection.execute("DELETE FROM model WHERE pk NOT IN (SELECT model FROM asking)")
