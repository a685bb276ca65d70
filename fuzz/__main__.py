"""Feed corrupted inputs to the program, which must reject them with a clear error, and in time.

    python -m fuzz [KIND ...] [--seed N] [--seconds S] [--count N] [--only N] [--folder FOLDER]

Without KIND, all kinds run, one after another. Each finding is printed and saved to a file, and the
exit code is 1 if there is any.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

from fuzz.runner import KINDS, fuzz, save

_SECONDS = 60.0
# Cap the memory, so that a greedy input becomes a finding instead of bringing down the machine.
_MEMORY_BYTES = 6 * 2**30
_SHOWN = 5


def main() -> int:
    """Fuzz each kind in turn."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__.splitlines()[0])
    parser.add_argument(
        "kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)}; default: all"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=float, help=f"time for each kind; default without --count: {_SECONDS:g}"
    )
    parser.add_argument("--count", type=int, metavar="N", help="try at most N inputs of each kind")
    parser.add_argument("--only", type=int, metavar="N", help="try input N only")
    parser.add_argument("--folder", type=Path, default=Path(), help="save findings here")
    options = parser.parse_args()
    if unknown := [kind for kind in options.kinds if kind not in KINDS]:
        parser.error(f"unknown kind {unknown[0]!r}; choose from {', '.join(KINDS)}")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    seconds = options.seconds
    if seconds is None and options.count is None:
        seconds = _SECONDS
    count = 0
    for kind in options.kinds or KINDS:
        report = fuzz(
            kind, seed=options.seed, seconds=seconds, count=options.count, only=options.only
        )
        print(report, flush=True)
        for line in report.summary():
            print(line)
        for finding in report.findings[:_SHOWN]:
            print(finding, flush=True)
        for path in save(report, options.folder):
            print(f"saved: {path}", file=sys.stderr)
        count += len(report.findings)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
