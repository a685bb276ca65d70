"""The text files of Maler's thesis: WSC266 and WSC273, their perturbations, Reid250, its dyads.

The first line describes the file, the second names the mode of solution, every further line is a
problem: a key of six parts, the statement with `*target*` for the blank, two options, the label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from horsesense.datasets.importers.format import Companions, Format, numbered_label
from horsesense.datasets.importers.recipes.wsc266 import CANDIDATE_REPAIRS as CANDIDATES
from horsesense.datasets.importers.recipes.wsc266 import (
    WIDER_KEYS,
    mark_candidates,
    widen_keys,
)
from horsesense.datasets.importers.source import BadRow, SourceFile
from horsesense.datasets.recovery import (
    BY_MARK,
    UNKNOWN_PRONOUN,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
)
from horsesense.errors import FileError
from horsesense.schema import Mode

# The files say «by value» for what is guessed by boolean.
MODES = {"by answer": Mode.BY_ANSWER, "by key": Mode.BY_KEY, "by value": Mode.BY_BOOLEAN}
JOINT = "¶"
# The files whose rows are those of WSC266: the whole, and its two parts.
_ORIGINAL = re.compile(
    r"dataset name: wsc266; perturbation: (original|associative|original minus associative); "
    r"baseline: no baseline"
)
_DATASET = re.compile(r"dataset name: (\w+)")
# type / schema in this file / letter / schema in the collection / problem here / in the collection
_ROW = re.compile(r"([stw])/ *(\d+)/ *([a-z]+)/ *(\d+)/ *(\d+)/ *(\d+): (.*)")


def _looks_like(file: SourceFile) -> bool:
    lines = file.head.splitlines()
    return len(lines) > 2 and lines[1] in MODES and lines[0].startswith("schema type:")


def _description(file: SourceFile) -> str:
    if not _looks_like(file):
        return ""
    first = file.head.splitlines()[0].strip(" ")
    return first if first.isprintable() else ""


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    lines = file.head.splitlines()
    if len(lines) < 3 or lines[1] not in MODES:
        raise FileError(f"{file.name}:2: no mode of solution: {', '.join(MODES)}")
    mode = MODES[lines[1]]
    is_dyad = "dyad" in lines[0]
    groups: dict[str, RawEntry] = {}
    for letter, number, raw_problem in _problems(file, journal):
        places = 2 if letter == "t" else 1
        new = RawEntry(number, [], mode=mode, is_dyad=is_dyad, key_places=places)
        group = groups.setdefault(number, new)
        group.problems.append(raw_problem)
    _complete(list(groups.values()), mode, lines[0], journal)
    return groups.values()


def _complete(groups: list[RawEntry], mode: Mode, description: str, journal: Journal) -> None:
    """Add what the published perturbations show about the schemas of these datasets."""
    name = _DATASET.search(description)
    if name and mode is not Mode.BY_KEY:
        widen_keys(groups, name[1], journal)
    if _ORIGINAL.search(description) and mode is Mode.BY_ANSWER:
        mark_candidates(groups, journal)


def _problems(file: SourceFile, journal: Journal) -> Iterator[tuple[str, str, RawProblem]]:
    for line, text in file.lines(journal):
        if line <= 2 or not text:
            continue
        try:
            yield _problem(line, text)
        except BadRow as error:
            journal.fault(error.issue, line, "", str(error))


def _problem(line: int, text: str) -> tuple[str, str, RawProblem]:
    row = _ROW.fullmatch(text)
    if row is None:
        raise BadRow(
            "not a line of the format thesis-text: type/number/letter/number/number/number: …"
        )
    fields = row[7].split("&")
    if len(fields) != 4:
        raise BadRow(f"{len(fields)} fields where statement, two options and label are expected")
    statement, first, second, label = fields
    texts = tuple(re.split(r"\*target2?\*", statement))
    options = tuple(tuple(option.split(JOINT)) for option in (first, second))
    if not 1 < len(texts) < 4 or any(len(option) != len(texts) - 1 for option in options):
        raise BadRow(f"{len(texts) - 1} blanks, and options for {[len(o) for o in options]}")
    right = numbered_label(label, 2, first=0)
    pronoun = UNKNOWN_PRONOUN if row[1] == "w" else ""
    return row[1], row[4], RawProblem(row[6], line, texts, options, right, pronoun)


FORMAT = Format(
    name="thesis-text",
    title="the text files of Maler (2023)",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "the numbers of their schemas"),
    repairs={
        WIDER_KEYS: "key phrases get the words that the inverted files of Maler (2023) give them",
        **CANDIDATES,
    },
    contiguous=True,
    is_bare=True,
    # The exporter of the same format writes this line again.
    describe=_description,
)
