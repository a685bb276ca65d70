"""From problems as found to grids that give back their sentences to the letter.

What a model is to read is what the file says. So a grid is first built as one would write
it by hand, to be put right when it is filled; where that does not give the published
sentences back, it is built verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import TypeAlias

from horsesense.datasets.recovery.differences import (
    Difference,
    Scattered,
    bare_frame,
    key_differences,
    lowered_answer,
    widened,
    widened_by,
)
from horsesense.datasets.recovery.raw_problem import (
    BLANK_CHARACTERS,
    UNKNOWN_PRONOUN,
    Group,
    Journal,
    Mark,
    RawProblem,
)
from horsesense.errors import SchemaError
from horsesense.schema import (
    OWN,
    VERSIONS,
    Axis,
    AxisName,
    Candidate,
    Cell,
    Entry,
    Frame,
    Grid,
    IssueKind,
    LooseGrid,
    Mode,
    Part,
    Row,
    Schema,
    Slot,
    Target,
    fixed_order,
    problems,
)
from horsesense.schema.notation import print_grid
from horsesense.schema.noun_phrases import may_go_on, without_determiner

_ARTICLES = ("the ", "a ", "an ")
_START = itemgetter(1)
_OWNED = re.compile(r" ?(['’]s|(?<=s)['’])$")


def base_form(answer: str) -> str:
    """The answer without a possessive ending.

    >>> base_form("Nora's"), base_form("the voles'"), base_form("the owl")
    ('Nora', 'the voles', 'the owl')
    """
    return _OWNED.sub("", answer) if answer[-1:] in "s'’" else answer


def locate(
    statement: str, answers: Sequence[str], taken: Sequence[tuple[int, int]]
) -> tuple[list[Mark], list[int], list[int], list[int]]:
    """The marks of the candidates, and the numbers of answers that have to be reported.

    These are the answers that only differ in their article, those that are missing, and those that
    may begin a longer noun, which is not marked.
    `taken` are the stretches of blanks and key phrases, where no candidate can stand.
    """
    lowered = _lowered(statement)
    used = [*taken]
    marks: list[Mark] = []
    inexact: list[int] = []
    missing: list[int] = []
    longer: list[int] = []
    lengths = [*map(len, answers)]
    order: Sequence[int] = range(len(answers))
    if sorted(lengths, reverse=True) != lengths:
        # The longer first, so that «the plum tree» is not taken for «the plum».
        order = sorted(order, key=lengths.__getitem__, reverse=True)
    for number in order:
        wanted = answers[number].lower()
        found = _free_places(lowered, wanted, used)
        if not found:
            found = _with_other_article(lowered, wanted, used)
            (inexact if found else missing).append(number)
        if len(found) > 1 and len(own := _by_themselves(statement, wanted, found)) < len(found):
            longer.append(number)
            found = own
        used += found
        for start, end in found:
            marks.append(Mark(number + 1, start, end))
    marks.sort(key=_START)
    return marks, sorted(inexact), sorted(missing), sorted(longer)


def _lowered(text: str) -> str:
    """The text in lower case, character by character, so that places stay what they are."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _free_places(text: str, phrase: str, used: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    places: list[tuple[int, int]] = []
    if not phrase:
        return places
    start, size = text.find(phrase), len(phrase)
    while start >= 0:
        end = start + size
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            for first, last in used:
                if start < last and end > first:
                    break
            else:
                places.append((start, end))
        start = text.find(phrase, end)
    return places


