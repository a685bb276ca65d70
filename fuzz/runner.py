"""Run a fuzzer: spoilt inputs one after the other, and a record of what went wrong.

A kind is a module of this package with

    LIMIT_SECONDS                 how long an input may take
    prepare(folder)               good inputs, made once
    spoil(rng, good)              a spoilt input, which depends on nothing else
    attempt(spoilt, folder)       what the program does with it; true if it was accepted as sound

What `attempt` raises is a finding, unless it is an error of the program's own.
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
# An input is given up after so many times what it may take of the processor.
_PATIENCE = 10
_SHOWN = 20
_SHOWN_CHARACTERS = 400
_PROGRESS_SECONDS = 10.0


class Kind(Protocol):
    """What a module of a kind has."""

    LIMIT_SECONDS: float

    def prepare(self, folder: Path) -> Any:
        """Make the good inputs."""

    def spoil(self, rng: random.Random, good: Any) -> Any:
        """Make one spoilt input."""

    def attempt(self, spoilt: Any, folder: Path) -> bool:
        """Do with it what the program does."""


class _GivenUp(BaseException):
    """An input that takes far too long; no `except Exception` of the program stops it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that the program should have refused, or read in time, and did not."""

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
    """What came of all inputs of a kind."""

    kind: str
    seed: int
    inputs: int = 0
    sound: int = 0
    refused: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    findings: list[Finding] = field(default_factory=list)

    def __str__(self) -> str:
        ends = f"{self.sound:,} sound, {self.refused:,} refused, {len(self.findings):,} findings"
        times = f"slowest {self.slowest * 1000:.0f} ms, {self.seconds:.0f} s in all"
        return f"{self.kind}: {self.inputs:,} inputs of seed {self.seed}: {ends}; {times}"

    def summary(self) -> Iterator[str]:
        """What the findings are, the most frequent first."""
        for what, number in Counter(one.what for one in self.findings).most_common():
            yield f"  {number:,} × {what}"


def fuzz(
    kind: str,
    *,
    seed: int = 0,
    seconds: float | None = None,
    count: int | None = None,
    only: int | None = None,
) -> Report:
    """Try inputs of a kind until the time is over, or so many of them, or one of them only."""
    module: Kind = import_module(f"fuzz.{kind}")
    report = Report(kind, seed)
    with TemporaryDirectory(prefix="fuzz-") as name:
        Path(name, "good").mkdir()
        good = module.prepare(Path(name, "good"))
        scratch = Path(name, "scratch")
        scratch.mkdir()
        started = said = time.perf_counter()
        for number in [only] if only is not None else _numbers(count):
            now = time.perf_counter()
            if seconds is not None and now - started > seconds:
                break
            if now - said > _PROGRESS_SECONDS:
                print(f"{report}", file=sys.stderr)
                said = now
            report.seconds = now - started
            spoilt = module.spoil(random.Random(f"{kind}:{seed}:{number}"), good)
            _try(module, spoilt, scratch, number, report)
        report.seconds = time.perf_counter() - started
    return report


def save(report: Report, folder: Path) -> list[Path]:
    """Write the first findings into a folder, each into a file of its own."""
    written = []
    for one in report.findings[:_SHOWN]:
        path = folder / f"fuzz-{one.kind}-{one.seed}-{one.number}.txt"
        path.write_text(f"{one}\n\n{one.details}", encoding="utf-8", errors="backslashreplace")
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
    # What others do on the machine is not to count.
    before = time.process_time()
    try:
        with _given_up_after(module.LIMIT_SECONDS * _PATIENCE):
            if module.attempt(spoilt, scratch):
                report.sound += 1
            else:
                report.refused += 1
    except HorsesenseError as error:
        report.refused += 1
        # The message is part of it.
        try:
            str(error).encode()
        except Exception as fault:
            what, details = _told(fault), traceback.format_exc()
    except _GivenUp:
        what, details = f"given up after {_PATIENCE} times its limit", traceback.format_exc()
    except Exception as error:
        what, details = _told(error), traceback.format_exc()
    taken = time.process_time() - before
    report.slowest = max(report.slowest, taken)
    if not what and taken > module.LIMIT_SECONDS:
        what = f"took more than {module.LIMIT_SECONDS:g} s"
    if what:
        whole = repr(spoilt)
        part = whole if len(whole) <= _SHOWN_CHARACTERS else f"{whole[:_SHOWN_CHARACTERS]}…"
        shown, told = f"{part} ({taken:.1f} s)", f"{details}\n{whole}\n"
        finding = Finding(report.kind, report.seed, number, what, shown, told)
        print(finding, file=sys.stderr)
        report.findings.append(finding)


def _told(error: Exception) -> str:
    """The error, and the line of the program that it comes from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [one for one in frames if "horsesense" in one.filename or "fuzz" in one.filename]
    last = (ours or frames)[-1]
    message = str(error) if isinstance(error, AssertionError) else ""
    place = f"{Path(last.filename).name}:{last.lineno}"
    return f"{type(error).__name__} in {place} {message[:60]}".strip()


@contextmanager
def _given_up_after(seconds: float) -> Iterator[None]:
    def give_up(number: int, frame: FrameType | None) -> None:
        raise _GivenUp

    # By the time of the processor, for a busy machine may make anything wait.
    before = signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
