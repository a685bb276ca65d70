from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import HorsesenseError, MetricError, UnknownNameError
from horsesense.metrics import ALIASES, METRICS, Metric, find_metric, known_metrics
from horsesense.metrics.catalogue import GROUP, loaded
from horsesense.scoring import Share
from tests.metrics.test_laws import modules

FAILED_SHARE = "tests.metrics.brought:failed_share"


def point(value: str) -> EntryPoint:
    return EntryPoint("one", value, GROUP)


def test_every_metric_there_is_has_a_place_in_the_catalogue() -> None:
    defined = {
        one.name for module in modules() for one in vars(module).values() if isinstance(one, Metric)
    }
    assert defined == METRICS.keys()


def test_every_metric_is_known_by_its_own_name() -> None:
    assert all(find_metric(name) is one and one.name == name for name, one in METRICS.items())
    assert known_metrics().keys() >= METRICS.keys()


def test_an_alias_is_another_name_of_a_metric() -> None:
    assert find_metric("stability").name == "consistency"
    assert ALIASES.keys().isdisjoint(METRICS)
    assert METRICS.keys() >= set(ALIASES.values())


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("a", "problem-accuracy"),
        ("A", "schema-accuracy"),
        ("C*", "strict-schema-consistency"),
        ("c_p", "preserved-accuracy"),
        ("ΔF", "female-gender-gap"),
    ],
)
def test_a_metric_is_found_by_its_symbol(symbol: str, name: str) -> None:
    assert find_metric(symbol).name == name


@pytest.mark.parametrize("symbol", ["\u0109_p", "c\u0302_p"])
def test_a_symbol_is_found_however_its_accent_is_encoded(symbol: str) -> None:
    assert find_metric(symbol).name == "inversely-preserved-accuracy"


def test_no_two_metrics_have_the_same_symbol() -> None:
    symbols = [one.declared.symbol for one in METRICS.values() if one.declared.symbol != "–"]
    assert len(symbols) == len(set(symbols))


def test_a_symbol_that_many_have_finds_none() -> None:
    with pytest.raises(UnknownNameError):
        find_metric("–")


def test_a_name_that_is_not_there_is_answered_with_one_that_is() -> None:
    with pytest.raises(UnknownNameError, match="did you mean schema-accuracy"):
        find_metric("schema-acuracy")


def test_another_package_brings_a_metric_by_entry_point() -> None:
    found = loaded([point(FAILED_SHARE)])
    assert list(found) == ["failed-share"]
    assert found["failed-share"]([[True, False]]) == Share(1, 2)


def test_what_is_brought_must_be_a_metric_with_a_name_of_its_own() -> None:
    with pytest.raises(HorsesenseError, match="is no metric"):
        loaded([point("tests.metrics.brought:_break")])
    with pytest.raises(HorsesenseError, match="a second 'failed-share'"):
        loaded([point(FAILED_SHARE)] * 2)
    with pytest.raises(HorsesenseError, match="a second 'problem-accuracy'"):
        loaded([point("tests.metrics.brought:AGAIN")])
    with pytest.raises(HorsesenseError, match="a second 'stability'"):
        loaded([point("tests.metrics.brought:ALIAS")])
    with pytest.raises(HorsesenseError, match="fails: No module named"):
        loaded([point("tests.metrics.nowhere:METRIC")])


def test_an_error_in_the_code_of_others_is_told_as_theirs() -> None:
    broken = loaded([point("tests.metrics.brought:BROKEN")])["broken"]
    with pytest.raises(HorsesenseError, match="the metric 'broken' of .* fails: KeyError"):
        broken([[True, False]])
    refusing = loaded([point("tests.metrics.brought:REFUSING")])["refusing"]
    with pytest.raises(MetricError, match="^it takes no such sample$"):
        refusing([[True, False]])


def test_every_metric_and_every_alias_is_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs/metrics.md").read_text()
    assert [name for name in METRICS if f"\n#### {name}\n" not in page] == []
    assert [name for name in METRICS if page.count(f"\n#### {name}\n") > 1] == []
    assert [name for name in ALIASES if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", [None, 3, ["a"]])
def test_a_name_is_a_text(name: Any) -> None:
    with pytest.raises(MetricError, match="is no name of a metric; give a text"):
        find_metric(name)


def test_kappa_is_found_by_its_name_in_letters() -> None:
    assert find_metric("kappa") is find_metric("κ") is METRICS["chance-corrected-consistency"]


def test_what_is_declared_names_its_limits() -> None:
    said = {name: one.declared for name, one in METRICS.items()}
    for name in ("first-problem-accuracy", "second-problem-accuracy"):
        assert said[name].source == "thesis 3.8.2, Table 3.9"
    assert "where every problem is in just one schema" in said["problem-accuracy"].remark
    assert "`exact_match(original, one, other, …)`" in said["consistent-accuracy"].remark
    for name in ("female-gender-gap", "male-gender-gap"):
        assert "no longer holds the pronoun" in said[name].remark
