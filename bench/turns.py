"""Programs that take turns at the same shares of work, and what it adds up to."""

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
    """Seconds of each program over all shares, and the work there was in them."""

    seconds: dict[str, float] = field(default_factory=dict)
    peak_bytes: dict[str, int] = field(default_factory=dict)
    work: dict[str, float] = field(default_factory=dict)

    def ratio(self, of: Sequence[str], to: str) -> float:
        """How many times as long some programs took together as another one."""
        return sum(self.seconds[name] for name in of) / self.seconds[to]

    def told(self) -> Job:
        """All of it, for a file."""
        return {"seconds": self.seconds, "peak_bytes": self.peak_bytes, "work": self.work}

    def add(self, name: str, reply: Job) -> None:
        """Add what a program says of a share."""
        self.seconds[name] = self.seconds.get(name, 0.0) + reply["seconds"]
        self.peak_bytes[name] = max(self.peak_bytes.get(name, 0), reply["peak_bytes"])

    def add_work(self, name: str, reply: Job, rates: Job, seconds: float) -> None:
        """Add what was recorded of a share, with the machine's own rates beside it."""
        counts = {
            **reply["work"],
            "problems": reply["problems"],
            "tokens": reply["tokens"],
            "computed_tokens": reply["computed_tokens"],
            "computed_flops": reply["computed_flops"],
            "own_seconds": seconds,
            # What it would take the machine if there were nothing but multiplications.
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
    tell: Callable[[str], None] = lambda message: None,
) -> Measured:
    """Let every program do every share, the order reversed from one to the next.

    Of the `recorded` program (its name, its process, its jobs) the multiplications are recorded
    first, which is not timed; after its turn the machine's own rate is measured.
    """
    measured = Measured()
    for place, number in enumerate(shares):
        note = _recorded(recorded, number)
        for name in list(turns)[:: -1 if place % 2 else 1]:
            tell(f"share {place + 1} of {len(shares)}: {name}")
            reply = turns[name](number)
            measured.add(name, reply)
            if recorded is not None and name == recorded[0]:
                rates = recorded[1].ask(rate=_RATE_SECONDS)
                measured.add_work(name, note, rates, reply["seconds"])
    return measured


def _recorded(recorded: tuple[str, Process, Callable[[int], Job]] | None, number: int) -> Job:
    if recorded is None:
        return {}
    _, process, job = recorded
    return process.ask(**job(number), record=True)


def best_batch_size(
    ask: Callable[[int], Job], sizes: Sequence[int]
) -> tuple[int, dict[int, float]]:
    """The batch size with which a program is quickest on a sample, and what each of them took."""
    ask(sizes[0])  # to warm up
    seconds = {size: ask(size)["seconds"] for size in sizes}
    return min(seconds, key=lambda size: seconds[size]), seconds
