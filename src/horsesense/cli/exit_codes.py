"""Exit codes that no error of ours has: those of a command that did what it could."""

from __future__ import annotations

HAS_GAPS = 7  # something that was asked for is missing in a report
INTERRUPTED = 130  # as of a program that Ctrl-C has ended
NOT_READ = 141  # as of a program that a closed pipe has ended
