"""The perturbed WSC of Abdou et al., the table: every problem with up to ten other wordings.

The problems are the originals. Seven columns are versions of the same schemas; three are
controls, which are kept in fields. A wording that does not apply is `-`. The state that was
released and an earlier one name some columns differently.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.formats.winogrande import FIELDS, LABEL, read_option_row
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import (
    BY_MARK,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
    is_possessive_place,
    lowered_answer,
)
from horsesense.schema import Phrases, capitalise, is_possessive, possessive

SEARCHED, MISTAKEN, CASE = "pronoun-searched", "pronoun-mistaken", "pronoun-case"
CAPITALS, OWNED = "answer-capitals", "possessive-answers"
REPAIRS = {
    SEARCHED: "the pronoun is not at the stated position; the nearest one is used",
    MISTAKEN: "another such pronoun is at the stated position; the text after shows the right one",
    CASE: "the plural of a possessive pronoun is «their», not «they»",
    CAPITALS: "lower-case answers are capitalized as in their text",
}
NOT_GIVEN = ("", "-")
_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One column of texts, which may have two names, and the columns that belong to it."""

    name: str
    columns: tuple[str, ...]
    position: str
    pronoun: str = "pron"
    answers: str = ""

    def text(self, row: Mapping[str, str]) -> str:
        """The text in a row; nothing where the wording does not apply."""
        text = next((row[column] for column in self.columns if column in row), "")
        return "" if text.strip() in NOT_GIVEN else text


ORIGINAL = TextColumn("original", ("text_original",), "pron_index")
VERSIONS = (
    TextColumn("tense", ("text_tense",), "pron_index_tense"),
    TextColumn("number", ("text_number",), "pron_index_number", "pron_number", "_number"),
    TextColumn("gender", ("text_gender",), "pron_index_gender", "pron_gender", "_gender"),
    TextColumn("voice", ("text_voice",), "pron_index_voice"),
    TextColumn("relative-clause", ("text_rel_clause", "text_rel_1"), "pron_index_rel"),
    TextColumn("adverb", ("text_adverb",), "pron_index_adverb"),
    TextColumn("synonym", ("text_syn",), "pron_index_syn", answers="_syn"),
)
CONTROLS = (
    TextColumn("random-context", ("text_random_context", "text_context"), "pron_index_context"),
    TextColumn("scrambled", ("text_scrambled",), "pron_index_scrambled"),
    TextColumn("freqnoun", ("text_freqnoun",), "pron_index_freqnoun"),
)


@dataclass(frozen=True, slots=True)
class WscRow:
    """A row: its line and name, its right answer, and whether only the last pronoun will do."""

    line: int
    name: str
    row: Mapping[str, str]
    right: int
    is_last: bool = False


