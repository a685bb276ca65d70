"""Whether simple artefacts solve a dataset: how often an answer is right, words, n-grams.

Each rule learns from some schemas and answers the others (cross-validation by schema), several
times with other folds, and what comes of it is averaged. The intervals leave out that the answers
to all schemas depend on what was learnt from nearly the same ones, and are a bit narrow: with
the answers of 192 schemas turned round at random, 4 of 80 lay above chance, where 2 should.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from horsesense.audit.beyond_chance import judge, surely_solved, too_few_to_judge
from horsesense.audit.checked import Checked, Concern, Weight
from horsesense.audit.exercises import Exercise, Exercises, exercises_of
from horsesense.audit.features import bag_of_words, n_grams
from horsesense.audit.learners import Learn, by_features, by_frequency
from horsesense.audit.subject import Subject
from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.scoring.outcome import Answer, Sheet, decide

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
    """A rule that makes no sense of a sentence; what it is in words, and what to do about it."""

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
    """What is answered to every problem by a rule that learnt from other groups, turn by turn."""
    turns = TURNS if len(exercises.groups) <= MANY_SCHEMAS else 1
    return [_sheet(exercises, learn, turn) for turn in range(turns)]


def _check(subject: Subject, artefact: _Artefact) -> Checked:
    exercises = exercises_of(subject)
    if reason := _too_few(exercises) or (_missing() if artefact.is_classifier else ""):
        return Checked(artefact.name, artefact.title, skipped=reason)
    learn = artefact.learn(exercises.all)
    sheets = cross_validated(exercises, learn)
    judged = judge(sheets)
    concerns: tuple[Concern, ...] = ()
    if judged.beyond_chance:
        strongest = ", ".join(learn(range(len(exercises.all))).strongest())
        text = (
            f"{artefact.what} solves {judged.beyond_chance}; what weighs most: {strongest};"
            f" {artefact.remedy}"
        )
        entries = surely_solved(sheets, [one.entry for one in exercises.all])
        concerns = (Concern(Weight.LOOK, text, entries),)
    return Checked(artefact.name, artefact.title, judged.figures, concerns)


def _too_few(exercises: Exercises) -> str:
    """Why there is too little to learn from; nothing, if there is enough."""
    groups, entries = len(exercises.groups), len({one.entry for one in exercises.all})
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
        learn([at for at, one in enumerate(exercises.all) if fold_of[one.group] != fold])
        for fold in range(FOLDS)
    ]
    answers = []
    for at, one in enumerate(exercises.all):
        outcome = decide(learnt[fold_of[one.group]].costs(at), one.right)
        # What hangs together is drawn together.
        answers.append(Answer(exercises.groups[one.group], at, outcome))
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
