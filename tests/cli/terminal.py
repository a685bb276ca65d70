"""The command line in processes of their own, and in a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

HORSESENSE = [sys.executable, "-m", "horsesense"]


def in_terminal(command: list[str], folder: Path) -> str:
    """What a command shows in a terminal of 80 columns."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "LINES": "24", "TERM": "xterm"}
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    shown = b""
    # Reading from a terminal whose last writer is gone is an error on Linux.
    while chunk := _read(leader):
        shown += chunk
    process.wait()
    os.close(leader)
    return shown.decode()


def without_colours(shown: str) -> str:
    """What a terminal shows, as plain text."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown).replace("\r", "")


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""
