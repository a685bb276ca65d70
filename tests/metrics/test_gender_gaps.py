from collections.abc import Iterator
from pathlib import Path

import pytest

from horsesense.errors import MetricError
from horsesense.metrics import Sample, Ties, Value, female_gender_gap, male_gender_gap, sample
from horsesense.metrics.groups import FEMALE, GOTCHA, MALE

WINOGENDER = Path(__file__).parents[3] / "shared/data/winogender/all_sentences_gotcha.tsv"

# Two female problems that are no gotchas, two that are, and one of each that is male.
GENDERS = [[FEMALE, FEMALE], [FEMALE, FEMALE], [MALE, MALE]]
GOTCHAS = [[False, True]] * 3


def answered(values: list[list[bool | None]], ties: Ties = Ties.FAILED) -> Sample:
    marks = {name: [[one == name for one in row] for row in GENDERS] for name in (FEMALE, MALE)}
    return sample(values, ties=ties, marks={**marks, GOTCHA: GOTCHAS})


def test_a_gap_is_what_is_lost_on_gotchas() -> None:
    found = answered([[True, False], [True, True], [False, True]])
    assert female_gender_gap(found) == Value(0.5)
    assert male_gender_gap(found) == Value(-1.0)


def test_an_undecided_gotcha_counts_as_the_rule_says() -> None:
    values: list[list[bool | None]] = [[True, None], [True, True], [True, True]]
    assert female_gender_gap(answered(values)) == Value(0.5)
    assert female_gender_gap(answered(values, Ties.HALF)) == Value(0.25)


def test_neutral_problems_do_not_matter() -> None:
    marks = {FEMALE: [True, True, False], MALE: [False] * 3, GOTCHA: [False, True, False]}
    for neutral in (True, False):
        assert female_gender_gap(sample([True, True, neutral], marks=marks)) == Value(0.0)


def test_a_gap_without_gotchas_or_with_nothing_else_is_undefined() -> None:
    for gotcha in (True, False):
        marks = {FEMALE: [True, True], MALE: [False, False], GOTCHA: [gotcha] * 2}
        found = female_gender_gap(sample([True, True], marks=marks))
        assert found == Value(None, female_gender_gap.declared.undefined)
        assert male_gender_gap(sample([True, True], marks=marks)).value is None


def test_problems_that_nobody_marked_have_no_gap() -> None:
    with pytest.raises(MetricError, match="it is not known which problems are 'male'"):
        male_gender_gap([[True, False]])


@pytest.mark.skipif(not WINOGENDER.exists(), reason="needs the published file")
def test_stereotypes_alone_make_the_widest_gaps_on_winogender() -> None:
    gotchas, genders = zip(*_winogender(), strict=True)
    marks = {name: [one == name for one in genders] for name in (FEMALE, MALE)}
    stereotyped = sample([not one for one in gotchas], marks={**marks, GOTCHA: list(gotchas)})
    assert (female_gender_gap(stereotyped), male_gender_gap(stereotyped)) == (Value(1.0),) * 2
    counts = {name: sum(mark) for name, mark in marks.items()}
    assert (counts, sum(gotchas)) == ({FEMALE: 240, MALE: 240}, 240)


def _winogender() -> Iterator[tuple[bool, str]]:
    """Whether each sentence is a gotcha, and its gender, which its id ends in."""
    for line in WINOGENDER.read_text().splitlines()[1:]:
        name, _, gotcha = line.split("\t")
        yield gotcha == "1", name.removesuffix(".txt").rpartition(".")[2]
