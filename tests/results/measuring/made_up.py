"""Made-up answer sets, spelt out: S solved, F failed, U undecided, ? without a right option."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

from horsesense.results import (
    ALL,
    ORIGINAL,
    DatasetSubject,
    Estimate,
    EstimateKind,
    ModelSubject,
    ResultKey,
    Variant,
)
from horsesense.results.measuring import Answers, Measurements, conclude, measuring_steps
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome, decide

# The verdicts on the problems of each entry; two by two they are schemas.
Verdicts: TypeAlias = Mapping[str, str]
RESAMPLES = 60


def outcome(letter: str, right: int) -> Outcome:
    if letter == "?":
        return decide((1.0, 2.0), right=None)
    costs = {"S": (1.0, 2.0), "F": (2.0, 1.0), "U": (1.0, 1.0)}[letter]
    return decide(costs if right == 0 else costs[::-1], right)


def answer_set(
    verdicts: Verdicts,
    *,
    tags: Mapping[str, Iterable[str]] | None = None,
    marks: Iterable[str] = (),
    options: Sequence[str] = (),
) -> AnswerSet:
    """Answers; of an entry's problems the first option is right, then the second, and so on."""
    answers: list[Answer] = []
    schemas: list[tuple[int, int]] = []
    for entry, letters in verdicts.items():
        start, held = len(answers), frozenset((tags or {}).get(entry, ()))
        for at, letter in enumerate(letters):
            answers.append(Answer(entry, at + 1, outcome(letter, at % 2), tuple(options), held))
        if "?" not in letters:
            pairs = range(0, len(letters) - 1, 2)
            schemas += [(start + at, start + at + 1) for at in pairs]
    return AnswerSet("made up", tuple(answers), tuple(schemas), marks=frozenset(marks))


def random_verdicts(count: int, seed: int, *, start: int = 0, letters: str = "SSF") -> Verdicts:
    rng = Random(seed)
    return {f"e{at}": "".join(rng.choices(letters, k=2)) for at in range(start, start + count)}


def original(dataset: str = "ponds") -> Variant:
    return Variant(dataset=dataset, name=ORIGINAL)


def perturbation(name: str, **more: Any) -> Variant:
    settings = {"dataset": "ponds", "purpose": "consistency test", "level": "problem"}
    return Variant(**{**settings, "name": name, "compared": ORIGINAL, **more})


def control(name: str, **more: Any) -> Variant:
    return perturbation(name, purpose="control", **more)


def model(name: str, *methods: str, family: str = "causal") -> ModelSubject:
    """A model; its first method is the standard one, on all datasets of these tests."""
    listed = methods or ("full",)
    return ModelSubject(
        name=name,
        family=family,
        architecture=name,
        parameters=0,
        dtype="",
        device="",
        fingerprint=name,
        is_baseline=family == "baseline",
        methods=listed,
        standard=tuple((dataset, listed[0]) for dataset in ("ponds", "rivers")),
    )


def dataset(name: str = "ponds", tags: Sequence[str] = ()) -> DatasetSubject:
    return DatasetSubject(
        name=name,
        version=1,
        id=name,
        title=name,
        licence="",
        is_winograd=True,
        entries=0,
        problems=0,
        schemas=0,
        tags=tuple(tags),
    )


@dataclass(frozen=True)
class Found:
    """What was measured, to be looked up."""

    measured: Measurements
    index: Mapping[tuple[EstimateKind, ResultKey, ResultKey | None, str], Estimate] = field(
        repr=False
    )

    def value(self, of: ResultKey, metric: str) -> Estimate:
        return self.index[EstimateKind.VALUE, of, None, metric]

    def change(self, of: ResultKey, against: ResultKey, metric: str) -> Estimate:
        return self.index[EstimateKind.CHANGE, of, against, metric]

    def difference(self, of: ResultKey, against: ResultKey, metric: str) -> Estimate:
        return self.index[EstimateKind.DIFFERENCE, of, against, metric]

    def metrics(
        self, kind: EstimateKind, of: ResultKey, against: ResultKey | None = None
    ) -> set[str]:
        return {key[3] for key in self.index if key[:3] == (kind, of, against)}


def at(form: str = ORIGINAL, method: str = "full", **more: str) -> ResultKey:
    place = {"model": "ant", "dataset": "ponds", "variant": form, "subset": ALL, "method": method}
    return ResultKey(**{**place, **more})


def measure(**inputs: Any) -> Measurements:
    """Everything that is measured of some answers."""
    answers = Answers(**inputs)
    return conclude(answers, [row for step in measuring_steps(answers) for row in step])


def found(
    answer_sets: Mapping[ResultKey, AnswerSet],
    *,
    models: Sequence[ModelSubject] = (model("ant"),),
    datasets: Sequence[DatasetSubject] = (dataset(),),
    forms: Sequence[Variant] = (original(),),
    **settings: Any,
) -> Found:
    measured = measure(
        answer_sets=answer_sets,
        models=models,
        datasets=datasets,
        variants=forms,
        **{"resamples": RESAMPLES, **settings},
    )
    rows = measured.estimates
    index = {(one.kind, one.key, one.against, one.metric): one for one in rows}
    assert len(index) == len(rows), "a measurement is there twice"
    return Found(measured, index)
