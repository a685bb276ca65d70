from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.perturbations.rewriting import RunKind, side, word_diff

SAME, REMOVED, ADDED = RunKind.SAME, RunKind.REMOVED, RunKind.ADDED
WORDS = st.sampled_from(["the", "The", "kettle", "lid's", "old-fashioned", "was", ",", "."])
SENTENCES = st.one_of(st.lists(WORDS, max_size=12).map(" ".join), st.text(max_size=30))


@pytest.mark.parametrize(
    ("before", "after", "runs"),
    [
        (
            "The kettle boils.",
            "The kettle boiled.",
            [(SAME, "The kettle "), (REMOVED, "boils"), (ADDED, "boiled"), (SAME, ".")],
        ),
        ("the lid", "the old lid", [(SAME, "the "), (ADDED, "old "), (SAME, "lid")]),
        ("the old lid", "the lid", [(SAME, "the "), (REMOVED, "old "), (SAME, "lid")]),
        ("Nora's lid", "Nora lid", [(REMOVED, "Nora's"), (ADDED, "Nora"), (SAME, " lid")]),
        ("a lid", "a lid", [(SAME, "a lid")]),
        ("", "a lid", [(ADDED, "a lid")]),
        ("", "", []),
    ],
)
def test_words_are_kept_removed_or_added(
    before: str, after: str, runs: list[tuple[RunKind, str]]
) -> None:
    assert [tuple(run) for run in word_diff(before, after)] == runs


def test_changes_side_by_side_are_one() -> None:
    runs = word_diff("It was too long.", "They were too long.")
    assert [tuple(run) for run in runs] == [
        (REMOVED, "It was"),
        (ADDED, "They were"),
        (SAME, " too long."),
    ]


@given(SENTENCES, SENTENCES)
def test_each_side_spells_its_sentence(before: str, after: str) -> None:
    runs = word_diff(before, after)
    assert "".join(run.text for run in side(runs, REMOVED)) == before
    assert "".join(run.text for run in side(runs, ADDED)) == after


@given(SENTENCES, SENTENCES)
def test_runs_are_empty_nowhere_and_white_space_joins_no_two_changes(
    before: str, after: str
) -> None:
    runs = word_diff(before, after)
    assert all(run.text for run in runs)
    for one, gap, other in zip(runs, runs[1:], runs[2:], strict=False):
        is_gap = gap.kind is SAME and gap.text.isspace()
        assert not (is_gap and one.kind is not SAME and other.kind is not SAME)


@given(SENTENCES)
def test_a_sentence_does_not_differ_from_itself(sentence: str) -> None:
    assert {run.kind for run in word_diff(sentence, sentence)} <= {SAME}
