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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import NamedTuple

from horsesense.errors import ModelError, StoreError, UnknownNameError
from horsesense.models import Answers, ModelInfo, Query, QueryKind, key_of
from horsesense.store import checksums
from horsesense.store.checksums import digest
from horsesense.store.connection import Store

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
    query = "SELECT pk FROM model WHERE fingerprint = ?"
    row = connection.execute(query, (fingerprint,)).fetchone()
    return int(row[0]) if row else None


def _rows(connection: sqlite3.Connection, model: int, keys: tuple[str, ...]) -> list[Row]:
    marks = ", ".join("?" * len(keys))
    rows = connection.execute(
        f"SELECT {', '.join(Row._fields)} FROM observation WHERE model = ? AND key IN ({marks})",
        (model, *keys),
    )
    return [*map(Row._make, rows)]


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
    (asking,) = connection.execute("SELECT pk FROM asking WHERE id = ?", (run.id,)).fetchone()
    if kept.rowcount:
        checksums.sign(connection, "asking", asking)
    return model, asking


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


_CHUNK_KEPT = 1000
# Fewer characters of a fingerprint could be a name.
_SHORTEST = 6
_BYTES = " + ".join(
    f"length(CAST(observation.{column} AS BLOB))"
    for column in ("method", "key", "ids", "masks", "label", "log_probs", "checksum")
)


