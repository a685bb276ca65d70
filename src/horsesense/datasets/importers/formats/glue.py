"""The WSC in GLUE (WNLI) and SuperGLUE: claims that a pronoun refers to a candidate.

A row of SuperGLUE gives the spans of pronoun and candidate. A row of WNLI gives a premise and a
hypothesis: a clause of the premise with a candidate instead of the pronoun. They are aligned to
find both: the words around the pronoun begin and end the hypothesis, the rest is the candidate.
Claims about the same pronoun make a problem by answer. A claim without
a partner, and claims of which none or several are right, become problems of true or false:

    PREMISE It is ___ that HYPOTHESIS

where the hypothesis is lower-cased unless it starts with `I` or a name: a word that the file never
writes in lower case, or capitalises inside a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from os.path import commonprefix
from typing import Any, NamedTuple, Protocol, TypeVar

from horsesense.datasets.importers.columns import UNUSED_ISSUE, are_columns_of, reporting_unused
from horsesense.datasets.importers.format import (
    DUPLICATE_ID,
    REPAIRS,
    Companions,
    Format,
    TextSpan,
    fitted,
    marked,
    numbered_label,
    problem_at,
)
from horsesense.datasets.importers.format import (
    ISSUES as FIT_ISSUES,
)
from horsesense.datasets.importers.neighbours import alike_pairs
from horsesense.datasets.importers.source import BAD_LABEL, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import ISSUES as RECOVERY_ISSUES
from horsesense.datasets.recovery import (
    LIKENESS,
    Journal,
    RawEntry,
    RawProblem,
    base_form,
    names_in,
    trimmed,
)
from horsesense.schema import decapitalise, opens_sentences, with_full_stop

LONE = "lone-hypothesis"
NOT_ONE_RIGHT = "not-one-right"
NO_PRONOUN = "no-pronoun"
SAME_CANDIDATE = "same-candidate"
ISSUES = {
    LONE: "no other candidate replaces that pronoun; read as a true-or-false problem",
    NOT_ONE_RIGHT: "none or several candidates are right; read as true-or-false problems",
    NO_PRONOUN: "the pronoun cannot be located; read as a true-or-false problem",
    SAME_CANDIDATE: "rows put the same candidate in the same place; read as one option",
}
TRUE_OR_FALSE = "true-or-false"


class GlueRow(NamedTuple):
    """A row: the candidate that it puts in the place of the pronoun, and the same in words.

    `blank` is where the pronoun stands in the text and `place` where the candidate does, if known.
    """

    name: str
    line: int
    text: str
    wording: str
    candidate: str
    blank: TextSpan | None
    place: TextSpan | None
    is_right: bool | None


class _LabelledRow(Protocol):
    """A row with an id of its own, of which a file says whether it is right."""

    @property
    def name(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def is_right(self) -> bool | None: ...


_Row = TypeVar("_Row", bound=_LabelledRow)


def read_labelled(
    rows: Iterable[tuple[int, dict[str, Any]]],
    journal: Journal,
    read: Callable[[int, dict[str, Any]], _Row],
) -> list[_Row]:
    """Read rows by a function. Bad rows, ids used twice and missing labels are faults."""
    known: dict[str, _Row] = {}
    for line, values in rows:
        try:
            row = read(line, values)
        except BadRow as error:
            journal.fault(error.issue, line, "", str(error))
            continue
        if before := known.get(row.name):
            odd = f"the id {row.name!r} is already used in line {before.line}"
            journal.fault(DUPLICATE_ID, line, row.name, odd)
        else:
            known[row.name] = row
    if all(row.is_right is None for row in known.values()):
        return list(known.values())
    for row in known.values():
        if row.is_right is None:
            odd = "no label, but other problems have one"
            journal.fault(BAD_LABEL, row.line, row.name, odd)
    return [row for row in known.values() if row.is_right is not None]


def by_pronoun(claims: Iterable[GlueRow]) -> list[list[GlueRow]]:
    """The claims about the same pronoun together, in the order in which they first occur."""
    together: dict[tuple[str, TextSpan | None], list[GlueRow]] = {}
    for claim in claims:
        together.setdefault((claim.text, claim.blank), []).append(claim)
    return list(together.values())


def groups_of(together: Iterable[Sequence[GlueRow]], journal: Journal) -> list[RawEntry]:
    """The entries that these claims make, each list of which is about one pronoun."""
    answered: list[RawProblem] = []
    groups: list[RawEntry] = []
    for claims in together:
        if problem := _by_answer(claims, journal):
            answered.append(problem)
        else:
            groups += _by_truth(claims, journal)
    for twins in alike_pairs(answered):
        rows = [row for twin in twins for row in twin.name.split("+")]
        for row in rows:
            journal.belongs(row, rows[0])
        groups.append(RawEntry(rows[0], twins))
    return sorted(groups, key=lambda group: group.problems[0].line)


def _by_answer(claims: Sequence[GlueRow], journal: Journal) -> RawProblem | None:
    """The problem that the candidates make together, if exactly one can be right."""
    first = claims[0]
    options = _options(claims)
    if first.blank is None or len(options) < 2 or _contradicted(options):
        return None
    ordered = sorted((same[0] for same in options), key=_appearance)
    labels = [claim.is_right for claim in ordered]
    if None not in labels and labels.count(True) != 1:
        return None
    name = "+".join(claim.name for claim in claims)
    for same in options:
        for claim in same[1:]:
            odd = f"{claim.candidate!r} also occurs in line {same[0].line}"
            journal.step(SAME_CANDIDATE, claim.line, name, odd, "one option")
    right = None if None in labels else labels.index(True)
    answers = [claim.candidate for claim in ordered]
    found = problem_at(name, first.line, first.text, first.blank, answers, right)
    return fitted(marked(found, [claim.place for claim in ordered], journal), journal)


def _options(claims: Iterable[GlueRow]) -> list[list[GlueRow]]:
    """The claims by their candidates; some files put one to the test twice."""
    options: dict[str, list[GlueRow]] = {}
    for claim in claims:
        options.setdefault(claim.candidate.lower(), []).append(claim)
    return list(options.values())


def _contradicted(options: Iterable[Sequence[GlueRow]]) -> bool:
    """Return whether the same candidate is right in one row and wrong in another."""
    return any(len({claim.is_right for claim in same}) > 1 for same in options)


def _appearance(claim: GlueRow) -> tuple[int, int]:
    """Return the first position of a candidate; candidates that don't occur come last."""
    if claim.place:
        return claim.place.start, claim.line
    start = claim.text.lower().find(base_form(claim.candidate).lower())
    return start if start >= 0 else len(claim.text), claim.line


