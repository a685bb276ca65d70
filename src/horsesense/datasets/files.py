"""Read datasets from files, and write files and folders completely or not at all."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path, PurePath
from typing import BinaryIO

from horsesense.datasets.builtin import BUILT_IN, open_built_in
from horsesense.datasets.catalog import Recognition, known_datasets, misspelt, recognise
from horsesense.datasets.importers import (
    FORMATS,
    SourceFile,
    guess_format,
    is_published,
    open_import,
)
from horsesense.errors import FileError
from horsesense.schema import Dataset, Header
from horsesense.schema.notation import FENCE, READER, SchemaFile, read_schemas

STDIN = "-"
WHERE_LISTED = (
    "`horsesense dataset known` lists what can be fetched by its name; give a dataset of the"
    " Hugging Face hub as OWNER/NAME"
)
_STDIN_NAME = "<stdin>"
_SCHEMAS = ".schemas"
# A file with such a suffix is not a schema file, however its text begins.
_PUBLISHED = frozenset({".json", ".jsonl", ".xml", ".csv", ".tsv", ".parquet", ".lst"})


def read_dataset(path: str, *, format: str | None = None, name: str | None = None) -> Dataset:
    """Read a file in any known format, or a dataset in the box; `-` is the standard input.

    The format is guessed unless it is named, and `name` is what the dataset is called in place of
    the name in the file. What cannot be used of a published file is left out: see the `issues` and
    `remarks` of the dataset.
    """
    file = source_file(path)
    if format != READER and (format or looks_published(file)):
        header = published_header(file, recognised(file, format), name)
        return open_import(file, header, format_name=format, keep_going=True).dataset()
    dataset = read_schemas(BytesIO(file.data), file.name, default_name(path))
    return dataset if name is None else dataset.renamed(name)


def recognised(file: SourceFile, format_name: str | None = None) -> Recognition | None:
    """The published file that this is, or is an altered copy of; None for one we do not know."""
    return recognise(file.name, file.digest, len(file.data), format_name or guess_format(file).name)


def source_file(path: str) -> SourceFile:
    """The whole of a file under its name; `-` is the standard input."""
    return SourceFile(_STDIN_NAME if path == STDIN else path, read_bytes(path))


def read_bytes(path: str) -> bytes:
    """The whole of a file, or of a dataset in the box; `-` is the standard input."""
    try:
        with _open(path) as stream:
            return stream.read()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error


@contextmanager
def opened_schema_file(path: str, data: bytes | None = None) -> Iterator[SchemaFile]:
    """A schema file ready to be read, or its bytes if they have been; `-` is the standard input."""
    with _open(path) if data is None else BytesIO(data) as stream:
        source = _STDIN_NAME if path == STDIN else path
        yield SchemaFile(stream, source, default_name(path))


def is_built_in(path: str) -> bool:
    """Return whether a name means a built-in dataset; files of that name come first."""
    return path in BUILT_IN and (not Path(path).exists() or Path(path).is_dir())


def is_file(path: str) -> bool:
    """Return whether a path exists; False if it is too long for a path."""
    try:
        return Path(path).exists()
    except OSError:
        return False


def is_data(path: str) -> bool:
    """Return whether a name can be read as data: a file, a built-in dataset, or `-`."""
    return path == STDIN or is_built_in(path) or (is_file(path) and not Path(path).is_dir())


def looks_published(file: SourceFile) -> bool:
    """Return whether a file needs an importer; False for possible schema files.

    A built-in dataset is a schema file. So is a `.schemas` file with front matter, which none of
    our own formats begins with; only formats of plug-ins may claim it.
    """
    if is_built_in(file.name):
        return False
    suffix = PurePath(file.name).suffix.lower()
    if suffix == _SCHEMAS and file.head.startswith(f"{FENCE}\n"):
        return any(format.looks_like(file) for format in FORMATS.plugins.values())
    return is_published(file) or suffix in _PUBLISHED


def default_name(path: str) -> str:
    """A name for the dataset in a file that does not give one: that of the file, made fit.

    >>> default_name("data/My schemas (2).txt"), default_name("-")
    ('My-schemas-2', 'unnamed')
    """
    file = Path(path)
    # Some suffixes name a part of the data: type1.txt.dev, type1.txt.test.
    is_part = file.suffix in (".dev", ".test", ".train")
    stem = f"{Path(file.stem).stem}-{file.suffix[1:]}" if is_part else file.stem
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("-._")[:100] or "unnamed"


def published_header(
    file: SourceFile, known: Recognition | None, name: str | None = None
) -> Header:
    """Return the header of a published file, from the catalogue if its hash is known.

    `name` is given where somebody wants another than that of the file.
    """
    name = _known_name(file, known) if name is None else name
    if known is None or not known.is_as_published:
        return Header(name)
    dataset = known.dataset
    title = f"{dataset.title}, {known.file.name}"
    return Header(name, title=title, author=dataset.paper, licence=dataset.licence)


def _known_name(file: SourceFile, known: Recognition | None) -> str:
    """The name of the file, with that of the dataset where the file's alone would not tell."""
    stem = default_name(file.name) if file.name != _STDIN_NAME else default_name(STDIN)
    if known is None or not known.is_as_published or known.dataset.name.lower() in stem.lower():
        return stem
    readable = [file for file in known.dataset.files if file.format]
    if len(readable) == 1:
        return known.dataset.name
    if sum(other.name == known.file.name for other in readable) > 1:
        # Files of one name in several folders; where this one was published tells which it is.
        stem = default_name(known.file.path.replace("/", "-"))
    return f"{known.dataset.name}-{stem}"