@dataclass(frozen=True, slots=True)
class KeptCount:
    """How much is kept of one model and one method of observation.

    `tokens` is the number of log-probabilities, `bytes` what the rows take up without the index,
    `damaged` how many of the rows are not what their checksums say.
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
    """How much was thrown away, or would be, of one model."""

    model: str
    fingerprint: str
    rows: int
    bytes: int


def count_kept(store: Store) -> list[KeptCount]:
    """How much is kept, by model and method of observation."""
    columns = ", ".join(f"observation.{column}" for column in Row._fields)
    counts: dict[tuple[int, str], _Count] = {}
    with store.reading() as connection:
        models = {row["pk"]: row for row in checksums.read(connection, "model")}
        rows = connection.execute(
            f"SELECT observation.model, observed_at, {_BYTES}, json_valid(log_probs), {columns}"
            " FROM observation JOIN model ON model.pk = observation.model"
        )
        for model, at, size, is_json, *values in rows:
            row = Row(*values)
            # A method that is damaged is counted with the others of its kind: as damaged.
            count = counts.setdefault((model, str(row.method)), _Count())
            count.rows += 1
            count.bytes += size
            count.tokens += str(row.log_probs).count(",") + 1 if is_json else 0
            count.times.update((str(at),))
            count.damaged += not is_whole(row, models[model]["fingerprint"], at)
    kept: list[tuple[str, int, KeptCount]] = []
    for (model, method), count in counts.items():
        about = models[model]
        summary = KeptCount(
            model=about["name"],
            fingerprint=about["fingerprint"],
            dtype=about["dtype"],
            device=about["device"],
            method=method,
            rows=count.rows,
            tokens=count.tokens,
            bytes=count.bytes,
            first_at=min(count.times),
            last_at=max(count.times),
            damaged=count.damaged,
        )
        kept.append((summary.model, model, summary))
    kept.sort(key=lambda row: (*row[:2], row[2].method))
    return [summary for *_, summary in kept]


@dataclass(slots=True)
class _Count:
    rows: int = 0
    tokens: int = 0
    bytes: int = 0
    damaged: int = 0
    times: set[str] = field(default_factory=set)


def fingerprints_of(store: Store, name: str) -> tuple[str, ...]:
    """The models that were ever called that, or whose fingerprint begins so."""
    with store.reading() as connection:
        models = {row["pk"]: row for row in checksums.read(connection, "model")}
        askings = checksums.read(connection, "asking")
    known = {(row["name"], row["fingerprint"]) for row in models.values()}
    known |= {
        (row["name"], models[row["model"]]["fingerprint"])
        for row in askings
        if row["model"] in models
    }
    named = {mark for called, mark in known if called == name}
    if not named and len(name) >= _SHORTEST:
        named = {mark for _, mark in known if mark.startswith(name)}
    if not named:
        raise UnknownNameError("model in the store", name, {called for called, _ in known})
    return tuple(sorted(named))


def places_of(store: Store, fingerprint: str) -> list[int]:
    """The rows of a model, so that those which begin alike are neighbours."""
    with store.reading() as connection:
        model = find_model(connection, fingerprint)
        rows = connection.execute(
            "SELECT pk FROM observation WHERE model = ? ORDER BY method, ids, masks, label",
            (model,),
        )
        return [pk for (pk,) in rows]


def load_rows(store: Store, places: Sequence[int]) -> list[Row]:
    """Some rows, in the order of their places; those that have gone meanwhile are left out."""
    loaded: dict[int, Row] = {}
    with store.reading() as connection:
        for chunk in _chunks(places):
            rows = connection.execute(
                f"SELECT pk, {', '.join(Row._fields)} FROM observation"
                f" WHERE pk IN ({', '.join('?' * len(chunk))})",
                chunk,
            )
            loaded.update((pk, Row(*row)) for pk, *row in rows)
    return [loaded[place] for place in places if place in loaded]


def answered_query(row: Row) -> Query | None:
    """The query that a row answers, if it can be read."""
    try:
        masks = tuple(tuple(mask) for mask in json.loads(row.masks))
        ids, label = (tuple(json.loads(text)) for text in (row.ids, row.label))
        return Query(QueryKind(row.method), ids, masks, label)
    except (ValueError, TypeError):
        return None


def is_damaged(row: Row, fingerprint: str) -> bool:
    """True for a row that would not be believed."""
    query = answered_query(row)
    return query is None or believed(row, fingerprint, query) is None


def prune(
    store: Store,
    *,
    fingerprints: Sequence[str] | None = None,
    before: str | None = None,
    damaged: bool = False,
    dry_run: bool = False,
) -> list[Pruned]:
    """Throw rows away that meet all conditions: of some models, observed before, damaged.

    A dry run only says how much that would be. Of models of which nothing is left, nothing stays.
    """
    with store.reading() if dry_run else store.writing() as connection:
        counts: dict[tuple[str, str], tuple[int, int]] = {}
        doomed: list[tuple[int]] = []
        for pk, name, fingerprint, size in _selected(connection, fingerprints, before, damaged):
            rows, total = counts.get((name, fingerprint), (0, 0))
            counts[name, fingerprint] = (rows + 1, total + size)
            doomed.append((pk,))
        if not dry_run:
            connection.executemany("DELETE FROM observation WHERE pk = ?", doomed)
            _remove_idle(connection)
    return [Pruned(*model, *count) for model, count in sorted(counts.items())]


def _selected(
    connection: sqlite3.Connection,
    fingerprints: Sequence[str] | None,
    before: str | None,
    damaged: bool,
) -> Iterator[tuple[int, str, str, int]]:
    columns = ", ".join(f"observation.{column}" for column in Row._fields)
    conditions: list[str] = ["1"]
    values: list[str] = []
    if fingerprints is not None:
        conditions.append(f"model.fingerprint IN ({', '.join('?' * len(fingerprints))})")
        values += fingerprints
    if before is not None:
        conditions.append("observed_at < ?")
        values.append(before)
    rows = connection.execute(
        f"SELECT observation.pk, model.name, model.fingerprint, observed_at, {_BYTES}, {columns}"
        " FROM observation JOIN model ON model.pk = observation.model"
        f" WHERE {' AND '.join(conditions)}",
        values,
    )
    for pk, name, fingerprint, at, size, *values in rows:
        row = Row(*values)
        is_sound = not damaged or (
            is_whole(row, fingerprint, at) and not is_damaged(row, fingerprint)
        )
        if not damaged or not is_sound:
            yield pk, name, fingerprint, size


def _remove_idle(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM asking WHERE pk NOT IN (SELECT asking FROM observation)")
    connection.execute("DELETE FROM model WHERE pk NOT IN (SELECT model FROM asking)")


def _chunks(places: Sequence[int]) -> Iterator[list[int]]:
    remaining = iter(places)
    while chunk := list(islice(remaining, _CHUNK_KEPT)):
        yield chunk
