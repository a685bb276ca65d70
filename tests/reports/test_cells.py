from __future__ import annotations

from horsesense.reports import wording
from horsesense.results import EstimateKind, ResultKey
from tests.reports.hand_made import measurement

AT = ResultKey("ant", "kitchen", method="partial")
OTHER = AT.replace(variant="switched")


def test_a_difference_that_is_none_has_no_sign_and_a_tiny_one_keeps_it() -> None:
    assert wording.signed(-0.0) == ".000"
    assert wording.signed(-0.0001) == "−.000"


def test_an_interval_of_a_difference_has_signs_and_one_of_a_share_has_none() -> None:
    ends = {"low": -0.1, "high": 0.25}
    difference = measurement(EstimateKind.DIFFERENCE, OTHER, "a", 0.1, against=AT, **ends)
    change = measurement(EstimateKind.CHANGE, OTHER, "κ", 0.1, against=AT, **ends)
    assert wording.interval(difference) == "−.100 to +.250"
    assert wording.interval(change) == "−.100 to .250"


def test_an_interval_without_width_says_so() -> None:
    assert (
        wording.interval(measurement(EstimateKind.VALUE, AT, "a", 0.5, low=0.5, high=0.5))
        == "no width"
    )


def test_what_was_not_measured_is_a_dash() -> None:
    writers = (wording.value, wording.difference, wording.interval, wording.p, wording.adjusted_p)
    assert {write(None) for write in (*writers, wording.thesis_p)} == {"–"}
    assert wording.interval(measurement(EstimateKind.VALUE, AT, "a", 0.5)) == "–"


def test_the_thesis_has_no_p_for_a_difference_of_exactly_nothing() -> None:
    none = measurement(EstimateKind.DIFFERENCE, OTHER, "a", 0.0, against=AT, thesis_p=1.0)
    some = measurement(EstimateKind.DIFFERENCE, OTHER, "a", 0.1, against=AT, thesis_p=0.004)
    assert (wording.thesis_p(none), wording.thesis_p(some)) == ("–", ".004")


def test_a_share_in_a_sentence_has_its_interval_where_there_is_one() -> None:
    one = measurement(EstimateKind.VALUE, AT, "a", 0.131, low=0.08, high=0.182)
    assert wording.percent_interval(one) == "13 % (95 % CI 8 to 18 %)"
    assert wording.percent_interval(measurement(EstimateKind.VALUE, AT, "a", 0.131)) == "13 %"


def test_where_all_resamples_are_alike_a_sentence_says_so_instead_of_an_interval() -> None:
    share = measurement(EstimateKind.VALUE, AT, "a", 0.5, low=0.5, high=0.5)
    assert wording.percent_interval(share) == "50 % (no CI: all resamples agree)"
    none = measurement(EstimateKind.DIFFERENCE, OTHER, "A", 0.0, against=AT, low=0.0, high=0.0)
    told = "0 points compared with before (no CI: all resamples agree)"
    assert wording.points(none, "before") == told


def test_points_have_signs_and_an_interval_where_there_is_one() -> None:
    def told(value: float | None, low: float | None, high: float | None) -> str:
        one = measurement(
            EstimateKind.DIFFERENCE, OTHER, "A", value, against=AT, low=low, high=high
        )
        return wording.points(one, "before")

    assert told(-0.12, -0.19, 0.05) == "−12 points compared with before (95 % CI −19 to +5)"
    assert told(0.12, 0.05, 0.19) == "+12 points compared with before (95 % CI +5 to +19)"
    assert told(0.0, None, None) == "0 points compared with before"
    assert told(0.0, -0.1, 0.0) == "0 points compared with before (95 % CI −10 to 0)"
    assert told(None, None, None) == "no comparison with before is possible"
