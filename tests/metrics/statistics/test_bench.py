"""The benchmark of resampling measures what the program does."""

from __future__ import annotations

import numpy as np

from bench import resamples
from horsesense.metrics import METRICS, Paired, Sample, problem_accuracy, sample
from horsesense.metrics.statistics import monte_carlo, permute_labels, sign_flip


def test_all_metrics_without_special_marks_are_measured() -> None:
    one, two = resamples.made_up(40)
    names = {metric.name for fitting in (one, two) for metric in fitting.metrics}
    assert names == METRICS.keys() - {"female-gender-gap", "male-gender-gap"}


def test_the_plain_loop_does_the_same() -> None:
    for fitting in resamples.made_up(40):
        fast = resamples.intervals(fitting, 25)
        slow = resamples.loop_intervals(fitting, 25)
        np.testing.assert_allclose(fast, slow, rtol=0, atol=1e-12)
        assert len(fast) == len(fitting.metrics)


def test_a_metric_without_a_value_has_no_interval_in_either() -> None:
    loose = resamples.Fitting((METRICS["schema-accuracy"],), sample(np.ones(9, bool)))
    for found in (resamples.intervals(loose, 5), resamples.loop_intervals(loose, 5)):
        assert np.isnan(found).all()


def test_what_is_measured_is_what_the_program_finds() -> None:
    found = {name: job(40, 20)() for name, job in resamples.JOBS.items()}
    one, two = resamples.made_up(40)
    expected = [resamples.intervals(each, 20) for each in (one, two)]
    for name in ("bootstrap", "plain loop"):
        for ours, theirs in zip(found[name], expected, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
    assert found["thesis' test"] == monte_carlo(
        resamples.NULL, 40, resamples.DIFFERENCE, trials=20, seed=resamples.SEED
    )
    assert isinstance(one.data, Sample)
    assert isinstance(two.data, Paired)
    assert found["sign flip"] == sign_flip(problem_accuracy, two.data.after, two.data.before)
    inside = one.data.clusters % 3 == 0
    sides = one.data.among(inside), one.data.among(~inside)
    assert found["labels"] == permute_labels(problem_accuracy, *sides, trials=20)


def test_a_measurement_runs_in_a_process_of_its_own() -> None:
    row = resamples.run_alone("thesis' test", 91, 100, repeats=1)
    assert (row.name, row.schemas, row.drawn) == ("thesis' test", 91, 100)
    assert row.line().startswith("| thesis' test | 91 | 100 | ")
    assert row.megabytes > 10
    exact = resamples.Row("sign flip", 1000, 0, 0.25, 40.0)
    assert exact.line() == "| sign flip | 1,000 | exact | 0.250 | – | 40 |"
