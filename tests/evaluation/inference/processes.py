"""Let other processes work for tests of interrupted runs.

Start one by `python -m tests.evaluation.inference.processes …`.

A process loads a model once and waits for orders, a line of JSON each. For every order it makes
children that score problems, each from a store of its choice, and may be stopped half-way. It
answers with how they ended.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from horsesense.errors import StoreError
from horsesense.evaluation.inference import Progress, score
from horsesense.models import Family, load_model
from horsesense.models.huggingface.model import HuggingFaceModel
from horsesense.schema import Problem
from horsesense.scoring import Outcome, methods_of
from horsesense.store import Store
from tests.evaluation.inference.stand_in import posed

ROOT = Path(__file__).parents[3]
# So little memory that a batch holds a few sentences only.
BUDGET = 400_000
FULL = 4
_NOUNS = ("owl", "kite", "ladder", "lantern", "violin", "puddle", "orchard", "meadow", "ferry")


@dataclass(frozen=True, slots=True)
class Order:
    """Score so many problems; perhaps stop after so many batches, or with a file that is full."""

    store: str
    problems: int
    results: tuple[str, ...]
    stop_with: int = 0
    after: int = 0
    delay: float = 0.0
    file_limit: int = 0


@dataclass
class Scorers:
    """The waiting process, seen from the test."""

    process: subprocess.Popen[str]

    def do(self, order: Order) -> list[int]:
        """How the children ended: an exit code, or the number of a signal, negated."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(asdict(order)) + "\n")
        self.process.stdin.flush()
        codes: list[int] = json.loads(self.process.stdout.readline())
        return codes


def start(folder: Path, cache: Path) -> Scorers:
    """A process that has loaded the model and waits."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.evaluation.inference.processes", str(folder), str(cache)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout and process.stdout.readline() == "ready\n"
    return Scorers(process)


def some_problems(count: int) -> list[Problem]:
    """So many problems that share beginnings, but not much else; an even number."""
    found = []
    for number in range(count // 2):
        one, other = _NOUNS[number % 9], _NOUNS[number // 9 % 9]
        text = f"the {one} by {number} {other}s <was, was not> found {{early, late}} in the day"
        found += posed(text)
    return found


def serve(folder: str, cache: str) -> None:
    """Load the model, and follow orders until there are no more."""
    import torch

    torch.set_num_threads(1)  # what has threads cannot be divided into two
    model = load_model(folder, cache=Path(cache), budget_bytes=BUDGET)
    assert isinstance(model, HuggingFaceModel)
    assert model.engine.batching == "tree"
    _say("ready")
    for line in sys.stdin:
        order = Order(**json.loads(line))
        children = [_child(model, order, result) for result in order.results]
        _say(json.dumps([_ended(order, *child) for child in children]))


def _child(model: HuggingFaceModel, order: Order, result: str) -> tuple[int, int]:
    """A process of its own that scores, and a pipe that gets a byte for every batch."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    code = 1
    try:
        code = _score(model, order, result, writing)
    except KeyboardInterrupt:
        code = 130
    finally:
        os._exit(code)


def _score(model: HuggingFaceModel, order: Order, result: str, told: int) -> int:
    if order.file_limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order.file_limit, order.file_limit))

    def tell(progress: Progress) -> None:
        os.write(told, b".")

    problems, methods = some_problems(order.problems), methods_of(Family.CAUSAL)
    try:
        with Store.create_or_open(Path(order.store)) as store:
            found = [
                {name: _shown(outcome) for name, outcome in one.outcomes.items()}
                for one in score(model, problems, methods, store=store, on_progress=tell)
            ]
    except StoreError as error:
        return FULL if "full" in str(error) else 1
    if result:
        Path(result).write_text(json.dumps(found))
    return 0


def _shown(outcome: Any) -> Any:
    if not isinstance(outcome, Outcome):
        return outcome.reason
    return asdict(outcome) | {"tags": sorted(outcome.tags)}


def _ended(order: Order, child: int, told: int) -> int:
    """Wait for a child, or stop it once it has told of so many batches and a little later."""
    if order.stop_with:
        for _ in range(order.after):
            if not os.read(told, 1):
                break
        time.sleep(order.delay)
        os.kill(child, order.stop_with)
    _, status = os.waitpid(child, 0)
    os.close(told)
    return os.waitstatus_to_exitcode(status)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    serve(*sys.argv[1:])
