"""The folder of a run: its report files, and a manifest that identifies the run.

The manifest has the plan of the run and a hash of each file, so that a finished run whose files are
intact is found again without being loaded, and nothing that a user has edited is overwritten.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import MISSING, asdict, dataclass, fields
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from horsesense.datasets.files import write_folder
from horsesense.errors import FileError, HorsesenseError, StoreError
from horsesense.evaluation.progress import ignore
from horsesense.evaluation.protocol import (
    OnProgress,
    check_plan,
    differences,
    gather,
    page_hash,
    run_key,
    run_protocol,
)
from horsesense.results import Estimate, Plan, Record, ResultKey, Results
from horsesense.store import Store, find_run, load_run, open_runs


def run_plan(
    plan: Plan,
    path: Path,
    *,
    fresh: bool = False,
    replace: bool = True,
    on_progress: OnProgress = ignore,
    note: Callable[[str], None] = ignore,
) -> Results:
    """Run a plan with the store at a path, which is created if it does not exist.

    A kept run is loaded, even from a store that is read-only; a new run needs a store that can be
    written to. A run in which a model failed is not kept. See `run_protocol` for `fresh` and
    `replace`.
    """
    with open_or_create(path) as store:
        results = run_protocol(
            plan, store, fresh=fresh, replace=replace, on_progress=on_progress, note=note
        )
        kept = find_run(store, results.record.key)
        if kept is None and store.is_read_only:
            raise StoreError(
                f"{path} is read-only, and a new run must be kept; choose another with --store"
            )
        # Another process may have been faster; the run that was kept first counts.
        is_ours = fresh or kept is None or kept == results.record
        return results if is_ours else load_run(store, results.record.id)


def open_or_create(path: Path) -> Store:
    """Open the store, read-only if it cannot be written to; create it if it does not exist."""
    return Store.open(path) if path.exists() else Store.create_or_open(path)


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """An estimate that changed; None if one of the runs does not have it."""

    what: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Repeated:
    """A kept run and its repetition: changes of data, models and program, and of the numbers."""

    before: Results
    after: Results
    changes: list[str]
    numbers: tuple[ChangedNumber, ...]

    @property
    def is_same(self) -> bool:
        """Whether all estimates and all answers are the same to the digit."""
        return not self.numbers and self.before.options == self.after.options


def repeat_run(
    path: Path,
    run: str,
    *,
    on_progress: OnProgress = ignore,
    note: Callable[[str], None] = ignore,
) -> Repeated:
    """Run the plan of a kept run once more from the answers in the store, and compare."""
    with open_runs(path) as store:
        before = load_run(store, run)
    if not before.record.is_repeatable:
        objects = ", ".join(before.record.in_memory)
        raise HorsesenseError(
            f"the run {before.record.id} used objects that a Python program passed in ({objects});"
            " only that program can repeat it"
        )
    after = run_plan(
        before.record.plan, path, fresh=True, replace=False, on_progress=on_progress, note=note
    )
    changes = differences(before.record, after.record)
    return Repeated(before, after, changes, tuple(_changed(before, after)))


def _changed(before: Results, after: Results) -> Iterator[ChangedNumber]:
    """List estimates that only one of the runs has, or that are not the same to the digit."""
    then, now = _by_name(before), _by_name(after)
    for what in dict.fromkeys((*then, *now)):
        old, new = then.get(what), now.get(what)
        if old != new:
            yield ChangedNumber(what, old.value if old else None, new.value if new else None)


def _by_name(results: Results) -> dict[str, Estimate]:
    return {_name(estimate): estimate for estimate in results.estimates}


def _name(estimate: Estimate) -> str:
    against = "" if estimate.against is None else f" against {_place(estimate.against)}"
    return f"{estimate.kind} {estimate.metric} of {_place(estimate.key)}{against}"


def _place(at: ResultKey) -> str:
    return ", ".join((at.model, at.dataset, at.variant, at.subset, at.method))


# Written last: a folder that has it has all the other files.
MANIFEST = "run.json"
_FOLDER = "horsesense-runs"
# Names of files that a run writes: the page, and the text that is printed at its end.
PAGE = "report.html"
SUMMARY = "summary.txt"

Files = Iterable[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class RunManifest:
    """The run that a folder belongs to, and the hash of each of its files.

    `plan` is the plan of the run as JSON, and `missing` lists what the plan names and the run could
    not do. `made` identifies the time of the run and the version of the page; `no_figures` is the
    reason why the page has no figures, or empty.
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
    """A run with what is missing in it, and its files, which are made only when they are written.

    `no_figures` is the reason why its page has no figures, or empty.
    """

    record: Record
    missing: tuple[str, ...]
    make: Callable[[], Files]
    no_figures: str = ""


def default_folder(record: Record) -> Path:
    """Return the folder that a run is written to by default."""
    return Path(_FOLDER) / record.id


def folders_of(plan: Plan, output: Path | None) -> list[Path]:
    """List the folders that have files of a run of that plan."""
    try:
        folders = [output] if output else sorted(Path(_FOLDER).iterdir())
    except OSError:  # there is no folder yet
        return []
    manifests = ((folder, manifest_of(folder)) for folder in folders)
    return [folder for folder, each in manifests if each is not None and each.plan == _plain(plan)]


def refuse_foreign(folder: Path, *, overwrite: bool) -> None:
    """Refuse a folder with files that no run has written, before anything is computed."""
    if folder.exists() and not folder.is_dir():
        raise FileError(f"{folder} is not a folder")
    if overwrite or not folder.exists():
        return
    try:
        is_foreign = any(folder.iterdir()) and manifest_of(folder) is None
    except OSError as error:
        raise FileError(f"{folder} cannot be read: {error.strerror}") from error
    if is_foreign:
        raise FileError(
            f"{folder} has files that are not from a run; choose another --output, or use --force"
            " to write into it anyway"
        )


