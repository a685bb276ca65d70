"""Published datasets that we know by the hashes of their files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from operator import attrgetter
from os.path import commonprefix
from typing import Any

from horsesense.errors import UnknownNameError

_LEAST_LETTERS = 6
LATEST = "HEAD"
# How the names of built-in datasets begin.
_BUILT_IN = "hs-"
# So many digits of a hash are known where a file itself was not at hand.
START_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Repository:
    """A repository on GitHub at one commit, and the folder in it that has the files.

    A file that is not in that folder is looked for in the repository's list of files. The commit
    is `HEAD`, the latest one, if it is not known which had the file.
    """

    repository: str
    commit: str
    folder: str = ""

    def path_of(self, file: str) -> str:
        """Return the path of a file of the catalogue in the repository."""
        return f"{self.folder}/{file}" if self.folder else file

    def __str__(self) -> str:
        commit = (
            "latest commit" if self.commit == LATEST else f"commit {self.commit[:START_DIGITS]}"
        )
        return f"the GitHub repository {self.repository} ({commit})"


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file as it was published.

    `format` names the format that reads it, and is empty where none does. Either `sha256` is
    there, or `sha256_start` with its first digits. `rows` counts records, not lines; a file
    that holds none has no number. `source` has it byte for byte; None if no known place does.
    """

    path: str
    format: str
    bytes: int
    rows: int | None = None
    sha256: str = ""
    sha256_start: str = ""
    source: Repository | None = None

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    def is_same(self, sha256: str, size: int) -> bool:
        """Return True for a file of that hash and that many bytes.

        The size matters where only the start of the hash is known.
        """
        if self.sha256:
            return sha256 == self.sha256
        return size == self.bytes and sha256[:START_DIGITS] == self.sha256_start


@dataclass(frozen=True, slots=True)
class KnownDataset:
    """A published dataset: where it comes from, and what to know before using it.

    `size` is what its authors state, `licence` what the place states from which the files
    came. `note` warns of the trap that is worst for an evaluation. `bibtex` has an entry
    for each paper to be cited.

    `main` names the files that the name of the dataset stands for, which are read as one, with
    `companions` and by a `recipe`; a file of another dataset has that one's name in front. It is
    empty if the name stands for no file more than for another. `warning` says what else the user
    of these files must know.
    """

    name: str
    title: str
    paper: str
    licence: str
    size: str
    get: str
    note: str
    bibtex: tuple[str, ...]
    files: tuple[KnownFile, ...]
    main: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    recipe: str = ""
    aliases: tuple[str, ...] = ()
    warning: str = ""

    def file(self, name: str) -> KnownFile:
        """Return a file by its path or name, with or without suffix; or of another dataset."""
        spelled = name.casefold()
        for spelling in (str, _without_suffix):
            for part in (attrgetter("path"), attrgetter("name")):
                names = [spelling(part(file)).casefold() for file in self.files]
                if names.count(spelled) == 1:
                    return self.files[names.index(spelled)]
        owner, _, rest = name.partition("/")
        if rest and (other := published(owner)) not in (None, self):
            return other.file(rest)
        raise UnknownNameError(f"file of {self.name}", name, [file.path for file in self.files])

    @property
    def can_be_fetched(self) -> bool:
        """Return whether the dataset can be fetched by its name alone."""
        needed = [self.file(name) for name in (*self.main, *self.companions)]
        return bool(self.main) and all(file.source is not None for file in needed)


@cache
def known_datasets() -> tuple[KnownDataset, ...]:
    """All datasets of the catalogue, in its order: relatives stand together."""
    text = (
        files("horsesense.datasets.catalog").joinpath("catalogue.toml").read_text(encoding="utf-8")
    )
    catalogue = tomllib.loads(text)
    return tuple(_dataset(table, catalogue["bibtex"]) for table in catalogue["dataset"])


def find_known(name: str) -> KnownDataset:
    """The dataset of that name.

    >>> find_known("winogrande").title
    'WinoGrande'
    """
    dataset = published(name)
    if dataset is None:
        known = [each.name for each in known_datasets()]
        raise UnknownNameError("known dataset", name, known, similar=misspelt(name, known))
    return dataset


def published(name: str) -> KnownDataset | None:
    """The dataset of that name, in small or capital letters, with or without hyphens; or None.

    >>> published("Crows_Pairs") is published("crows-pairs"), published("crow")
    (True, None)
    """
    return _by_spelling().get(_spelling(name))


