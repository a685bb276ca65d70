"""Build grids from raw problems that reproduce the published sentences exactly.

Models must read what the file says. So a grid is first built as one would write it by hand, with
spelling adjusted when it is filled; if that doesn't reproduce the published sentences, the grid is
built verbatim. In order: locating candidates, rows and squares, grids in other modes, and other
versions of a grid.
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
    CandidateMark,
    Journal,
    RawEntry,
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
    LooseProblem,
    Mode,
    Part,
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
    """Return the answer without a possessive ending.

    >>> base_form("Nora's"), base_form("the voles'"), base_form("the owl")
    ('Nora', 'the voles', 'the owl')
    """
    return _OWNED.sub("", answer) if answer[-1:] in "s'’" else answer


def locate(
    statement: str, answers: Sequence[str], taken: Sequence[tuple[int, int]]
) -> tuple[list[CandidateMark], list[int], list[int], list[int]]:
    """Return the marks of the candidates, and three lists of answers to report, by number.

    They are: answers found only with another article, answers that don't occur, and answers that
    may also begin a longer noun, where they are not marked. `taken` are the spans of blanks and
    key phrases, where there can be no candidate.
    """
    lowered = _lowered(statement)
    used = [*taken]
    marks: list[CandidateMark] = []
    inexact: list[int] = []
    missing: list[int] = []
    longer: list[int] = []
    lengths = [*map(len, answers)]
    order: Sequence[int] = range(len(answers))
    if sorted(lengths, reverse=True) != lengths:
        # Longest first, so that «the plum tree» is not mistaken for «the plum».
        order = sorted(order, key=lengths.__getitem__, reverse=True)
    for number in order:
        answer = answers[number].lower()
        spans = _free_spans(lowered, answer, used)
        if not spans:
            spans = _spans_with_other_article(lowered, answer, used)
            (inexact if spans else missing).append(number)
        if len(spans) > 1 and len(whole := _whole_nouns(statement, answer, spans)) < len(spans):
            longer.append(number)
            spans = whole
        used += spans
        for start, end in spans:
            marks.append(CandidateMark(number + 1, start, end))
    marks.sort(key=_START)
    return marks, sorted(inexact), sorted(missing), sorted(longer)


def _lowered(text: str) -> str:
    """Return the text in lower case with every character in the same position."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def _free_spans(text: str, phrase: str, used: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans of the phrase as whole words that overlap no used span."""
    spans: list[tuple[int, int]] = []
    if not phrase:
        return spans
    start, size = text.find(phrase), len(phrase)
    while start >= 0:
        end = start + size
        if not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()):
            for first, last in used:
                if start < last and end > first:
                    break
            else:
                spans.append((start, end))
        start = text.find(phrase, end)
    return spans


