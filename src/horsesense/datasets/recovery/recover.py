"""Turn groups of raw problems into entries: schemas where possible, loose pairs otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from horsesense.datasets.recovery.building import (
    LEFT_OUT,
    base_form,
    build_in_mode,
    build_loose,
    build_square,
    in_order,
    locate,
    versions_of,
)
from horsesense.datasets.recovery.differences import (
    EXTERIOR,
    Difference,
    Scattered,
    is_phrase,
    is_tidy,
    key_differences,
    needs_nothing,
    plain_difference,
    tidied,
    trimmed,
    widened,
    widened_by,
)
from horsesense.datasets.recovery.raw_problem import (
    BLANKS,
    UNKNOWN_PRONOUN,
    CandidateMark,
    Journal,
    RawEntry,
    RawProblem,
)
from horsesense.errors import SchemaError
from horsesense.schema import Entry, Grid, Mode, Phrases, add_own_tags, modes
from horsesense.schema.material import PROBLEMS
from horsesense.schema.notation import print_entry

ISSUES = {
    "key-widened": "a key phrase would be empty, so the word next to it was added",
    "candidate-differs": "an answer and its candidate have different articles",
    "candidate-missing": "an answer does not occur in its statement",
    "candidate-in-longer-noun": "an answer may also begin a longer noun, which is not marked",
    "options-exchanged": "twins list their options in opposite orders; swapped in one of them",
    "answers-differ": "twins have different answers; kept as a loose pair",
    "two-blanks": "twins with two blanks cannot make a square by answer; kept as a loose pair",
    "unlabelled-twins": "twins without labels cannot make a square; kept as a loose pair",
    "same-statement": "twins have the same statement; kept as a loose pair",
    "twins-agree": "twins have the same right answer; kept as a loose pair",
    "scattered-difference": "twins differ in several places; kept as a loose pair",
    "blank-in-difference": "the difference between twins contains the blank; kept as a loose pair",
    "spelling-differs": "no spelling of the phrases fits both twins; kept as a loose pair",
    "pronouns-differ": "twins have different pronouns; the schema's target is left open",
    "no-square": "the problems of a schema or dyad don't fit together; kept as single problems",
    "several-twins": "more than two problems belong together; each makes a schema with the next",
    LEFT_OUT: "another wording does not fit the schema; kept in separate fields",
    "not-usable": "the problem cannot be written as a grid",
}
_WHITE = " \t\n\r\x0b\x0c"
_LOOSE = "kept as a loose pair"
# Entries with longer text are printed immediately to check that the notation can hold them.
_LONG = 2_000


@dataclass(frozen=True, slots=True)
class Recovery:
    """Recovers schemas and reports issues to the journal.

    With `contiguous`, the key phrase is everything between the first and the last difference, as
    in the thesis. With `names`, the names of the whole file, schemas of one sentence are written
    without capital and full stop so that they can be wrapped.
    """

    journal: Journal
    contiguous: bool = False
    names: Collection[str] | None = None

    def entries(self, groups: Iterable[RawEntry]) -> Iterator[Entry]:
        """Yield an entry for every usable group."""
        for group in groups:
            group.problems = [*map(self._clean, group.problems)]
            for name, wordings in group.versions.items():
                group.versions[name] = [self._clean(wording, name) for wording in wordings]
            try:
                grid, order = self.grid(group)
                versions: Mapping[str, Grid] = {}
                fields: Mapping[str, str] = {}
                if group.versions:
                    versions, fields = versions_of(
                        group, grid, order, self.journal, self._grid_apart
                    )
                entry = entry_of(group, grid, order, versions, fields)
            except SchemaError as error:
                for problem in group.problems:
                    self.journal.fault("not-usable", problem.line, problem.name, error.problem)
                continue
            for problem in group.problems:
                self.journal.belongs(problem.name, group.id)
            yield entry

    def grid(self, group: RawEntry) -> tuple[Grid, Sequence[RawProblem]]:
        """Return the grid of a group, and the group's problems in the order of the grid."""
        raw_problems = group.problems
        if group.mode is not Mode.BY_ANSWER or group.is_dyad:
            if recovered := self._in_mode(group):
                return recovered
            self._odd("no-square", raw_problems[0], f"{len(raw_problems)} problems {group.mode}")
            if group.mode is not Mode.BY_ANSWER:
                # Key phrases and truth pairs don't replace a pronoun.
                raw_problems = [raw_problem._replace(pronoun="") for raw_problem in raw_problems]
        elif len(raw_problems) == 2:
            before = self.journal.mark()
            if square := self._square(group):
                return square
            # Issues recorded on the way describe a square that was not built.
            self.journal.forget(before, lambda issue: issue.done != _LOOSE)
        if len(raw_problems) > 2:
            names = ", ".join(raw_problem.name for raw_problem in raw_problems)
            odd, first = f"{len(raw_problems)} problems: {names}", raw_problems[0]
            self.journal.oddity("several-twins", first.line, first.name, odd)
        marks = [self._marks(raw_problem, []) for raw_problem in raw_problems]
        return build_loose(raw_problems, marks), raw_problems

    def _in_mode(self, group: RawEntry) -> tuple[Grid, Sequence[RawProblem]] | None:
        ordered = in_order(group)
        schema = build_in_mode(replace(group, problems=ordered), self.names)
        if schema is None:
            return None
        published = {raw_problem.name: raw_problem.options for raw_problem in group.problems}
        for raw_problem in ordered:
            if raw_problem.options != published[raw_problem.name]:
                self._report_exchanged(raw_problem)
        return schema, ordered

    def _square(self, group: RawEntry) -> tuple[Grid, Sequence[RawProblem]] | None:
        first, second = group.problems
        if len(first.texts) != 2 or len(second.texts) != 2:
            self._odd("two-blanks", first, f"{len(first.texts) - 1} blanks")
            return None
        if None in (first.right, second.right):
            self._odd("unlabelled-twins", first, "")
            return None
        ordered = self._in_same_order(first, second)
        if ordered is None:
            return None
        second = ordered
        if first.right == second.right:
            self._odd("twins-agree", first, f"both have {first.options[first.right or 0][0]!r}")
            return None
        if first.texts == second.texts:
            self._odd("same-statement", first, "")
            return None
        if first.right:
            first, second = second, first
        keys = self._keys(group, first, second)
        if not keys:
            return None
        pronouns = (first.pronoun, second.pronoun)
        if is_open := first.pronoun.lower() != second.pronoun.lower():
            first = first._replace(pronoun=UNKNOWN_PRONOUN)
        marks = self._marks(first, [(key.start, key.end) for key in keys])
        names = None if first.pronoun else self.names
        schema = build_square(first, second, keys, marks, names)
        if schema is None:
            self._odd("spelling-differs", first, "")
            return None
        if ordered is not group.problems[1]:
            self._report_exchanged(ordered)
        if is_open:
            odd, done = " and ".join(map(repr, pronouns)), "the target is left open"
            self.journal.oddity("pronouns-differ", first.line, first.name, odd, done)
        return schema, (first, second)

    def _in_same_order(self, first: RawProblem, second: RawProblem) -> RawProblem | None:
        """Return the second problem with its options in the order of the first, if they match."""
        if first.options == second.options and len(first.options) == 2:
            return second
        ours, theirs = _folded(first.options), _folded(second.options)
        if len(ours) == 2 and ours == theirs[::-1] and second.right is not None:
            exchanged = second.exchanged()
            if exchanged.options == first.options:
                return exchanged
        answers = [
            " / ".join(option[0] for option in raw_problem.options)
            for raw_problem in (first, second)
        ]
        self._odd("answers-differ", first, " and ".join(answers))
        return None

    def _keys(self, group: RawEntry, first: RawProblem, second: RawProblem) -> list[Difference]:
        is_wide = group.widening != (0, 0)
        if not is_wide and (key := plain_difference(first.texts, second.texts)):
            return [key]
        statement, other = first.statement, second.statement
        transposed = not first.pronoun and group.key_places != 1
        try:
            keys = key_differences(
                statement, other, contiguous=self.contiguous, transposed=transposed
            )
            if is_wide:
                return [widened_by(statement, key, *group.widening) for key in keys]
            is_empty = len(keys) == 1 and not (
                is_phrase(keys[0].first) and is_phrase(keys[0].second)
            )
            wide = widened(statement, keys[0]) if is_empty else keys[0]
            if not BLANKS.isdisjoint(wide.first + wide.second):
                raise Scattered("blank-in-difference")
        except Scattered as error:
            self._odd(str(error), first, "")
            return []
        if is_empty:
            odd = f"{keys[0].first!r} and {keys[0].second!r}"
            done = f"{wide.first!r} and {wide.second!r}"
            self.journal.step("key-widened", first.line, first.name, odd, done)
            return [wide]
        return keys

    def _marks(
        self, raw_problem: RawProblem, keys: Sequence[tuple[int, int]]
    ) -> Sequence[CandidateMark]:
        """Return the spans of the candidates: the file's, or else where the answers occur."""
        if not raw_problem.pronoun or len(raw_problem.texts) != 2:
            return ()
        blank = len(raw_problem.texts[0])
        taken = [(blank, blank + 1), *keys]
        if raw_problem.marks:
            return _free_marks(raw_problem.marks, taken)
        answers = [base_form(phrase) for (phrase,) in raw_problem.options]
        marks, inexact, missing, longer = locate(raw_problem.statement, answers, taken)
        for number in inexact:
            self._report("candidate-differs", raw_problem, answers[number])
        for number in missing:
            self._report("candidate-missing", raw_problem, answers[number])
        for number in longer:
            self._report("candidate-in-longer-noun", raw_problem, answers[number])
        return marks

    def _report_exchanged(self, raw_problem: RawProblem) -> None:
        odd = f"{raw_problem.options[1][0]!r} comes first"
        self.journal.step("options-exchanged", raw_problem.line, raw_problem.name, odd, "swapped")

    def _report(self, name: str, raw_problem: RawProblem, answer: str) -> None:
        self.journal.oddity(name, raw_problem.line, raw_problem.name, repr(answer))

    def _grid_apart(self, group: RawEntry, journal: Journal) -> Grid:
        return replace(self, journal=journal).grid(group)[0]

    def _odd(self, name: str, raw_problem: RawProblem, odd: str) -> None:
        self.journal.oddity(name, raw_problem.line, raw_problem.name, odd, _LOOSE)

    def _clean(self, raw_problem: RawProblem, version: str = "") -> RawProblem:
        if needs_nothing(raw_problem.texts, [*chain.from_iterable(raw_problem.options)]):
            return raw_problem
        first, last = raw_problem.texts[0], raw_problem.texts[-1]
        # Other space characters occur in good text and are kept.
        is_clean = first == first.lstrip(_WHITE) and last == last.rstrip(_WHITE)
        if (
            is_clean
            and all(map(is_tidy, raw_problem.texts))
            and all(map(_is_clean, raw_problem.options))
        ):
            return raw_problem

        steps: dict[str, None] = {} if is_clean else {EXTERIOR: None}  # each is reported once

        def step(name: str) -> None:
            steps[name] = None

        texts = [tidied(text, step) for text in raw_problem.texts]
        texts[0], texts[-1] = texts[0].lstrip(" "), texts[-1].rstrip(" ")
        options = tuple(tuple(trimmed(p, step) for p in option) for option in raw_problem.options)
        for name in steps:
            self.journal.step(name, raw_problem.line, raw_problem.name, version, "cleaned")
        # The spans of the file may no longer fit, so candidates are located by the answers.
        return raw_problem._replace(texts=tuple(texts), options=options, marks=())