def refuse_other(folder: Path, plan: Plan, key: str) -> None:
    """Refuse the folder of a run with another plan, and one whose files were edited.

    A new run of the same plan, by a newer program or on newer data, replaces the former.
    """
    manifest = manifest_of(folder)
    if manifest is None:
        return
    if manifest.key != key and manifest.plan != _plain(plan):
        raise FileError(
            f"{folder} is the folder of run {manifest.id}, which has another plan; choose another"
            " --output, or overwrite it with --force"
        )
    changed = [
        name
        for name, digest in manifest.files.items()
        if (folder / name).exists() and _hash_of(folder / name) != digest
    ]
    if changed:
        raise FileError(
            f"{folder}: {', '.join(changed)} was changed since it was written; use --force to"
            " overwrite it"
        )


def write_run(folder: Path, run: RunFiles, *, overwrite: bool) -> bool:
    """Write the files of a run unless they are there already; return whether it was needed."""
    if is_whole(folder, run.record) and not overwrite:
        return False
    refuse_foreign(folder, overwrite=overwrite)
    if not overwrite:
        refuse_other(folder, run.record.plan, run.record.key)
    manifest = manifest_of(folder)
    try:
        folder.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be created: {error.strerror}") from error
    try:
        # Missing files of the same run may be written again.
        write_folder(folder, list(_with_manifest(run)), overwrite=overwrite or manifest is not None)
    except FileError:
        # Another process may have written the same run meanwhile.
        if overwrite or not is_whole(folder, run.record):
            raise
        return False
    if manifest is not None:
        _remove_left_over(folder, manifest)
    return True


def is_whole(folder: Path, record: Record) -> bool:
    """Return whether the folder has all files of the run, intact and up to date."""
    manifest = manifest_of(folder)
    if manifest is None or (manifest.key, manifest.made) != (record.key, _made(record)):
        return False
    if manifest.no_figures and find_spec("matplotlib"):
        return False  # figures can be drawn now
    return all(_hash_of(folder / name) == digest for name, digest in manifest.files.items())


def manifest_of(folder: Path) -> RunManifest | None:
    """Read the manifest of a folder; None if it has none that can be read."""
    try:
        content: Any = json.loads((folder / MANIFEST).read_bytes())
        return RunManifest(
            id=str(content["id"]),
            key=str(content["key"]),
            made=str(content["made"]),
            plan=_default_plan() | dict(content["plan"]),
            missing=tuple(content["missing"]),
            files=dict(content["files"]),
            no_figures=str(content.get("no_figures", "")),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def find_finished(
    plan: Plan,
    store: Path,
    folder: Path | None = None,
    *,
    note: Callable[[str], None] = ignore,
) -> tuple[Path, RunManifest] | None:
    """Find the folder and the manifest of a finished run whose files are intact.

    The run is not loaded. It must be in the store, and in `folder` or else in any default folder.
    `note` is called with a message before anything slow, such as loading a model.
    """
    folders = folders_of(plan, folder)
    if not folders or not store.exists():
        return None
    with Store.open(store) as opened:
        record = find_run(opened, _key(plan, opened, note))
    if record is None:
        return None
    for each in folders:
        manifest = manifest_of(each)
        if manifest is not None and is_whole(each, record):
            return each, manifest
    return None


def refuse_folder(
    plan: Plan, store: Path, folder: Path, *, note: Callable[[str], None] = ignore
) -> None:
    """Raise an error for a folder that such a run could not be written to, before computing it."""
    refuse_foreign(folder, overwrite=False)
    if manifest_of(folder) is None:
        return
    with Store.open(store) if store.exists() else nullcontext() as opened:
        key = _key(plan, opened, note)
    refuse_other(folder, plan, key)


def _key(plan: Plan, store: Store | None, note: Callable[[str], None]) -> str:
    """Compute the key of the run, which depends on data, models and program as they are now."""
    check_plan(plan)
    return run_key(plan, gather(plan, store, (), (), note))


def _with_manifest(run: RunFiles) -> Iterator[tuple[str, bytes]]:
    hashes = {}
    for name, data in run.make():
        hashes[name] = sha256(data).hexdigest()
        yield name, data
    manifest = {
        "id": run.record.id,
        "key": run.record.key,
        "made": _made(run.record),
        "plan": _plain(run.record.plan),
        "missing": run.missing,
        "files": hashes,
        "no_figures": run.no_figures,
    }
    yield MANIFEST, (json.dumps(manifest, ensure_ascii=False, indent=2) + "\n").encode()


def _made(record: Record) -> str:
    return f"{record.finished_at} {page_hash()}"


def _plain(plan: Plan) -> dict[str, Any]:
    """Convert a plan to what comes back from JSON."""
    return {name: _listed(value) for name, value in asdict(plan).items()}


def _default_plan() -> dict[str, Any]:
    """Return the defaults of fields, which plans of earlier versions may lack."""
    return {
        field.name: _listed(field.default) for field in fields(Plan) if field.default is not MISSING
    }


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _remove_left_over(folder: Path, before: RunManifest) -> None:
    """Remove files of an earlier run that this one does not have."""
    now = manifest_of(folder)
    for name in before.files.keys() - (now.files.keys() if now else set()):
        # Anybody can edit a manifest; it must not reach outside its folder.
        if (folder / name).resolve().is_relative_to(folder.resolve()):
            (folder / name).unlink(missing_ok=True)


def _hash_of(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