def _whole_nouns(text: str, answer: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Drop the spans that may begin a longer noun, unless all of them do."""
    if without_determiner(answer) == answer:
        return spans  # names do not begin longer nouns
    return [span for span in spans if not may_go_on(text, *span)] or spans


def _spans_with_other_article(
    text: str, answer: str, used: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    article = next((article for article in _ARTICLES if answer.startswith(article)), "")
    noun = answer.removeprefix(article)
    for other in _ARTICLES:
        if other != article and (spans := _free_spans(text, other + noun, used)):
            return spans
    return []


# A span of a statement that becomes a placeholder or a candidate: its start, its end, the part.
Cut: TypeAlias = tuple[int, int, Part]

_CUT_START = itemgetter(0)
# A square has one answer placeholder and at most two key placeholders.
_ANSWER = Slot(AxisName.ANSWER, 0)
_KEYS = (Slot(AxisName.KEY, 0), Slot(AxisName.KEY, 1))


def build_row(raw_problem: RawProblem, marks: Sequence[CandidateMark]) -> LooseProblem:
    """Return the row of one problem, in the first spelling that reproduces its sentences."""
    statement, options = raw_problem.statement, raw_problem.options
    cuts = [*blank_cuts(statement, AxisName.ANSWER), *mark_cuts(statement, marks)]
    frame = cut_frame(statement, cuts)
    surface = Axis(options)
    target = _target(raw_problem, surface)
    *by_hand, _ = spellings(surface, target)
    for answers, _ in by_hand:
        try:
            row = LooseProblem(frame, answers, raw_problem.right, target)
        except SchemaError:
            continue
        # Parts cut from the statement reproduce it unless filling adjusts the spelling.
        is_plain = answers.values == options and row.stands_as_written
        if is_plain or all(
            row.sentence(n).text == raw_problem.sentence(n) for n in range(len(options))
        ):
            return row
    return LooseProblem(frame, surface, raw_problem.right, target, verbatim=True)


def build_loose(
    raw_problems: Sequence[RawProblem], marks: Sequence[Sequence[CandidateMark]]
) -> LooseGrid:
    """Return the problems as a loose grid, without key phrases."""
    return LooseGrid(tuple(map(build_row, raw_problems, marks)))


def build_square(
    first: RawProblem,
    second: RawProblem,
    keys: Sequence[Difference],
    marks: Sequence[CandidateMark],
    names: Collection[str] | None = None,
) -> Schema | None:
    """Return the schema of two problems that differ in their key phrases, if it reproduces both.

    The first option must be right in the first problem. With `names`, the names of the whole file,
    a schema of one sentence is written without capital and full stop so that it can be wrapped.
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
        schema = _schema_or_none(frame, key_axis, answers, target, verbatim)
        if schema is None:
            continue
        if names is not None and not verbatim:
            schema = bare_frame(schema, names)
        is_plain = is_exact and answers.values == first.options and schema.stands_as_written
        if is_plain or _reproduces_square(schema, first, second):
            return schema
    return None


def _is_exact(keys: Sequence[Difference], first: str, second: str) -> bool:
    """Return whether replacing one key phrase turns the first statement into the second."""
    if len(keys) != 1:
        return False
    start, end, _, phrase = keys[0]
    return f"{first[:start]}{phrase}{first[end:]}" == second


def blank_cuts(statement: str, axis: AxisName) -> list[Cut]:
    """Return the cuts that turn the blanks of a statement into placeholders of that axis."""
    blanks = enumerate(map(statement.find, BLANK_CHARACTERS))
    return [(start, start + 1, Slot(axis, number)) for number, start in blanks if start >= 0]


def cut_frame(statement: str, cuts: Iterable[Cut]) -> Frame:
    """Return the frame that results from these cuts of a tidy statement."""
    parts: list[Part] = []
    position = 0
    for start, end, part in sorted(cuts, key=_CUT_START):
        if start > position:
            parts += statement[position:start], part
        else:
            parts.append(part)
        position = end
    if position < len(statement):
        parts.append(statement[position:])
    return tuple(parts)


def mark_cuts(statement: str, marks: Sequence[CandidateMark]) -> list[Cut]:
    """Return the cuts that turn the marks of a statement into candidates."""
    return [(start, end, Candidate(number, statement[start:end])) for number, start, end in marks]


def spellings(surface: Axis, target: Target | None) -> list[tuple[Axis, bool]]:
    """Return the spellings to try: as written by hand, then as published, then verbatim."""
    as_published = [(surface, False), (surface, True)]
    if target is None:
        return as_published
    phrases = [phrase for (phrase,) in surface.values]
    if target.is_possessive:
        phrases = [base_form(phrase) for phrase in phrases]
    if target.is_capitalised is not False:
        phrases = [lowered_answer(phrase) for phrase in phrases]
    by_hand = tuple([(phrase,) for phrase in phrases])
    return as_published if by_hand == surface.values else [(Axis(by_hand), False), *as_published]


def _target(raw_problem: RawProblem, answers: Axis) -> Target | None:
    """Return the pronoun in notation; possessive if its form or the answers are."""
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
    """Return a target; cached because a file has few different ones."""
    return Target(written)


def unknown_target(answers: Axis) -> Target:
    """Return the target of an unrecorded pronoun; possessive if all answers are."""
    return _written_target("_'s" if _are_owners(answers) else "_")


def _are_owners(answers: Axis) -> bool:
    """Return whether all answers have a possessive ending."""
    return all(base_form(phrase) != phrase for (phrase,) in answers.values)


def _schema_or_none(
    frame: Frame, keys: Axis, answers: Axis, target: Target | None, verbatim: bool
) -> Schema | None:
    try:
        return Schema(frame, keys, answers, None, target, verbatim)
    except SchemaError:
        return None


def _reproduces_square(schema: Schema, first: RawProblem, second: RawProblem) -> bool:
    """Return whether the four sentences of the square are those of the file."""
    return all(
        schema.sentence(Cell(key, answer)).text == raw_problem.sentence(answer)
        for key, raw_problem in enumerate((first, second))
        for answer in (0, 1)
    )


# The order of the problems of a schema or dyad if the first option is wrong in the first problem:
# the two values of an axis other than the truth pair are swapped.
_SWAPPED_TWINS = (1, 0)
_SWAPPED_DYADS = {
    Mode.BY_ANSWER: (2, 3, 0, 1),
    Mode.BY_KEY: (1, 0, 3, 2),
    Mode.BY_BOOLEAN: (1, 0, 3, 2),
}


def in_order(group: RawEntry) -> list[RawProblem]:
    """Return the problems in the order of a schema: the first option is right in the first problem.

    All problems get the same order of options. If twins list theirs in opposite orders, one twin's
    options are swapped, and the twins stay in the order of the file.
    """
    raw_problems = group.problems
    if len(raw_problems) not in (2, 4) or any(
        len(raw_problem.options) != 2 for raw_problem in raw_problems
    ):
        return raw_problems
    first, second, *_ = raw_problems
    opposite = first.options[::-1]
    swaps_first = len(raw_problems) == 2 and first.right == 1 and second.options == opposite
    options = opposite if swaps_first else first.options
    raw_problems = [
        raw_problem.exchanged() if raw_problem.options == options[::-1] else raw_problem
        for raw_problem in raw_problems
    ]
    if raw_problems[0].right != 1:
        return raw_problems
    order = _SWAPPED_TWINS if len(raw_problems) == 2 else _SWAPPED_DYADS[group.mode]
    return [raw_problems[position] for position in order]


def build_in_mode(group: RawEntry, names: Collection[str] | None) -> Schema | None:
    """Return the schema of two problems, or the dyad of four, if it reproduces them in their mode.

    The problems must be in the order of `in_order`.
    """
    raw_problems, mode = group.problems, group.mode
    partners = _partners(raw_problems, mode)
    first = raw_problems[0]
    axes = {mode.axis: Axis(first.options)}
    cuts = list(blank_cuts(first.statement, mode.axis))
    try:
        for axis, partner in partners.items():
            taken = [(start, end) for start, end, _ in cuts]
            phrases = _differences(group, axis, first.statement, partner.statement, taken)
            cuts += [(phrase.start, phrase.end, Slot(axis, n)) for n, phrase in enumerate(phrases)]
            axes[axis] = Axis(
                (tuple(phrase.first for phrase in phrases), tuple(p.second for p in phrases))
            )
    except Scattered:
        return None
    for schema in _schemas_to_try(first, cuts, axes, bool(first.pronoun)):
        candidate = (
            schema
            if names is None or first.pronoun or schema.verbatim
            else bare_frame(schema, names)
        )
        if _reproduces(candidate, raw_problems, mode):
            return candidate
    return None


def _partners(raw_problems: Sequence[RawProblem], mode: Mode) -> dict[AxisName, RawProblem]:
    """Return, for each axis except the mode's, the problem that differs from the first in it."""
    if len(raw_problems) == 4:
        slower, faster = fixed_order(mode)
        return {slower: raw_problems[2], faster: raw_problems[1]}
    if len(raw_problems) == 2:
        return {AxisName.ANSWER if mode is Mode.BY_KEY else AxisName.KEY: raw_problems[1]}
    return {}


def _differences(
    group: RawEntry, axis: AxisName, first: str, second: str, taken: Sequence[tuple[int, int]]
) -> list[Difference]:
    is_key = axis is AxisName.KEY
    transposed = is_key and group.key_places != 1
    phrases = key_differences(first, second, contiguous=True, transposed=transposed)
    if is_key and group.widening != (0, 0):
        return [widened_by(first, phrase, *group.widening) for phrase in phrases]
    return [
        phrase if phrase.first and phrase.second else _widened(first, phrase, taken)
        for phrase in phrases
    ]


def _widened(
    statement: str, difference: Difference, taken: Sequence[tuple[int, int]]
) -> Difference:
    """Return the difference with an adjacent word that belongs to no other axis."""
    wide = widened(statement, difference)
    if all(wide.end <= start or wide.start >= end for start, end in taken):
        return wide
    return widened_by(statement, difference, 0, 1)


def _schemas_to_try(
    first: RawProblem, cuts: Sequence[Cut], axes: dict[AxisName, Axis], is_winograd: bool
) -> Iterator[Schema]:
    """Yield the schemas of these axes, the best spelling first."""
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


def _reproduces(schema: Schema, raw_problems: Sequence[RawProblem], mode: Mode) -> bool:
    """Return whether the problems of the schema in that mode are those of the file."""
    instantiated = problems(schema, mode)
    return len(instantiated) == len(raw_problems) and all(
        problem.right == raw_problem.right
        and [sentence.text for sentence in problem.sentences]
        == [raw_problem.sentence(n) for n in range(len(raw_problem.options))]
        for problem, raw_problem in zip(instantiated, raw_problems, strict=True)
    )


LEFT_OUT = "version-left-out"


def versions_of(
    group: RawEntry,
    grid: Grid,
    order: Sequence[RawProblem],
    journal: Journal,
    build: Callable[[RawEntry, Journal], Grid],
) -> tuple[dict[str, Grid], dict[str, str]]:
    """Return the versions of a grid, and as separate fields the wordings that don't fit.

    `order` are the problems in the order of the grid; `build` makes a grid and reports to the
    journal it is passed.
    """
    versions: dict[str, Grid] = {}
    fields: dict[str, str] = {}
    for name, wordings in group.versions.items():
        by_problem = {wording.name: wording for wording in wordings}
        reworded = [
            by_problem[raw_problem.name] for raw_problem in order if raw_problem.name in by_problem
        ]
        if name in VERSIONS and reworded:
            own_journal = Journal()
            try:
                if len(reworded) < len(order):
                    raise SchemaError(f"only {len(reworded)} of {len(order)} problems have it")
                version = build(RawEntry(group.id, reworded, group.mode), own_journal)
                # The entry rejects a version of another shape.
                Entry(group.id, grid, versions=((name, version),))
            except SchemaError as error:
                _report_left_out(name, reworded[0], error, own_journal, journal)
            else:
                versions[name] = version
                _copy_issues(name, own_journal, journal)
                continue
        fields |= {
            f"{OWN}{name}.{number}": _printed(by_problem[raw_problem.name])
            for number, raw_problem in enumerate(order, start=1)
            if raw_problem.name in by_problem
        }
    return versions, fields


def _report_left_out(
    name: str, raw_problem: RawProblem, error: SchemaError, own_journal: Journal, journal: Journal
) -> None:
    """Report a version that doesn't fit as one oddity with all its reasons."""
    reasons = dict.fromkeys([error.problem, *(issue.name for issue in own_journal.issues())])
    odd, done = f"{name}: {'; '.join(reasons)}", f"kept as {OWN}{name}"
    journal.oddity(LEFT_OUT, raw_problem.line, raw_problem.name, odd, done)


def _copy_issues(name: str, own_journal: Journal, journal: Journal) -> None:
    """Copy the issues of a version to the journal of the import."""
    for issue in own_journal.issues():
        report = journal.step if issue.kind is IssueKind.STEP else journal.oddity
        report(issue.name, issue.line, issue.problem, f"{name}: {issue.odd}", issue.done)


def _printed(raw_problem: RawProblem) -> str:
    """Return a problem in notation, or as plain text if it cannot be written so."""
    try:
        return print_grid(build_loose([raw_problem], [()]))
    except SchemaError:
        return (raw_problem.pronoun or UNKNOWN_PRONOUN).join(raw_problem.texts)
