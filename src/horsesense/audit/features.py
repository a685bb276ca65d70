"""What a linear model is shown of a problem: features of each option, under readable names.

A feature that all options of a problem have cannot decide it. So words of the statement come in
only together with an option: with the one that is mentioned first, or with a word of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from horsesense.audit.exercises import Exercise, Option
from horsesense.audit.words import words

# The features of an option of an exercise.
Features: TypeAlias = Callable[[Exercise, Option], Iterator[str]]

# What stands in one group alone tells a learner nothing about any other.
LEAST_GROUPS = 2
_START, _END = "^", "$"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The features of all options, a row for each; `starts` is the first row of each exercise."""

    names: tuple[str, ...]
    rows: Any  # a sparse matrix of scipy, which has no types
    starts: tuple[int, ...]


def bag_of_words(exercise: Exercise, option: Option) -> Iterator[str]:
    """Words of the option, alone and with each word of the statement; words with the first option.

    >>> option = Option("Bo", "Ann saw Bo wave.", is_first=False)
    >>> list(bag_of_words(Exercise("a", 0, "Ann saw ___ wave.", (option,), 0), option))
    ["'bo'", "'bo' with 'ann'", "'bo' with 'saw'", "'bo' with 'wave'"]
    """
    said = list(dict.fromkeys(words(exercise.statement)))
    if option.is_first:
        yield "first-mentioned"
        yield from (f"first-mentioned with {word!r}" for word in said)
    for own in dict.fromkeys(words(option.phrase)):
        yield f"{own!r}"
        yield from (f"{own!r} with {word!r}" for word in said)


def n_grams(exercise: Exercise, option: Option) -> Iterator[str]:
    """Two and three words in a row of the filled sentence, whose ends count as words.

    >>> option = Option("Bo", "Bo waved.", is_first=False)
    >>> list(n_grams(Exercise("a", 0, "___ waved.", (option,), 0), option))[1:3]
    ["'bo waved'", "'waved' at the end of the sentence"]
    """
    said = [_START, *words(option.sentence), _END]
    pairs = [f"{first} {second}" for first, second in pairwise(said)]
    threes = [f"{pair} {third}" for pair, third in zip(pairs, said[2:], strict=False)]
    yield from map(_in_words, dict.fromkeys([*pairs, *threes]))


def table_of(exercises: Sequence[Exercise], features: Features) -> Table:
    """The features that exercises of several groups have, 1 where an option has them."""
    from scipy.sparse import csr_array

    found = [[list(features(one, option)) for option in one.options] for one in exercises]
    names = _shared(exercises, found)
    columns = {name: column for column, name in enumerate(names)}
    indices: list[int] = []
    ends, starts = [0], []
    for options in found:
        starts.append(len(ends) - 1)
        for listed in options:
            indices += sorted(columns[name] for name in listed if name in columns)
            ends.append(len(indices))
    shape = (len(ends) - 1, len(names))
    rows = csr_array(([1.0] * len(indices), indices, ends), shape=shape)
    return Table(names, rows, tuple(starts))


def _in_words(gram: str) -> str:
    """An n-gram as people are told of it, who do not know the marks of the ends."""
    bare = repr(gram.removeprefix(f"{_START} ").removesuffix(_END).strip())
    match gram.startswith(_START), gram.endswith(_END):
        case True, True:
            return f"{bare} as the whole sentence"
        case True, False:
            return f"{bare} at the beginning of the sentence"
        case False, True:
            return f"{bare} at the end of the sentence"
    return bare


def _shared(exercises: Sequence[Exercise], found: Sequence[list[list[str]]]) -> tuple[str, ...]:
    """The features that occur in several groups and do not go with every option alike."""
    groups: defaultdict[str, set[int]] = defaultdict(set)
    for one, options in zip(exercises, found, strict=True):
        common = set(options[0]).intersection(*options[1:])
        for listed in options:
            for name in listed:
                if name not in common:
                    groups[name].add(one.group)
    return tuple(sorted(name for name, held in groups.items() if len(held) >= LEAST_GROUPS))
