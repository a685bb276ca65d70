"""Proposals in which the candidates have the other gender (Abdou et al.).

Names, gendered nouns and pronouns change together, in the whole sentence. Other people stay as they
are, and where a pronoun could then be taken for theirs, nothing is proposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import (
    case_of,
    case_of_target,
    gender_of_pronoun,
    pronoun,
)
from horsesense.perturbations.english.people import (
    Gender,
    bound_word,
    counterpart,
    gender_of_name,
    gender_of_noun,
    genders_of_names,
    is_given_name,
    is_partner,
    noun_of,
    renamed,
)
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.replacing import (
    candidate_tokens,
    head_of,
    in_number_of,
    owners,
    replaced,
    replacement,
    shown_changes,
    words_of,
)
from horsesense.perturbations.rewriting import Edit, Rendering, renderings
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import Entry, Grid, LooseProblem, Schema, Target

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


@dataclass(slots=True)
class _Cast:
    """The people that the candidates are: their names and the nouns for them.

    It is complete if we know of every candidate where it stands in the sentence.
    """

    names: dict[str, Gender] = field(default_factory=dict)
    nouns: set[str] = field(default_factory=set)
    genders: set[Gender] = field(default_factory=set)
    is_complete: bool = True

    def add(self, tokens: Sequence[Token], of_target: Gender | None) -> None:
        """Add the people in a phrase; the target tells the gender of a name that does not."""
        names = genders_of_names(tokens, of_target)
        self.names |= names
        self.genders |= set(names.values())
        nouns = {noun for noun in map(noun_of, tokens) if noun is not None}
        self.nouns |= nouns
        self.genders |= {gender_of_noun(noun) for noun in nouns}

    def add_apposed(self, doc: Doc) -> None:
        """Add names and nouns that stand together, «her sister Ida», where one of them is known."""
        for token, after in zip(doc, doc[1:], strict=False):
            noun, name = noun_of(token), after.text
            if noun is None or not is_given_name(name):
                continue
            if name in self.names:
                self.nouns.add(noun)
            elif noun in self.nouns:
                self.names[name] = gender_of_name(name) or gender_of_noun(noun)

    def is_person(self, tokens: Sequence[Token]) -> bool:
        """Return True if a phrase is a name or a gendered noun, and not something a person owns."""
        head = head_of(tokens)
        return head.text in self.names or noun_of(head) in self.nouns


def propose_gender(entry: Entry, settings: Settings) -> Rewriting:
    """The candidates with the other gender, and all that follows from it."""
    grid = entry.grid
    if not grid.is_winograd:
        raise NotApplicable("it has no target")
    bound = bound_word(sorted(words_of(grid)))
    if bound is not None:
        raise NotApplicable(f"{bound!r} goes with one gender")
    cast = _cast(grid)
    if not cast.genders:
        raise NotApplicable("no candidate has a gender")
    others = {name: gender.other for name, gender in cast.names.items()}
    names = renamed(settings.draw(entry.id, "gender"), others, words_of(grid))
    changes: list[tuple[str, str]] = []

    def in_sentence(rendering: Rendering) -> list[Edit]:
        owner = owners(grid)[rendering.row]
        edits = _sentence_edits(rendering, owner.target, cast, names)
        changes.extend((rendering.text[edit.start : edit.end], edit.text) for edit in edits)
        return edits

    after = replaced(grid, in_sentence, lambda phrase: _answer_edits(phrase, names))
    return Rewriting(after, shown_changes(changes))


def _cast(grid: Grid) -> _Cast:
    """The people whom the target may mean."""
    cast = _Cast()
    for rendering in renderings(grid):
        owner = owners(grid)[rendering.row]
        target = owner.target
        assert target is not None
        gender = gender_of_pronoun(target.pronoun)
        if gender is None and target.pronoun.lower() in ("it", "its"):
            raise NotApplicable("no candidate has a gender")
        for number, value in enumerate(owner.answers.values, start=1):
            _add_candidate(cast, owner, rendering, number, value[0], gender)
        if gender is not None:
            cast.genders.add(gender)
        cast.add_apposed(parse(rendering.text))
    return cast


def _add_candidate(
    cast: _Cast,
    owner: Schema | LooseProblem,
    rendering: Rendering,
    number: int,
    answer: str,
    of_target: Gender | None,
) -> None:
    doc = parse(rendering.text)
    tokens = candidate_tokens(owner, rendering, doc, number)
    if not tokens:
        tokens = list(parse(answer))
        cast.is_complete &= head_of(tokens).text in {token.text for token in doc}
    cast.add(tokens, of_target)
    if any(token.lower_ == "and" for token in tokens):
        raise NotApplicable("a candidate is several people")
    if of_target is None and not cast.is_person(tokens):
        raise NotApplicable("no candidate has a gender")


def _sentence_edits(
    rendering: Rendering, target: Target | None, cast: _Cast, names: dict[str, str]
) -> list[Edit]:
    edits: list[Edit] = []
    others: list[Token] = []
    pronouns: list[Token] = []
    for token in parse(rendering.text):
        noun = noun_of(token)
        if token.text in names:
            edits.append(replacement(token, names[token.text]))
        elif noun is not None and _follows(token, noun, cast):
            edits.append(_noun_edit(token, noun))
        elif noun is not None or (is_given_name(token.text) and token.pos_ == "PROPN"):
            others.append(token)
        elif gender_of_pronoun(token.text) is not None:
            pronouns.append(token)
            edits.append(_pronoun_edit(token, rendering, target))
    _check_reference(rendering, cast, pronouns, others)
    return edits


def _follows(token: Token, noun: str, cast: _Cast) -> bool:
    """Return True for a noun that is said of a candidate, or that its gender decides."""
    if noun in cast.nouns or is_partner(noun):
        return True
    is_said_of_somebody = token.dep_ in ("attr", "appos")
    return is_said_of_somebody and cast.genders == {gender_of_noun(noun)}


def _noun_edit(token: Token, noun: str) -> Edit:
    edit = replacement(token, in_number_of(token, counterpart(noun)))
    # «Mrs.» has its full stop within the word.
    is_abbreviated = token.text.endswith(".") and not edit.text.endswith(".")
    return edit._replace(text=f"{edit.text}.") if is_abbreviated else edit


def _pronoun_edit(token: Token, rendering: Rendering, target: Target | None) -> Edit:
    gender = gender_of_pronoun(token.text)
    assert gender is not None
    if target is not None and _is_target(token, rendering):
        case = case_of_target(target)
    else:
        case = case_of(token)
    return replacement(token, pronoun(gender.other, case))


def _check_reference(
    rendering: Rendering, cast: _Cast, pronouns: Sequence[Token], others: Sequence[Token]
) -> None:
    """Refuse if a pronoun refers, or could now refer, to somebody who does not change."""
    genders = {gender_of_pronoun(token.text) for token in pronouns}
    if not genders <= cast.genders:
        raise NotApplicable("pronouns of both genders")
    for other in others:
        if len(cast.genders) > 1:
            raise NotApplicable("people of both genders beside the candidates")
        noun = noun_of(other)
        gender = gender_of_noun(noun) if noun else gender_of_name(other.text)
        for token in pronouns:
            # The target means a candidate. A pronoun rarely means somebody who comes later.
            is_clear = _is_target(token, rendering) and cast.is_complete and gender in cast.genders
            if token.i > other.i and not is_clear:
                raise NotApplicable("a pronoun could refer to someone who is not a candidate")


def _is_target(token: Token, rendering: Rendering) -> bool:
    segment = rendering.segment_at(token.idx, token.idx + len(token))
    return segment is not None and segment.piece == "target"


def _answer_edits(phrase: str, names: dict[str, str]) -> list[Edit]:
    """The edits of an answer, which mentions only the candidates."""
    edits = []
    for token in parse(phrase):
        name = names.get(token.text) or names.get(token.text.capitalize())
        noun = noun_of(token)
        gender = gender_of_pronoun(token.text)
        if name is not None:
            edits.append(Edit(token.idx, token.idx + len(token), name))
        elif noun is not None:
            edits.append(_noun_edit(token, noun))
        elif gender is not None:
            edits.append(replacement(token, pronoun(gender.other, case_of(token))))
    return edits
