"""Transformations: rewritings of entries that declare what they do (thesis 3.7.2).

It says at which level it works, what it may touch, when it applies, which answer is right
afterwards, and whether it keeps the content of a schema (a test of consistency) or destroys it (a
control). Applied to an entry it gives a rewriting, or the reason why there is none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from io import BytesIO
from typing import NamedTuple

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.schema import AxisName, Cell, Entry, Grid, Mode, Named, Phrases, Schema, problems
from horsesense.schema.notation import SchemaFile


class Level(StrEnum):
    """The unit with a counterpart in the perturbation: each problem, or the whole schema."""

    PROBLEM = "problem"
    SCHEMA = "schema"


class Touch(StrEnum):
    """The parts of an entry that may change."""

    CANDIDATES = "candidates"  # and the answers with them
    KEYS = "key phrases"
    FRAME = "frame"


EVERYTHING = frozenset(Touch)
NOTHING: frozenset[Touch] = frozenset()


class Right(StrEnum):
    """Which answer is right after the transformation."""

    SAME = "the same answer"
    OTHER = "the other answer"
    REPLACED = "what stands in the place of the right answer"
    SPLIT = "the same answer under the first truth value, the other under the second"
    KEY = "the key phrase that goes with the answer"
    TRUTH = "the truth value that fits"
    NONE = "none"


class Purpose(StrEnum):
    """The purpose of a perturbation."""

    CONSISTENCY = "consistency test"  # content is preserved
    CONTROL = "control"  # content is destroyed


class Voucher(StrEnum):
    """Who vouches for a rewriting before anybody has looked at it."""

    AUTHOR = "author"  # the material, or a flag, is the author's
    RULE = "rule"  # nothing needs to be judged, as in a control
    NOBODY = ""  # a proposal


class NotApplicable(HorsesenseError, ValueError):
    """A transformation does not apply to an entry; the message is the reason."""


class MissingEnglish(HorsesenseError):
    """Proposals need libraries that are not installed; the message says which."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter with its default, and its choices if only some values are allowed."""

    name: str
    default: str
    about: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settings:
    """The values of a transformation's parameters, and the seed of whatever is drawn."""

    values: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def draw(self, *names: str) -> random.Random:
        """A random generator for these names, independent of earlier draws."""
        return random.Random("/".join((str(self.seed), *names)))


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A rewritten grid, how it was made, and who vouches for it.

    `phrases` is the author's material as far as it fits the new wording.
    """

    grid: Grid
    how: str
    voucher: Voucher = Voucher.NOBODY
    phrases: Named[Phrases] = ()


Rewrite = Callable[[Entry, Settings], Rewriting]


@dataclass(frozen=True, slots=True)
class Transformation:
    """A named rewriting of entries and all that it declares.

    `precondition` says what it needs and `not_for` what it does not apply to all the same, `tests`
    what it tests, `source` where it comes from.
    `example` is a schema of ours on which it can be seen, fields included. In another `mode`
    than by answer nothing is rewritten: the problems are read in that mode. `version` is to be
    raised whenever the same input gives another output.
    """

    name: str
    version: int
    title: str
    source: str
    level: Level
    touches: frozenset[Touch]
    precondition: str
    not_for: str
    right: Right
    purpose: Purpose
    tests: str
    example: str
    rewrite: Rewrite
    parameters: tuple[Parameter, ...] = ()
    mode: Mode = Mode.BY_ANSWER

    def settings(self, given: Mapping[str, str] | None = None, *, seed: int = 0) -> Settings:
        """Settings with these values, and the defaults for all others."""
        given = dict(given or {})
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in given.items():
            if name not in known:
                raise UnknownNameError(f"parameter of {self.name}", name, known)
            choices = known[name].choices
            if choices and value not in choices:
                raise UnknownNameError(f"value of {self.name}'s {name}", value, choices)
        return Settings({name: p.default for name, p in known.items()} | given, seed)


def mode_after(declared: Mode, level: Level, mode: Mode) -> Mode:
    """The mode of a perturbed dataset, given the declared mode of the original.

    Where problems correspond they are posed as they were; elsewhere the transformation's mode
    counts.
    """
    return declared if level is Level.PROBLEM else mode


def needs_schema(grid: Grid) -> Schema:
    """The grid, if it is a square or a cube."""
    if not isinstance(grid, Schema):
        raise NotApplicable(f"a {grid.kind} has no key phrases")
    return grid


class Validity(StrEnum):
    """How far a perturbed entry has been judged."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    EDITED = "edited"  # accepted with other words
    REJECTED = "rejected"


# What enters a perturbation's dataset.
VALID = frozenset({Validity.ACCEPTED, Validity.EDITED})


@dataclass(frozen=True, slots=True)
class Judgement:
    """One line of the ledger: who said what of a perturbed entry, and when (UTC, ISO 8601).

    Where the author's material or a rule vouches for it, `by` says so. `notation` is the wording
    that was judged: as proposed, or as edited.
    """

    entry: str
    validity: Validity
    by: str
    at: str
    notation: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ledgered:
    """A perturbed entry beside its original, with the last word on it.

    `entry` has the wording as it was proposed or, if somebody edited it, as edited.
    """

    original: Entry
    entry: Entry
    how: str
    voucher: Voucher
    judgement: Judgement


def first_validity(voucher: Voucher) -> Validity:
    """The validity of an entry before anybody has reviewed it."""
    return Validity.PROPOSED if voucher is Voucher.NOBODY else Validity.ACCEPTED


class ProblemPair(NamedTuple):
    """A problem before and one after, by their positions in the entry.

    `options` says which option after is the counterpart of each option before.
    """

    before: int
    after: int
    options: tuple[int, ...]


def pairs(before: Grid, after: Grid, transformation: Transformation) -> tuple[ProblemPair, ...]:
    """The pairs of problems of an entry; none where only the schemas correspond."""
    if transformation.level is Level.SCHEMA:
        return ()
    if transformation.right is Right.SPLIT:
        return _pairs_of_dyad(before, after)
    old = problems(before)
    return tuple(
        ProblemPair(n, n, tuple(range(len(problem.options)))) for n, problem in enumerate(old)
    )


def _pairs_of_dyad(before: Grid, after: Grid) -> tuple[ProblemPair, ...]:
    """Each problem goes with two: the true one keeps the label, the false one turns it round."""
    places = {
        _place(problem.cells[0]): n for n, problem in enumerate(problems(after, Mode.BY_ANSWER))
    }
    return tuple(
        ProblemPair(n, places[problem.cells[0].key, truth], (0, 1) if truth == 0 else (1, 0))
        for n, problem in enumerate(problems(before, Mode.BY_ANSWER))
        for truth in (0, 1)
    )


def _place(cell: Cell) -> tuple[int, int]:
    return cell.along(AxisName.KEY), cell.along(AxisName.TRUTH)


def example_of(transformation: Transformation) -> Entry:
    """The example entry of a transformation."""
    (entry,) = SchemaFile(BytesIO(transformation.example.encode()), "example", "example")
    return entry
