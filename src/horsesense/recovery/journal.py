"""The journal of an import: every issue, every fault, and which repairs are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from horsesense.schema import Issue, IssueKind


class Journal:
    """Collects what an importer has to say; asked before anything published is changed.

    A fault is what keeps a problem from being used. Whoever reads the file decides whether
    one fault spoils the import or is one more issue.
    """

    def __init__(self, switched_off: Collection[str] = ()) -> None:
        self.switched_off = frozenset(switched_off)
        self.faults: list[Issue] = []
        self._issues: list[Issue] = []
        self._entries: dict[str, str] = {}

    def step(self, name: str, line: int, problem: str, odd: str, done: str) -> None:
        """Say that something was put right as a matter of course."""
        self._issues.append(Issue(name, IssueKind.STEP, line, "", problem, odd, done))

    def oddity(self, name: str, line: int, problem: str, odd: str, done: str = "") -> None:
        """Say that something is odd; what is published stays as it is."""
        self._issues.append(Issue(name, IssueKind.ODDITY, line, "", problem, odd, done))

    def repair(self, name: str, line: int, problem: str, odd: str, done: str) -> bool:
        """Whether to put an error right; either way it is written down."""
        wanted = name not in self.switched_off
        kind = IssueKind.REPAIR if wanted else IssueKind.ODDITY
        told = done if wanted else "left as it is: the repair is switched off"
        self._issues.append(Issue(name, kind, line, "", problem, odd, told))
        return wanted

    def fault(self, name: str, line: int, problem: str, odd: str) -> None:
        """Say that something cannot be used."""
        self.faults.append(Issue(name, IssueKind.FAULT, line, "", problem, odd, "left out"))

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
