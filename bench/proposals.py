"""How good proposals are, against perturbations that people have written by hand.

    python bench/proposals.py FOLDER [--sample NAME]

The folder has Abdou et al.'s perturbed WSC. For each of their seven perturbations the schemas are
given to our proposer without what was written by hand, and what it proposes is compared with that:
how many schemas there are with a version by hand, for how many of them something is proposed, and
how often the two are the same, word for word, and the same but for the words that were drawn or
chosen. `--sample` prints thirty proposals of one transformation, drawn with a fixed seed, for
people to judge.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from horsesense.datasets.importers import SourceFile, open_import
from horsesense.perturbations import TRANSFORMATIONS, LeftOut, Perturbed, perturb_entry
from horsesense.schema import Entry, Grid, Header

SEVEN = ("tense", "number", "gender", "voice", "relative-clause", "adverb", "synonym")
FILE = "enhanced_wsc/enhanced_wsc.tsv"
SAMPLE, SEED = 30, 21
_TOKEN = re.compile(r"n[’']t\b|[’']\w+|\w+(?=n[’']t\b)|\w+|[^\w\s]")
_FOLDED = {"ca": "can", "wo": "will", "cannot": "can not", "n't": "not"}


@dataclass(slots=True)
class Compared:
    """How one transformation did."""

    by_hand: int = 0
    proposed: int = 0
    proposed_by_hand: int = 0
    same: int = 0
    same_but_words: int = 0


def read_entries(folder: Path) -> list[Entry]:
    """The schemas of the WSC as Abdou et al. edited them, with their versions."""
    path = folder / FILE
    file = SourceFile(str(path), path.read_bytes())
    return list(open_import(file, Header("perturbed"), keep_going=True))


def compare(entries: Iterable[Entry], name: str) -> Compared:
    """The proposals of one transformation against the versions written by hand."""
    found = Compared()
    transformation = TRANSFORMATIONS[name]
    for entry in entries:
        version = dict(entry.versions).get(name)
        done = perturb_entry(replace(entry, versions=()), transformation, transformation.settings())
        found.by_hand += version is not None
        if isinstance(done, LeftOut):
            continue
        found.proposed += 1
        if version is None:
            continue
        found.proposed_by_hand += 1
        before, ours, theirs = map(sensible_words, (entry.grid, done.entry.grid, version))
        found.same += ours == theirs
        found.same_but_words += all(
            _without_new(old, one) == _without_new(old, other)
            for old, one, other in zip(before, ours, theirs, strict=True)
        )
    return found


def sensible_words(grid: Grid) -> list[list[str]]:
    """The words of the sensible sentences, without capitals, with contractions spelt out."""
    texts = [grid.sentence(cell).text for cell in grid.cells if grid.is_sensible(cell)]
    return [_words(text) for text in texts]


def _words(text: str) -> list[str]:
    found = (word.lower().replace("’", "'") for word in _TOKEN.findall(text))
    return " ".join(_FOLDED.get(word, word) for word in found).split()


def _without_new(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The words after, with one star for each run of words that were not there before."""
    known = set(before)
    runs = groupby(word if word in known else "*" for word in after)
    return [word for word, run in runs for word in (["*"] if word == "*" else run)]


def print_sample(entries: Sequence[Entry], name: str) -> None:
    """Thirty proposals, before and after, for people to judge."""
    transformation = TRANSFORMATIONS[name]
    settings = transformation.settings()
    done = [(e, perturb_entry(replace(e, versions=()), transformation, settings)) for e in entries]
    proposed = [(entry, one) for entry, one in done if isinstance(one, Perturbed)]
    drawn = random.Random(SEED).sample(proposed, min(SAMPLE, len(proposed)))
    for number, (entry, one) in enumerate(drawn, start=1):
        print(f"{number}. [{entry.id}] {one.how}")
        for grid in (entry.grid, one.entry.grid):
            for cell in grid.cells:
                if grid.is_sensible(cell):
                    print(f"   {grid.sentence(cell).text}")
        print()


def main() -> None:
    """Print the table, or a sample."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="FOLDER")
    parser.add_argument("--sample", choices=SEVEN)
    given = parser.parse_args()
    entries = read_entries(given.data)
    if given.sample:
        print_sample(entries, given.sample)
        return
    print(f"{len(entries)} schemas")
    print(f"{'':16}{'by hand':>8}{'proposed':>9}{'of those':>9}{'same':>6}{'but words':>10}")
    for name in SEVEN:
        one = compare(entries, name)
        print(
            f"{name:16}{one.by_hand:8}{one.proposed:9}{one.proposed_by_hand:9}{one.same:6}"
            f"{one.same_but_words:10}",
            flush=True,
        )


if __name__ == "__main__":
    main()
