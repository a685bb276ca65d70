"""Corrupt results of a run, as `results.json` keeps them, for everything that reads them."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from fuzz.spoiling import as_json, spoil_bytes, spoil_near, spoil_value
from horsesense.errors import HorsesenseError
from horsesense.reports import build_report, text_summary
from horsesense.reports.page import page
from horsesense.reports.writing import report_files
from horsesense.results import ResultKey, Results
from horsesense.results.document import from_document, to_document
from horsesense.results.measuring.across_runs import Side, compare_sides
from horsesense.store import read_results
from tests.reports.small_profile import small_profile
from tests.results.awkward import awkward_profile, bare_profile

LIMIT_SECONDS = 2.0
_RESAMPLES = 100
_VARIANTS = 3
_FORMATS = ("text", "markdown", "latex", "json", "csv", "lm-eval")


def prepare(folder: Path) -> list[Any]:
    """Return the documents of small results, as parsed from JSON."""
    small = [awkward_profile(), awkward_profile(), bare_profile(), _part_of(small_profile())]
    return [json.loads(json.dumps(to_document(results))) for results in small]


def _part_of(results: Results) -> Results:
    """Keep one dataset in few variants, with standard methods, to read and report it quickly."""
    dataset = results.datasets[0].name
    variants = results.variants_of(dataset)[:_VARIANTS]
    names = {variant.name for variant in variants}
    methods = {dict(model.standard)[dataset] for model in results.models}

    def is_kept(key: ResultKey | None) -> bool:
        return key is None or (
            key.dataset == dataset and key.variant in names and key.method in methods
        )

    return replace(
        results,
        datasets=results.datasets[:1],
        variants=variants,
        estimates=tuple(
            row for row in results.estimates if is_kept(row.key) and is_kept(row.against)
        ),
        options=tuple(row for row in results.options if is_kept(row.key)),
        problems=tuple(
            row for row in results.problems if row.dataset == dataset and row.variant in names
        ),
        answer_sets={
            key: answer_set for key, answer_set in results.answer_sets.items() if is_kept(key)
        },
        tokens=tuple(
            row for row in results.tokens if row.dataset == dataset and row.variant in names
        ),
    )


def spoil(rng: random.Random, good: list[Any]) -> bytes:
    """Put wrong values into a document, or change its bytes."""
    document = rng.choice(good)
    if rng.random() < 0.2:
        return spoil_bytes(rng, as_json(document))
    if rng.random() < 0.1:
        return as_json(spoil_value(rng, document))
    # Change mostly the content of the tables.
    tables = document["tables"]
    name = rng.choice(sorted(tables))
    corrupt = _with_other_cells if rng.random() < 0.6 else spoil_value
    return as_json({**document, "tables": {**tables, name: corrupt(rng, tables[name])}})


def _with_other_cells(rng: random.Random, table: Any) -> Any:
    """Change a few cells of the table slightly."""
    rows = [list(row) for row in table["rows"]]
    for row in rng.choices(rows, k=rng.randint(1, 3)) if rows else ():
        column = rng.randrange(len(row))
        row[column] = spoil_near(rng, row[column])
    return {**table, "rows": rows}


def attempt(spoilt: bytes, folder: Path) -> bool:
    """Read it as `report --from` and `compare` do, and report on it if it was accepted."""
    path = folder / "results.json"
    path.write_bytes(spoilt)
    try:
        results = read_results(str(path))
    except HorsesenseError as error:
        if not str(error).startswith(str(path)):
            raise AssertionError(f"the message does not name the file: {error}") from error
        if len(str(error)) > 1_000:
            raise AssertionError("the message is far too long") from error
        raise
    check_comes_back(results)
    report = build_report(results)
    for _ in report_files(report, _FORMATS):
        pass
    sections = tuple(replace(section, figures=()) for section in report.sections)
    (text_summary(report) + page(replace(report, sections=sections))).encode()
    results = _with_few_resamples(results)
    for first, second in pairwise(results.models):
        _compare(results, first, second)
    return True


def check_comes_back(results: Results) -> None:
    """Check that accepted results read back the same after writing."""
    written = json.loads(json.dumps(to_document(results), allow_nan=False))
    if from_document(written) != results:
        raise AssertionError("written results read back differently")


def _with_few_resamples(results: Results) -> Results:
    record = results.record
    few = min(record.plan.resamples, _RESAMPLES)
    return replace(results, record=replace(record, plan=replace(record.plan, resamples=few)))


def _compare(results: Results, first: Any, second: Any) -> None:
    try:
        compare_sides([Side(first.name, results, first), Side(second.name, results, second)])
    except HorsesenseError as error:
        str(error)
