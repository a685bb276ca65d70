"""Applying a transformation, and the checks that every result must pass.

An entry is left out, with the reason, if its sentences did not change, a word is doubled, the
phrase that an answer refers to is lost, or something changed that the transformation declares to
leave alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from horsesense.errors import SchemaError
from horsesense.perturbations.transformation import (
    Level,
    NotApplicable,
    ProblemPair,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
    mode_after,
    pairs,
)
from horsesense.schema import (
    Axis,
    Candidate,
    Dataset,
    Entry,
    Frame,
    Grid,
    Issue,
    IssueKind,
    LooseGrid,
    LooseProblem,
    Mode,
    Schema,
    Step,
    candidates_of,
    extras_in,
    modes,
    problems,
)

_WORD = re.compile(r"[\w'’-]+")
_ENDING = re.compile(r"['’]s?$")
_ARTICLES = frozenset(
    str.split("the a an some my your his her its our their this that these those")
)
# Words that do stand side by side in good English.
_MAY_DOUBLE = frozenset({"had", "that", "is", "her", "you", "so", "very"})

# How an entry is listed that is not in a perturbed dataset, and why a proposal is not.
LEFT_OUT = "not-perturbed"
UNREVIEWED = "a proposal that nobody has accepted"


class Declarations(Protocol):
    """The declarations of a transformation that a rewriting is checked against."""

    @property
    def mode(self) -> Mode: ...
    @property
    def level(self) -> Level: ...
    @property
    def right(self) -> Right: ...
    @property
    def purpose(self) -> Purpose: ...
    @property
    def touches(self) -> frozenset[Touch]: ...


def check(before: Grid, done: Rewriting, declared: Declarations) -> None:
    """Refuse a rewriting that is not what it should be."""
    after = done.grid
    if declared.mode is not Mode.BY_ANSWER:
        return  # nothing was rewritten
    check_shape(before, after, declared)
    if declared.level is Level.PROBLEM:
        _check_right(before, after)
    check_changed(before, after)
    _check_every_problem(before, after)
    # A control is not meant to be good English.
    if declared.purpose is Purpose.CONSISTENCY:
        _check_doubling(before, after)
        _check_candidates(before, after)
        _check_answers(before, after)
    # Whatever an author has written is what the author means.
    if done.voucher is not Voucher.AUTHOR:
        _check_touched(before, after, declared.touches)


def check_shape(before: Grid, after: Grid, declared: Declarations) -> None:
    """Refuse problems that do not pair with those before as declared."""
    if declared.level is Level.SCHEMA:
        return
    splits = declared.right is Right.SPLIT
    if splits and not after.is_dyad:
        raise NotApplicable("it is not a dyad")
    if type(before) is not type(after):
        raise NotApplicable("its kind has changed")
    if isinstance(before, LooseGrid) and isinstance(after, LooseGrid):
        shapes = [[len(row.answers) for row in grid.rows] for grid in (before, after)]
    else:
        shapes = [[len(before.cells) * (2 if splits else 1)], [len(after.cells)]]
    if shapes[0] != shapes[1]:
        raise NotApplicable("the problems do not pair with those before")


def _check_right(before: Grid, after: Grid) -> None:
    """Refuse another right answer: its place is the same, whatever stands there."""
    if isinstance(before, LooseGrid) and isinstance(after, LooseGrid):
        rights = [[row.right for row in grid.rows] for grid in (before, after)]
        if rights[0] != rights[1]:
            raise NotApplicable("another answer would be right")


def check_changed(before: Grid, after: Grid) -> None:
    """Refuse a grid that is the same as before."""
    if sentences(before) == sentences(after):
        raise NotApplicable("unchanged")


def _check_every_problem(before: Grid, after: Grid) -> None:
    """Refuse a grid with a problem that is the same as before."""
    old, new = (
        [tuple(sentence.text for sentence in problem.sentences) for problem in problems(grid)]
        for grid in (before, after)
    )
    if any(before_problem == other for before_problem, other in zip(old, new, strict=False)):
        raise NotApplicable("one of its problems is unchanged")


def sentences(grid: Grid) -> tuple[str, ...]:
    """Every sentence of a grid, cell by cell."""
    return tuple(grid.sentence(cell).text for cell in grid.cells)


def _check_doubling(before: Grid, after: Grid) -> None:
    """Refuse «the the», unless the sentence had it."""
    known = {word for text in sentences(before) for word in _doubled(text)}
    for text in sentences(after):
        for word in _doubled(text):
            if word not in known:
                raise NotApplicable(f"a word is doubled: {word} {word}")


def _doubled(text: str) -> set[str]:
    """The words that stand side by side with nothing but a space between them."""
    words = list(_WORD.finditer(text))
    return {
        word[0].lower()
        for word, after in zip(words, words[1:], strict=False)
        if word[0].lower() == after[0].lower() and text[word.end() : after.start()] == " "
    } - _MAY_DOUBLE


def _check_candidates(before: Grid, after: Grid) -> None:
    """Refuse the loss of a phrase that an answer refers to."""
    for old, new in zip(frames(before), frames(after), strict=True):
        numbers = {candidate.number for candidate in candidates_of(old)}
        lost = numbers - {candidate.number for candidate in candidates_of(new)}
        if lost:
            raise NotApplicable(f"candidate {min(lost)} no longer occurs")


def _check_answers(before: Grid, after: Grid) -> None:
    """Refuse an answer that no longer occurs, where it did: among the words of its candidate."""
    for old, new in zip(_parts(before), _parts(after), strict=True):
        now = _unmatched(new)
        if len(now) > len(_unmatched(old)):
            raise NotApplicable(
                f"the answer {new.answers.values[min(now) - 1][0]!r} does not occur"
            )


def _unmatched(part: Schema | LooseProblem) -> set[int]:
    """The numbers of the answers that share no words with a candidate of theirs."""
    marked: dict[int, list[set[str]]] = {}
    for number, text in candidates_of(part.frame):
        marked.setdefault(number, []).append(_content(text))
    return {
        number
        for number, (phrase, *_) in enumerate(part.answers.values, start=1)
        if number in marked
        and not any(
            words <= _content(phrase) or _content(phrase) <= words for words in marked[number]
        )
    }


def _content(phrase: str) -> set[str]:
    """The words of a phrase without articles, capitals and possessive endings."""
    words = {_ENDING.sub("", word.lower()) for word in _WORD.findall(phrase)}
    return words - _ARTICLES


def _parts(grid: Grid) -> tuple[Schema | LooseProblem, ...]:
    return (grid,) if isinstance(grid, Schema) else grid.rows


def frames(grid: Grid) -> tuple[Frame, ...]:
    """The frame of a schema, or of every row of a loose grid."""
    return tuple(part.frame for part in _parts(grid))


def _check_touched(before: Grid, after: Grid, allowed: frozenset[Touch]) -> None:
    """Refuse a change of what the transformation declares to leave alone."""
    if isinstance(before, Schema) and isinstance(after, Schema):
        if Touch.KEYS not in allowed and _folded(before.keys) != _folded(after.keys):
            raise NotApplicable("the key phrases have changed")
        _check_part(before, after, allowed)
    elif isinstance(before, LooseGrid) and isinstance(after, LooseGrid):
        for old, new in zip(before.rows, after.rows, strict=True):
            _check_part(old, new, allowed)


def _check_part(
    before: Schema | LooseProblem, after: Schema | LooseProblem, allowed: frozenset[Touch]
) -> None:
    if Touch.CANDIDATES not in allowed:
        if _folded(before.answers) != _folded(after.answers):
            raise NotApplicable("the answers have changed")
        old, new = (sorted(candidates_of(part.frame)) for part in (before, after))
        if [(n, _lowered(text)) for n, text in old] != [(n, _lowered(text)) for n, text in new]:
            raise NotApplicable("the candidates have changed")
    if Touch.FRAME not in allowed and _texts(before.frame) != _texts(after.frame):
        raise NotApplicable("the frame has changed")


def _folded(axis: Axis) -> list[list[str]]:
    """Phrases without the capital that their place may give them."""
    return [[_lowered(phrase) for phrase in value] for value in axis.values]


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _texts(frame: Frame) -> list[object]:
    """The fixed text of a frame, with a mark in place of every candidate."""
    return [Candidate if isinstance(part, Candidate) else part for part in frame]


@dataclass(frozen=True, slots=True)
class Perturbed:
    """An entry after a transformation, how it came about, and who vouches for it.

    `pairs` says which of its problems goes with which before; none where only schemas correspond.
    """

    entry: Entry
    how: str
    voucher: Voucher
    pairs: tuple[ProblemPair, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedEntry:
    """An entry to which a transformation does not apply, and why."""

    id: str
    reason: str


def perturb_dataset(
    dataset: Dataset,
    transformation: Transformation,
    settings: Settings | None = None,
    *,
    name: str = "",
    unreviewed: bool = False,
) -> Dataset:
    """Make a dataset of what a transformation makes of another one.

    Its `issues` list the entries that were left out, each with the reason. Proposals for which
    neither an author nor a rule vouches are among them, unless `unreviewed` ones are wanted too.
    """
    settings = transformation.settings() if settings is None else settings
    entries: list[Entry] = []
    issues: list[Issue] = []
    for result in perturb(dataset, transformation, settings):
        if isinstance(result, Perturbed) and not (unreviewed or result.voucher):
            result = SkippedEntry(result.entry.id, UNREVIEWED)
        if isinstance(result, Perturbed):
            entries.append(result.entry)
        else:
            why = result.reason
            issue = Issue(LEFT_OUT, IssueKind.FAULT, entry=result.id, odd=why, done="left out")
            issues.append(issue)
    mode = mode_after(dataset.mode, transformation.level, transformation.mode)
    name = name or f"{dataset.name}.{transformation.name}"
    return Dataset(
        replace(dataset.header, name=name, mode=mode),
        entries,
        issues=issues,
        original=dataset.original or dataset.header,
        steps=(*dataset.steps, Step(transformation.name, settings.values)),
    )


def perturb(
    entries: Iterable[Entry], transformation: Transformation, settings: Settings
) -> Iterator[Perturbed | SkippedEntry]:
    """Perturb entries in order; an entry that is left out has its reason."""
    return (perturb_entry(entry, transformation, settings) for entry in entries)


def perturb_entry(
    entry: Entry, transformation: Transformation, settings: Settings
) -> Perturbed | SkippedEntry:
    """Perturb one entry, or say why the transformation does not apply."""
    try:
        _check_mode(entry, transformation.mode)
        done = transformation.rewrite(entry, settings)
        check(entry.grid, done, transformation)
    except NotApplicable as error:
        return SkippedEntry(entry.id, str(error))
    except SchemaError as error:
        # The result is not a schema: its answers have become equal, a phrase is empty, …
        return SkippedEntry(entry.id, f"the result is not a valid schema: {error.problem}")
    paired = pairs(entry.grid, done.grid, transformation)
    if transformation.mode is not Mode.BY_ANSWER:
        return Perturbed(replace(entry, grid=done.grid), done.how, done.voucher, paired)
    # Phrases and versions belong to the wording that was.
    extras = extras_in(entry, done.grid)
    perturbed = replace(entry, grid=done.grid, phrases=done.phrases, versions=(), extras=extras)
    return Perturbed(perturbed, done.how, done.voucher, paired)


def _check_mode(entry: Entry, mode: Mode) -> None:
    if mode not in modes(entry.grid):
        missing = "key phrases" if mode is Mode.BY_KEY else "truth pair"
        raise NotApplicable(f"a {entry.grid.kind} has no {missing}")
