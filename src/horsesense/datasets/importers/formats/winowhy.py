"""WinoWhy: reasons for the answers of the WSC, each judged right or wrong.

The labels belong to reasons, so each reason is a problem of its own:

    TEXT Here "it" means "the lorry", because REASON. This reason is ___.

That is the JSON file, which has undecided reasons too; they are left out. The CSV file has the
others only, in the words of its authors, and in `wsc_num` the number of their problem from 0.
Reasons about the same schema of the WSC are one cluster. The categories of knowledge are in a third
file, by problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import (
    Companions,
    Format,
    TextSpan,
    fit_tag,
    numbered_label,
)
from horsesense.datasets.importers.formats.glue import quoted
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import NO_TWINS, Journal, RawEntry, RawProblem, Twins
from horsesense.errors import FileError
from horsesense.schema import CLUSTER, with_full_stop

_UNDECIDED, _UNKNOWN = "undecided", "unknown-problem"
_ISSUES = {_UNDECIDED: "the annotators did not agree whether the reason is right"}
_ISSUES_WITH_CATEGORIES = {
    **_ISSUES,
    _UNKNOWN: "the file of categories names problems that are not in the file",
}
_WSC = "x-wsc273"
_TAG = "right-or-wrong"
_OPTIONS = (("right",), ("wrong",))
_FIELDS = ("text", "answers", "correctAnswer", "reasons")
_VERDICTS = {"Valid": 0, "Invalid": 1, "Undecided": None}
_MARKS = (".", ",", ";", ":", "!", "?")
_LETTER = re.compile(r"\s*([AB])\s*\.?\s*")
_ALONE = Twins(NO_TWINS, "each reason is a problem of its own")
# The third problem of a schema, counted from 0; all other schemas of the WSC have two.
_THIRD = 254


def _looks_like(file: SourceFile) -> bool:
    first = file.first_object
    return are_columns_of(first, _FIELDS) and isinstance(first["reasons"], list)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    categories = _categories(companions)
    objects = list(file.json_objects(journal))
    _report_unknown(categories, range(len(objects)), journal)
    for number, (line, row) in enumerate(objects):
        listed = row.get("reasons")
        reasons = listed if isinstance(listed, list) else []
        try:
            claim = _claim(row)
            if not reasons:
                raise BadRow("no list of reasons")
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error), left_out=len(reasons))
            continue
        for place, reason in enumerate(reasons, start=1):
            name = f"{number + 1}-{place}"
            try:
                entry = _entry(name, line, claim, reason, journal)
            except BadRow as error:
                journal.fault(BAD_ROW, line, name, str(error))
                continue
            if entry:
                yield _with_problem(entry, number, categories)


def _claim(row: dict[str, Any]) -> str:
    """The text, and which answer its pronoun stands for."""
    text, answers = row.get("text"), row.get("answers")
    if not isinstance(text, dict) or not isinstance(answers, list) or len(answers) != 2:
        raise BadRow("no text, or no two answers")
    before, pronoun, after = texts_of(text, "txt1", "pron", "txt2")
    (correct,) = texts_of(row, "correctAnswer")
    letter = _LETTER.fullmatch(correct)
    if letter is None:
        raise BadRow(f"the right answer is {correct!r}, neither A nor B")
    answer = answers["AB".index(letter[1])]
    if not isinstance(answer, str) or not pronoun.strip():
        raise BadRow("the answer is not a string, or there is no pronoun")
    start = f"{before.strip()} ".lstrip()
    blank = TextSpan(len(start), len(start) + len(pronoun.strip()))
    space = "" if after.strip().startswith(_MARKS) else " "
    whole = f"{start}{pronoun.strip()}{space}{after.strip()}".rstrip()
    return f'{with_full_stop(whole)} Here {quoted(whole, blank)} means "{answer.strip()}"'


def _entry(name: str, line: int, claim: str, reason: Any, journal: Journal) -> RawEntry | None:
    """The problem of a reason; None for one that is undecided."""
    if not isinstance(reason, list) or len(reason) != 4:
        raise BadRow("a reason does not have its text, origin, share and verdict")
    text, origin, share, verdict = reason
    if not isinstance(text, str) or not isinstance(origin, str) or not text.strip():
        raise BadRow("a reason is not a string")
    if not isinstance(share, int | float):
        raise BadRow(f"the share {share!r} is not a number")
    if not isinstance(verdict, str) or verdict not in _VERDICTS:
        raise BadRow(f"{verdict!r} is neither Valid nor Invalid nor Undecided")
    right = _VERDICTS[verdict]
    if right is None:
        journal.oddity(_UNDECIDED, line, name, f"share {share}", "left out", left_out=1)
        return None
    words = f"{claim}, because {with_full_stop(text.strip())}"
    problem = _problem(name, line, words, right)
    tags = tuple(filter(None, (_TAG, fit_tag(origin))))
    return RawEntry(name, [problem], tags=tags, extras={"x-share": str(share)})


def _problem(name: str, line: int, words: str, right: int | None) -> RawProblem:
    return RawProblem(name, line, (f"{words} This reason is ", "."), _OPTIONS, right)


def _with_problem(
    entry: RawEntry, number: int, categories: Mapping[int, tuple[str, ...]]
) -> RawEntry:
    """The entry with the number of its problem of the WSC, and its categories."""
    entry.tags += (*categories.get(number, ()), _cluster(number))
    entry.extras[_WSC] = str(number + 1)
    return entry


def _cluster(number: int) -> str:
    """The tag that the reasons for all problems of a schema of the WSC share."""
    return f"{CLUSTER}wsc-{number // 2 if number < _THIRD else (number - 1) // 2}"


def _categories(companions: Companions) -> dict[int, tuple[str, ...]]:
    """The tags of the problems, by their number from 0."""
    tags: dict[int, tuple[str, ...]] = {}
    for companion in companions:
        listed = companion.json()
        if not isinstance(listed, dict) or not all(map(_are_numbers, listed.values())):
            raise FileError(
                f"{companion.name}: not a JSON object with a list of problems for each category"
            )
        for category, numbers in listed.items():
            if tag := fit_tag(category):
                for number in dict.fromkeys(numbers):
                    tags[number] = (*tags.get(number, ()), tag)
    return tags


def _are_numbers(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(number, int) and not isinstance(number, bool) for number in value
    )


def _report_unknown(
    categories: Mapping[int, Sequence[str]], known: Iterable[int], journal: Journal
) -> None:
    if unknown := categories.keys() - set(known):
        numbers = "1 number" if len(unknown) == 1 else f"{len(unknown)} numbers"
        journal.oddity(_UNKNOWN, 0, "", f"{numbers} that no problem has", "ignored")


FORMAT = Format(
    name="winowhy",
    title="WinoWhy, JSON",
    looks_like=_looks_like,
    read=_read,
    twins=_ALONE,
    issues=_ISSUES_WITH_CATEGORIES,
    companions="the categories of knowledge, with a list of problems for each",
)


_COLUMNS = ("sentence", "wnli_sent1", "wnli_sent2", "wsc_num")
_KNOWN = ("label", "fold_num")


def _looks_like_csv(file: SourceFile) -> bool:
    return are_columns_of(file.headings(","), _COLUMNS, _KNOWN)


def _read_csv(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    categories = _categories(companions)
    numbers: set[int] = set()
    for place, (line, row) in enumerate(file.csv_rows(journal), start=1):
        try:
            sentence, digits = texts_of(row, "sentence", "wsc_num")
            number, right = _number(digits), numbered_label(row.get("label"), 2, first=0)
            if not sentence.strip():
                raise BadRow("the sentence is empty")
        except BadRow as error:
            journal.fault(error.issue, line, str(place), str(error))
            continue
        numbers.add(number)
        # The label 1 says that the reason is right, which is the first option.
        label = None if right is None else 1 - right
        problem = _problem(str(place), line, with_full_stop(sentence.strip()), label)
        yield _with_problem(RawEntry(problem.name, [problem], tags=(_TAG,)), number, categories)
    _report_unknown(categories, numbers, journal)


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 6:
        raise BadRow(f"the number of the problem is {text!r}")
    return int(text)


FORMAT_CSV = Format(
    name="winowhy-csv",
    title="WinoWhy's decided reasons, CSV",
    looks_like=_looks_like_csv,
    read=_read_csv,
    twins=_ALONE,
    issues=_ISSUES_WITH_CATEGORIES,
    companions=FORMAT.companions,
)
