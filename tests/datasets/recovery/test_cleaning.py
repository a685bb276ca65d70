"""White space and control characters of published text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.recovery import STEPS, trimmed
from horsesense.datasets.recovery.differences import is_tidy, tidied
from horsesense.schema import find_unprintable
from tests.strategies import patient

DIRT = "\t\n\r\x0b\x0c\x1c\x1f\x85\u2028\u2029\x00\x01\x07\x7f\ufeff\ud800"
dirty_texts = st.text(st.sampled_from(f"ab, .é\xa0\u3000  {DIRT}") | st.characters(), max_size=20)


def clean(text: str) -> tuple[str, list[str]]:
    steps: list[str] = []
    return trimmed(text, steps.append), steps


@pytest.mark.parametrize(
    "text, result, steps",
    [
        ("the owl", "the owl", []),
        ("", "", []),
        (" the owl\n", "the owl", ["exterior-whitespace"]),
        ("the\towl", "the owl", ["line-breaks"]),
        ("the \r\n  owl", "the owl", ["line-breaks"]),
        ("the  old   owl", "the old owl", ["double-spaces"]),
        ("the o\x00w\ufeffl", "the owl", ["control-characters"]),
        ("a\u2028b", "a b", ["line-breaks"]),
        (
            "one\x07 two  three\nfour",
            "one two three four",
            [*STEPS][1:2] + [*STEPS][3:] + [*STEPS][2:3],
        ),
        (" \t \n", "", ["exterior-whitespace"]),
        ("a\xa0b", "a\xa0b", []),
    ],
)
def test_each_step_is_named(text: str, result: str, steps: list[str]) -> None:
    assert clean(text) == (result, steps)


def test_every_step_is_described() -> None:
    assert list(STEPS) == [
        "exterior-whitespace",
        "line-breaks",
        "double-spaces",
        "control-characters",
    ]
    assert all(STEPS.values())


def test_text_inside_a_sentence_keeps_the_spaces_at_its_ends() -> None:
    steps: list[str] = []
    assert tidied(" because\nit  was ", steps.append) == " because it was "
    assert steps == ["line-breaks", "double-spaces"]


def test_a_space_behind_a_control_character_is_removed_with_it() -> None:
    assert clean("\x00 the owl")[0] == "the owl"
    assert clean("the owl \ufeff")[0] == "the owl"
    assert clean("the owl\xa0\x1b")[0] == "the owl"


@given(dirty_texts)
@patient
def test_what_is_cleaned_is_clean(text: str) -> None:
    result, _ = clean(text)
    assert result == result.strip() and is_tidy(result)


@given(dirty_texts)
@patient
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    result, _ = clean(text)
    assert clean(result) == (result, [])


@given(dirty_texts)
@patient
def test_a_step_is_reported_if_anything_changed_and_only_then(text: str) -> None:
    result, steps = clean(text)
    assert bool(steps) == (result != text)
    assert set(steps) <= set(STEPS) and len(set(steps)) == len(steps)


@given(dirty_texts)
@patient
def test_nothing_that_can_be_seen_is_lost(text: str) -> None:
    def visible(text: str) -> str:
        return "".join(c for c in text if not c.isspace() and not find_unprintable(c))

    assert visible(clean(text)[0]) == visible(text)
