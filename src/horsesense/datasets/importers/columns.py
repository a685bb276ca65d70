"""Recognising a table or JSON file by all its columns.

A format needs certain columns and knows others. A file that has all of the former may have columns
of its own besides, such as `annotator` or `split`; but one that is part of a problem, such as
`candidate0` or `option3`, shows that the file is something else that only begins alike. A column
that tells the answer again, such as `label` beside WinoGrande's `answer`, shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from horsesense.datasets.recovery import Journal

UNUSED = "unused-column"
UNUSED_ISSUE = {UNUSED: "a column has a name that means nothing to us"}
_JOINTS = re.compile(r"[\s_-]+")
# What problems are made of, by the names that people give it; numbers and letters tell apart.
_PART = re.compile(
    r"(?:correct_|right_|gold_|wrong_)?"
    r"(?:text|sentence|sent|s|statement|premise|hypothesis|context|question|passage|query|prompt"
    r"|option|choice|alternative|cand(?:idate)?|an(?:swer|s)|ending|substitution|target|pronoun|span"
    r"|label|gold|correct|pair|pair_number|schema|group|mask|blank)s?"
    r"(?:_?(?:[0-9]{1,3}|[a-z])(?:_text|_index|_offset)?)?(?:_id)?"
    # Candidates may have a letter for a name, as GAP's A and B.
    r"|[a-z](?:_offset|_coref)?"
)
_ANSWER = re.compile(
    r"(?:correct_|right_|gold_)?(?:answer|label|target)(?:_index|_text)?|gold|correct"
)
_Row = TypeVar("_Row", bound=Mapping[str, object])


def are_columns_of(
    found: Iterable[str],
    needed: Collection[str],
    known: Collection[str] = (),
    *,
    answer: str = "",
) -> bool:
    """Whether a file with these columns has the format that needs and knows those.

    Where it has the format's column for the answer, others may tell the answer again.

    >>> are_columns_of(["id", "text", "label", "annotator"], ["id", "text"], ["label"])
    True
    >>> are_columns_of(["id", "text", "label", "Candidate 0"], ["id", "text"], ["label"])
    False
    >>> are_columns_of(["text", "label"], ["id", "text"], ["label"])
    False
    """
    columns = set(found)
    others = columns.difference(needed, known, [answer])
    if answer in columns:
        others = {column for column in others if not _ANSWER.fullmatch(_joined(column))}
    return columns.issuperset(needed) and not any(map(is_part_of_a_problem, others))


def is_part_of_a_problem(column: str) -> bool:
    """Whether a column with this name would tell something that a problem is made of.

    >>> is_part_of_a_problem("Option_3"), is_part_of_a_problem("sentence length")
    (True, False)
    """
    return _PART.fullmatch(_joined(column)) is not None


def reporting_unused(
    rows: Iterable[tuple[int, _Row]], used: Collection[str], journal: Journal
) -> Iterator[tuple[int, _Row]]:
    """Pass the rows on, and report once at their end which columns they had that nobody used."""
    unused: dict[str, None] = {}
    for line, row in rows:
        unused.update(dict.fromkeys(column for column in row if column not in used))
        yield line, row
    if unused:
        odd = f"the column{'' if len(unused) == 1 else 's'} {', '.join(map(repr, unused))}"
        journal.oddity(UNUSED, 0, "", odd, "left out")


def _joined(column: str) -> str:
    return _JOINTS.sub("_", column.strip().lower())
