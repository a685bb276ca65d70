"""The perturbed WSC of Abdou et al., the table: every problem with up to ten other wordings.

The problems are the originals. Seven columns are versions of the same schemas; three are
controls, which are kept in fields. A wording that does not apply is `-`. The state that was
released and an earlier one name some columns differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.formats.perturbed_wordings import (
    CONTROLS,
    NOT_GIVEN,
    ORIGINAL,
    OWNED,
    REPAIRS,
    VERSIONS,
    Problem,
    WordingReader,
)
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import BY_MARK, Group, Journal, RawProblem, Twins

ROW_271 = "row-271"
LABEL, CONTROL_TEXTS, UNUSABLE = "label-spelling", "control-texts", "wording-unusable"
FLAGS_DIFFER = "flags-differ"
FLAGS = ("associative", "switchable")
_REQUIRED = (
    "text_original",
    "pron",
    "pron_index",
    "pair_number",
    "answer_a",
    "answer_b",
    "correct_answer",
)


def _looks_like(file: SourceFile) -> bool:
    return are_columns_of(file.headings("\t"), _REQUIRED)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    reader = WordingReader(journal)
    groups: dict[str, Group] = {}
    rows: dict[str, list[Mapping[str, str]]] = {}
    for line, row in file.tsv_rows(journal):
        try:
            found, wordings = _problem(line, row, reader)
        except BadRow as error:
            journal.fault(BAD_ROW, line, str(line - 1), str(error))
            continue
        pair = row["pair_number"].strip()
        group = groups.setdefault(pair, Group(pair, []))
        group.found.append(found)
        rows.setdefault(pair, []).append(row)
        for name, wording in wordings:
            group.versions.setdefault(name, []).append(wording)
    for pair, group in groups.items():
        set_flags(group, rows[pair], journal)
    if any(control.name in group.versions for group in groups.values() for control in CONTROLS):
        odd = f"{', '.join(control.name for control in CONTROLS)}: no versions of a schema"
        journal.oddity(CONTROL_TEXTS, 0, "", odd, "each is kept in a field of its own")
    return groups.values()


def _problem(
    line: int, row: dict[str, str], reader: WordingReader
) -> tuple[RawProblem, list[tuple[str, RawProblem]]]:
    """The problem of a row, and its other wordings by their names."""
    texts_of(row, *_REQUIRED)
    check_flags(row)
    problem = _labelled(line, row, reader.journal)
    original = reader.found(problem, ORIGINAL)
    if original is None:
        raise BadRow("there is no text")
    after = " ".join(original.texts[1].lower().split())
    extras: list[tuple[str, str]] = []
    if (word := row.get("discrim_word", "").strip()) not in NOT_GIVEN:
        extras.append(("x-discrim-word", word))
    wordings: list[tuple[str, RawProblem]] = []
    for wording in (*VERSIONS, *CONTROLS):
        try:
            if found := reader.found(problem, wording, after):
                wordings.append((wording.name, found))
        except BadRow as error:
            odd, field = f"{wording.name}: {error}", f"x-{wording.name}"
            reader.journal.oddity(UNUSABLE, line, problem.name, odd, f"kept as {field}")
            extras.append((field, wording.text(row).strip()))
    return original._replace(extras=tuple(extras)), wordings


def _labelled(line: int, row: dict[str, str], journal: Journal) -> Problem:
    """The row with its label, and with the faulty one put right."""
    name, label = str(line - 1), row["correct_answer"]
    letter = label.rstrip(" .")
    if letter not in ("A", "B"):
        raise BadRow(f"the label {label!r} is neither A nor B")
    if letter != label:
        journal.step(LABEL, line, name, repr(label), repr(letter))
    if (name, row["pron"], row["pron_index"], letter) == ("271", "her", "5", "A"):
        odd = "the pronoun is not at position 5, and the WSC's answer is not A"
        if journal.repair(ROW_271, line, name, odd, "the last of the pronouns, and B"):
            return Problem(line, name, row, 1, is_last=True)
    return Problem(line, name, row, "AB".index(letter))


def check_flags(row: Mapping[str, object]) -> None:
    """Refuse flags that are neither 0 nor 1 nor left out."""
    for name in FLAGS:
        if str(row.get(name, "")) not in ("0", "1", ""):
            raise BadRow(f"{name} is {row[name]!r}, neither 0 nor 1")


def set_flags(group: Group, rows: Sequence[Mapping[str, object]], journal: Journal) -> None:
    """Say of a schema what is said of its problems; one of them is enough for yes."""
    for name in FLAGS:
        given = [str(row.get(name, "")) for row in rows]
        known = set(given) - {""}
        if known:
            group.flags[name] = "1" in known
        if len(known) > 1:
            first, odd = group.found[0], f"{name} is {' and '.join(given)}"
            done = f"the schema is, and x-{name} says of which problem"
            journal.oddity(FLAGS_DIFFER, first.line, first.name, odd, done)
            group.found = [
                one._replace(extras=(*one.extras, (f"x-{name}", value)))
                for one, value in zip(group.found, given, strict=True)
            ]


FORMAT = Format(
    name="perturbed-wsc",
    title="the perturbed WSC of Abdou et al., the table",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "their pair_number"),
    repairs={**REPAIRS, ROW_271: "problem 271 gets the WSC's pronoun and answer"},
    issues={
        LABEL: "a label has a space or a full stop after its letter",
        OWNED: "the pronoun is possessive, and so the answers are made so",
        CONTROL_TEXTS: "texts with other contexts or with noise are kept in fields",
        UNUSABLE: "another wording lacks its pronoun or its answers; kept as text",
        FLAGS_DIFFER: "the problems of a schema are flagged differently",
    },
)
