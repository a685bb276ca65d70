"""Active and passive: clauses as parsed, and verb forms of the other voice.

`couldn't lift` is `couldn't be lifted` in the passive, `is eating` is `is being eaten`, and `did
not see` is `was not seen` or `were not seen`: the first word agrees with the new subject. Verbs
without a common passive are refused, and so are clauses that may be parsed wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from horsesense.perturbations.english.verbs import Tense, inflected
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Token
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from horsesense.perturbations.english import passive
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.rewriting import Rendering

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


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
        raise NotApplicable("the auxiliaries have no common passive")
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
        raise NotApplicable("the auxiliaries have no common active form")
    return _joined(first, negation, [*adverbs, *rest])


def is_form(word: str, lemma: str, tag: str) -> bool:
    """Return True where the dictionary knows the word as that form of the verb."""
    return word.lower() in inflected(lemma, tag)


def is_plural(head: Token) -> bool:
    """Return whether a verb agrees with this head of a noun phrase in the plural."""
    word = head.lower_
    words = {child.lower_ for child in head.children if child.dep_ in ("det", "nummod", "amod")}
    joining = {child.lower_ for child in head.children if child.dep_ in ("cc", "preconj")}
    if joining - {"and", "both"}:
        raise NotApplicable("the number of a noun phrase is unclear")
    if any(child.dep_ == "conj" for child in head.children):
        return True
    if word in _AMOUNTS:
        inner = [kid for child in head.children if child.lower_ == "of" for kid in child.children]
        return is_plural(inner[0]) if inner else word in ("all", "some", "most")
    plural = head.tag_ in ("NNS", "NNPS") or word in _PLURAL_PRONOUNS | _PLURAL_NOUNS
    if words & (_SINGULAR_WORDS if plural else _PLURAL_WORDS):
        raise NotApplicable("the number of a noun phrase is unclear")
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


# Prepositions that go with the verb, whatever noun the parser gives them to.
_DIRECTIONS = frozenset(str.split("to into onto from through toward towards off across at"))
_RELATIVES = frozenset({"WP", "WDT", "WP$", "WRB"})
_NO_SUBJECTS = frozenset({"WP", "WDT", "EX", "WP$"})
_AUXILIARIES = frozenset({"aux", "auxpass", "neg"})
_CLAUSES = frozenset({"conj", "advcl", "ccomp"})
_INNER_CLAUSES = frozenset({"relcl", "acl", "appos"})


class VerbGroup(NamedTuple):
    """A verb with its auxiliaries; `leading` are adverbs before all of them."""

    words: Span
    leading: tuple[str, ...]
    auxiliaries: tuple[str, ...]
    adverbs: tuple[str, ...]


class Clause(NamedTuple):
    """A clause in a rendering: a verb, its subject, and all that stands between the two."""

    shown: Rendering
    verb: Token
    subject: Span
    group: VerbGroup


def verbs_of_clauses(text: str) -> Iterator[Token]:
    """The main verbs, then those of other clauses that may have a subject of their own."""
    doc = parse(text)
    yield from (token for token in doc if token.dep_ == "ROOT")
    yield from (token for token in doc if token.dep_ in _CLAUSES and token.tag_.startswith("VB"))


def read_clause(rendering: Rendering, verb: Token) -> Clause:
    """The clause of a verb, if it has a subject and the verb is one that could have an object."""
    subjects = [token for token in verb.lefts if token.dep_ in ("nsubj", "nsubjpass")]
    if len(subjects) != 1 or subjects[0].tag_ in _NO_SUBJECTS:
        raise NotApplicable("the clause has no subject of its own")
    if not verb.tag_.startswith("VB") or verb.lemma_ == "be":
        raise NotApplicable("not transitive")
    subject = _whole(subjects[0])
    group = _group(rendering, verb, subject)
    if not group.auxiliaries and verb.tag_ not in ("VBD", "VBZ", "VBP"):
        raise NotApplicable("the form of the verb is not known")
    return Clause(rendering, verb, subject, group)


def _whole(head: Token) -> Span:
    """A noun phrase with all that the parser gives to it, if that is simple."""
    whole = head.doc[head.left_edge.i : head.right_edge.i + 1]
    if any(word.text in ",;:()" or word.dep_ in _INNER_CLAUSES for word in whole):
        raise NotApplicable("the subject contains a clause")
    return whole


def _group(rendering: Rendering, verb: Token, subject: Span) -> VerbGroup:
    """The verb and all that stands between it and its subject."""
    leading: list[str] = []
    auxiliaries: list[str] = []
    adverbs: list[str] = []
    words = verb.doc[subject.end : verb.i + 1]
    for word in words[:-1]:
        is_adverb = word.dep_ == "advmod" or word.lower_ == "never"
        if word.head == verb and word.dep_ in _AUXILIARIES and not is_adverb:
            auxiliaries.append(word.text)
        elif word.head == verb and is_adverb and word.tag_ == "RB":
            (adverbs if auxiliaries else leading).append(word.text)
        else:
            raise NotApplicable("something comes between subject and verb")
    held = rendering.segment_at(words.start_char, words.end_char)
    if held is None or held.piece != "text":
        raise NotApplicable("the verb is a key phrase")
    if any(token.dep_ in _AUXILIARIES and token.i < words.start for token in verb.lefts):
        raise NotApplicable("a question")
    if not auxiliaries:
        leading, adverbs = [], leading
    return VerbGroup(words, tuple(leading), tuple(auxiliaries), tuple(adverbs))


def tense_of_clause(clause: Clause) -> Tense:
    """The tense of a verb without auxiliaries; `they put` could be either."""
    verb, head = clause.verb, clause.subject.root
    is_open = verb.lower_ == verb.lemma_ and passive.is_form(verb.text, verb.lemma_, "VBD")
    if not is_open:
        return Tense.PAST if verb.tag_ == "VBD" else Tense.PRESENT
    if head.lower_ not in ("i", "you") and not passive.is_plural(head):
        return Tense.PAST  # without an -s
    if any(token.tag_ == "VBD" and token != verb for token in verb.doc):
        return Tense.PAST
    raise NotApplicable("the tense of the verb is unclear")


def object_of(clause: Clause) -> Token:
    """The head of the object, which may be that of a preposition."""
    verb = clause.verb
    objects = [token for token in verb.rights if token.dep_ == "dobj"]
    if not objects:
        word = verb.doc[min(verb.i + 1, len(verb.doc) - 1)]
        if (verb.lemma_, word.lower_) in passive.PREPOSITIONAL and word.head == verb:
            objects = [token for token in word.rights if token.dep_ == "pobj"]
    if len(objects) != 1:
        raise NotApplicable("not transitive")
    return objects[0]


def phrase_of(rendering: Rendering, head: Token) -> Span:
    """The noun phrase of a head, as far as it is sure to belong to it."""
    return head.doc[head.left_edge.i : _last_word(rendering, head) + 1]


def _last_word(rendering: Rendering, head: Token) -> int:
    marked = rendering.segment_at(head.idx, head.idx + len(head))
    bound = marked.end if marked is not None and marked.piece == "candidate" else 0
    end = head.i
    for word in head.rights:
        if word.idx < bound:
            end = word.right_edge.i
        elif word.dep_ in ("cc", "case"):
            end = word.i
        elif word.lower_ == "of" or word.dep_ == "conj":
            kids = list(word.rights) if word.lower_ == "of" else [word]
            end = max([word.i, *(_last_word(rendering, kid) for kid in kids)])
        elif word.lower_ not in _DIRECTIONS and word.dep_ != "punct":
            raise NotApplicable("it is unclear where the object ends")
        else:
            break
    following = [word for word in head.doc[end + 1 : end + 3] if not word.is_punct]
    if following and following[0].tag_ in _RELATIVES:
        raise NotApplicable("it is unclear where the object ends")
    return end


def child_of(word: Token, dependency: str) -> Token | None:
    """The first of the words that depend on a word in that way."""
    return next((token for token in word.children if token.dep_ == dependency), None)


def is_particle(verb: Token, word: Token) -> bool:
    """Return True for `away` in `threw the rag away`; `out of the box` and `up the hill` go on."""
    if word.head != verb or word.lower_ not in passive.PARTICLES:
        return False
    following = word.nbor() if word.i + 1 < len(word.doc) else None
    if following is None or following.is_punct:
        return True
    return following.tag_ in ("IN", "TO", "CC", "RB", "WRB") and following.lower_ != "of"


def may_precede_object(lemma: str, word: Token) -> bool:
    """Return True for `out` in `took out the bin`, not for `off` in `ran off the road`."""
    if (lemma, word.lower_) in passive.PREPOSITIONAL:
        return True
    if word.dep_ != "prt" or lemma in passive.MOTION:
        return False
    return word.lower_ in ("out", "up", "away", "back") or lemma in ("turn", "switch", "take")
