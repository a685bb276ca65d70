"""Rewrite the pinned reports after a wanted change: `python -m tests.reports.rewrite`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

from horsesense.reports import Report, latex, markdown, text
from horsesense.reports.lm_eval import lm_eval_results
from horsesense.reports.page import page
from horsesense.reports.writing import estimates_csv
from horsesense.results import Results
from horsesense.results.document import to_document
from tests.reports.built import small_report, without_figures

SNAPSHOTS = Path(__file__).parent / "snapshots"
COMMAND = "python -m tests.reports.rewrite"


def _whole_text(report: Report) -> str:
    return text(report, all_tables=True)


def _digests(report: Report) -> str:
    """Hashes of what is too long to be kept here; what is in it, other tests know."""
    profile = report.results
    made = {
        "estimates.csv": _measurements(profile),
        "results.json": _json(to_document(profile)),
        "lm-eval.json": _lm_eval(profile),
        "report.html": page(without_figures(profile)),
    }
    return "".join(f"{sha256(one.encode()).hexdigest()}  {name}\n" for name, one in made.items())


def _measurements(profile: Results) -> str:
    rows = csv.reader(StringIO(estimates_csv(profile).decode(), newline=""))
    return "".join(json.dumps([_cell(one) for one in row]) + "\n" for row in rows)


def _cell(text: str) -> Any:
    try:
        return _rounded(float(text))
    except ValueError:
        return text


def _lm_eval(profile: Results) -> str:
    return _json({one.name: lm_eval_results(profile, one.name) for one in profile.models})


def _json(value: Any) -> str:
    return json.dumps(_rounded(value), ensure_ascii=False, indent=1) + "\n"


def _rounded(value: Any) -> Any:
    """Numbers in six digits: another machine may give another last one."""
    match value:
        case float():
            return round(value, 6)
        case dict():
            return {key: _rounded(one) for key, one in value.items()}
        case list() | tuple():
            return [_rounded(one) for one in value]
        case _:
            return value


WRITERS: dict[str, Callable[[Report], str]] = {
    "report.txt": _whole_text,
    "report.md": markdown,
    "report.tex": latex,
    "digests.txt": _digests,
}


def rewrite() -> None:
    """Write what every writer makes of the small profile now."""
    SNAPSHOTS.mkdir(exist_ok=True)
    for name, write in WRITERS.items():
        (SNAPSHOTS / name).write_text(write(small_report()), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