def _open(path: str) -> BinaryIO:
    """The file, or the standard input."""
    if path == STDIN:
        if sys.stdin is None:
            raise FileError("the standard input is closed")
        return sys.stdin.buffer
    try:
        return open_built_in(path) if is_built_in(path) else Path(path).open("rb")
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}{_meant(path)}") from error


def _meant(path: str) -> str:
    """Ask whether a dataset was meant that needs no file, or say where such are listed."""
    fetchable = [dataset.name for dataset in known_datasets() if dataset.can_be_fetched]
    if near := misspelt(path, [*BUILT_IN, *fetchable]):
        where = "is built in" if near[0] in BUILT_IN else "can be fetched by its name"
        return f"; did you mean {near[0]}, which {where}?"
    if PurePath(path).suffix or len(PurePath(path).parts) > 1:
        return ""
    return f", and no dataset has that name; {WHERE_LISTED}"


def write_folder(path: Path, files: Iterable[tuple[str, bytes]], *, overwrite: bool) -> None:
    """Write files, by their names, to a folder; if one cannot be made, none is written.

    Files of the same names are replaced if `overwrite` is set; other files in the folder stay.
    Raises `FileError`.
    """
    path = path.resolve()
    if path.exists() and not path.is_dir():
        raise FileError(f"{path} is not a folder")
    if path.exists() and any(path.iterdir()) and not overwrite:
        raise FileError(f"{path} already exists; --force (overwrite=True) overwrites its files")
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.") as temporary:
            made = Path(temporary) / path.name
            names = _make_files(made, files)
            if not path.exists():
                made.rename(path)
                return
            for name in names:
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                (made / name).replace(path / name)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from error


def _make_files(folder: Path, files: Iterable[tuple[str, bytes]]) -> list[str]:
    names = []
    for name, data in files:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        names.append(name)
    return names


def write_file(path: Path, pieces: Iterable[str], *, overwrite: bool) -> None:
    """Write pieces of text to a file; if one cannot be made, nothing is written.

    An existing file is replaced if `overwrite` is set. Raises `FileError`.
    """
    path = path.resolve()  # a link stays a link, and what it points to is written
    if path.is_dir():
        raise FileError(f"{path} is a folder")
    if path.exists() and not overwrite:
        raise FileError(f"{path} already exists; --force (overwrite=True) overwrites it")
    try:
        if path.exists() and not path.is_file():
            # A pipe or a device is written to as it is; it cannot be replaced.
            with path.open("w", encoding="utf-8") as stream:
                stream.writelines(pieces)
        else:
            _replace(path, pieces)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from error


def _replace(path: Path, pieces: Iterable[str]) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
