"""Run lm-evaluation-harness, for comparison.

    python -m bench.peer_lm_eval THREADS FOLDER …

Run it with the Python of the peers' environment. It loads the models in the folders first. Then it
reads a job in JSON from each line of the standard input, and writes a line with the result and the
seconds it took to the standard output. The jobs are

    {"requests": [[context, continuation], …], "batch_size": 16}
    {"task": "winogrande", "file": path, "limit": 200, "batch_size": 16}

and `model` is the index of the folder, 0 by default. The first kind calls `HFLM.loglikelihood`. The
second builds the requests of one of the harness' own tasks, for the first problems in a local file,
and returns the accuracies that the task computes from the answers. A job can be both: all requests
then go into one call, as the harness does it. The harness itself is unmodified.

Within a call, the harness merges requests that share all tokens but the last. If these are split
into context and continuation at different places, version 0.4.13 computes wrong numbers for the
shorter continuations: it takes the first rows of the logits of the longest one, not the last. To
compare numbers, send such requests in separate jobs.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peer_jobs import Job, serve


class Harness:
    """The harness with one model."""

    def __init__(self, folder: str) -> None:
        hugging_face = import_module("lm_eval.models.huggingface")
        self.model = hugging_face.HFLM(
            pretrained=folder, device="cpu", dtype="float32", batch_size=1
        )
        self.instance = import_module("lm_eval.api.instance").Instance

    def answer(self, job: Job) -> Job:
        """Do a job, and return its reply."""
        self.model.batch_size_per_gpu = job["batch_size"]
        task = _local(job["task"], job["file"]) if "task" in job else None
        if task is not None:
            task.build_all_requests(limit=job["limit"])
        own = [self._instance(*request) for request in job.get("requests", ())]
        instances = own + (task.instances if task else [])
        start = time.perf_counter()
        answers = self.model.loglikelihood(instances, disable_tqdm=True)
        seconds = time.perf_counter() - start
        reply = self._reply(own, answers[: len(own)])
        reply |= {"seconds": seconds, "prefix_token": self.model.prefix_token_id}
        if task is not None:
            answers = answers[len(own) :]
            task_reply = self._reply(task.instances, answers)
            reply["task"] = task_reply | {"accuracies": _accuracies(task, answers)}
        return reply

    def _instance(self, context: str, continuation: str) -> Any:
        return self.instance("loglikelihood", doc={}, arguments=(context, continuation), idx=0)

    def _reply(self, instances: list[Any], answers: list[tuple[float, bool]]) -> Job:
        requests = [instance.args for instance in instances]
        return {
            "requests": requests,
            "log_likelihoods": [answer for answer, _ in answers],
            "counted": [self._counted(*request) for request in requests],
        }

    def _counted(self, context: str, continuation: str) -> int:
        """Count the tokens that the harness assigns to the continuation."""
        if not context:
            return len(self.model.tok_encode(continuation, add_special_tokens=False))
        return len(self.model._encode_pair(context, continuation)[1])


def _accuracies(task: Any, answers: list[tuple[float, bool]]) -> list[float]:
    """Compute the accuracy of each problem, as the task does."""
    documents: dict[int, tuple[Any, list[tuple[float, bool]]]] = {}
    for instance, answer in zip(task.instances, answers, strict=True):
        documents.setdefault(instance.doc_id, (instance.doc, []))[1].append(answer)
    return [task.process_results(*document)["acc"] for document in documents.values()]


def _local(name: str, file: str) -> Any:
    """Load the harness' own task, with a local file instead of the dataset on the hub."""
    tasks: Any = import_module("lm_eval.tasks")
    manager = tasks.TaskManager(include_defaults=False)  # loading all of them is slow
    changed = {
        "include": str(Path(tasks.__file__).parent / name / "default.yaml"),
        "dataset_path": "json",
        "dataset_name": None,
        "dataset_kwargs": {"data_files": {"validation": file}},
        "training_split": None,
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.yaml"
        path.write_text(json.dumps(changed))  # which is YAML too
        return manager.load(str(path))["tasks"][name]


def _prepare(threads: str, *folders: str) -> Callable[[Job], Job]:
    import_module("torch").set_num_threads(int(threads))
    harnesses = [Harness(folder) for folder in folders]
    return lambda job: harnesses[job.get("model", 0)].answer(job)


if __name__ == "__main__":
    serve(lambda: _prepare(*sys.argv[1:]))
