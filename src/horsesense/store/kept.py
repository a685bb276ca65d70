"""What is kept of models' answers: how much, of whom and since when; and how it is thrown away."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from horsesense.errors import UnknownNameError
from horsesense.models import Query, QueryKind
from horsesense.store import checksums
from horsesense.store.observations import Row, believed, find_model, is_whole
from horsesense.store.store import Store

_CHUNK = 1000
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
    found: list[tuple[str, int, KeptCount]] = []
    for (model, method), count in counts.items():
        about = models[model]
        told = KeptCount(
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
        found.append((told.model, model, told))
    return [one for *_, one in sorted(found, key=lambda one: (*one[:2], one[2].method))]


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
    found: dict[int, Row] = {}
    with store.reading() as connection:
        for chunk in _chunks(places):
            rows = connection.execute(
                f"SELECT pk, {', '.join(Row._fields)} FROM observation"
                f" WHERE pk IN ({', '.join('?' * len(chunk))})",
                chunk,
            )
            found.update((pk, Row(*row)) for pk, *row in rows)
    return [found[place] for place in places if place in found]


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
    while chunk := list(islice(remaining, _CHUNK)):
        yield chunk
