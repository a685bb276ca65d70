"""Awkward answer sets: tiny, tied, unlabelled, without twins, answers missing here and there."""

from __future__ import annotations

from random import Random

import pytest

from horsesense.metrics import Ties
from horsesense.results import ResultKey, Variant
from horsesense.scoring.outcome import AnswerSet
from tests.results.measuring.made_up import (
    answer_set,
    control,
    dataset,
    found,
    model,
    original,
    perturbation,
)

FORMS = [
    original(),
    perturbation("switched"),
    perturbation("by-key", level="schema", mode="by key"),
    control("blind"),
    control("masked", level="schema"),
    perturbation("dyadic", compared=""),
    perturbation("dyadic.by-boolean", compared="dyadic", level="schema", mode="by boolean"),
    original("rivers"),
]
MODELS = [
    model("ant", "full", "partial"),
    model("bee", "loss"),
    model("first", "choice", family="baseline"),
]
TAGS = ["equal-length", "associative", "old"]
KEYS = [((f"e{at}", one), (f"e{at}", one + 2)) for at in range(6) for one in (1, 2)]


def awkward_answer_set(form: Variant, rng: Random) -> AnswerSet:
    letters = "?" if form.name == "masked" else rng.choice(["SFU", "SF?", "SF", "U"])
    verdicts = {
        f"e{number}": "".join(rng.choices(letters, k=rng.choice([1, 2, 2, 2, 4])))
        for number in range(rng.randint(0, 6))
    }
    tags = {entry: rng.sample(TAGS, rng.randint(0, 2)) for entry in verdicts}
    return answer_set(verdicts, tags=tags, marks=rng.choice([[], ["equal-length"]]))


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_answered_all_is_measured_or_says_why_not(seed: int) -> None:
    rng = Random(seed)
    answer_sets = {
        ResultKey(one.name, form.dataset, form.name, "all", method): awkward_answer_set(form, rng)
        for form in FORMS
        for one in MODELS
        for method in one.methods
        if rng.random() < 0.9
    }
    rows = found(
        answer_sets,
        models=MODELS,
        forms=FORMS,
        datasets=[dataset(tags=["associative"]), dataset("rivers")],
        subsets=["old or associative"],
        ties=rng.choice(list(Ties)),
        resamples=200,  # with a handful, an interval need not hold its value
        regrouped={("ponds", "dyadic.by-boolean"): KEYS},
    )
    assert len(rows.index) > 500
    for one in rows.measured.estimates:
        assert (one.p is None) == (one.family == "") == (one.p_adjusted is None)
        if one.value is None:
            assert one.reason
            assert (one.low, one.high, one.p) == (None, None, None)
        elif one.low is not None and one.high is not None:
            assert one.low - 1e-12 <= one.value <= one.high + 1e-12
