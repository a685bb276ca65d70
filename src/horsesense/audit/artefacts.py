"""Simple artefacts that may solve a dataset: answer frequency, single words, n-grams.

Each rule learns from some schemas and answers the others (cross-validation by schema), several
times with other folds, and what comes of it is averaged. The intervals leave out that the answers
to all schemas depend on what was learnt from nearly the same ones, and are a bit narrow: with
the answers of 192 schemas turned round at random, 4 of 80 lay above chance, where 2 should.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

from horsesense.audit.exercises import (
    Exercise,
    Exercises,
    Features,
    Table,
    bag_of_words,
    exercises_of,
    n_grams,
    table_of,
)
from horsesense.audit.findings import (
    Checked,
    Concern,
    Weight,
    judge,
    surely_solved,
    too_few_to_judge,
)
from horsesense.audit.subject import Subject
from horsesense.audit.words import same_words
from horsesense.metrics import Floats
from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.scoring.outcome import Answer, Sheet, decide

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


def cross_validated(exercises: Exercises, learn: Learn) -> list[Sheet]:
    """Answer every problem with a rule that learnt from the other groups, once per turn."""
    turns = TURNS if len(exercises.groups) <= MANY_SCHEMAS else 1
    return [_sheet(exercises, learn, turn) for turn in range(turns)]


def _check(subject: Subject, artefact: _Artefact) -> Checked:
    exercises = exercises_of(subject)
    if reason := _too_few(exercises) or (_missing() if artefact.is_classifier else ""):
        return Checked(artefact.name, artefact.title, skipped=reason)
    learn = artefact.learn(exercises.all)
    sheets = cross_validated(exercises, learn)
    figures, beyond_chance = judge(sheets)
    concerns: tuple[Concern, ...] = ()
    if beyond_chance:
        strongest = ", ".join(learn(range(len(exercises.all))).strongest())
        text = (
            f"{artefact.what} solves {beyond_chance}; what weighs most: {strongest};"
            f" {artefact.remedy}"
        )
        entries = surely_solved(sheets, [exercise.entry for exercise in exercises.all])
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


def _sheet(exercises: Exercises, learn: Learn, turn: int) -> Sheet:
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
    return Sheet(f"turn {turn + 1}", tuple(answers), exercises.schemas)


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
