"""Find the datasets in a folder: the files that a format reads, and those that none does."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from horsesense.datasets.catalog import published, recognise
from horsesense.datasets.files import (
    default_name,
    is_built_in,
    is_file,
    opened_schema_file,
    published_header,
    source_file,
)
from horsesense.datasets.importers import SourceFile, is_published
from horsesense.errors import FileError, HorsesenseError

# Larger files are weights of models, or archives.
_MOST_BYTES = 512 * 2**20
_SHOWN = 5
_SCHEMAS = ".schemas"


def is_folder(name: str) -> bool:
    """Return whether a name means a folder; False if it is the name of a dataset too."""
    return is_file(name) and Path(name).is_dir() and not (is_built_in(name) or published(name))


def datasets_in(folder: str) -> tuple[dict[str, str], list[str]]:
    """Return the files of a folder with the names of their datasets, and the files of no format.

    Folders inside are searched too, but nothing whose name starts with a dot. If two datasets
    would have the same name, they are called by their paths in the folder.
    """
    paths = [path for path in sorted(Path(folder).rglob("*")) if _is_visible(path, folder)]
    named = {path: name for path in paths if (name := _name(path))}
    counts = Counter(named.values())
    names = {
        str(path): name if counts[name] == 1 else _name_by_path(path, folder)
        for path, name in named.items()
    }
    if not names:
        raise no_datasets(folder)
    return names, [str(path) for path in paths if path not in named]


def no_datasets(folder: str) -> FileError:
    """Return the error for a folder without a dataset."""
    return FileError(f"{folder} has no file in a known format; see `horsesense dataset formats`")


def only_file(folder: str) -> str:
    """Return the file of a folder that has one dataset; more are an error."""
    names, _ = datasets_in(folder)
    if len(names) > 1:
        files = [str(Path(path).relative_to(folder)) for path in names]
        more = f" and {len(files) - _SHOWN} more" if len(files) > _SHOWN else ""
        listed = ", ".join(files[:_SHOWN])
        raise FileError(f"{folder} has {len(files)} datasets; name one: {listed}{more}")
    return next(iter(names))


def unread_message(folder: str, unread: list[str]) -> str:
    """Name the files of a folder that no format reads, or the first of many."""
    shown = [str(Path(path).relative_to(folder)) for path in unread[:_SHOWN]]
    more = f" and {len(unread) - _SHOWN} more" if len(unread) > _SHOWN else ""
    return f"{folder}: no format reads {', '.join(shown)}{more}"


def _is_visible(path: Path, folder: str) -> bool:
    inside = path.relative_to(folder).parts
    return path.is_file() and not any(part.startswith(".") for part in inside)


def _name(path: Path) -> str:
    """The name of the dataset in a file; empty if no format reads it."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return ""
        file = source_file(str(path))
    except (FileError, OSError):
        return ""
    if path.suffix == _SCHEMAS:
        return _name_in_schemas(file)
    known = recognise(file.name, file.digest, len(file.data))
    if not is_published(file) or (known and known.is_as_published and not known.file.format):
        return ""
    return published_header(file, known).name


def _name_in_schemas(file: SourceFile) -> str:
    try:
        with opened_schema_file(file.name, file.data) as schemas:
            return schemas.header.name
    except HorsesenseError:
        return default_name(file.name)  # whoever reads it reports what is wrong


def _name_by_path(path: Path, folder: str) -> str:
    *folders, name = path.relative_to(folder).parts
    return default_name("-".join([*folders, name]))
