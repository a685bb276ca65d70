"""minicons at work, for comparison.

    python -m bench.peer_minicons THREADS masked=FOLDER causal=FOLDER

Run with the Python of the peers' own environment. The models, or one of them, are loaded first;
then every line on the standard input is a job in JSON, and every line on the standard output is
what became of it, with the seconds that it took. The jobs are

    {"family": "masked", "sentences": […], "batch_size": 4, "metric": "original"}
    {"family": "causal", "pairs": [[prefix, what follows it], …], "batch_size": 16}

The first kind asks `sequence_score`, of a masked model with a metric: the pseudo-log-likelihood
as it was first defined, or `within_word_l2r`. The second asks `conditional_score`, of a causal
model. Both are added up, not averaged. `batch_size` counts sentences: minicons takes no such
option and computes in one go whatever it is given, all masked copies of the sentences included.

minicons 0.3.39 calls `batch_encode_plus`, which the tokenizers of transformers 5.22 no longer
have. `_mend` gives it back, one line; nothing else is changed.
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
        """Do a job."""
        items, size = job.get("sentences") or job["pairs"], job["batch_size"]
        start = time.perf_counter()
        # By length, so that there is little padding: a careful user would do no less.
        order = sorted(range(len(items)), key=lambda one: -len("".join(items[one])))
        scores: dict[int, float] = {}
        for batch in (order[at : at + size] for at in range(0, len(order), size)):
            answers = self._asked([items[one] for one in batch], job)
            scores.update(zip(batch, answers, strict=True))
        seconds = time.perf_counter() - start
        return {"seconds": seconds, "log_likelihoods": [scores[one] for one in range(len(items))]}

    def _asked(self, batch: Sequence[Any], job: Job) -> list[float]:
        if "sentences" in job:
            options = {"PLL_metric": job["metric"]} if "metric" in job else {}
            return list(self.scorer.sequence_score(batch, reduction=_sum, **options))
        prefixes, following = (list(side) for side in zip(*batch, strict=True))
        ask: Callable[..., list[float]] = self.scorer.conditional_score
        return ask(prefixes, following, separator="", reduction=_sum)


def _mend(transformers: Any) -> None:
    base = transformers.PreTrainedTokenizerBase
    base.batch_encode_plus = base.__call__


def _sum(scores: Any) -> float:
    return float(scores.sum())


def _prepare(threads: str, *models: str) -> Callable[[Job], Job]:
    import_module("torch").set_num_threads(int(threads))
    _mend(import_module("transformers"))
    named = (model.split("=", 1) for model in models)
    scorers = {family: Scorer(family, folder) for family, folder in named}
    return lambda job: scorers[job["family"]].answer(job)


if __name__ == "__main__":
    serve(lambda: _prepare(*sys.argv[1:]))
