"""Problems as a file has them, in groups that make one entry, and the journal of an import."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from horsesense.schema import Issue, IssueKind, Mode, Named, Phrases

# Stand for the blanks where a statement is one string.
BLANK_CHARACTERS = "\x00\x01"
BLANKS = frozenset(BLANK_CHARACTERS)
UNKNOWN_PRONOUN = "_"


class Mark(NamedTuple):
    """A candidate that the file itself locates: characters of the statement, blanks counted as one.

    `number` counts the options from 1.
    """

    number: int
    start: int
    end: int


class RawProblem(NamedTuple):
    """One problem: the text around its blanks, what may fill them, and which option is right.

    There is one text more than there are blanks. Options are spelt as they stand in the blank.
    `pronoun` is what the blank replaces in a Winograd problem: `_` if the file does not tell,
    nothing if it is no Winograd problem. In a minimal pair both texts are empty. `extras` are
    what the file says about this problem and not its twin, under names that begin with `x-`;
    `tags` are all the tags that it gives the problem, whether the twin has them or not.
    """

    name: str
    line: int
    texts: tuple[str, ...]
    options: tuple[Phrases, ...]
    right: int | None
    pronoun: str = ""
    marks: tuple[Mark, ...] = ()
    extras: Named[str] = ()
    tags: tuple[str, ...] = ()

    @property
    def statement(self) -> str:
        """The text with a control character for each blank."""
        if len(self.texts) == 2:
            return "\x00".join(self.texts)
        first, *others = self.texts
        return first + "".join(
            blank + text for blank, text in zip(BLANK_CHARACTERS, others, strict=False)
        )

    def sentence(self, option: int) -> str:
        """The complete sentence as the file has it."""
        first, *others = self.texts
        phrases = self.options[option]
        return first + "".join(phrase + text for phrase, text in zip(phrases, others, strict=True))

    def exchanged(self) -> RawProblem:
        """The same problem with its two options in the other order."""
        right = None if self.right is None else 1 - self.right
        marks = tuple(mark._replace(number=3 - mark.number) for mark in self.marks)
        return self._replace(options=self.options[::-1], right=right, marks=marks)


class Twins(NamedTuple):
    """A way to find twins: the issue that reports it, and what it goes by, in words."""

    issue: str
    how: str


@dataclass(slots=True)
class Group:
    """Problems that make one entry, and what else the file says about it.

    Problems by answer make a square if they are two. In the other modes, and for a dyad, they
    must be as many as `problems` gives, and a dyad's in the order of their axes. `key_places` is
    how many key placeholders the file says there are, 0 if it does not; `widening` how many words
    to the left and the right belong to the key phrase beyond what differs. `versions` are other
    wordings of the problems, under the same names; what is not known as a version is kept too.
    `twins` is how it was found that they belong together, where that is not as in the rest of
    the file.
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
# Every import reports one of these, or several, once for the whole file.
TWINS = {
    BY_MARK: "the file says which problems are twins: a field, a column or a row has them together",
    BY_ID: "problems whose ids belong together were taken for twins",
    BY_POSITION: "twins are not marked; the problems were taken two by two",
    BY_NEIGHBOURS: "twins are not marked; neighbours that are alike were taken for twins",
    BY_OPTIONS: "twins are not marked; problems with the same options were taken for twins",
    BY_LIKENESS: "twins are not marked; alike problems with the same answers were taken for twins",
    NO_TWINS: "nothing makes two problems of the file twins",
}
# Here nobody but the program says who is whose twin.
ASSUMED = frozenset({BY_NEIGHBOURS, BY_OPTIONS, BY_LIKENESS})

NEIGHBOURS = Twins(BY_NEIGHBOURS, "neighbourhood and likeness")
LIKENESS = Twins(BY_LIKENESS, "likeness, with the same answers")
SINGLES = Twins(NO_TWINS, "problems of this format have none")
_SIZES = {2: ("pair", "pairs"), 3: ("triple", "triples")}


class _Size(NamedTuple):
    """How many problems are together, and whether they are a dyad."""

    problems: int
    is_dyad: bool


