import threading
import time

import pytest
import torch

from horsesense.models.huggingface.engines.budget import run_parallel, workers_for


def test_results_come_in_the_order_of_the_batches() -> None:
    def compute(batch: int) -> int:
        time.sleep(0.01 * (batch % 3))
        return -batch

    assert list(run_parallel(range(20), compute, 3)) == [-batch for batch in range(20)]


def test_batches_are_computed_at_the_same_time() -> None:
    meeting = threading.Barrier(2, timeout=30)
    assert len(list(run_parallel(range(4), lambda batch: meeting.wait(), 2))) == 4


def test_batches_are_made_as_they_are_needed() -> None:
    made: list[int] = []

    def batches() -> object:
        for batch in range(100):
            made.append(batch)
            yield batch

    results = run_parallel(batches(), str, 2)  # type: ignore[arg-type]
    assert next(results) == "0"
    assert len(made) <= 4


def test_a_single_batch_has_all_threads_and_several_share_them() -> None:
    def threads(batch: int) -> int:
        return torch.get_num_threads()

    before = torch.get_num_threads()
    assert list(run_parallel([1], threads, 2)) == [before]
    assert list(run_parallel([1, 2, 3], threads, 2)) == [1, 1, 1]
    assert torch.get_num_threads() == before


def test_an_error_stops_the_rest_and_gives_the_threads_back() -> None:
    computed: list[int] = []

    def compute(batch: int) -> None:
        computed.append(batch)
        raise ValueError("no more")

    before = torch.get_num_threads()
    with pytest.raises(ValueError, match="no more"):
        list(run_parallel(range(50), compute, 2))
    assert len(computed) < 50
    assert torch.get_num_threads() == before


def test_what_is_not_asked_for_any_more_is_not_computed() -> None:
    before = torch.get_num_threads()
    results = run_parallel(range(50), str, 2)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert torch.get_num_threads() == before


def test_a_graphics_card_gets_one_batch_at_a_time() -> None:
    assert workers_for("cuda") == 1
    assert workers_for("cpu") == torch.get_num_threads()
