"""The journal of an import: every issue, every fault, and which repairs are wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from horsesense.schema import Issue, IssueKind


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
