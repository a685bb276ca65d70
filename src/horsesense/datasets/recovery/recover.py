"""From groups of problems to entries: schemas where there are any, and a word where not."""

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
    Group,
    Journal,
    Mark,
    RawProblem,
)
from horsesense.errors import SchemaError
from horsesense.schema import Entry, Grid, Mode, Phrases, add_own_tags, modes
from horsesense.schema.material import PROBLEMS
from horsesense.schema.notation import print_entry

ISSUES = {
    "key-widened": "a key phrase would be empty, so a word beside it was added",
    "candidate-differs": "an answer differs from its candidate in the article",
    "candidate-missing": "an answer does not occur in its statement",
    "candidate-in-longer-noun": "an answer may also begin a longer noun, which is not marked",
    "options-exchanged": "twins list their options in opposite orders; those of one were exchanged",
    "answers-differ": "the answers of twins differ; a loose pair",
    "two-blanks": "twins with two blanks make no square by answer; a loose pair",
    "unlabelled-twins": "twins without labels make no square; a loose pair",
    "same-statement": "twins have the same statement and different answers; a loose pair",
    "twins-agree": "twins have the same right answer; a loose pair",
    "scattered-difference": "twins differ in several places; a loose pair",
    "blank-in-difference": "what differs between twins contains the blank; a loose pair",
    "spelling-differs": "no one spelling of the phrases gives both twins back; a loose pair",
    "pronouns-differ": "twins have different pronouns; the schema's target is left open",
    "no-square": "problems of a schema or dyad do not fit together; kept as they are",
    "several-twins": "more than two problems belong together; each makes a schema with the next",
    LEFT_OUT: "another wording does not fit the schema; kept in fields of its own",
    "not-usable": "the problem cannot be put into a grid",
}
_WHITE = " \t\n\r\x0b\x0c"
_LOOSE = "kept as a loose pair"
# Longer text is printed at once, to see whether the notation can hold it.
_LONG = 2_000


