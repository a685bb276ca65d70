"""Fetch the published datasets of the catalogue by their names, and keep their files.

A file is kept in the cache folder under the start of its hash, and checked each time it is read.
`winogrande` is a dataset, and `winogrande/train_xs.jsonl` a file of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from urllib.parse import quote

from horsesense.datasets.catalog import KnownDataset, KnownFile, published, recognise
from horsesense.datasets.catalog.catalogue import START_DIGITS
from horsesense.datasets.fetch_settings import (
    current_settings,
    files_address,
    lists_address,
    mirrored,
    offline_reason,
)
from horsesense.datasets.fetching.download import (
    ChangedError,
    FetchError,
    changed,
    data_folder,
    download,
    get,
)
from horsesense.datasets.fetching.fetched import Fetched
from horsesense.datasets.files import published_header
from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError
from horsesense.schema import Header

# So many files of the right size are tried if a repository has the file under another path.
_MOST_TRIED = 5
_MOST_LISTED = 3


def find_published(name: str) -> tuple[KnownDataset, str] | None:
    """Return the published dataset that a name means, and the file of it, if it names one.

    A path into a folder that exists means a file there.
    """
    if dataset := published(name):
        return dataset, ""
    owner, slash, part = name.partition("/")
    dataset = published(owner) if slash and part else None
    return None if dataset is None or Path(owner).is_dir() else (dataset, part)


def fetch_published(dataset: KnownDataset, part: str = "") -> Fetched:
    """Return a published dataset or one of its files; fetch what has not been kept."""
    name = f"{dataset.name}/{part}" if part else dataset.name
    files = [dataset.file(each) for each in ((part,) if part else dataset.main)]
    if not files:
        raise FileError(_by_file(dataset))
    if not all(file.source and file.format for file in files):
        raise FileError(_not_by_name(name, dataset, files))
    is_main = _is_main(dataset, files)
    companions = _companions(dataset) if is_main else []
    fetched = _source_files(name, dataset, files, companions)
    mains, others = fetched[: len(files)], fetched[len(files) :]
    main = mains[0] if len(mains) == 1 else _joined(dataset, mains)
    report = f"{dataset.title}, {_listed([file.path for file in files])}, as published"
    report += f"; licence: {dataset.licence}"
    if not is_main:
        known = recognise(main.name, main.digest, len(main.data))
        return Fetched(published_header(main, known), main, report=report)
    if dataset.warning:
        current_settings().note(f"{dataset.name}: {dataset.warning}")
    return Fetched(_header(dataset, files), main, tuple(others), dataset.recipe, report)


def fetch_file(dataset: KnownDataset, part: str) -> SourceFile:
    """Return one file of a published dataset, whether it has problems or not."""
    name, file = f"{dataset.name}/{part}", dataset.file(part)
    if file.source is None:
        raise FileError(_not_by_name(name, dataset, [file]))
    return _source_files(name, dataset, [file], [])[0]


def how_to_get(dataset: KnownDataset) -> str:
    """Say how to get a dataset: by which command, or by hand."""
    if dataset.can_be_fetched:
        companions = _companions(dataset)
        extra = f" with {_listed([file.path for file in companions])}" if companions else ""
        recipe = f" by the recipe {dataset.recipe}" if dataset.recipe else ""
        files = _listed([dataset.file(name).path for name in dataset.main])
        return f"horsesense dataset import {dataset.name} ({files}{extra}{recipe})"
    return _by_file(dataset) if _parts(dataset) else _by_hand(dataset, _readable(dataset), [])


def _is_main(dataset: KnownDataset, files: Sequence[KnownFile]) -> bool:
    return [dataset.file(name) for name in dataset.main] == list(files)


def _companions(dataset: KnownDataset) -> list[KnownFile]:
    return [dataset.file(name) for name in dataset.companions]


def _header(dataset: KnownDataset, files: Sequence[KnownFile]) -> Header:
    names = files[0].name if len(files) == 1 else f"{len(files)} files"
    title = f"{dataset.title}, {names}"
    return Header(dataset.name, title=title, author=dataset.paper, licence=dataset.licence)


def _source_files(
    name: str, dataset: KnownDataset, files: Sequence[KnownFile], companions: Sequence[KnownFile]
) -> list[SourceFile]:
    """The files and their companions; if one cannot be fetched, say what to do instead."""
    wanted = [*files, *companions]
    try:
        contents = _contents(dataset, wanted)
    except FetchError as error:
        by_hand = _by_hand(dataset, files, companions)
        message = f"{name} cannot be fetched: {error}\n  {by_hand}"
        raise FetchError(message, error.status) from error
    return [
        SourceFile(_place(file), content) for file, content in zip(wanted, contents, strict=True)
    ]


def _place(file: KnownFile) -> str:
    """Where a file is from, as the name under which it is imported."""
    assert file.source is not None
    return f"{file.source.repository}@{file.source.commit[:START_DIGITS]}/{file.path}"


def _joined(dataset: KnownDataset, files: Sequence[SourceFile]) -> SourceFile:
    """The lines of several files as one file."""
    folder = files[0].name.partition("/")[0]
    content = b"".join(file.data.removesuffix(b"\n") + b"\n" for file in files)
    return SourceFile(f"{folder}/{dataset.name} ({len(files)} files)", content)


# Fetching a file, which is known by its hash.


def _contents(dataset: KnownDataset, files: Sequence[KnownFile]) -> list[bytes]:
    """The bytes of files: those that were kept, or else fetched now."""
    kept = [_kept(file) for file in files]
    missing = [file for file, content in zip(files, kept, strict=True) if content is None]
    if missing and (reason := offline_reason()):
        names = " and ".join(file.name for file in missing)
        have = "has" if len(missing) == 1 else "have"
        raise FetchError(f"{reason}, and {names} {have} not been fetched before")
    for source, fetched in groupby(missing, attrgetter("source")):
        names = _listed([file.name for file in fetched])
        current_settings().note(
            f"fetching {names} of {dataset.title} (licence: {dataset.licence}) from {source}"
            f"{mirrored()}"
        )
    return [
        _fetch(file) if content is None else content
        for file, content in zip(files, kept, strict=True)
    ]


def _kept(file: KnownFile) -> bytes | None:
    """The bytes of a file that was fetched before; None if there is none, or it is damaged."""
    try:
        content = _kept_path(file).read_bytes()
    except OSError:
        return None
    return content if file.is_same(sha256(content).hexdigest(), len(content)) else None


def _kept_path(file: KnownFile) -> Path:
    return data_folder() / (file.sha256 or file.sha256_start)[:START_DIGITS] / file.name


def _fetch(file: KnownFile) -> bytes:
    """Fetch a file from its repository, wherever it is in there."""
    assert file.source is not None
    target = _kept_path(file)
    try:
        _download(file, file.source.path_of(file.path), target)
    except FetchError as error:
        if not (error.is_missing or isinstance(error, ChangedError)):
            raise
        if not _fetch_elsewhere(file, target):
            raise
    try:
        return target.read_bytes()
    except OSError as error:
        raise FileError(f"{target} cannot be read: {error.strerror}") from error


def _fetch_elsewhere(file: KnownFile, target: Path) -> bool:
    """Fetch a file from another path of its repository; False if it is nowhere there."""
    for path in _paths_in_repository(file)[:_MOST_TRIED]:
        with suppress(ChangedError):
            _download(file, path, target)
            return True
    return False


def _download(file: KnownFile, path: str, target: Path) -> None:
    assert file.source is not None
    where = f"{file.source.repository}/{file.source.commit}/{path}"

    def check(digest: str) -> None:
        if not file.is_same(digest, file.bytes):
            raise changed(file.name, file.sha256 or file.sha256_start, digest)

    address = f"{files_address()}/{quote(where)}"
    download(address, target, size=file.bytes, most=file.bytes, check=check)


def _paths_in_repository(file: KnownFile) -> list[str]:
    """The paths of files with that size in the repository, those with its name first."""
    assert file.source is not None
    place = f"repos/{file.source.repository}/git/trees/{file.source.commit}?recursive=1"
    try:
        answer = get(f"{lists_address()}/{place}")
    except FetchError as error:
        if error.is_missing:
            return []
        if error.is_refused:
            raise FetchError(
                "GitHub limits how often the files of a repository can be listed;"
                " try again in an hour",
                error.status,
            ) from error
        raise
    fitting = [path for path, size in _blobs(answer) if size == file.bytes]
    return sorted(fitting, key=lambda path: path.rpartition("/")[2] != file.name)


def _blobs(answer: bytes) -> Iterator[tuple[str, int]]:
    try:
        tree = json.loads(answer)["tree"]
        for entry in tree:
            if entry["type"] == "blob":
                yield str(entry["path"]), int(entry["size"])
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise FetchError("the list of the repository's files is not in GitHub's format") from error


# What to tell those who have to get a file themselves.


def _readable(dataset: KnownDataset) -> list[KnownFile]:
    return [file for file in dataset.files if file.format]


def _parts(dataset: KnownDataset) -> list[KnownFile]:
    return [file for file in _readable(dataset) if file.source is not None]


def _by_file(dataset: KnownDataset) -> str:
    """Say which files there are to choose from, or how to get one by hand."""
    parts = _parts(dataset)
    if not parts:
        return _not_by_name(dataset.name, dataset, _readable(dataset))
    names = [f"{dataset.name}/{file.path}" for file in parts]
    return (
        f"{dataset.name} has {len(names)} files to choose from; name one:"
        f" {_listed(names)} (horsesense dataset known {dataset.name} lists all)"
    )


def _not_by_name(name: str, dataset: KnownDataset, files: Sequence[KnownFile]) -> str:
    return f"{name} cannot be fetched by its name\n  {_by_hand(dataset, files, [])}"


def _by_hand(
    dataset: KnownDataset, files: Sequence[KnownFile], companions: Sequence[KnownFile]
) -> str:
    """Say which files to get from where, and the command to type then."""
    if not files:
        return f"No format reads its files; they come from {dataset.get}."
    get = "\n  ".join(_sources(dataset, [*files, *companions]))
    if not all(file.format for file in files):
        return get
    words = ["horsesense dataset import", *(file.name for file in files[:1])]
    words += [f"--with {file.name}" for file in companions]
    if _is_main(dataset, files) and dataset.recipe:
        words.append(f"--recipe {dataset.recipe}")
    elif _is_main(dataset, files) or not dataset.main:
        words.append(f"--name {dataset.name}")
    if len(files) > 1:
        words = ["horsesense dataset import", *(file.name for file in files)]
    return f"{get}\n  Then type: {' '.join(words)}"


def _sources(dataset: KnownDataset, files: Sequence[KnownFile]) -> Iterator[str]:
    """For each repository, the files to get from there."""
    paths: dict[str, list[str]] = {}
    for file in files:
        where = dataset.get if file.source is None else str(file.source)
        path = file.path if file.source is None else file.source.path_of(file.path)
        paths.setdefault(where, []).append(path)
    for where, names in paths.items():
        yield f"Get {' and '.join(names)} yourself from {where}."


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return ", ".join(names[:_MOST_LISTED]) + more
