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
    CheckResult,
    Concern,
    Weight,
    judge,
    posed_by_answer,
    surely_solved,
    too_few_to_judge,
)
from horsesense.audit.words import first_mentioned, same_words, words
from horsesense.evaluation.inference import PosedEntry
from horsesense.metrics import Floats
from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.schema import Dataset, Problem
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
    """Return whether the right option of some problem is known."""
    return any(problem.right is not None for problem in entry.problems)


@dataclass(frozen=True, slots=True)
class LabelledProblems:
    """The problems whose right option is known, group by group.

    `entries` and `groups` have the entry and the group's number of each problem, `schemas` the
    positions of the two problems of each schema, `group_names` a name for each group, and
    `has_clusters` is true where tags name clusters.
    """

    problems: tuple[Problem, ...]
    entries: tuple[str, ...]
    groups: tuple[int, ...]
    schemas: tuple[tuple[int, int], ...]
    group_names: tuple[str, ...]
    has_clusters: bool

    @property
    def right(self) -> list[int]:
        """The position of the right option of each problem."""
        return [problem.right for problem in self.problems if problem.right is not None]

    def folds(self, count: int, turn: int) -> list[int]:
        """Return the fold of each group: drawn by content and turn, all folds of equal size."""
        drawn = sorted(self.group_names, key=lambda name: _digest([str(turn), name]))
        places = {name: place % count for place, name in enumerate(drawn)}
        return [places[name] for name in self.group_names]


def labelled_problems(dataset: Dataset) -> LabelledProblems:
    """Return the problems whose right option is known; entries that belong together are a group."""
    known = [entry for entry in posed_by_answer(dataset).entries if has_known_answer(entry)]
    by_name = {}
    for group in grouped(known, _sentences_and_clusters):
        ordered = sorted(group, key=_content)
        by_name[_digest(map(_content, ordered))] = ordered
    listed: list[Problem] = []
    entries: list[str] = []
    groups: list[int] = []
    schemas: list[tuple[int, int]] = []
    for number, name in enumerate(sorted(by_name)):
        for entry in by_name[name]:
            places: dict[int, int] = {}
            numbered = [item for item in enumerate(entry.problems) if item[1].right is not None]
            for at, problem in sorted(numbered, key=lambda item: _as_text(item[1])):
                places[at] = len(listed)
                listed.append(problem)
            entries += [entry.id] * len(places)
            groups += [number] * len(places)
            whole = [(places[a], places[b]) for a, b in entry.pairs if places.keys() >= {a, b}]
            schemas += sorted((min(pair), max(pair)) for pair in whole)
    has_clusters = any(True for entry in known for _ in clusters_of(entry))
    return LabelledProblems(
        tuple(listed),
        tuple(entries),
        tuple(groups),
        tuple(schemas),
        tuple(sorted(by_name)),
        has_clusters,
    )


def _sentences_and_clusters(entry: PosedEntry) -> Iterator[Hashable]:
    """Yield the keys that no two groups share: sentences, and tags that name a cluster."""
    yield from clusters_of(entry)
    for problem in entry.problems:
        for sentence in problem.sentences:
            yield same_words(sentence.text)


def _content(entry: PosedEntry) -> str:
    """Return the problems of an entry as text, independent of the order of keys and answers."""
    return "\n".join(sorted(map(_as_text, entry.problems)))


def _as_text(problem: Problem) -> str:
    """Return the sentences of a problem, with a star after the right one."""
    sentences = enumerate(problem.sentences)
    return "\t".join(
        sorted(sentence.text + "*" * (at == problem.right) for at, sentence in sentences)
    )


def _digest(texts: Iterable[str]) -> str:
    return sha256("\n\n".join(texts).encode()).hexdigest()


# Functions that list the features of each option of a problem.
Features: TypeAlias = Callable[[Problem], list[list[str]]]

# A feature that occurs in a single group tells a learner nothing about the others.
LEAST_GROUPS = 2
_START, _END = "^", "$"


@dataclass(frozen=True, slots=True, eq=False)
class FeatureTable:
    """Named features, and a row of numbers for each option, or for each pair of options.

    `starts` is the first row of each problem, and after the last one the number of rows.
    """

    names: tuple[str, ...]
    rows: Any  # a sparse matrix of scipy, which has no types
    starts: tuple[int, ...]


def bag_of_words(problem: Problem) -> list[list[str]]:
    """Pair the words of each option with those of the statement, and those with the first option.

    The words of the option are listed alone, too, and being the first option.

    >>> from horsesense.schema import problems
    >>> from horsesense.schema.notation import parse_grid
    >>> bag_of_words(problems(parse_grid("<Owls, Elks> {hoot, trot}."))[0])
    [["'owls'", "'owls' with 'hoot'"], ["'elks'", "'elks' with 'hoot'"]]
    """
    statement = list(dict.fromkeys(words(problem.statement.text)))
    features = []
    for option in problem.options:
        listed = []
        for word in dict.fromkeys(words(" … ".join(option))):
            listed.append(repr(word))
            listed += [f"{word!r} with {other!r}" for other in statement]
        features.append(listed)
    first = first_mentioned(problem)
    if first is not None:
        features[first][:0] = [
            "first-mentioned",
            *(f"first-mentioned with {word!r}" for word in statement),
        ]
    return features


