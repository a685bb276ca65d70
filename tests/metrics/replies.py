"""Replies to problems, from which laws make samples and sets alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TypeAlias

from hypothesis import strategies as st

from horsesense.metrics import Data, Metric, Paired, Sample, Ties, paired, sample
from horsesense.scoring import Share
from tests.metrics.loops import Answers

MARKS = ("female", "male", "gotcha", "equal-length", "second-last")


@dataclass(frozen=True)
class Reply:
    """Whether a problem was solved, None for undecided, and which of its two options is right."""

    solved: bool | None
    right: int = 0
    marks: frozenset[str] = frozenset()

    @property
    def chosen(self) -> int:
        if self.solved is None:
            return -1
        return self.right if self.solved else 1 - self.right


Row: TypeAlias = tuple[Reply, Reply]
# The schemas before, and after where a metric compares.
Case: TypeAlias = tuple[tuple[Row, Row], ...]

_WAYS = 2 * 2 ** len(MARKS)


def cases(*solved: bool | None) -> st.SearchStrategy[Case]:
    """Up to six schemas, before and after; a number for each reply, as it is drawn the fastest."""
    numbers = st.integers(0, len(solved) * _WAYS - 1)

    def reply(number: int) -> Reply:
        rest, verdict = divmod(number, len(solved))
        rest, right = divmod(rest, 2)
        held = frozenset(name for at, name in enumerate(MARKS) if rest >> at & 1)
        return Reply(solved[verdict], right, held)

    row = st.tuples(numbers, numbers).map(lambda two: (reply(two[0]), reply(two[1])))
    return st.lists(st.tuples(row, row), max_size=6).map(tuple)


with_undecided = cases(True, False, None)
all_decided = cases(True, False)
rules = st.sampled_from(Ties)


def sample_of_rows(listed: Sequence[Row], ties: Ties = Ties.FAILED) -> Sample:
    return sample(
        [[one.solved for one in row] for row in listed],
        ties=ties,
        chosen=[[one.chosen for one in row] for row in listed],
        marks={name: [[name in one.marks for one in row] for row in listed] for name in MARKS},
    )


# A law asks one metric after the other of a case or two.
@lru_cache(maxsize=4)
def paired_of(case: Case, ties: Ties = Ties.FAILED) -> Paired:
    old, new = (sample_of_rows([pair[side] for pair in case], ties) for side in (0, 1))
    return paired(old, new)


def data_of(metric: Metric, case: Case, ties: Ties = Ties.FAILED) -> Data:
    pair = paired_of(case, ties)
    return pair if metric.is_paired else pair.before


def value_of(metric: Metric, data: Data) -> float | None:
    found = metric(data)
    assert isinstance(found, Share) == metric.is_share
    return found.value


def sets_of(case: Case, side: int) -> Answers:
    replies = {
        (schema, number): reply
        for schema, pair in enumerate(case)
        for number, reply in enumerate(pair[side])
    }
    return Answers(
        range(len(case)),
        {at for at, one in replies.items() if one.solved},
        {at for at, one in replies.items() if one.chosen == 0},
        {name: {at for at, one in replies.items() if name in one.marks} for name in MARKS},
    )


def guesses(schemas: int) -> Iterator[Case]:
    """All that guessing can come to, each as likely as another; every cell of marks is filled."""
    first = Reply(True, 0, frozenset(MARKS) - {"gotcha"})
    second = Reply(True, 1, frozenset(MARKS))
    patterns = [
        (Reply(a, first.right, first.marks), Reply(b, second.right, second.marks))
        for a, b in product([True, False], repeat=2)
    ]
    return product(list(product(patterns, patterns)), repeat=schemas)
