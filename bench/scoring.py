"""Compare the speed of scoring with lm-evaluation-harness and minicons on the same machine.

    python -m bench.scoring FOLDER [--peers PYTHON] [--quick | --whole] [--json FILE]

FOLDER holds the published files of the thesis' datasets, and `--peers` names the Python of the
peers' environment. Every program runs in a separate process with its model loaded and the same
number of threads. They take turns, share by share, so that all run under the same load. Seconds
differ between machines; the ratios should not.

`--quick` takes a small part of everything, to check that the script works. `--whole` uses all of
WSC266 for the masked model, which takes long; the default is a part of it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bench.peer_jobs import Job
from bench.processes import Process
from bench.scoring_data import Dataset, datasets, missing_files, requests_of, share
from bench.scoring_tables import print_batch_sizes, print_seconds, print_work
from bench.seeded import save_roberta_base
from bench.turns import Measured, best_batch_size, take_turns
from horsesense.models import EMBEDDED
from horsesense.models.huggingface.model import HuggingFaceModel

OURS = "horsesense"
WSC266 = "wsc266 by answer"
SIX = ["multi-mask", "loss", "statement", "mean-statement", "answer", "mean-answer"]


@dataclass(frozen=True, slots=True)
class Setting:
    """The data, peers and options of a benchmark."""

    data: Path
    peers: str
    threads: str
    quick: bool
    whole: bool
    scratch: Path
    log: IO[str]

    def ours(self, model: str, store: str, *, lazy: bool = False) -> Process:
        """Start horsesense."""
        path = str(self.scratch / store)
        arguments = [model, path, str(self.data), self.threads, *(["lazy"] if lazy else [])]
        return Process(sys.executable, "scoring_worker", *arguments, log=self.log)

    def peer(self, module: str, *models: str) -> Process:
        """Start a peer."""
        return Process(self.peers, module, self.threads, *models, log=self.log)


def main() -> None:
    """Measure everything, and print each result when it is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="FOLDER")
    parser.add_argument("--peers", default=os.environ.get("HORSESENSE_PEERS", ""))
    parser.add_argument("--threads", default=str(_cores()))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if not options.peers:
        raise SystemExit("--peers, or HORSESENSE_PEERS, must name the Python of the peers")
    with tempfile.TemporaryDirectory() as scratch, (Path(scratch) / "log").open("w") as log:
        setting = Setting(
            options.data.resolve(), options.peers, options.threads, options.quick, options.whole,
            Path(scratch), log,
        )  # fmt: skip
        result = measure(setting)
    if options.json is not None:
        options.json.write_text(json.dumps(result, indent=2) + "\n")


def measure(setting: Setting) -> Job:
    """Run all measurements, one after another."""
    data = datasets(setting.data)
    count = sum(len(dataset.problems) for dataset in data)
    print(f"{platform.machine()}, {setting.threads} threads, Python {platform.python_version()}")
    print(f"{len(data)} datasets, {count:,} problems", flush=True)
    for file in missing_files(setting.data):
        print(f"missing: {file}")
    return {
        "machine": platform.machine(),
        "threads": int(setting.threads),
        "causal": measure_causal(setting, data),
        "wsc266 partial": measure_partial(setting, data),
        "masked": measure_masked(setting, data),
        "command": measure_command(setting),
    }


def measure_causal(setting: Setting, data: Sequence[Dataset]) -> Job:
    """Compare all methods at once with the harness' partial and full, then run from the cache.

    Partial and full are two jobs for the harness. Within each, it merges requests with the same
    tokens: sentences that several datasets share, and problems by answer and by key. (For the
    latter its numbers are wrong, as they are split at different places, but its time is right.)
    """
    of, shares = (64, range(2)) if setting.quick else (4, range(4))
    _title(f"{EMBEDDED}: all methods of causal models, all datasets")
    with (
        setting.ours(EMBEDDED, "causal.db") as ours,
        setting.peer("peer_lm_eval", str(_folder())) as harness,
    ):
        sample = requests_of(share(data, 7, 64), full=False)
        size, tried = best_batch_size(
            lambda size: harness.run(requests=sample, batch_size=size), _sizes(setting)
        )
        print_batch_sizes("lm-eval", tried, size)

        def run_harness(number: int, *, full: bool) -> Job:
            requests = requests_of(share(data, number, of), full=full)
            return harness.run(requests=requests, batch_size=size)

        measured = take_turns(
            {
                OURS: lambda number: ours.run(share=[number, of], keep=True),
                "lm-eval partial": lambda number: run_harness(number, full=False),
                "lm-eval full": lambda number: run_harness(number, full=True),
            },
            shares,
            recorded=(OURS, ours, lambda number: {"share": [number, of]}),
            report=_report,
        )
        for number in shares:
            measured.add("from the cache", ours.run(share=[number, of], keep=True))
    print_seconds(measured, OURS, together=("lm-eval partial", "lm-eval full"))
    print_work(measured, OURS)
    return measured.as_json() | {"batch_sizes": tried}


