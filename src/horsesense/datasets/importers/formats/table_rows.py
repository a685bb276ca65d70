"""The columns and rows of a plain table: their names, blanks, options and answers.

A blank is `___` or a longer line, `[MASK]`, `<blank>` or `<mask>`, or, where there is none of
these, a single `_`. Phrases for two blanks have `¶` between them. A row without text is a minimal
pair. The answer is the number of an option or its text; no answer is an unknown one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, TypeAlias

from horsesense.datasets.importers.columns import UNUSED, UNUSED_ISSUE
from horsesense.datasets.importers.consecutive import DISAGREE
from horsesense.datasets.importers.format import fit_id
from horsesense.datasets.importers.source import BAD_ROW, BadRow
from horsesense.datasets.recovery import (
    BY_MARK,
    NO_TWINS,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
    difference,
    trimmed,
)
from horsesense.errors import FileError
from horsesense.schema import (
    BLANK,
    FLAGS,
    OWN,
    Mode,
    Phrases,
    capitalise,
    find_unprintable,
    is_finished_text,
)

DID_YOU_MEAN = "did you mean"
# For each role its names, the first of which is our own.
_NAMES = {
    "id": ("id", "problem_id", "problem"),
    "schema": ("schema", "schema_id", "pair", "pair_id", "group", "group_id"),
    "mode": ("mode",),
    "text": ("text", "sentence", "statement"),
    "answer": ("answer", "correct", "correct_answer", "right_answer"),
    "label": ("label", "gold"),
    "pronoun": ("pronoun", "target"),
    "verbatim": ("verbatim",),
    "tags": ("tags", "tag"),
    "note": ("note", "notes", "comment"),
    "options": ("options", "choices"),
    "sentences": ("sentences",),
    **{flag: (flag,) for flag in FLAGS},
}
_OPTION = re.compile(r"(?:option|choice|alternative)(?:_?([0-9]{1,3})|_([a-z]))?")
_JOINTS = re.compile(r"[\s_-]+")
# What our own exporters add for other programs, and what says nothing that is not said elsewhere.
_REDUNDANT = frozenset({"contexts", "suffix", "schemas"})


TABLE_OF_YOUR_OWN = (
    "A table of your own (CSV, JSON lines, a JSON list or Parquet) is read if it has the columns "
    "text (with ___ for the blank), option1, option2 and answer (the number of the right option); "
    "schema has the same value for twins. Minimal pairs have whole sentences as options, and no "
    "text. Begin the names of other columns with x-"
)


@dataclass(frozen=True, slots=True)
class Columns:
    """The headings of a table by role, those of the options in order.

    `letters` tell the options apart, where letters do; `own` are the author's own fields, `x-…`;
    `unused` headings mean nothing to us.
    """

    roles: Mapping[str, str]
    options: tuple[str, ...]
    letters: tuple[str, ...]
    own: tuple[str, ...]
    unused: tuple[str, ...]

    @property
    def has_problems(self) -> bool:
        """Return whether there are options, and a text or sentences they belong to.

        Without a text, the options are the sentences of minimal pairs. Then every column must
        have a meaning: one that has none could be the text under another name.
        """
        if "sentences" in self.roles and "label" in self.roles:
            return True
        has_options = len(self.options) > 1 or "options" in self.roles
        return has_options and ("text" in self.roles or "mode" in self.roles or not self.unused)

    def values(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a row by role, without missing and empty ones."""
        return {
            role: value
            for role, heading in self.roles.items()
            if (value := row.get(heading)) is not None and value != ""
        }


