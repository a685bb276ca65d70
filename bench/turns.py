"""Let programs take turns at the same shares of work, and add up their times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from bench.peer_jobs import Job
from bench.processes import Process

# How long the machine's own rate is measured between turns.
_RATE_SECONDS = 0.7

Turn: TypeAlias = Callable[[int], Job]


@dataclass(slots=True)
class Measured:
    """The seconds of each program over all shares, and the work in those shares."""

    seconds: dict[str, float] = field(default_factory=dict)
    peak_bytes: dict[str, int] = field(default_factory=dict)
    work: dict[str, float] = field(default_factory=dict)

    def ratio(self, of: Sequence[str], to: str) -> float:
        """Return the time of some programs together, divided by the time of another one."""
        return sum(self.seconds[name] for name in of) / self.seconds[to]

    def as_json(self) -> Job:
        """Return everything, to be written to a file."""
        return {"seconds": self.seconds, "peak_bytes": self.peak_bytes, "work": self.work}

    def add(self, name: str, reply: Job) -> None:
        """Add the reply of a program for a share."""
        self.seconds[name] = self.seconds.get(name, 0.0) + reply["seconds"]
        self.peak_bytes[name] = max(self.peak_bytes.get(name, 0), reply["peak_bytes"])

    def add_work(self, name: str, reply: Job, rates: Job, seconds: float) -> None:
        """Add the recorded work of a share, with the rates of the machine."""
        counts = {
            **reply["work"],
            "problems": reply["problems"],
            "tokens": reply["tokens"],
            "computed_tokens": reply["computed_tokens"],
            "computed_flops": reply["computed_flops"],
            "own_seconds": seconds,
            # The time the multiplications alone would take.
            "torch_seconds": reply["computed_flops"] / rates["torch"],
            "fastest_seconds": reply["computed_flops"] / rates["fastest"],
        }
        for key, value in counts.items():
            self.work[f"{name}.{key}"] = self.work.get(f"{name}.{key}", 0) + value
        self.work[f"{name}.weight_bytes"] = reply["weight_bytes"]


def take_turns(
    turns: Mapping[str, Turn],
    shares: Sequence[int],
    *,
    recorded: tuple[str, Process, Callable[[int], Job]] | None = None,
    report: Callable[[str], None] = lambda message: None,
) -> Measured:
    """Let every program do every share, and reverse the order after each share.

    For the `recorded` program (its name, its process, its jobs), the multiplications are recorded
    first, untimed. After its turn, the rate of the machine is measured.
    """
    measured = Measured()
    for index, number in enumerate(shares):
        recording = _recorded(recorded, number)
        for name in list(turns)[:: -1 if index % 2 else 1]:
            report(f"share {index + 1} of {len(shares)}: {name}")
            reply = turns[name](number)
            measured.add(name, reply)
            if recorded is not None and name == recorded[0]:
                rates = recorded[1].run(rate=_RATE_SECONDS)
                measured.add_work(name, recording, rates, reply["seconds"])
    return measured


def _recorded(recorded: tuple[str, Process, Callable[[int], Job]] | None, number: int) -> Job:
    if recorded is None:
        return {}
    _, process, job = recorded
    return process.run(**job(number), record=True)


def best_batch_size(
    run: Callable[[int], Job], sizes: Sequence[int]
) -> tuple[int, dict[int, float]]:
    """Find the fastest batch size on a sample; return it, and the seconds of each size."""
    run(sizes[0])  # to warm up
    seconds = {size: run(size)["seconds"] for size in sizes}
    return min(seconds, key=lambda size: seconds[size]), seconds
