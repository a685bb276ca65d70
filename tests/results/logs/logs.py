"""The real logs beside this file, and small ones made up for what real ones lack."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from horsesense.datasets.importers import SourceFile
from horsesense.results.logs import Logged, read_log, read_log_file
from horsesense.scoring import Verdict

DATA = Path(__file__).with_name("data")
LM_EVAL = DATA / "lm-eval"
LIGHTEVAL = DATA / "lighteval"
INSPECT = DATA / "inspect"
SCORED = DATA / "scored.jsonl"


def reported(folder: Path) -> dict[str, dict[str, Any]]:
    """What the program itself said of each task."""
    told: dict[str, dict[str, Any]] = json.loads((folder / "results.json").read_text())["results"]
    return told


def logged(path: Path, **how: Any) -> dict[tuple[str, str], Logged]:
    return {(one.task, one.method): one for one in read_log(path, **how)}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def lines(rows: Iterable[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def read_rows(rows: Iterable[Any], name: str = "samples_task.jsonl", **how: Any) -> list[Logged]:
    return list(read_log_file(SourceFile(name, lines(rows)), **how))


def solved(one: Logged) -> float:
    """The share of problems solved, counted by hand."""
    verdicts = [answer.outcome.verdict for answer in one.answer_set.answers]
    return verdicts.count(Verdict.SOLVED) / len(verdicts)


def schemas(one: Logged) -> set[frozenset[tuple[str, int]]]:
    """The schemas as pairs of problems, whatever their order."""
    answers = one.answer_set.answers
    return {frozenset(answers[at].problem for at in pair) for pair in one.answer_set.schemas}


def samples(task: str) -> Path:
    """The samples of a task of lm-evaluation-harness."""
    (path,) = LM_EVAL.glob(f"*/samples_{task}_*.jsonl")
    return path


def sample(number: int, *costs: object, right: int = 0, **doc: Any) -> dict[str, Any]:
    """A sample of lm-evaluation-harness with as many options as there are log-likelihoods."""
    options = [f"option {at}" for at in range(len(costs))]
    best = max(range(len(costs)), key=lambda at: float(str(costs[at])))
    return {
        "doc_id": number,
        "doc": {"number": number, **doc},
        "target": str(right),
        "arguments": {
            f"gen_args_{at}": {"arg_0": f"text {number}", "arg_1": f" {option}"}
            for at, option in enumerate(options)
        },
        "filtered_resps": [[str(cost), "False"] for cost in costs],
        "filter": "none",
        "metrics": ["acc"],
        "acc": float(best == right),
    }