class WordingReader:
    """Reads the wordings of problems; repairs of the whole file are journaled once."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    @cached_property
    def _restores_capitals(self) -> bool:
        odd, done = "answers are in lower case where their texts are not", "spelt as in the texts"
        return self.journal.repair(CAPITALS, 0, "", odd, done)

    def raw_problem(
        self, problem: WscRow, wording: TextColumn, after: str = ""
    ) -> RawProblem | None:
        """The problem in that wording, if it applies; `after` follows the original's pronoun."""
        text = wording.text(problem.row)
        if not text:
            return None
        pronoun = problem.row.get(wording.pronoun, "").strip()
        answers = [problem.row.get(f"answer_{one}{wording.answers}", "").strip() for one in "ab"]
        if pronoun in NOT_GIVEN or any(answer in NOT_GIVEN for answer in answers):
            raise BadRow(f"the pronoun is {pronoun!r}, the answers are {answers}")
        pronoun = self._agreeing(problem, wording, pronoun)
        token = self._token(problem, wording, text, pronoun, after)
        texts = (text[: token.start()], text[token.end() :])
        phrases = self._spelt(answers, text, problem.row["text_original"], token[0])
        options = self._owned(problem, wording, phrases, token[0], texts[1])
        return RawProblem(problem.name, problem.line, texts, options, problem.right, token[0])

    def _agreeing(self, problem: WscRow, wording: TextColumn, pronoun: str) -> str:
        """The pronoun, possessive if that of the original is."""
        original = problem.row["pron"].strip()
        if pronoun != "they" or not is_possessive(original):
            return pronoun
        odd = f"{wording.name}: {pronoun!r} cannot stand for {original!r}"
        is_on = self.journal.repair(CASE, problem.line, problem.name, odd, repr("their"))
        return "their" if is_on else pronoun

    def _token(
        self, problem: WscRow, wording: TextColumn, text: str, pronoun: str, after: str
    ) -> re.Match[str]:
        """The pronoun in the text."""
        stated, word = problem.row.get(wording.position, "").strip(), pronoun.lower()
        position = int(stated) if stated.isdecimal() and len(stated) < 5 else -1
        words = text.lower().split()
        positions = _positions_of(word, words)
        if not positions:
            raise BadRow(f"the pronoun {pronoun!r} does not occur")
        best = _best_place(words, positions, position, after, is_last=problem.is_last)
        if best != position and not problem.is_last:
            is_inside = 0 <= position < len(words)
            name, actual = SEARCHED, repr(words[position]) if is_inside else "nothing"
            if position in positions:
                name, actual = MISTAKEN, "another one"
            odd = f"{wording.name}: at the position {stated!r} of {pronoun!r} is {actual}"
            if not self.journal.repair(name, problem.line, problem.name, odd, f"position {best}"):
                if not is_inside:
                    raise BadRow(f"the text has no position {stated!r}")
                best = position
        return next(islice(_TOKEN.finditer(text), best, None))

    def _spelt(self, answers: list[str], text: str, original: str, pronoun: str) -> list[str]:
        """The answers with the capitals they have in the text, or need to open a sentence."""
        flat = " ".join(text.split())
        if flat == flat.lower() and not pronoun[:1].isupper():
            return answers
        # Where the text spells them otherwise, as with scrambled letters, the original helps.
        flat = f"{flat} \n {' '.join(original.split())}"
        lowered = flat.lower()
        spelt = [_as_in(flat, lowered, answer) for answer in answers]
        if pronoun[:1].isupper():
            spelt = [capitalise(phrase) for phrase in spelt]
        return spelt if spelt != answers and self._restores_capitals else answers

    def _owned(
        self, problem: WscRow, wording: TextColumn, phrases: list[str], pronoun: str, after: str
    ) -> tuple[Phrases, ...]:
        """The answers as they stand in the blank: owners where the pronoun is possessive."""
        is_her = pronoun.lower() == "her" and is_possessive_place(after.replace('"', ""))
        if is_her or is_possessive(pronoun):
            owners = [possessive(phrase, pronoun) for phrase in phrases]
            odd, done = f"{wording.name}: {pronoun!r} is possessive", " / ".join(owners)
            self.journal.step(OWNED, problem.line, problem.name, odd, done)
            phrases = owners
        return tuple((phrase,) for phrase in phrases)


def _positions_of(word: str, words: Sequence[str]) -> list[int]:
    positions: list[int] = []
    position = -1
    for _ in range(words.count(word)):
        position = words.index(word, position + 1)
        positions.append(position)
    return positions


def _best_place(
    words: Sequence[str], places: Sequence[int], position: int, after: str, *, is_last: bool
) -> int:
    """Which of these places of the pronoun is meant."""
    if len(places) == 1:
        return places[0]
    if after:
        followed = [n for n in places if " ".join(words[n + 1 :]).startswith(after)]
        if len(followed) == 1:
            return followed[0]
    return places[-1] if is_last else min(places, key=lambda n: abs(n - position))


def _as_in(text: str, lowered: str, answer: str) -> str:
    """The answer as the text spells it, an article without the capital of its sentence."""
    phrase = " ".join(answer.lower().split())
    start = lowered.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        if not lowered[start - 1 : start].isalnum() and not lowered[end : end + 1].isalnum():
            return lowered_answer(text[start:end])
        start = lowered.find(phrase, end)
    return answer


ROW_271 = "row-271"
LABEL_SPELLING, CONTROL_TEXTS, UNUSABLE = "label-spelling", "control-texts", "wording-unusable"
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


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    reader = WordingReader(journal)
    groups: dict[str, RawEntry] = {}
    rows: dict[str, list[Mapping[str, str]]] = {}
    for line, row in file.tsv_rows(journal):
        try:
            raw_problem, wordings = _problem(line, row, reader)
        except BadRow as error:
            journal.fault(BAD_ROW, line, str(line - 1), str(error))
            continue
        pair = row["pair_number"].strip()
        group = groups.setdefault(pair, RawEntry(pair, []))
        group.problems.append(raw_problem)
        rows.setdefault(pair, []).append(row)
        for name, wording in wordings:
            group.versions.setdefault(name, []).append(wording)
    for pair, group in groups.items():
        set_flags(group, rows[pair], journal)
    if any(control.name in group.versions for group in groups.values() for control in CONTROLS):
        odd = f"{', '.join(control.name for control in CONTROLS)}: no versions of a schema"
        journal.oddity(CONTROL_TEXTS, 0, "", odd, "each is kept in a separate field")
    return groups.values()