def n_grams(problem: Problem) -> list[list[str]]:
    """List two and three words in a row of each filled sentence, whose ends count as words.

    >>> from horsesense.schema import problems
    >>> from horsesense.schema.notation import parse_grid
    >>> n_grams(problems(parse_grid("<Owls, Elks> {hoot, trot}."))[0])[0][1:3]
    ["'owls hoot'", "'hoot' at the end of the sentence"]
    """
    features = []
    for sentence in problem.sentences:
        bounded = [_START, *words(sentence.text), _END]
        pairs = [f"{first} {second}" for first, second in pairwise(bounded)]
        threes = [f"{pair} {third}" for pair, third in zip(pairs, bounded[2:], strict=False)]
        features.append(list(map(_in_words, dict.fromkeys([*pairs, *threes]))))
    return features


def table_of(labelled: LabelledProblems, features: Features) -> FeatureTable:
    """Make the table of features that occur in several groups: 1 where an option has one."""
    from scipy.sparse import csr_array

    features_of_options = [features(problem) for problem in labelled.problems]
    names = _shared_features(labelled.groups, features_of_options)
    columns = {name: column for column, name in enumerate(names)}
    indices: list[int] = []
    ends, starts = [0], [0]
    for options in features_of_options:
        for listed in options:
            indices += sorted(columns[name] for name in listed if name in columns)
            ends.append(len(indices))
        starts.append(len(ends) - 1)
    shape = (len(ends) - 1, len(names))
    rows = csr_array(([1.0] * len(indices), indices, ends), shape=shape)
    return FeatureTable(names, rows, tuple(starts))


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


def _shared_features(
    groups: Sequence[int], features_of_options: Sequence[list[list[str]]]
) -> tuple[str, ...]:
    """Return the features that occur in several groups and do not go with every option alike."""
    groups_with: defaultdict[str, set[int]] = defaultdict(set)
    for group, options in zip(groups, features_of_options, strict=True):
        common = set(options[0]).intersection(*options[1:])
        for listed in options:
            for name in listed:
                if name not in common:
                    groups_with[name].add(group)
    return tuple(sorted(name for name, held in groups_with.items() if len(held) >= LEAST_GROUPS))


# How much errors weigh against large coefficients: scikit-learn's default, because choosing another
# would need problems that are used for nothing else.
ERRORS_WEIGH = 1.0
# Far more than needed: some hundred problems are fitted in about ten steps.
MOST_STEPS = 1000
# As many as a line has room for.
_SHOWN = 3
# The last digits of coefficients differ from machine to machine.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Learnt:
    """A learnt rule: the costs of the options of any problem, and its strongest features."""

    costs: Callable[[int], tuple[float, ...]]
    strongest: Callable[[], tuple[str, ...]]  # takes a while and is seldom needed


# Functions that learn a rule from the problems at these positions.
Learn: TypeAlias = Callable[[Sequence[int]], Learnt]


def by_frequency(labelled: LabelledProblems) -> Learn:
    """Prefer the answer that is more often right than by chance, counted as it is worded."""
    offered = [
        [same_words(" … ".join(option)) for option in problem.options]
        for problem in labelled.problems
    ]
    right = labelled.right

    def learn(positions: Sequence[int]) -> Learnt:
        excess: defaultdict[str, float] = defaultdict(float)
        for at in positions:
            for place, answer in enumerate(offered[at]):
                excess[answer] += (place == right[at]) - 1 / len(offered[at])

        def costs(at: int) -> tuple[float, ...]:
            return tuple(-excess.get(answer, 0.0) for answer in offered[at])

        return Learnt(costs, lambda: _strongest(list(excess), list(excess.values())))

    return learn


def by_features(labelled: LabelledProblems, features: Features) -> Learn:
    """Prefer the option whose features speak for it, by logistic regression."""
    table = table_of(labelled, features)
    differences = _differences_of(table, labelled.problems)

    def learn(positions: Sequence[int]) -> Learnt:
        weights = _weights(differences, positions)
        values = (table.rows @ weights).tolist()

        def costs(at: int) -> tuple[float, ...]:
            return tuple(-value for value in values[table.starts[at] : table.starts[at + 1]])

        return Learnt(costs, lambda: _strongest(table.names, weights.tolist()))

    return learn


