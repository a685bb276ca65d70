"""The wordings of the perturbed WSC: where the pronoun stands in each, and its answers.

The stated positions count words from 0 and are often wrong, so they are compared with the
pronoun. Where it occurs several times, what follows it in the original tells which one is
meant, or else the stated position, to which it will be near.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from horsesense.datasets.importers.source import BadRow
from horsesense.datasets.recovery import Journal, RawProblem, is_possessive_place, lowered_answer
from horsesense.schema import Phrases, capitalise, is_possessive, possessive

SEARCHED, MISTAKEN, CASE = "pronoun-searched", "pronoun-mistaken", "pronoun-case"
CAPITALS, OWNED = "answer-capitals", "possessive-answers"
REPAIRS = {
    SEARCHED: "the pronoun is not at the stated position; the one nearest to it is taken",
    MISTAKEN: "at the stated position is another such pronoun; what follows shows the right one",
    CASE: "the plural of a possessive pronoun is «their», not «they»",
    CAPITALS: "answers that are in lower case are spelt as in their text",
}
NOT_GIVEN = ("", "-")
_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Wording:
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


ORIGINAL = Wording("original", ("text_original",), "pron_index")
VERSIONS = (
    Wording("tense", ("text_tense",), "pron_index_tense"),
    Wording("number", ("text_number",), "pron_index_number", "pron_number", "_number"),
    Wording("gender", ("text_gender",), "pron_index_gender", "pron_gender", "_gender"),
    Wording("voice", ("text_voice",), "pron_index_voice"),
    Wording("relative-clause", ("text_rel_clause", "text_rel_1"), "pron_index_rel"),
    Wording("adverb", ("text_adverb",), "pron_index_adverb"),
    Wording("synonym", ("text_syn",), "pron_index_syn", answers="_syn"),
)
CONTROLS = (
    Wording("random-context", ("text_random_context", "text_context"), "pron_index_context"),
    Wording("scrambled", ("text_scrambled",), "pron_index_scrambled"),
    Wording("freqnoun", ("text_freqnoun",), "pron_index_freqnoun"),
)


@dataclass(frozen=True, slots=True)
class Problem:
    """A row: its line and name, its right answer, and whether only the last pronoun will do."""

    line: int
    name: str
    row: Mapping[str, str]
    right: int
    is_last: bool = False


class WordingReader:
    """Reads the wordings of problems; what concerns the whole file is asked once."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    @cached_property
    def _restores_capitals(self) -> bool:
        odd, done = "answers are in lower case where their texts are not", "spelt as in the texts"
        return self.journal.repair(CAPITALS, 0, "", odd, done)

    def found(self, problem: Problem, wording: Wording, after: str = "") -> RawProblem | None:
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

    def _agreeing(self, problem: Problem, wording: Wording, pronoun: str) -> str:
        """The pronoun, possessive if that of the original is."""
        original = problem.row["pron"].strip()
        if pronoun != "they" or not is_possessive(original):
            return pronoun
        odd = f"{wording.name}: {pronoun!r} cannot stand for {original!r}"
        wanted = self.journal.repair(CASE, problem.line, problem.name, odd, repr("their"))
        return "their" if wanted else pronoun

    def _token(
        self, problem: Problem, wording: Wording, text: str, pronoun: str, after: str
    ) -> re.Match[str]:
        """The pronoun in the text."""
        stated, wanted = problem.row.get(wording.position, "").strip(), pronoun.lower()
        position = int(stated) if stated.isdecimal() and len(stated) < 5 else -1
        words = text.lower().split()
        places = _places_of(wanted, words)
        if not places:
            raise BadRow(f"the pronoun {pronoun!r} does not occur")
        best = _best_place(words, places, position, after, is_last=problem.is_last)
        if best != position and not problem.is_last:
            is_inside = 0 <= position < len(words)
            name, shown = SEARCHED, repr(words[position]) if is_inside else "nothing"
            if position in places:
                name, shown = MISTAKEN, "another one"
            odd = f"{wording.name}: at the position {stated!r} of {pronoun!r} is {shown}"
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
        self, problem: Problem, wording: Wording, phrases: list[str], pronoun: str, after: str
    ) -> tuple[Phrases, ...]:
        """The answers as they stand in the blank: owners where the pronoun is possessive."""
        is_her = pronoun.lower() == "her" and is_possessive_place(after.replace('"', ""))
        if is_her or is_possessive(pronoun):
            owners = [possessive(phrase, pronoun) for phrase in phrases]
            odd, done = f"{wording.name}: {pronoun!r} is possessive", " / ".join(owners)
            self.journal.step(OWNED, problem.line, problem.name, odd, done)
            phrases = owners
        return tuple((phrase,) for phrase in phrases)


def _places_of(wanted: str, words: Sequence[str]) -> list[int]:
    places: list[int] = []
    place = -1
    for _ in range(words.count(wanted)):
        place = words.index(wanted, place + 1)
        places.append(place)
    return places


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
    wanted = " ".join(answer.lower().split())
    start = lowered.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not lowered[start - 1 : start].isalnum() and not lowered[end : end + 1].isalnum():
            return lowered_answer(text[start:end])
        start = lowered.find(wanted, end)
    return answer