def _by_themselves(text: str, answer: str, places: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The places without those that may begin a longer noun; all, if none is by itself."""
    if without_determiner(answer) == answer:
        return places  # names do not begin longer nouns
    return [place for place in places if not may_go_on(text, *place)] or places


def _with_other_article(
    text: str, answer: str, used: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    article = next((one for one in _ARTICLES if answer.startswith(one)), "")
    noun = answer.removeprefix(article)
    for other in _ARTICLES:
        if other != article and (found := _free_places(text, other + noun, used)):
            return found
    return []


# A stretch of a statement, from its start to its end, that becomes a placeholder or a candidate.
Cut: TypeAlias = tuple[int, int, Part]

_START_BUILDING = itemgetter(0)
# No schema has more of them.
_ANSWER = Slot(AxisName.ANSWER, 0)
_KEYS = (Slot(AxisName.KEY, 0), Slot(AxisName.KEY, 1))


def build_row(raw_problem: RawProblem, marks: Sequence[Mark]) -> Row:
    """The problem by itself, in the first spelling that gives its sentences back."""
    statement, options = raw_problem.statement, raw_problem.options
    cuts = [*blank_cuts(statement, AxisName.ANSWER), *mark_cuts(statement, marks)]
    frame = cut_frame(statement, cuts)
    surface = Axis(options)
    target = _target(raw_problem, surface)
    *by_hand, _ = spellings(surface, target)
    for answers, _ in by_hand:
        try:
            row = Row(frame, answers, raw_problem.right, target)
        except SchemaError:
            continue
        # Cut out of the statement, the parts give it back unless filling puts something right.
        is_plain = answers.values == options and row.stands_as_written
        if is_plain or all(
            row.sentence(n).text == raw_problem.sentence(n) for n in range(len(options))
        ):
            return row
    return Row(frame, surface, raw_problem.right, target, verbatim=True)


def build_loose(raw_problems: Sequence[RawProblem], marks: Sequence[Sequence[Mark]]) -> LooseGrid:
    """The problems side by side, without key phrases."""
    return LooseGrid(tuple(map(build_row, raw_problems, marks)))


def build_square(
    first: RawProblem,
    second: RawProblem,
    keys: Sequence[Difference],
    marks: Sequence[Mark],
    names: Collection[str] | None = None,
) -> Schema | None:
    """The schema of two problems that differ in their key phrases, if it gives both back.

    The first problem's right answer is its first option. With the names of the whole file
    known, a schema of one sentence is written bare, fit for a wrapper.
    """
    statement, blank = first.statement, len(first.texts[0])
    cuts: list[Cut] = [(blank, blank + 1, _ANSWER)]
    cuts += [(key.start, key.end, slot) for key, slot in zip(keys, _KEYS, strict=False)]
    cuts += mark_cuts(statement, marks)
    frame = cut_frame(statement, cuts)
    key_axis = Axis((tuple([key.first for key in keys]), tuple([key.second for key in keys])))
    surface = Axis(first.options)
    target = _target(first, surface)
    is_exact = _is_exact(keys, statement, second.statement)
    for answers, verbatim in spellings(surface, target):
        schema = _made(frame, key_axis, answers, target, verbatim)
        if schema is None:
            continue
        if names is not None and not verbatim:
            schema = bare_frame(schema, names)
        is_plain = is_exact and answers.values == first.options and schema.stands_as_written
        if is_plain or _gives_back(schema, first, second):
            return schema
    return None


def _is_exact(keys: Sequence[Difference], first: str, second: str) -> bool:
    """True where exchanging one key phrase turns the first statement into the second."""
    if len(keys) != 1:
        return False
    start, end, _, phrase = keys[0]
    return f"{first[:start]}{phrase}{first[end:]}" == second


def blank_cuts(statement: str, axis: AxisName) -> list[Cut]:
    """The blanks of a statement as placeholders of that axis."""
    places = enumerate(map(statement.find, BLANK_CHARACTERS))
    return [(start, start + 1, Slot(axis, number)) for number, start in places if start >= 0]


def cut_frame(statement: str, cuts: Iterable[Cut]) -> Frame:
    """The frame that is left when these stretches are cut out of a tidy statement."""
    parts: list[Part] = []
    position = 0
    for start, end, part in sorted(cuts, key=_START_BUILDING):
        if start > position:
            parts += statement[position:start], part
        else:
            parts.append(part)
        position = end
    if position < len(statement):
        parts.append(statement[position:])
    return tuple(parts)


def mark_cuts(statement: str, marks: Sequence[Mark]) -> list[Cut]:
    """The marks of a statement as candidates."""
    return [(start, end, Candidate(number, statement[start:end])) for number, start, end in marks]


def spellings(surface: Axis, target: Target | None) -> list[tuple[Axis, bool]]:
    """Answers as one would write them by hand, then as they stand, and at last verbatim."""
    as_they_stand = [(surface, False), (surface, True)]
    if target is None:
        return as_they_stand
    phrases = [phrase for (phrase,) in surface.values]
    if target.is_possessive:
        phrases = [base_form(phrase) for phrase in phrases]
    if target.is_capitalised is not False:
        phrases = [lowered_answer(phrase) for phrase in phrases]
    soft = tuple([(phrase,) for phrase in phrases])
    return as_they_stand if soft == surface.values else [(Axis(soft), False), *as_they_stand]


def _target(raw_problem: RawProblem, answers: Axis) -> Target | None:
    """The pronoun as the notation writes it; possessive where its place or the answers say so."""
    pronoun = raw_problem.pronoun
    if not pronoun or len(raw_problem.texts) != 2:
        return None
    if pronoun == UNKNOWN_PRONOUN:
        return unknown_target(answers)
    if pronoun.lower() == "her" and _are_owners(answers):
        pronoun += "'s"
    return _written_target(pronoun)


@cache
def _written_target(written: str) -> Target:
    """Targets are few, and made again and again."""
    return Target(written)


def unknown_target(answers: Axis) -> Target:
    """A pronoun that nobody has recorded; possessive if all answers are."""
    return _written_target("_'s" if _are_owners(answers) else "_")


def _are_owners(answers: Axis) -> bool:
    """True where all answers have a possessive ending."""
    return all(base_form(phrase) != phrase for (phrase,) in answers.values)


def _made(
    frame: Frame, keys: Axis, answers: Axis, target: Target | None, verbatim: bool
) -> Schema | None:
    try:
        return Schema(frame, keys, answers, None, target, verbatim)
    except SchemaError:
        return None


def _gives_back(schema: Schema, first: RawProblem, second: RawProblem) -> bool:
    """True where the four sentences of the square are those of the file."""
    return all(
        schema.sentence(Cell(key, answer)).text == found.sentence(answer)
        for key, found in enumerate((first, second))
        for answer in (0, 1)
    )


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
    found = group.problems
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
    found, mode = group.problems, group.mode
    partners = _partners(found, mode)
    first = found[0]
    axes = {mode.axis: Axis(first.options)}
    cuts = list(blank_cuts(first.statement, mode.axis))
    try:
        for axis, partner in partners.items():
            taken = [(start, end) for start, end, _ in cuts]
            places = _differences(group, axis, first.statement, partner.statement, taken)
            cuts += [(place.start, place.end, Slot(axis, n)) for n, place in enumerate(places)]
            axes[axis] = Axis(
                (tuple(place.first for place in places), tuple(place.second for place in places))
            )
    except Scattered:
        return None
    for schema in _made_modes(first, cuts, axes, bool(first.pronoun)):
        candidate = (
            schema
            if names is None or first.pronoun or schema.verbatim
            else bare_frame(schema, names)
        )
        if _gives_back_modes(candidate, found, mode):
            return candidate
    return None


def _partners(raw_problems: Sequence[RawProblem], mode: Mode) -> dict[AxisName, RawProblem]:
    """For each axis that is not guessed, the problem that differs from the first along it alone."""
    if len(raw_problems) == 4:
        slower, faster = fixed_order(mode)
        return {slower: raw_problems[2], faster: raw_problems[1]}
    if len(raw_problems) == 2:
        return {AxisName.ANSWER if mode is Mode.BY_KEY else AxisName.KEY: raw_problems[1]}
    return {}


def _differences(
    group: Group, axis: AxisName, first: str, second: str, taken: Sequence[tuple[int, int]]
) -> list[Difference]:
    is_key = axis is AxisName.KEY
    transposed = is_key and group.key_places != 1
    places = key_differences(first, second, contiguous=True, transposed=transposed)
    if is_key and group.widening != (0, 0):
        return [widened_by(first, place, *group.widening) for place in places]
    return [
        place if place.first and place.second else _widened(first, place, taken) for place in places
    ]


def _widened(
    statement: str, difference: Difference, taken: Sequence[tuple[int, int]]
) -> Difference:
    """The difference with a word beside it that belongs to no other axis."""
    wide = widened(statement, difference)
    if all(wide.end <= start or wide.start >= end for start, end in taken):
        return wide
    return widened_by(statement, difference, 0, 1)


def _made_modes(
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


def _gives_back_modes(schema: Schema, raw_problems: Sequence[RawProblem], mode: Mode) -> bool:
    """True where the problems of the schema in that mode are those of the file."""
    posed = problems(schema, mode)
    return len(posed) == len(raw_problems) and all(
        problem.right == raw_problem.right
        and [sentence.text for sentence in problem.sentences]
        == [raw_problem.sentence(n) for n in range(len(raw_problem.options))]
        for problem, raw_problem in zip(posed, raw_problems, strict=True)
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
        by_problem = {wording.name: wording for wording in wordings}
        found = [
            by_problem[raw_problem.name] for raw_problem in order if raw_problem.name in by_problem
        ]
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
            f"{OWN}{name}.{number}": _by_itself(by_problem[raw_problem.name])
            for number, raw_problem in enumerate(order, start=1)
            if raw_problem.name in by_problem
        }
    return versions, fields


def _report_left_out(
    name: str, raw_problem: RawProblem, error: SchemaError, apart: Journal, journal: Journal
) -> None:
    """One oddity with all the reasons."""
    reasons = dict.fromkeys([error.problem, *(issue.name for issue in apart.issues())])
    odd, done = f"{name}: {'; '.join(reasons)}", f"kept as {OWN}{name}"
    journal.oddity(LEFT_OUT, raw_problem.line, raw_problem.name, odd, done)


def _pass_on(name: str, apart: Journal, journal: Journal) -> None:
    """Say of the version what was odd about it."""
    for issue in apart.issues():
        tell = journal.step if issue.kind is IssueKind.STEP else journal.oddity
        tell(issue.name, issue.line, issue.problem, f"{name}: {issue.odd}", issue.done)


def _by_itself(raw_problem: RawProblem) -> str:
    """A wording as a problem in notation, or if it makes none, as plain text."""
    try:
        return print_grid(build_loose([raw_problem], [()]))
    except SchemaError:
        return (raw_problem.pronoun or UNKNOWN_PRONOUN).join(raw_problem.texts)
