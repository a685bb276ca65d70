"""Issues: what was odd about published data, and what was done about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class IssueKind(StrEnum):
    """How an issue was dealt with."""

    STEP = "step"  # put right as a matter of course, so that the text can be read at all
    REPAIR = "repair"  # an error of the published file, put right; can be switched off
    ODDITY = "oddity"  # noticed, and left as it is
    FAULT = "fault"  # could not be used, and was left out


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that was odd, about one problem or (line 0) about the whole file."""

    name: str
    kind: IssueKind
    line: int = 0
    entry: str = ""
    problem: str = ""
    odd: str = ""
    done: str = ""
