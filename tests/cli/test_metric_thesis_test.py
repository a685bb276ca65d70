"""The test of the thesis in `metric compare`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from horsesense.metrics.statistics import monte_carlo, observed_null, p_sentence
from tests.cli.conftest import Run
from tests.cli.test_metric_commands import SMART, output, write_table

PARTIAL = {(1, 1): 63, (1, 0): 30, (0, 1): 37, (0, 0): 3}


def rows(patterns: dict[tuple[int, int], int]) -> list[list[bool]]:
    """The same as an array."""
    return [[bool(one) for one in row] for row, count in patterns.items() for _ in range(count)]


def test_the_thesis_test_stands_beside_the_others(run: Run) -> None:
    one, other = write_table("one.csv", SMART), write_table("other.csv", PARTIAL)
    found = output(run, "compare", one, other)["thesis"]
    null = observed_null(rows(SMART))
    expected = monte_carlo(null, 133, Fraction(193, 266) - Fraction(198, 266), seed=0)
    assert [each["metric"] for each in found] == ["problem-accuracy", "schema-accuracy"]
    told = found[0]
    assert (told["p"], told["exact"], told["schemas"]) == (expected.p, expected.exact, 133)
    assert (told["trials"], told["as_far"]) == (expected.trials, expected.as_far)
    assert told["difference"] == pytest.approx(-5 / 266)
    result = run("metric", "compare", one, other)
    assert (
        f"the unpaired test of problem-accuracy: {p_sentence(expected.p)}; it treats before as"
        " a known null and ignores the pairing" in result.stderr
    )


def test_the_thesis_test_has_no_p_of_no_difference_and_none_of_other_metrics(run: Run) -> None:
    table = write_table("one.csv", SMART)
    assert (
        "the unpaired test of schema-accuracy: no p;"
        in run("metric", "compare", table, table, "--metric", "A").stderr
    )
    (told,) = output(run, "compare", table, table, "--metric", "A")["thesis"]
    assert (told["p"], told["exact"], told["difference_of"]) == (None, None, "schemas")
    assert output(run, "compare", table, table, "--metric", "A′")["thesis"] == []
    Path("alone.csv").write_text("schema,solved\n,1\n,0\n")
    assert output(run, "compare", "alone.csv", "alone.csv")["thesis"] == []


def test_the_null_of_a_subset_is_its_complement(run: Run) -> None:
    table = write_table("one.csv", SMART, tag="tidal")
    (told,) = output(run, "compare", table, "--subset", "tidal", "--metric", "A")["thesis"]
    assert (told["schemas"], told["difference"], told["exact"]) == (66, 1, 0)
    told_so = run("metric", "compare", table, "--subset", "tidal", "--metric", "A").stderr
    assert "it treats complement as a known null" in told_so


def test_the_thesis_test_leaves_out_problems_in_no_schema_and_says_so(run: Run) -> None:
    for name, solved in (("one.csv", 40), ("other.csv", 60)):
        pairs = "".join(f"s{at},1\ns{at},0\n" for at in range(40))
        single = "".join(f",{int(at < solved)}\n" for at in range(80))
        Path(name).write_text(f"schema,solved\n{pairs}{single}")
    (told,) = output(run, "compare", "one.csv", "other.csv", "--metric", "a")["thesis"]
    assert (told["p"], told["difference"], told["schemas"]) == (None, 0, 40)
    assert (told["difference_of"], told["in_no_schema"]) == ("problems in schemas", [80, 80])
    result = run("metric", "compare", "one.csv", "other.csv")
    assert (
        "the unpaired test of problem-accuracy (only problems in schemas, difference .000;"
        " left out: 80 before and 80 after): no p; it treats" in result.stderr
    )
    assert "0/40" in result.stdout