def columns_of(headings: Iterable[str]) -> Columns:
    """Return the roles of the headings. If several have one role, ours is used, or the first.

    >>> columns = columns_of(["Sentence", "Option B", "Option A", "mood", "x-owl"])
    >>> columns.roles, columns.options, columns.unused
    ({'text': 'Sentence'}, ('Option A', 'Option B'), ('mood',))
    """
    headings = list(headings)
    own = tuple(heading for heading in headings if heading.startswith(OWN))
    joined = {_joined(heading): heading for heading in reversed(headings) if heading not in own}
    roles: dict[str, str] = {}
    for role, names in _NAMES.items():
        name = next((name for name in names if name in joined), None)
        if name is not None:
            roles[role] = joined[name]
    numbered: dict[tuple[int, str], str] = {}
    for name, heading in joined.items():
        if option := _OPTION.fullmatch(name):
            place = option[1] or option[2] or ""
            # Ten comes after nine, and one without a number is the first.
            numbered[len(place), place] = heading
    options = tuple(numbered[place] for place in sorted(numbered))
    letters = tuple(place for _, place in sorted(numbered) if place.isalpha())
    used = {*own, *roles.values(), *options}
    unused = [
        heading
        for heading in headings
        if heading not in used and _joined(heading) not in _REDUNDANT
    ]
    return Columns(roles, options, letters, own, tuple(unused))


# The roles that every problem needs, apart from the options; and how alike two names must be.
_NEEDED = ("schema", "text", "answer")
_ALIKE = 0.75


def meant_columns(columns: Columns) -> dict[str, str]:
    """Return the unused headings that look like a misspelt name, with that name.

    >>> meant_columns(columns_of(["sentence", "option1", "optoin2", "answwer", "mood"]))
    {'optoin2': 'option2', 'answwer': 'answer'}
    """
    names = [name for role in _NEEDED if role not in columns.roles for name in _NAMES[role]]
    options = ["option1", "option2"]
    missing = [name for name in options if name not in map(_joined, columns.options)]
    meant = {}
    for heading in columns.unused:
        name = _joined(heading)
        # A number says which of several options it is; no other column has one.
        candidates = missing if name[-1:].isdigit() else names
        if similar := get_close_matches(name, candidates, n=1, cutoff=_ALIKE):
            meant[heading] = similar[0]
    return meant


def _joined(heading: str) -> str:
    return _JOINTS.sub("_", heading.strip().lower())


DOUBLE_STOP, AMBIGUOUS = "double-full-stop", "ambiguous-answer"
BETWEEN_PHRASES = "¶"

