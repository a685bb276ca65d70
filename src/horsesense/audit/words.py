"""The words of entries, as checks count and compare them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from horsesense.schema import (
    AxisName,
    Candidate,
    Entry,
    Grid,
    LooseGrid,
    LooseProblem,
    Problem,
    Schema,
)

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
# Words that say how things relate rather than what there is: any two texts share them.
STOP_WORDS = frozenset(
    str.split(
        "a about above after again against all almost along already also although always am among "
        "an and another any anybody anyone anything are around as at away back be because "
        "been before behind being below between both but by can cannot could did do "
        "does doing done down during each either else enough even ever every everybody "
        "everyone everything few for from get gets getting gave give given gives go goes going "
        "gone got had has have having he her here hers herself him himself his how "
        "however i if in inside into is it its itself just kept knew know least less let like "
        "look looked made make makes many may me might mine more most much must my myself near "
        "need needed neither never next no nobody none nor not nothing now of off often on once "
        "one ones only onto or other others our ours out outside over own perhaps put quite rather "
        "really same say said says see saw seen seem seemed shall she should since so some "
        "somebody someone something soon still such take taken takes than that the their theirs "
        "them themselves then there therefore these they thing things this those though through "
        "till to together too took toward towards two under unless until up upon us use used very "
        "want wanted was we went were what when where whereas whether which while who "
        "whom whose why will with within without would yet you your yours yourself"
    )
)
# In English they are about half of all words. Other languages have a few of the same spelling, such
# as «in», «so» and «was», which come to a twentieth or so.
ENGLISH_SHARE = Fraction(1, 10)
# Two or three short statements may have none of them by chance.
LEAST_WORDS = 20
# The end of the block «Latin Extended-B».
_LAST_LATIN = "\u024f"
_DETERMINERS = frozenset(
    str.split("a an the this that these those some my your his her its our their one two both")
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation.

    >>> words("Ann’s hat -- the _red_ one -- won't fit.")
    ["ann's", 'hat', 'the', 'red', 'one', "won't", 'fit']
    """
    return _WORD.findall(text.replace("’", "'").lower())


def content_words(text: str) -> list[str]:
    """The content words of a text, without possessive endings.

    >>> content_words("Ann's hat wouldn't go on because it was too small")
    ['ann', 'hat', 'small']
    """
    bare = (word.partition("'")[0] for word in words(text) if not word.endswith("n't"))
    return [word for word in bare if word not in STOP_WORDS and len(word) > 1]


def is_english(texts: Iterable[str]) -> bool:
    """Return whether texts may be English, by their letters and by the words that any text has.

    >>> is_english(["The owl is asleep in the tree."] * 4)
    True
    >>> is_english(["Die Eule schläft noch immer tief."] * 4)
    False
    """
    latin = letters = common = total = 0
    for text in texts:
        all_words = words(text)
        total += len(all_words)
        common += sum(word in STOP_WORDS for word in all_words)
        spelt = [letter for letter in text if letter.isalpha()]
        letters += len(spelt)
        latin += sum(letter <= _LAST_LATIN for letter in spelt)
    if 2 * latin < letters:
        return False
    return total < LEAST_WORDS or common >= total * ENGLISH_SHARE


def same_words(text: str) -> str:
    """The text without capitals and punctuation, for comparing texts.

    >>> same_words("Well, the owl's asleep!"), same_words("well the owl’s asleep")
    ("well the owl's asleep", "well the owl's asleep")
    """
    return " ".join(words(text))


def without_determiner(phrase: str) -> str:
    """The words of a noun phrase without the article, or the like, that it begins with.

    >>> without_determiner("The old oak"), without_determiner("Ann")
    ('old oak', 'ann')
    """
    first, _, rest = same_words(phrase).partition(" ")
    return rest if rest and first in _DETERMINERS else same_words(phrase)


def parts_of(grid: Grid) -> tuple[Schema | LooseProblem, ...]:
    """The schema itself, or every row of a loose grid."""
    return grid.rows if isinstance(grid, LooseGrid) else (grid,)


def texts_of(grid: Grid) -> list[str]:
    """Every filled sentence of a grid."""
    return [grid.sentence(cell).text for cell in grid.cells]


def whole_texts(entry: Entry) -> list[str]:
    """Every sentence of an entry and of its versions, filled and with its pronoun, each once."""
    texts: list[str] = []
    for grid in (entry.grid, *(version for _, version in entry.versions)):
        texts += texts_of(grid)
        texts += [text for part in parts_of(grid) for text in with_pronoun(part)]
    return list(dict.fromkeys(texts))


def key_pair(grid: Grid) -> str:
    """The two key phrases of a schema in a fixed order; empty if it has none."""
    if not isinstance(grid, Schema):
        return ""
    return " / ".join(sorted(same_words(value[0]) for value in grid.keys.values))


def first_mentioned(problem: Problem) -> int | None:
    """The option that the sentence mentions first, as a marked candidate or word for word.

    Marks tell only if there is one for each option. None where the sentence does not mention them
    all, as in most schemas that are no Winograd schemas.
    """
    marked = problem.statement.spans_of("candidate")
    if len({span.index for span in marked}) == len(problem.options):
        return marked[0].index - 1
    text = f" {same_words(problem.statement.text)} "
    places = [text.find(f" {without_determiner(' '.join(option))} ") for option in problem.options]
    is_told = min(places) >= 0 and len(set(places)) == len(places)
    return places.index(min(places)) if is_told else None


def said_by(part: Schema | LooseProblem, *, answers: bool = True, keys: bool = True) -> str:
    """The fixed text of a schema or row with its candidates and all its phrases, each once.

    The answers of a Winograd schema are left out, for they name the candidates again; those of
    others, and the key phrases, if asked.
    """
    fixed = " … ".join(
        piece if isinstance(piece, str) else piece.text
        for piece in part.frame
        if isinstance(piece, str | Candidate)
    )
    deciding = part.keys.values if keys and isinstance(part, Schema) else ()
    options = part.answers.values if answers and part.target is None else ()
    return " … ".join([fixed, *_distinct(deciding), *_distinct(options)])


def with_pronoun(part: Schema | LooseProblem) -> list[str]:
    """The sentences with the pronoun in its place, one for each key; none without a pronoun."""
    if part.target is None or not part.target.is_known:
        return []
    keys = part.keys.values if isinstance(part, Schema) else ((),)
    truths = part.truths.values[0] if isinstance(part, Schema) and part.truths else ()
    sentences = []
    for key in keys:
        chosen = {AxisName.ANSWER: (part.target.pronoun,) * 2, AxisName.KEY: key}
        chosen[AxisName.TRUTH] = truths
        pieces = [
            piece
            if isinstance(piece, str)
            else piece.text
            if isinstance(piece, Candidate)
            else chosen[piece.axis][piece.index]
            for piece in part.frame
        ]
        sentences.append("".join(pieces))
    return sentences


def _distinct(values: Iterable[tuple[str, ...]]) -> list[str]:
    return list(dict.fromkeys(phrase for value in values for phrase in value))
