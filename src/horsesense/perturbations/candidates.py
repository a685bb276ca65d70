"""The marked candidates of a grid, and replacing them by the author's phrases or a proposal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from horsesense.perturbations.transformation import (
    NotApplicable,
    Rewrite,
    Rewriting,
    Settings,
    Voucher,
)
from horsesense.schema import (
    Axis,
    Candidate,
    Entry,
    Frame,
    Grid,
    LooseGrid,
    LooseProblem,
    Part,
    Schema,
    capitalise,
    decapitalise,
    is_finished_text,
    join_parts,
    names_inside,
    opens_sentences,
    possessive,
    starts_sentence,
)

CLOSES_UP = tuple(",.;:?!)")
_DETERMINERS = frozenset(str.split("some that this these those my your his her its our their all"))
_INDEFINITE = re.compile(r"(^|\s)(an?) $", re.IGNORECASE)
_VOWEL = re.compile(
    r"[aeio]|u(?!ni[cfloqtv]|nani|s[eu]|t[ei]|r[ai]|bi|ku)|ho(ur|nest|nour|nor)|heir|8|1[18]\b",
    re.IGNORECASE,
)
_CONSONANT = re.compile(r"eu|ewe|one\b|once\b", re.IGNORECASE)
_OWNING = re.compile(r"['’](s\b|(?!\w))")


def each_part(grid: Grid, change: Callable[[Schema | LooseProblem], Schema | LooseProblem]) -> Grid:
    """The grid with a change made to the schema, or to every row of a loose grid."""
    if isinstance(grid, LooseGrid):
        rows = (change(row) for row in grid.rows)
        return LooseGrid(tuple(row for row in rows if isinstance(row, LooseProblem)))
    changed = change(grid)
    assert isinstance(changed, Schema)
    return changed


def marked_pair(part: Schema | LooseProblem) -> tuple[str, str]:
    """The two candidates as spelt inside a sentence; not applicable without both.

    A capital that a candidate has for its place, at the start of a sentence, is not its own.
    """
    if len(part.answers) != 2:
        raise NotApplicable(f"it has {len(part.answers)} answers")
    names = known_names(part)
    texts: dict[int, str] = {}
    for candidate, opens in _placed(part.frame):
        if candidate is None:
            continue
        number, text = candidate
        spelt = decapitalise(text, names) if opens else text
        if texts.setdefault(number, spelt) != spelt:
            raise NotApplicable("a candidate is mentioned in different words")
    if not texts:
        raise NotApplicable("it has no marked candidates")
    if len(texts) < 2:
        raise NotApplicable(f"candidate {3 - min(texts)} is not marked")
    return texts[1], texts[2]


def with_candidates(
    part: Schema | LooseProblem, texts: dict[int, str], answers: Axis
) -> Schema | LooseProblem:
    """The schema or row with other candidates in the places of those it has, capitals put right.

    In a finished sentence what comes to open it gets a capital; in a bare one filling sees to that.
    """
    last = part.frame[-1]
    is_finished = isinstance(last, str) and is_finished_text(last)
    frame: list[Part] = []
    for (old, opens), piece in zip(_placed(part.frame), part.frame, strict=True):
        if old is None or old.number not in texts:
            if isinstance(piece, str) and frame and isinstance(frame[-1], Candidate):
                _check_ending(frame[-1], piece, texts)
            frame.append(piece)
            continue
        new = texts[old.number]
        _check_article(frame, new)
        has_capital = is_finished and not (part.verbatim and old.text[:1].islower())
        frame.append(Candidate(old.number, capitalise(new) if opens and has_capital else new))
    return replace(part, frame=tuple(frame), answers=answers)


def check_all_marked(part: Schema | LooseProblem, texts: Iterable[str]) -> None:
    """Refuse candidates that are mentioned where they are not marked: there they would stay."""
    fixed = " … ".join(piece for piece in part.frame if isinstance(piece, str))
    for text in texts:
        if re.search(rf"(?<!\w){re.escape(text)}(?!\w)", fixed, re.IGNORECASE):
            raise NotApplicable("a candidate is mentioned where it is not marked")


def _placed(frame: Frame) -> Iterator[tuple[Candidate | None, bool]]:
    """For each part the candidate, if it is one, and whether it opens a sentence."""
    before = ""
    for piece in frame:
        candidate = piece if isinstance(piece, Candidate) else None
        yield candidate, starts_sentence(before)
        before += piece if isinstance(piece, str) else candidate.text if candidate else "x"


def without_candidates(part: Schema | LooseProblem) -> Frame:
    """The frame without its candidates, and without the possessive endings after them."""
    frame: list[Part] = []
    after_one = False
    for piece in part.frame:
        if isinstance(piece, Candidate):
            after_one = True
            continue
        if isinstance(piece, str) and after_one:
            piece = _OWNING.sub("", piece, count=1) if _OWNING.match(piece) else piece
            before = frame[-1] if frame else None
            if isinstance(before, str):
                frame.pop()
                before = before.rstrip(" ") if piece.startswith(CLOSES_UP) else before
                piece = re.sub(" +", " ", before + piece)
        after_one = False
        frame.append(piece)
    return join_parts(frame)


def known_names(part: Schema | LooseProblem) -> set[str]:
    """Words that keep their capital: inside a sentence, or at the start of an answer."""
    occurrences = _sentences(part)
    names = set[str]().union(*map(names_inside, occurrences))
    for phrase, *_ in part.answers.values:
        if phrase[:1].isupper() and not opens_sentences(phrase):
            names.add(re.split(r"[ '’]", phrase)[0])
    return names


def _sentences(part: Schema | LooseProblem) -> Iterable[str]:
    if isinstance(part, Schema):
        return [part.sentence(cell).text for cell in part.cells]
    return [part.sentence(answer).text for answer in range(len(part.answers))]


def _check_article(before: list[Part], phrase: str) -> None:
    """Refuse a phrase that the article left before it does not fit."""
    article = _INDEFINITE.search(before[-1]) if before and isinstance(before[-1], str) else None
    if article and (article[2].lower() == "an") != begins_with_vowel(phrase):
        raise NotApplicable(f"{article[2]!r} does not go with {phrase!r}")


def _check_ending(candidate: Candidate, after: str, texts: Mapping[int, str]) -> None:
    """Refuse a phrase that the possessive ending left after it does not fit."""
    ending = _OWNING.match(after)
    if ending is None or candidate.number not in texts:
        return
    last = candidate.text.split(" ")[-1]
    is_plural = last.endswith("s") and last.islower() and not last.endswith("ss")
    if (ending[1] == "") != is_plural:
        raise NotApplicable(f"{ending[0]!r} does not go with {candidate.text!r}")


def begins_with_vowel(phrase: str) -> bool:
    """Return True where `an` goes before the phrase, as far as its spelling tells.

    >>> [begins_with_vowel(word) for word in ("owl", "hour", "unable", "unit", "one-eyed", "elm")]
    [True, True, True, False, False, True]
    """
    plain = unicodedata.normalize("NFD", phrase)
    return bool(_VOWEL.match(plain)) and not _CONSONANT.match(plain)


def with_determiner_of(old: str, new: str) -> str:
    """A phrase with the article or other determiner of the one in whose place it goes.

    An answer is definite even where its candidate is not: «a ladle», but «the ladle was long».

    >>> with_determiner_of("a ladle", "the oak chest"), with_determiner_of("her hat", "the old cap")
    ('an oak chest', 'her old cap')
    >>> with_determiner_of("voles", "the grey owls"), with_determiner_of("Ada", "the grey owl")
    ('grey owls', 'the grey owl')
    """
    article, _, rest = new.partition(" ")
    first, _, noun = old.partition(" ")
    if article != "the" or first == "the":
        return new
    if first in ("a", "an"):
        return f"{'an' if begins_with_vowel(rest) else 'a'} {rest}"
    if first in _DETERMINERS and noun:
        return f"{first} {rest}"
    is_bare_plural = first[:1].islower() and old.endswith("s") and new.endswith("s")
    return rest if is_bare_plural else new


def version_or(name: str, propose: Rewrite) -> Rewrite:
    """A rewriting that is the author's version of that name; where there is none, a proposal."""

    def rewrite(entry: Entry, settings: Settings) -> Rewriting:
        version = dict(entry.versions).get(name)
        if version is None:
            return propose(entry, settings)
        return Rewriting(version, "the author's version", Voucher.AUTHOR)

    return rewrite


