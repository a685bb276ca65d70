"""Versions: whole other wordings of a schema, where a file gives them along with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from horsesense.datasets.recovery.building import build_loose
from horsesense.datasets.recovery.found import UNKNOWN_PRONOUN, Found, Group
from horsesense.datasets.recovery.journal import Journal
from horsesense.errors import SchemaError
from horsesense.schema import OWN, VERSIONS, Entry, Grid, IssueKind
from horsesense.schema.notation import print_grid

LEFT_OUT = "version-left-out"


def versions_of(
    group: Group,
    grid: Grid,
    order: Sequence[Found],
    journal: Journal,
    build: Callable[[Group, Journal], Grid],
) -> tuple[dict[str, Grid], dict[str, str]]:
    """The versions of a grid, and as fields of their own the wordings that cannot be one.

    `order` is that of the problems in the grid; `build` makes a grid and writes into the
    journal that it is given.
    """
    versions: dict[str, Grid] = {}
    fields: dict[str, str] = {}
    for name, wordings in group.versions.items():
        by_problem = {found.name: found for found in wordings}
        found = [by_problem[one.name] for one in order if one.name in by_problem]
        if name in VERSIONS and found:
            apart = Journal()
            try:
                if len(found) < len(order):
                    raise SchemaError(f"{len(found)} of {len(order)} problems have it")
                version = build(Group(group.id, found, group.mode), apart)
                # The entry refuses a version of another shape.
                Entry(group.id, grid, versions=((name, version),))
            except SchemaError as error:
                _report_left_out(name, found[0], error, apart, journal)
            else:
                versions[name] = version
                _pass_on(name, apart, journal)
                continue
        fields |= {
            f"{OWN}{name}.{number}": _by_itself(by_problem[one.name])
            for number, one in enumerate(order, start=1)
            if one.name in by_problem
        }
    return versions, fields


def _report_left_out(
    name: str, found: Found, error: SchemaError, apart: Journal, journal: Journal
) -> None:
    """One oddity with all the reasons."""
    reasons = dict.fromkeys([error.problem, *(issue.name for issue in apart.issues())])
    odd, done = f"{name}: {'; '.join(reasons)}", f"kept as {OWN}{name}"
    journal.oddity(LEFT_OUT, found.line, found.name, odd, done)


def _pass_on(name: str, apart: Journal, journal: Journal) -> None:
    """Say of the version what was odd about it."""
    for issue in apart.issues():
        tell = journal.step if issue.kind is IssueKind.STEP else journal.oddity
        tell(issue.name, issue.line, issue.problem, f"{name}: {issue.odd}", issue.done)


def _by_itself(found: Found) -> str:
    """A wording as a problem in notation, or if it makes none, as plain text."""
    try:
        return print_grid(build_loose([found], [()]))
    except SchemaError:
        return (found.pronoun or UNKNOWN_PRONOUN).join(found.texts)
