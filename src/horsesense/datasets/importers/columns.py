"""Recognise a table or JSON file by its columns.

A format requires certain columns and knows others. A file may have unknown columns such as
`annotator` or `split`; but an unknown column that is part of a problem, such as `candidate0` or
`option3`, shows that the file has another format. A second column for the answer, such as `label`
next to WinoGrande's `answer`, is fine.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TypeVar

from horsesense.datasets.recovery import Journal

UNUSED = "unused-column"
UNUSED_ISSUE = {UNUSED: "a column has an unknown name and is not used"}
_JOINTS = re.compile(r"[\s_-]+")
# Common names of columns that hold a part of a problem, with numbers and letters after them.
_PART = re.compile(
    r"(?:correct_|right_|gold_|wrong_)?"
    r"(?:text|sentence|sent|s|statement|premise|hypothesis|context|question|passage|query|prompt"
    r"|option|choice|alternative|cand(?:idate)?|an(?:swer|s)|ending|substitution|target|pronoun|span"
    r"|label|gold|correct|pair|pair_number|schema|group|mask|blank)s?"
    r"(?:_?(?:[0-9]{1,3}|[a-z])(?:_text|_index|_offset)?)?(?:_id)?"
    # Candidates may be called by a letter, such as GAP's A and B.
    r"|[a-z](?:_offset|_coref)?"
)
_ANSWER = re.compile(
    r"(?:correct_|right_|gold_)?(?:answer|label|target)(?:_index|_text)?|gold|correct"
)
_Row = TypeVar("_Row", bound=Mapping[str, object])


def are_columns_of(
    columns: Iterable[str],
    needed: Collection[str],
    known: Collection[str] = (),
    *,
    answer: str = "",
) -> bool:
    """Return whether a file with these columns fits a format that needs and knows others.

    If the file has the format's `answer` column, it may have other columns for the answer too.

    >>> are_columns_of(["id", "text", "label", "annotator"], ["id", "text"], ["label"])
    True
    >>> are_columns_of(["id", "text", "label", "Candidate 0"], ["id", "text"], ["label"])
    False
    >>> are_columns_of(["text", "label"], ["id", "text"], ["label"])
    False
    """
    present = set(columns)
    others = present.difference(needed, known, [answer])
    if answer in present:
        others = {column for column in others if not _ANSWER.fullmatch(_joined(column))}
    return present.issuperset(needed) and not any(map(is_part_of_a_problem, others))


def is_part_of_a_problem(column: str) -> bool:
    """Return whether a column with this name would hold a part of a problem.

    >>> is_part_of_a_problem("Option_3"), is_part_of_a_problem("sentence length")
    (True, False)
    """
    return _PART.fullmatch(_joined(column)) is not None


def reporting_unused(
    rows: Iterable[tuple[int, _Row]], used: Collection[str], journal: Journal
) -> Iterator[tuple[int, _Row]]:
    """Yield the rows, then report their unused columns once."""
    unused: dict[str, None] = {}
    for line, row in rows:
        unused.update(dict.fromkeys(column for column in row if column not in used))
        yield line, row
    if unused:
        odd = f"the column{'' if len(unused) == 1 else 's'} {', '.join(map(repr, unused))}"
        journal.oddity(UNUSED, 0, "", odd, "left out")


def _joined(column: str) -> str:
    return _JOINTS.sub("_", column.strip().lower())
