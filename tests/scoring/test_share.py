from math import inf, nan

import pytest

from horsesense.errors import MetricError
from horsesense.scoring import Share


def test_the_share_of_nothing_is_undefined() -> None:
    assert Share.of([]).value is None
    assert Share.of([False]).value == 0


def test_shares_of_separate_sets_add_up() -> None:
    assert Share.of([True, False]) + Share.of([True]) == Share(2, 3)


@pytest.mark.parametrize(
    ("count", "total"),
    [(-1, 2), (3, 2), (0, -1), (inf, inf), (1, inf), (nan, 2), (1, nan), (nan, nan)],
)
def test_a_share_is_a_finite_part_of_a_finite_total(count: float, total: float) -> None:
    with pytest.raises(MetricError, match="is not a share"):
        Share(count, total)
