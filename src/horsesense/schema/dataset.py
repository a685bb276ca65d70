"""Datasets: named grids in order, each with its tags, its note and what perturbations need.

`Dataset` is what importers, the store, perturbations and the generator return, and what exporters,
audits and evaluations take.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, TypeVar

from horsesense.errors import SchemaError
from horsesense.schema.axis import Phrases, find_unprintable, is_clean
from horsesense.schema.material import FLAGS, PHRASES, VERSIONS, check_own_name
from horsesense.schema.problem import Grid, Mode
from horsesense.schema.schema import Kind, Schema
from horsesense.schema.wrapper import BooleanWrapper


class IssueKind(StrEnum):
    """The way an issue was handled."""

    STEP = "step"  # put right as a matter of course, so that the text can be read at all
    REPAIR = "repair"  # an error of the published file, put right; can be switched off
    ODDITY = "oddity"  # noticed, and left as it is
    FAULT = "fault"  # could not be used, and was left out


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that was odd, about one problem or (line 0) about the whole file."""

    name: str
    kind: IssueKind
    line: int = 0
    entry: str = ""
    problem: str = ""
    odd: str = ""
    done: str = ""


Value = TypeVar("Value")
Named: TypeAlias = tuple[tuple[str, Value], ...]

# A tag with this prefix names a cluster: entries with the same one are resampled together.
CLUSTER = "cluster:"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NAME_OF = itemgetter(0)
_TAG = re.compile(r"[^\W_][\w./:+-]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A grid in a dataset, and what its author says about it.

    A tag such as `cluster:owls` says which entries are variants of each other.
    `flags` are assertions that the author made or denied (switchable, invertible, …);
    `phrases` is material for perturbations, such as the two adjectival candidates;
    `versions` are whole schemas that replace this one in a perturbation; `extras` are
    fields of the author's own, whose names begin with `x-`. Each of the four is kept in
    the order of its names, so that equal entries are equal.
    """

    id: str
    grid: Grid
    tags: tuple[str, ...] = ()
    note: str = ""
    flags: Named[bool] = ()
    phrases: Named[Phrases] = ()
    versions: Named[Grid] = ()
    extras: Named[str] = ()

    def __post_init__(self) -> None:
        check_name(self.id, "an id")
        if self.tags:
            check_tags(self.tags)
        check_text(self.note, "a note")
        if self.flags or self.phrases or self.versions:
            self._check_material()
        for name, value in self.extras:
            check_own_name(name)
            if not is_line(value):
                check_text(value, f"the field {name!r}")
        for kind in ("flags", "phrases", "versions", "extras"):
            named = getattr(self, kind)
            if len(named) < 2:
                continue
            if len(dict(named)) < len(named):
                raise SchemaError(f"two of the {kind} have the same name")
            object.__setattr__(self, kind, tuple(sorted(named, key=_NAME_OF)))

    def _check_material(self) -> None:
        for name, _ in self.flags:
            _check_known(name, FLAGS)
        for name, phrases in self.phrases:
            _check_known(name, PHRASES)
            if len(phrases) != PHRASES[name][0]:
                raise SchemaError(f"{name!r} takes {PHRASES[name][0]} phrases, not {len(phrases)}")
            if not all(phrase and is_clean(phrase) for phrase in phrases):
                raise SchemaError(f"a phrase of {name!r} is empty or not clean text")
        for name, version in self.versions:
            _check_known(name, VERSIONS)
            _check_version(name, version, self.grid)

    def flag(self, name: str) -> bool | None:
        """Return the author's value of a flag, or None."""
        return dict(self.flags).get(name)


@dataclass(frozen=True, slots=True)
class Header:
    """The description of a dataset by its author.

    `mode` is the one in which its problems are posed unless another is requested.
    """

    name: str
    title: str = ""
    author: str = ""
    licence: str = ""
    note: str = ""
    mode: Mode = Mode.BY_ANSWER

    def __post_init__(self) -> None:
        check_name(self.name, "a dataset's name")
        if self.mode not in list(Mode):
            raise SchemaError(f"{self.mode!r} is not a mode", remedy=f"known: {', '.join(Mode)}")
        object.__setattr__(self, "mode", Mode(self.mode))
        for name in ("title", "author", "licence", "note"):
            check_text(getattr(self, name), f"a {name}")


@dataclass(frozen=True, slots=True)
class Source:
    """The file that content came from, and the importer that read it."""

    file: str
    sha256: str
    bytes: int
    importer: str
    importer_version: str
    imported_at: str = ""


class Step(NamedTuple):
    """A transformation that has made a dataset; its parameters, as far as they are known."""

    transformation: str
    parameters: Mapping[str, str]


@dataclass(frozen=True, repr=False)  # without slots, which leave no place for what is computed once
class Dataset:
    """Schemas and single problems under one name: what you load, perturb, evaluate and export.

    `len(dataset)` counts its entries, `for entry in dataset` goes through them, and
    `dataset.version` identifies the content: equal versions mean equal datasets.

    `header` has the name, title, author and licence. `mode` is what a model must guess (`by
    answer`, `by key`, `by boolean`): the header's, unless another was chosen. `wrapper` is what the
    schemas have been wrapped in, if anything. `issues` lists what an importer or a transformation
    skipped, repaired or assumed, and `remarks` says in sentences what to know before using the
    dataset. `sources` are the files it was read from, the main file first. A perturbed dataset
    has the header of its `original`, and the `steps` that were taken from there. `stored_id` is the
    version where a store has computed it already.

    >>> from horsesense.schema.notation import parse_grid
    >>> entry = Entry("lorry", parse_grid("a lorry <can, cannot> pass under a {high, low} bridge"))
    >>> Dataset(Header("roads"), [entry])
    <Dataset roads: 1 schema, 0 single problems, by answer>
    """

    header: Header
    entries: tuple[Entry, ...]
    mode: Mode
    wrapper: BooleanWrapper | None
    issues: tuple[Issue, ...] = field(compare=False)
    remarks: tuple[str, ...] = field(compare=False)
    sources: tuple[Source, ...] = field(compare=False)
    original: Header | None = field(compare=False)
    steps: tuple[Step, ...] = field(compare=False)
    stored_id: str = field(compare=False)

    def __init__(
        self,
        header: Header,
        entries: Iterable[Entry],
        *,
        mode: Mode | None = None,
        wrapper: BooleanWrapper | None = None,
        issues: Iterable[Issue] = (),
        remarks: Iterable[str] = (),
        sources: Iterable[Source] = (),
        original: Header | None = None,
        steps: Iterable[Step] = (),
        stored_id: str = "",
    ) -> None:
        listed = tuple(entries)
        if not (isinstance(header, Header) and all(isinstance(entry, Entry) for entry in listed)):
            raise TypeError(
                "a Dataset takes a Header and entries: Dataset(Header(name), [Entry(id, grid)]);"
                " horsesense.evaluate also takes schemas as text"
            )
        values = {
            "header": header,
            "entries": listed,
            "mode": mode or header.mode,
            "wrapper": wrapper,
            "issues": tuple(issues),
            "remarks": tuple(remarks),
            "sources": tuple(sources),
            "original": original,
            "steps": tuple(steps),
            "stored_id": stored_id,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """The name of the dataset."""
        return self.header.name

    @cached_property
    def version(self) -> str:
        """The id of the content, which every store computes alike."""
        # Here, as the notation is written in terms of entries.
        from horsesense.schema.notation import content_id, dataset_id, print_entry

        ids = (content_id("entry", print_entry(entry)) for entry in self.entries)
        return self.stored_id or dataset_id(self.header, ids)

    def replace(self, **changes: Any) -> Dataset:
        """Make a dataset that differs in these fields only.

        With another header or other entries it has another version too.
        """
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        if not changes.keys().isdisjoint(("header", "entries")):
            fields["stored_id"] = ""
        return Dataset(**(fields | changes))

    def renamed(self, name: str) -> Dataset:
        """Make the same dataset under another name."""
        return self.replace(header=replace(self.header, name=name))

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __repr__(self) -> str:
        singles = sum(entry.grid.kind in (Kind.SINGLE, Kind.MINIMAL_PAIR) for entry in self)
        counts = ((len(self) - singles, "schema"), (singles, "single problem"))
        message = ", ".join(f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts)
        return f"<Dataset {self.name}: {message}, {self.mode}>"


def _check_known(name: str, known: Collection[str]) -> None:
    if name not in known:
        raise SchemaError(f"{name!r} is not one of {', '.join(known)}")


def _check_version(name: str, version: Grid, grid: Grid) -> None:
    """Refuse a version whose problems could not be paired with those of the grid."""
    if version.kind is Kind.LOOSE:
        raise SchemaError(f"the version {name!r} must be on one line")
    if (type(version), len(version.cells)) != (type(grid), len(grid.cells)):
        raise SchemaError(
            f"the version {name!r} must be of the same kind and size as the schema that it replaces"
        )
    if isinstance(version, Schema) and isinstance(grid, Schema):
        keys, answers = version.keys.values[::-1], version.answers.values[::-1]
        if (keys, answers) == (grid.keys.values, grid.answers.values):
            raise SchemaError(f"the version {name!r} has both keys and answers in opposite order")


def check_name(name: str, what: str) -> None:
    """Refuse a name that a shell, a file system or a reader could trip over."""
    if not _NAME.fullmatch(name) or len(name) > 100:
        raise SchemaError(
            f"{name!r} cannot be {what}: use a letter or digit, then letters, digits and any of"
            " ._-, at most 100"
        )


@lru_cache(maxsize=256)  # the same few stand at entry after entry
def check_tags(tags: tuple[str, ...]) -> None:
    """Refuse tags that are not single words, or stand there twice."""
    for tag in tags:
        if not _TAG.fullmatch(tag):
            raise SchemaError(f"{tag!r} is not a valid tag; use letters, digits and any of _./:+-")
    if len(set(tags)) < len(tags):
        raise SchemaError("a tag occurs twice")


def check_text(text: str, what: str) -> None:
    """Refuse text that would not survive being written on one line."""
    if not is_line(text):
        raise SchemaError(f"{what} is one line without control characters or spaces at the ends")


def is_line(text: str) -> bool:
    """Return True for text that survives being written on one line."""
    return text == text.strip(" ") and not find_unprintable(text)
