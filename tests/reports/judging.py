"""A model on a dataset with any numbers, to be judged."""

from __future__ import annotations

from horsesense.reports import ModelVerdict, verdict
from horsesense.results import Estimate, EstimateKind, ModelSubject, ResultKey, Results, Variant
from tests.reports import hand_made
from tests.reports.hand_made import accuracy, measurement

AT = ResultKey("ant", "kitchen", method="smart@1")
PART, CONTROL, SWITCHED, TENSE, BY_KEY = (
    AT.replace(variant=one) for one in ("part-sent", "no-candidate", "switched", "tense", "by-key")
)
BEYOND = accuracy(AT, 0.6, 0.5, 0.7)
DATASET = hand_made.dataset("kitchen")


def model() -> ModelSubject:
    """The model."""
    return hand_made.model("ant", "causal", "kitchen")


def profile_of(*estimates: Estimate, **more: object) -> Results:
    """A profile of these measurements."""
    return hand_made.profile((model(),), (DATASET,), forms(), estimates, **more)


def judged(*estimates: Estimate, **more: object) -> ModelVerdict:
    """The verdict by these measurements."""
    return verdict(profile_of(*estimates, **more), model(), DATASET)


def said(question: str, *estimates: Estimate, **more: object) -> str:
    """The evidence for that question."""
    found = judged(*estimates, **more).evidence
    return next(one.sentence for one in found if question in one.question)


def forms() -> tuple[Variant, ...]:
    """Two controls, two perturbations, another question, and dyads."""
    by_key = {"mode": "by key", "level": "schema"}
    return (
        hand_made.form("kitchen"),
        hand_made.form("kitchen", "part-sent", purpose="control"),
        hand_made.form(
            "kitchen", "no-candidate", purpose="control", title="the candidates deleted"
        ),
        hand_made.form("kitchen", "switched"),
        hand_made.form("kitchen", "tense"),
        hand_made.form("kitchen", "by-key", **by_key),
        hand_made.form("kitchen", "dyadic.by-key", mode="by key", compared="dyadic"),
        hand_made.form("kitchen", "dyadic.by-boolean", mode="by boolean", compared="dyadic"),
    )


def problems(value: float, low: float, high: float, **more: object) -> Estimate:
    """A problem accuracy."""
    return measurement(
        EstimateKind.VALUE, AT, "problem-accuracy", value, low=low, high=high, **more
    )


def compared(
    of: ResultKey, value: Estimate, low: float | None, high: float | None, **more: object
) -> tuple[Estimate, Estimate]:
    """An accuracy in a form, and the interval of its difference from the original."""
    told = {"against": AT, "low": low, "high": high} | more
    middle = None if low is None or high is None else (low + high) / 2
    return value, measurement(EstimateKind.DIFFERENCE, of, "schema-accuracy", middle, **told)


FALLS = compared(CONTROL, accuracy(CONTROL, 0.2, 0.1, 0.3), -0.5, -0.2)
