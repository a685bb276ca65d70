"""How fast problems are scored, against lm-evaluation-harness and minicons on the same machine.

    python -m bench.scoring FOLDER [--peers PYTHON] [--quick | --whole] [--json FILE]

The folder has the published files of the thesis' datasets; the peers' Python is that of their own
environment. Every program has a process of its own with its model loaded and as many threads as
the others, and they take turns, share by share, so that all of them see the same machine. What
should hold elsewhere are the ratios, not the seconds.

`--quick` takes a small part of everything, to see that it works. `--whole` takes all of WSC266
for the masked model, which is long; otherwise a part stands for it.
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
from bench.scoring_data import Dataset, absent, datasets, requests_of, share
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
    """What is measured, and with what."""

    data: Path
    peers: str
    threads: str
    quick: bool
    whole: bool
    place: Path
    log: IO[str]

    def ours(self, model: str, store: str, *, lazy: bool = False) -> Process:
        """horsesense at work."""
        path = str(self.place / store)
        arguments = [model, path, str(self.data), self.threads, *(["lazy"] if lazy else [])]
        return Process(sys.executable, "scoring_worker", *arguments, log=self.log)

    def peer(self, module: str, *models: str) -> Process:
        """A peer at work."""
        return Process(self.peers, module, self.threads, *models, log=self.log)


def main() -> None:
    """Measure everything, and print it as it comes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="FOLDER")
    parser.add_argument("--peers", default=os.environ.get("HORSESENSE_PEERS", ""))
    parser.add_argument("--threads", default=str(_cores()))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if not given.peers:
        raise SystemExit("--peers, or HORSESENSE_PEERS, must name the Python of the peers")
    with tempfile.TemporaryDirectory() as place, (Path(place) / "log").open("w") as log:
        setting = Setting(
            given.data.resolve(), given.peers, given.threads, given.quick, given.whole,
            Path(place), log,
        )  # fmt: skip
        result = measure(setting)
    if given.json is not None:
        given.json.write_text(json.dumps(result, indent=2) + "\n")


def measure(setting: Setting) -> Job:
    """All measurements, one after another."""
    found = datasets(setting.data)
    problems = sum(len(dataset.posed) for dataset in found)
    print(f"{platform.machine()}, {setting.threads} threads, Python {platform.python_version()}")
    print(f"{len(found)} datasets, {problems:,} problems", flush=True)
    for file in absent(setting.data):
        print(f"not at hand: {file}")
    return {
        "machine": platform.machine(),
        "threads": int(setting.threads),
        "causal": measure_causal(setting, found),
        "wsc266 partial": measure_partial(setting, found),
        "masked": measure_masked(setting, found),
        "command": measure_command(setting),
    }


def measure_causal(setting: Setting, found: Sequence[Dataset]) -> Job:
    """All methods at once, against the harness' partial and full; then again from the cache.

    Partial and full are two jobs for the harness. In each it merges what has the same tokens:
    sentences that several datasets share, and problems by answer and by key. (Of the latter it
    gets the numbers wrong, as they are cut at different places; the time it takes is right.)
    """
    of, shares = (64, range(2)) if setting.quick else (4, range(4))
    _title(f"{EMBEDDED}: all methods of causal models, all datasets")
    with (
        setting.ours(EMBEDDED, "causal.db") as ours,
        setting.peer("peer_lm_eval", str(_folder())) as harness,
    ):
        sample = requests_of(share(found, 7, 64), full=False)
        size, tried = best_batch_size(
            lambda size: harness.ask(requests=sample, batch_size=size), _sizes(setting)
        )
        print_batch_sizes("lm-eval", tried, size)

        def asked(number: int, *, full: bool) -> Job:
            requests = requests_of(share(found, number, of), full=full)
            return harness.ask(requests=requests, batch_size=size)

        measured = take_turns(
            {
                OURS: lambda number: ours.ask(share=[number, of], keep=True),
                "lm-eval partial": lambda number: asked(number, full=False),
                "lm-eval full": lambda number: asked(number, full=True),
            },
            shares,
            recorded=(OURS, ours, lambda number: {"share": [number, of]}),
            tell=_tell,
        )
        for number in shares:
            measured.add("from the cache", ours.ask(share=[number, of], keep=True))
    print_seconds(measured, OURS, together=("lm-eval partial", "lm-eval full"))
    print_work(measured, OURS)
    return measured.told() | {"batch_sizes": tried}


