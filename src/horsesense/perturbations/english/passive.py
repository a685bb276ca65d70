"""What is said instead of an active verb, and instead of a passive one.

`couldn't lift` is `couldn't be lifted` in the passive, `is eating` is `is being eaten`, and `did
not see` is `was not seen` or `were not seen`: the first word agrees with the new subject. Which
verbs have a passive that people use, and what that asks of pronouns and nouns, is told here too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from horsesense.perturbations.english.verbs import Tense, inflected
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEGATIONS = frozenset({"not", "n't", "n’t"})
_BE = frozenset({"am", "is", "are", "was", "were", "'re", "’re", "'m", "’m"})
_HAVE = frozenset({"have", "has", "had", "'ve", "’ve"})
_DO = frozenset({"do", "does", "did"})
_MODALS = frozenset(str.split("can ca could will wo 'll ’ll would shall sha should may might must"))
_SHORT = {"'ll": "will", "’ll": "will"}
_BE_FORMS = {
    (Tense.PAST, False): "was",
    (Tense.PAST, True): "were",
    (Tense.PRESENT, False): "is",
    (Tense.PRESENT, True): "are",
}

# Verbs that have an object and no passive worth the name.
NO_PASSIVE = frozenset(
    str.split("have get weigh cost resemble fit lack want need become equal suit mean be like let")
)
# Those, and verbs whose object is hardly promoted, or whose passive means something else.
HARDLY_PASSIVE = NO_PASSIVE | frozenset(
    str.split(
        "seem remain last measure contain wish hope marry meet join dislike enjoy keep try start "
        "begin stop continue finish reach enter leave escape owe own belong involve include say "
        "think feel stand experience suffer promise make undergo await befit concern show depict "
        "portray represent express indicate hold wear speak prefer gain develop learn drink board "
        "spend flunk fail know understand remember forget believe doubt deserve require"
    )
)
# What becomes the subject is the receiver («was asked a question»), or it is the gift («was given
# to her»); of other verbs with two objects nothing is promoted.
PROMOTES_RECEIVER = frozenset({"ask", "refuse", "deny", "tell", "teach"})
PROMOTES_GIFT = frozenset(str.split("give hand pass send show lend sell offer throw bring"))
GIVING = PROMOTES_RECEIVER | PROMOTES_GIFT
# Their object is the one who is to do what the infinitive or the clause says.
OBJECT_CONTROL = frozenset(
    str.split(
        "ask tell order force persuade invite advise urge teach beg remind warn encourage hire "
        "inform assure use"
    )
)
# The few verbs that readily take their preposition with them into the passive.
PREPOSITIONAL = frozenset({("yell", "at"), ("shout", "at"), ("laugh", "at"), ("look", "after")})
# With these a passive may be negated: of `was not passed by Ann` one would ask by whom it was.
# `Would not` says what someone is not willing to do, which a thing is not.
NEGATED = frozenset(str.split("can ca could should must may might"))
# After these `by` says where, not by whom.
PLACING = frozenset(str.split("place put set lay seat park leave position stand hang plant build"))
# Objects of these are often no object but a measure.
MEASURES = frozenset(
    str.split(
        "length distance mile metre meter kilometre kilometer hour minute second day week year"
    )
)
# `Up` and `out` after these say where.
MOTION = frozenset(str.split("run walk climb go jump roll fall come slide ride fly drive march"))
PARTICLES = frozenset(str.split("away down up out off back in over on aside apart together"))

OBJECTIVE = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "who": "whom"}
NOMINATIVE = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}

_PLURAL_PRONOUNS = frozenset(str.split("we us they them you these those both many few several"))
_PLURAL_NOUNS = frozenset({"people", "police", "cattle"})
# Their number is that of what follows `of`.
_AMOUNTS = frozenset(
    str.split("lot number couple half majority rest most some all none plenty any")
)
_SINGULAR_WORDS = frozenset({"a", "an", "this", "that", "each", "every", "another"})
_PLURAL_WORDS = frozenset({"these", "those", "many", "few", "several", "both", "two", "three"})


def passive_group(
    verb_lemma: str,
    auxiliaries: Sequence[str],
    tense: Tense,
    plural: bool,
    *,
    adverbs: Sequence[str] = (),
) -> str:
    """The passive of a verb with these auxiliaries, agreeing with a subject of this number.

    `auxiliaries` are as the parser splits them (`could`, `n't`); `tense` counts where they leave it
    open. `adverbs` stand after the first word.

    >>> passive_group("lift", ["could", "n't"], Tense.PAST, False)
    "couldn't be lifted"
    """
    helpers, negation = _split(auxiliaries)
    kinds = tuple(map(_kind, helpers))
    if kinds in ((), ("do",)):
        tense = _tense_of_do(helpers[0]) if helpers else tense
        first, rest = _BE_FORMS[tense, plural], []
    elif kinds == ("modal",):
        first, rest = helpers[0], ["be"]
    elif kinds == ("modal", "have"):
        first, rest = helpers[0], ["have", "been"]
    elif kinds == ("have",):
        first, rest = _have(helpers[0], plural), ["been"]
    elif kinds == ("be",):
        first, rest = _BE_FORMS[_tense_of_be(helpers[0]), plural], ["being"]
    else:
        raise NotApplicable("auxiliaries that have no passive in use")
    return _joined(first, negation, [*adverbs, *rest, _form(verb_lemma, "VBN")])


def active_group(
    verb_lemma: str, auxiliaries: Sequence[str], plural: bool, *, adverbs: Sequence[str] = ()
) -> str:
    """The active of a passive verb with these auxiliaries, `be` among them.

    >>> active_group("lift", ["was", "n't"], True), active_group("see", ["has", "been"], True)
    ("didn't lift", 'have seen')
    """
    helpers, negation = _split(auxiliaries)
    kinds = tuple(map(_kind, helpers))
    if kinds == ("be",) and not negation:
        tag = "VBD" if _tense_of_be(helpers[0]) is Tense.PAST else "VBP" if plural else "VBZ"
        return " ".join([*adverbs, _form(verb_lemma, tag)])
    if kinds == ("be",):
        past = _tense_of_be(helpers[0]) is Tense.PAST
        first, rest = "did" if past else "do" if plural else "does", [_form(verb_lemma, "VB")]
    elif helpers[1:] == ["be"] and kinds[0] == "modal":
        first, rest = helpers[0], [_form(verb_lemma, "VB")]
    elif helpers[1:] == ["have", "been"] and kinds[0] == "modal":
        first, rest = helpers[0], ["have", _form(verb_lemma, "VBN")]
    elif helpers[1:] == ["been"] and kinds[0] == "have":
        first, rest = _have(helpers[0], plural), [_form(verb_lemma, "VBN")]
    elif helpers[1:] == ["being"] and kinds[0] == "be":
        first, rest = _BE_FORMS[_tense_of_be(helpers[0]), plural], [_form(verb_lemma, "VBG")]
    else:
        raise NotApplicable("auxiliaries that have no active in use")
    return _joined(first, negation, [*adverbs, *rest])


def is_form(word: str, lemma: str, tag: str) -> bool:
    """True where the dictionary knows the word as that form of the verb."""
    return word.lower() in inflected(lemma, tag)


def is_plural(head: Token) -> bool:
    """Whether a verb agrees with this head of a noun phrase in the plural."""
    word = head.lower_
    words = {child.lower_ for child in head.children if child.dep_ in ("det", "nummod", "amod")}
    joining = {child.lower_ for child in head.children if child.dep_ in ("cc", "preconj")}
    if joining - {"and", "both"}:
        raise NotApplicable("the number of a noun phrase is not plain")
    if any(child.dep_ == "conj" for child in head.children):
        return True
    if word in _AMOUNTS:
        inner = [kid for child in head.children if child.lower_ == "of" for kid in child.children]
        return is_plural(inner[0]) if inner else word in ("all", "some", "most")
    plural = head.tag_ in ("NNS", "NNPS") or word in _PLURAL_PRONOUNS | _PLURAL_NOUNS
    if words & (_SINGULAR_WORDS if plural else _PLURAL_WORDS):
        raise NotApplicable("the number of a noun phrase is not plain")
    return plural


def _split(auxiliaries: Sequence[str]) -> tuple[list[str], str]:
    """The auxiliaries without the negation, and the negation."""
    words = [word.lower() for word in auxiliaries]
    negations = [word for word in words if word in _NEGATIONS]
    helpers = [_SHORT.get(word, word) for word in words if word not in _NEGATIONS]
    return helpers, negations[0] if negations else ""


def _kind(helper: str) -> str:
    kinds = {"be": _BE, "have": _HAVE, "do": _DO, "modal": _MODALS}
    return next((kind for kind, words in kinds.items() if helper in words), "")


def _tense_of_do(helper: str) -> Tense:
    return Tense.PAST if helper == "did" else Tense.PRESENT


def _tense_of_be(helper: str) -> Tense:
    return Tense.PAST if helper in ("was", "were") else Tense.PRESENT


def _have(helper: str, plural: bool) -> str:
    return "had" if helper == "had" else "have" if plural else "has"


def _form(lemma: str, tag: str) -> str:
    """An inflected form; the first where there are several."""
    forms = inflected(lemma, tag)
    if not forms:
        raise NotApplicable(f"no form of {lemma!r} is known")
    return forms[0]


def _joined(first: str, negation: str, rest: Sequence[str]) -> str:
    is_one_word = negation not in ("", "not") or (first, negation) == ("can", "not")
    start = first + negation if is_one_word else f"{first} {negation}".rstrip()
    return " ".join([start, *rest])
