"""Simple artefacts that may solve a dataset: answer frequency, single words, n-grams.

Each rule learns from some schemas and answers the others (cross-validation by schema), several
times with other folds, and what comes of it is averaged. The intervals leave out that the answers
to all schemas depend on what was learnt from nearly the same ones, and are a bit narrow: with
the answers of 192 schemas turned round at random, 4 of 80 lay above chance, where 2 should.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from horsesense.audit.findings import (
    Checked,
    Concern,
    Subject,
    Weight,
    judge,
    surely_solved,
    too_few_to_judge,
)
from horsesense.audit.words import first_mentioned, same_words, words
from horsesense.evaluation.inference import PosedEntry
from horsesense.metrics import Floats
from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.schema import Problem
from horsesense.scoring.outcome import Answer, AnswerSet, cluster_tags, decide


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


# How much errors weigh against large coefficients: scikit-learn's default, for to choose another
# would take problems that are used for nothing else.
ERRORS_WEIGH = 1.0
# Far more than it takes: some hundred problems are fitted in ten steps or so.
MOST_STEPS = 1000
# As many as a line has room for.
_SHOWN = 3
# The last digits of coefficients differ from machine to machine.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Learnt:
    """A learnt rule: the costs of the options of any exercise, and its strongest features."""

    costs: Callable[[int], tuple[float, ...]]
    strongest: Callable[[], tuple[str, ...]]  # which takes a while, and is seldom asked


# From the positions of the exercises to learn from to what is learnt of them.
Learn: TypeAlias = Callable[[Sequence[int]], Learnt]


def by_frequency(exercises: Sequence[Exercise]) -> Learn:
    """Prefer the answer that is more often right than by chance, counted as it is worded."""
    offered = [[same_words(option.phrase) for option in exercise.options] for exercise in exercises]

    def learn(positions: Sequence[int]) -> Learnt:
        excess: defaultdict[str, float] = defaultdict(float)
        for at in positions:
            for place, answer in enumerate(offered[at]):
                excess[answer] += (place == exercises[at].right) - 1 / len(offered[at])

        def costs(at: int) -> tuple[float, ...]:
            return tuple(-excess.get(answer, 0.0) for answer in offered[at])

        return Learnt(costs, lambda: _strongest(list(excess), list(excess.values())))

    return learn


def by_features(exercises: Sequence[Exercise], features: Features) -> Learn:
    """Prefer the option whose features speak for it, by logistic regression."""
    table = table_of(exercises, features)
    differences = _differences_of(table, [exercise.right for exercise in exercises])

    def learn(positions: Sequence[int]) -> Learnt:
        weights = _weights(differences, positions)
        values = (table.rows @ weights).tolist()

        def costs(at: int) -> tuple[float, ...]:
            start = table.starts[at]
            return tuple(-value for value in values[start : start + len(exercises[at].options)])

        return Learnt(costs, lambda: _strongest(table.names, weights.tolist()))

    return learn


@dataclass(frozen=True, slots=True, eq=False)
class _Differences:
    """The differences between right options and the others, a row for each, problem by problem.

    `starts` is the first row of each problem, and after the last one the number of rows.
    """

    rows: Any  # a sparse matrix of scipy, which has no types
    starts: tuple[int, ...]


def _differences_of(table: Table, right: Sequence[int]) -> _Differences:
    ends = (*table.starts[1:], table.rows.shape[0])
    better: list[int] = []
    worse: list[int] = []
    starts = [0]
    for start, end, place in zip(table.starts, ends, right, strict=True):
        others = [row for row in range(start, end) if row != start + place]
        better += [start + place] * len(others)
        worse += others
        starts.append(len(worse))
    return _Differences((table.rows[better] - table.rows[worse]).tocsr(), tuple(starts))


def _weights(differences: _Differences, positions: Sequence[int]) -> Floats:
    """The coefficients that are learnt from the differences in some problems.

    Without an intercept a difference and its opposite teach the same. Every other one is turned
    round, as scikit-learn wants to see two classes.
    """
    from sklearn.linear_model import LogisticRegression

    if not differences.rows.shape[1]:
        return np.zeros(0)
    starts = differences.starts
    rows = differences.rows[[row for at in positions for row in range(starts[at], starts[at + 1])]]
    signs = np.where(np.arange(rows.shape[0]) % 2, -1.0, 1.0)
    rows.data *= np.repeat(signs, np.diff(rows.indptr))
    model = LogisticRegression(C=ERRORS_WEIGH, fit_intercept=False, max_iter=MOST_STEPS)
    weights: Any = model.fit(rows, signs).coef_[0]
    return np.asarray(weights, dtype=np.float64)


def _strongest(names: Sequence[str], values: Sequence[float]) -> tuple[str, ...]:
    """Name the features with the largest weights, for or against an option."""
    order = sorted(range(len(names)), key=lambda at: (-abs(round(values[at], _DIGITS)), names[at]))
    named = (f"{names[at]} ({'for' if values[at] > 0 else 'against'})" for at in order[:_SHOWN])
    return tuple(named)


# Nine tenths of the schemas are learnt from, which is nearly all of them.
FOLDS = 10
# On 200 schemas, accuracies vary by a point or two from one drawing of the folds to the next. The
# mean of five varies by less than one.
TURNS = 5
# Above that, accuracies vary by less than half a point from one drawing to the next (a point or two
# divided by the root of ten); one is enough, and all take five times as long.
MANY_SCHEMAS = 2000


@dataclass(frozen=True, slots=True)
class _Artefact:
    """A rule that does not understand the sentence, with its name and the remedy."""

    name: str
    title: str
    learn: Callable[[Sequence[Exercise]], Learn]
    what: str
    remedy: str
    is_classifier: bool = True


def check_answer_frequency(subject: Subject) -> Checked:
    """Whether it pays to choose the answer that is more often right in other schemas."""
    return _check(subject, _ANSWER_FREQUENCY)


def check_bag_of_words(subject: Subject) -> Checked:
    """Whether the words of options and statement, in whatever order, tell what is right."""
    return _check(subject, _BAG_OF_WORDS)


def check_n_grams(subject: Subject) -> Checked:
    """Whether two or three words in a row tell what is right."""
    return _check(subject, _N_GRAMS)


def cross_validated(exercises: Exercises, learn: Learn) -> list[AnswerSet]:
    """Answer every problem with a rule that learnt from the other groups, once per turn."""
    turns = TURNS if len(exercises.groups) <= MANY_SCHEMAS else 1
    return [_answer_set(exercises, learn, turn) for turn in range(turns)]


def _check(subject: Subject, artefact: _Artefact) -> Checked:
    exercises = exercises_of(subject)
    if reason := _too_few(exercises) or (_missing() if artefact.is_classifier else ""):
        return Checked(artefact.name, artefact.title, skipped=reason)
    learn = artefact.learn(exercises.all)
    answer_sets = cross_validated(exercises, learn)
    figures, beyond_chance = judge(answer_sets)
    concerns: tuple[Concern, ...] = ()
    if beyond_chance:
        strongest = ", ".join(learn(range(len(exercises.all))).strongest())
        text = (
            f"{artefact.what} solves {beyond_chance}; what weighs most: {strongest};"
            f" {artefact.remedy}"
        )
        entries = surely_solved(answer_sets, [exercise.entry for exercise in exercises.all])
        concerns = (Concern(Weight.LOOK, text, entries),)
    return Checked(artefact.name, artefact.title, figures, concerns)


def _too_few(exercises: Exercises) -> str:
    """The reason why there is too little to learn from; empty if there is enough."""
    groups, entries = len(exercises.groups), len({exercise.entry for exercise in exercises.all})
    known = "with known answers"
    few = too_few_to_judge(groups, f"entry {known}", f"entries {known}")
    if not few or groups == entries:
        return few
    shared = "a cluster or sentences" if exercises.has_clusters else "sentences"
    fall = f"they fall into {groups} {'group' if groups == 1 else 'groups'} that share {shared}"
    return f"{len(exercises.all)} problems, but {fall}; at least {FEW_CLUSTERS} are needed"


def _missing() -> str:
    if find_spec("sklearn"):
        return ""
    return "it needs scikit-learn: pip install 'horsesense[audit]'"


def _answer_set(exercises: Exercises, learn: Learn, turn: int) -> AnswerSet:
    fold_of = exercises.folds(FOLDS, turn)
    learnt = [
        learn([at for at, exercise in enumerate(exercises.all) if fold_of[exercise.group] != fold])
        for fold in range(FOLDS)
    ]
    answers = []
    for at, exercise in enumerate(exercises.all):
        outcome = decide(learnt[fold_of[exercise.group]].costs(at), exercise.right)
        # Entries of one group are drawn together.
        answers.append(Answer(exercises.groups[exercise.group], at, outcome))
    return AnswerSet(f"turn {turn + 1}", tuple(answers), exercises.schemas)


_ANSWER_FREQUENCY = _Artefact(
    "answer-frequency",
    "Whether the answer that is right more often solves it",
    by_frequency,
    "choosing the answer that is right more often elsewhere",
    "let each answer be right as often as wrong",
    is_classifier=False,
)
_BAG_OF_WORDS = _Artefact(
    "bag-of-words",
    "Whether words in whatever order solve it",
    lambda exercises: by_features(exercises, bag_of_words),
    "a classifier that sees words in whatever order",
    "use these words with the other answer too",
)
_N_GRAMS = _Artefact(
    "n-grams",
    "Whether two or three words in a row solve it",
    lambda exercises: by_features(exercises, n_grams),
    "a classifier that sees two or three words in a row",
    "use these words with the other answer too",
)