def _by_truth(claims: Sequence[GlueRow], journal: Journal) -> Iterator[RawEntry]:
    """Each claim for itself."""
    issue, odd = _why_alone(claims)
    for claim in claims:
        journal.oddity(issue, claim.line, claim.name, odd, "asked by itself")
        texts = f"{with_full_stop(claim.text)} It is ", f" that {claim.wording}"
        right = None if claim.is_right is None else int(not claim.is_right)
        found = RawProblem(claim.name, claim.line, texts, (("true",), ("false",)), right)
        yield RawEntry(claim.name, [found], tags=(TRUE_OR_FALSE,))


def _why_alone(claims: Sequence[GlueRow]) -> tuple[str, str]:
    options = _options(claims)
    candidate = claims[0].candidate
    if claims[0].blank is None:
        return NO_PRONOUN, ""
    if _contradicted(options):
        return NOT_ONE_RIGHT, "the same candidate is right in one row and wrong in another"
    if len(options) == 1:
        return LONE, f"only {candidate!r} is put in its place"
    right = sum(same[0].is_right is True for same in options)
    return NOT_ONE_RIGHT, f"{right} of {len(options)} candidates are right"


SEARCHED = "span-searched"
STOP = "stop-in-candidate"
PUNCTUATION = "punctuation-in-pronoun"
MISSING = "candidate-missing"
_FIELDS = ("text", "target", "idx")
_TARGET = ("span1_text", "span1_index", "span2_text", "span2_index")
_MARKS = ".,;:!?"
_WORD = re.compile(r"\w+")
_NOT_BLANK = re.compile(r"\S+")
_LABELS: dict[object, bool | None] = {None: None, "true": True, "false": False}


