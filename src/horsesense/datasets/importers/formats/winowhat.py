"""WinoWhat: WinoGrande's development items paraphrased, with the kinds of knowledge they need.

The problems are the paraphrases; the sentences of WinoGrande, if the file has them, are kept in the
fields `x-original.1` and `x-original.2`. Ids and twins are those of WinoGrande. This reader follows
the published description of the format.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from horsesense.datasets.importers.columns import UNUSED_ISSUE
from horsesense.datasets.importers.format import Companions, Format, fit_tag, read_rows
from horsesense.datasets.importers.formats.winodict import ANSWERS, OPTIONS, blanked, first_label
from horsesense.datasets.importers.formats.winogrande import twins_of_rows
from horsesense.datasets.importers.roles import Roles, are_columns_for, rows_by_role
from horsesense.datasets.importers.source import SourceFile, texts_of
from horsesense.datasets.recovery import BY_ID, Journal, RawEntry, RawProblem, Twins, trimmed

_NEEDED = ("qID", "paraphrase", *OPTIONS)
# Categories that may have a column each, with yes or no.
_KINDS = ("physical", "social", "numerical", "spatial", "temporal")
_ROLES: Roles = {
    "qID": ("qid",),
    "paraphrase": (
        *("paraphrase", "paraphrased", "paraphrasedsentence", "sentenceparaphrased"),
        "sentenceparaphrase",
    ),
    "sentence": ("sentence", "original", "originalsentence"),
    "option1": ("option1",),
    "option2": ("option2",),
    "answer": ANSWERS,
    "categories": (
        *("categories", "category", "knowledgecategories", "knowledgecategory"),
        *("knowledge", "knowledgetypes", "knowledgetype", "commonsensecategory"),
    ),
    **{kind: (kind,) for kind in _KINDS},
}
_BETWEEN = re.compile(r"[,;|/]")
_MARKS = re.compile(r"[\[\]'\"]")
_YES = frozenset({"1", "1.0", "true", "yes"})


def _looks_like(file: SourceFile) -> bool:
    return are_columns_for(file, _ROLES, _NEEDED)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    rows = list(rows_by_role(file, _ROLES, journal))
    first = first_label(rows)

    def read(line: int, row: dict[str, Any]) -> RawProblem:
        return _raw_problem(line, row, first)

    return twins_of_rows(list(read_rows(rows, journal, read)))


def _raw_problem(line: int, row: dict[str, Any], first: int) -> RawProblem:
    """The paraphrase; a file without that column has it in place of the sentence."""
    (name,) = texts_of(row, "qID")
    role = "paraphrase" if "paraphrase" in row else "sentence"
    (paraphrase,) = texts_of(row, role)
    problem = blanked(name, line, paraphrase, row, first)
    original = row.get("sentence")
    extras: tuple[tuple[str, str], ...] = ()
    if role == "paraphrase" and isinstance(original, str):
        extras = (("x-original", trimmed(original, lambda step: None)),)
    return problem._replace(tags=tuple(dict.fromkeys(_tags(row))), extras=extras)


def _tags(row: dict[str, Any]) -> Iterator[str]:
    """The kinds of knowledge, in one column or in one each."""
    categories = row.get("categories")
    if isinstance(categories, str):
        categories = _BETWEEN.split(_MARKS.sub("", categories))
    for category in categories if isinstance(categories, list) else ():
        if tag := fit_tag(str(category).strip()):
            yield tag
    for kind in _KINDS:
        if str(row.get(kind)).strip().lower() in _YES:
            yield kind


FORMAT = Format(
    name="winowhat",
    title="WinoWhat, CSV or JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_ID, "the stem of their qID"),
    issues=UNUSED_ISSUE,
)