def _problem(
    line: int, row: dict[str, str], reader: WordingReader
) -> tuple[RawProblem, list[tuple[str, RawProblem]]]:
    """The problem of a row, and its other wordings by their names."""
    texts_of(row, *_REQUIRED)
    check_flags(row)
    problem = _labelled(line, row, reader.journal)
    original = reader.raw_problem(problem, ORIGINAL)
    if original is None:
        raise BadRow("there is not a string")
    after = " ".join(original.texts[1].lower().split())
    extras: list[tuple[str, str]] = []
    if (word := row.get("discrim_word", "").strip()) not in NOT_GIVEN:
        extras.append(("x-discrim-word", word))
    wordings: list[tuple[str, RawProblem]] = []
    for wording in (*VERSIONS, *CONTROLS):
        try:
            if raw_problem := reader.raw_problem(problem, wording, after):
                wordings.append((wording.name, raw_problem))
        except BadRow as error:
            odd, field = f"{wording.name}: {error}", f"x-{wording.name}"
            reader.journal.oddity(UNUSABLE, line, problem.name, odd, f"kept as {field}")
            extras.append((field, wording.text(row).strip()))
    return original._replace(extras=tuple(extras)), wordings


def _labelled(line: int, row: dict[str, str], journal: Journal) -> WscRow:
    """The row with its label, and with the faulty one put right."""
    name, label = str(line - 1), row["correct_answer"]
    letter = label.rstrip(" .")
    if letter not in ("A", "B"):
        raise BadRow(f"the label {label!r} is neither A nor B")
    if letter != label:
        journal.step(LABEL_SPELLING, line, name, repr(label), repr(letter))
    if (name, row["pron"], row["pron_index"], letter) == ("271", "her", "5", "A"):
        odd = "the pronoun is not at position 5, and the WSC's answer is not A"
        if journal.repair(ROW_271, line, name, odd, "the last of the pronouns, and B"):
            return WscRow(line, name, row, 1, is_last=True)
    return WscRow(line, name, row, "AB".index(letter))


def check_flags(row: Mapping[str, object]) -> None:
    """Refuse flags that are neither 0 nor 1 nor left out."""
    for name in FLAGS:
        if str(row.get(name, "")) not in ("0", "1", ""):
            raise BadRow(f"{name} is {row[name]!r}, neither 0 nor 1")


def set_flags(group: RawEntry, rows: Sequence[Mapping[str, object]], journal: Journal) -> None:
    """Say of a schema what is said of its problems; one of them is enough for yes."""
    for name in FLAGS:
        values = [str(row.get(name, "")) for row in rows]
        known = set(values) - {""}
        if known:
            group.flags[name] = "1" in known
        if len(known) > 1:
            first, odd = group.problems[0], f"{name} is {' and '.join(values)}"
            done = f"the schema is, and x-{name} says of which problem"
            journal.oddity(FLAGS_DIFFER, first.line, first.name, odd, done)
            group.problems = [
                problem._replace(extras=(*problem.extras, (f"x-{name}", value)))
                for problem, value in zip(group.problems, values, strict=True)
            ]


FORMAT = Format(
    name="perturbed-wsc",
    title="the perturbed WSC of Abdou et al., the table",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_MARK, "their pair_number"),
    repairs={**REPAIRS, ROW_271: "problem 271 gets the WSC's pronoun and answer"},
    issues={
        LABEL_SPELLING: "a label has a space or a full stop after its letter",
        OWNED: "the pronoun is possessive, so the answers are made possessive",
        CONTROL_TEXTS: "texts with other contexts or with noise are kept in fields",
        UNUSABLE: "another wording has no pronoun or no answers; kept as text",
        FLAGS_DIFFER: "the problems of a schema are flagged differently",
    },
)


MISPLACED, UNANNOTATED = "misplaced-gap", "unannotated-flags"
_PAIR = "pair_number"
_ID = re.compile(r"q([0-7])(\d{1,3})")
PERTURBATIONS = (
    "original",
    "voice",
    "tense",
    "number",
    "gender",
    "relative-clause",
    "synonym",
    "adverb",
)
# In these the gap stands for the first of two pronouns; it belongs where the second last occurs.
_PRONOUNS = {
    **dict.fromkeys(("q0270", "q2270", "q5269", "q5270", "q6270", "q7270"), ("her", "her")),
    **dict.fromkeys(("q586", "q587", "q5160", "q5161"), ("it", "it")),
    **dict.fromkeys(("q3160", "q3161"), ("they", "they")),
    **dict.fromkeys(("q3220", "q3221", "q3273", "q3274"), ("they", "their")),
    "q4270": ("his", "his"),
    "q5249": ("she", "she"),
    "q5254": ("he", "he"),
}
# The problems whose pronoun is possessive, which the answers do not show.
_POSSESSIVE = frozenset(
    (208, 209, *range(216, 222), *range(228, 238), *range(240, 246), 269, 270, *range(273, 277))
)
_FAULTY, _FAULTY_PAIR = 270, 134
# Nobody annotated the problems that came to the WSC later; the files say 0 there.
_ANNOTATED = 273


