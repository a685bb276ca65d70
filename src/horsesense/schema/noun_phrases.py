"""Noun phrases of English sentences: the determiner before a noun, and where the phrase ends.

This works without a parser, so that the same text gives the same phrases on every machine. Words
that cannot be part of a noun show where a phrase ends and, if it has no determiner, where it
begins. They are lists of words and some endings; a word that is not on them may be part of a longer
noun.
"""

from __future__ import annotations

import re

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
# Adverbs, numbers and other words that follow a noun phrase and are no part of it.
_ADVERBS = frozenset(
    str.split(
        "again all almost already also always any away both down each either even ever every here "
        "just last never next no not now often once only some soon still then there today tomorrow "
        "tonight too very why yesterday ahead alone apart aside asleep far instead more otherwise "
        "rather together two three four five six seven eight nine ten"
    )
)
# Past tenses that are not formed with -ed and are no nouns.
_PAST = frozenset(
    str.split(
        "ate awoke became began bent bled blew bought bred broke brought built burnt came "
        "caught chose clung crept dealt died drank drew drove dug fed fell fled flew flung "
        "forbade forgave forgot fought found froze gave got grew heard held hid hung kept knelt "
        "knew laid lay leapt learnt led lent lit lost made meant met mistook outgrew outran "
        "outsold overcame overheard overtook owed paid ran rang rode said sang sank sat sent shone "
        "shook shrank slept slid sold sought sped spent sprang spun stank stole stood strode "
        "struck stuck stung swam swept swore swung taught threw told took tore understood "
        "undertook upheld went wept withdrew withheld withstood woke won wore wove wrote"
    )
)
# Past tenses and an auxiliary that may be nouns as well.
_VERB_OR_NOUN = frozenset(
    str.split(
        "beat bet bit bound burst can cast cost cut felt fit ground hit hurt knit left let put "
        "quit read rose saw set shed shot shut split spoke spread thought thrust wound"
    )
)
_ENDING = _PREPOSITIONS | _CONJUNCTIONS | _AUXILIARIES | _PRONOUNS | _ADVERBS | _PAST | DETERMINERS
_BEGINNING = _PREPOSITIONS | _CONJUNCTIONS
# Words that end as a past tense does and are none.
_IN_ED = frozenset(str.split("biped bobsled flatbed hundred moped seabed watershed woodshed"))
# Words that end as an adverb does, or a participle, and may be nouns.
_IN_LY = re.compile(
    r"(?:al|anoma|assemb|bel|bul|dol|fami|\w*f|hol|jel|li|monopo|ral|rep|supp|tal|tel)ly$"
)
_IN_ING = re.compile(
    r"(?:bear|be|build|ceil|draw|earr|even|farth|hous|k|land|meet|morn|open|paint|post|pudd|r|record"
    r"|sett|s|spr|str|\w*th|warn|wedd|w)ing$"
)
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
# Words that open a clause, so that a noun phrase behind them is its subject. Not «and» or «than»:
# behind them a phrase may just as well be the end of another.
_CLAUSE = _CONJUNCTIONS - frozenset(str.split("and as nor or than"))
# Behind these, or behind a pronoun («told her that»), «that» may always be a conjunction.
_SAYING = re.compile(
    r"(?:agree|believe|claim|fear|feel|hear|hope|insist|know|mean|say|see|show|suggest|think)"
    r"(?:e?d|s)?$"
    r"|felt$|heard$|knew$|meant$|said$|saw$|thought$"
)
_NO_DETERMINER_BEFORE = frozenset(str.split("except in so"))
_ANY_DETERMINER = "|".join(sorted(DETERMINERS))
_BREAKS = (*',.;:!?("“”–—-', "")
_FAR = 100
_DOUBTFUL = ("s", "ing")
_CLAUSE_END = re.compile(r"[,.;:!?()\"“”–—\x00]")
_OWNER = re.compile(r".*(?:['’]s|s['’]) +(?=\w)")
_NEXT = re.compile(r" +(\w+(?:['’]\w+)*)")
_LAST = re.compile(r"(?:^|[\s(\"“‘])(\w+)$")


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
    """Return whether a noun phrase that reaches to this place surely goes no further.

    >>> ends_at("the mouse was out", 9), ends_at("the mouse hole", 9), ends_at("the mouse.", 9)
    (True, False, True)
    """
    following = _NEXT.match(text, place)
    if following is None:
        return True
    word = following[1].lower().replace("’", "'")
    if word.partition("'")[0] in _ENDING or word.endswith("n't"):
        return True
    if word.endswith("ly"):
        return _IN_LY.match(word) is None
    return _is_past_tense(word)


def may_go_on(text: str, start: int, end: int) -> bool:
    """Return whether the words from `start` up to `end` may begin a longer noun: «the mouse hole».

    They may where another word follows that is neither one that cannot be a noun, nor a name, nor
    the verb of these words («the mouse hides behind»), nor a participle («a mouse hiding»).

    >>> may_go_on("The mouse hole was deep", 0, 9), may_go_on("The mouse hides in it", 0, 9)
    (True, False)
    """
    following = _NEXT.match(text, end)
    if following is None or not following[1].islower() or ends_at(text, end):
        return False
    word, after = following[1], following.end()
    if word.endswith("ing"):
        return not _is_participle(text, start, after, word)
    return not (_agrees_as_verb(text[start:end], word) and _is_verb(text, start, following))


