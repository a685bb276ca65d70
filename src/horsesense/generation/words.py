"""Words for generated sentences: nouns, articles, plurals, numbers and names of people.

The tables are written out, with what English does not do by rule; tests compare them with a
library for inflection, which is too slow, and guesses too often, to be used each time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any, TypeVar

from horsesense.errors import GenerationError

_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TEENS = ("thir", "four", "fif", "six", "seven", "eigh", "nine")
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_BELOW_TWENTY = (*_ONES, "eleven", "twelve", *(f"{stem}teen" for stem in _TEENS))
# Letters and sounds part ways in these.
_AN = ("hour", "heir", "honest", "honour")
_A = ("uni", "use", "usu", "one", "once", "eu", "ute")


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun that can be counted.

    >>> owl = Noun("owl")
    >>> owl.a, owl.the, owl.plural, Noun("fly").plural, Noun("sheep", "sheep").plural
    ('an owl', 'the owl', 'owls', 'flies', 'sheep')
    """

    singular: str
    irregular: str = ""

    @property
    def plural(self) -> str:
        """The plural."""
        return self.irregular or regular_plural(self.singular)

    @property
    def a(self) -> str:
        """The singular with «a» or «an»."""
        return with_article(self.singular)

    @property
    def the(self) -> str:
        """The singular with «the»."""
        return f"the {self.singular}"


def regular_plural(word: str) -> str:
    """The plural that English makes by rule.

    >>> [regular_plural(word) for word in ("cat", "box", "berry", "toy", "church")]
    ['cats', 'boxes', 'berries', 'toys', 'churches']
    """
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def with_article(phrase: str) -> str:
    """The phrase with «a» or «an» before it.

    >>> [with_article(word) for word in ("apple", "hour", "unicorn", "old hen", "hen")]
    ['an apple', 'an hour', 'a unicorn', 'an old hen', 'a hen']
    """
    is_vowel = phrase.startswith(tuple("aeiouAEIOU")) and not phrase.startswith(_A)
    return f"{'an' if is_vowel or phrase.startswith(_AN) else 'a'} {phrase}"


def number_word(number: int) -> str:
    """A count below a million in words; from a million on in digits.

    >>> number_word(7), number_word(42), number_word(310), number_word(5_016)
    ('seven', 'forty-two', 'three hundred and ten', 'five thousand and sixteen')
    """
    if number < 0:
        raise GenerationError(f"{number} is not a count, so there is no word for it")
    if number >= 1_000_000:
        return str(number)
    if number < 20:
        return _BELOW_TWENTY[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens - 2] + (f"-{_ONES[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_ONES[hundreds]} hundred" + (f" and {number_word(rest)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    joint = " and " if rest < 100 else " "
    return f"{number_word(thousands)} thousand" + (f"{joint}{number_word(rest)}" if rest else "")


@cache
def table(name: str) -> dict[str, Any]:
    """The knowledge table of that name."""
    file = files("horsesense.generation") / "tables" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def nouns(name: str) -> dict[str, Noun]:
    """The nouns of a table, which lists them under `plurals` where they are not regular."""
    irregular = table(name).get("plurals", {})
    return {word: Noun(word, irregular.get(word, "")) for word in table(name)["nouns"]}


def joined(clauses: list[str]) -> str:
    """Clauses in a row, the last one after «and».

    >>> joined(["it rains"]), joined(["it rains", "it pours", "it blows"])
    ('it rains', 'it rains, it pours and it blows')
    """
    return " and ".join(filter(None, (", ".join(clauses[:-1]), clauses[-1])))


def people(rng: Random, count: int) -> list[str]:
    """Draw `count` different names.

    >>> len(set(people(Random(0), 5)))
    5
    """
    names: list[str] = rng.sample(table("people")["names"], count)
    return names


T = TypeVar("T")

# So many draws in a row that do not fit: nothing will.
TRIES = 1000


def first_made(make: Callable[[], T | None]) -> T:
    """Call `make` until it returns something.

    >>> from itertools import count
    >>> numbers = count(5)
    >>> first_made(lambda: number if (number := next(numbers)) % 4 == 0 else None)
    8
    """
    for _ in range(TRIES):
        if (made := make()) is not None:
            return made
    raise GenerationError("nothing that fits was drawn")
