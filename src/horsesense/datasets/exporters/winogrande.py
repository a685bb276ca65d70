"""WinoGrande's JSON lines: `qID`, `sentence` with one `_`, `option1`, `option2`, `answer`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from horsesense.datasets.exporters.exported import (
    MINIMAL_PAIRS,
    NOT_BY_HAND,
    NOT_TWO_OPTIONS,
    Exported,
    NamedProblem,
    count_header,
    filled,
    fills_by_hand,
    fixed_texts,
    letters,
    named_problems,
)
from horsesense.schema import Dataset, Entry, Problem

_BLANK = "_"
_NUMBER = re.compile(r"[0-9]+\Z")
_NUMBERED = re.compile(r"[-_.]?[0-9]+\Z")
_QID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_Kept: TypeAlias = tuple[Entry, Sequence[NamedProblem]]


def winogrande(dataset: Dataset, report: Exported) -> Iterator[str]:
    """The lines, one by one; a problem without a known answer has no `answer`.

    Twins are known by what stands before the last hyphen of their `qID`, so that a problem that
    has no name from its source gets a number even where it has no twin. Names depend on those of
    all others, which therefore come first.
    """
    count_header(dataset.header, report)
    kept_problems = list(named_problems(dataset, report, misfit=_misfit))
    if large := sum(len(kept) > 2 for _, kept in kept_problems):
        entries = "1 entry" if large == 1 else f"{large:,} entries"
        report.remarks.append(
            f"WinoGrande's ids mark pairs only; {entries} of more than two problems "
            f"{'is' if large == 1 else 'are'} written as problems that do not belong together"
        )
    for names, (_, kept) in zip(_names(kept_problems, report), kept_problems, strict=True):
        for name, named in zip(names, kept, strict=True):
            line = {
                "qID": name,
                "sentence": filled(fixed_texts(named.problem), (_BLANK,)),
                "option1": named.problem.options[0][0],
                "option2": named.problem.options[1][0],
            }
            if named.problem.right is not None:
                line["answer"] = str(named.problem.right + 1)
            # The published files are ASCII.
            yield json.dumps(line) + "\n"


def _names(kept_problems: Sequence[_Kept], report: Exported) -> Iterator[list[str]]:
    """Return the names of each entry's problems: as in their source, or after the entry.

    They keep names by which they are twins again, or alone, as long as no other id that may be
    written is the same as their stem, or the same with a number.
    """
    made = [_made_names(entry, len(kept)) for entry, kept in kept_problems]
    sources = [_source_names(entry, kept) for entry, kept in kept_problems]
    taken: Counter[str] = Counter()
    for names, in_source in zip(made, sources, strict=True):
        taken.update({*names, *in_source, *map(_stem, (*names, *in_source))})
    for names, in_source, (_, kept) in zip(made, sources, kept_problems, strict=True):
        if in_source and taken[_stem(in_source[0])] == 1:
            yield in_source
            continue
        report.leave_out("names of problems", sum(bool(named.source_name) for named in kept))
        yield names


def _made_names(entry: Entry, count: int) -> list[str]:
    """Names after the entry; more than two have letters, for numbers would make twins of some."""
    ends: Iterable[object] = range(1, count + 1) if count <= 2 else letters()
    return [f"{entry.id}-{end}" for end in islice(ends, count)]


def _source_names(entry: Entry, kept: Sequence[NamedProblem]) -> list[str]:
    """The names in the source, if by their form they mark these problems as twins, or as alone.

    A single problem that is only numbered in its source is not marked as alone: `owl-2` would be
    the twin of another problem `owl-1`.
    """
    names = [named_problem.source_name for named_problem in kept]
    if not all(map(_QID.fullmatch, names)):
        return []
    stems = {name.rpartition("-")[0] for name in names}
    ends = sorted(name.rpartition("-")[2] for name in names)
    is_alone = len(names) == 1 and (stems == {entry.id} or not _NUMBER.search(names[0]))
    are_twins = len(stems) == 1 and all(stems) and ends == ["1", "2"]
    return names if is_alone or are_twins else []


def _stem(name: str) -> str:
    return _NUMBERED.sub("", name)


def _misfit(problem: Problem) -> str:
    if not problem.blanks:
        return MINIMAL_PAIRS
    if problem.blanks > 1:
        return "problems with two blanks"
    if len(problem.options) != 2:
        return NOT_TWO_OPTIONS
    if any(_BLANK in text for text in fixed_texts(problem)):
        return "problems with an underscore in their text"
    return "" if fills_by_hand(problem) else NOT_BY_HAND
