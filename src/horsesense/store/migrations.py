"""The tables of the store, as numbered steps that are applied once each.

A step never changes after it was released; a change of the tables is a new step.
`PRAGMA user_version` holds the number of the last step that a file has seen.
"""

from __future__ import annotations

import sqlite3

RUNS = """
CREATE TABLE run (                     -- an evaluation: what was planned, with what it was done
    pk INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again for another run
    id TEXT NOT NULL UNIQUE,           -- the beginning of the key
    key TEXT NOT NULL UNIQUE,          -- hash of all that its numbers depend on
    plan TEXT NOT NULL,                -- JSON: all that it takes to do it again
    horsesense TEXT NOT NULL,          -- version
    program TEXT NOT NULL,             -- hash of the source code of horsesense
    versions TEXT NOT NULL,            -- JSON: pairs of package and version
    machine TEXT NOT NULL,             -- JSON: pairs of what and which
    started_at TEXT NOT NULL,          -- UTC, ISO 8601
    finished_at TEXT NOT NULL,
    seconds REAL NOT NULL,
    queries INTEGER NOT NULL,
    asked INTEGER NOT NULL,            -- of the queries; the others were in the store
    in_memory TEXT NOT NULL,           -- JSON: models and data that no plan names
    checksum TEXT NOT NULL DEFAULT ''  -- hash of all rows of the run, in all tables
);
-- In all tables that follow, rows of a run are numbered by position, from 0.
CREATE TABLE run_model (               -- a model or baseline that was evaluated
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    family TEXT NOT NULL,
    architecture TEXT NOT NULL,
    parameters INTEGER NOT NULL,
    dtype TEXT NOT NULL,
    device TEXT NOT NULL,
    fingerprint TEXT NOT NULL,         -- hash of all that its answers depend on
    is_baseline INTEGER NOT NULL,
    methods TEXT NOT NULL,             -- JSON: all that it was scored by
    standard TEXT NOT NULL,            -- JSON: pairs of dataset and the method chosen beforehand
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE run_dataset (             -- a dataset as it was when the run was
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    id TEXT NOT NULL,                  -- hash of its content; it may have been removed since
    title TEXT NOT NULL,
    licence TEXT NOT NULL,
    is_winograd INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    problems INTEGER NOT NULL,
    schemas INTEGER NOT NULL,
    tags TEXT NOT NULL,                -- JSON
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE run_form (                -- how a dataset was posed
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    dataset TEXT NOT NULL,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    transformation TEXT NOT NULL,
    purpose TEXT NOT NULL,
    level TEXT NOT NULL,
    mode TEXT NOT NULL,
    compared TEXT NOT NULL,            -- the form that it is measured against
    entries INTEGER NOT NULL,
    problems INTEGER NOT NULL,
    left_out TEXT NOT NULL,            -- JSON: pairs of reason and number of entries
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE posed_problem (           -- a problem of a form
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    dataset TEXT NOT NULL,
    form TEXT NOT NULL,
    entry TEXT NOT NULL,               -- the author's id
    number INTEGER NOT NULL,           -- of the problem in its entry, from 1
    options TEXT NOT NULL,             -- JSON
    "right" INTEGER,                   -- position among the options, from 0, if it is known
    statement TEXT,                    -- none where only answers to it are known
    sentences TEXT NOT NULL,           -- JSON: the statement with each option
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE tag_set (                 -- tags that hold of a problem together
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    tags TEXT NOT NULL,                -- JSON
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE sheet (                   -- all answers of a model by a method to a form
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    model TEXT NOT NULL,
    dataset TEXT NOT NULL,
    form TEXT NOT NULL,
    subset TEXT NOT NULL,
    method TEXT NOT NULL,
    name TEXT NOT NULL,
    answers INTEGER NOT NULL,          -- how many
    schemas TEXT NOT NULL,             -- JSON: pairs of answers, which are numbered from 0
    remarks TEXT NOT NULL,             -- JSON
    marks TEXT NOT NULL,               -- JSON: tags that were looked for
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE answer (
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,         -- in the run; those of a sheet follow each other
    sheet INTEGER NOT NULL,
    problem INTEGER NOT NULL,
    tags INTEGER NOT NULL,             -- a tag_set; they may differ from model to model
    chosen INTEGER,                    -- position among the options, from 0; none if undecided
    "right" INTEGER,
    margin REAL NOT NULL,              -- how much dearer the next option is than the chosen one
    has_choice INTEGER NOT NULL,       -- 0 if only known whether the problem was solved
    costs TEXT NOT NULL,               -- JSON: of each option; 1e999 is infinite
    PRIMARY KEY (run, position),
    FOREIGN KEY (run, sheet) REFERENCES sheet (run, position),
    FOREIGN KEY (run, problem) REFERENCES posed_problem (run, position),
    FOREIGN KEY (run, tags) REFERENCES tag_set (run, position)
) WITHOUT ROWID;
CREATE TABLE measurement (             -- a number with all that it takes to trust it
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,                -- value, change or difference
    model TEXT NOT NULL,
    dataset TEXT NOT NULL,
    form TEXT NOT NULL,
    subset TEXT NOT NULL,
    method TEXT NOT NULL,
    metric TEXT NOT NULL,
    value REAL,                        -- none where it is not defined; see the reason
    low REAL,                          -- the interval
    high REAL,
    count,                             -- whole numbers unless something counts half, kept as such
    total,
    problems INTEGER NOT NULL,
    schemas INTEGER NOT NULL,
    clusters INTEGER NOT NULL,
    undecided INTEGER NOT NULL,
    against_model TEXT,                -- what a change or difference is compared with
    against_dataset TEXT,
    against_form TEXT,
    against_subset TEXT,
    against_method TEXT,
    before REAL,                       -- the metric there, on what both have in common
    after REAL,
    p REAL,
    test TEXT NOT NULL,
    thesis_p REAL,
    adjusted_p REAL,
    family TEXT NOT NULL,              -- what p is adjusted over
    reason TEXT NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE option_chosen (           -- how often an option was chosen
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    model TEXT NOT NULL,
    dataset TEXT NOT NULL,
    form TEXT NOT NULL,
    subset TEXT NOT NULL,
    method TEXT NOT NULL,
    option TEXT NOT NULL,              -- 1, 2, …, or a text
    chosen INTEGER NOT NULL,
    offered INTEGER NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE token_cost (              -- an option of a problem, token by token
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    model TEXT NOT NULL,
    dataset TEXT NOT NULL,
    form TEXT NOT NULL,
    entry TEXT NOT NULL,
    number INTEGER NOT NULL,
    option INTEGER NOT NULL,           -- from 0
    texts TEXT NOT NULL,               -- JSON: as many of each
    parts TEXT NOT NULL,
    costs TEXT NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE gap (                     -- what was asked for and could not be done
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    "where" TEXT NOT NULL,
    reason TEXT NOT NULL,
    is_named INTEGER NOT NULL,         -- 1 if asked for by its name, and not as one of all
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE VIEW answered AS                -- answers with their texts, for a look with other tools
    SELECT run.id AS run, sheet.model, sheet.dataset, sheet.form, sheet.method,
        posed_problem.entry, posed_problem.number, posed_problem.statement, posed_problem.options,
        CASE WHEN has_choice THEN json_extract(options, '$[' || chosen || ']') END AS chosen,
        CASE WHEN has_choice THEN json_extract(options, '$[' || answer."right" || ']') END
            AS "right",
        CASE WHEN answer."right" IS NULL THEN 'unlabelled' WHEN chosen IS NULL THEN 'undecided'
            WHEN chosen = answer."right" THEN 'solved' ELSE 'failed' END AS verdict,
        answer.margin, answer.costs, tag_set.tags
    FROM answer
    JOIN run ON run.pk = answer.run
    JOIN sheet ON sheet.run = answer.run AND sheet.position = answer.sheet
    JOIN posed_problem
        ON posed_problem.run = answer.run AND posed_problem.position = answer.problem
    JOIN tag_set ON tag_set.run = answer.run AND tag_set.position = answer.tags;
"""


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

