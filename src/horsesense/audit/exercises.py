"""Exercises for a learner: problems in groups that belong together, and features of their options.

In our notation the first key phrase asks for the first answer, so the order of options, of
problems and of entries may tell what is right. Here everything is ordered by the texts alone, so
that nothing learnt depends on how a file was written.

A feature that all options of a problem have cannot decide it. So words of the statement come in
only together with an option: with the one that is mentioned first, or with a word of it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, TypeAlias

from horsesense.audit.subject import Subject
from horsesense.audit.words import first_mentioned, same_words, words
from horsesense.evaluation.inference import PosedEntry
from horsesense.schema import Problem
from horsesense.scoring.outcome import cluster_tags


def grouped(
    entries: Sequence[PosedEntry], keys: Callable[[PosedEntry], Iterable[Hashable]]
) -> list[list[PosedEntry]]:
    """Group entries that share a key, directly or through other entries."""
    leaders = list(range(len(entries)))

    def leader(at: int) -> int:
        while leaders[at] != at:
            at = leaders[at]
        return at

    first_with: dict[Hashable, int] = {}
    for at, entry in enumerate(entries):
        for key in keys(entry):
            before = first_with.setdefault(key, at)
            leaders[leader(at)] = leader(before)
    groups: dict[int, list[PosedEntry]] = {}
    for at, entry in enumerate(entries):
        groups.setdefault(leader(at), []).append(entry)
    return list(groups.values())


def clusters_of(entry: PosedEntry) -> Iterator[tuple[str, str]]:
    """The clusters that the tags of an entry or of its problems name; no sentence is like them."""
    for tag in sorted(cluster_tags(frozenset().union(*entry.tags))):
        yield "cluster", tag


def has_known_answer(entry: PosedEntry) -> bool:
    """True where the right option of some problem is known."""
    return any(problem.right is not None for problem in entry.problems)


@dataclass(frozen=True, slots=True)
class Option:
    """A phrase for the blank, the sentence with it, and whether it is mentioned first."""

    phrase: str
    sentence: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class Exercise:
    """A problem whose right option is known; `group` is the number of its group."""

    entry: str
    group: int
    statement: str
    options: tuple[Option, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Exercises:
    """Exercises group by group, the schemas as pairs of positions among them, the groups' names.

    `has_clusters` is true where tags name clusters.
    """

    all: tuple[Exercise, ...]
    schemas: tuple[tuple[int, int], ...]
    groups: tuple[str, ...]
    has_clusters: bool = False

    def folds(self, count: int, turn: int) -> list[int]:
        """The fold of each group: drawn by content and turn, all folds of equal size."""
        drawn = sorted(self.groups, key=lambda name: _digest([str(turn), name]))
        places = {name: place % count for place, name in enumerate(drawn)}
        return [places[name] for name in self.groups]


def exercises_of(subject: Subject) -> Exercises:
    """The problems whose right option is known; entries that belong together are one group."""
    groups = {}
    known = [entry for entry in subject.posed.entries if has_known_answer(entry)]
    for entries in grouped(known, _sentences_and_clusters):
        ordered = sorted(entries, key=_content)
        groups[_digest(map(_content, ordered))] = ordered
    exercises: list[Exercise] = []
    schemas: list[tuple[int, int]] = []
    for number, name in enumerate(sorted(groups)):
        for entry in groups[name]:
            places = _add(exercises, entry, number)
            whole = [(places[a], places[b]) for a, b in entry.pairs if places.keys() >= {a, b}]
            schemas += sorted((min(pair), max(pair)) for pair in whole)
    has_clusters = any(True for entry in known for _ in clusters_of(entry))
    return Exercises(tuple(exercises), tuple(schemas), tuple(sorted(groups)), has_clusters)


def _sentences_and_clusters(entry: PosedEntry) -> Iterator[Hashable]:
    """The keys that no two groups share: sentences, and tags that name a cluster."""
    yield from clusters_of(entry)
    for problem in entry.problems:
        for sentence in problem.sentences:
            yield same_words(sentence.text)


def _content(entry: PosedEntry) -> str:
    """The problems of an entry as text, independent of the order of keys and answers."""
    return "\n".join(sorted(map(_told, entry.problems)))


def _told(problem: Problem) -> str:
    """A problem as text: its sentences, the right one with a star."""
    sentences = enumerate(problem.sentences)
    return "\t".join(
        sorted(sentence.text + "*" * (at == problem.right) for at, sentence in sentences)
    )


def _digest(texts: Iterable[str]) -> str:
    return sha256("\n\n".join(texts).encode()).hexdigest()


def _add(exercises: list[Exercise], entry: PosedEntry, group: int) -> dict[int, int]:
    """Add the problems of an entry, and return the position of each."""
    known = [at for at, problem in enumerate(entry.problems) if problem.right is not None]
    places = {}
    for at in sorted(known, key=lambda at: _told(entry.problems[at])):
        places[at] = len(exercises)
        exercises.append(_exercise(entry.id, group, entry.problems[at]))
    return places


def _exercise(entry: str, group: int, problem: Problem) -> Exercise:
    first = first_mentioned(problem)
    order = _by_text(problem)
    options = tuple(
        Option(" … ".join(problem.options[at]), problem.sentences[at].text, at == first)
        for at in order
    )
    right = next(place for place, at in enumerate(order) if at == problem.right)
    return Exercise(entry, group, problem.statement.text, options, right)


def _by_text(problem: Problem) -> Sequence[int]:
    return sorted(range(len(problem.options)), key=lambda at: problem.sentences[at].text)


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
    distinct = list(dict.fromkeys(words(exercise.statement)))
    if option.is_first:
        yield "first-mentioned"
        yield from (f"first-mentioned with {word!r}" for word in distinct)
    for own in dict.fromkeys(words(option.phrase)):
        yield f"{own!r}"
        yield from (f"{own!r} with {word!r}" for word in distinct)


def n_grams(exercise: Exercise, option: Option) -> Iterator[str]:
    """Two and three words in a row of the filled sentence, whose ends count as words.

    >>> option = Option("Bo", "Bo waved.", is_first=False)
    >>> list(n_grams(Exercise("a", 0, "___ waved.", (option,), 0), option))[1:3]
    ["'bo waved'", "'waved' at the end of the sentence"]
    """
    bounded = [_START, *words(option.sentence), _END]
    pairs = [f"{first} {second}" for first, second in pairwise(bounded)]
    threes = [f"{pair} {third}" for pair, third in zip(pairs, bounded[2:], strict=False)]
    yield from map(_in_words, dict.fromkeys([*pairs, *threes]))


def table_of(exercises: Sequence[Exercise], features: Features) -> Table:
    """The features that exercises of several groups have, 1 where an option has them."""
    from scipy.sparse import csr_array

    features_of_options = [
        [list(features(exercise, option)) for option in exercise.options] for exercise in exercises
    ]
    names = _shared(exercises, features_of_options)
    columns = {name: column for column, name in enumerate(names)}
    indices: list[int] = []
    ends, starts = [0], []
    for options in features_of_options:
        starts.append(len(ends) - 1)
        for listed in options:
            indices += sorted(columns[name] for name in listed if name in columns)
            ends.append(len(indices))
    shape = (len(ends) - 1, len(names))
    rows = csr_array(([1.0] * len(indices), indices, ends), shape=shape)
    return Table(names, rows, tuple(starts))


def _in_words(gram: str) -> str:
    """An n-gram for a reader, without the marks for the ends of the sentence."""
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
    for exercise, options in zip(exercises, found, strict=True):
        common = set(options[0]).intersection(*options[1:])
        for listed in options:
            for name in listed:
                if name not in common:
                    groups[name].add(exercise.group)
    return tuple(sorted(name for name, held in groups.items() if len(held) >= LEAST_GROUPS))
