import pytest
import torch

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.log_probs import (
    checked_values,
    log_probs_at,
    ranked_log_probs_at,
    tolerance,
)


def asked(rows: int, vocabulary: int) -> tuple[torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(3)
    places = torch.randint(rows, (3 * rows,), generator=draw).sort().values
    return places, torch.randint(vocabulary, (3 * rows,), generator=draw)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("vocabulary", [7, 4096, 9001])
def test_tiles_give_what_log_softmax_gives(vocabulary: int, bias: bool) -> None:
    torch.manual_seed(1)
    with torch.inference_mode():
        hidden, head = torch.randn(40, 16) * 5, torch.nn.Linear(16, vocabulary, bias=bias)
        rows, tokens = asked(40, vocabulary)
        expected = torch.log_softmax(head(hidden), -1)[rows, tokens]
        for positions in (1, 7, 256):
            found = log_probs_at(hidden, head, rows, tokens, positions=positions)
            torch.testing.assert_close(found, expected, atol=2e-5, rtol=1e-5)
        other = log_probs_at(hidden, lambda states: head(states), rows, tokens)
        torch.testing.assert_close(other, expected, atol=2e-5, rtol=1e-5)


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("vocabulary", [7, 4096, 9001])
def test_the_highest_are_those_of_log_softmax(vocabulary: int, count: int) -> None:
    torch.manual_seed(1)
    with torch.inference_mode():
        hidden, head = torch.randn(40, 16) * 5, torch.nn.Linear(16, vocabulary)
        rows, tokens = asked(40, vocabulary)
        expected = torch.log_softmax(head(hidden), -1)[rows].topk(count)
        for computed in (head, lambda states: head(states)):
            found = ranked_log_probs_at(hidden, computed, rows, tokens, count, positions=7)
            assert found[0].equal(log_probs_at(hidden, computed, rows, tokens, positions=7))
            torch.testing.assert_close(found[1], expected.values, atol=2e-5, rtol=1e-5)
            assert found[2].equal(expected.indices)


@pytest.mark.parametrize("is_one_matrix", [True, False])
def test_the_most_probable_token_has_exactly_its_own_number(is_one_matrix: bool) -> None:
    torch.manual_seed(1)
    with torch.inference_mode():
        hidden, linear = torch.randn(40, 16) * 5, torch.nn.Linear(16, 4096)
        head = linear if is_one_matrix else lambda states: linear(states)
        rows = torch.arange(40)
        best = linear(hidden).argmax(1)
        values, highest, tokens = ranked_log_probs_at(hidden, head, rows, best, 1)
        assert tokens[:, 0].equal(best)
        assert highest[:, 0].equal(values)


def test_a_small_vocabulary_has_no_more_than_its_tokens() -> None:
    with torch.inference_mode():
        hidden, head = torch.randn(2, 4), torch.nn.Linear(4, 3)
        rows, tokens = torch.tensor([0, 1]), torch.tensor([2, 0])
        _, highest, highest_tokens = ranked_log_probs_at(hidden, head, rows, tokens, 20)
        assert highest.shape == (2, 3)
        assert highest_tokens.sort().values.tolist() == [[0, 1, 2], [0, 1, 2]]


def test_a_certainty_far_beyond_others_stays_finite() -> None:
    with torch.inference_mode():
        head = torch.nn.Linear(1, 5000, bias=False)
        head.weight.zero_()
        head.weight[4500] = 1000.0
        found = log_probs_at(torch.ones(1, 1), head, torch.tensor([0, 0]), torch.tensor([4500, 3]))
        assert checked_values(found) == (0.0, -1000.0)


def test_narrow_numbers_are_added_up_in_wide_ones() -> None:
    with torch.inference_mode():
        hidden, head = torch.randn(4, 8), torch.nn.Linear(8, 1000)
        rows, tokens = asked(4, 1000)
        expected = log_probs_at(hidden, head, rows, tokens)
        narrow = log_probs_at(hidden.bfloat16(), head.bfloat16(), rows, tokens)
        assert narrow.dtype == torch.float32
        torch.testing.assert_close(narrow, expected, atol=0.1, rtol=0.05)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ModelError, match="not finite"):
        checked_values(torch.tensor([-1.0, value]))


def test_a_hair_above_zero_is_rounding_and_more_is_left_to_be_refused() -> None:
    assert checked_values(torch.tensor([1e-6, -0.5])) == (0.0, -0.5)
    assert checked_values(torch.tensor([0.25])) == (0.25,)


def test_narrow_types_are_allowed_more() -> None:
    assert tolerance(torch.float32) < tolerance(torch.float16) < tolerance(torch.bfloat16)
