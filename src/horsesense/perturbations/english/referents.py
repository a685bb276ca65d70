"""Candidates in another number: the words that refer to them, and their pronouns.

Only candidates of the same number are taken, and only nouns and names that stand for themselves:
not a part of a longer name, not one of several that are joined.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import (
    GENDERS,
    NounGender,
    Number,
    determiner_of,
    is_plural_pronoun,
    listed,
    number_of,
    other_form,
    root_of,
    sort_of,
    sort_of_name,
    sort_of_pronoun,
)
from horsesense.perturbations.english.people import draw_names, frequent_names, is_given_name
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.rewriting import Rendering
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import Candidate, LooseProblem, Schema

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
from collections.abc import Collection

from horsesense.perturbations.english.nouns import (
    SINGULAR_TAGS,
    PronounCase,
    goes_with,
    plural_of,
    pronoun_in_number,
    replaced,
)
from horsesense.perturbations.english.verbs import FINITE_TAGS
from horsesense.perturbations.rewriting import Edit


@dataclass(frozen=True, slots=True)
class Referent:
    """A candidate: its number, its sort, the words that stand for it, what they become.

    `new` is the noun in the other number, or the name and a second one.
    """

    number: Number
    sort: NounGender
    heads: tuple[Token, ...]
    new: str
    is_name: bool

    @property
    def word(self) -> str:
        return self.heads[0].text


# Names with the short forms that begin otherwise.
_SHORT_FORMS = {
    "Alexander": "Sandy",
    "Alexandra": "Sandra Sandy",
    "Anthony": "Tony",
    "Catherine": "Kate Kathy Katie Kitty",
    "Charles": "Chuck",
    "Edmund": "Ned Ted",
    "Edward": "Ned Ted Teddy",
    "Eleanor": "Nell Nora",
    "Elizabeth": "Beth Betsy Betty Lisa Liz Lizzie",
    "Ellen": "Nell",
    "Helen": "Nell",
    "Henry": "Hank Harry",
    "Isabel": "Bella",
    "James": "Jim Jimmy",
    "John": "Jack",
    "Lawrence": "Larry",
    "Margaret": "Daisy Meg Megan Peg Peggy",
    "Mary": "Molly Polly",
    "Richard": "Dick Rick",
    "Robert": "Bob Bobby",
    "Theodore": "Ted Teddy",
    "William": "Bill Billy Liam",
}


def _are_alike(name: str, other: str) -> bool:
    """Return True where one name may be a form of the other («Joe», «Joseph»)."""
    short = [_SHORT_FORMS.get(spelling, "").split() for spelling in (name, other)]
    return name[:2] == other[:2] or other in short[0] or name in short[1]


@dataclass(frozen=True, slots=True)
class SecondNames:
    """The names that are added to names, drawn for an entry.

    The words that `taken` holds are not drawn as names, nor is a form of a name among them.
    """

    chance: random.Random
    taken: set[str]
    drawn: dict[str, str] = field(default_factory=dict)

    def beside(self, name: str, sort: NounGender) -> str:
        """The name that is added to a name, the same wherever that occurs in the entry."""
        if name not in self.drawn:
            gender = GENDERS[sort]
            others = {name, *filter(is_given_name, self.taken)}
            alike = [
                new
                for new in frequent_names(gender)
                if any(_are_alike(new, taken_name) for taken_name in others)
            ]
            new = draw_names(self.chance, [gender], self.taken.union(alike))[0]
            self.drawn[name] = new
            self.taken.add(new)
        return self.drawn[name]


def referents_of(
    row: Schema | LooseProblem, rendering: Rendering, names: SecondNames
) -> list[Referent]:
    """Both candidates, if they have the same number and that number can be told."""
    if row.target is None or len(row.answers) != 2 or row.answers.placeholders != 1:
        raise NotApplicable("there is no target with two candidates")
    doc = parse(rendering.text)
    pair = [_referent(row, rendering, doc, number, names) for number in (1, 2)]
    if {head.i for head in pair[0].heads} & {head.i for head in pair[1].heads[:1]}:
        raise NotApplicable("a candidate is not marked")
    number = pair[0].number
    if pair[1].number is not number:
        raise NotApplicable("the candidates differ in number")
    pronoun = row.target.pronoun
    if row.target.is_known and is_plural_pronoun(pronoun) != (number is Number.PLURAL):
        raise NotApplicable(f"{pronoun.lower()!r} differs in number from the candidates")
    return pair


def _referent(
    row: Schema | LooseProblem, rendering: Rendering, doc: Doc, number: int, names: SecondNames
) -> Referent:
    heads = _marked(row, rendering, doc, number) or _unmarked(row, rendering, doc, number)
    first = heads[0]
    if any(token.lower_ != first.lower_ for token in heads):
        raise NotApplicable("a candidate is worded in different ways")
    for head in heads:
        _check_head(head)
    assert row.target is not None
    known = sort_of_pronoun(row.target.pronoun) if row.target.is_known else None
    is_name = first.tag_ == "NNP"
    if is_name:
        sort = known or sort_of_name(first.text)
        if sort not in GENDERS or not is_given_name(first.text):
            raise NotApplicable(f"{first.text!r} is not known as a person's name")
        new = f"{first.text} and {names.beside(first.text, sort)}"
    else:
        sort = known or sort_of(first)
        new = other_form(first.text, number_of(first).other)
        if number_of(first) is Number.PLURAL and new.lower() in listed("paired"):
            raise NotApplicable(f"{first.lower_!r} go together")
        owner = determiner_of(first)
        is_owned = owner is not None and owner.tag_ in ("PRP$", "POS")
        if is_owned and first.lower_ in listed("unpaired"):
            raise NotApplicable(f"{first.lower_!r} is one of its kind")
    again = [token for token in doc if _is_again(token, first, heads)]
    return Referent(number_of(first), sort, (*heads, *again), new, is_name)


def _marked(row: Schema | LooseProblem, rendering: Rendering, doc: Doc, number: int) -> list[Token]:
    """The heads of the marked candidates with that number."""
    heads = []
    for segment in rendering.pieces("candidate"):
        part = row.frame[segment.part]
        if isinstance(part, Candidate) and part.number == number:
            head = root_of(doc, segment.start, segment.end)
            text = rendering.text[segment.start : segment.end]
            if any(child.dep_ == "conj" and child.idx < segment.end for child in head.children):
                raise NotApplicable("a candidate is coordinated with something else")
            if head.tag_ == "NNP" and text != head.text:
                raise NotApplicable("a name of several words")
            heads.append(head)
    return heads


def _unmarked(
    row: Schema | LooseProblem, rendering: Rendering, doc: Doc, number: int
) -> list[Token]:
    """The one word of the text that is the head of the answer."""
    answer = row.answers.values[number - 1][0]
    head = root_of(parse(answer), 0, len(answer))
    namesakes = [token for token in doc if token.lower_ == head.lower_ and token.dep_ != "compound"]
    if len(namesakes) != 1 or namesakes[0].pos_ not in ("NOUN", "PROPN"):
        raise NotApplicable("a candidate is not marked")
    return namesakes


def _check_head(head: Token) -> None:
    """Refuse a candidate that is several things, or a part of something else."""
    joined = [token for token in (head, *head.children) if token.dep_ == "conj"]
    if head.tag_ == "NNP" and any(_joins_names(token) for token in joined):
        raise NotApplicable("a candidate is coordinated with something else")
    whole = head.head.head if head.dep_ == "pobj" and head.head.lower_ == "of" else head
    if whole.pos_ in ("NUM", "PRON", "DET"):
        raise NotApplicable(f"{whole.lower_!r} counts")
    if _names_another(head):
        raise NotApplicable("a candidate names another noun")
    following = head.nbor(1) if head.i + 1 < len(head.doc) else None
    if head.tag_ == "NNP":
        # What looks like a noun may be a verb that the parser has not understood.
        if following is not None and following.tag_ in ("NNS", "NNP", "NNPS"):
            raise NotApplicable(f"{following.lower_!r} after a name")
        return
    if following is not None and following.pos_ in ("NOUN", "PROPN"):
        raise NotApplicable("a candidate comes before another noun")
    if any(token.lower_ in ("a", "an") for token in head.doc[head.i + 1 : head.right_edge.i]):
        raise NotApplicable("a candidate has a modifier of its own")  # «a woman in a coat»


def _names_another(head: Token) -> bool:
    """True after a noun that would have to follow: «a neighbour, Vera», «a neighbour called Vera».

    A noun right before the name is another matter: «her friend Vera».
    """
    before = head.doc[max(head.i - 2, 0) : head.i]
    if head.dep_ == "appos":
        return not before or before[-1].pos_ != "NOUN"
    is_after_noun = [token.tag_ for token in before] == ["NN", ","]
    opens = head.dep_ in ("nsubj", "nsubjpass", "poss")  # another clause
    return head.dep_ == "oprd" or (head.tag_ == "NNP" and is_after_noun and not opens)


def _joins_names(conjunct: Token) -> bool:
    """Return True for the second of two nouns with `and` or `or` between («Vera and Nell»)."""
    is_pair = conjunct.pos_ in ("NOUN", "PROPN") and conjunct.head.pos_ in ("NOUN", "PROPN")
    return is_pair and conjunct.nbor(-1).lower_ in ("and", "or")


def _is_again(token: Token, first: Token, heads: Sequence[Token]) -> bool:
    """Return True for a word outside the candidates that speaks of one of them."""
    if token.lower_ != first.lower_ or any(token.i == head.i for head in heads):
        return False
    if token.pos_ not in ("NOUN", "PROPN") or token.dep_ == "compound":
        return False
    determiner = determiner_of(token)
    if first.tag_ != "NNP" and (determiner is None or determiner.lower_ in ("a", "an", "some")):
        raise NotApplicable(f"{token.lower_!r} may stand for another one")
    return True


# After these an object and what becomes of it look like a clause («get it mended»).
_CAUSING = frozenset({"get", "have", "keep", "let", "make"})
_PERCEIVING = frozenset({"see", "hear", "watch", "find", "leave", "help", "feel"})
_WEATHER = frozenset({"rain", "snow", "hail", "pour", "drizzle", "thunder", "freeze"})


def following_pronouns(
    doc: Doc, mentions: Collection[int], sorts: Collection[NounGender], to: Number
) -> list[Token]:
    """The pronouns that refer to what the mentions stand for.

    A pronoun that may refer to something else as well is refused; one that does not go with the
    sorts refers to something else.
    """
    pronouns = []
    for token in doc:
        if token.i in mentions:
            continue
        sort = sort_of_pronoun(token.text)
        if to is Number.PLURAL:
            fits = sort is not None and any(
                goes_with(candidate_sort, sort) for candidate_sort in sorts
            )
        else:
            fits = is_plural_pronoun(token.text)
        if not fits or _is_empty(token):
            continue
        if _has_rival(token, mentions, sort):
            raise NotApplicable(f"{token.lower_!r} may refer to something else")
        pronouns.append(token)
    return pronouns


def _is_empty(token: Token) -> bool:
    """Return True for the `it` that refers to nothing («it rains»)."""
    return token.lower_ == "it" and (token.dep_ == "expl" or token.head.lemma_ in _WEATHER)


def _has_rival(pronoun: Token, mentions: Collection[int], sort: NounGender | None) -> bool:
    """Return True where another noun that it may refer to stands before the pronoun.

    If none of the mentions stands before it, a noun after it is a rival too.
    """
    doc = pronoun.doc
    is_forward = not any(mention < pronoun.i for mention in mentions)
    if is_forward and (sort is None or sort is NounGender.THING):
        return True
    reach = doc if is_forward else doc[: pronoun.i]
    return any(_is_rival(token, sort) for token in reach if token.i not in mentions)


def _is_rival(token: Token, sort: NounGender | None) -> bool:
    if token.dep_ in ("compound", "npadvmod") or token.lower_ == "lot":
        return False
    if sort is None:
        return token.tag_ in ("NNS", "NNPS") or (token.lower_ == "and" and _joins_nouns(token))
    if token.tag_ not in SINGULAR_TAGS:
        return False
    if token.tag_ == "NNP":
        return sort is not NounGender.THING or not token.text.istitle()
    return goes_with(sort_of(token), sort)


def _joins_nouns(conjunction: Token) -> bool:
    return conjunction.head.pos_ in ("NOUN", "PROPN", "PRON")


def pronoun_edit(token: Token, to: Number, sort: NounGender, *, is_owner: bool) -> Edit:
    """The pronoun in the other number; the sort says which one of the singular it is."""
    return replaced(token, pronoun_in_number(to, sort, _case(token, is_owner=is_owner)))


def _case(token: Token, *, is_owner: bool) -> PronounCase:
    word = token.lower_
    if word.endswith(("self", "selves")):
        return PronounCase.REFLEXIVE
    if word in ("hers", "theirs"):
        return PronounCase.OWNER_ALONE
    if is_owner or word in ("its", "their"):
        return PronounCase.OWNER
    if word == "his":
        raise NotApplicable("'his' without a noun")
    if word in ("he", "she", "they"):
        return PronounCase.SUBJECT
    if word in ("him", "her", "them"):
        return PronounCase.OBJECT
    return _case_of_it(token)


def _case_of_it(token: Token) -> PronounCase:
    """Return whether `it` is a subject: alone among the pronouns it does not show that."""
    if _opens_clause(token):
        return PronounCase.SUBJECT
    if token.dep_ not in ("nsubj", "nsubjpass"):
        return PronounCase.OBJECT
    verb = token.head
    # Only right after its governor it may be the object of that.
    is_next = token.i > 0 and verb.dep_ in ("ccomp", "xcomp") and verb.head.i == token.i - 1
    governor = verb.head.lemma_ if is_next else ""
    auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if governor in _CAUSING or not any(token.tag_ in FINITE_TAGS for token in (verb, *auxiliaries)):
        return PronounCase.OBJECT
    if governor in _PERCEIVING and verb.tag_ == "VBD" and not auxiliaries:
        raise NotApplicable("'it' may be a subject or an object")
    return PronounCase.SUBJECT


def _opens_clause(token: Token) -> bool:
    """True between `and` or a comma and a finite verb, whatever the parser says."""
    before, after = token.doc[: token.i], token.doc[token.i + 1 :]
    verb = next((token for token in after if token.tag_ != "RB"), None)
    is_opening = not before or before[-1].tag_ in ("CC", ",", ".", ":")
    return is_opening and verb is not None and verb.tag_ in FINITE_TAGS


def owned_by_each(doc: Doc, owners: Collection[int], to: Number) -> list[Token]:
    """Owned nouns that follow the number of their owners: everybody has their own head."""
    own = listed("paired") | listed("unpaired") | listed("own")
    if to is Number.SINGULAR:
        own = frozenset(map(plural_of, own - listed("paired")))
    owned = []
    for owner in (doc[owner] for owner in sorted(owners)):
        following = doc[owner.i + 1 :]
        if following and following[0].tag_ == "POS":
            following = following[1:]
        # «Back» right after its owner is a noun, whatever the parser says.
        nearby = [*([owner.head] if owner.dep_ == "poss" else []), *following[:1]]
        nouns = (token for token in nearby if token.dep_ not in ("compound", "amod"))
        owned += [noun for noun in nouns if noun.lower_ in own][:1]
    return owned


def check_unmentioned(noun: Token, mentions: Collection[int]) -> None:
    """Refuse a pronoun after a noun that may refer to that and does not follow it."""
    for token in noun.doc[noun.i + 1 :]:
        sort = sort_of_pronoun(token.text)
        if token.i not in mentions and sort is not None and goes_with(sort_of(noun), sort):
            raise NotApplicable(f"{token.lower_!r} may refer to something else")