def measure_partial(setting: Setting, found: Sequence[Dataset]) -> Job:
    """WSC266 alone with partial scoring alone, against both peers."""
    of, shares = (64, range(1, 2)) if setting.quick else (4, range(4))
    only = [dataset for dataset in found if dataset.name == WSC266]
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
            lambda size: harness.ask(requests=sample, batch_size=size), sizes
        )
        print_batch_sizes("lm-eval", tried, best)
        other, tried_too = best_batch_size(
            lambda size: minicons.ask(family="causal", pairs=sample, batch_size=size), sizes
        )
        print_batch_sizes("minicons", tried_too, other)

        def pairs(number: int) -> list[tuple[str, str]]:
            return requests_of(share(only, number, of), full=False)

        measured = take_turns(
            {
                OURS: lambda number: ours.ask(share=[number, of], keep=True, **job),
                "lm-eval": lambda number: harness.ask(requests=pairs(number), batch_size=best),
                "minicons": lambda number: minicons.ask(
                    family="causal", pairs=pairs(number), batch_size=other
                ),
            },
            shares,
            recorded=(OURS, ours, lambda number: {"share": [number, of], **job}),
            tell=_tell,
        )
    print_seconds(measured, OURS)
    print_work(measured, OURS)
    return measured.told() | {"batch_sizes": {"lm-eval": tried, "minicons": tried_too}}


def measure_masked(setting: Setting, found: Sequence[Dataset]) -> Job:
    """The six methods of the thesis at once, against minicons' pseudo-log-likelihood alone."""
    of, shares = (133, range(1, 2)) if setting.quick else (16, range(16 if setting.whole else 3))
    only = [dataset for dataset in found if dataset.name == WSC266]
    folder = setting.place / "roberta"
    folder.mkdir()
    save_roberta_base(folder, setting.peers)
    _title("seeded RoBERTa-base: six methods (ours) and pseudo-log-likelihood (minicons), WSC266")
    job = {"only": [WSC266], "methods": SIX}
    with (
        setting.ours(str(folder), "masked.db") as ours,
        setting.peer("peer_minicons", f"masked={folder}") as minicons,
    ):

        def asked(number: int, of: int, size: int) -> Job:
            texts = [one.text for problem in share(only, number, of) for one in problem.sentences]
            return minicons.ask(
                family="masked", sentences=texts, metric="original", batch_size=size
            )

        best, tried = best_batch_size(lambda size: asked(7, 133, size), (1, 2, 4))
        print_batch_sizes("minicons", tried, best)
        measured = take_turns(
            {
                OURS: lambda number: ours.ask(share=[number, of], keep=True, **job),
                "minicons": lambda number: asked(number, of, best),
            },
            shares,
            recorded=(OURS, ours, lambda number: {"share": [number, of], **job}),
            tell=_tell,
        )
        for number in shares:
            measured.add("from the cache", ours.ask(share=[number, of], keep=True, **job))
    print_seconds(measured, OURS)
    print_work(measured, OURS, is_masked=True)
    return measured.told() | {"batch_sizes": tried}


def measure_command(setting: Setting) -> Job:
    """The command as a whole, the first time and from the cache."""
    _title("horsesense score wsc266.txt, as a whole: start, loading, scoring, printing")
    file = str(setting.data / "wsc266" / "wsc266.txt")
    command = [sys.executable, "-m", "horsesense", "--store", str(setting.place / "command.db")]
    command += ["score", file, "--model", EMBEDDED, "--json"]
    command += ["--limit", "2"] if setting.quick else []
    measured = Measured()
    for name in (OURS, "from the cache"):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=setting.log)
        measured.add(name, {"seconds": time.perf_counter() - start, "peak_bytes": 0})
    print_seconds(measured, OURS)
    return measured.told()


def _folder() -> Path:
    """Where the embedded default is; fetched if need be."""
    from horsesense.models import load_model

    model = load_model(EMBEDDED, progress=lambda message: print(message, file=sys.stderr))
    assert isinstance(model, HuggingFaceModel)
    return model.folder


def _sizes(setting: Setting) -> Sequence[int]:
    return (4, 16) if setting.quick else (4, 8, 16, 32, 64)


def _cores() -> int:
    """As many threads as torch would take by itself: one for each core."""
    import torch

    return torch.get_num_threads()


def _title(text: str) -> None:
    print(f"\n{text}", flush=True)


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
