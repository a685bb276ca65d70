"""Chromium, and the Python with playwright that drives it; where either is missing, tests skip."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

PYTHON = os.environ.get("HORSESENSE_BROWSER", "")
VISIT = Path(__file__).with_name("visit.py")

needs_browser = pytest.mark.skipif(
    not PYTHON, reason="HORSESENSE_BROWSER names no Python with playwright"
)


def visit(page: Path, words: str, *parts: str, pictures: Path | None = None) -> dict[str, Any]:
    """What came of these parts of a visit to a page, on which these words are searched for."""
    folder = [] if pictures is None else [str(pictures)]
    done = subprocess.run(
        [PYTHON, str(VISIT), str(page), chromium(), words, ",".join(parts), *folder],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@cache
def chromium() -> str:
    """Where Chromium is. It is installed where that is possible, once for all tests."""
    if (found := _on_the_path()) is None and shutil.which("apt-get") and os.geteuid() == 0:
        _install()
        found = _on_the_path()
    if found is None:
        pytest.skip("there is no Chromium, and it cannot be installed here")
    return found


def _on_the_path() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


def _install() -> None:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "-qq", "update"],
        ["apt-get", "-qq", "install", "-y", "--no-install-recommends", "chromium"],
    ):
        subprocess.run(command, env=quiet, capture_output=True, timeout=600)
