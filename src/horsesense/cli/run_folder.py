"""The folder of a run: its files, and a note of which run they are and that they are whole."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from horsesense.cli.files import write_folder
from horsesense.errors import FileError
from horsesense.evaluation.protocol import page_hash
from horsesense.results import Plan, Record

if TYPE_CHECKING:
    from horsesense.reports import Report

# Written last: where it is, the other files are there.
MANIFEST = "run.json"
_FOLDER = "horsesense-runs"
# Fields of a plan that earlier versions did not have.
_LATER = {"keep_going": False}

Files = Iterable[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Whose files are in a folder, and the hash of each.

    `plan` is that of the run as JSON has it, and `missing` what was named in it and could not be
    done. `made` tells when the run was, and by what its page was made; `no_figures` why the page
    has no figures, empty where it has them.
    """

    id: str
    key: str
    made: str
    plan: Mapping[str, Any]
    missing: tuple[str, ...]
    files: Mapping[str, str]
    no_figures: str = ""


@dataclass(frozen=True, slots=True)
class RunFiles:
    """A run, what is not done in it, and its files, which are made when they are needed.

    `no_figures` says why its page has no figures, where it has none.
    """

    record: Record
    missing: tuple[str, ...]
    make: Callable[[], Files]
    no_figures: str = ""


def default_folder(record: Record) -> Path:
    """Where the files of a run go if nobody says otherwise."""
    return Path(_FOLDER) / record.id


def folders_of(plan: Plan, output: Path | None) -> list[Path]:
    """Folders in which there may be the files of a run of that plan."""
    try:
        folders = [output] if output else sorted(Path(_FOLDER).iterdir())
    except OSError:  # there is none yet
        return []
    found = ((folder, manifest_of(folder)) for folder in folders)
    return [folder for folder, one in found if one is not None and one.plan == _plain(plan)]


def refuse_foreign(folder: Path, *, overwrite: bool) -> None:
    """Refuse at once a folder that would be refused when everything has been asked."""
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{folder} is no folder")
    if overwrite or not folder.exists():
        return
    try:
        is_foreign = any(folder.iterdir()) and manifest_of(folder) is None
    except OSError as error:
        raise FileError(f"{folder} cannot be read: {error.strerror}") from error
    if is_foreign:
        raise FileError(
            f"{folder} has files that are not of a run; choose another --output, or --force to"
            " write among them"
        )


def refuse_other(folder: Path, plan: Plan, key: str) -> None:
    """Refuse the folder of another run, and one in which somebody has edited what was written.

    The same plan may give another run, by a newer program or on newer data; that takes the place of
    the former.
    """
    found = manifest_of(folder)
    if found is None:
        return
    if found.key != key and found.plan != _plain(plan):
        raise FileError(
            f"{folder} is the folder of run {found.id}, which has another plan; choose another"
            " --output, or --force to overwrite it"
        )
    changed = [
        name
        for name, digest in found.files.items()
        if (folder / name).exists() and _hash_of(folder / name) != digest
    ]
    if changed:
        raise FileError(
            f"{folder}: {', '.join(changed)} was changed since it was written; --force overwrites"
        )


def write_run(folder: Path, run: RunFiles, *, overwrite: bool) -> bool:
    """Write the files of a run unless they are there; whether that was necessary."""
    if is_whole(folder, run.record) and not overwrite:
        return False
    refuse_foreign(folder, overwrite=overwrite)
    if not overwrite:
        refuse_other(folder, run.record.plan, run.record.key)
    found = manifest_of(folder)
    try:
        folder.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be made: {error.strerror}") from error
    try:
        # What is missing of this very run may be written again.
        write_folder(folder, _with_manifest(run), overwrite=overwrite or found is not None)
    except FileError:
        # Another process that makes the same run may have been quicker.
        if overwrite or not is_whole(folder, run.record):
            raise
        return False
    if found is not None:
        _remove_left_over(folder, found)
    return True


def is_whole(folder: Path, record: Record) -> bool:
    """Whether all files of the run are in the folder as they were, and would be, written."""
    found = manifest_of(folder)
    if found is None or (found.key, found.made) != (record.key, _made(record)):
        return False
    if found.no_figures and not why_no_figures():
        return False  # they can be drawn by now
    return all(_hash_of(folder / name) == digest for name, digest in found.files.items())


def manifest_of(folder: Path) -> Manifest | None:
    """Whose files are in the folder, if they are those of a run."""
    try:
        told: Any = json.loads((folder / MANIFEST).read_bytes())
        return Manifest(
            id=str(told["id"]),
            key=str(told["key"]),
            made=str(told["made"]),
            plan=_LATER | dict(told["plan"]),
            missing=tuple(told["missing"]),
            files=dict(told["files"]),
            no_figures=str(told.get("no_figures", "")),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _with_manifest(run: RunFiles) -> Iterator[tuple[str, bytes]]:
    hashes = {}
    for name, data in run.make():
        hashes[name] = sha256(data).hexdigest()
        yield name, data
    told = {
        "id": run.record.id,
        "key": run.record.key,
        "made": _made(run.record),
        "plan": _plain(run.record.plan),
        "missing": run.missing,
        "files": hashes,
        "no_figures": run.no_figures,
    }
    yield MANIFEST, (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode()


def _made(record: Record) -> str:
    return f"{record.finished_at} {page_hash()}"


def _plain(plan: Plan) -> dict[str, Any]:
    """A plan as it comes back from JSON."""
    values = asdict(plan).items()
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def _remove_left_over(folder: Path, before: Manifest) -> None:
    """Remove what an earlier run has written and this one has not."""
    now = manifest_of(folder)
    for name in before.files.keys() - (now.files.keys() if now else set()):
        # A manifest is a file like any other, and must not reach out of its folder.
        if (folder / name).resolve().is_relative_to(folder.resolve()):
            (folder / name).unlink(missing_ok=True)


def _hash_of(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


# As in horsesense.reports, which a finished run is shown without.
WIDTH = 100
PAGE = "report.html"
# What is printed at the end of a run.
SUMMARY = "summary.txt"
_NUMBERS = "estimates.csv"
# In less a table cannot be read.
_NARROWEST = 40


def shown_width() -> int:
    """How wide lines may be: no wider than the terminal, if there is one."""
    if not sys.stdout.isatty():
        return WIDTH
    return min(max(shutil.get_terminal_size().columns, _NARROWEST), WIDTH)


def why_no_figures() -> str:
    """Why no figure can be drawn here, and what to do about it; empty where figures can be."""
    # Here, as in `run_files`: a finished run is shown again without numpy and the reports.
    from horsesense.reports.figures import why_none

    return why_none()


def run_files(report: Report) -> Iterator[tuple[str, bytes]]:
    """The files that `horsesense run` writes: to be read, and all numbers, but not all answers."""
    from horsesense.reports.data_files import estimates_csv
    from horsesense.reports.writing import readable_files

    yield from readable_files(report)
    yield _NUMBERS, estimates_csv(report.results)
