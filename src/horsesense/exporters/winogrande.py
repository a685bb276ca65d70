"""WinoGrande's JSON lines: `qID`, `sentence` with one `_`, `option1`, `option2`, `answer`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from horsesense.exporters.blanks import filled, fills_by_hand, fixed_texts
from horsesense.exporters.outgoing import Exported, Outgoing, count_header
from horsesense.exporters.posed import MINIMAL_PAIRS, NOT_BY_HAND, NOT_TWO_OPTIONS, Posed, posed
from horsesense.schema import Entry, Problem

_BLANK = "_"
_NUMBER = re.compile(r"[0-9]+\Z")
_QID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def winogrande(outgoing: Outgoing, report: Exported) -> Iterator[str]:
    """The lines, one by one; a problem without a known answer has no `answer`.

    Twins are known by what stands before the last hyphen of their `qID`, so that a problem that
    has no name from its source gets a number even where it has no twin.
    """
    count_header(outgoing.header, report)
    for entry, kept in posed(outgoing, report, misfit=_misfit):
        for name, one in zip(_names(entry, kept, report), kept, strict=True):
            line = {
                "qID": name,
                "sentence": filled(fixed_texts(one.problem), (_BLANK,)),
                "option1": one.problem.options[0][0],
                "option2": one.problem.options[1][0],
            }
            if one.problem.right is not None:
                line["answer"] = str(one.problem.right + 1)
            # The published files are ASCII.
            yield json.dumps(line) + "\n"


def _names(entry: Entry, kept: Sequence[Posed], report: Exported) -> list[str]:
    """What the problems are called in their source, if by that they would be twins again.

    Otherwise they are called after their entry. So is a single problem that is only numbered in
    its source: `owl-2` would be the twin of another problem `owl-1`.
    """
    names = [one.source_name for one in kept]
    if all(map(_QID.fullmatch, names)):
        stems = {name.rpartition("-")[0] for name in names}
        ends = sorted(name.rpartition("-")[2] for name in names)
        is_alone = len(names) == 1 and (stems == {entry.id} or not _NUMBER.search(names[0]))
        if is_alone or (len(stems) == 1 and ends == ["1", "2"]):
            return names
    if any(names):
        report.leave_out("names of problems", len(names))
    return [f"{entry.id}-{one.number}" for one in kept]


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
