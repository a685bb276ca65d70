"""The program as it is installed elsewhere: without any extra, or with language models only."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

BARE = os.environ.get("HORSESENSE_BARE", "")
HF = os.environ.get("HORSESENSE_HF", "")

needs_bare = pytest.mark.skipif(
    not BARE, reason="HORSESENSE_BARE names no Python with horsesense and no extra"
)
needs_hf = pytest.mark.skipif(
    not HF, reason="HORSESENSE_HF names no Python with horsesense[hf] and no other extra"
)


@dataclass(frozen=True, slots=True)
class Installed:
    """An install, and the folder that its commands are run in."""

    python: str
    folder: Path

    def run(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """What the command says; it must end with that exit code, and never in a traceback."""
        command = [str(Path(self.python).with_name("horsesense")), *arguments]
        found = self._started(command)
        assert "Traceback" not in found.stderr, found.stderr
        assert found.returncode == code, (arguments, found.stderr)
        return found

    def evaluate(self, code: str) -> str:
        """What a Python program prints."""
        found = self._started([self.python, "-W", "always", "-c", code])
        assert found.returncode == 0, found.stderr
        return found.stdout

    def _started(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """The source is what is installed, and nothing is fetched or shared with others."""
        environment = {name: one for name, one in os.environ.items() if name != "PYTHONPATH"}
        environment |= {
            "HORSESENSE_CACHE": str(self.folder / "cache"),
            "HF_HOME": str(self.folder / "hub"),
            "HF_HUB_OFFLINE": "1",
            "PIP_NO_INDEX": "1",
            "OMP_NUM_THREADS": "1",
        }
        environment["HORSESENSE_STORE"] = "horsesense.db"
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True
        )
