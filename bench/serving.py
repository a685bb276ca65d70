"""Measure what `horsesense serve` costs, against the same model queried directly.

    python -m bench.serving [FOLDER] [--rounds N] [--in-flight N …]

The sentences of WSC266, from the FOLDER of published files, or else of a built-in dataset, are
scored by the embedded default: by the engine itself; behind the server, by a plain httpx client;
and by our own `openai:` client. All send the same token ids. The sides take turns, and every second
round goes backwards. With one request in flight, only some of the sentences are sent, as this is
slow; the ratios compare the same sentences.

Besides the time by the clock, the table has the processor time of the server and of its client, all
as ratios of the engine's. It is what to look at if the machine is busy. All numbers must agree with
the engine's, or the script fails.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeAlias

import httpx

from bench.scoring_data import datasets
from horsesense import load_dataset
from horsesense.evaluation.inference import pose
from horsesense.models import (
    EMBEDDED,
    LanguageModel,
    Query,
    ServerOptions,
    causal_query,
    load_model,
)
from horsesense.schema import Problem

IN_FLIGHT = (1, 8, 32)
# With one request in flight, only one in this many sentences is sent.
SPARSE = 8
ENGINE = "engine"
# How far two ways of computing a number may differ.
WITHIN = 1e-4

Answers: TypeAlias = Mapping[Query, Sequence[float]]
Side: TypeAlias = Callable[[Sequence[Query]], Answers]


@dataclass(slots=True)
class Times:
    """The seconds of a side in each round: by the clock, and of two processes' processor time.

    `here` is that of this process, which is the client, or the engine itself.
    """

    clock: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)
    here: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    url: str
    process: subprocess.Popen[str]

    def processor_seconds(self) -> float:
        """Return the processor time that it has taken so far."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure all sides, and print a Markdown table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, nargs="?", metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--in-flight", type=int, nargs="+", default=IN_FLIGHT)
    options = parser.parse_args()
    model = load_model(EMBEDDED)
    assert isinstance(model, LanguageModel)
    queries = _queries(model, options.data)
    tokens = sum(len(query.ids) for query in queries)
    print(f"{platform.machine()}, {os.cpu_count()} cores; {len(queries)} texts, {tokens:,} tokens")
    with running() as server:
        sides = dict(_sides(model, server, options.in_flight))
        measured = take_turns(sides, queries, server, options.rounds)
    print("\n| | In flight | Requests/s | Tokens/s | Clock | Server | Client |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, number in measured:
        print(_line(name, number, measured, queries))


def _queries(model: LanguageModel, data: Path | None) -> list[Query]:
    """Return the queries for all distinct sentences, in the order of the problems."""
    texts = [sentence.text for problem in _problems(data) for sentence in problem.sentences]
    return [causal_query(model.tokenize(text).ids) for text in dict.fromkeys(texts)]


def _problems(data: Path | None) -> list[Problem]:
    if data is None:
        return list(pose(load_dataset("hs-winograd").entries).problems)
    return [numbered.problem for numbered in datasets(data)[0].problems]


@contextmanager
def running() -> Iterator[Server]:
    """Run `horsesense serve` in a process of its own."""
    command = [sys.executable, "-m", "horsesense", "serve", EMBEDDED, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if url := re.search(r"http://[\d.]+:\d+", line):
                    yield Server(url[0], process)
                    return
            raise SystemExit("the server does not start")
        finally:
            process.terminate()


def _sides(
    model: LanguageModel, server: Server, in_flight: Sequence[int]
) -> Iterator[tuple[tuple[str, int], Side]]:
    """Yield every way to score, with the number of requests in flight; the engine comes first."""
    yield (ENGINE, 0), partial(_collected, model)
    for number in in_flight:
        yield ("httpx", number), _client(server.url, number)
    with tempfile.TemporaryDirectory() as cache:
        for number in in_flight:
            own = load_model(
                f"openai:{EMBEDDED}@{server.url}",
                cache=Path(cache),
                server=ServerOptions(str(model.files[0].parent), concurrency=number),
            )
            assert isinstance(own, LanguageModel)
            yield ("openai:", number), partial(_collected, own)


def _collected(model: LanguageModel, queries: Sequence[Query]) -> Answers:
    return {query: values for batch in model.answer(queries) for query, values in batch}


def _client(url: str, in_flight: int) -> Side:
    """Return a client with that many requests in flight."""

    async def send(queries: Sequence[Query]) -> Answers:
        answers: dict[Query, list[float]] = {}
        waiting = iter(queries)
        limits = httpx.Limits(max_connections=in_flight, max_keepalive_connections=in_flight)
        async with httpx.AsyncClient(
            base_url=url, limits=limits, timeout=600, trust_env=False
        ) as client:

            async def work() -> None:
                for query in waiting:
                    fields = {"model": EMBEDDED, "prompt": query.ids, "echo": True}
                    fields |= {"logprobs": 0, "max_tokens": 0}
                    response = await client.post("/v1/completions", json=fields)
                    (choice,) = response.raise_for_status().json()["choices"]
                    answers[query] = choice["logprobs"]["token_logprobs"][1:]

            await asyncio.gather(*(work() for _ in range(in_flight)))
        return answers

    return lambda queries: asyncio.run(send(queries))


def take_turns(
    sides: Mapping[tuple[str, int], Side], queries: Sequence[Query], server: Server, rounds: int
) -> dict[tuple[str, int], Times]:
    """Let every side score all queries in each round, after a few to warm up."""
    measured = {name: Times() for name in sides}
    expected = sides[ENGINE, 0](queries)
    for number in range(rounds):
        for name in list(sides)[:: -1 if number % 2 else 1]:
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr, flush=True)
            asked = _asked(name[1], queries)
            before = time.perf_counter(), server.processor_seconds(), time.process_time()
            answers = sides[name](asked)
            after = time.perf_counter(), server.processor_seconds(), time.process_time()
            _check(answers, expected, asked)
            times = measured[name]
            for seconds, start, end in zip(
                (times.clock, times.server, times.here), before, after, strict=True
            ):
                seconds.append(end - start)
    return measured


def _asked(in_flight: int, queries: Sequence[Query]) -> Sequence[Query]:
    return queries[::SPARSE] if in_flight == 1 else queries


def _check(answers: Answers, expected: Answers, asked: Sequence[Query]) -> None:
    differences = [
        abs(value - other)
        for query in asked
        for value, other in zip(answers[query], expected[query], strict=True)
    ]
    if max(differences) > WITHIN:
        raise SystemExit(f"a log-probability differs by {max(differences):.1e}")


def _line(
    name: str, in_flight: int, measured: Mapping[tuple[str, int], Times], queries: Sequence[Query]
) -> str:
    """Format a row: rates, and the median ratios to the engine for the same sentences."""
    times, engine = measured[name, in_flight], measured[ENGINE, 0]
    asked = _asked(in_flight, queries)
    share = sum(len(query.ids) for query in asked) / sum(len(query.ids) for query in queries)
    seconds = median(times.clock)
    ratios = [
        median(ours / (share * theirs) for ours, theirs in zip(side, other, strict=True))
        for side, other in (
            (times.clock, engine.clock),
            (times.server, engine.here),
            (times.here, engine.here),
        )
    ]
    tokens = sum(len(query.ids) for query in asked)
    return (
        f"| {name} | {in_flight or '–'} | {len(asked) / seconds:.1f} | {tokens / seconds:,.0f} "
        f"| {ratios[0]:.2f} | {ratios[1]:.2f} | {ratios[2]:.2f} |"
    )


if __name__ == "__main__":
    main()
