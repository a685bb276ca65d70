"""What a run was made with and where, and what is other than it was in another run."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from horsesense.errors import FileError
from horsesense.evaluation.protocol.participants import Participants
from horsesense.perturbations import transformation_packages
from horsesense.results import Plan, Record
from horsesense.schema import Named
from horsesense.store import installed_version

# All that the program is made of; what it makes of an input follows from these.
_SUFFIXES = (".py", ".toml", ".schemas")
# What pages are made of; no number depends on it.
_PAGE_SUFFIXES = (".html", ".css", ".js")
_LIBRARIES = ("torch", "transformers", "numpy", "scipy")
# So much of a key tells a run from all others.
_ID_LENGTH = 12
_SHOWN = 12
_GIB = 2**30


@cache
def program_hash() -> str:
    """A hash of the source code of horsesense, with the data in the box."""
    return _hash_of_files(_SUFFIXES)


@cache
def page_hash() -> str:
    """A hash of what pages are made of besides."""
    return _hash_of_files(_PAGE_SUFFIXES)


def now() -> str:
    """The time, in the form in which it is recorded."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def library_versions(names: Iterable[str] = _LIBRARIES) -> Named[str]:
    """The versions of libraries, empty for those that are not installed."""
    return tuple((name, installed_version(name)) for name in names)


def make_record(
    plan: Plan,
    key: str,
    started_at: str,
    *,
    seconds: float,
    queries: int,
    asked: int,
    made_of: Iterable[tuple[str, str]],
    in_memory: tuple[str, ...],
) -> Record:
    """The record of a run that has come to its end.

    `made_of` are the hashes of models and data by what they are called; of each the beginning
    stands among the versions, so that two records tell what has changed between them.
    """
    return Record(
        id=key[:_ID_LENGTH],
        key=key,
        plan=plan,
        horsesense=installed_version("horsesense"),
        program=program_hash(),
        versions=(*_programs(), *((name, found[:_SHOWN]) for name, found in made_of)),
        machine=tuple(_machine()),
        started_at=started_at,
        finished_at=now(),
        seconds=seconds,
        queries=queries,
        asked=asked,
        in_memory=in_memory,
    )


def differences(record: Record, now: Record) -> list[str]:
    """What is other now than it was, in words: plan, program, libraries, models, data, machine."""
    return [
        *_of_plans(record.plan, now.plan),
        *_of_values((("horsesense", record.horsesense),), (("horsesense", now.horsesense),)),
        *(["the program of horsesense is another"] if record.program != now.program else []),
        *_of_values(record.versions, now.versions),
        *_of_values(record.machine, now.machine),
    ]


def _hash_of_files(suffixes: tuple[str, ...]) -> str:
    package = Path(str(files("horsesense")))
    digest = hashlib.sha256()
    for path in sorted(one for one in package.rglob("*") if one.suffix in suffixes):
        digest.update(f"{path.relative_to(package).as_posix()}\n".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _programs() -> Named[str]:
    return (
        ("python", platform.python_version()),
        *library_versions(),
        ("sqlite", sqlite3.sqlite_version),
    )


def _machine() -> Iterator[tuple[str, str]]:
    yield "system", platform.platform()
    yield "processor", _processor()
    yield "cores", str(len(os.sched_getaffinity(0)) if _has_affinity() else os.cpu_count() or "")
    yield "memory", _memory()


def _has_affinity() -> bool:
    return hasattr(os, "sched_getaffinity")


def _processor() -> str:
    """What the processor calls itself where the system tells, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(filter(None, (*names, platform.processor(), platform.machine())), "")


def _memory() -> str:
    """How much memory there is, empty where the system does not tell."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return ""
    return f"{size / _GIB:.1f} GiB"


def _of_plans(before: Plan, after: Plan) -> Iterator[str]:
    for field in fields(Plan):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old != new:
            yield f"{field.name} in the plan: {_told(old)} then, {_told(new)} now"


def _of_values(before: Named[str], after: Named[str]) -> Iterator[str]:
    old, new = dict(before), dict(after)
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield f"{name}: {_told(old.get(name))} then, {_told(new.get(name))} now"


def _told(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)


_NUMBERLESS = frozenset({"models", "data", "frequencies", "batch", "memory", "allow_pickle"})
# The libraries that numbers are computed with once a model has answered.
_COMPUTED_WITH = ("numpy", "scipy")


def run_key(plan: Plan, participants: Participants) -> str:
    """The key of a run of that plan with those who could be had for it."""
    content: dict[str, Any] = {
        "plan": {name: value for name, value in asdict(plan).items() if name not in _NUMBERLESS},
        "models": participants.fingerprints,
        "data": [(one.name, one.id, one.ids, one.remarks) for one in participants.data],
        "in memory": participants.in_memory,
        "missing": [(gap.where, gap.reason) for gap in participants.skipped],
        "frequencies": digest_of(plan.frequencies) if plan.frequencies else "",
        "transformations": transformation_packages(),
        "program": program_hash(),
        "versions": library_versions(_COMPUTED_WITH),
    }
    message = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(message.encode()).hexdigest()


def digest_of(path: str) -> str:
    """The hash of a file that the plan names."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
