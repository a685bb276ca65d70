"""The tables that runs are kept in: the fifth step of the store."""

from __future__ import annotations

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