@dataclass(frozen=True, slots=True)
class Paired:
    """A way in which twins were found, and the groups that it made, by their size."""

    twins: Twins
    sizes: Counter[_Size]

    @property
    def alone(self) -> int:
        """How many problems have no twin."""
        return sum(count for size, count in self.sizes.items() if size.problems == 1)

    @property
    def pairs(self) -> int:
        """How many groups there are of two problems."""
        return sum(count for size, count in self.sizes.items() if size.problems == 2)

    @property
    def larger(self) -> int:
        """How many groups there are of more than two problems."""
        return self.sizes.total() - self.pairs - self.alone

    @property
    def counts(self) -> str:
        """How many groups of each size there are, in words."""
        together = sorted((size, count) for size, count in self.sizes.items() if size.problems > 1)
        told = [_counted(count, *_nouns(size)) for size, count in together]
        return ", ".join([*told, f"{self.alone} alone"] if self.alone or not told else told)

    @property
    def done(self) -> str:
        """What was taken for twins, in words."""
        how = self.twins.how
        return how if self.twins.issue == NO_TWINS else f"taken for twins by {how}"

    @property
    def told(self) -> str:
        """How twins were found, and how many, in words."""
        if self.twins.issue == NO_TWINS:
            return f"no twins: {self.twins.how}"
        return f"twins by {self.twins.how}: {self.counts}"


def paired(groups: Iterable[Group], usual: Twins) -> list[Paired]:
    """The ways in which these groups were made; `usual` is that of groups that do not say."""
    found: dict[Twins, Counter[_Size]] = {}
    for group in groups:
        size = _Size(len(group.problems), group.is_dyad)
        found.setdefault(group.twins or usual, Counter())[size] += 1
    return [Paired(twins, sizes) for twins, sizes in found.items()]


def _nouns(size: _Size) -> tuple[str, str]:
    if size.is_dyad:
        return "dyad", "dyads"
    return _SIZES.get(size.problems) or (f"group of {size.problems}", f"groups of {size.problems}")


def _counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


class Journal:
    """Collects what an importer has to say; asked before anything published is changed.

    A fault is what keeps a problem from being used. Whoever reads the file decides whether
    one fault spoils the import or is one more issue.

    `left_out` counts the problems of the file that are in no entry, whatever kept them out:
    a fault leaves out the one on its line unless it says otherwise, a repair or an oddity says
    how many it leaves out. `stopped` is the line at which reading broke off, or 0; nobody can
    tell how many problems stand from there on.
    """

    def __init__(self, switched_off: Collection[str] = ()) -> None:
        self.switched_off = frozenset(switched_off)
        self.faults: list[Issue] = []
        self.left_out = 0
        self.stopped = 0
        self._issues: list[Issue] = []
        self._entries: dict[str, str] = {}

    def step(self, name: str, line: int, problem: str, odd: str, done: str) -> None:
        """Say that something was put right as a matter of course."""
        self._issues.append(Issue(name, IssueKind.STEP, line, "", problem, odd, done))

    def oddity(
        self, name: str, line: int, problem: str, odd: str, done: str = "", *, left_out: int = 0
    ) -> None:
        """Say that something is odd; what is published stays as it is."""
        self.left_out += left_out
        self._issues.append(Issue(name, IssueKind.ODDITY, line, "", problem, odd, done))

    def repair(
        self, name: str, line: int, problem: str, odd: str, done: str, *, left_out: int = 0
    ) -> bool:
        """Whether to put an error right; either way it is written down."""
        wanted = name not in self.switched_off
        self.left_out += left_out if wanted else 0
        kind = IssueKind.REPAIR if wanted else IssueKind.ODDITY
        told = done if wanted else "left as it is: the repair is switched off"
        self._issues.append(Issue(name, kind, line, "", problem, odd, told))
        return wanted

    def fault(self, name: str, line: int, problem: str, odd: str, *, left_out: int = 1) -> None:
        """Say that something cannot be used; on line 0 it is no problem of the file."""
        self.left_out += left_out if line else 0
        self.faults.append(Issue(name, IssueKind.FAULT, line, "", problem, odd, "left out"))

    def stop(self, name: str, line: int, odd: str) -> None:
        """Say that the file cannot be read from this line on."""
        self.stopped = line
        done = "left out, with all that follows"
        self.faults.append(Issue(name, IssueKind.FAULT, line, "", "", odd, done))

    def belongs(self, problem: str, entry: str) -> None:
        """Remember which entry a problem has gone into."""
        self._entries[problem] = entry

    def mark(self) -> int:
        """A place to which the journal can go back."""
        return len(self._issues)

    def forget(self, mark: int, is_wrong: Callable[[Issue], bool]) -> None:
        """Take back those of the issues written since then that have turned out wrong."""
        self._issues[mark:] = [issue for issue in self._issues[mark:] if not is_wrong(issue)]

    def rename(self, names: Mapping[str, str]) -> None:
        """Call problems otherwise from now on, in what has been written so far too."""
        for issues in (self._issues, self.faults):
            issues[:] = [
                replace(issue, problem=names.get(issue.problem, issue.problem)) for issue in issues
            ]

    def issues(self) -> Iterator[Issue]:
        """All issues, faults among them, in the order of the file."""
        everything = sorted([*self._issues, *self.faults], key=lambda issue: issue.line)
        for issue in everything:
            yield replace(issue, entry=self._entries.get(issue.problem, ""))
