"""Run a fuzzer: try corrupted inputs one after another, and record what goes wrong.

A kind is a module of this package with

    LIMIT_SECONDS                 how long an input may take
    prepare(folder)               make good inputs, once
    spoil(rng, good)              make a corrupted input that depends only on its arguments
    attempt(spoilt, folder)       use it as the program does; true if it was accepted as sound

An exception from `attempt` is a finding, unless it is one of the program's own errors.
"""

from __future__ import annotations

import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Protocol

from horsesense.errors import HorsesenseError

KINDS = ("notation", "importers", "logs", "plans", "results", "stores")
# Give up an input that takes this many times its limit of CPU time.
_PATIENCE = 10
_SHOWN = 20
_SHOWN_CHARACTERS = 400
_PROGRESS_SECONDS = 10.0


class Kind(Protocol):
    """The interface of a module that defines a kind."""

    LIMIT_SECONDS: float

    def prepare(self, folder: Path) -> Any:
        """Make the good inputs."""

    def spoil(self, rng: random.Random, good: Any) -> Any:
        """Make one corrupted input."""

    def attempt(self, spoilt: Any, folder: Path) -> bool:
        """Use it as the program does."""


class _GivenUp(BaseException):
    """Stops an input that takes far too long; an `except Exception` does not catch it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that the program should have rejected, or read in time, but did not."""

    kind: str
    seed: int
    number: int
    what: str
    shown: str
    details: str

    def __str__(self) -> str:
        again = f"python -m fuzz {self.kind} --seed {self.seed} --only {self.number}"
        place = f"{self.kind}, seed {self.seed}, input {self.number}"
        return f"{place}: {self.what}\n  {self.shown}\n  {again}"


@dataclass(slots=True)
class Report:
    """The results of all inputs of a kind."""

    kind: str
    seed: int
    inputs: int = 0
    sound: int = 0
    refused: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        ends = f"{self.sound:,} sound, {self.refused:,} rejected, {len(self.findings):,} findings"
        times = f"slowest {self.slowest * 1000:.0f} ms, {self.seconds:.0f} s in all"
        return f"{self.kind}: {self.inputs:,} inputs of seed {self.seed}: {ends}; {times}"

    def summary(self) -> Iterator[str]:
        """Count equal findings, the most frequent first."""
        for what, number in Counter(finding.what for finding in self.findings).most_common():
            yield f"  {number:,} × {what}"


def fuzz(
    kind: str,
    *,
    seed: int = 0,
    seconds: float | None = None,
    count: int | None = None,
    only: int | None = None,
) -> Report:
    """Try inputs of a kind until the time is up, or `count` of them, or only one of them."""
    module: Kind = import_module(f"fuzz.{kind}")
    report = Report(kind, seed)
    with TemporaryDirectory(prefix="fuzz-") as name:
        Path(name, "good").mkdir()
        good = module.prepare(Path(name, "good"))
        scratch = Path(name, "scratch")
        scratch.mkdir()
        started = reported = time.perf_counter()
        for number in [only] if only is not None else _numbers(count):
            now = time.perf_counter()
            if seconds is not None and now - started > seconds:
                break
            if now - reported > _PROGRESS_SECONDS:
                print(f"{report}", file=sys.stderr)
                reported = now
            report.seconds = now - started
            spoilt = module.spoil(random.Random(f"{kind}:{seed}:{number}"), good)
            _try(module, spoilt, scratch, number, report)
        report.seconds = time.perf_counter() - started
    return report


def save(report: Report, folder: Path) -> list[Path]:
    """Write the first findings into a folder, one file each."""
    written = []
    for finding in report.findings[:_SHOWN]:
        path = folder / f"fuzz-{finding.kind}-{finding.seed}-{finding.number}.txt"
        path.write_text(
            f"{finding}\n\n{finding.details}", encoding="utf-8", errors="backslashreplace"
        )
        written.append(path)
    return written


def _numbers(count: int | None) -> Iterator[int]:
    number = 0
    while count is None or number < count:
        number += 1
        yield number


def _try(module: Kind, spoilt: Any, scratch: Path, number: int, report: Report) -> None:
    report.inputs += 1
    what = details = ""
    # CPU time, so that other programs on the machine don't count.
    before = time.process_time()
    try:
        with _given_up_after(module.LIMIT_SECONDS * _PATIENCE):
            if module.attempt(spoilt, scratch):
                report.sound += 1
            else:
                report.refused += 1
    except HorsesenseError as error:
        report.refused += 1
        # Printing the message must work, too.
        try:
            str(error).encode()
        except Exception as fault:
            what, details = _describe(fault), traceback.format_exc()
    except _GivenUp:
        what, details = f"given up after {_PATIENCE} times its limit", traceback.format_exc()
    except Exception as error:
        what, details = _describe(error), traceback.format_exc()
    taken = time.process_time() - before
    report.slowest = max(report.slowest, taken)
    if not what and taken > module.LIMIT_SECONDS:
        what = f"took more than {module.LIMIT_SECONDS:g} s"
    if what:
        whole = repr(spoilt)
        part = whole if len(whole) <= _SHOWN_CHARACTERS else f"{whole[:_SHOWN_CHARACTERS]}…"
        shown, details = f"{part} ({taken:.1f} s)", f"{details}\n{whole}\n"
        finding = Finding(report.kind, report.seed, number, what, shown, details)
        print(finding, file=sys.stderr)
        report.findings.append(finding)


def _describe(error: Exception) -> str:
    """Name the error, and the line of the program that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "horsesense" in each.filename or "fuzz" in each.filename]
    last = (ours or frames)[-1]
    message = str(error) if isinstance(error, AssertionError) else ""
    place = f"{Path(last.filename).name}:{last.lineno}"
    return f"{type(error).__name__} in {place} {message[:60]}".strip()


@contextmanager
def _given_up_after(seconds: float) -> Iterator[None]:
    def give_up(number: int, frame: FrameType | None) -> None:
        raise _GivenUp

    # Use CPU time, as anything may have to wait on a busy machine.
    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
