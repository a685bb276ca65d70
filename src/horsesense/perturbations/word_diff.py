"""What has changed between two sentences, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

# A word with its apostrophes and hyphens, a stretch of white space, or a punctuation mark.
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")


class RunKind(StrEnum):
    """What became of a stretch of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Run(NamedTuple):
    """A stretch of text that was kept, removed or added."""

    kind: RunKind
    text: str


def word_diff(before: str, after: str) -> tuple[Run, ...]:
    """The runs that lead from one sentence to the other, what is removed before what is added.

    Without what was added they spell the first, without what was removed the second.

    >>> [(run.kind.value, run.text) for run in word_diff("a dog barks", "a dog barked")]
    [('same', 'a dog '), ('removed', 'barks'), ('added', 'barked')]
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    changes = [("".join(old[i:j]), "".join(new[k:m])) for _, i, j, k, m in matcher.get_opcodes()]
    runs: list[Run] = []
    for removed, added in _joined(changes):
        if removed == added:
            runs.append(Run(RunKind.SAME, removed))
            continue
        if removed:
            runs.append(Run(RunKind.REMOVED, removed))
        if added:
            runs.append(Run(RunKind.ADDED, added))
    return tuple(runs)


def side(runs: tuple[Run, ...], kind: RunKind) -> tuple[Run, ...]:
    """The runs of one sentence: of the first with REMOVED, of the second with ADDED."""
    return tuple(run for run in runs if run.kind in (RunKind.SAME, kind))


def _joined(changes: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The changes, those made one that have nothing but white space between them."""
    joined: list[tuple[str, str]] = []
    for old, new in changes:
        if len(joined) > 1 and old != new and _is_space(*joined[-1]):
            gap, _ = joined.pop()
            removed, added = joined.pop()
            joined.append((removed + gap + old, added + gap + new))
        else:
            joined.append((old, new))
    return joined


def _is_space(old: str, new: str) -> bool:
    return old == new and old.isspace()
