"""Squares and cubes from problems in any mode, and the versions that a file gives along with them.

Solving by key is another reading of the same square, so an inverted file holds the same
schemas. What is guessed is written in the problem; the other axes show in how the problems
of a schema differ.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from horsesense.datasets.recovery.building import (
    Cut,
    blank_cuts,
    build_loose,
    cut_frame,
    spellings,
    unknown_target,
)
from horsesense.datasets.recovery.differences import (
    Difference,
    Scattered,
    key_differences,
    widened,
    widened_by,
)
from horsesense.datasets.recovery.found import UNKNOWN_PRONOUN, Group, RawProblem
from horsesense.datasets.recovery.journal import Journal
from horsesense.datasets.recovery.plain import plain_by_key
from horsesense.datasets.recovery.spelling import bare_frame
from horsesense.errors import SchemaError
from horsesense.schema import (
    OWN,
    VERSIONS,
    Axis,
    AxisName,
    Entry,
    Grid,
    IssueKind,
    Mode,
    Schema,
    Slot,
    fixed_order,
    problems,
)
from horsesense.schema.notation import print_grid

# Where the problems of a schema or dyad go if the first option is not right in the first of them:
# the two values of an axis other than the truth pair change places.
_TURNED_TWINS = (1, 0)
_TURNED_DYADS = {
    Mode.BY_ANSWER: (2, 3, 0, 1),
    Mode.BY_KEY: (1, 0, 3, 2),
    Mode.BY_BOOLEAN: (1, 0, 3, 2),
}


def in_order(group: Group) -> list[RawProblem]:
    """The problems as a schema has them: the same options first, and right in the first problem.

    Where twins list their options in opposite orders, one has them exchanged, and the twins stay
    in the order of the file.
    """
    found = group.found
    if len(found) not in (2, 4) or any(len(one.options) != 2 for one in found):
        return found
    first, second, *_ = found
    opposite = first.options[::-1]
    is_turned = len(found) == 2 and first.right == 1 and second.options == opposite
    options = opposite if is_turned else first.options
    found = [one.exchanged() if one.options == options[::-1] else one for one in found]
    if found[0].right != 1:
        return found
    order = _TURNED_TWINS if len(found) == 2 else _TURNED_DYADS[group.mode]
    return [found[at] for at in order]


def build_in_mode(group: Group, names: Collection[str] | None) -> Schema | None:
    """The schema of two problems in their mode, or the dyad of four, if it gives them back.

    They are in the order of `in_order`.
    """
    found = group.found
    is_square = group.mode is Mode.BY_KEY and len(found) == 2
    plain = None
    if is_square and (names is None or found[0].pronoun):
        plain = plain_by_key(*found)
    return plain or careful_in_mode(group, names)


def careful_in_mode(group: Group, names: Collection[str] | None) -> Schema | None:
    """The same, every spelling tried and every part checked."""
    found, mode = group.found, group.mode
    partners = _partners(found, mode)
    first = found[0]
    axes = {mode.axis: Axis(first.options)}
    cuts = list(blank_cuts(first.statement, mode.axis))
    try:
        for axis, partner in partners.items():
            taken = [(start, end) for start, end, _ in cuts]
            places = _differences(group, axis, first.statement, partner.statement, taken)
            cuts += [(one.start, one.end, Slot(axis, n)) for n, one in enumerate(places)]
            axes[axis] = Axis(
                (tuple(one.first for one in places), tuple(one.second for one in places))
            )
    except Scattered:
        return None
    for schema in _made(first, cuts, axes, bool(first.pronoun)):
        candidate = (
            schema
            if names is None or first.pronoun or schema.verbatim
            else bare_frame(schema, names)
        )
        if _gives_back(candidate, found, mode):
            return candidate
    return None


def _partners(found: Sequence[RawProblem], mode: Mode) -> dict[AxisName, RawProblem]:
    """For each axis that is not guessed, the problem that differs from the first along it alone."""
    if len(found) == 4:
        slower, faster = fixed_order(mode)
        return {slower: found[2], faster: found[1]}
    if len(found) == 2:
        return {AxisName.ANSWER if mode is Mode.BY_KEY else AxisName.KEY: found[1]}
    return {}


def _differences(
    group: Group, axis: AxisName, first: str, second: str, taken: Sequence[tuple[int, int]]
) -> list[Difference]:
    is_key = axis is AxisName.KEY
    transposed = is_key and group.key_places != 1
    places = key_differences(first, second, contiguous=True, transposed=transposed)
    if is_key and group.widening != (0, 0):
        return [widened_by(first, one, *group.widening) for one in places]
    return [one if one.first and one.second else _widened(first, one, taken) for one in places]


def _widened(statement: str, one: Difference, taken: Sequence[tuple[int, int]]) -> Difference:
    """The difference with a word beside it that belongs to no other axis."""
    wide = widened(statement, one)
    if all(wide.end <= start or wide.start >= end for start, end in taken):
        return wide
    return widened_by(statement, one, 0, 1)


def _made(
    first: RawProblem, cuts: Sequence[Cut], axes: dict[AxisName, Axis], is_winograd: bool
) -> Iterator[Schema]:
    """Schemas of these axes, the best spelling first."""
    if AxisName.KEY not in axes or AxisName.ANSWER not in axes:
        return
    frame = cut_frame(first.statement, cuts)
    answers, target = axes[AxisName.ANSWER], None
    if is_winograd and answers.placeholders == 1:
        target = unknown_target(answers)
    for spelt, verbatim in spellings(answers, target):
        try:
            yield Schema(
                frame, axes[AxisName.KEY], spelt, axes.get(AxisName.TRUTH), target, verbatim
            )
        except SchemaError:
            continue


def _gives_back(schema: Schema, found: Sequence[RawProblem], mode: Mode) -> bool:
    """True where the problems of the schema in that mode are those of the file."""
    posed = problems(schema, mode)
    return len(posed) == len(found) and all(
        problem.right == one.right
        and [sentence.text for sentence in problem.sentences]
        == [one.sentence(n) for n in range(len(one.options))]
        for problem, one in zip(posed, found, strict=True)
    )


LEFT_OUT = "version-left-out"


def versions_of(
    group: Group,
    grid: Grid,
    order: Sequence[RawProblem],
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
    name: str, found: RawProblem, error: SchemaError, apart: Journal, journal: Journal
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


def _by_itself(found: RawProblem) -> str:
    """A wording as a problem in notation, or if it makes none, as plain text."""
    try:
        return print_grid(build_loose([found], [()]))
    except SchemaError:
        return (found.pronoun or UNKNOWN_PRONOUN).join(found.texts)