_CHATS = """
ALTER TABLE model ADD COLUMN server TEXT NOT NULL DEFAULT '';  -- kind and version, if it has one
ALTER TABLE run_model ADD COLUMN server TEXT NOT NULL DEFAULT '';
CREATE TABLE reply (                   -- what a chat model replied to one request
    pk INTEGER PRIMARY KEY,
    model INTEGER NOT NULL REFERENCES model (pk) ON DELETE CASCADE,
    asking INTEGER NOT NULL REFERENCES asking (pk) ON DELETE CASCADE,
    key TEXT NOT NULL,                 -- hash of the request
    request TEXT NOT NULL,             -- JSON: messages, limits and settings
    reply TEXT NOT NULL,               -- JSON: the text, and its tokens with log-probabilities
    checksum TEXT NOT NULL,            -- hash of the model and of all columns from the key on
    replied_at TEXT NOT NULL,          -- UTC, ISO 8601
    UNIQUE (model, key)
);
CREATE INDEX reply_asking ON reply (asking);
CREATE TABLE reply_count (             -- replies of a chat model in a run, by how they were read
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    model TEXT NOT NULL,
    dataset TEXT NOT NULL,             -- empty, as form and method: all of the model together
    form TEXT NOT NULL,
    method TEXT NOT NULL,
    requests INTEGER NOT NULL,         -- distinct ones
    refused INTEGER NOT NULL,
    unparsable INTEGER NOT NULL,
    truncated INTEGER NOT NULL,
    chose_first INTEGER NOT NULL,      -- the answer that is shown first
    with_log_probs INTEGER NOT NULL,
    written_differs INTEGER NOT NULL,  -- from the answer that its log-probabilities prefer
    prompt_tokens INTEGER NOT NULL,
    reply_tokens INTEGER NOT NULL,
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
CREATE TABLE server_usage (            -- what a run sent to the server of a model
    run INTEGER NOT NULL REFERENCES run (pk),
    position INTEGER NOT NULL,
    model TEXT NOT NULL,
    requests INTEGER NOT NULL,         -- retries included
    prompt_tokens INTEGER NOT NULL,
    reply_tokens INTEGER NOT NULL,
    cost REAL,                         -- none without prices
    PRIMARY KEY (run, position)
) WITHOUT ROWID;
"""

STEPS = (_DATASETS, _ISSUES, _OBSERVATIONS, _PERTURBATIONS, RUNS, _MODES, _CHECKSUMS, _CHATS)

# What the last step adds, for a file that cannot be written to: seen by this connection only.
_STAND_INS = """
CREATE TEMP VIEW model AS SELECT *, '' AS server FROM main.model;
CREATE TEMP VIEW run_model AS SELECT *, '' AS server FROM main.run_model;
CREATE TEMP TABLE reply (pk, model, asking, key, request, reply, checksum, replied_at);
CREATE TEMP TABLE reply_count (
    run, position, model, dataset, form, method, requests, refused, unparsable, truncated,
    chose_first, with_log_probs, written_differs, prompt_tokens, reply_tokens
);
CREATE TEMP TABLE server_usage (run, position, model, requests, prompt_tokens, reply_tokens, cost);
"""


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


def stand_in(connection: sqlite3.Connection) -> bool:
    """Let a file that cannot be written to be read as if it had seen the last step.

    Return False for a file that has not even seen the step before.
    """
    if version_of(connection) < len(STEPS) - 1:
        return False
    for statement in _statements(_STAND_INS):
        connection.execute(statement)
    return True


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
