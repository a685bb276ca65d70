"""Run all tests in a few processes, two at a time, the first of them with coverage.

The first tests the pure packages, of which every branch is to be covered. The others query models,
keep stores or start programs, without coverage: measuring it makes pure Python three times slower.
Each starts as soon as one before it has ended, so that two cores are busy to the end. The output of
each is shown whole, one after the other, with their closing lines together at the end. If one of
them fails, the whole run fails.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

# The folders without coverage. Parts that take longer come first.
UNWATCHED: Mapping[str, tuple[str, ...]] = {
    "models": (
        "src/horsesense/models/huggingface",
        "tests/models/huggingface",
        "tests/models/test_agreement.py",
        "tests/models/test_baselines.py",
        "tests/models/test_batch.py",
        "tests/models/test_library_errors.py",
        "tests/models/test_loading.py",
        "tests/models/test_reading_all.py",
        "tests/models/test_real_albert.py",
        "tests/models/test_reference.py",
        "tests/models/test_tokenizer.py",
        "tests/models/test_weights.py",
        "tests/peers",
    ),
    "numbers": (
        "src/horsesense/evaluation",
        "tests/datasets/exporters",
        "tests/evaluation",
        "tests/golden",
    ),
    "commands": (
        "src/horsesense/store",
        "tests/cli",
        "tests/installs",
        "tests/store",
        "tests/test_fuzz.py",
    ),
}
_PYTEST = (sys.executable, "-m", "pytest")
_WATCHED = (sys.executable, "-m", "coverage", "run", "-m", "pytest")
_IGNORED = (f"--ignore={path}" for paths in UNWATCHED.values() for path in paths)
# The first is shown while it runs.
PARTS: Mapping[str, tuple[str, ...]] = {
    "pure": (*_WATCHED, *_IGNORED),
    **{name: (*_PYTEST, *paths) for name, paths in UNWATCHED.items()},
}
AT_ONCE = 2
INTERRUPTED = 130
# Stores wait for the disk at every step, unless it is one in memory.
_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 30


def main() -> int:
    """Run all parts, and give the exit code: that of the first of them that failed."""
    # Background jobs of scripts ignore Ctrl-C, and so would the programs that tests interrupt.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with TemporaryDirectory() as folder, TemporaryDirectory(dir=_quick_place()) as files:
        logs = [Path(folder, name) for name in PARTS]
        started: list[subprocess.Popen[bytes]] = []
        is_interrupted = _run_all(logs, Path(files), started)
        ran = logs[: len(started)]
        for log in ran[1:]:
            _show(log.read_bytes())
        _show(b"\n" + b"\n".join(map(_closing_line, ran)) + b"\n")
    codes = [process.returncode for process in started]
    return INTERRUPTED if is_interrupted else next(filter(None, codes), 0)


def _quick_place() -> Path | None:
    """Return where the tests' files are kept in memory, if there is room for them."""
    has_room = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM
    return _MEMORY if has_room and os.access(_MEMORY, os.W_OK) else None


def _run_all(logs: Sequence[Path], files: Path, started: list[subprocess.Popen[bytes]]) -> bool:
    """Run two parts at a time, show the first, and return whether somebody interrupted them."""
    waiting = list(logs)
    logs[0].touch()
    with logs[0].open("rb") as said:
        try:
            while waiting or any(process.poll() is None for process in started):
                while waiting and sum(one.poll() is None for one in started) < AT_ONCE:
                    started.append(_start(waiting.pop(0), files))
                time.sleep(_LOOK_SECONDS)
                _show(said.read())
        except KeyboardInterrupt:
            return True
        finally:
            _stop(started)
            _show(said.read())
    return False


def _start(log: Path, files: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        # Threads of torch that wait for each other are not to keep the other process waiting.
        "OMP_WAIT_POLICY": "PASSIVE",
        "PYTEST_DEBUG_TEMPROOT": str(files),
    }
    # In a group of its own it is told once to stop, by us, and not by the terminal as well.
    with log.open("wb") as stream:
        return subprocess.Popen(
            PARTS[log.name], stdout=stream, stderr=stream, env=environment, process_group=0
        )


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
