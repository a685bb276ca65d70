"""Small profiles made by hand: schemas of two problems, and by what margin each is solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    ModelSubject,
    Plan,
    ProblemRow,
    Record,
    ResultKey,
    Results,
    Variant,
)
from horsesense.scoring.outcome import Answer, AnswerSet, decide

# By entry, by how much the right option is cheaper in each problem: None where that is undefined,
# a text where no option is right.
Margins: TypeAlias = Mapping[str, Sequence[float | None | str]]

SWITCHED = Variant(
    dataset="quay",
    name="switched",
    title="candidates switched",
    transformation="switched",
    purpose="consistency test",
    level="problem",
    compared=ORIGINAL,
)
BY_KEY = replace(SWITCHED, name="by-key", transformation="by-key", level="schema", mode="by key")
NO_CANDIDATE = replace(
    SWITCHED, name="no-candidate", transformation="no-candidate", purpose="control"
)


def answer_set(margins: Margins, tags: Mapping[str, set[str]] | None = None) -> AnswerSet:
    """Answers with these margins; of problem n, option n is right."""
    answers: list[Answer] = []
    schemas = []
    for entry, both in margins.items():
        places = []
        for number, margin in enumerate(both, 1):
            if margin is None:
                continue
            places.append(len(answers))
            marks = frozenset((tags or {}).get(entry, ()))
            answers.append(Answer(entry, number, _outcome(margin, number), ("rope", "boat"), marks))
        if len(places) == 2:
            schemas.append((places[0], places[1]))
    return AnswerSet("by hand", tuple(answers), tuple(schemas))


def _outcome(margin: float | str, number: int) -> Any:
    if isinstance(margin, str):
        return decide((1.0, 2.0), right=None)
    right = number - 1
    costs = [10.0, 10.0]
    costs[1 - right] += margin
    return decide(costs, right)


def profile(
    answer_sets: Mapping[tuple[str, str], Margins],
    *,
    model: str = "ant",
    forms: Sequence[Variant] = (SWITCHED, BY_KEY, NO_CANDIDATE),
    tags: Mapping[str, set[str]] | None = None,
    data_id: str = "d1",
    wording: str = "the ___ holds",
    **settings: Any,
) -> Results:
    """A profile of one model on one dataset, by form and method; `partial` is the standard."""
    plan = Plan(models=(model,), data=("quay",), **{"resamples": 200, **settings})
    methods = tuple(dict.fromkeys(method for _, method in answer_sets))
    posed = [
        form
        for form in (ORIGINAL, *(one.name for one in forms))
        if any(form == name for name, _ in answer_sets)
    ]
    subject = ModelSubject(
        name=model,
        family="causal",
        architecture="Ant",
        parameters=3,
        dtype="float32",
        device="cpu",
        fingerprint=f"f-{model}",
        is_baseline=False,
        methods=methods,
        standard=(("quay", "partial"),),
    )
    dataset = DatasetSubject(
        name="quay",
        version=1,
        id=data_id,
        title="At the quay",
        licence="",
        is_winograd=False,
        entries=2,
        problems=4,
        schemas=2,
    )
    original = Variant(dataset="quay", name=ORIGINAL)
    return Results(
        record(plan),
        (subject,),
        (dataset,),
        tuple(one for one in (original, *forms) if one.name in posed),
        (),
        problems=tuple(
            ProblemRow(
                "quay",
                form,
                entry,
                number,
                wording,
                ("rope", "boat"),
                number - 1,
                tuple(wording.replace("___", one) for one in ("rope", "boat")),
            )
            for form in posed
            for entry in dict.fromkeys(
                entry
                for (name, _), margins in answer_sets.items()
                if name == form
                for entry in margins
            )
            for number in (1, 2)
        ),
        answer_sets={
            ResultKey(model, "quay", form, method=method): answer_set(margins, tags)
            for (form, method), margins in answer_sets.items()
        },
    )


def record(plan: Plan) -> Record:
    """A record of nothing in particular."""
    return Record(
        id="r1",
        key="r1",
        plan=plan,
        horsesense="1",
        program="p1",
        versions=(),
        machine=(),
        started_at="",
        finished_at="",
        seconds=0.0,
        queries=0,
        asked=0,
    )