def entry_of(
    group: RawEntry,
    grid: Grid,
    order: Sequence[RawProblem],
    versions: Mapping[str, Grid],
    fields: Mapping[str, str],
) -> Entry:
    """Build the entry of a group, keeping the names of its problems in the file.

    Fields of a single problem end in its number in the grid. Tags that all problems share belong
    to the entry; other tags go into such numbered fields.
    """
    extras = {
        **group.extras,
        **fields,
        PROBLEMS: ", ".join([raw_problem.name for raw_problem in order]),
    }
    size = sum(map(len, extras.values()))
    for number, raw_problem in enumerate(order, start=1):
        size += _size(raw_problem)
        for name, value in raw_problem.extras:
            extras[f"{name}.{number}"] = value
            size += len(value)
    tags = group.tags
    if any(raw_problem.tags for raw_problem in order):
        tags = _add_tags(extras, group, grid, [raw_problem.tags for raw_problem in order])
    entry = Entry(
        group.id,
        grid,
        tags,
        group.note,
        tuple(group.flags.items()),
        group.phrases,
        tuple(versions.items()),
        tuple(extras.items()),
    )
    if size > _LONG:
        print_entry(entry)
    return entry


def _add_tags(
    extras: dict[str, str], group: RawEntry, grid: Grid, tags: Sequence[tuple[str, ...]]
) -> tuple[str, ...]:
    """Return the tags of the entry, and add those of single problems to `extras`."""
    common = set(tags[0]).intersection(*tags[1:])
    shared = tuple(dict.fromkeys((*group.tags, *(tag for tag in tags[0] if tag in common))))
    own = [tuple(tag for tag in dict.fromkeys(row) if tag not in shared) for row in tags]
    mode = group.mode if group.mode in modes(grid) else Mode.BY_ANSWER
    add_own_tags(extras, grid, mode, own)
    return shared


def _size(raw_problem: RawProblem) -> int:
    """Return the approximate number of characters of a problem."""
    return len("".join(chain(raw_problem.texts, *raw_problem.options)))


def _folded(options: Sequence[Phrases]) -> list[str]:
    return [base_form(phrases[0]).lower() for phrases in options]


def _free_marks(
    marks: Iterable[CandidateMark], taken: Sequence[tuple[int, int]]
) -> list[CandidateMark]:
    """Return the marks that overlap neither the taken spans nor each other."""
    used, free = list(taken), []
    for mark in marks:
        if all(mark.end <= start or mark.start >= end for start, end in used):
            used.append((mark.start, mark.end))
            free.append(mark)
    return free


def _is_clean(option: Phrases) -> bool:
    return all(is_tidy(phrase) and phrase == phrase.strip() for phrase in option)
