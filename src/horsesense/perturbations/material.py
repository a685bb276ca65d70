"""What an author has written for a transformation, which goes before whatever a rule proposes."""

from __future__ import annotations

from collections.abc import Callable

from horsesense.perturbations.candidates import (
    check_all_marked,
    each_part,
    marked_pair,
    with_candidates,
    with_determiner_of,
)
from horsesense.perturbations.transformation import (
    Rewrite,
    Rewriting,
    Settings,
    Voucher,
)
from horsesense.schema import Axis, Entry, Grid, Row, Schema, capitalise, possessive


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

    def changed(part: Schema | Row) -> Schema | Row:
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


def _spelt_as(old: str, new: str, part: Schema | Row) -> str:
    """A new answer; in a verbatim schema with the capital and the ending that the old one has."""
    if not part.verbatim:
        return new
    if part.target is not None and part.target.is_possessive:
        new = possessive(new, part.target.pronoun)
    opens = part.target is not None and part.target.is_capitalised
    return capitalise(new) if opens and old[:1].isupper() else new
