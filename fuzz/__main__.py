"""Throw spoilt inputs at the program: what it cannot read it must refuse, clearly and in time.

    python -m fuzz [KIND ...] [--seed N] [--seconds S] [--count N] [--only N] [--folder FOLDER]

Without a kind, every kind has its turn. What goes wrong is shown, and saved to a file for each
finding; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import resource
import sys
from pathlib import Path

from fuzz.runner import KINDS, fuzz, save

_SECONDS = 60.0
# A file that asks for more than this is a finding, and not the end of the machine.
_MEMORY_BYTES = 6 * 2**30
_SHOWN = 5


def main() -> int:
    """Fuzz each kind in turn."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(KINDS)}; all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--seconds", type=float, help=f"for each kind; {_SECONDS:g} without --count"
    )
    parser.add_argument("--count", type=int, help="so many inputs of each kind at most")
    parser.add_argument("--only", type=int, metavar="N", help="the input of this number alone")
    parser.add_argument("--folder", type=Path, default=Path(), help="where findings are saved")
    options = parser.parse_args()
    if unknown := [kind for kind in options.kinds if kind not in KINDS]:
        parser.error(f"there is no kind {unknown[0]!r}; the kinds are {', '.join(KINDS)}")
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    seconds = options.seconds
    if seconds is None and options.count is None:
        seconds = _SECONDS
    found = 0
    for kind in options.kinds or KINDS:
        report = fuzz(
            kind, seed=options.seed, seconds=seconds, count=options.count, only=options.only
        )
        print(report, flush=True)
        for line in report.summary():
            print(line)
        for one in report.findings[:_SHOWN]:
            print(one, flush=True)
        for path in save(report, options.folder):
            print(f"saved: {path}", file=sys.stderr)
        found += len(report.findings)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