def begins_longer_noun(text: str, start: int, end: int) -> bool:
    """Return whether the words from `start` up to `end` surely go on: «near the mouse hole».

    After a preposition they are neither a subject, with its verb behind it, nor somebody who is
    given what is named next; and at the start of a clause the verb shows where its subject ends
    («the mouse hole was»). A word that may be a verb all the same decides nothing.
    """
    following = _NEXT.match(text, end)
    if following is None or not may_go_on(text, start, end):
        return False
    word = following[1]
    if word.endswith(_DOUBTFUL) or word in _VERB_OR_NOUN:
        return False
    before = _LAST.search(_before(text, start))
    if before is not None and before[1].lower() in _PREPOSITIONS:
        return True
    then = _NEXT.match(text, following.end())
    return then is not None and _is_finite(then[1].lower()) and _opens_clause(text, start)


def mentions_of(phrase: str, text: str) -> list[tuple[int, int]]:
    """Return the spans of a phrase's noun in a text, with any determiner or none.

    What is surely a part of a longer noun is left alone («near the hat stand» for «the hat»). There
    are none where the noun stands in a longer phrase as well («the brown hat»), or may («his hat
    fits»: a mention would stay), or belongs to two («her hat» and «his hat»): which one is meant
    cannot be told. A name has no determiner and is not looked for.
    """
    noun = without_determiner(phrase)
    if noun == phrase and not phrase[:1].islower():
        return []
    words = f"{re.escape(noun)}|{re.escape(capitalise(noun))}"
    pattern = rf"(?<![\w'’-])(?:((?i:{_ANY_DETERMINER})) +)?({words})(?![\w-])"
    found: list[tuple[int, int]] = []
    owners: set[str] = set()
    for match in re.finditer(pattern, text):
        is_name = match[2] != noun and not starts_sentence(_before(text, match.start(2)))
        if is_name or begins_longer_noun(text, *match.span()):
            continue
        determiner = (match[1] or "").lower()
        is_whole = (
            _goes_with(determiner, text, match) if determiner else _begins_at(text, match.start())
        )
        if not (is_whole and ends_at(text, match.end())):
            return []
        owners |= {determiner} & _POSSESSIVES
        found.append(match.span())
    return found if len(owners) < 2 else []


def _before(text: str, place: int) -> str:
    """The last words before a place: no more than it takes, however long the text is."""
    return text[max(0, place - _FAR) : place].rstrip(" ")


def _goes_with(determiner: str, text: str, match: re.Match[str]) -> bool:
    """False where «that» may be a conjunction: «he said that owls hoot», «so that milk was»."""
    if determiner not in ("that", "this"):
        return True
    if _is_plural(match[2]):
        return False
    before = _LAST.search(_before(text, match.start()))
    if determiner == "this" or before is None:
        return True
    word = before[1].lower()
    if word in _PRONOUNS or _SAYING.match(word):
        return False
    following = _NEXT.match(text, match.end())
    has_verb = following is not None and _is_finite(following[1].lower())
    return not has_verb or word in _BEGINNING - _NO_DETERMINER_BEFORE


def _is_plural(noun: str) -> bool:
    return noun.endswith("s") and not noun.endswith("ss")


def _is_past_tense(word: str) -> bool:
    return _PAST_TENSE.match(word) is not None and word not in _IN_ED


def _is_finite(word: str) -> bool:
    """Return True for what can be nothing but the verb of a clause, or a participle of the past."""
    verb = word.replace("’", "'")
    is_short = verb.endswith("n't") or verb in _AUXILIARIES or verb in _PAST
    return is_short or _is_past_tense(verb)


def _agrees_as_verb(phrase: str, word: str) -> bool:
    """Return True for a word that may be the verb of a phrase: «the cat sees», «the cats see»."""
    last = phrase.rpartition(" ")[2]
    is_name = last[:1].isupper()  # «the Smiths», but also «the United States» and «the FBI»
    return word in _VERB_OR_NOUN or is_name or _is_plural(last) is not _is_plural(word)


def _is_verb(text: str, start: int, verb: re.Match[str]) -> bool:
    """Return True for a word that has an object, or is the only verb that is seen in its clause."""
    after = verb.end()
    following = _NEXT.match(text, after)
    if following is not None and following[1].lower() in DETERMINERS - {"that"}:
        return True
    goes_with_verb = verb[1] == "can" and following is not None and not _is_plural(following[1])
    if not (_opens_clause(text, start) and (goes_with_verb or ends_at(text, after))):
        return False
    rest = text[after : after + _FAR]
    clause = rest[: end.start()] if (end := _CLAUSE_END.search(rest)) else rest
    for word in clause.lower().split():
        if word in _CONJUNCTIONS or word in ("who", "which"):
            return True
        if _is_finite(word):
            return False
    return True


def _is_participle(text: str, start: int, after: int, word: str) -> bool:
    """Return True for «hiding» in «a mouse hiding and»; False for «king» in «a mouse king»."""
    following = _NEXT.match(text, after)
    if following is not None and following[1].lower() in DETERMINERS:
        return True
    is_one = text[start:].lower().startswith(("a ", "an "))
    return is_one and _IN_ING.match(word) is None and ends_at(text, after)


def _opens_clause(text: str, place: int) -> bool:
    """Return whether a noun phrase that begins at this place is the subject of a clause."""
    before = _before(text, place)
    last = _LAST.search(before)
    return before[-1:] in _BREAKS if last is None else last[1].lower() in _CLAUSE


def _begins_at(text: str, place: int) -> bool:
    """Return whether a noun without determiner surely is the first word of its phrase."""
    before = _before(text, place)
    last = _LAST.search(before)
    if last is None:
        return before[-1:] in _BREAKS
    if last[1].lower() in _BEGINNING:
        return not _PARTITIVE.search(before)
    return _VERB.search(before) is not None