def _looks_like(file: SourceFile) -> bool:
    first = file.first_object
    target = first.get("target")
    return (
        not file.is_json_list
        and isinstance(target, dict)
        and are_columns_of(first, _FIELDS, ["label"])
        and are_columns_of(target, _TARGET)
    )


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    found = read_labelled(file.json_lines(journal), journal, partial(_claim, journal))
    return groups_of(by_pronoun(found), journal)


def _claim(journal: Journal, line: int, row: dict[str, Any]) -> GlueRow:
    (text,) = texts_of(row, "text")
    target = row.get("target")
    if not isinstance(target, dict):
        raise BadRow("no field 'target'")
    name = str(_number(row, "idx"))
    candidate, pronoun = texts_of(target, "span1_text", "span2_text")
    words = [word.start() for word in _NOT_BLANK.finditer(text)]
    spans = _Spans(text, words, name, line, journal)
    blank = spans.pronoun(pronoun, _number(target, "span2_index"))
    candidate, place = spans.candidate(candidate, _number(target, "span1_index"))
    claim = f'{quoted(text, blank)} means "{candidate}".'
    return GlueRow(name, line, text, claim, candidate, blank, place, _label(row.get("label")))


def _number(row: dict[str, Any], field: str) -> int:
    value = row.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadRow(f"no field {field!r}" if value is None else f"{field!r} is not a number")
    return value


def _label(label: object) -> bool | None:
    """Return a label as a boolean; some copies write it as text."""
    known = str(label).lower() if isinstance(label, bool | str) else label
    if isinstance(known, list | dict) or known not in _LABELS:
        raise BadRow(f"the label {label!r} is neither true nor false")
    return _LABELS[known]


class _Spans:
    """The spans of one row, which are given as a text and the word with which it starts."""

    def __init__(
        self, text: str, words: Sequence[int], name: str, line: int, journal: Journal
    ) -> None:
        self.text, self.words = text, words
        self.name, self.line, self.journal = name, line, journal

    def pronoun(self, published: str, word: int) -> TextSpan:
        """Return the span of the pronoun without the punctuation that the file includes."""
        pronoun = published.strip().strip(_MARKS)
        if pronoun != published:
            self._step(PUNCTUATION, repr(published), repr(pronoun))
        place = self._at(pronoun, word) or self._searched(pronoun, word)
        if place is None:
            raise BadRow(f"the pronoun {pronoun!r} does not stand at word {word}")
        return place

    def candidate(self, published: str, word: int) -> tuple[str, TextSpan | None]:
        """The candidate and where it stands; not every one occurs in the text."""
        phrase = trimmed(published, lambda step: self._step(step, "", "cleaned"))
        if place := self._at(phrase, word):
            return phrase, place
        bare = phrase.rstrip(_MARKS)
        if bare != phrase and self._at(bare, word):
            if not self._repair(STOP, repr(phrase), repr(bare)):
                return phrase, None
            return bare, self._at(bare, word)
        place = self._searched(phrase, word)
        if place is None:
            self.journal.oddity(MISSING, self.line, self.name, repr(phrase), "not marked")
        return phrase, place

    def _at(self, phrase: str, word: int) -> TextSpan | None:
        """The place of the phrase if it starts with that word, quotation marks aside."""
        if not phrase or word >= len(self.words):
            return None
        start = self.words[word]
        while not self.text[start].isalnum() and self.text[start] != phrase[0]:
            start += 1
            if start == len(self.text):
                return None
        end = start + len(phrase)
        is_there = self.text[start:end].lower() == phrase.lower()
        return TextSpan(start, end) if is_there and not self.text[end : end + 1].isalnum() else None

    def _searched(self, phrase: str, word: int) -> TextSpan | None:
        """The nearest place where the phrase does stand, if that is wanted."""
        given = self.words[min(word, len(self.words) - 1)] if self.words else 0
        pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
        places = (
            [TextSpan(*found.span()) for found in pattern.finditer(self.text)] if phrase else []
        )
        if not places:
            return None
        nearest = min(places, key=lambda place: abs(place.start - given))
        odd, done = f"{phrase!r} is not at word {word}", f"found at character {nearest.start}"
        return nearest if self._repair(SEARCHED, odd, done) else None

    def _step(self, step: str, odd: str, done: str) -> None:
        self.journal.step(step, self.line, self.name, odd, done)

    def _repair(self, repair: str, odd: str, done: str) -> bool:
        return self.journal.repair(repair, self.line, self.name, odd, done)


