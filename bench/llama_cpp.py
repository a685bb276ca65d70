"""Measure models behind llama.cpp's own server: speed, and differences from this machine.

    python -m bench.llama_cpp [FOLDER]

The environment variable HORSESENSE_SERVERS has the path of a Python with xllamacpp, as for the
tests; HORSESENSE_PEERS that of a Python with lm-evaluation-harness. The embedded default is served
from its GGUF file on this machine. FOLDER holds the published files. With them, all problems of
WSC266 are scored by `partial` through the server and by the same model here, in float32, and
problems with different choices are listed by their numbers in the file. The server then does it
again in float32 too, which shows how much of the differences is due to its arithmetic.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from bench.processes import ROOT
from bench.scoring_data import datasets
from horsesense import load_dataset
from horsesense.evaluation.inference import pose, score
from horsesense.models import (
    EMBEDDED,
    CausalObservation,
    Family,
    LanguageModel,
    Query,
    ServerOptions,
    causal_query,
    load_model,
)
from horsesense.schema import Problem
from horsesense.scoring import Outcome, methods_of
from tests.servers.llama_cpp import ALIAS, llama_cpp_server, write_float32

SLOTS = (1, 4, 8)
SCHEMAS = 12
PEERS_VARIABLE = "HORSESENSE_PEERS"


@dataclass(frozen=True, slots=True)
class Differences:
    """How far the log-probabilities through the server are from those on this machine."""

    tokens: int
    largest: float
    mean: float
    largest_sum: float
    mean_bias: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """The problems of a dataset, scored through the server and on this machine."""

    problems: int
    nodes: int
    seconds: float
    local_seconds: float
    solved: tuple[int, int]
    changed: tuple[tuple[int, float], ...]
    differences: Differences


@contextmanager
def served(slots: int, file: Path | None = None) -> Iterator[LanguageModel]:
    """Serve the embedded default, and load it through the server, with a request per slot.

    A `file` with the weights in float32 is computed in float32.
    """
    with llama_cpp_server(slots=slots, file=file, exact=file is not None) as url:
        options = ServerOptions(concurrency=slots)
        model = load_model(f"llama.cpp:{ALIAS}@{url}", server=options)
        assert isinstance(model, LanguageModel)
        yield model
        model.release()


def queries_of(model: LanguageModel, problems: Sequence[Problem]) -> list[Query]:
    """Return a query for each sentence with each option."""
    texts = dict.fromkeys(sentence.text for problem in problems for sentence in problem.sentences)
    return [causal_query(tokenization.ids) for tokenization in model.tokenize_all([*texts])]


def seconds_per_token(slots: int, problems: Sequence[Problem]) -> tuple[int, float]:
    """Return how many tokens the server is asked for, and the seconds for each."""
    with served(slots) as model:
        queries = queries_of(model, problems)
        start = time.perf_counter()
        answered = sum(len(batch) for batch in model.answer(queries))
        seconds = time.perf_counter() - start
        assert answered == len(set(queries))
        count = model.count_requests(queries)
    return count, seconds / count


def compare(problems: Sequence[Problem], slots: int = 4, file: Path | None = None) -> Comparison:
    """Score problems by `partial` through the server and on this machine."""
    methods = [method for method in methods_of(Family.CAUSAL) if method.name == "partial"]
    local = load_model(EMBEDDED)
    start = time.perf_counter()
    ours = list(score(local, problems, methods))
    local_seconds = time.perf_counter() - start
    with served(slots, file) as model:
        nodes = model.count_requests(queries_of(model, problems))
        start = time.perf_counter()
        theirs = list(score(model, problems, methods))
        seconds = time.perf_counter() - start
    changed, solved = [], [0, 0]
    for number, (own, other) in enumerate(zip(ours, theirs, strict=True), start=1):
        before, after = own.outcomes["partial"], other.outcomes["partial"]
        assert isinstance(before, Outcome) and isinstance(after, Outcome)
        solved[0] += before.chosen == before.right
        solved[1] += after.chosen == after.right
        if before.chosen != after.chosen:
            changed.append((number, before.margin))
    pairs = [
        (one.log_probs, two.log_probs)
        for own, other in zip(ours, theirs, strict=True)
        for one, two in zip(own.observations, other.observations, strict=True)
        if isinstance(one, CausalObservation) and isinstance(two, CausalObservation)
    ]
    return Comparison(
        len(problems),
        nodes,
        seconds,
        local_seconds,
        (solved[0], solved[1]),
        tuple(changed),
        _differences(pairs),
    )


def _differences(
    pairs: Sequence[tuple[Sequence[float | None], Sequence[float | None]]],
) -> Differences:
    rows = [
        [b - a for a, b in zip(ours, theirs, strict=True) if a is not None and b is not None]
        for ours, theirs in pairs
    ]
    flat = [difference for row in rows for difference in row]
    return Differences(
        len(flat),
        max(map(abs, flat)),
        fmean(map(abs, flat)),
        max(abs(sum(row)) for row in rows),
        fmean(flat),
    )


def ask_harness(python: str, url: str, folder: Path) -> dict[str, object]:
    """Return what lm-evaluation-harness makes of the server, with its own classes of models."""
    result = subprocess.run(
        [python, "-m", "bench.peer_llama_cpp", url, ALIAS, str(folder)],
        cwd=ROOT,
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
    )
    if result.returncode:
        return {"failed": result.stderr[-2000:]}
    answer: dict[str, object] = json.loads(result.stdout.splitlines()[-1])
    return answer


def main(folder: str = "") -> None:
    """Print all figures."""
    entries = list(load_dataset("hs-winograd"))[:SCHEMAS]
    problems = [problem for entry in pose(entries).entries for problem in entry.problems]
    for slots in SLOTS:
        count, seconds = seconds_per_token(slots, problems)
        print(f"{slots} slots: {count} tokens, {1000 * seconds:.1f} ms each")
    if python := os.environ.get(PEERS_VARIABLE):
        local = load_model(EMBEDDED)
        (path,) = {file.parent for file in local.files}
        with llama_cpp_server() as url:
            for name, answer in ask_harness(python, url, path).items():
                print(f"lm-evaluation-harness, {name}: {answer}")
    if folder:
        wsc266 = datasets(Path(folder))[0]
        problems = [numbered.problem for numbered in wsc266.problems]
        print(f"{wsc266.name}: {compare(problems)}")
        with TemporaryDirectory() as scratch:
            file = write_float32(Path(scratch, "float32.gguf"))
            print(f"{wsc266.name} in float32: {compare(problems, file=file)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
