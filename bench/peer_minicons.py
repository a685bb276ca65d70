"""Run minicons, for comparison.

    python -m bench.peer_minicons THREADS masked=FOLDER causal=FOLDER

Run it with the Python of the peers' environment. It loads the models, or one of them, first. Then
it reads a job in JSON from each line of the standard input, and writes a line with the result and
the seconds it took to the standard output. The jobs are

    {"family": "masked", "sentences": […], "batch_size": 4, "metric": "original"}
    {"family": "causal", "pairs": [[prefix, what follows it], …], "batch_size": 16}

The first kind calls `sequence_score`, for masked models with a metric: the pseudo-log-likelihood as
originally defined, or `within_word_l2r`. The second calls `conditional_score` of a causal model.
Both sum token scores instead of averaging them. `batch_size` counts sentences: minicons has no such
option and computes everything it gets in one batch, including all masked copies of the sentences.

minicons 0.3.39 calls `batch_encode_plus`, which the tokenizers of transformers 5.22 no longer
have. `_patch` adds it back in one line; nothing else is changed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from bench.peer_jobs import Job, serve


class Scorer:
    """minicons with one model."""

    def __init__(self, family: str, folder: str) -> None:
        scorers = import_module("minicons.scorer")
        kind = {"masked": scorers.MaskedLMScorer, "causal": scorers.IncrementalLMScorer}[family]
        self.scorer = kind(folder, "cpu")

    def answer(self, job: Job) -> Job:
        """Do a job, and return its reply."""
        items, size = job.get("sentences") or job["pairs"], job["batch_size"]
        start = time.perf_counter()
        # Sort by length to keep padding low, as a careful user would.
        order = sorted(range(len(items)), key=lambda index: -len("".join(items[index])))
        scores: dict[int, float] = {}
        for batch in (order[start_at : start_at + size] for start_at in range(0, len(order), size)):
            answers = self._scores([items[index] for index in batch], job)
            scores.update(zip(batch, answers, strict=True))
        seconds = time.perf_counter() - start
        return {
            "seconds": seconds,
            "log_likelihoods": [scores[index] for index in range(len(items))],
        }

    def _scores(self, batch: Sequence[Any], job: Job) -> list[float]:
        if "sentences" in job:
            options = {"PLL_metric": job["metric"]} if "metric" in job else {}
            return list(self.scorer.sequence_score(batch, reduction=_sum, **options))
        prefixes, following = (list(side) for side in zip(*batch, strict=True))
        conditional_score: Callable[..., list[float]] = self.scorer.conditional_score
        return conditional_score(prefixes, following, separator="", reduction=_sum)


def _patch(transformers: Any) -> None:
    base = transformers.PreTrainedTokenizerBase
    base.batch_encode_plus = base.__call__


def _sum(scores: Any) -> float:
    return float(scores.sum())


def _prepare(threads: str, *models: str) -> Callable[[Job], Job]:
    import_module("torch").set_num_threads(int(threads))
    _patch(import_module("transformers"))
    named = (model.split("=", 1) for model in models)
    scorers = {family: Scorer(family, folder) for family, folder in named}
    return lambda job: scorers[job["family"]].answer(job)


if __name__ == "__main__":
    serve(lambda: _prepare(*sys.argv[1:]))