def quoted(text: str, blank: TextSpan) -> str:
    """The pronoun in quotation marks; if it occurs again, with what follows or precedes it."""
    pronoun = text[blank.start : blank.end]
    if _WORD.findall(text).count(pronoun) == 1:
        return f'"{pronoun}"'
    ends = (word.end() for word in _WORD.finditer(text, blank.end))
    starts = (word.start() for word in reversed(list(_WORD.finditer(text, 0, blank.start))))
    stretches = [text[blank.start : end] for end in ends]
    stretches += [text[start : blank.end] for start in starts]
    stretch = next((stretch for stretch in stretches if text.count(stretch) == 1), text)
    return f'"{pronoun}" in "{stretch}"'


FORMAT_WSC = Format(
    name="superglue-wsc",
    title="the WSC of SuperGLUE, JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=LIKENESS,
    repairs={
        SEARCHED: "a span that does not start where the file says is searched for nearby",
        STOP: "a full stop at the end of a candidate, where the text has none, is removed",
        **REPAIRS,
    },
    issues={
        **ISSUES,
        **FIT_ISSUES,
        PUNCTUATION: "a comma or full stop beside the pronoun is in its span, but not in the blank",
        MISSING: RECOVERY_ISSUES[MISSING],
    },
)


_HEADER = ["index", "sentence1", "sentence2", "label"]
_ROW_WITHOUT_HEADER = re.compile(r"\d+\t[^\t]+\t[^\t]+\t[01]\r?(\n|$)")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PRONOUNS = frozenset(
    str.split(
        "he him his she her hers it its they them their theirs this that these those one who whom "
        "whose himself herself itself themselves"
    )
)
# More is no candidate, but a clause that could not be laid over the premise.
_LONGEST_CANDIDATE = 8


class _Overlay(NamedTuple):
    """The alignment of a hypothesis with its premise: the pronoun, and the common words."""

    pronoun: int
    head: int
    tail: int


def _looks_like_wnli(file: SourceFile) -> bool:
    is_headed = are_columns_of(file.headings("\t"), _HEADER[:3], _HEADER[3:])
    return is_headed or bool(_ROW_WITHOUT_HEADER.match(file.head))


