"""EWoK: two contexts and two targets in each row, where each target fits one context.

A row is a schema: the contexts are its keys and the targets its answers. The key phrase is
everything between the first and the last difference of the contexts, so that every row can be posed
by key, too: which context fits the target? This reader follows the published description of
the format.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from horsesense.datasets.importers.columns import UNUSED_ISSUE
from horsesense.datasets.importers.format import Companions, Format, fit_tag
from horsesense.datasets.importers.roles import are_columns_for, rows_by_role
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import BY_MARK, Journal, RawEntry, RawProblem, Twins

_TEXTS = ("context1", "context2", "target1", "target2")
# Roles that become tags, and what these begin with.
_TAGS = {
    "domain": "",
    "concept a": "",
    "concept b": "",
    "context type": "",
    "context difference": "context:",
    "target difference": "target:",
}
_ROLES = {text: (text,) for text in _TEXTS} | {
    "domain": ("domain",),
    "concept a": ("concepta", "concept1", "concept"),
    "concept b": ("conceptb", "concept2"),
    "context type": ("contexttype",),
    "context difference": ("contextdiff", "contextdifference"),
    "target difference": ("targetdiff", "targetdifference"),
}


def _looks_like(file: SourceFile) -> bool:
    return are_columns_for(file, _ROLES, _TEXTS)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    for number, (line, row) in enumerate(rows_by_role(file, _ROLES, journal), start=1):
        try:
            yield _schema(str(number), line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, str(number), str(error))


def _schema(name: str, line: int, row: dict[str, Any]) -> RawEntry:
    first, second, *targets = (text.strip() for text in texts_of(row, *_TEXTS))
    if not all((first, second, *targets)):
        raise BadRow("a context or a target is empty")
    if first == second or targets[0] == targets[1]:
        raise BadRow("the two contexts or the two targets are the same")
    options = tuple((target,) for target in targets)
    problems = [
        RawProblem(f"{name}-{right + 1}", line, (f"{context} ", ""), options, right)
        for right, context in enumerate((first, second))
    ]
    return RawEntry(name, problems, tags=tuple(_tags(row)))


def _tags(row: dict[str, Any]) -> Iterable[str]:
    """The concepts of a row, and how its contexts and targets differ."""
    tags: dict[str, None] = {}
    for role, start in _TAGS.items():
        value = row.get(role)
        if isinstance(value, str) and (tag := fit_tag(value.strip())):
            tags[f"{start}{tag}"] = None
    return tags


FORMAT = Format(
    name="ewok",
    title="EWoK, CSV or JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "the row, which has both contexts"),
    issues=UNUSED_ISSUE,
    contiguous=True,
)
