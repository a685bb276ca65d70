"""Run all tests, in two processes side by side, one of them with coverage.

One runs what tests the pure packages, of which every branch is to be covered, the other all that
asks models, keeps stores or starts programs: to be watched takes pure Python thrice the time. What
they say is shown whole and one after the other, with their closing lines together at the end; if
one of them fails, all does.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

UNWATCHED = (
    "src/horsesense/evaluation",
    "src/horsesense/models/huggingface",
    "src/horsesense/store",
    "tests/cli",
    "tests/datasets/exporters",
    "tests/evaluation",
    "tests/golden",
    "tests/installs",
    "tests/models",
    "tests/peers",
    "tests/store",
    "tests/test_fuzz.py",
)
_PYTEST = (sys.executable, "-m", "pytest")
_WATCHED = (sys.executable, "-m", "coverage", "run", "-m", "pytest")
# The first is shown while it runs.
PARTS: Mapping[str, tuple[str, ...]] = {
    "pure": (*_WATCHED, *(f"--ignore={path}" for path in UNWATCHED)),
    "others": (*_PYTEST, *UNWATCHED),
}
INTERRUPTED = 130
_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 30


def main() -> int:
    """Run both parts, and give the exit code: that of the first of them that failed."""
    # Background jobs of scripts ignore Ctrl-C, and so would the programs that tests interrupt.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with TemporaryDirectory() as folder:
        logs = [Path(folder, name) for name in PARTS]
        running = [_start(log) for log in logs]
        is_interrupted = _watch(running, logs[0])
        _show(logs[1].read_bytes())
        _show(b"\n" + b"\n".join(_closing_line(log) for log in logs) + b"\n")
    codes = [process.returncode for process in running]
    return INTERRUPTED if is_interrupted else next(filter(None, codes), 0)


def _start(log: Path) -> subprocess.Popen[bytes]:
    # Threads of torch that wait for each other are not to keep the other process waiting.
    environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}
    # In a group of its own it is told once to stop, by us, and not by the terminal as well.
    with log.open("wb") as stream:
        return subprocess.Popen(
            PARTS[log.name], stdout=stream, stderr=stream, env=environment, process_group=0
        )


def _watch(running: Sequence[subprocess.Popen[bytes]], log: Path) -> bool:
    """Show what one of them says until all have ended, and tell whether that was before time."""
    with log.open("rb") as said:
        try:
            while any(process.poll() is None for process in running):
                time.sleep(_LOOK_SECONDS)
                _show(said.read())
        except KeyboardInterrupt:
            return True
        finally:
            _stop(running)
            _show(said.read())
    return False


def _show(said: bytes) -> None:
    sys.stdout.buffer.write(said)
    sys.stdout.buffer.flush()


def _stop(running: Sequence[subprocess.Popen[bytes]]) -> None:
    """See that all end, with what they have started."""
    for process in running:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
    for process in running:
        try:
            process.wait(_PATIENCE_SECONDS)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _closing_line(log: Path) -> bytes:
    *_, last = (b"nothing was said", *log.read_bytes().splitlines())
    return f"{log.name}: ".encode() + last


if __name__ == "__main__":
    sys.exit(main())
