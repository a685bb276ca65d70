"""Answer sets of small made-up models, from tables of what they solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from horsesense.metrics import Metric, Ties, problem_accuracy, schema_accuracy
from horsesense.metrics.robustness import AnswerSets, Choices, all_methods, same_method
from horsesense.scoring import Answer, AnswerSet, decide

Schemas = Sequence[tuple[bool | None, bool | None]]
COSTS = {True: (1.0, 2.0), False: (2.0, 1.0), None: (1.0, 1.0)}


def answer_sets_by(table: Mapping[str, Mapping[str, Schemas]]) -> dict[str, dict[str, AnswerSet]]:
    """An answer set for each model and method."""
    return {
        model: {method: answer_set_of(f"{model} {method}", rows) for method, rows in by.items()}
        for model, by in table.items()
    }


def answer_set_of(name: str, rows: Schemas) -> AnswerSet:
    """Schemas w0, w1, …; every other one is odd, and every other problem a first one."""
    answers = tuple(
        Answer(
            f"w{at}",
            number,
            decide(COSTS[solved], 0),
            ("left", "right"),
            frozenset(["odd"] * (at % 2) + ["first"] * (number == 1)),
        )
        for at, row in enumerate(rows)
        for number, solved in enumerate(row, 1)
    )
    return AnswerSet(name, answers, tuple((2 * at, 2 * at + 1) for at in range(len(rows))))


def tagged(answer_set: AnswerSet, tag: str, entries: set[str]) -> AnswerSet:
    """The answer set with a tag on all answers to these entries."""
    return replace(
        answer_set,
        answers=tuple(
            replace(one, tags=one.tags | {tag} if one.entry in entries else one.tags)
            for one in answer_set.answers
        ),
    )


def choices_of(
    answer_sets: AnswerSets,
    ties: Sequence[Ties] = (Ties.FAILED,),
    metrics: Sequence[Metric] = (problem_accuracy, schema_accuracy),
) -> Choices:
    """Every method that there is, each for all models."""
    setups = [same_method(answer_sets, method) for method in all_methods(answer_sets)]
    return Choices(setups=setups, ties=ties, metrics=metrics)