def misspelt(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names of datasets of which this may be a misspelling.

    The name of another benchmark is none, so a published dataset must have nearly the same name,
    and a built-in one is suggested only for a name that begins like theirs.

    >>> misspelt("winogrand", ["winogrande", "winogender"]), misspelt("mnli", ["wnli"])
    (['winogrande'], [])
    """
    return [
        other
        for other in get_close_matches(name.casefold(), known, n=3)
        if (_is_slip(name, other) if published(other) else _shares_prefix(name, other))
    ]


def _is_slip(name: str, other: str) -> bool:
    """Return whether one letter is missing, added, another one, or has changed places.

    Short names and numbers have no slips: `mnli`, `xcopa` and `wsc283` are names of their own.
    """
    one, two = sorted((_spelling(name), _spelling(other)), key=len)
    if len(one) < _LEAST_LETTERS or re.findall("[0-9]+", one) != re.findall("[0-9]+", two):
        return False
    start = len(commonprefix((one, two)))
    end = len(commonprefix((one[start:][::-1], two[start:][::-1])))
    rest, other_rest = one[start : len(one) - end], two[start : len(two) - end]
    return len(other_rest) < 2 or (len(rest) == 2 and rest == other_rest[::-1])


def _shares_prefix(name: str, other: str) -> bool:
    return not other.startswith(_BUILT_IN) or name.casefold().startswith(_BUILT_IN[:2])


@cache
def _by_spelling() -> dict[str, KnownDataset]:
    return {
        _spelling(name): dataset
        for dataset in known_datasets()
        for name in (dataset.name, *dataset.aliases)
    }


def _spelling(name: str) -> str:
    return re.sub(r"[-_ ]", "", name.casefold())


def _without_suffix(path: str) -> str:
    return path.rpartition(".")[0]


_LISTS = ("main", "companions", "aliases")


def _dataset(table: Mapping[str, Any], entries: Mapping[str, str]) -> KnownDataset:
    words: dict[str, Any] = {
        key: tuple(value) if key in _LISTS else value
        for key, value in table.items()
        if key not in ("cite", "files", "source")
    }
    source = table.get("source", {})
    return KnownDataset(
        **words,
        bibtex=tuple(entries[key] for key in table["cite"]),
        files=tuple(_file(file, source) for file in table["files"]),
    )


def _file(table: Mapping[str, Any], source: Mapping[str, str]) -> KnownFile:
    source = table.get("source", source)
    return KnownFile(**{**table, "source": Repository(**source) if source else None})


# Names come from any system, and also from inside archives.
_SEPARATOR = re.compile(r"[/\\]")


@dataclass(frozen=True, slots=True)
class Recognition:
    """The published file that a file of `size` bytes is, or is an altered copy of."""

    dataset: KnownDataset
    file: KnownFile
    is_as_published: bool
    size: int

    @property
    def told(self) -> str:
        """One line for whoever gave us the file."""
        if self.is_as_published:
            return f"known: {self.dataset.title}, {self.file.path}, as published"
        whose = f"an altered copy of {_possessive(self.dataset.title)} {self.file.path}"
        if self.size == self.file.bytes:
            return f"{whose}: {self.size:,} bytes as published, but another hash"
        return f"{whose}: {self.size:,} bytes where {self.file.bytes:,} were published"


def recognise(
    file_name: str, sha256: str, size: int, format_name: str | None = None
) -> Recognition | None:
    """Tell which published file this is; None for one that we do not know.

    The hash decides, whatever the name. A file with the name of a published one, nearly its
    size and another hash is taken for an altered copy. Many datasets have a `dev.jsonl`: with
    the name of a format only its files count, and among several the nearest in size.
    """
    for dataset, file in _files():
        if file.is_same(sha256.lower(), size):
            return Recognition(dataset, file, True, size)
    name = _SEPARATOR.split(file_name)[-1].casefold()
    namesakes = [
        (dataset, file)
        for dataset, file in _files()
        if file.name.casefold() == name
        and format_name in (None, file.format)
        and 0.75 * file.bytes <= size <= 1.25 * file.bytes
    ]
    if not namesakes:
        return None
    dataset, file = min(namesakes, key=lambda pair: abs(pair[1].bytes - size))
    return Recognition(dataset, file, False, size)


def _files() -> Iterator[tuple[KnownDataset, KnownFile]]:
    for dataset in known_datasets():
        for file in dataset.files:
            yield dataset, file


def _possessive(title: str) -> str:
    return f"{title}'" if title.endswith("s") else f"{title}'s"
