"""Record how and where a run was made, and list the differences between two records."""

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
from horsesense.evaluation.protocol.methods import protocols_of
from horsesense.evaluation.protocol.participants import Participants
from horsesense.perturbations import transformation_packages
from horsesense.results import Plan, Record
from horsesense.schema import Named
from horsesense.store import installed_version

# The files that results depend on.
_SUFFIXES = (".py", ".toml", ".schemas")
# The files that only pages depend on.
_PAGE_SUFFIXES = (".html", ".css", ".js")
_LIBRARIES = ("torch", "transformers", "numpy", "scipy")
# The part of a key that is the id of a run.
_ID_LENGTH = 12
_SHOWN = 12
_GIB = 2**30


@cache
def program_hash() -> str:
    """Return a hash of the source code of horsesense and its built-in data."""
    return _hash_of_files(_SUFFIXES)


@cache
def page_hash() -> str:
    """Return a hash of the files that only pages depend on."""
    return _hash_of_files(_PAGE_SUFFIXES)


def now() -> str:
    """Return the time as it is recorded."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def library_versions(names: Iterable[str] = _LIBRARIES) -> Named[str]:
    """Return the versions of libraries, empty for those that are not installed."""
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
    """Make the record of a finished run.

    `made_of` are the hashes of models and data by name. The versions include the first characters
    of each, so that the differences between two records show what changed.
    """
    return Record(
        id=key[:_ID_LENGTH],
        key=key,
        plan=plan,
        horsesense=installed_version("horsesense"),
        program=program_hash(),
        versions=(*_programs(), *((name, hash[:_SHOWN]) for name, hash in made_of)),
        machine=tuple(_machine()),
        started_at=started_at,
        finished_at=now(),
        seconds=seconds,
        queries=queries,
        asked=asked,
        in_memory=in_memory,
    )


def differences(record: Record, now: Record) -> list[str]:
    """Describe what changed: plan, program, libraries, models, data and machine."""
    return [
        *_of_plans(record.plan, now.plan),
        *_of_values((("horsesense", record.horsesense),), (("horsesense", now.horsesense),)),
        *(["the program of horsesense has changed"] if record.program != now.program else []),
        *_of_values(record.versions, now.versions),
        *_of_values(record.machine, now.machine),
    ]


def _hash_of_files(suffixes: tuple[str, ...]) -> str:
    package = Path(str(files("horsesense")))
    digest = hashlib.sha256()
    for path in sorted(each for each in package.rglob("*") if each.suffix in suffixes):
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
    """Return the name of the processor if the system has it, else its architecture."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return next(filter(None, (*names, platform.processor(), platform.machine())), "")


def _memory() -> str:
    """Return the size of the memory, or an empty string if the system does not have it."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return ""
    return f"{size / _GIB:.1f} GiB"


def _of_plans(before: Plan, after: Plan) -> Iterator[str]:
    for field in fields(Plan):
        old, new = getattr(before, field.name), getattr(after, field.name)
        if old != new:
            yield f"{field.name} in the plan: {_shown(old)} then, {_shown(new)} now"


def _of_values(before: Named[str], after: Named[str]) -> Iterator[str]:
    old, new = dict(before), dict(after)
    for name in dict.fromkeys((*old, *new)):
        if old.get(name) != new.get(name):
            yield f"{name}: {_shown(old.get(name))} then, {_shown(new.get(name))} now"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)


NUMBERLESS = frozenset(
    {
        *("models", "data", "frequencies", "batch", "memory", "allow_pickle"),
        # A tokenizer is part of the fingerprint of its model.
        *("tokenizer", "concurrency", "timeout", "retries"),
        *("max_requests", "max_tokens", "max_cost"),
    }
)
# The libraries that compute numbers from the answers of models.
_COMPUTED_WITH = ("numpy", "scipy")


def run_key(plan: Plan, participants: Participants) -> str:
    """Return the key of a run of that plan with these participants."""
    content: dict[str, Any] = {
        "plan": {name: value for name, value in asdict(plan).items() if name not in NUMBERLESS},
        "models": participants.fingerprints,
        "data": [(ref.name, ref.id, ref.ids, ref.remarks) for ref in participants.data],
        "in memory": participants.in_memory,
        "missing": [(each.where, each.reason) for each in participants.skipped],
        "frequencies": digest_of(plan.frequencies) if plan.frequencies else "",
        "protocols": list(protocols_of(plan, participants.model_infos)),
        "transformations": transformation_packages(),
        "program": program_hash(),
        "versions": library_versions(_COMPUTED_WITH),
    }
    message = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(message.encode()).hexdigest()


def digest_of(path: str) -> str:
    """Return the hash of a file that the plan names."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
