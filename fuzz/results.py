"""Spoilt results of a run, as `results.json` keeps them, for all that reads them back."""

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
_FORMS = 3
_FORMATS = ("text", "markdown", "latex", "json", "csv", "lm-eval")


def prepare(folder: Path) -> list[Any]:
    """The documents of small profiles, as JSON has them."""
    profiles = [awkward_profile(), awkward_profile(), bare_profile(), _part_of(small_profile())]
    return [json.loads(json.dumps(to_document(one))) for one in profiles]


def _part_of(profile: Results) -> Results:
    """A profile of one dataset in few forms, by standard methods: quickly read and reported."""
    dataset = profile.datasets[0].name
    forms = profile.variants_of(dataset)[:_FORMS]
    names = {form.name for form in forms}
    methods = {dict(model.standard)[dataset] for model in profile.models}

    def is_kept(one: ResultKey | None) -> bool:
        return one is None or (
            one.dataset == dataset and one.variant in names and one.method in methods
        )

    return replace(
        profile,
        datasets=profile.datasets[:1],
        variants=forms,
        estimates=tuple(
            one for one in profile.estimates if is_kept(one.key) and is_kept(one.against)
        ),
        options=tuple(one for one in profile.options if is_kept(one.key)),
        problems=tuple(
            one for one in profile.problems if one.dataset == dataset and one.variant in names
        ),
        answer_sets={
            at: answer_set for at, answer_set in profile.answer_sets.items() if is_kept(at)
        },
        tokens=tuple(
            one for one in profile.tokens if one.dataset == dataset and one.variant in names
        ),
    )


def spoil(rng: random.Random, good: list[Any]) -> bytes:
    """A document with values out of place, or with bytes changed."""
    document = rng.choice(good)
    if rng.random() < 0.2:
        return spoil_bytes(rng, as_json(document))
    if rng.random() < 0.1:
        return as_json(spoil_value(rng, document))
    # What is inside of the tables, mostly.
    tables = document["tables"]
    name = rng.choice(sorted(tables))
    table = _with_other_cells if rng.random() < 0.6 else spoil_value
    return as_json({**document, "tables": {**tables, name: table(rng, tables[name])}})


def _with_other_cells(rng: random.Random, table: Any) -> Any:
    """The table with a few cells that are nearly as they were."""
    rows = [list(row) for row in table["rows"]]
    for row in rng.choices(rows, k=rng.randint(1, 3)) if rows else ():
        at = rng.randrange(len(row))
        row[at] = spoil_near(rng, row[at])
    return {**table, "rows": rows}


def attempt(spoilt: bytes, folder: Path) -> bool:
    """Read it as `report --from` and `compare` do, and report on what was accepted."""
    path = folder / "results.json"
    path.write_bytes(spoilt)
    try:
        profile = read_results(str(path))
    except HorsesenseError as error:
        if not str(error).startswith(str(path)):
            raise AssertionError(f"the file is not named: {error}") from error
        if len(str(error)) > 1_000:
            raise AssertionError("an endless message") from error
        raise
    check_comes_back(profile)
    report = build_report(profile)
    for _ in report_files(report, _FORMATS):
        pass
    sections = tuple(replace(section, figures=()) for section in report.sections)
    (text_summary(report) + page(replace(report, sections=sections))).encode()
    profile = _with_few_resamples(profile)
    for one, other in pairwise(profile.models):
        _compare(profile, one, other)
    return True


def check_comes_back(profile: Results) -> None:
    """What was accepted is written and read as the same."""
    written = json.loads(json.dumps(to_document(profile), allow_nan=False))
    if from_document(written) != profile:
        raise AssertionError("a profile that was written reads differently")


def _with_few_resamples(profile: Results) -> Results:
    record = profile.record
    few = min(record.plan.resamples, _RESAMPLES)
    return replace(profile, record=replace(record, plan=replace(record.plan, resamples=few)))


def _compare(profile: Results, one: Any, other: Any) -> None:
    try:
        compare_sides([Side(one.name, profile, one), Side(other.name, profile, other)])
    except HorsesenseError as error:
        str(error)
