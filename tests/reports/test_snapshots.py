"""The reports of a small profile are what they were."""

from __future__ import annotations

import pytest

from tests.reports.built import small_report
from tests.reports.rewrite import COMMAND, SNAPSHOTS, WRITERS


@pytest.mark.parametrize("name", WRITERS)
def test_a_report_is_as_it_was_pinned(name: str) -> None:
    pinned = (SNAPSHOTS / name).read_text(encoding="utf-8")
    assert WRITERS[name](small_report()) == pinned, f"if that is wanted, run {COMMAND}"
