"""WinoBias (Zhao et al.): numbered sentences, the right occupation and its pronoun in brackets.

The other occupation is not marked. Two consecutive sentences are about the same two occupations,
with the other one in brackets, so each gives it for its twin; lists of occupations give the rest.

«her» may be «him» or «his». The file with the other stereotype, which has the other gender in the
same lines, decides; without it, the words next to the pronoun do, as used elsewhere in the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import (
    BY_POSITION,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
    is_possessive_place,
)
from horsesense.schema import Phrases, capitalise, possessive

DOUBLED, SPACED = "doubled-article", "space-before-s"
SECOND_PRONOUN, HER = "second-pronoun", "him-or-his"
NO_TWIN, UNKNOWN = "no-twin", "unknown-occupation"
_LINE = re.compile(r"(\d{1,9}) +(.*\[.*)")
_BRACKETS = re.compile(r"\[([^][]*)\]")
_PRONOUNS = frozenset(("he", "she", "him", "her", "his", "hers", "himself", "herself"))
_ARTICLE = re.compile(r"(?:the|an?) +", re.IGNORECASE)
_DOUBLED = re.compile(r"\b(?:the|an?) +(\[(?:the|an?) )", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_SIGNS = {"his": 1, "him": -1}
# After «her», these show an object; before it, a preposition shows neither.
_AFTER_OBJECTS = frozenset(
    str.split("anywhere home how instead it less more right safe something well what where")
)
_PREPOSITIONS = frozenset(str.split("about after at by for from in of on over to under with"))
# By whether there are lists of occupations.
_NO_OTHER = (
    "no twin shows the other occupation; use the lists of occupations: --with male_occupations.txt "
    "--with female_occupations.txt, which are published beside this file",
    "neither a twin nor the lists of occupations tell the other occupation; add it to a list, a "
    "line of its own",
)
_KIND = re.compile(r"(pro|anti)_stereotyped_type([12])")


@dataclass(frozen=True, slots=True)
class _WinobiasSentence:
    """A line without its brackets: the text around the pronoun, and who it refers to."""

    line: int
    number: int
    texts: tuple[str, str]
    pronoun: str
    noun: str

    @property
    def name(self) -> str:
        return str(self.number)

    @property
    def beside(self) -> tuple[str, str]:
        """The words before and after the pronoun."""
        before, after = (_WORD.findall(text.lower()) for text in self.texts)
        return before[-1] if before else "", after[0] if after else ""

    def place(self, noun: str) -> int:
        """The first position of the noun in the statement, or -1."""
        statement, word = "\n".join(self.texts).lower(), noun.lower()
        start = statement.find(word)
        while start >= 0:
            end = start + len(word)
            around = statement[max(start - 1, 0) : start] + statement[end : end + 1]
            if not any(map(str.isalnum, around)):
                break
            start = statement.find(word, end)
        return start

    def raw_problem(self, other: str, *, is_owner: bool) -> RawProblem:
        """The problem, its options in the order of the statement."""
        nouns = sorted((self.noun, other), key=self.place)
        phrases = [f"the {noun}" for noun in nouns]
        if is_owner:
            phrases = [possessive(phrase, "his") for phrase in phrases]
        if self.pronoun[:1].isupper():
            phrases = [capitalise(phrase) for phrase in phrases]
        options: tuple[Phrases, ...] = tuple((phrase,) for phrase in phrases)
        right, extras = nouns.index(self.noun), (("x-pronoun", self.pronoun),)
        return RawProblem(
            self.name, self.line, self.texts, options, right, self.pronoun, extras=extras
        )


class _Owners:
    """Tells where a pronoun is possessive, from how a file uses the others."""

    def __init__(
        self, sentences: Iterable[_WinobiasSentence], others: Iterable[_WinobiasSentence]
    ) -> None:
        self._others = {other.number: other.pronoun.lower() for other in others}
        self._uses: Counter[tuple[int, str]] = Counter()
        for sentence in sentences:
            sign = _SIGNS.get(sentence.pronoun.lower(), 0)
            for side, word in enumerate(sentence.beside):
                self._uses[side, word] += sign

    def has(self, sentence: _WinobiasSentence) -> bool:
        """Return whether the pronoun of the sentence is possessive."""
        pronoun = sentence.pronoun.lower()
        other = self._others.get(sentence.number, "")
        if pronoun == "her" and other in _SIGNS:
            pronoun = other
        if pronoun != "her":
            return _SIGNS.get(pronoun, 0) > 0
        before, after = sentence.beside
        if after.endswith("ly") and after != "family":
            return False
        if before not in _PREPOSITIONS:
            if after in _AFTER_OBJECTS:
                return False
            if use := self._uses[0, before] + self._uses[1, after]:
                return use > 0
        return is_possessive_place(sentence.texts[1])


def _looks_like(file: SourceFile) -> bool:
    first = file.head.partition("\n")[0]
    return _LINE.match(first) is not None and len(_BRACKETS.findall(first)) > 1


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    sentences = _sentences(file, journal)
    others = [
        sentence for other in companions if _looks_like(other) for sentence in _sentences(other)
    ]
    owners = _Owners(sentences, others)
    lists = [companion for companion in companions if not _looks_like(companion)]
    occupations = [
        line.strip() for companion in lists for line in companion.text.split("\n") if line.strip()
    ]
    kind = _KIND.search(file.name)
    tags = (f"type{kind[2]}", f"{kind[1]}-stereotyped") if kind else ()
    count = sum(sentence.pronoun.lower() == "her" for sentence in sentences)
    if count and not others:
        odd = f"«her» is «him» or «his» in {count} lines; the other stereotype's file shows which"
        journal.oddity(HER, 0, "", odd, "decided by the words beside it")
    pairs: dict[int, list[_WinobiasSentence]] = {}
    for sentence in sentences:
        pairs.setdefault((sentence.number + 1) // 2, []).append(sentence)
    for pair in pairs.values():
        raw_problems = [
            sentence.raw_problem(other, is_owner=owners.has(sentence))
            for sentence, other in _with_others(pair, occupations, journal)
        ]
        if raw_problems:
            yield RawEntry(
                "-".join(raw_problem.name for raw_problem in raw_problems), raw_problems, tags=tags
            )


def _sentences(file: SourceFile, journal: Journal | None = None) -> list[_WinobiasSentence]:
    """The lines of a file; of a companion, the faults are not told."""
    journal, sentences = journal or Journal(), []
    for line, text in file.lines(journal):
        if not text.strip():
            continue
        try:
            sentences.append(_sentence(line, text, journal))
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
    return sentences


def _sentence(line: int, text: str, journal: Journal) -> _WinobiasSentence:
    """A line read: its number, its brackets, and what is wrong with it."""
    parts = _LINE.fullmatch(text.strip())
    if parts is None:
        raise BadRow("not a number and a sentence with brackets")
    number, marked = int(parts[1]), parts[2]
    marked = _mended(line, str(number), marked, journal)
    brackets = list(_BRACKETS.finditer(marked))
    pronouns = [bracket for bracket in brackets if bracket[1].strip().lower() in _PRONOUNS]
    entities = [bracket for bracket in brackets if bracket not in pronouns]
    if len(entities) != 1 or not pronouns:
        raise BadRow(f"{len(entities)} occupations and {len(pronouns)} pronouns in brackets")
    if len(pronouns) > 1:
        odd = f"{' and '.join(pronoun[1] for pronoun in pronouns)} are in brackets"
        journal.oddity(SECOND_PRONOUN, line, str(number), odd, "the first is the blank")
    noun = _ARTICLE.sub("", entities[0][1].strip(), count=1)
    if not noun:
        raise BadRow("the brackets of the occupation are empty")
    blank = pronouns[0]
    before, after = marked[: blank.start()], marked[blank.end() :]
    texts = (_BRACKETS.sub(r"\1", before), _BRACKETS.sub(r"\1", after))
    return _WinobiasSentence(line, number, texts, blank[1].strip(), noun)


def _mended(line: int, name: str, marked: str, journal: Journal) -> str:
    """The sentence without the slips that are known."""
    doubled = _DOUBLED.search(marked)
    if doubled and journal.repair(DOUBLED, line, name, repr(doubled[0]), repr(doubled[1])):
        marked = marked[: doubled.start()] + marked[doubled.start(1) :]
    if " 's " in marked:
        odd, done = "a space before 's", "removed"
        if journal.repair(SPACED, line, name, odd, done):
            marked = marked.replace(" 's ", "'s ")
    return marked


def _with_others(
    pair: Sequence[_WinobiasSentence], occupations: Sequence[str], journal: Journal
) -> Iterator[tuple[_WinobiasSentence, str]]:
    """The sentences of a pair, each with its other occupation."""
    known = {occupation.lower() for occupation in occupations}
    for sentence in pair:
        line, name = sentence.line, sentence.name
        other = _other(sentence, [sentence.noun for sentence in pair])
        if not other and (other := _other(sentence, occupations)):
            odd, done = "there is no twin next to it", f"{other!r} is in the list"
            journal.oddity(NO_TWIN, line, name, odd, done)
        if not other:
            journal.fault(BAD_ROW, line, name, _NO_OTHER[bool(occupations)])
            continue
        for noun in (sentence.noun, other):
            if known and noun.lower() not in known:
                journal.oddity(UNKNOWN, line, name, f"{noun!r} is not among the occupations")
        yield sentence, other


def _other(sentence: _WinobiasSentence, nouns: Iterable[str]) -> str:
    """The one of these that the sentence has too, if it is one and no other."""
    distinct = {noun.lower(): noun for noun in nouns if noun.lower() != sentence.noun.lower()}
    present = [noun for noun in distinct.values() if sentence.place(noun) >= 0]
    return present[0] if len(present) == 1 else ""


FORMAT = Format(
    name="winobias",
    title="WinoBias",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_POSITION, "their numbers, in pairs"),
    repairs={
        DOUBLED: "if articles are inside and outside the brackets, one is removed",
        SPACED: "a space before 's is removed",
    },
    issues={
        SECOND_PRONOUN: "a second pronoun is in brackets too; it stays in the text",
        HER: "«her» may be an object or possessive, and no other file shows which",
        NO_TWIN: "the other occupation is known from a list, not from a twin",
        UNKNOWN: "an occupation is not in the given lists",
    },
    companions="lists of occupations, or the file with the other stereotype",
)
