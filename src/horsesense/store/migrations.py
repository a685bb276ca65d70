"""The tables of the store, as numbered steps that are applied once each.

A step never changes after it was released; a change of the tables is a new step.
`PRAGMA user_version` holds the number of the last step that a file has seen.
"""

from __future__ import annotations

import sqlite3

# «hsns»: tells a store from any other SQLite file.
APPLICATION_ID = 0x68736E73

_DATASETS = """
CREATE TABLE dataset (
    pk INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again for another dataset
    id TEXT NOT NULL UNIQUE,           -- hash of the header and the entries in order
    name TEXT NOT NULL,
    version INTEGER NOT NULL,          -- 1, 2, … as the content under this name changed
    title TEXT NOT NULL,
    author TEXT NOT NULL,
    licence TEXT NOT NULL,
    note TEXT NOT NULL,
    entries INTEGER NOT NULL,
    stored_at TEXT NOT NULL,           -- UTC, ISO 8601
    UNIQUE (name, version)
);
CREATE TABLE numbering (               -- numbers of removed versions are not given again
    name TEXT PRIMARY KEY,
    last_version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE source (                  -- where the content of a dataset came from
    pk INTEGER PRIMARY KEY,
    dataset INTEGER NOT NULL REFERENCES dataset (pk) ON DELETE CASCADE,
    file TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    importer TEXT NOT NULL,
    importer_version TEXT NOT NULL,
    imported_at TEXT NOT NULL,
    UNIQUE (dataset, file, sha256, importer, importer_version)
);
CREATE TABLE grid (                    -- a schema, or a problem by itself, whoever uses it
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,           -- hash of the notation
    kind TEXT NOT NULL,
    notation TEXT NOT NULL
);
CREATE TABLE entry (                   -- a grid with what its author says about it
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,           -- hash of the entry as a schema file has it
    name TEXT NOT NULL,                -- the author's id
    grid INTEGER NOT NULL REFERENCES grid (pk),
    sentences TEXT NOT NULL,           -- the sensible ones, one a line
    note TEXT NOT NULL
);
CREATE INDEX entry_grid ON entry (grid);
CREATE TABLE tag (
    entry INTEGER NOT NULL REFERENCES entry (pk) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (entry, tag)
) WITHOUT ROWID;
CREATE TABLE field (                   -- every other field of the schema file, as written there
    entry INTEGER NOT NULL REFERENCES entry (pk) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (entry, name)
) WITHOUT ROWID;
CREATE TABLE membership (              -- which entries a dataset has, in order
    dataset INTEGER NOT NULL REFERENCES dataset (pk) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    entry INTEGER NOT NULL REFERENCES entry (pk),
    PRIMARY KEY (dataset, position)
) WITHOUT ROWID;
CREATE INDEX membership_entry ON membership (entry);
CREATE VIEW listing AS                 -- all of it side by side, for a look with other tools
    SELECT dataset.name AS dataset, dataset.version, membership.position, entry.name AS id,
        grid.kind, grid.notation, entry.sentences, entry.note,
        (SELECT group_concat(tag, ', ') FROM tag WHERE tag.entry = entry.pk) AS tags
    FROM membership
    JOIN dataset ON dataset.pk = membership.dataset
    JOIN entry ON entry.pk = membership.entry
    JOIN grid ON grid.pk = entry.grid;
CREATE VIRTUAL TABLE entry_search USING fts5 (
    name, sentences, note, content="entry", content_rowid="pk"
);
CREATE TRIGGER entry_is_searchable AFTER INSERT ON entry BEGIN
    INSERT INTO entry_search (rowid, name, sentences, note)
        VALUES (new.pk, new.name, new.sentences, new.note);
END;
CREATE TRIGGER entry_is_forgotten AFTER DELETE ON entry BEGIN
    INSERT INTO entry_search (entry_search, rowid, name, sentences, note)
        VALUES ('delete', old.pk, old.name, old.sentences, old.note);
END;
"""

_ISSUES = """
ALTER TABLE source ADD COLUMN is_companion INTEGER NOT NULL DEFAULT 0;  -- such as a list of labels
CREATE TABLE issue (                   -- what was odd about a source, and what was done about it
    source INTEGER NOT NULL REFERENCES source (pk) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,                -- step, repair, oddity or fault
    line INTEGER NOT NULL,             -- 0 for the file as a whole
    entry TEXT NOT NULL,               -- the entry's id in its dataset, if it went into one
    problem TEXT NOT NULL,             -- what the problem is called in the source
    odd TEXT NOT NULL,
    done TEXT NOT NULL,
    PRIMARY KEY (source, position)
) WITHOUT ROWID;
"""

_OBSERVATIONS = """
CREATE TABLE model (                   -- a model that was asked
    pk INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,  -- hash of all that its answers depend on
    name TEXT NOT NULL,                -- what it was called when it was asked first
    family TEXT NOT NULL,
    architecture TEXT NOT NULL,
    weights TEXT NOT NULL,             -- SHA-256 of the weights, and of the tokenizer
    tokenizer TEXT NOT NULL,
    revision TEXT NOT NULL,
    dtype TEXT NOT NULL,
    device TEXT NOT NULL,
    parameters INTEGER NOT NULL,
    vocabulary INTEGER NOT NULL,
    context INTEGER                    -- how many tokens it can read, if there is a limit
);
CREATE TABLE asking (                  -- one run of asking a model
    pk INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    model INTEGER NOT NULL REFERENCES model (pk) ON DELETE CASCADE,
    name TEXT NOT NULL,                -- what the model was called in this run
    started_at TEXT NOT NULL,          -- UTC, ISO 8601
    horsesense TEXT NOT NULL,          -- versions
    torch TEXT NOT NULL,
    transformers TEXT NOT NULL,
    way TEXT NOT NULL,                 -- how sentences were batched, and why not otherwise
    why TEXT NOT NULL
);
CREATE INDEX asking_model ON asking (model);
CREATE TABLE observation (             -- what a model said to one query
    pk INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES model (pk) ON DELETE CASCADE,
    asking INTEGER NOT NULL REFERENCES asking (pk) ON DELETE CASCADE,
    method TEXT NOT NULL,              -- of observation: causal, single-mask, …
    key TEXT NOT NULL,                 -- hash of the method and of the three columns that follow
    ids TEXT NOT NULL,                 -- the tokens that it read
    masks TEXT NOT NULL,               -- the positions that were masked together
    label TEXT NOT NULL,               -- the tokens that it was to write
    log_probs TEXT NOT NULL,           -- natural logarithms; nine digits give a float32 exactly
    checksum TEXT NOT NULL,            -- hash of model, query and log_probs
    observed_at TEXT NOT NULL,
    UNIQUE (model, key)
);
CREATE INDEX observation_asking ON observation (asking);
"""

STEPS = (_DATASETS, _ISSUES, _OBSERVATIONS)


def migrate(connection: sqlite3.Connection, steps: tuple[str, ...] = STEPS) -> None:
    """Apply the steps that the file has not seen, each in a transaction with its number."""
    for number, step in enumerate(steps, start=1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Asked again under the lock: another process may have been faster.
            if version_of(connection) < number:
                for statement in _statements(step):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except BaseException:
            # After a full disk SQLite may have rolled back by itself.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def version_of(connection: sqlite3.Connection) -> int:
    """The number of the last step that the file has seen."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(step: str) -> list[str]:
    """The statements of a step; `executescript` would commit what is open before it."""
    statements, statement = [], ""
    for line in step.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            statements.append(statement)
            statement = ""
    return [*statements, statement] if statement.strip() else statements
