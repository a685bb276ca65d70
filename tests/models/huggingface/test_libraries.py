"""Libraries are looked through for garbage once, and only if it was we who imported them."""

from __future__ import annotations

import subprocess
import sys

import pytest

_ASKED = """
    from horsesense.models.huggingface.libraries import transformers_quietly
    import gc
    counts = []
    for _ in range(2):
        with transformers_quietly():
            counts.append(gc.get_freeze_count())
    print(*counts)
"""


@pytest.mark.parametrize("before, is_set_aside", [("", True), ("import transformers", False)])
def test_what_we_import_is_set_aside(before: str, is_set_aside: bool) -> None:
    lines = [before, *(line.removeprefix("    ") for line in _ASKED.splitlines())]
    told = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    first, second = map(int, told.stdout.split())
    assert (first > 0) is (second > 0) is is_set_aside
    assert second <= first  # nothing was added
