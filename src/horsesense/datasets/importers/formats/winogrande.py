"""WinoGrande: JSON lines, twins by the stem of `qID`.

The digit that ends `qID` equals the answer wherever there is one, so the id gives it away. It
is used only to tell twins apart. Test files have no labels; a list of labels may be passed
as a companion and must not contradict the file.

Other files in this form number their problems: `wsc-1`, `wsc-2`, …, `wsc-273`. A stem that more
than two rows share marks no twins, so these rows are paired by position and similarity. In a
file that has such rows, a stem of two rows marks twins only where they have the same options.
A row whose whole id is the stem of others is not their twin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from horsesense.datasets.importers.columns import UNUSED_ISSUE, are_columns_of, reporting_unused
from horsesense.datasets.importers.format import (
    Companions,
    Format,
    numbered_label,
    read_rows,
    twins_by_key,
)
from horsesense.datasets.importers.neighbours import unmarked_twins
from horsesense.datasets.importers.source import BAD_LABEL, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import (
    BY_ID,
    UNKNOWN_PRONOUN,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
)
from horsesense.schema import Phrases

_NUMBER = re.compile(r"[0-9]+\Z")
# The fields of a row of options, and that of its label.
FIELDS, LABEL = ("qID", "sentence", "option1", "option2"), "answer"


def _looks_like(file: SourceFile) -> bool:
    return not file.is_json_list and are_columns_of(file.first_object, FIELDS, answer=LABEL)


def read_option_row(line: int, row: dict[str, Any]) -> RawProblem:
    """A problem with its blank written `_` and two options."""
    name, sentence, first, second = texts_of(row, *FIELDS)
    texts = tuple(sentence.split("_"))
    if len(texts) != 2:
        raise BadRow(f"{len(texts) - 1} blanks where one is expected")
    right = numbered_label(row.get(LABEL), 2, first=1)
    return RawProblem(name, line, texts, ((first,), (second,)), right, UNKNOWN_PRONOUN)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    rows = reporting_unused(file.json_lines(journal), (*FIELDS, LABEL), journal)
    raw_problems = read_rows(rows, journal, read_option_row)
    for labels in companions:
        raw_problems = _with_labels(raw_problems, labels, journal)
    return twins_of_rows(list(raw_problems))


def twins_of_rows(raw_problems: Sequence[RawProblem]) -> list[RawEntry]:
    """Twins by their ids; those of rows that are only numbered, by position and similarity."""
    numbered = _numbered(raw_problems)
    # A row whose whole id is the stem of others has no mark, and stands for itself.
    parted = [
        (_stem(raw_problem.name), raw_problem)
        for raw_problem in raw_problems
        if raw_problem.name not in numbered
    ]
    alone = list(
        twins_by_key(
            (stem, raw_problem) for stem, raw_problem in parted if stem == raw_problem.name
        )
    )
    marked = list(
        twins_by_key(
            (stem, raw_problem) for stem, raw_problem in parted if stem != raw_problem.name
        )
    )
    if numbered:
        marked = [
            group for group in marked if len({_options(problem) for problem in group.problems}) == 1
        ]
        names = {problem.name for group in (*marked, *alone) for problem in group.problems}
        alone += unmarked_twins(
            raw_problem for raw_problem in raw_problems if raw_problem.name not in names
        )
    _name_apart(marked, alone)
    return sorted([*marked, *alone], key=lambda group: group.problems[0].line)


def _name_apart(marked: Iterable[RawEntry], others: Iterable[RawEntry]) -> None:
    """Call twins by their first problem where something else is called by their stem.

    Short stems come first: what they are called instead can only be a longer one.
    """
    used = {group.id for group in others}
    for group in sorted(marked, key=lambda group: len(group.id)):
        if group.id in used:
            group.id = group.problems[0].name
        used.add(group.id)


def _numbered(raw_problems: Iterable[RawProblem]) -> set[str]:
    """The ids that more than two rows have in common but for the number at their end."""
    alike: dict[str, set[str]] = {}
    for raw_problem in raw_problems:
        if number := _NUMBER.search(raw_problem.name):
            alike.setdefault(raw_problem.name[: number.start()], set()).add(raw_problem.name)
    return {name for names in alike.values() if len(names) > 2 for name in names}


def _options(raw_problem: RawProblem) -> frozenset[Phrases]:
    return frozenset(raw_problem.options)


def _stem(name: str) -> str:
    """Return the id without the mark of a twin."""
    stem, hyphen, digit = name.rpartition("-")
    return stem if stem and hyphen and digit in ("1", "2") else name


def _with_labels(
    raw_problems: Iterable[RawProblem], labels: SourceFile, journal: Journal
) -> Iterator[RawProblem]:
    """The problems with the labels of a list, one on each line."""
    problems, lines = list(raw_problems), labels.text.split()
    if len(lines) != len(problems):
        journal.fault(
            BAD_LABEL, 0, "", f"{labels.name} has {len(lines)} labels for {len(problems)} problems"
        )
        return
    for problem, label in zip(problems, lines, strict=True):
        try:
            right = numbered_label(label, 2, first=1)
        except BadRow as error:
            journal.fault(BAD_LABEL, problem.line, problem.name, f"{labels.name}: {error}")
            continue
        if problem.right is not None and problem.right != right:
            odd = f"the file says {problem.right + 1}, {labels.name} says {label}"
            journal.fault(BAD_LABEL, problem.line, problem.name, odd)
            continue
        yield problem._replace(right=right)


FORMAT = Format(
    name="winogrande",
    title="WinoGrande, JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_ID, "the stem of their qID"),
    issues=UNUSED_ISSUE,
    companions="a list of labels, one on each line",
)
