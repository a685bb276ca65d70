"""An adverb for a main verb, as Abdou et al. (2020) have added them by hand.

Most verbs are left alone. Only one of a kind for which we know a natural adverb gets it, right
before the verb, and only one verb of a sentence does. What is denied, has a modal or has an adverb
already is never qualified, nor is a verb whose subject or object is the target: the adverb would
have to fit both answers alike. The kinds stand in `adverbs.toml` beside this module.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from horsesense.perturbations.english.nouns import NounGender, sort_of
from horsesense.perturbations.english.people import is_given_name
from horsesense.perturbations.english.pipeline import parse, table
from horsesense.perturbations.english.verbs import (
    auxiliaries,
    check_plain,
    finite_tokens,
    inflected,
    main_verbs,
    subject_of,
    word_after,
)
from horsesense.perturbations.rewriting import Edit, Rendering, renderings, rewritten
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import Entry, Schema

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
# Adverbs of place and of connection leave room for another.
_NO_QUALIFIERS = frozenset(
    str.split("so then there here away back instead together home because therefore")
)
# What is measured or compared is qualified already.
_COMPARING = frozenset(str.split("more most less least better rather much lot as"))
_TIMES = frozenset(
    str.split(
        "after before when whenever while until till since once then now already still soon later "
        "earlier first last next finally ago yesterday today tonight tomorrow morning afternoon "
        "evening night noon midnight week month year day daily weekly every always usually "
        "weekend summer winter spring autumn fall century old former recent monday tuesday "
        "wednesday thursday friday saturday sunday hour minute during time if so"
    )
)
# Whence and whither things fall.
_WAYS = frozenset(str.split("off from over onto out down on because , ."))
# Such objects make another verb of what is done: one does not place an order with care.
_ABSTRACT = frozenset(
    str.split(
        "order bet blame trust effort pressure emphasis faith hope time money end stop call class "
        "cost corner course price weight burden risk message meaning head hand mind job life"
    )
)
# What one makes is there after the first attempt, well or badly made.
_MAKING = frozenset(
    str.split("be bake build carve cook create draw empty fry knit make paint sew sketch use write")
)


class _VerbPlace(NamedTuple):
    """A place in a part of the frame, the kinds of its verb, and the verb."""

    part: int
    offset: int
    kinds: tuple[str, ...]
    verb: str


def propose_adverb(entry: Entry, settings: Settings) -> Rewriting:
    """The entry with an adverb before one main verb of a sentence, where one is natural."""
    grid = entry.grid
    rendered = renderings(grid)
    for rendering in rendered:
        check_plain(rendering.text)
    places = [_places(rendering, parse(rendering.text)) for rendering in rendered]
    if isinstance(grid, Schema):
        places = _agreed(places)
    known = {word.lower()[:5] for rendering in rendered for word in _WORD.findall(rendering.text)}
    edits, chosen = [], []
    for rendering, some in zip(rendered, places, strict=True):
        # Drawn anew for each, so that twins get the same adverbs.
        adverbs = _chosen(some, known, settings.draw(entry.id, "adverb"))
        starts = [rendering.segments[place.part].start + place.offset for place, _ in adverbs]
        words = [word for _, word in adverbs]
        edits.append([Edit(at, at, f"{word} ") for at, word in zip(starts, words, strict=True)])
        chosen += [f"{word} {place.verb}" for place, word in adverbs]
        if not words:
            raise NotApplicable("no verb that an adverb would fit")
    return Rewriting(rewritten(grid, edits), ", ".join(dict.fromkeys(chosen)))


def _places(rendering: Rendering, doc: Doc) -> list[_VerbPlace]:
    """The places for an adverb in a text, at most one per sentence."""
    finite_tokens(doc)  # refuses what is not parsed well
    places: dict[int, _VerbPlace] = {}
    for number, verb in enumerate(main_verbs(doc)):
        segment = rendering.segment_at(verb.idx, verb.idx)
        if segment is None or segment.piece != "text" or verb.sent.start in places:
            continue
        kinds = _kinds(rendering, verb, is_first=number == 0)
        if kinds:
            place = _VerbPlace(segment.part, verb.idx - segment.start, kinds, verb.lower_)
            places[verb.sent.start] = place
    return list(places.values())


def _kinds(rendering: Rendering, verb: Token, *, is_first: bool) -> tuple[str, ...]:
    """The kinds of adverb that a verb takes in its sentence."""
    subject, form = subject_of(verb), _form(verb)
    if subject is None or subject.i > verb.i or _is_qualified(verb):
        return ()
    objects = [child for child in verb.children if child.dep_ in ("dobj", "dative")]
    targets = rendering.pieces("target")
    if any(
        target.start <= noun.idx < target.end for target in targets for noun in (subject, *objects)
    ):
        return ()
    return tuple(
        name
        for name, kind in table("adverbs").items()
        # The lemmas of the parser are not to be trusted: to it «hates» is a form of «hat».
        if any(verb.lower_ in inflected(lemma, verb.tag_) for lemma in kind["verbs"].split())
        and form in kind["forms"]
        and (kind.get("subject") != "people" or _is_person(subject))
        and _goes_on(verb, kind.get("after", ""))
        and (not kind.get("recent") or (is_first and _is_timeless(verb)))
    )


def _form(verb: Token) -> str:
    """The form of a verb as the table has it; none for what is denied, passive or modal."""
    tags = {"VBD": "past", "VBZ": "present", "VBP": "present"}
    helpers = auxiliaries(verb)
    if not helpers:
        return tags.get(verb.tag_, "")
    if len(helpers) > 1 or helpers[0].i + 1 != verb.i:
        return ""
    # «'s» and «'d» may be one thing or another.
    forms = {("was", "VBG"): "progressive", ("were", "VBG"): "progressive"}
    forms |= {
        ("had", "VBN"): "perfect",
        ("is", "VBG"): "progressive",
        ("are", "VBG"): "progressive",
    }
    return forms.get((helpers[0].lower_, verb.tag_), "")


def _is_qualified(verb: Token) -> bool:
    """True for a verb with an adverb, a measure, a comparison, or a particle that changes it."""
    if any(token.lower_ == "than" for token in verb.sent):
        return True
    for child in verb.children:
        if child.dep_ in ("neg", "npadvmod", "prt") or child.lower_ in _COMPARING:
            return True
        is_adverb = child.dep_ == "advmod" or child.tag_ in ("RB", "RBR", "RP")
        if is_adverb and child.lower_ not in _NO_QUALIFIERS:
            return True
    return False


def _is_person(subject: Token) -> bool:
    """Return True for a subject that is plainly somebody."""
    if subject.tag_ in ("NNP", "NNPS"):
        return is_given_name(subject.text)
    if subject.pos_ == "PRON":
        return subject.lower_ in ("i", "we", "he", "she")
    return subject.tag_ in ("NN", "NNS") and sort_of(subject) is not NounGender.THING


def _goes_on(verb: Token, after: str) -> bool:
    """Return True if the words that its kind requires follow the verb."""
    children = {child.dep_: child for child in verb.children if child.i > verb.i}
    target = children.get("dobj")
    if after == "object":
        return target is not None and target.lemma_.lower() not in _ABSTRACT
    if after == "attempt":
        inner = children.get("xcomp")
        if inner is None or inner.lemma_ in _MAKING:
            return False
        return any(child.tag_ == "TO" for child in inner.children)
    if after == "clause":
        inner = children.get("ccomp")
        return inner is not None and inner.tag_ in ("VB", "VBG")
    return after != "event" or (target is None and word_after(verb) in _WAYS)


def _is_timeless(verb: Token) -> bool:
    """Return True if nothing says when it happened or its outcome, and there is one tense."""
    words = {form for token in verb.doc for form in (token.lower_, token.lemma_.lower())}
    tense = _form(verb)
    tags = {token.tag_ for token in verb.doc}
    mixed = tags & ({"VBD"} if tense == "present" else {"VBZ", "VBP"})
    return not words & _TIMES and not mixed and not _DIGIT.search(verb.doc.text)


def _agreed(places: Sequence[Sequence[_VerbPlace]]) -> list[list[_VerbPlace]]:
    """The places that the two problems of a schema share, with the kinds that fit both verbs."""
    first, second = places
    others = {place[:2]: place for place in second}
    agreed = []
    for place in first:
        other = others.get(place[:2])
        kinds = tuple(kind for kind in place.kinds if other is not None and kind in other.kinds)
        if kinds:
            agreed.append(place._replace(kinds=kinds))
    return [agreed, agreed]


def _chosen(
    places: Sequence[_VerbPlace], known: set[str], draw: random.Random
) -> list[tuple[_VerbPlace, str]]:
    """An adverb for each place that is neither there yet nor chosen before."""
    kinds: Mapping[str, Any] = table("adverbs")
    chosen: dict[str, _VerbPlace] = {}
    for place in places:
        words = [word for kind in place.kinds for word in kinds[kind]["adverbs"]]
        left = [word for word in words if word not in chosen and word[:5] not in known]
        if left:
            chosen[draw.choice(left)] = place
    return [(place, word) for word, place in chosen.items()]
