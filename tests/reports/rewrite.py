"""Rewrite the pinned reports after a wanted change: `python -m tests.reports.rewrite`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from horsesense.profile import Profile
from horsesense.reports import latex, markdown, text
from tests.reports.small_profile import small_profile

SNAPSHOTS = Path(__file__).parent / "snapshots"
COMMAND = "python -m tests.reports.rewrite"


def _whole_text(profile: Profile) -> str:
    return text(profile, all_tables=True)


WRITERS: dict[str, Callable[[Profile], str]] = {
    "report.txt": _whole_text,
    "report.md": markdown,
    "report.tex": latex,
}


def rewrite() -> None:
    """Write what every writer makes of the small profile now."""
    SNAPSHOTS.mkdir(exist_ok=True)
    for name, write in WRITERS.items():
        (SNAPSHOTS / name).write_text(write(small_profile()), encoding="utf-8")


if __name__ == "__main__":
    rewrite()
