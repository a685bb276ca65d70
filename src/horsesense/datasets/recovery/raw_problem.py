"""Problems as a published file gives them, grouped into entries, and the journal of an import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from horsesense.schema import Issue, IssueKind, Mode, Named, Phrases

# Mark the blanks in a statement that is one string.
BLANK_CHARACTERS = "\x00\x01"
BLANKS = frozenset(BLANK_CHARACTERS)
UNKNOWN_PRONOUN = "_"


class CandidateMark(NamedTuple):
    """The span of a candidate in the statement, where each blank counts as one character.

    `number` is the option it belongs to, counted from 1.
    """

    number: int
    start: int
    end: int


class RawProblem(NamedTuple):
    """A problem before recovery: the texts around its blanks, its options and the right one.

    There is one more text than blanks. Options are spelt as they appear in the blank. `pronoun`
    is the word that the blank replaces in a Winograd problem: `_` if the file doesn't record it,
    empty if the problem is not a Winograd problem. In a minimal pair both texts are empty.
    `extras` are fields of this problem only, with names that begin with `x-`; `tags` are all its
    tags, including those it shares with its twin.
    """

    name: str
    line: int
    texts: tuple[str, ...]
    options: tuple[Phrases, ...]
    right: int | None
    pronoun: str = ""
    marks: tuple[CandidateMark, ...] = ()
    extras: Named[str] = ()
    tags: tuple[str, ...] = ()

    @property
    def statement(self) -> str:
        """The text of the problem with a control character for each blank."""
        if len(self.texts) == 2:
            return "\x00".join(self.texts)
        first, *others = self.texts
        return first + "".join(
            blank + text for blank, text in zip(BLANK_CHARACTERS, others, strict=False)
        )

    def sentence(self, option: int) -> str:
        """Return the complete sentence of an option, exactly as in the file."""
        first, *others = self.texts
        phrases = self.options[option]
        return first + "".join(phrase + text for phrase, text in zip(phrases, others, strict=True))

    def exchanged(self) -> RawProblem:
        """Return the problem with its two options swapped."""
        right = None if self.right is None else 1 - self.right
        marks = tuple(mark._replace(number=3 - mark.number) for mark in self.marks)
        return self._replace(options=self.options[::-1], right=right, marks=marks)


class Twins(NamedTuple):
    """A criterion for finding twins: the issue that reports it, and a description of it."""

    issue: str
    how: str


@dataclass(slots=True)
class RawEntry:
    """Problems that make one entry, with the tags, notes and fields of that entry.

    Two problems by answer make a square. In the other modes, and for a dyad, the group must be
    complete, and the problems of a dyad must be in the order of its axes. `key_places` is the
    number of key placeholders if the file gives it, else 0; `widening` is the number of words to
    the left and right of the difference that belong to the key phrase. `versions` are other
    wordings of the problems, under the same problem names; unknown version names are kept too.
    `twins` is set if these problems were grouped by another criterion than the rest of the file.
    """

    id: str
    problems: list[RawProblem]
    mode: Mode = Mode.BY_ANSWER
    is_dyad: bool = False
    key_places: int = 0
    widening: tuple[int, int] = (0, 0)
    tags: tuple[str, ...] = ()
    note: str = ""
    flags: dict[str, bool] = field(default_factory=dict)
    phrases: Named[Phrases] = ()
    extras: dict[str, str] = field(default_factory=dict)
    versions: dict[str, list[RawProblem]] = field(default_factory=dict)
    twins: Twins | None = None


BY_MARK, BY_ID, BY_POSITION = "twins-by-mark", "twins-by-id", "twins-by-position"
BY_NEIGHBOURS, BY_OPTIONS = "twins-by-neighbours", "twins-by-options"
BY_LIKENESS, NO_TWINS = "twins-by-likeness", "no-twins"
# Every import reports at least one of these, once for the whole file.
TWINS = {
    BY_MARK: "the file marks twins: by a field, a column, or a row that holds both",
    BY_ID: "problems with matching ids were paired as twins",
    BY_POSITION: "twins are not marked; consecutive problems were paired",
    BY_NEIGHBOURS: "twins are not marked; similar neighbours were paired",
    BY_OPTIONS: "twins are not marked; problems with the same options were paired",
    BY_LIKENESS: "twins are not marked; similar problems with the same answers were paired",
    NO_TWINS: "the problems of the file have no twins",
}
# Pairings that the program infers; the file doesn't confirm them.
ASSUMED = frozenset({BY_NEIGHBOURS, BY_OPTIONS, BY_LIKENESS})

NEIGHBOURS = Twins(BY_NEIGHBOURS, "position and similarity")
LIKENESS = Twins(BY_LIKENESS, "similarity and equal answers")
SINGLES = Twins(NO_TWINS, "problems of this format have none")
_SIZES = {2: ("pair", "pairs"), 3: ("triple", "triples")}


class _Size(NamedTuple):
    """The number of problems in a group, and whether they make a dyad."""

    problems: int
    is_dyad: bool


@dataclass(frozen=True, slots=True)
class PairingSummary:
    """A criterion for finding twins, and how many groups of each size it made."""

    twins: Twins
    sizes: Counter[_Size]

    @property
    def alone(self) -> int:
        """The number of problems without a twin."""
        return sum(count for size, count in self.sizes.items() if size.problems == 1)

    @property
    def pairs(self) -> int:
        """The number of groups of two problems."""
        return sum(count for size, count in self.sizes.items() if size.problems == 2)

    @property
    def larger(self) -> int:
        """The number of groups of more than two problems."""
        return self.sizes.total() - self.pairs - self.alone

    @property
    def counts(self) -> str:
        """The number of groups of each size, as text: "12 pairs, 3 alone"."""
        several = sorted((size, count) for size, count in self.sizes.items() if size.problems > 1)
        counts = [_counted(count, *_nouns(size)) for size, count in several]
        return ", ".join([*counts, f"{self.alone} alone"] if self.alone or not counts else counts)

    @property
    def done(self) -> str:
        """The action for the journal: how problems were paired."""
        how = self.twins.how
        return how if self.twins.issue == NO_TWINS else f"paired by {how}"

    @property
    def message(self) -> str:
        """How twins were found, and how many, for users."""
        if self.twins.issue == NO_TWINS:
            return f"no twins: {self.twins.how}"
        return f"twins by {self.twins.how}: {self.counts}"


def paired(groups: Iterable[RawEntry], usual: Twins) -> list[PairingSummary]:
    """Count the groups by criterion and size; `usual` is the criterion of groups without one."""
    sizes_by_criterion: dict[Twins, Counter[_Size]] = {}
    for group in groups:
        size = _Size(len(group.problems), group.is_dyad)
        sizes_by_criterion.setdefault(group.twins or usual, Counter())[size] += 1
    return [PairingSummary(twins, sizes) for twins, sizes in sizes_by_criterion.items()]


def _nouns(size: _Size) -> tuple[str, str]:
    if size.is_dyad:
        return "dyad", "dyads"
    return _SIZES.get(size.problems) or (f"group of {size.problems}", f"groups of {size.problems}")


def _counted(count: int, singular: str, plural: str) -> str:
    return f"{count} {singular if count == 1 else plural}"


class Journal:
    """Collects the issues of an import, and decides which repairs are applied.

    A fault means that a problem cannot be used. The caller decides whether a fault fails the
    import or is only reported.

    `left_out` counts the problems of the file that are in no entry: a fault leaves out the
    problem on its line unless it says otherwise, a repair or an oddity says how many it leaves
    out. `stopped` is the line where reading broke off, or 0; the number of problems after it is
    unknown.
    """

    def __init__(self, switched_off: Collection[str] = ()) -> None:
        self.switched_off = frozenset(switched_off)
        self.faults: list[Issue] = []
        self.left_out = 0
        self.stopped = 0
        self._issues: list[Issue] = []
        self._entries: dict[str, str] = {}

    def step(self, name: str, line: int, problem: str, odd: str, done: str) -> None:
        """Record a routine correction, such as white space removed."""
        self._issues.append(Issue(name, IssueKind.STEP, line, "", problem, odd, done))

    def oddity(
        self, name: str, line: int, problem: str, odd: str, done: str = "", *, left_out: int = 0
    ) -> None:
        """Record something odd in the file that is kept as published."""
        self.left_out += left_out
        self._issues.append(Issue(name, IssueKind.ODDITY, line, "", problem, odd, done))

    def repair(
        self, name: str, line: int, problem: str, odd: str, done: str, *, left_out: int = 0
    ) -> bool:
        """Record an error of the file, and return whether to repair it."""
        is_on = name not in self.switched_off
        self.left_out += left_out if is_on else 0
        kind = IssueKind.REPAIR if is_on else IssueKind.ODDITY
        action = done if is_on else "not changed: the repair is switched off"
        self._issues.append(Issue(name, kind, line, "", problem, odd, action))
        return is_on

    def fault(self, name: str, line: int, problem: str, odd: str, *, left_out: int = 1) -> None:
        """Record something that cannot be used; line 0 means it is not a problem of the file."""
        self.left_out += left_out if line else 0
        self.faults.append(Issue(name, IssueKind.FAULT, line, "", problem, odd, "left out"))

    def stop(self, name: str, line: int, odd: str) -> None:
        """Record that the file cannot be read from this line on."""
        self.stopped = line
        done = "left out, with everything after it"
        self.faults.append(Issue(name, IssueKind.FAULT, line, "", "", odd, done))

    def belongs(self, problem: str, entry: str) -> None:
        """Record the entry that a problem is part of."""
        self._entries[problem] = entry

    def mark(self) -> int:
        """Return a position for `forget`."""
        return len(self._issues)

    def forget(self, mark: int, is_wrong: Callable[[Issue], bool]) -> None:
        """Remove the issues recorded since that position that turned out wrong."""
        self._issues[mark:] = [issue for issue in self._issues[mark:] if not is_wrong(issue)]

    def rename(self, names: Mapping[str, str]) -> None:
        """Rename problems in all issues recorded so far."""
        for issues in (self._issues, self.faults):
            issues[:] = [
                replace(issue, problem=names.get(issue.problem, issue.problem)) for issue in issues
            ]

    def issues(self) -> Iterator[Issue]:
        """Yield all issues, including faults, in the order of the file."""
        for issue in sorted([*self._issues, *self.faults], key=lambda issue: issue.line):
            yield replace(issue, entry=self._entries.get(issue.problem, ""))
