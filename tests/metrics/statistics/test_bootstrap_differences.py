"""Bootstrap intervals of differences, and of the best of several runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import (
    Applies,
    Floats,
    Sample,
    after,
    anti_solved_share,
    before,
    formula,
    half_solved_share,
    paired,
    problem_accuracy,
    sample,
    schema_accuracy,
)
from horsesense.metrics.statistics import bootstrap, bootstrap_best, bootstrap_difference
from tests.metrics.statistics.slowly import ends, loop, made, quantile

SETS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=12)


def test_a_difference_is_taken_resample_by_resample() -> None:
    one, other = sample(made(50, 1)), sample(made(50, 2))
    metrics = [problem_accuracy, schema_accuracy]
    found = bootstrap_difference(metrics, one, other, resamples=80, seed=3)
    for metric, difference in zip(metrics, found, strict=True):
        pairs = zip(loop(metric, one, 80, 3), loop(metric, other, 80, 3), strict=True)
        values = [first - second for first, second in pairs]
        low, high = quantile(values, 0.025), quantile(values, 0.975)
        assert ends(difference)[:2] == pytest.approx((low, high))
        assert difference.estimate == pytest.approx(
            metric.share(one).count / metric.share(one).total
            - metric.share(other).count / metric.share(other).total
        )


def test_a_difference_of_accuracies_is_the_metric_of_that_name() -> None:
    one, other = sample(made(50, 1)), sample(made(50, 2))
    (difference,) = bootstrap_difference([problem_accuracy], one, other, seed=3)
    (metric,) = bootstrap([_difference_of_accuracies], paired(one, other), seed=3)
    assert ends(difference) == ends(metric)


def test_a_sample_does_not_differ_from_itself() -> None:
    (found,) = bootstrap_difference([problem_accuracy], made(50), made(50))
    assert (found.estimate, *ends(found)) == (0, 0, 0, 0, 0)


def test_a_difference_changes_sign_with_the_order() -> None:
    (forth,) = bootstrap_difference([problem_accuracy], made(50, 1), made(50, 2))
    (back,) = bootstrap_difference([problem_accuracy], made(50, 2), made(50, 1))
    assert forth.estimate == -(back.estimate or 0) != 0
    assert ends(forth)[:2] == pytest.approx([-end for end in ends(back)[1::-1]])


def test_a_subset_is_compared_with_its_complement_on_the_clusters_of_both() -> None:
    whole = sample(made(60))
    inside = np.repeat(np.arange(60) % 3 == 0, 2)
    (found,) = bootstrap_difference(
        [problem_accuracy], whole.among(inside), whole.among(~inside), resamples=50
    )
    assert found.clusters == 60
    rng, values = np.random.default_rng(0), []
    for _ in range(50):
        drawn = rng.integers(60, size=60)
        solved, is_inside = made(60)[drawn], drawn % 3 == 0
        values.append(float(solved[is_inside].mean() - solved[~is_inside].mean()))
    assert ends(found)[:2] == pytest.approx((quantile(values, 0.025), quantile(values, 0.975)))


def test_samples_with_other_clusters_cannot_be_compared() -> None:
    with pytest.raises(MetricError, match="50 and 49 clusters"):
        bootstrap_difference([problem_accuracy], made(50), made(49))


def _methods() -> dict[str, Sample]:
    return {f"method {number}": sample(made(40, number)) for number in range(4)}


def test_the_best_method_is_chosen_anew_in_each_resample() -> None:
    methods = _methods()
    found = bootstrap_best(problem_accuracy, methods, resamples=80, seed=2)
    rows = list(zip(*(loop(problem_accuracy, one, 80, 2) for one in methods.values()), strict=True))
    values = [max(row) for row in rows]
    assert ends(found.value)[:2] == pytest.approx(
        (quantile(values, 0.025), quantile(values, 0.975))
    )
    expected = [
        sum((row[at] == max(row)) / row.count(max(row)) for row in rows) / 80 for at in range(4)
    ]
    assert list(found.chosen.values()) == pytest.approx(expected)
    shares = {name: problem_accuracy.share(one).value or 0 for name, one in methods.items()}
    assert found.value.estimate == max(shares.values())
    assert found.best == tuple(name for name in shares if shares[name] == max(shares.values()))


def test_the_choice_widens_upwards_what_a_method_fixed_beforehand_would_have() -> None:
    methods = _methods()
    best = bootstrap_best(problem_accuracy, methods)
    (fixed,) = bootstrap([problem_accuracy], methods[best.best[0]])
    assert ends(best.value)[0] > ends(fixed)[0]
    assert sum(best.chosen.values()) == pytest.approx(1)


def test_the_best_of_equal_ones_are_both() -> None:
    one = sample(made(40))
    found = bootstrap_best(schema_accuracy, {"one": one, "same": one}, resamples=50)
    assert found.best == ("one", "same")
    assert found.chosen == {"one": 0.5, "same": 0.5}


def test_where_lower_is_better_the_lowest_is_the_best() -> None:
    found = bootstrap_best(
        anti_solved_share,
        {"fails": sample([[False, False]] * 9), "solves": sample([[True, False]] * 9)},
        resamples=20,
    )
    assert (found.best, found.value.estimate) == (("solves",), 0.0)
    assert found.chosen == {"fails": 0.0, "solves": 1.0}


def test_a_run_without_a_value_is_passed_over() -> None:
    loose = sample(np.ones(9, bool))
    found = bootstrap_best(schema_accuracy, {"loose": loose, "whole": sample([[True, False]] * 9)})
    assert (found.best, found.chosen) == (("whole",), {"loose": 0.0, "whole": 1.0})
    nothing = bootstrap_best(schema_accuracy, {"loose": loose})
    assert (nothing.best, nothing.chosen, nothing.value.estimate) == ((), {"loose": 0.0}, None)


@pytest.mark.parametrize("value", [True, False])
def test_the_best_share_of_0_or_1_has_an_exact_interval_too(value: bool) -> None:
    rows = [[value, value]] * 12
    found = bootstrap_best(problem_accuracy, {"one": rows, "same": rows}, resamples=50).value
    (alone,) = bootstrap([problem_accuracy], rows, resamples=50)
    assert found.interval == alone.interval == alone.exact is not None


def test_of_several_runs_the_one_with_the_fewest_clusters_makes_the_exact_interval() -> None:
    whole = sample([[True, True]] * 9)
    part = whole.among(np.arange(18) < 8)
    loose = whole.among(np.zeros(18, bool))
    runs = {"whole": whole, "part": part, "loose": loose}
    found = bootstrap_best(problem_accuracy, runs, resamples=50).value
    assert found.exact is not None
    assert found.exact.remark == "on 4 of 4 clusters"


def test_there_is_no_best_where_neither_way_is_better_nor_of_none() -> None:
    with pytest.raises(MetricError, match="neither better high nor low"):
        bootstrap_best(half_solved_share, _methods())
    with pytest.raises(MetricError, match="no runs"):
        bootstrap_best(problem_accuracy, {})


@formula(
    before(problem_accuracy),
    after(problem_accuracy),
    symbol="–",
    equation="a - a′",
    source="a test",
    applies=Applies.PROBLEMS,
    undefined="there are no problems",
    is_symmetric=False,
)
def _difference_of_accuracies(old: Floats, new: Floats) -> Floats:
    """A difference."""
    return old - new
