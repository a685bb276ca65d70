"""Run all tests in a few processes, two at a time, the first of them with coverage.

The first process tests the pure packages, in which tests must cover every branch. The others query
models, use stores or start programs, without coverage, which makes pure Python three times slower.
A process starts as soon as an earlier one ends, to keep two cores busy. The output of the processes
is shown one after another, with all closing lines together at the end. If one of them fails, the
whole run fails.
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

# The folders without coverage. The slower parts come first.
UNCOVERED: Mapping[str, tuple[str, ...]] = {
    "models": (
        "src/horsesense/models/huggingface",
        "src/horsesense/models/server",
        "tests/models/huggingface",
        "tests/models/server",
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
        "tests/web",
    ),
    "numbers": (
        "src/horsesense/evaluation",
        "tests/datasets/exporters",
        "tests/evaluation",
        "tests/golden",
    ),
    "commands": (
        "tests/cli",
        "tests/installs",
    ),
    "store": (
        "src/horsesense/store",
        "tests/store",
        "tests/test_fuzz.py",
    ),
}
_PYTEST = (sys.executable, "-m", "pytest")
_COVERED = (sys.executable, "-m", "coverage", "run", "-m", "pytest")
_IGNORED = (f"--ignore={path}" for paths in UNCOVERED.values() for path in paths)
# The output of the first is shown while it runs.
PARTS: Mapping[str, tuple[str, ...]] = {
    "pure": (*_COVERED, *_IGNORED),
    **{name: (*_PYTEST, *paths) for name, paths in UNCOVERED.items()},
}
AT_ONCE = 2
INTERRUPTED = 130
# Stores wait for the disk at every step, except in memory.
_MEMORY = Path("/dev/shm")
_ROOM = 4 << 30
_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 30


def main() -> int:
    """Run all parts, and return the exit code of the first one that failed."""
    # Background jobs of scripts ignore Ctrl-C, and so would the programs that tests interrupt.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with TemporaryDirectory() as folder, TemporaryDirectory(dir=_memory_folder()) as files:
        logs = [Path(folder, name) for name in PARTS]
        started: list[subprocess.Popen[bytes]] = []
        is_interrupted = _run_all(logs, Path(files), started)
        ran = logs[: len(started)]
        for log in ran[1:]:
            _show(log.read_bytes())
        _show(b"\n" + b"\n".join(map(_closing_line, ran)) + b"\n")
    codes = [process.returncode for process in started]
    return INTERRUPTED if is_interrupted else next(filter(None, codes), 0)


def _memory_folder() -> Path | None:
    """Return a folder in memory for the tests' files, if there is enough space."""
    has_room = _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM
    return _MEMORY if has_room and os.access(_MEMORY, os.W_OK) else None


def _run_all(logs: Sequence[Path], files: Path, started: list[subprocess.Popen[bytes]]) -> bool:
    """Run two parts at a time, show the first, and return whether the user interrupted them."""
    waiting = list(logs)
    logs[0].touch()
    with logs[0].open("rb") as output:
        try:
            while waiting or any(process.poll() is None for process in started):
                while waiting and sum(process.poll() is None for process in started) < AT_ONCE:
                    started.append(_start(waiting.pop(0), files))
                time.sleep(_LOOK_SECONDS)
                _show(output.read())
        except KeyboardInterrupt:
            return True
        finally:
            _stop(started)
            _show(output.read())
    return False


def _start(log: Path, files: Path) -> subprocess.Popen[bytes]:
    environment = os.environ | {
        # Waiting threads of torch should not take CPU time from the other process.
        "OMP_WAIT_POLICY": "PASSIVE",
        "PYTEST_DEBUG_TEMPROOT": str(files),
    }
    # In its own process group, it gets one signal to stop, ours, and none from the terminal.
    with log.open("wb") as stream:
        return subprocess.Popen(
            PARTS[log.name], stdout=stream, stderr=stream, env=environment, process_group=0
        )


def _show(output: bytes) -> None:
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()


def _stop(running: Sequence[subprocess.Popen[bytes]]) -> None:
    """Stop all processes and their children."""
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
    *_, last = (b"no output", *log.read_bytes().splitlines())
    return f"{log.name}: ".encode() + last


if __name__ == "__main__":
    sys.exit(main())