@dataclass(frozen=True, slots=True)
class Recovery:
    """Recovers schemas, and writes into the journal what it met with.

    `contiguous` takes all that lies between the first and the last difference for the key
    phrase, as the thesis does. With `names`, those of the whole file, a schema of one
    sentence is written bare, fit for a wrapper.
    """

    journal: Journal
    contiguous: bool = False
    names: Collection[str] | None = None

    def entries(self, groups: Iterable[Group]) -> Iterator[Entry]:
        """An entry for every group that can be used."""
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

    def grid(self, group: Group) -> tuple[Grid, Sequence[RawProblem]]:
        """The grid of these problems, and the order in which it has them."""
        found = group.problems
        if group.mode is not Mode.BY_ANSWER or group.is_dyad:
            if made := self._in_mode(group):
                return made
            self._odd("no-square", found[0], f"{len(found)} problems {group.mode}")
            if group.mode is not Mode.BY_ANSWER:
                # What is guessed stands in no pronoun's place.
                found = [one._replace(pronoun="") for one in found]
        elif len(found) == 2:
            before = self.journal.mark()
            if square := self._square(group):
                return square
            # What was found out on the way holds of a square that there is not.
            self.journal.forget(before, lambda issue: issue.done != _LOOSE)
        if len(found) > 2:
            odd = f"{len(found)} problems: {', '.join(one.name for one in found)}"
            self.journal.oddity("several-twins", found[0].line, found[0].name, odd)
        return build_loose(found, [self._marks(one, []) for one in found]), found

    def _in_mode(self, group: Group) -> tuple[Grid, Sequence[RawProblem]] | None:
        ordered = in_order(group)
        schema = build_in_mode(replace(group, problems=ordered), self.names)
        if schema is None:
            return None
        listed = {problem.name: problem.options for problem in group.problems}
        for one in ordered:
            if one.options != listed[one.name]:
                self._tell_exchanged(one)
        return schema, ordered

    def _square(self, group: Group) -> tuple[Grid, Sequence[RawProblem]] | None:
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
            self._tell_exchanged(ordered)
        if is_open:
            odd, done = " against ".join(map(repr, pronouns)), "the target is left open"
            self.journal.oddity("pronouns-differ", first.line, first.name, odd, done)
        return schema, (first, second)

    def _in_same_order(self, first: RawProblem, second: RawProblem) -> RawProblem | None:
        """The second problem with its options in the order of the first, if they are the same."""
        if first.options == second.options and len(first.options) == 2:
            return second
        ours, theirs = _folded(first.options), _folded(second.options)
        if len(ours) == 2 and ours == theirs[::-1] and second.right is not None:
            turned = second.exchanged()
            if turned.options == first.options:
                return turned
        shown = " against ".join(" / ".join(o[0] for o in f.options) for f in (first, second))
        self._odd("answers-differ", first, shown)
        return None

    def _keys(self, group: Group, first: RawProblem, second: RawProblem) -> list[Difference]:
        is_wide = group.widening != (0, 0)
        if not is_wide and (key := plain_difference(first.texts, second.texts)):
            return [key]
        one, other = first.statement, second.statement
        transposed = not first.pronoun and group.key_places != 1
        try:
            keys = key_differences(one, other, contiguous=self.contiguous, transposed=transposed)
            if is_wide:
                return [widened_by(one, key, *group.widening) for key in keys]
            is_empty = len(keys) == 1 and not (
                is_phrase(keys[0].first) and is_phrase(keys[0].second)
            )
            wide = widened(one, keys[0]) if is_empty else keys[0]
            if not BLANKS.isdisjoint(wide.first + wide.second):
                raise Scattered("blank-in-difference")
        except Scattered as error:
            self._odd(str(error), first, "")
            return []
        if is_empty:
            odd = f"{keys[0].first!r} against {keys[0].second!r}"
            done = f"{wide.first!r} against {wide.second!r}"
            self.journal.step("key-widened", first.line, first.name, odd, done)
            return [wide]
        return keys

    def _marks(self, raw_problem: RawProblem, keys: Sequence[tuple[int, int]]) -> Sequence[Mark]:
        """The candidates that the file or the answers locate."""
        if not raw_problem.pronoun or len(raw_problem.texts) != 2:
            return ()
        blank = len(raw_problem.texts[0])
        taken = [(blank, blank + 1), *keys]
        if raw_problem.marks:
            return _free_marks(raw_problem.marks, taken)
        answers = [base_form(phrase) for (phrase,) in raw_problem.options]
        marks, inexact, missing, longer = locate(raw_problem.statement, answers, taken)
        for number in inexact:
            self._tell("candidate-differs", raw_problem, answers[number])
        for number in missing:
            self._tell("candidate-missing", raw_problem, answers[number])
        for number in longer:
            self._tell("candidate-in-longer-noun", raw_problem, answers[number])
        return marks

    def _tell_exchanged(self, raw_problem: RawProblem) -> None:
        odd = f"{raw_problem.options[1][0]!r} comes first"
        self.journal.step("options-exchanged", raw_problem.line, raw_problem.name, odd, "exchanged")

    def _tell(self, name: str, raw_problem: RawProblem, answer: str) -> None:
        self.journal.oddity(name, raw_problem.line, raw_problem.name, repr(answer))

    def _grid_apart(self, group: Group, journal: Journal) -> Grid:
        return replace(self, journal=journal).grid(group)[0]

    def _odd(self, name: str, raw_problem: RawProblem, odd: str) -> None:
        self.journal.oddity(name, raw_problem.line, raw_problem.name, odd, _LOOSE)

    def _clean(self, raw_problem: RawProblem, version: str = "") -> RawProblem:
        if needs_nothing(raw_problem.texts, [*chain.from_iterable(raw_problem.options)]):
            return raw_problem
        first, last = raw_problem.texts[0], raw_problem.texts[-1]
        # Other spaces than these do occur in good text, and are no white space to be cleaned.
        is_clean = first == first.lstrip(_WHITE) and last == last.rstrip(_WHITE)
        if (
            is_clean
            and all(map(is_tidy, raw_problem.texts))
            and all(map(_is_clean, raw_problem.options))
        ):
            return raw_problem

        steps: dict[str, None] = {} if is_clean else {EXTERIOR: None}  # each is told once

        def step(name: str) -> None:
            steps[name] = None

        texts = [tidied(text, step) for text in raw_problem.texts]
        texts[0], texts[-1] = texts[0].lstrip(" "), texts[-1].rstrip(" ")
        options = tuple(tuple(trimmed(p, step) for p in option) for option in raw_problem.options)
        for name in steps:
            self.journal.step(name, raw_problem.line, raw_problem.name, version, "put right")
        # Places that the file gives need not hold any longer; the answers are looked for.
        return raw_problem._replace(texts=tuple(texts), options=options, marks=())


def entry_of(
    group: Group,
    grid: Grid,
    order: Sequence[RawProblem],
    versions: Mapping[str, Grid],
    fields: Mapping[str, str],
) -> Entry:
    """The entry of a group, with the names that its problems have in the file.

    What is said about one problem only is a field with its number in the grid at the end. Tags
    that all problems have are the entry's, and the others are in such fields too.
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
    extras: dict[str, str], group: Group, grid: Grid, given: Sequence[tuple[str, ...]]
) -> tuple[str, ...]:
    """Return the tags of the entry, and write those of single problems into its fields."""
    common = set(given[0]).intersection(*given[1:])
    shared = tuple(dict.fromkeys((*group.tags, *(tag for tag in given[0] if tag in common))))
    own = [tuple(tag for tag in dict.fromkeys(tags) if tag not in shared) for tags in given]
    mode = group.mode if group.mode in modes(grid) else Mode.BY_ANSWER
    add_own_tags(extras, grid, mode, own)
    return shared


def _size(raw_problem: RawProblem) -> int:
    """How many characters a problem has, roughly."""
    return len("".join(chain(raw_problem.texts, *raw_problem.options)))


def _folded(options: Sequence[Phrases]) -> list[str]:
    return [base_form(phrases[0]).lower() for phrases in options]


def _free_marks(marks: Iterable[Mark], taken: Sequence[tuple[int, int]]) -> list[Mark]:
    """The marks that lie over nothing else, nor over one another."""
    used, free = list(taken), []
    for mark in marks:
        if all(mark.end <= start or mark.start >= end for start, end in used):
            used.append((mark.start, mark.end))
            free.append(mark)
    return free


def _is_clean(option: Phrases) -> bool:
    return all(is_tidy(phrase) and phrase == phrase.strip() for phrase in option)