def _read_wnli(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    has_header = _HEADER[0] in file.headings("\t")
    rows = file.tsv_rows(journal, None if has_header else _HEADER)
    claims = read_labelled(list(reporting_unused(rows, _HEADER, journal)), journal, _claim_wnli)
    names = _names(claims)
    together = [
        [_spelt(claim, names) for claim in _without_shared_head(same)]
        for same in by_pronoun(claims)
    ]
    return groups_of(together, journal)


def _claim_wnli(line: int, row: dict[str, Any]) -> GlueRow:
    """The row with its candidate as it stands in the hypothesis."""
    name, premise, hypothesis = texts_of(row, *_HEADER[:3])
    label = numbered_label(row.get("label"), 2, first=0)
    is_right = None if label is None else bool(label)
    if not premise.strip() or not hypothesis.strip():
        raise BadRow("a sentence is empty")
    text, clause = _words(premise), _words(hypothesis)
    while clause and not clause[-1][0].isalnum():
        clause.pop()
    overlays = _overlays(text, clause)
    overlay = max(overlays, key=lambda one: (one.head + one.tail, one.tail), default=None)
    if overlay is None:
        return GlueRow(name, line, premise, hypothesis, "", None, None, is_right)
    found = _spans(hypothesis)[overlay.head : len(clause) - overlay.tail]
    candidate = hypothesis[found[0][0] : found[-1][1]]
    blank = TextSpan(*_spans(premise)[overlay.pronoun])
    return GlueRow(name, line, premise, hypothesis, candidate, blank, None, is_right)


def _words(text: str) -> list[str]:
    """The words and punctuation marks of a text, without capitals."""
    return [*map(str.lower, _TOKEN.findall(text))]


def _spans(text: str) -> list[tuple[int, int]]:
    """Return their positions."""
    return [token.span() for token in _TOKEN.finditer(text)]


def _overlays(text: Sequence[str], clause: Sequence[str]) -> Iterator[_Overlay]:
    """Every way to lay the hypothesis over a pronoun of the premise."""
    size = len(clause)
    for place, word in enumerate(text):
        if word not in _PRONOUNS:
            continue
        head = tail = 0
        # Most pronouns stand beside words that the hypothesis does not have.
        if place and text[place - 1] in clause:
            heads = range(min(place, size - 1), 0, -1)
            head = next((n for n in heads if clause[:n] == text[place - n : place]), 0)
        after = text[place + 1 : place + size - head]
        if after and after[0] in clause:
            tail = next((n for n in range(len(after), 0, -1) if clause[-n:] == after[:n]), 0)
        if head + tail and clause[head : size - tail] != [word]:
            yield _Overlay(place, head, tail)


def _without_shared_head(claims: Sequence[GlueRow]) -> Sequence[GlueRow]:
    """The claims with candidates that start after the word before the pronoun.

    A hypothesis may begin in words of its own, which then seem to be part of the candidate. But
    the others of the same pronoun begin in the same words.
    """
    first = claims[0]
    if first.blank is None:
        return claims
    if len(claims) > 1 and all(claim.wording.startswith(claim.candidate) for claim in claims):
        shared = commonprefix([_words(claim.candidate)[:-1] for claim in claims])
        before = _word_before(first.text, first.blank)
        cut = max((n for n, word in enumerate(shared, 1) if _same_stem(word, before)), default=0)
        if cut:
            claims = [_without_head(claim, cut) for claim in claims]
    if any(claim.candidate.count(" ") >= _LONGEST_CANDIDATE for claim in claims):
        return [claim._replace(blank=None) for claim in claims]
    return claims


def _without_head(claim: GlueRow, cut: int) -> GlueRow:
    return claim._replace(candidate=claim.candidate[_spans(claim.candidate)[cut][0] :])


def _word_before(text: str, place: TextSpan) -> str:
    words = _words(text[: place.start])
    return words[-1] if words else ""


def _same_stem(one: str, other: str) -> bool:
    """Equal, or forms of one word, such as «hunting» and «hunts»."""
    return one[:4] == other[:4]


def _names(claims: Iterable[GlueRow]) -> Collection[str]:
    """Words of the file that keep their capital wherever they stand."""
    texts = {text for claim in claims for text in (claim.text, claim.wording)}
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    names = {word for word in words if word[0].isupper() and word.lower() not in words}
    return {name for name in names | names_in(texts) if not opens_sentences(name)}


def _spelt(claim: GlueRow, names: Collection[str]) -> GlueRow:
    """The claim with the capitals that it has inside a sentence."""
    candidate, blank = claim.candidate, claim.blank
    if blank and claim.wording.startswith(candidate) and not claim.text[blank.start].isupper():
        candidate = decapitalise(candidate, names)
    return claim._replace(candidate=candidate, wording=decapitalise(claim.wording, names))


FORMAT_WNLI = Format(
    name="wnli",
    title="WNLI of GLUE, tab-separated",
    looks_like=_looks_like_wnli,
    read=_read_wnli,
    twins=LIKENESS,
    repairs=REPAIRS,
    issues={**ISSUES, **UNUSED_ISSUE},
)
