from pathlib import Path
from typing import Any

import pytest

from horsesense.errors import HorsesenseError, MetricError, UnknownNameError
from horsesense.metrics import ALIASES, METRICS, Metric, find_metric
from horsesense.scoring import Share
from tests.metrics.test_laws import modules
from tests.plugins import installed

BROUGHT = "tests.metrics.brought"


def test_every_metric_there_is_has_a_place_in_the_catalogue() -> None:
    defined = {
        one.name for module in modules() for one in vars(module).values() if isinstance(one, Metric)
    }
    assert defined == METRICS.keys()


def test_every_metric_is_known_by_its_own_name() -> None:
    assert all(find_metric(name) is one and one.name == name for name, one in METRICS.items())


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


def test_a_plug_in_s_metric_is_found_by_its_name_and_symbol(tmp_path: Path) -> None:
    with installed(tmp_path, METRICS, f"failed-share = {BROUGHT}:failed_share"):
        assert find_metric("failed-share")([[True, False]]) == Share(1, 2)
        assert find_metric("f").name == list(METRICS)[-1] == "failed-share"


def test_a_plug_in_s_metric_cannot_take_a_name_or_an_alias_of_ours(tmp_path: Path) -> None:
    with installed(tmp_path, METRICS, f"again = {BROUGHT}:AGAIN\nalias = {BROUGHT}:ALIAS"):
        assert find_metric("stability").name == "consistency"
        assert [text for text in METRICS.failures if "has a metric of the name" not in text] == []
        assert len(METRICS.failures) == 2


def test_an_error_in_a_plug_in_s_metric_is_reported_as_its_own(tmp_path: Path) -> None:
    with installed(tmp_path, METRICS, f"a = {BROUGHT}:BROKEN\nb = {BROUGHT}:REFUSING"):
        with pytest.raises(HorsesenseError, match="the metric 'broken' of .* fails: KeyError"):
            find_metric("broken")([[True, False]])
        with pytest.raises(MetricError, match="^it takes no such sample$"):
            find_metric("refusing")([[True, False]])


def test_every_metric_and_every_alias_is_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/metrics.md").read_text()
    assert [name for name in METRICS if f"\n#### {name}\n" not in page] == []
    assert [name for name in METRICS if page.count(f"\n#### {name}\n") > 1] == []
    assert [name for name in ALIASES if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", [None, 3, ["a"]])
def test_a_name_is_a_text(name: Any) -> None:
    with pytest.raises(MetricError, match="is not the name of a metric; pass a string"):
        find_metric(name)


def test_kappa_is_found_by_its_name_in_letters() -> None:
    assert find_metric("kappa") is find_metric("κ") is METRICS["chance-corrected-consistency"]


def test_what_is_declared_names_its_limits() -> None:
    said = {name: one.declared for name, one in METRICS.items()}
    for name in ("first-problem-accuracy", "second-problem-accuracy"):
        assert said[name].source == "Maler 2023, 3.8.2, Table 3.9"
    assert "if every problem is in exactly one schema" in said["problem-accuracy"].remark
    assert "`exact_match(original, one, other, …)`" in said["consistent-accuracy"].remark
    for name in ("female-gender-gap", "male-gender-gap"):
        assert "replaces the pronoun" in said[name].remark
