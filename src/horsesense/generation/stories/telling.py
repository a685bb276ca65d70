"""Stories of order: a chain of comparisons is told, and its two ends are asked about.

Each link may be told from the greater side, from the lesser one, or by a denial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from horsesense.generation.rule import ANSWER, KEY, Difficulty, Draft, Proof, square
from horsesense.generation.theories.nesting import Link, Telling
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import joined

IF, END_FIRST, WHEN = "if {premises}, then {end}", "{end} if {premises}", "when {premises}, {end}"
FRAMES = (IF, END_FIRST, WHEN)
# Stand for the two ends of a chain while their places in the sentence are not known yet.
GREATEST, LEAST = "\0greatest", "\0least"


@dataclass(frozen=True, slots=True)
class Relation:
    """A comparison of two: «Ada» `verb` «taller» `link` «Bo», or reversed «shorter».

    `denial` stands between the lesser and the greater: «Bo is not as tall as Ada». `setting`
    opens the sentence where the relation needs one: «in a stack of boxes».
    """

    verb: str
    more: str
    less: str
    link: str
    denial: str
    setting: str = ""

    def say(self, first: str, word: str, second: str) -> str:
        """A clause about two, with one of the two words or a place for it."""
        return " ".join(filter(None, (first, self.verb, word, self.link, second)))

    def told(self, greater: str, lesser: str) -> str:
        """The plain way to say it.

        >>> Relation("is", "taller", "shorter", "than", "is not as tall as").told("Ada", "Bo")
        'Ada is taller than Bo'
        """
        return self.say(greater, self.more, lesser)


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence with marks for the two ends of a chain, the greatest and the least."""

    sentence: str
    ends: tuple[str, str]

    @property
    def filled(self) -> str:
        """The sentence with the ends in their places."""
        return self.sentence.replace(GREATEST, self.ends[0]).replace(LEAST, self.ends[1])

    @property
    def opened(self) -> str:
        """The sentence with places for the ends, which are the keys."""
        return self.sentence.replace(GREATEST, KEY).replace(LEAST, KEY)

    def under(self, key: int) -> tuple[str, str]:
        """Who is the greatest and who the least when that key stands in the first place.

        >>> Marked(f"{LEAST} is below {GREATEST}", ("Ada", "Cy")).under(0)
        ('Cy', 'Ada')
        """
        is_turned = self.sentence.index(LEAST) < self.sentence.index(GREATEST)
        first, second = self.ends[key], self.ends[1 - key]
        return (second, first) if is_turned else (first, second)


def tell(
    places: tuple[list[int], list[int]],
    plain: Sequence[str],
    turned: Callable[[int], str],
    denied: Callable[[int], str],
) -> list[str]:
    """Premises in their order: plain, but for those told from the other side or by a denial.

    >>> tell(([1], []), ["Ada leads Bo", "Bo leads Cy"], lambda at: "Cy follows Bo", str)
    ['Ada leads Bo', 'Cy follows Bo']
    """
    clauses = list(plain)
    for at in places[0]:
        clauses[at] = turned(at)
    for at in places[1]:
        clauses[at] = denied(at)
    return clauses


def tell_links(
    links: Sequence[Link], telling: Telling, places: tuple[list[int], list[int]]
) -> list[str]:
    """Links as premises, some of them turned round and some told by a denial.

    >>> boxed = Telling("{low} is in {high}", "{high} holds {low}", "", "")
    >>> tell_links([("a cup", "a box"), ("a box", "a van")], boxed, ([1], []))
    ['a cup is in a box', 'a van holds a box']
    """

    def by(template: str) -> Callable[[int], str]:
        return lambda at: template.format(low=links[at][0], high=links[at][1])

    plain = [telling.yes(link) for link in links]
    return tell(places, plain, by(telling.turned), by(telling.denied))


def conditional(rng: Random, premises: list[str], end: str, frames: Sequence[str] = FRAMES) -> str:
    """A sentence that says what follows from what, in one of several ways.

    >>> conditional(Random(0), ["it rains", "it freezes"], "roads are slippery")
    'roads are slippery if it rains and it freezes'
    """
    # Not by `format`: premises and end have the open places of the frame in them.
    frame = rng.choice(frames)
    return frame.replace("{premises}", joined(premises)).replace("{end}", end)


def ask_at_end(rng: Random, named: list[str], relation: Relation, difficulty: Difficulty) -> Draft:
    """The two ends change places in the conclusion; `named` is in falling order."""
    pairs = list(pairwise(named))
    premises = _premises(rng, pairs, relation, difficulty)
    ends = named[0], named[-1]

    def prove(key: int, answer: int) -> Proof:
        greater, lesser = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        return prove_greater(greater, lesser, pairs, relation.told)

    frame = _sentence(rng, relation, premises, relation.say(KEY, ANSWER, KEY))
    return Draft(frame, ends, (relation.more, relation.less), square(prove))


def ask_with_ends_exchanged(
    rng: Random, named: list[str], relation: Relation, difficulty: Difficulty
) -> Draft:
    """The two ends change places in the premises; `named` is in falling order before that."""
    premises = _premises(rng, list(pairwise([GREATEST, *named[1:-1], LEAST])), relation, difficulty)
    asked = rng.sample((named[0], named[-1]), 2)
    sentence = _sentence(rng, relation, premises, relation.say(asked[0], ANSWER, asked[1]))
    marked = Marked(sentence, (named[0], named[-1]))

    def prove(key: int, answer: int) -> Proof:
        greatest, least = marked.under(key)
        pairs = list(pairwise([greatest, *named[1:-1], least]))
        greater, lesser = asked[:: -1 if answer else 1]
        return prove_greater(greater, lesser, pairs, relation.told)

    return Draft(marked.opened, marked.ends, (relation.more, relation.less), square(prove))


def _premises(
    rng: Random, pairs: list[tuple[str, str]], relation: Relation, difficulty: Difficulty
) -> list[str]:
    """The links of the chain, in any order, some turned round and some denied."""
    premises = tell(
        difficulty.places(rng),
        [relation.told(greater, lesser) for greater, lesser in pairs],
        lambda at: relation.say(pairs[at][1], relation.less, pairs[at][0]),
        lambda at: f"{pairs[at][1]} {relation.denial} {pairs[at][0]}",
    )
    rng.shuffle(premises)
    return premises


def _sentence(rng: Random, relation: Relation, premises: list[str], end: str) -> str:
    sentence = conditional(rng, premises, end)
    return f"{relation.setting}, {sentence}" if relation.setting else sentence