def _differences_of(table: FeatureTable, labelled: Sequence[Problem]) -> FeatureTable:
    """Return the differences between right options and the others, a row for each."""
    better: list[int] = []
    worse: list[int] = []
    starts = [0]
    for start, problem in zip(table.starts, labelled, strict=False):
        # In an order that does not depend on that of the options.
        for place in sorted(
            range(len(problem.options)), key=lambda place: problem.sentences[place].text
        ):
            if problem.right is not None and place != problem.right:
                better.append(start + problem.right)
                worse.append(start + place)
        starts.append(len(worse))
    rows = (table.rows[better] - table.rows[worse]).tocsr()
    return FeatureTable(table.names, rows, tuple(starts))


def _weights(differences: FeatureTable, positions: Sequence[int]) -> Floats:
    """Learn coefficients from the differences in some problems.

    Without an intercept, a difference and its opposite teach the same. Every other one is turned
    round, because scikit-learn needs two classes.
    """
    from sklearn.linear_model import LogisticRegression

    if not differences.names:
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
    learn: Callable[[LabelledProblems], Learn]
    what: str
    remedy: str
    is_classifier: bool = True


def check_answer_frequency(dataset: Dataset) -> CheckResult:
    """Check whether choosing the answer that is more often right elsewhere beats chance."""
    return _check(dataset, _ANSWER_FREQUENCY)


def check_bag_of_words(dataset: Dataset) -> CheckResult:
    """Check whether the words of options and statement, in any order, give answers away."""
    return _check(dataset, _BAG_OF_WORDS)


def check_n_grams(dataset: Dataset) -> CheckResult:
    """Check whether two or three words in a row give answers away."""
    return _check(dataset, _N_GRAMS)


def cross_validated(labelled: LabelledProblems, learn: Learn) -> list[AnswerSet]:
    """Answer every problem with a rule that learnt from the other groups, once per turn."""
    turns = TURNS if len(labelled.group_names) <= MANY_SCHEMAS else 1
    return [_answer_set(labelled, learn, turn) for turn in range(turns)]


def _check(dataset: Dataset, artefact: _Artefact) -> CheckResult:
    labelled = labelled_problems(dataset)
    if reason := _too_few(labelled) or (_missing() if artefact.is_classifier else ""):
        return CheckResult(artefact.name, artefact.title, skipped=reason)
    learn = artefact.learn(labelled)
    answer_sets = cross_validated(labelled, learn)
    figures, beyond_chance = judge(answer_sets)
    concerns: tuple[Concern, ...] = ()
    if beyond_chance:
        strongest = ", ".join(learn(range(len(labelled.problems))).strongest())
        text = (
            f"{artefact.what} solves {beyond_chance}; what weighs most: {strongest};"
            f" {artefact.remedy}"
        )
        entries = surely_solved(answer_sets, labelled.entries)
        concerns = (Concern(Weight.LOOK, text, entries),)
    return CheckResult(artefact.name, artefact.title, figures, concerns)


def _too_few(labelled: LabelledProblems) -> str:
    """Return why there is too little to learn from; empty if there is enough."""
    groups, entries = len(labelled.group_names), len(set(labelled.entries))
    known = "with known answers"
    few = too_few_to_judge(groups, f"entry {known}", f"entries {known}")
    if not few or groups == entries:
        return few
    shared = "a cluster or sentences" if labelled.has_clusters else "sentences"
    fall = f"they fall into {groups} {'group' if groups == 1 else 'groups'} that share {shared}"
    return f"{len(labelled.problems)} problems, but {fall}; at least {FEW_CLUSTERS} are needed"


def _missing() -> str:
    if find_spec("sklearn"):
        return ""
    return "it needs scikit-learn: pip install 'horsesense[audit]'"


def _answer_set(labelled: LabelledProblems, learn: Learn, turn: int) -> AnswerSet:
    fold_of_group = labelled.folds(FOLDS, turn)
    folds = [fold_of_group[group] for group in labelled.groups]
    learnt = [
        learn([at for at, other in enumerate(folds) if other != fold]) for fold in range(FOLDS)
    ]
    answers = [
        # Entries of one group are resampled together.
        Answer(labelled.group_names[group], at, decide(learnt[fold].costs(at), right))
        for at, (group, fold, right) in enumerate(
            zip(labelled.groups, folds, labelled.right, strict=True)
        )
    ]
    return AnswerSet(f"turn {turn + 1}", tuple(answers), labelled.schemas)


_ANSWER_FREQUENCY = _Artefact(
    "answer-frequency",
    "Guessing the answer that is right more often",
    by_frequency,
    "choosing the answer that is more often right elsewhere",
    "make each answer right as often as wrong",
    is_classifier=False,
)
_BAG_OF_WORDS = _Artefact(
    "bag-of-words",
    "Guessing from single words",
    lambda labelled: by_features(labelled, bag_of_words),
    "a classifier that sees words but not their order",
    "use these words with the other answer too",
)
_N_GRAMS = _Artefact(
    "n-grams",
    "Guessing from two or three words in a row",
    lambda labelled: by_features(labelled, n_grams),
    "a classifier that sees two or three words in a row",
    "use these words with the other answer too",
)
