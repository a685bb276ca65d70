"""The tables of the store, as numbered steps that are applied once each.

A step never changes after it was released; a change of the tables is a new step.
`PRAGMA user_version` holds the number of the last step that a file has seen.
"""

from __future__ import annotations

import sqlite3

from horsesense.store.run_tables import RUNS

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

_PERTURBATIONS = """
CREATE TABLE perturbation (            -- what a transformation has made of a dataset
    pk INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again for another perturbation
    id TEXT NOT NULL UNIQUE,           -- hash of all that is not about time, entries included
    turn INTEGER NOT NULL UNIQUE,      -- of those that bear a name the highest is the current one
    name TEXT NOT NULL,                -- of the dataset that its valid entries go into, too
    original INTEGER NOT NULL REFERENCES dataset (pk),
    transformation TEXT NOT NULL,
    transformation_version INTEGER NOT NULL,
    title TEXT NOT NULL,               -- the transformation's
    parameters TEXT NOT NULL,          -- JSON, in the order of their names
    seed INTEGER NOT NULL,
    mode TEXT NOT NULL,                -- in which its problems are read
    level TEXT NOT NULL,               -- problem or schema: what has a counterpart
    touches TEXT NOT NULL,             -- what may be changed: candidates, key phrases, frame
    "right" TEXT NOT NULL,             -- which answer is right afterwards
    purpose TEXT NOT NULL,             -- consistency test or control
    applied_at TEXT NOT NULL,          -- UTC, ISO 8601
    horsesense TEXT NOT NULL           -- version
);
CREATE INDEX perturbation_name ON perturbation (name);
CREATE INDEX perturbation_original ON perturbation (original);
CREATE TABLE perturbed (               -- an entry after the transformation, as it was made
    perturbation INTEGER NOT NULL REFERENCES perturbation (pk) ON DELETE CASCADE,
    position INTEGER NOT NULL,         -- the original's in its dataset
    entry TEXT NOT NULL,               -- the author's id
    original INTEGER NOT NULL REFERENCES entry (pk),
    notation TEXT NOT NULL,
    fields TEXT NOT NULL,              -- all but the id, as a schema file has them, one a line
    how TEXT NOT NULL,                 -- it came about
    voucher TEXT NOT NULL,             -- author, rule, or nobody
    PRIMARY KEY (perturbation, position),
    UNIQUE (perturbation, entry)
) WITHOUT ROWID;
CREATE INDEX perturbed_original ON perturbed (original);
CREATE TABLE pair (                    -- which problem of an entry goes with which afterwards
    perturbation INTEGER NOT NULL REFERENCES perturbation (pk) ON DELETE CASCADE,
    entry TEXT NOT NULL,
    before INTEGER NOT NULL,           -- positions in the entry, from 0
    after INTEGER NOT NULL,
    options TEXT NOT NULL,             -- which option afterwards goes with each before, from 0
    PRIMARY KEY (perturbation, entry, before, after),
    FOREIGN KEY (perturbation, entry) REFERENCES perturbed (perturbation, entry) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE left_out (                -- an entry to which the transformation does not apply
    perturbation INTEGER NOT NULL REFERENCES perturbation (pk) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    entry TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (perturbation, position)
) WITHOUT ROWID;
CREATE TABLE judgement (               -- the ledger: who said what of a perturbed entry, and when
    pk INTEGER PRIMARY KEY,            -- of those of an entry the highest is the last word
    perturbation INTEGER NOT NULL REFERENCES perturbation (pk) ON DELETE CASCADE,
    entry TEXT NOT NULL,
    validity TEXT NOT NULL,            -- proposed, accepted, edited or rejected
    "by" TEXT NOT NULL,
    at TEXT NOT NULL,
    notation TEXT NOT NULL,            -- the wording that was judged
    note TEXT NOT NULL,
    FOREIGN KEY (perturbation, entry) REFERENCES perturbed (perturbation, entry) ON DELETE CASCADE
);
CREATE INDEX judgement_entry ON judgement (perturbation, entry);
CREATE TRIGGER judgement_stands BEFORE UPDATE ON judgement BEGIN
    SELECT raise(ABORT, 'a judgement stands as it was given; who thinks otherwise adds another');
END;
CREATE TABLE frozen (                  -- what was made of a perturbation's valid entries, and when
    pk INTEGER PRIMARY KEY,            -- of those of a perturbation the highest is the last
    perturbation INTEGER NOT NULL REFERENCES perturbation (pk) ON DELETE CASCADE,
    dataset INTEGER REFERENCES dataset (pk) ON DELETE SET NULL,  -- none if nothing was valid
    unreviewed INTEGER NOT NULL,       -- 1 if proposals are in it that nobody has judged
    frozen_at TEXT NOT NULL
);
CREATE INDEX frozen_perturbation ON frozen (perturbation);
CREATE INDEX frozen_dataset ON frozen (dataset);
"""

_MODES = """
-- In which mode the problems are posed unless somebody asks for another.
ALTER TABLE dataset ADD COLUMN mode TEXT NOT NULL DEFAULT 'by answer';
"""

# A checksum is empty in rows that were written before there were any; they cannot be verified.
_CHECKSUMS = """
ALTER TABLE dataset ADD COLUMN checksum TEXT NOT NULL DEFAULT '';  -- hash of the row
ALTER TABLE source ADD COLUMN checksum TEXT NOT NULL DEFAULT '';  -- and of its issues
ALTER TABLE perturbation ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE perturbation ADD COLUMN ledger TEXT NOT NULL DEFAULT '';  -- of its judgements
ALTER TABLE judgement ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE frozen ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE model ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE asking ADD COLUMN checksum TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN summary TEXT NOT NULL DEFAULT '';  -- hash of what a list of runs shows
CREATE TABLE seal (                    -- checksums of what is no row
    part TEXT PRIMARY KEY,
    checksum TEXT NOT NULL
) WITHOUT ROWID;
"""

STEPS = (_DATASETS, _ISSUES, _OBSERVATIONS, _PERTURBATIONS, RUNS, _MODES, _CHECKSUMS)


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
