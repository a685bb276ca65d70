"""Number switch: the candidates in the other number, and all that goes with them.

After Abdou et al. (2020): singular nouns become plural and plural ones singular; a name gets a
second one («Vera» becomes «Vera and Nell»). Both candidates change, in the same direction.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from horsesense.perturbations.english.agreement import agreeing_edits, predicate_edits
from horsesense.perturbations.english.nouns import (
    Number,
    determiner_of,
    other_form,
    renumbered,
    replaced,
)
from horsesense.perturbations.english.people import is_given_name
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.reference import (
    check_unmentioned,
    following_pronouns,
    owned_by_each,
    pronoun_edit,
)
from horsesense.perturbations.english.referents import Referent, SecondNames, referents_of
from horsesense.perturbations.english.renumbered_answers import renumbered_answers
from horsesense.perturbations.english.sorts import Sort
from horsesense.perturbations.rewriting import Edit, Rendering, renderings, rewritten
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import Entry, LooseGrid, Row, Schema

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# What may stand before a noun of either number.
_ARTICLES = frozenset({"the", "my", "your", "our"})
_SHOWING = frozenset({"this", "that", "these", "those"})
# Words that say how many there are of what they stand for.
_COUNTING = frozenset({"each", "both", "either", "neither", "another", "latter", "former", "one"})


def propose_number(entry: Entry, settings: Settings) -> Rewriting:
    """The entry with both candidates in the other number."""
    grid, shown = entry.grid, renderings(entry.grid)
    chance = settings.draw(entry.id, "number")
    he_or_she = chance.choice((Sort.MALE, Sort.FEMALE))
    names = SecondNames(chance, {word for one in shown for word in re.findall(r"\w+", one.text)})
    rows: Sequence[Schema | Row] = grid.rows if isinstance(grid, LooseGrid) else (grid, grid)
    edits, answers, how = [], [], []
    for row, sentence in zip(rows, shown, strict=True):
        referents = referents_of(row, sentence, names)
        sort = _common_sort(referents, he_or_she)
        edits.append(_edits(row, sentence, referents, sort))
        answers.append(renumbered_answers(row, sentence, referents))
        how += [f"{one.word} → {one.new}" for one in referents]
    return Rewriting(rewritten(grid, edits, answers=answers), ", ".join(dict.fromkeys(how)))


def _common_sort(referents: Sequence[Referent], he_or_she: Sort) -> Sort:
    """What the singular target says of both candidates, whichever it refers to.

    Of people whose gender nobody knows it says what was drawn, `he` or `she`.
    """
    if referents[0].number is Number.SINGULAR:
        return referents[0].sort  # the plural does not show it
    sorts = {one.sort for one in referents}
    if Sort.THING in sorts and len(sorts) > 1:
        raise NotApplicable("one candidate is a person, the other is not")
    if {Sort.MALE, Sort.FEMALE} <= sorts:
        raise NotApplicable("the candidates differ in gender")
    known = sorts - {Sort.PERSON}
    return known.pop() if known else he_or_she


def _edits(
    row: Schema | Row, shown: Rendering, referents: Sequence[Referent], sort: Sort
) -> list[Edit]:
    """All edits of one sentence."""
    doc, to = parse(shown.text), referents[0].number.other
    for token in doc:
        if token.lower_ in _COUNTING and token.dep_ != "nummod":
            raise NotApplicable(f"{token.lower_!r} counts")
    edits: list[Edit] = []
    mentions: set[int] = set()
    for referent in referents:
        for head in referent.heads:
            mentions.add(head.i)
            edits += _head_edits(head, referent, mentions)
    edits += _target_edits(row, shown, doc, mentions, to, sort)
    for pronoun in following_pronouns(doc, mentions, {one.sort for one in referents}, to):
        mentions.add(pronoun.i)
        edits.append(pronoun_edit(pronoun, to, sort, is_owner=pronoun.tag_ == "PRP$"))
    for noun in owned_by_each(doc, _owners(row, shown, doc, mentions), to):
        mentions.add(noun.i)
        check_unmentioned(noun, mentions)
        edits.append(replaced(noun, other_form(noun.text, to)))
    edits += predicate_edits(doc, mentions, to)
    edits += agreeing_edits(doc, mentions, to)
    return list(dict.fromkeys(edits))


def _head_edits(head: Token, referent: Referent, mentions: set[int]) -> list[Edit]:
    if not referent.is_name:
        return renumbered(head, referent.number.other)
    edits = [replaced(head, referent.new)]
    before = head.nbor(-1) if head.i else None
    if before is not None and before.tag_ == "NNP":
        raise NotApplicable("a name of several words")
    if before is not None and before.tag_ == "NN":  # «her friend Vera»
        determiner = determiner_of(before) or determiner_of(head)
        if determiner is None or determiner.lower_ in ("a", "an", "this", "that"):
            raise NotApplicable(f"{before.lower_!r} before a name")
        mentions.add(before.i)
        edits.append(replaced(before, other_form(before.text, Number.PLURAL)))
    return edits


def _target_edits(
    row: Schema | Row, shown: Rendering, doc: Doc, mentions: set[int], to: Number, sort: Sort
) -> list[Edit]:
    """The edits of the target."""
    assert row.target is not None
    place = shown.pieces("target")[0]
    token = next((one for one in doc if one.idx == place.start), None)
    if token is None or len(token) != place.end - place.start:
        raise NotApplicable("the target is not one word")
    mentions.add(token.i)
    before = determiner_of(token)
    if before is not None and before.lower_ not in _ARTICLES:
        raise NotApplicable(f"{before.lower_!r} before the target")
    if not row.target.is_known:
        _check_before(row, token, to)
        return []
    return [pronoun_edit(token, to, sort, is_owner=row.target.is_possessive)]


def _check_before(row: Schema | Row, target: Token, to: Number) -> None:
    """Refuse what stands before a bare noun in the place of the target: it may show its number."""
    answers = [value[0] for value in row.answers.values]
    is_bare = any(" " not in one and not is_given_name(one) for one in answers)
    before = target.nbor(-1) if target.i else None
    if before is None or not is_bare or before.lower_ in _ARTICLES:
        return
    # A bare plural may stand anywhere, a bare singular only after what belongs to it.
    if to is Number.PLURAL or before.pos_ in ("ADJ", "DET") or before.lower_ in _SHOWING:
        raise NotApplicable(f"{before.lower_!r} before the target")


def _owners(row: Schema | Row, shown: Rendering, doc: Doc, mentions: set[int]) -> set[int]:
    """The places of the mentions that own what follows them."""
    assert row.target is not None
    start = shown.pieces("target")[0].start if row.target.is_possessive else None
    return {
        one
        for one in mentions
        if doc[one].tag_ == "PRP$"
        or doc[one].idx == start
        or any(following.tag_ == "POS" for following in doc[one + 1 : one + 2])
    }
