"""Run horsesense, for comparison.

    python -m bench.scoring_worker MODEL STORE DATA THREADS [lazy]

It loads the model first, except with `lazy`. Then it reads a job in JSON from each line of the
standard input, and writes a line with the result to the standard output. The job

    {"share": [0, 8], "methods": ["partial"], "keep": true}

scores one of eight shares of the thesis' datasets, with all methods if none are named, and keeps
the answers in the store, where the same job finds them the next time. `only` names the datasets to
use, and `limit` the number of problems to take from the share. `record` reports the work that was
needed and the work that torch did; recording is slow. `rate` measures, for this many seconds, how
fast the machine does the multiplications that were recorded last.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Container, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

import torch

from bench.multiplications import Multiplications, rates
from bench.peer_jobs import Job, forget_peak, peak_bytes, serve
from bench.scoring_data import datasets, share
from bench.work import Sizes, work_of
from horsesense.evaluation.inference import score
from horsesense.models import Answers, LanguageModel, Query, Tokenization, load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.schema import Problem
from horsesense.scoring import find_method, methods_of
from horsesense.store import Store


class RecordingModel(LanguageModel):
    """A model that records its queries."""

    def __init__(self, model: HuggingFaceModel) -> None:
        self.model, self.info = model, model.info
        self.queries: list[Query] = []

    def tokenize(self, text: str, *, specials: bool = True) -> Tokenization:
        """Call the method of the model."""
        return self.model.tokenize(text, specials=specials)

    def tokenize_all(self, texts: Sequence[str]) -> Iterator[Tokenization]:
        """Call the method of the model."""
        return self.model.tokenize_all(texts)

    def token_text(self, token: int) -> str:
        """Call the method of the model."""
        return self.model.token_text(token)

    def answer(
        self, queries: Sequence[Query], answered: Container[Query] = ()
    ) -> Iterator[Answers]:
        """Call the method of the model, and record the queries."""
        self.queries = list(queries)
        return self.model.answer(queries, answered)

    def answer_singly(self, query: Query) -> tuple[float, ...]:
        """Call the method of the model."""
        return self.model.answer_singly(query)


class Worker:
    """One model, one store, and the datasets."""

    def __init__(self, model: str, store: str, data: str, threads: str, lazy: str = "") -> None:
        self.threads = int(threads)
        torch.set_num_threads(self.threads)
        loaded = load_model(model)
        assert isinstance(loaded, HuggingFaceModel), "a baseline has nothing to compute"
        self.model = RecordingModel(loaded)
        self.datasets = datasets(Path(data))
        self.store = Store.create_or_open(Path(store))
        self.recorded: Multiplications | None = None
        if not lazy:
            # Load the weights, and choose the batching, before the clock starts.
            assert loaded.engine.batching
        self.loaded = peak_bytes()

    def answer(self, job: Job) -> Job:
        """Do a job, and return its reply."""
        if "rate" in job:
            assert self.recorded is not None, "nothing was recorded yet"
            own, fastest = rates(self.recorded, seconds=job["rate"], threads=self.threads)
            forget_peak()
            return {"torch": own, "fastest": fastest}
        family = self.model.info.family
        names = job.get("methods") or [method.name for method in methods_of(family)]
        methods = [find_method(name, family) for name in names]
        problems = self._problems(job)
        recorder = Multiplications() if job.get("record") else None
        # The recorder sees only its own thread, so there must be no other.
        torch.set_num_threads(1 if recorder else self.threads)
        store = self.store if job.get("keep") else None
        start = time.perf_counter()
        with recorder or nullcontext():
            scored = list(score(self.model, problems, methods, store=store))
        reply: Job = {"seconds": time.perf_counter() - start, "problems": len(scored)}
        reply |= {"methods": len(methods), "loaded_bytes": self.loaded}
        if recorder is not None:
            self.recorded = recorder
            reply |= self._work(recorder, problems)
        return reply

    def _work(self, recorder: Multiplications, problems: Sequence[Problem]) -> Job:
        model = self.model.model
        texts = [sentence.text for problem in problems for sentence in problem.sentences]
        needed = work_of(self.model.queries, Sizes.of(model.folder))
        return {
            "way": model.engine.batching,
            "tokens": sum(len(self.model.tokenize(text).ids) for text in texts),
            "work": asdict(needed),
            "computed_tokens": recorder.tokens,
            "computed_flops": recorder.flops,
            "attention_flops": recorder.attention,
            "weight_bytes": 4 * model.info.parameters,
        }

    def _problems(self, job: Job) -> list[Problem]:
        chosen = [each for each in self.datasets if each.name in job.get("only", (each.name,))]
        number, of = job.get("share", (0, 1))
        return share(chosen, number, of)[: job.get("limit")]


if __name__ == "__main__":
    serve(lambda: Worker(*sys.argv[1:]).answer)
