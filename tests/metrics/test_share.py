import pytest

from horsesense.metrics import Share


def test_the_share_of_nothing_is_undefined() -> None:
    assert Share.of([]).value is None
    assert Share.of([False]).value == 0


def test_shares_of_separate_sets_add_up() -> None:
    assert Share.of([True, False]) + Share.of([True]) == Share(2, 3)


@pytest.mark.parametrize(("count", "total"), [(-1, 2), (3, 2), (0, -1)])
def test_a_share_is_part_of_its_total(count: int, total: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        Share(count, total)