def phrases_or(field: Callable[[Settings], str], propose: Rewrite) -> Rewrite:
    """A rewriting with the author's phrases for candidates; where there are none, a proposal.

    `field` names the phrases: a pair, for both candidates, or one, for the candidate that it says.
    """

    def rewrite(entry: Entry, settings: Settings) -> Rewriting:
        name = field(settings)
        phrases = dict(entry.phrases).get(name)
        if phrases is None:
            return propose(entry, settings)
        numbers = (1, 2) if len(phrases) == 2 else (1,) if name.endswith("first") else (2,)
        texts = dict(zip(numbers, phrases, strict=True))
        # One of a pair differs from the other by its adjective alone, so both stay as they are.
        grid = with_new_candidates(entry.grid, texts, fits_article=len(texts) == 1)
        return Rewriting(grid, "the author's phrases", Voucher.AUTHOR)

    return rewrite


def with_new_candidates(grid: Grid, texts: dict[int, str], *, fits_article: bool = False) -> Grid:
    """The grid with these phrases as answers, and as candidates.

    In the place of «a ladle», «the oak chest» may become «an oak chest»: the answers are the
    candidates up to an article (thesis 3.4.4).
    """

    def changed(part: Schema | LooseProblem) -> Schema | LooseProblem:
        old = dict(enumerate(marked_pair(part), start=1))
        check_all_marked(part, (old[number] for number in texts))
        fitted = {
            number: with_determiner_of(old[number], text) if fits_article else text
            for number, text in texts.items()
        }
        answers = tuple(
            (_spelt_as(value[0], texts[number], part) if number in texts else value[0], *value[1:])
            for number, value in enumerate(part.answers.values, start=1)
        )
        return with_candidates(part, fitted, Axis(answers))

    return each_part(grid, changed)


def _spelt_as(old: str, new: str, part: Schema | LooseProblem) -> str:
    """A new answer; in a verbatim schema with the capital and the ending that the old one has."""
    if not part.verbatim:
        return new
    if part.target is not None and part.target.is_possessive:
        new = possessive(new, part.target.pronoun)
    opens = part.target is not None and part.target.is_capitalised
    return capitalise(new) if opens and old[:1].isupper() else new