def measure_partial(setting: Setting, data: Sequence[Dataset]) -> Job:
    """Compare partial scoring of WSC266 with both peers."""
    of, shares = (64, range(1, 2)) if setting.quick else (4, range(4))
    only = [dataset for dataset in data if dataset.name == WSC266]
    _title(f"{EMBEDDED}: partial, WSC266")
    job = {"only": [WSC266], "methods": ["partial"]}
    with (
        setting.ours(EMBEDDED, "partial.db") as ours,
        setting.peer("peer_lm_eval", str(_folder())) as harness,
        setting.peer("peer_minicons", f"causal={_folder()}") as minicons,
    ):
        sample = requests_of(share(only, 7, 16), full=False)
        sizes = _sizes(setting)
        best, tried = best_batch_size(
            lambda size: harness.run(requests=sample, batch_size=size), sizes
        )
        print_batch_sizes("lm-eval", tried, best)
        other, tried_too = best_batch_size(
            lambda size: minicons.run(family="causal", pairs=sample, batch_size=size), sizes
        )
        print_batch_sizes("minicons", tried_too, other)

        def pairs(number: int) -> list[tuple[str, str]]:
            return requests_of(share(only, number, of), full=False)

        measured = take_turns(
            {
                OURS: lambda number: ours.run(share=[number, of], keep=True, **job),
                "lm-eval": lambda number: harness.run(requests=pairs(number), batch_size=best),
                "minicons": lambda number: minicons.run(
                    family="causal", pairs=pairs(number), batch_size=other
                ),
            },
            shares,
            recorded=(OURS, ours, lambda number: {"share": [number, of], **job}),
            report=_report,
        )
    print_seconds(measured, OURS)
    print_work(measured, OURS)
    return measured.as_json() | {"batch_sizes": {"lm-eval": tried, "minicons": tried_too}}


def measure_masked(setting: Setting, data: Sequence[Dataset]) -> Job:
    """Compare six methods of the thesis at once with minicons' pseudo-log-likelihood alone."""
    of, shares = (133, range(1, 2)) if setting.quick else (16, range(16 if setting.whole else 3))
    only = [dataset for dataset in data if dataset.name == WSC266]
    folder = setting.scratch / "roberta"
    folder.mkdir()
    save_roberta_base(folder, setting.peers)
    _title("seeded RoBERTa-base: six methods (ours) and pseudo-log-likelihood (minicons), WSC266")
    job = {"only": [WSC266], "methods": SIX}
    with (
        setting.ours(str(folder), "masked.db") as ours,
        setting.peer("peer_minicons", f"masked={folder}") as minicons,
    ):

        def run_minicons(number: int, of: int, size: int) -> Job:
            problems = share(only, number, of)
            texts = [each.text for problem in problems for each in problem.sentences]
            return minicons.run(
                family="masked", sentences=texts, metric="original", batch_size=size
            )

        best, tried = best_batch_size(lambda size: run_minicons(7, 133, size), (1, 2, 4))
        print_batch_sizes("minicons", tried, best)
        measured = take_turns(
            {
                OURS: lambda number: ours.run(share=[number, of], keep=True, **job),
                "minicons": lambda number: run_minicons(number, of, best),
            },
            shares,
            recorded=(OURS, ours, lambda number: {"share": [number, of], **job}),
            report=_report,
        )
        for number in shares:
            measured.add("from the cache", ours.run(share=[number, of], keep=True, **job))
    print_seconds(measured, OURS)
    print_work(measured, OURS, is_masked=True)
    return measured.as_json() | {"batch_sizes": tried}


def measure_command(setting: Setting) -> Job:
    """Time the whole command, the first time and from the cache."""
    _title("horsesense score wsc266.txt, as a whole: start, loading, scoring, printing")
    file = str(setting.data / "wsc266" / "wsc266.txt")
    command = [sys.executable, "-m", "horsesense", "--store", str(setting.scratch / "command.db")]
    command += ["score", file, "--model", EMBEDDED, "--json"]
    command += ["--first", "2"] if setting.quick else []
    measured = Measured()
    for name in (OURS, "from the cache"):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=setting.log)
        measured.add(name, {"seconds": time.perf_counter() - start, "peak_bytes": 0})
    print_seconds(measured, OURS)
    return measured.as_json()


def _folder() -> Path:
    """Return the folder of the embedded default, downloaded if necessary."""
    from horsesense.models import load_model

    model = load_model(EMBEDDED, progress=lambda message: print(message, file=sys.stderr))
    assert isinstance(model, HuggingFaceModel)
    return model.folder


def _sizes(setting: Setting) -> Sequence[int]:
    return (4, 16) if setting.quick else (4, 8, 16, 32, 64)


def _cores() -> int:
    """Return the number of threads that torch uses by default: one for each core."""
    import torch

    return torch.get_num_threads()


def _title(text: str) -> None:
    print(f"\n{text}", flush=True)


def _report(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
