"""The labels that Trichelair et al. gave the WSC273: associative problems, and switchable ones.

A JSON list of all problems, with the pronoun in square brackets. `index` counts from 0 in the
order of the WSC273. The associative file is not in that order: its associative problems come last.
The switched sentences are kept as published but not posed: most of their names have lost their
capitals, and there are some for problems that cannot be switched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import REPAIRS, Companions, Format, fitted
from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import NEIGHBOURS, Journal, RawEntry, RawProblem, trimmed

INDEX_ORDER = "index-order"
NOT_SWITCHED = "not-switched"
JOINT = " ¶ "
_FLAGS = {"is_associative": "associative", "is_switchable": "switchable"}
_TEXTS = ("sentence", "answer0", "answer1", "correct_answer")
_PRONOUN = re.compile(r"\[([^][]+)\]")


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A problem, its labels, and its switched sentence where there is one."""

    index: int
    raw_problem: RawProblem
    labels: Mapping[str, bool]
    switched: str


def labels_by_index(file: SourceFile, journal: Journal) -> dict[int, dict[str, bool]]:
    """Return the labels in a companion file, by the index of the problem, from 0."""
    reading = Journal()
    labels: dict[int, dict[str, bool]] = {}
    for line, row in file.json_objects(reading):
        try:
            index = _index(row)
            if index in labels:
                raise BadRow(f"the index {index} occurs twice")
            labels[index] = _labels(row)
        except BadRow as error:
            reading.fault(BAD_ROW, line, "", str(error))
    for fault in reading.faults:
        # The lines of the journal are those of the file to which this is a companion.
        journal.fault(fault.name, 0, "", f"{file.name}:{fault.line}: {fault.odd}")
    return labels


def _looks_like(file: SourceFile) -> bool:
    first = file.first_object
    has_flag = not _FLAGS.keys().isdisjoint(first)
    return file.is_json_list and has_flag and are_columns_of(first, ("index", *_TEXTS))


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    problems = _in_order(file, journal)
    by_name = {problem.raw_problem.name: problem for problem in problems}
    others = [labels_by_index(companion, journal) for companion in companions]
    groups = list(twins_of_neighbours(problem.raw_problem for problem in problems))
    for group in groups:
        members = [by_name[raw_problem.name] for raw_problem in group.problems]
        for member in members:
            for labels in (member.labels, *(other.get(member.index, {}) for other in others)):
                add_labels(group, member.raw_problem.name, labels)
        if any(member.switched for member in members):
            group.extras["x-switched"] = JOINT.join(
                f"{member.raw_problem.name}: {member.switched}" for member in members
            )
    return groups


def _in_order(file: SourceFile, journal: Journal) -> list[_Labelled]:
    """The problems that can be used, sorted by their index."""
    problems: list[_Labelled] = []
    for line, row in file.json_objects(journal):
        try:
            problems.append(_labelled(line, row, journal))
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
    ordered = sorted(problems, key=lambda problem: problem.index)
    if ordered != problems:
        odd = "the problems are not in the order of their index"
        journal.step(INDEX_ORDER, 0, "", odd, "sorted, so that twins are neighbours")
    return ordered


def _labelled(line: int, row: dict[str, Any], journal: Journal) -> _Labelled:
    index = _index(row)
    name = str(index)
    sentence, first, second, right = texts_of(row, *_TEXTS)
    pieces = _PRONOUN.split(sentence)
    if len(pieces) != 3:
        raise BadRow(f"problem {name}: {len(pieces) // 2} pronouns in brackets; one is expected")
    before, pronoun, after = pieces
    if right not in (first, second):
        raise BadRow(f"problem {name}: the right answer {right!r} is not one of the two")
    options = ((first,), (second,))
    raw_problem = RawProblem(name, line, (before, after), options, int(right == second), pronoun)
    switched = row.get("sentence_switched", "")
    if not isinstance(switched, str):
        raise BadRow(f"problem {name}: 'sentence_switched' is not a string")
    kept = trimmed(switched, lambda step: journal.step(step, line, name, "", "cleaned"))
    if kept.lower() == sentence.lower():
        journal.oddity(NOT_SWITCHED, line, name, "the switched sentence equals the original")
    return _Labelled(index, fitted(raw_problem, journal), _labels(row), kept)


def _index(row: dict[str, Any]) -> int:
    index = row.get("index")
    if type(index) is not int or index < 0:
        raise BadRow(f"the index {index!r} is not a number from 0")
    return index


def _labels(row: dict[str, Any]) -> dict[str, bool]:
    labels = {}
    for field, flag in _FLAGS.items():
        if field in row:
            if row[field] not in (0, 1):
                raise BadRow(f"{field!r} is {row[field]!r}, where 0 or 1 is expected")
            labels[flag] = bool(row[field])
    if not labels:
        raise BadRow(f"no field {' or '.join(map(repr, _FLAGS))}")
    return labels


def add_labels(group: RawEntry, name: str, labels: Mapping[str, bool]) -> None:
    """Flag the schema with the labels that hold for one of its problems; record which one."""
    for flag, holds in labels.items():
        group.flags[flag] = group.flags.get(flag, False) or holds
        if holds:
            listed = group.extras.get(f"x-{flag}")
            group.extras[f"x-{flag}"] = f"{listed}, {name}" if listed else name


FORMAT = Format(
    name="trichelair",
    title="the WSC273 with the labels of Trichelair et al.",
    looks_like=_looks_like,
    read=_read,
    twins=NEIGHBOURS,
    repairs=REPAIRS,
    issues={
        INDEX_ORDER: "problems are not in the order of their index; they were sorted",
        NOT_SWITCHED: "a sentence and its switched sentence are the same",
    },
    companions="the other of the two files, joined by index",
    contiguous=True,
)
