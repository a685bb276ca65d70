"""What a file is that is no log: what can be said of it, and what to give instead."""

from __future__ import annotations

import json
import re

from horsesense.datasets.importers import SourceFile
from horsesense.results.logs.document import some
from horsesense.results.logs.lines import heading, is_table
from horsesense.results.logs.plain import lacking_columns

# Totals, by what stands first in them.
_TOTALS = {
    re.compile(r'\s*\{\s*"results"\s*:\s*\{'): (
        "the totals of lm-evaluation-harness; give samples_*.jsonl, which --log_samples writes"
    ),
    re.compile(r'\s*\{\s*"config_general"\s*:'): (
        "the totals of lighteval; give details_*.parquet, which --save-details writes"
    ),
}
_MEANINGS = {
    "schema": "two problems with the same one are twins; a problem without twins has an empty cell",
    "solved": "it is 1 or 0, true or false, or empty for undecided",
}


def why_unknown(file: SourceFile) -> str | None:
    """Why the file is no log; None where nothing is known of it.

    >>> why_unknown(SourceFile("owls.csv", b""))
    'the file is empty'
    """
    if not file.data.strip():
        return "the file is empty"
    totals = (told for start, told in _TOTALS.items() if start.match(file.head))
    return next(totals, None) or _of_columns(file)


def _of_columns(file: SourceFile) -> str | None:
    is_json = file.head.lstrip().startswith("{")
    columns = _keys(file) if is_json else heading(file)
    lacking = lacking_columns(columns)
    # Many a text has commas in its first line.
    is_near = len(lacking) == 1 or (not is_json and len(columns) > 1 and is_table(file))
    if not is_near:
        return None
    listed = " and ".join(f"`{column}`" for column in lacking)
    meaning = "; ".join(f"{column}: {_MEANINGS[column]}" for column in lacking)
    noun = "column" if len(lacking) == 1 else "columns"
    return f"a table without the {noun} {listed} (there are: {some(columns, 24)}); {meaning}"


def _keys(file: SourceFile) -> list[str]:
    """The fields of the first line."""
    try:
        first = json.loads(file.head.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return []
    return list(first)
