"""Compare proposed perturbations with those that people have written by hand.

    python bench/proposals.py FOLDER [--sample NAME]

FOLDER holds Abdou et al.'s perturbed WSC. For each of their seven perturbations, our proposer gets
the schemas without the versions written by hand. The table shows how many schemas have such a
version, how many schemas have a proposal, how many have both, and how often the two agree word for
word, or agree except for words that were drawn or chosen. `--sample` prints thirty proposals of one
transformation, drawn with a fixed seed, for people to judge.
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
from horsesense.perturbations import TRANSFORMATIONS, Perturbed, SkippedEntry, perturb_entry
from horsesense.schema import Entry, Grid, Header

SEVEN = ("tense", "number", "gender", "voice", "relative-clause", "adverb", "synonym")
FILE = "enhanced_wsc/enhanced_wsc.tsv"
SAMPLE, SEED = 30, 21
_TOKEN = re.compile(r"n[’']t\b|[’']\w+|\w+(?=n[’']t\b)|\w+|[^\w\s]")
_FOLDED = {"ca": "can", "wo": "will", "cannot": "can not", "n't": "not"}


@dataclass(slots=True)
class Compared:
    """The counts for one transformation."""

    by_hand: int = 0
    proposed: int = 0
    proposed_by_hand: int = 0
    same: int = 0
    same_but_words: int = 0


def read_entries(folder: Path) -> list[Entry]:
    """Read the schemas of the WSC as edited by Abdou et al., with their versions."""
    path = folder / FILE
    file = SourceFile(str(path), path.read_bytes())
    return list(open_import(file, Header("perturbed"), keep_going=True))


def compare(entries: Iterable[Entry], name: str) -> Compared:
    """Compare the proposals of one transformation with the versions written by hand."""
    counts = Compared()
    transformation = TRANSFORMATIONS[name]
    for entry in entries:
        version = dict(entry.versions).get(name)
        done = perturb_entry(replace(entry, versions=()), transformation, transformation.settings())
        counts.by_hand += version is not None
        if isinstance(done, SkippedEntry):
            continue
        counts.proposed += 1
        if version is None:
            continue
        counts.proposed_by_hand += 1
        before, ours, theirs = map(sensible_words, (entry.grid, done.entry.grid, version))
        counts.same += ours == theirs
        counts.same_but_words += all(
            _without_new(old, our) == _without_new(old, their)
            for old, our, their in zip(before, ours, theirs, strict=True)
        )
    return counts


def sensible_words(grid: Grid) -> list[list[str]]:
    """Split the sensible sentences into lower-case words, with contractions expanded."""
    texts = [grid.sentence(cell).text for cell in grid.cells if grid.is_sensible(cell)]
    return [_words(text) for text in texts]


def _words(text: str) -> list[str]:
    words = (word.lower().replace("’", "'") for word in _TOKEN.findall(text))
    return " ".join(_FOLDED.get(word, word) for word in words).split()


def _without_new(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Replace each run of words that were not there before by a star."""
    known = set(before)
    runs = groupby(word if word in known else "*" for word in after)
    return [word for word, run in runs for word in (["*"] if word == "*" else run)]


def print_sample(entries: Sequence[Entry], name: str) -> None:
    """Print thirty proposals, before and after, for people to judge."""
    transformation = TRANSFORMATIONS[name]
    settings = transformation.settings()
    done = [(e, perturb_entry(replace(e, versions=()), transformation, settings)) for e in entries]
    proposed = [(entry, result) for entry, result in done if isinstance(result, Perturbed)]
    drawn = random.Random(SEED).sample(proposed, min(SAMPLE, len(proposed)))
    for number, (entry, result) in enumerate(drawn, start=1):
        print(f"{number}. [{entry.id}] {result.how}")
        for grid in (entry.grid, result.entry.grid):
            for cell in grid.cells:
                if grid.is_sensible(cell):
                    print(f"   {grid.sentence(cell).text}")
        print()


def main() -> None:
    """Print the table, or a sample."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="FOLDER")
    parser.add_argument("--sample", choices=SEVEN)
    options = parser.parse_args()
    entries = read_entries(options.data)
    if options.sample:
        print_sample(entries, options.sample)
        return
    print(f"{len(entries)} schemas")
    print(f"{'':16}{'by hand':>8}{'proposed':>9}{'of those':>9}{'same':>6}{'but words':>10}")
    for name in SEVEN:
        counts = compare(entries, name)
        print(
            f"{name:16}{counts.by_hand:8}{counts.proposed:9}{counts.proposed_by_hand:9}"
            f"{counts.same:6}{counts.same_but_words:10}",
            flush=True,
        )


if __name__ == "__main__":
    main()
