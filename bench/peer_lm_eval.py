"""lm-evaluation-harness at work, for comparison.

    python -m bench.peer_lm_eval THREADS FOLDER …

Run with the Python of the peers' own environment. The models in the folders are loaded first;
then every line on the standard input is a job in JSON, and every line on the standard output is
what became of it, with the seconds that it took. The jobs are

    {"requests": [[context, continuation], …], "batch_size": 16}
    {"task": "winogrande", "file": path, "limit": 200, "batch_size": 16}

and `model` is the number of the folder, if it is not the first. The first kind asks
`HFLM.loglikelihood`. The second makes the requests as one of the harness'
own tasks does, for the first problems in a local file, and tells what the task says of the
answers. A job can be both: then all requests are asked in one go, as the harness would.
Nothing is changed in the harness.

In one go the harness merges requests that have all tokens but the last in common. Where these
are cut at different places, version 0.4.13 gives the shorter continuations wrong numbers: it
takes the first rows of the logits of the longest one, not the last. Whoever wants to compare
numbers must ask for such requests in jobs of their own.
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
        """Do a job."""
        self.model.batch_size_per_gpu = job["batch_size"]
        task = _local(job["task"], job["file"]) if "task" in job else None
        if task is not None:
            task.build_all_requests(limit=job["limit"])
        own = [self._instance(*request) for request in job.get("requests", ())]
        asked = own + (task.instances if task else [])
        start = time.perf_counter()
        answers = self.model.loglikelihood(asked, disable_tqdm=True)
        seconds = time.perf_counter() - start
        reply = self._told(own, answers[: len(own)])
        reply |= {"seconds": seconds, "prefix_token": self.model.prefix_token_id}
        if task is not None:
            answers = answers[len(own) :]
            told = self._told(task.instances, answers)
            reply["task"] = told | {"accuracies": _accuracies(task, answers)}
        return reply

    def _instance(self, context: str, continuation: str) -> Any:
        return self.instance("loglikelihood", doc={}, arguments=(context, continuation), idx=0)

    def _told(self, asked: list[Any], answers: list[tuple[float, bool]]) -> Job:
        requests = [instance.args for instance in asked]
        return {
            "requests": requests,
            "log_likelihoods": [answer for answer, _ in answers],
            "counted": [self._counted(*request) for request in requests],
        }

    def _counted(self, context: str, continuation: str) -> int:
        """How many tokens the harness takes for the continuation."""
        if not context:
            return len(self.model.tok_encode(continuation, add_special_tokens=False))
        return len(self.model._encode_pair(context, continuation)[1])


def _accuracies(task: Any, answers: list[tuple[float, bool]]) -> list[float]:
    """What the task makes of the answers, problem by problem."""
    documents: dict[int, tuple[Any, list[tuple[float, bool]]]] = {}
    for instance, answer in zip(task.instances, answers, strict=True):
        documents.setdefault(instance.doc_id, (instance.doc, []))[1].append(answer)
    return [task.process_results(*document)["acc"] for document in documents.values()]


def _local(name: str, file: str) -> Any:
    """The harness' own task, which reads a local file and not what a hub would serve."""
    tasks: Any = import_module("lm_eval.tasks")
    manager = tasks.TaskManager(include_defaults=False)  # there are thousands
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
