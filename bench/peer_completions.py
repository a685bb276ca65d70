"""Run lm-evaluation-harness against a server, and next to it with the same model by itself.

    python -m bench.peer_completions THREADS FOLDER URL NAME

Run it with the Python of the peers' environment. A job is

    {"requests": [[context, continuation], …], "in_flight": 8}

Its reply has the log-likelihoods of the harness' client for completions (`served`) and of its
transformers model on the folder (`local`), and whether each continuation is the one that the model
itself would give. `in_flight` is the number of requests at once. The harness is unmodified.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from bench.peer_jobs import Job, serve


def _prepare(threads: str, folder: str, url: str, name: str) -> Callable[[Job], Job]:
    import_module("torch").set_num_threads(int(threads))
    local = import_module("lm_eval.models.huggingface").HFLM(
        pretrained=folder, device="cpu", dtype="float32", batch_size=16
    )
    client = import_module("lm_eval.models.openai_completions").LocalCompletionsAPI
    instance = import_module("lm_eval.api.instance").Instance

    def answer(job: Job) -> Job:
        served = client(
            base_url=f"{url}/v1/completions",
            model=name,
            tokenizer=folder,
            tokenizer_backend="huggingface",
            num_concurrent=job["in_flight"],
        )
        requests = [
            instance("loglikelihood", doc={}, arguments=tuple(request), idx=0)
            for request in job["requests"]
        ]
        return {"served": _answers(served, requests), "local": _answers(local, requests)}

    return answer


def _answers(model: Any, requests: list[Any]) -> Job:
    start = time.perf_counter()
    answers = model.loglikelihood(requests, disable_tqdm=True)
    seconds = time.perf_counter() - start
    log_likelihoods, greedy = zip(*answers, strict=True)
    return {"log_likelihoods": log_likelihoods, "greedy": greedy, "seconds": seconds}


if __name__ == "__main__":
    serve(lambda: _prepare(*sys.argv[1:]))
