"""Winograd Square One (Elazar et al.): WSC and WinoGrande in pairs, and what was made of them.

Rows are those of WinoGrande, with a `pair_id` that holds twins together; its own WSC file has
none, and twins are neighbours there. The candidates may have been deleted, or all but a clause.
In the transformed files a candidate stands in the pronoun's place and the special word is
guessed: these are schemas solved by key. The files do not say so, but it shows: what differs
between twins occurs elsewhere in the statement, and the options do not.

The zero-shot files give such a pair as one object.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from horsesense.datasets.importers.columns import UNUSED_ISSUE, are_columns_of, reporting_unused
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.formats.winogrande import FIELDS, LABEL, read_option_row
from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import (
    BY_MARK,
    UNKNOWN_PRONOUN,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
    difference,
)
from horsesense.schema import Mode, Phrases

NO_TWIN, SOLVED_BY_KEY = "no-twin", "solved-by-key"
MASK = "[MASK]"
# So many pairs show of which kind the file is.
_ENOUGH = 100
_PAIR = "pair_id"
_OWN_ID = re.compile(r"wsc\d+")
_ZERO_SHOT_FIELDS = ("s1", "s2", "ans1", "ans2")


def _looks_like(file: SourceFile) -> bool:
    first = file.first_object
    is_own = _PAIR in first or _OWN_ID.fullmatch(str(first.get("qID"))) is not None
    return is_own and not file.is_json_list and are_columns_of(first, FIELDS, [_PAIR], answer=LABEL)


def _looks_like_zero_shot(file: SourceFile) -> bool:
    return not file.is_json_list and are_columns_of(file.first_object, _ZERO_SHOT_FIELDS, [_PAIR])


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    pairs: dict[str, RawEntry] = {}
    unpaired: list[RawProblem] = []
    for line, row in reporting_unused(file.json_lines(journal), (*FIELDS, LABEL, _PAIR), journal):
        try:
            raw_problem = read_option_row(line, row)
            pair = _pair_id(row.get(_PAIR))
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        if pair:
            pairs.setdefault(pair, RawEntry(pair, [])).problems.append(raw_problem)
        else:
            unpaired.append(raw_problem)
    for group in pairs.values():
        if len(group.problems) == 1:
            lone = group.problems[0]
            odd = f"no other row has the pair_id {group.id}"
            journal.oddity(NO_TWIN, lone.line, lone.name, odd, "kept as a single problem")
    return _turned([*pairs.values(), *twins_of_neighbours(unpaired)], journal)


def _pair_id(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | str) or value == "":
        raise BadRow(f"the pair_id {value!r} is neither number nor text")
    return str(value)


def _turned(groups: Sequence[RawEntry], journal: Journal) -> Sequence[RawEntry]:
    """The groups of a transformed file, to be solved by key; all others as they are."""
    pairs = [group.problems for group in groups if len(group.problems) == 2][:_ENOUGH]
    by_key = sum(_guesses_key(*pair) for pair in pairs)
    if by_key <= len(pairs) / 2:
        return groups
    odd = (
        f"in {by_key} of the first {len(pairs)} pairs, twins differ in a phrase of their statement"
    )
    journal.oddity(SOLVED_BY_KEY, 0, "", odd, "read as schemas that are solved by key")
    for group in groups:
        if len(group.problems) == 1:
            group.problems = [group.problems[0]._replace(pronoun="")]
        else:
            group.mode = Mode.BY_KEY
            group.problems.sort(key=_position)
    return groups


def _guesses_key(first: RawProblem, second: RawProblem) -> bool:
    """Return whether what differs between twins are two phrases that the statement has already."""
    statement = first.statement
    key = difference(statement, second.statement)
    rest = f"{statement[: key.start]}\n{statement[key.end :]}".lower()
    return bool(key.first and key.second) and all(
        phrase.lower() in rest for phrase in (key.first, key.second)
    )


def _position(raw_problem: RawProblem) -> int:
    return raw_problem.right or 0


def _read_zero_shot(
    file: SourceFile, journal: Journal, companions: Companions
) -> Iterable[RawEntry]:
    for line, row in file.json_lines(journal):
        try:
            statements = texts_of(row, *_ZERO_SHOT_FIELDS[:2])
            options = tuple((phrase,) for phrase in texts_of(row, *_ZERO_SHOT_FIELDS[2:]))
            raw_problems = [
                _masked(f"{line}.{number}", line, statement, options, number - 1)
                for number, statement in enumerate(statements, start=1)
            ]
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        yield RawEntry(str(line), raw_problems, mode=Mode.BY_KEY)


def _masked(
    name: str, line: int, statement: str, options: tuple[Phrases, ...], right: int
) -> RawProblem:
    texts = tuple(statement.split(MASK))
    if len(texts) != 2:
        raise BadRow(f"{len(texts) - 1} blanks {MASK} where one is expected")
    return RawProblem(name, line, texts, options, right, UNKNOWN_PRONOUN)


FORMAT = Format(
    name="square-one",
    title="Winograd Square One, JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "their pair_id"),
    issues={
        **UNUSED_ISSUE,
        NO_TWIN: "no other row has the same pair_id; kept as a single problem",
        SOLVED_BY_KEY: "the file is transformed: the key phrases are guessed",
    },
)
FORMAT_ZERO_SHOT = Format(
    name="square-one-zero-shot",
    title="Winograd Square One, zero-shot pairs",
    looks_like=_looks_like_zero_shot,
    read=_read_zero_shot,
    twins=Twins(BY_MARK, "the row that has both"),
)