def _looks_like_jsonl(file: SourceFile) -> bool:
    needed = (*FIELDS, _PAIR)
    return not file.is_json_list and are_columns_of(file.first_object, needed, answer=LABEL)


def _read_jsonl(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    groups: dict[str, RawEntry] = {}
    rows: dict[str, list[Mapping[str, object]]] = {}
    for line, row in file.json_lines(journal):
        try:
            raw_problem = read_option_row(line, row)
            check_flags(row)
            pair = row.get(_PAIR)
            if isinstance(pair, bool) or not isinstance(pair, int):
                raise BadRow(f"the pair_number {pair!r} is not a number")
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        perturbation, number = _from_id(raw_problem.name)
        raw_problem = _mended(raw_problem, perturbation, number, pair, journal)
        tags = (perturbation,) if perturbation else ()
        groups.setdefault(str(pair), RawEntry(str(pair), [], tags=tags)).problems.append(
            raw_problem
        )
        rows.setdefault(str(pair), []).append(_flags(row, raw_problem, number, journal))
    for name, group in groups.items():
        set_flags(group, rows[name], journal)
    return groups.values()


def _from_id(name: str) -> tuple[str, int]:
    """The perturbation and the number of the problem in the WSC, from 0; or neither."""
    parts = _ID.fullmatch(name)
    return (PERTURBATIONS[int(parts[1])], int(parts[2])) if parts else ("", -1)


def _mended(
    raw_problem: RawProblem, perturbation: str, number: int, pair: int, journal: Journal
) -> RawProblem:
    """The problem with its gap in the right place, its answers made to fit, and its label right."""
    texts = _with_gap_moved(raw_problem)
    is_placed = texts is None
    if texts is not None:
        odd, done = "the gap is at another pronoun", "put where it belongs"
        if is_placed := journal.repair(MISPLACED, raw_problem.line, raw_problem.name, odd, done):
            raw_problem = raw_problem._replace(texts=texts)
    if number in _POSSESSIVE and is_placed:
        odd, done = "the gap replaces a possessive pronoun", "the answers are possessive too"
        if journal.repair(OWNED, raw_problem.line, raw_problem.name, odd, done):
            owner = "their" if perturbation == "number" else "his"
            options = tuple((possessive(phrase, owner),) for (phrase,) in raw_problem.options)
            raw_problem = raw_problem._replace(options=options)
    if (number, pair, raw_problem.right) == (_FAULTY, _FAULTY_PAIR, 0):
        odd, done = "the WSC's answer is not the first", "the second"
        if journal.repair(ROW_271, raw_problem.line, raw_problem.name, odd, done):
            raw_problem = raw_problem._replace(right=1)
    return raw_problem


def _with_gap_moved(raw_problem: RawProblem) -> tuple[str, str] | None:
    """The texts around the place of the pronoun, where the gap is known to be elsewhere."""
    mistaken, pronoun = _PRONOUNS.get(raw_problem.name, ("", ""))
    before, is_there, after = raw_problem.texts[1].rpartition(f" {pronoun} ")
    if not pronoun or not is_there:
        return None
    return f"{raw_problem.texts[0]}{mistaken}{before} ", f" {after}"


def _flags(
    row: dict[str, Any], raw_problem: RawProblem, number: int, journal: Journal
) -> Mapping[str, object]:
    """Return the value of a field, unless it says that it is unknown."""
    if number >= _ANNOTATED and any(row.get(name) == 0 for name in FLAGS):
        odd, done = "0 for a problem that nobody has annotated", "left open"
        if journal.repair(UNANNOTATED, raw_problem.line, raw_problem.name, odd, done):
            return {}
    return row


FORMAT_JSONL = Format(
    name="perturbed-wsc-jsonl",
    title="the perturbed WSC of Abdou et al., JSON lines",
    looks_like=_looks_like_jsonl,
    read=_read_jsonl,
    twins=Twins(BY_MARK, "their pair_number"),
    repairs={
        MISPLACED: "a gap that replaces another pronoun is moved",
        OWNED: "answers are made possessive where the pronoun was",
        ROW_271: "problem 271 gets the WSC's answer",
        UNANNOTATED: "flags of the last twelve problems, never annotated, are left open",
    },
    issues={FLAGS_DIFFER: "the problems of a schema are flagged differently"},
)
