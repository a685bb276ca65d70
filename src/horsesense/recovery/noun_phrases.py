"""Noun phrases of English sentences: the determiner before a noun, and where the phrase ends.

No parser is asked, so that the same text gives the same phrases on every machine. Words that
cannot be part of a noun show where a phrase ends and, if it has no determiner, where it begins.
They are lists of words and one ending; whatever they do not know counts as part of a longer noun.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from horsesense.schema import capitalise, starts_sentence

DETERMINERS = frozenset(str.split("a an the my your his her its our their this that these those"))
_POSSESSIVES = frozenset(str.split("my your his her its our their"))
_PREPOSITIONS = frozenset(
    str.split(
        "about above across after against along alongside among around at before behind below "
        "beneath beside between beyond by during except for from in inside into like near of off "
        "on onto out outside over through throughout to toward towards under underneath up upon "
        "via with within without"
    )
)
_CONJUNCTIONS = frozenset(
    str.split(
        "although and as because but if nor or since so than that though till unless until when "
        "whenever where whereas wherever whether while yet"
    )
)
# Not «can», which is a thing as well, nor «being», as in «human being».
_AUXILIARIES = frozenset(
    str.split(
        "am are cannot could did do does had has have is may might must shall should was were will "
        "would"
    )
)
_PRONOUNS = frozenset(
    str.split(
        "he her herself him himself his i it itself me myself she them themselves they us we what "
        "which who whom whose you"
    )
)
_ADVERBS = frozenset(
    str.split(
        "again all almost already also always any away both down each either even ever every here "
        "just last never next no not now often once only some soon still then there today tomorrow "
        "tonight too very why yesterday"
    )
)
# Past tenses that are not formed with -ed and are no nouns.
_PAST = frozenset(
    str.split(
        "ate became began bought brought came caught chose drank drove fell flew forgot found "
        "froze gave got grew heard held hid kept knew laid lent lost made met paid ran rang rode "
        "said sang sank sat sent shook slept sold spent stole stood swam taught threw told took "
        "tore understood went woke won wore wrote"
    )
)
_ENDING = _PREPOSITIONS | _CONJUNCTIONS | _AUXILIARIES | _PRONOUNS | _ADVERBS | _PAST | DETERMINERS
_BEGINNING = _PREPOSITIONS | _CONJUNCTIONS
# Words that end as a past tense does and are none.
_IN_ED = frozenset(str.split("biped bobsled flatbed hundred moped seabed watershed woodshed"))
_PAST_TENSE = re.compile(r"\w{2,}(?!e)\wed$")
# «Two cups of tea» is one phrase, of which «tea» is a part.
_PARTITIVE = re.compile(
    r"\b(?:bit|bottle|box|cup|drop|glass|group|kind|lot|number|pack|pair|piece|pile|slice|sort"
    r"|species|type)(?:e?s)? of$",
    re.IGNORECASE,
)
# After these, one word before a noun is a verb: «she drank milk», «he wants to watch birds».
_VERB = re.compile(
    r"\b(?:i|he|she|we|they|(?:decided?|decides|hoped?|hopes|needs?|needed|plans?|planned|tried|tries"
    r"|try|wants?|wanted) to) \w+$",
    re.IGNORECASE,
)
_ANY_DETERMINER = "|".join(sorted(DETERMINERS))
_BREAKS = (*',.;:!?("“”–—-', "")
_FAR = 100
_DOUBTFUL = ("s", "ing", "ly")
_OWNER = re.compile(r".*(?:['’]s|s['’]) +(?=\w)")
_NEXT = re.compile(r" +(\w+(?:['’]\w+)*)")
_LAST = re.compile(r"(?:^|[\s(\"“‘])(\w+)$")


class Mention(NamedTuple):
    """A noun phrase in a text, from `start` up to `end`."""

    start: int
    end: int


def without_determiner(phrase: str) -> str:
    """The phrase without its article, its «this» or «that», or whose it is.

    >>> [without_determiner(one) for one in ("the old oak", "My hat", "Ann's aunt", "Ann", "his")]
    ['old oak', 'hat', 'aunt', 'Ann', 'his']
    """
    if owner := _OWNER.match(phrase):
        return phrase[owner.end() :]
    first, _, rest = phrase.partition(" ")
    return rest.lstrip(" ") if rest and first.lower() in DETERMINERS else phrase


def ends_at(text: str, place: int) -> bool:
    """True where a noun phrase that reaches to this place surely goes no further.

    >>> ends_at("the mouse was out", 9), ends_at("the mouse hole", 9), ends_at("the mouse.", 9)
    (True, False, True)
    """
    following = _NEXT.match(text, place)
    if following is None:
        return True
    word = following[1].lower().replace("’", "'")
    if word.partition("'")[0] in _ENDING or word.endswith("n't"):
        return True
    return _PAST_TENSE.match(word) is not None and word not in _IN_ED


def begins_longer_noun(text: str, start: int, end: int) -> bool:
    """True where the words from `start` up to `end` surely go on: «near the mouse hole».

    After a preposition they are neither a subject, with its verb behind it, nor somebody who is
    given what is named next. A word that may be a verb or an adverb all the same decides nothing.
    """
    following = _NEXT.match(text, end)
    before = _LAST.search(_before(text, start))
    if following is None or before is None or before[1].lower() not in _PREPOSITIONS:
        return False
    word = following[1]
    return word.islower() and not word.endswith(_DOUBTFUL) and not ends_at(text, end)


def mentions_of(phrase: str, text: str) -> list[Mention]:
    """Where a text has the noun of a phrase, with whatever determiner or with none.

    A part of a longer noun is left alone («hat stand» for «the hat»). There are none where the
    noun stands in a longer phrase as well («the brown hat»), or belongs to two («her hat» and
    «his hat»): which one is meant cannot be told. A name has no determiner and is not looked for.
    """
    noun = without_determiner(phrase)
    if noun == phrase and not phrase[:1].islower():
        return []
    words = f"{re.escape(noun)}|{re.escape(capitalise(noun))}"
    pattern = rf"(?<![\w'’-])(?:((?i:{_ANY_DETERMINER})) +)?({words})(?![\w-])"
    found: list[Mention] = []
    owners: set[str] = set()
    for match in re.finditer(pattern, text):
        is_name = match[2] != noun and not starts_sentence(_before(text, match.start(2)))
        if is_name or not ends_at(text, match.end()):
            continue
        determiner = (match[1] or "").lower()
        if not (_agrees(determiner, noun) if determiner else _begins_at(text, match.start())):
            return []
        owners |= {determiner} & _POSSESSIVES
        found.append(Mention(*match.span()))
    return found if len(owners) < 2 else []


def _before(text: str, place: int) -> str:
    """The last words before a place: no more than it takes, however long the text is."""
    return text[max(0, place - _FAR) : place].rstrip(" ")


def _agrees(determiner: str, noun: str) -> bool:
    """False where «that» may be a conjunction: «he said that owls hoot»."""
    is_plural = noun.endswith("s") and not noun.endswith("ss")
    return not (is_plural and determiner in ("that", "this"))


def _begins_at(text: str, place: int) -> bool:
    """True where a noun without a determiner surely has no other word of its phrase before it."""
    before = _before(text, place)
    last = _LAST.search(before)
    if last is None:
        return before[-1:] in _BREAKS
    if last[1].lower() in _BEGINNING:
        return not _PARTITIVE.search(before)
    return _VERB.search(before) is not None
