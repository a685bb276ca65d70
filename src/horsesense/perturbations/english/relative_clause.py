"""A relative clause after the first candidate: `the boy, who was born in October, lifted the box`.

The clauses stand in `relative_clauses.toml` beside this module. Those of people tell a little of
their lives, those of things are a word between the narrator and the reader. None shares a word
with the sentence it goes into, nor its topic, lest it give a reason for what happens there.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from horsesense.perturbations.english.passive import is_plural
from horsesense.perturbations.english.people import is_given_name
from horsesense.perturbations.english.pipeline import parse, table
from horsesense.perturbations.rewriting import Edit, Rendering, Segment, renderings, rewritten
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import Entry, Grid, Schema

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_TABLE = "relative_clauses"
_OF_PEOPLE = frozenset(str.split("he him his she her hers"))
_OF_THINGS = frozenset({"it", "its"})
_SUBJECTS = ("nsubj", "nsubjpass")
_PERSONAL = frozenset(str.split("i me my mine we us our ours you your yours"))
# What is not a whole noun phrase has one of these functions.
_INSIDE = frozenset(str.split("compound poss nmod amod nummod conj npadvmod det advmod"))
# «Every boy, who …» cannot be said, and with «a boy, who …» one would rather expect news.
_QUANTIFIERS = frozenset(
    str.split("a an some every each no any many few most only all both another enough such what")
)
_COMMON = frozenset(
    str.split("who which was were had has have is are been a the in on at by to from about up for")
)
_WORD = re.compile(r"[^\W\d_]+")
_SINGULAR = {"was": "was", "has": "has", "speaks": "speaks"}
_PLURAL = {"was": "were", "has": "have", "speaks": "speak"}
# Words are taken for the same when they begin alike.
_STEM = 5


def propose_relative_clause(entry: Entry, settings: Settings) -> Rewriting:
    """The schema with a relative clause after the candidate that stands first."""
    grid = entry.grid
    if not grid.is_winograd:
        raise NotApplicable("there is no target")
    known = _stems(" ".join(grid.sentence(cell).text for cell in grid.cells))
    rendered = renderings(grid)
    clauses = [_clauses(grid, rendering) for rendering in rendered]
    fitting = [
        n for n, (clause, topics) in enumerate(clauses[0]) if not _stems(clause + topics) & known
    ]
    if not fitting:
        raise NotApplicable("every available clause is related to the sentence")
    chosen = settings.draw(entry.id, "relative-clause").choice(fitting)
    if any(chosen >= len(clause) for clause in clauses):
        raise NotApplicable("it is unclear whether the candidate is a person")
    edits = [
        [Edit(first.end, first.end, f", {clause[chosen][0]},")]
        for first, clause in zip(map(_first_candidate, rendered), clauses, strict=True)
    ]
    return Rewriting(rewritten(grid, edits), f"+ {clauses[0][chosen][0]}")


@cache
def _nouns(name: str) -> frozenset[str]:
    return frozenset(table(_TABLE)["nouns"][name].split())


def _stems(text: str) -> set[str]:
    """The beginnings of the words of a text, those left out that are in every other sentence."""
    words = {word.lower() for word in _WORD.findall(text)}
    return {word[:_STEM] for word in words - _COMMON}


def _first_candidate(rendering: Rendering) -> Segment:
    candidates = rendering.pieces("candidate")
    if not candidates:
        raise NotApplicable("no candidate is marked")
    return candidates[0]


def _clauses(grid: Grid, rendering: Rendering) -> list[tuple[str, str]]:
    """Every clause in the form in which it can stand after the first candidate, with its topics."""
    first = _first_candidate(rendering)
    candidate = parse(rendering.text).char_span(first.start, first.end)
    if candidate is None or candidate.root.dep_ in _INSIDE:
        raise NotApplicable("the candidate is part of a larger phrase")
    _check_first(grid, rendering, first)
    _check_room(candidate, rendering.text[first.end :])
    head = candidate.root
    _check_noun(head)
    if _is_person(grid, rendering, candidate):
        plural, tense = is_plural(head), "past" if _is_past(head) else "present"
        if plural and head.tag_ not in ("NNP", "NNPS"):
            raise NotApplicable("the candidate is a group of people")
        forms, people = _PLURAL if plural else _SINGULAR, table(_TABLE)["people"]
        return [(person[tense].format_map(forms), f" {person['topics']}") for person in people]
    if head.dep_ not in _SUBJECTS:
        raise NotApplicable("the candidate is a thing and not a subject")
    if _PERSONAL & {word.lower() for word in _WORD.findall(rendering.text)}:
        raise NotApplicable("the sentence is in the first or second person")
    return [(clause, "") for clause in table(_TABLE)["things"]["clauses"]]


def _check_first(grid: Grid, rendering: Rendering, first: Segment) -> None:
    """Refuse where the target or the other candidate, without a mark, is mentioned before."""
    if any(segment.start < first.start for segment in rendering.pieces("target")):
        raise NotApplicable("the target comes before the candidate")
    owner = grid if isinstance(grid, Schema) else grid.rows[rendering.row]
    before = {word.lower() for word in _WORD.findall(rendering.text[: first.start])}
    phrases = [phrase for value in owner.answers.values for phrase in value]
    heads = {words[-1].lower() for words in map(_WORD.findall, phrases) if words}
    if heads & before:
        raise NotApplicable("the candidate mentioned first is not marked")
    if {"who", "whom", "whose", "which"} & {w.lower() for w in _WORD.findall(rendering.text)}:
        raise NotApplicable("there is already a relative clause")


def _check_room(candidate: Span, after: str) -> None:
    """Refuse a place where a clause and its commas would not fit."""
    if after.startswith(("'", "’")):
        raise NotApplicable("the candidate is possessive")
    if not re.match(r" \w", after):
        raise NotApplicable("punctuation follows the candidate")
    head, following = candidate.root, candidate.doc[candidate.end]
    if any(token.dep_ == "relcl" for token in head.ancestors):
        raise NotApplicable("there is already a relative clause")
    is_subject = head.dep_ in _SUBJECTS
    belongs = following in list(head.subtree)
    # «The lid of the jar, which …»: it could be either.
    belongs |= head.dep_ == "pobj" and head.head.head.pos_ in ("NOUN", "PROPN")
    belongs |= following.pos_ in ("NOUN", "PROPN", "ADJ", "NUM", "CCONJ") and is_subject
    if belongs or following.dep_ in ("compound", "prt") or following.tag_ == "POS":
        raise NotApplicable("the candidate is part of a larger phrase")
    if not is_subject and following.tag_ in ("RB", "RP"):
        raise NotApplicable("a particle follows the candidate")
    is_cut = following.tag_ == "IN" and (following.dep_ != "mark" or following.lower_ == "than")
    if is_cut or (not is_subject and following.tag_ not in ("IN", "VBG")):
        raise NotApplicable("the clause would cut off the phrase after the candidate")


def _check_noun(head: Token) -> None:
    """Refuse a noun that is not one definite person or thing that could be singled out."""
    if any(child.lower_ in _QUANTIFIERS for child in head.children):
        raise NotApplicable("the candidate is not definite")
    articles = [child for child in head.children if child.dep_ in ("det", "poss", "nummod")]
    if head.tag_ in ("NN", "NNS") and not articles:
        raise NotApplicable("the candidate has no article")
    if head.lemma_.lower() in _nouns("unique") | _nouns("body") | _nouns("infants"):
        raise NotApplicable("no clause fits the candidate")


def _is_person(grid: Grid, rendering: Rendering, candidate: Span) -> bool:
    """Return whether it is to be `who`: the pronoun tells, or else the noun does."""
    owner = grid if isinstance(grid, Schema) else grid.rows[rendering.row]
    target = owner.target
    pronoun = target.pronoun.lower() if target is not None and target.is_known else ""
    head = candidate.root
    if head.tag_ in ("NNP", "NNPS"):
        # Other names may be those of the famous, of whom one knows better.
        names = [word for word in candidate.text.split() if word != "and"]
        if pronoun not in _OF_THINGS and all(map(is_given_name, names)):
            return True
        raise NotApplicable("it is unclear whether the candidate is a person")
    if pronoun in _OF_PEOPLE | _OF_THINGS:
        return pronoun in _OF_PEOPLE
    noun, data = head.lemma_.lower(), table(_TABLE)["nouns"]
    if noun in _nouns("people") or noun.endswith(tuple(data["person-endings"])):
        return True
    is_doubtful = noun.endswith(tuple(data["doubtful-endings"])) or head.tag_ not in ("NN", "NNS")
    if pronoun or is_doubtful:
        raise NotApplicable("it is unclear whether the candidate is a person")
    return False


def _is_past(head: Token) -> bool:
    """Return whether the clause of a noun is about the past."""
    for verb in (token for token in head.ancestors if token.pos_ in ("VERB", "AUX")):
        group = [*(token for token in verb.lefts if token.dep_ in ("aux", "auxpass")), verb]
        for word in group:
            if word.tag_ in ("VBD", "VBZ", "VBP"):
                return word.tag_ == "VBD"
            if word.tag_ == "MD":
                return word.lower_ in ("could", "would", "might")
    raise NotApplicable("the tense of the sentence is unclear")