_NEXT_WORD = re.compile(r" ([\w'’-]+)")


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads rows under their headings; `first` is the number of the first option in answers."""

    columns: Columns
    journal: Journal
    first: int

    def raw_problem(
        self, name: str, line: int, row: Mapping[str, Any], values: Values
    ) -> RawProblem:
        """The problem of a row; raises BadRow where it has none."""
        mode = mode_of(values)
        options = self._options(row, values, mode)
        phrases = options
        if text := text_in(values, "text"):
            texts = split_text(text, are_two=all(map(_are_two_phrases, options)))
        elif mode is not Mode.BY_ANSWER:
            raise BadRow("no text")
        elif self.has_whole_sentences:
            texts, phrases = split_sentences(options)
        else:
            texts = ("", "")
        raw_problem = RawProblem(
            name=name,
            line=line,
            texts=texts,
            options=tuple(_phrases(option, len(texts) - 1) for option in phrases),
            right=self._right(name, line, values, options),
            pronoun=text_in(values, "pronoun") if len(texts) == 2 else "",
        )
        if own := self.columns.own:
            raw_problem = raw_problem._replace(extras=tuple(self._extras(own, row, raw_problem)))
        if "" in options:
            return self._with_next_word(raw_problem)
        if raw_problem.texts[-1] != "." or flag_in(values, "verbatim"):
            return raw_problem
        return self._with_one_stop(raw_problem)

    @property
    def has_whole_sentences(self) -> bool:
        """Return whether rows have sentences instead of a text and options."""
        return not self.columns.options and "options" not in self.columns.roles

    def _options(self, row: Mapping[str, Any], values: Values, mode: Mode) -> list[str]:
        headings = self.columns.options
        if not headings:
            role = "sentences" if self.has_whole_sentences else "options"
            listed = values.get(role)
            if not isinstance(listed, list):
                raise BadRow(f"no list of {role}")
            options = [text_of(option, role) for option in listed]
        else:
            options = [text_of(row.get(heading), heading) for heading in headings]
        if mode is not Mode.BY_ANSWER:  # there are two, and a key phrase may be empty
            options = options[:2]
        else:
            while options and not options[-1]:
                options.pop()
            if not all(options):
                raise BadRow(f"option {options.index('') + 1} is empty")
        if len(options) < 2:
            raise BadRow("fewer than two options")
        return options

    def _right(self, name: str, line: int, values: Values, options: list[str]) -> int | None:
        role = "answer" if "answer" in self.columns.roles else "label"
        answer = text_in(values, role).strip()
        number = number_of(answer)
        if not answer or (number == -1 and self.first == 0):
            return None
        as_text = [n for n, option in enumerate(options) if option.strip() == answer]
        if number is not None and 0 <= number - self.first < len(options):
            if as_text and as_text != [number - self.first]:
                odd = f"{answer!r} is the number of an option and the text of another"
                self.journal.oddity(AMBIGUOUS, line, name, odd, "read as the number")
            return number - self.first
        letters = self.columns.letters[: len(options)]
        as_letter = [n for n, letter in enumerate(letters) if letter == answer.lower()]
        if not as_text and not as_letter:
            last = self.first + len(options) - 1
            raise BadRow(
                f"the answer {answer!r} is neither an option nor one of {self.first} to {last}"
            )
        return (as_text or as_letter)[0]

    def _extras(
        self, own: Iterable[str], row: Mapping[str, Any], raw_problem: RawProblem
    ) -> Iterator[tuple[str, str]]:
        for heading in own:
            if (value := row.get(heading)) is not None:
                yield heading, one_line(text_of(value, heading), raw_problem, self.journal)

    def _with_next_word(self, raw_problem: RawProblem) -> RawProblem:
        """The problem with a word more in its options, for one of them is empty."""
        before, after = raw_problem.texts[0], raw_problem.texts[-1]
        word = _NEXT_WORD.match(after)
        if word is None or len(raw_problem.texts) != 2:
            raise BadRow("an option is empty, and no word follows the blank")
        phrases = [f"{phrase} {word[1]}".strip() for (phrase,) in raw_problem.options]
        if not before:
            phrases = list(map(capitalise, phrases))
        odd, done = "an option is empty", f"{word[1]!r} is part of the options"
        self.journal.step("key-widened", raw_problem.line, raw_problem.name, odd, done)
        options = tuple((phrase,) for phrase in phrases)
        return raw_problem._replace(texts=(before, after[word.end() :]), options=options)

    def _with_one_stop(self, raw_problem: RawProblem) -> RawProblem:
        """The problem without the full stop behind its last blank, if options bring their own."""
        finished = [is_finished_text(option[-1]) for option in raw_problem.options]
        if not any(finished):
            return raw_problem
        odd = "a full stop follows the blank, and options end in one too"
        done = "one full stop for each sentence"
        if not self.journal.repair(DOUBLE_STOP, raw_problem.line, raw_problem.name, odd, done):
            return raw_problem
        options = tuple(
            option if is_done else (*option[:-1], option[-1] + ".")
            for option, is_done in zip(raw_problem.options, finished, strict=True)
        )
        return raw_problem._replace(texts=(*raw_problem.texts[:-1], ""), options=options)


def first_number(columns: Columns, rows: Iterable[Mapping[str, Any]]) -> int:
    """The number of the first option: 1 for answers and 0 for labels, unless others tell."""
    role = "answer" if "answer" in columns.roles else "label"
    heading = columns.roles.get(role, "")
    answers = {
        str(answer).strip() for row in rows if not isinstance(answer := row.get(heading), list)
    }
    numbers = {number for answer in answers if (number := number_of(answer)) is not None}
    if not numbers.isdisjoint((0, -1)):
        return 0
    if role == "answer" or not numbers:
        return 1
    return 1 if columns.options and max(numbers) >= len(columns.options) else 0


def _are_two_phrases(option: str) -> bool:
    return option.count(BETWEEN_PHRASES) == 1


def _phrases(option: str, blanks: int) -> Phrases:
    if blanks == 1:
        return (option,)
    phrases = tuple(phrase.strip() for phrase in option.split(BETWEEN_PHRASES))
    if len(phrases) != blanks:
        raise BadRow(f"{option!r} has {len(phrases)} phrases for {blanks} blanks")
    return phrases


# What a row has, by role.
Values: TypeAlias = Mapping[str, Any]

# The first that occurs in a text is its blank.
_BLANKS = (re.compile("_{3,}"), re.compile(r"\[MASK\]|<blank>|<mask>", re.IGNORECASE))
_SHORT_BLANK = re.compile("_+")
# Spreadsheets and data frames write whole numbers as 2.0 where others are missing.
_NUMBER = re.compile(r"(-?[0-9]{1,9})(?:\.0+)?")
_MODES = {mode.value: mode for mode in Mode}
_YES, _NO = frozenset({"yes", "true", "1"}), frozenset({"no", "false", "0"})


def mode_of(values: Values) -> Mode:
    """Return the mode of a row, by answer if it has none."""
    mode = values.get("mode", Mode.BY_ANSWER)
    known = _MODES.get(mode) if isinstance(mode, str) else None
    if known is None:
        raise BadRow(f"the mode {mode!r} is not one of {', '.join(Mode)}")
    return known


def flag_in(values: Values, role: str) -> bool | None:
    """Yes or no, or neither."""
    value = text_in(values, role).strip().lower()
    if value and value not in _YES | _NO:
        raise BadRow(f"{role} is {value!r}, which is neither yes nor no")
    return value in _YES if value else None


def text_in(values: Values, role: str) -> str:
    """The text that a row has in a role; empty for none."""
    return text_of(values[role], role) if role in values else ""


def split_text(text: str, *, are_two: bool = False) -> tuple[str, ...]:
    """Return the texts around the one or two blanks.

    A line of double length is two blanks where the options have two phrases.

    >>> split_text("A ___ is under the _low_ bridge."), split_text("_ is under [mask].")
    (('A ', ' is under the _low_ bridge.'), ('_ is under ', '.'))
    """
    blank = next((blank for blank in _BLANKS if blank.search(text)), _SHORT_BLANK)
    texts = tuple(blank.split(text))
    if are_two and len(texts) == 2 and 2 * BLANK in text:
        texts = tuple(text.split(BLANK))
    if not 1 < len(texts) < 4:
        raise BadRow(f"{len(texts) - 1} blanks where one or two are expected")
    return texts


def split_sentences(sentences: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """The text that whole sentences have in common, and the stretch in which they differ.

    >>> split_sentences(["The owl sleeps.", "The vole sleeps."])
    (('The ', ' sleeps.'), ['owl', 'vole'])
    >>> split_sentences(["Owls can hunt well.", "Owls hunt well."])
    (('Owls ', ' well.'), ['can hunt', 'hunt'])
    """
    first = sentences[0]
    places = [difference(first, other) for other in sentences[1:]]
    start, end = min(place.start for place in places), max(place.end for place in places)
    while True:
        tail = len(first) - end
        options = [sentence[start : len(sentence) - tail] for sentence in sentences]
        if not tail or all(option and option == option.strip(" ") for option in options):
            return (first[:start], first[end:]), options
        # An option that would be empty gets the next word.
        end = first.find(" ", end + 1)
        end = end if end >= 0 else len(first)


def one_line(text: str, raw_problem: RawProblem, journal: Journal) -> str:
    """The text as a field can hold it."""
    if text == text.strip() and not find_unprintable(text):
        return text
    return trimmed(
        text, lambda step: journal.step(step, raw_problem.line, raw_problem.name, "", "cleaned")
    )


def text_of(value: Any, what: str) -> str:
    """The value as text; nothing where it is missing."""
    if value is None or value != value:  # not a number
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return str(value)
    raise BadRow(f"{what!r} is not a string")


def number_of(answer: str) -> int | None:
    """The whole number that an answer is, if it is one."""
    number = _NUMBER.fullmatch(answer)
    return int(number[1]) if number else None


NumberedRow: TypeAlias = tuple[int, Mapping[str, Any]]

_FROM_ZERO, _WHOLE = "labels-from-0", "whole-sentences"
_ID_CHANGED = "id-changed"
_TAGS_DIFFER = "tags-of-problems"
TWINS = Twins(BY_MARK, "the column that names their schema")
_NO_TWINS = Twins(NO_TWINS, "no column says which rows belong together")
REPAIRS = {DOUBLE_STOP: "the full stop after a blank is removed if the options end in one"}
ISSUES = {
    **UNUSED_ISSUE,
    _FROM_ZERO: "the answers number the options from 0",
    _WHOLE: "there are only whole sentences; the blank is where they differ",
    _ID_CHANGED: "an id contained characters that are not allowed",
    DISAGREE: "rows of the same schema contradict each other; the first one is used",
    _TAGS_DIFFER: "rows of the same schema have different tags; each tag stays with its problem",
    AMBIGUOUS: "an answer is the number of one option and the text of another",
}
_MATERIAL = frozenset({"note", *FLAGS})
# Which answers are right in the four problems of a dyad.
_DYAD = (0, 1, 1, 0)


def groups_of(rows: Sequence[NumberedRow], journal: Journal, file: str) -> Iterable[RawEntry]:
    """Rows with the same schema id together, in the order in which the ids first occur."""
    headings = dict.fromkeys(heading for _, row in rows for heading in row)
    columns = columns_of(headings)
    if rows and not columns.has_problems:
        raise FileError(f"{file}: {_missing(columns)}. {TABLE_OF_YOUR_OWN}")
    reader = RowReader(columns, journal, first_number(columns, [row for _, row in rows]))
    _report_columns(reader)
    named = columns.roles.get("schema")
    twins = Twins(BY_MARK, f"the column {named!r}") if named else _NO_TWINS
    groups: dict[tuple[str, str], RawEntry] = {}
    for number, (line, row) in enumerate(rows, start=1):
        try:
            _add(reader, groups, number, line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
    for group in groups.values():
        group.is_dyad = _looks_like_dyad(group)
        group.twins = twins
        _settle(group)
    _report_tags(groups.values(), journal)
    return groups.values()


def _missing(columns: Columns) -> str:
    """Return the reason why a table cannot be read."""
    if len(columns.options) < 2 and "options" not in columns.roles:
        return "no columns for the options"
    unused = ", ".join(map(repr, columns.unused))
    return f"no column for the text; unknown columns: {unused}"


def _report_columns(reader: RowReader) -> None:
    """Report what holds for the whole file."""
    columns, journal = reader.columns, reader.journal
    meant = meant_columns(columns)
    for heading in columns.unused:
        question = f"; {DID_YOU_MEAN} {meant[heading]!r}?" if heading in meant else ""
        journal.oddity(UNUSED, 0, "", f"the column {heading!r}", f"left out{question}")
    if reader.first == 0:
        journal.step(_FROM_ZERO, 0, "", "the first option is 0", "counted from 0")
    if reader.has_whole_sentences:
        journal.step(_WHOLE, 0, "", "no text with a blank", "the blank is where they differ")


def _add(
    reader: RowReader,
    groups: dict[tuple[str, str], RawEntry],
    number: int,
    line: int,
    row: Mapping[str, Any],
) -> None:
    """Add the problem of a row to its group."""
    values = reader.columns.values(row)
    schema, name = text_in(values, "schema").strip(), text_in(values, "id").strip()
    if "," in name:
        raise BadRow(f"the id {name!r} has a comma in it")
    # A row for itself is no part of the schema that has its name by chance.
    key = (schema, "" if schema else name or str(number))
    group = groups.get(key) or _new_group(schema or key[1], line, reader)
    if not name:
        name = f"{group.id}-{len(group.problems) + 1}" if schema else str(number)
    raw_problem, mode = reader.raw_problem(name, line, row, values), mode_of(values)
    if group.problems and mode is not group.mode:
        raise BadRow(f"{mode} in a schema that is solved {group.mode}")
    if "tags" in values:
        raw_problem = raw_problem._replace(tags=tuple(dict.fromkeys(_tags(values["tags"]))))
    if not _MATERIAL.isdisjoint(values):
        _describe(reader.journal, group, raw_problem, values)
    group.mode = mode
    group.problems.append(raw_problem)
    groups[key] = group


def _new_group(name: str, line: int, reader: RowReader) -> RawEntry:
    fit = fit_id(name)
    if not fit:
        raise BadRow(f"{name!r} cannot be an id")
    if fit != name:
        reader.journal.step(_ID_CHANGED, line, "", repr(name), f"changed into {fit!r}")
    return RawEntry(fit, [])


def _describe(journal: Journal, group: RawEntry, raw_problem: RawProblem, values: Values) -> None:
    """Add to a group what a row says about it."""
    note = one_line(text_in(values, "note"), raw_problem, journal)
    flags = {flag: value for flag in FLAGS if (value := flag_in(values, flag)) is not None}
    old: dict[str, Any] = {"note": group.note or note, **group.flags}
    new: dict[str, Any] = {"note": note or group.note, **flags}
    for what, value in new.items():
        if old.get(what, value) != value:
            odd = f"{what} is {value!r}, and was {old[what]!r} before"
            journal.oddity(
                DISAGREE, raw_problem.line, raw_problem.name, odd, "the first one is used"
            )
    group.note = group.note or note
    group.flags = flags | group.flags


def _settle(group: RawEntry) -> None:
    """Let the group have the fields that its problems agree in."""
    values_by_name: dict[str, set[str]] = {}
    for problem in group.problems:
        for name, value in problem.extras:
            values_by_name.setdefault(name, set()).add(value)
    if values_by_name:
        group.extras = {
            name: min(values) for name, values in values_by_name.items() if len(values) == 1
        }
        group.problems = [
            raw_problem._replace(
                extras=tuple(pair for pair in raw_problem.extras if pair[0] not in group.extras)
            )
            for raw_problem in group.problems
        ]


def _report_tags(groups: Iterable[RawEntry], journal: Journal) -> None:
    """Say once for the file that tags hold for single problems, if some do."""
    count = sum(
        len({frozenset(raw_problem.tags) for raw_problem in group.problems}) > 1 for group in groups
    )
    if count:
        odd = f"not all rows of {count} schema{'' if count == 1 else 's'} have the same tags"
        journal.step(_TAGS_DIFFER, 0, "", odd, "each tag stays with its problem")


def _tags(value: Any) -> list[str]:
    listed = value if isinstance(value, list) else text_of(value, "tags").split(",")
    return [tag for text in listed if (tag := text_of(text, "tags").strip())]


def _looks_like_dyad(group: RawEntry) -> bool:
    """Return whether four problems by answer have the options and right answers of a dyad."""
    return (
        group.mode is Mode.BY_ANSWER
        and tuple(raw_problem.right for raw_problem in group.problems) == _DYAD
        and len({raw_problem.options for raw_problem in group.problems}) == 1
        and len(group.problems[0].options) == 2
    )
