"""What an examination of a model finds, one check at a time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """How a check came out."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Finding:
    """A check, how it came out, what was seen, and what would help."""

    check: str
    verdict: Health
    text: str
    remedy: str = ""


def ok(check: str, text: str) -> Finding:
    """All is well."""
    return Finding(check, Health.OK, text)


def warning(check: str, text: str, remedy: str = "") -> Finding:
    """Something to know of before numbers are believed."""
    return Finding(check, Health.WARNING, text, remedy)


def failure(check: str, text: str, remedy: str = "") -> Finding:
    """Numbers would be wrong."""
    return Finding(check, Health.FAILURE, text, remedy)
