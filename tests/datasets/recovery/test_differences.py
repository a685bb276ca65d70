"""How two statements differ, and what of that is a key phrase."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.recovery import Difference, Scattered, difference
from horsesense.datasets.recovery.differences import key_differences, widened, widened_by
from tests.datasets.recovery.twins import WORDS
from tests.strategies import patient

FIRST = "\x00"
_texts = st.lists(st.sampled_from([*WORDS, FIRST, "-", "’", "  "]), max_size=6).map(" ".join)
any_texts = _texts | st.text("ab'’- .\x00", max_size=10) | st.text(max_size=10)


def exchanged(first: str, *differences: Difference) -> str:
    """The first text with what the second has in the places of the differences."""
    for one in sorted(differences, reverse=True):
        assert first[one.start : one.end] == one.first
        first = first[: one.start] + one.second + first[one.end :]
    return first


def phrases(
    first: str, second: str, *, contiguous: bool = False, transposed: bool = True
) -> list[tuple[str, str]]:
    """What is exchanged between two statements with `_` for the blank."""
    texts = (text.replace("_", FIRST) for text in (first, second))
    found = key_differences(*texts, contiguous=contiguous, transposed=transposed)
    return [(one.first, one.second) for one in found]


@pytest.mark.parametrize(
    "first, second, expected",
    [
        ("Owls hunt.", "Owls hunt.", ("", "")),
        ("Owls hunt.", "Owls sing.", ("hunt", "sing")),
        ("Owls hunt.", "Owls hunts.", ("hunt", "hunts")),
        ("The owl's nest", "The owl nest", ("owl's", "owl")),
        ("a well-known owl", "a well-fed owl", ("well-known", "well-fed")),
        ("Lena isn’t in", "Lena is in", ("isn’t", "is")),
        ("the owl, too", "the owl too", (",", "")),
        ("an old owl", "an owl", ("old ", "")),
        ("“Yes”, she said", "“No”, she said", ("Yes", "No")),
        ("he is -5 now", "he is 5 now", ("-", "")),
        ("a lot of moss here", "a bit of fog here", ("lot of moss", "bit of fog")),
        ("so was it", "so was", (" it", "")),
        ("", "owls", ("", "owls")),
    ],
)
def test_a_difference_is_the_least_stretch_of_whole_words(
    first: str, second: str, expected: tuple[str, str]
) -> None:
    found = difference(first, second)
    assert (found.first, found.second) == expected
    assert exchanged(first, found) == second
    assert exchanged(second, difference(second, first)) == first


@given(any_texts, any_texts)
@patient
def test_putting_the_second_phrase_in_the_place_of_the_first_gives_the_second_text(
    first: str, second: str
) -> None:
    assert exchanged(first, difference(first, second)) == second


@given(any_texts, any_texts)
@patient
def test_differing_is_mutual(first: str, second: str) -> None:
    one, other = difference(first, second), difference(second, first)
    assert (one.start, one.first, one.second) == (other.start, other.second, other.first)


@given(any_texts, any_texts)
@patient
def test_no_space_stands_at_the_same_end_of_both_phrases(first: str, second: str) -> None:
    _, _, one, other = difference(first, second)
    assert not (one.startswith(" ") and other.startswith(" "))
    assert not (one.endswith(" ") and other.endswith(" "))


@given(any_texts)
@patient
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert difference(text, text)[2:] == ("", "")


@given(any_texts, any_texts, st.booleans(), st.booleans())
@patient
def test_one_key_phrase_holds_no_blank_and_tells_all(
    first: str, second: str, contiguous: bool, transposed: bool
) -> None:
    try:
        keys = key_differences(first, second, contiguous=contiguous, transposed=transposed)
    except Scattered as error:
        assert str(error) in ("blank-in-difference", "scattered-difference")
        return
    assert len(keys) in ((1, 2) if transposed else (1,))
    if len(keys) == 1:
        assert FIRST not in keys[0].first + keys[0].second
        assert exchanged(first, *keys) == second


def test_two_stretches_that_share_no_word_are_key_phrases() -> None:
    assert phrases("A lorry <can _ a high bridge", "A lorry <can _ a low bridge") == [
        ("high", "low")
    ]


@pytest.mark.parametrize(
    "first, second, name",
    [
        ("The owl saw _ fly home", "The owl let _ fly off", "blank-in-difference"),
        ("a lot of moss so _ fled", "a bit of fog so _ fled", "scattered-difference"),
    ],
)
def test_what_is_no_key_phrase_is_named(first: str, second: str, name: str) -> None:
    with pytest.raises(Scattered, match=name):
        phrases(first, second)


def test_a_stretch_with_shared_words_is_a_key_phrase_if_asked_for() -> None:
    first, second = "a lot of moss so _ fled", "a bit of fog so _ fled"
    assert phrases(first, second, contiguous=True) == [("lot of moss", "bit of fog")]
    with pytest.raises(Scattered, match="blank-in-difference"):
        phrases("so _ fled off", "then _ fled home", contiguous=True)


@pytest.mark.parametrize(
    "first, second, keys",
    [
        ("Owls _ eat voles.", "Voles _ eat owls.", [("Owls", "Voles"), ("voles", "owls")]),
        ("_: owls eat voles", "_: voles eat owls", [("owls", "voles"), ("voles", "owls")]),
        (
            "Old grey owls _ eat voles.",
            "Voles _ eat old grey owls.",
            [("Old grey owls", "Voles"), ("voles", "old grey owls")],
        ),
        (
            "Owls _ eat small voles, too.",
            "Small voles _ eat owls, too.",
            [("Owls", "Small voles"), ("small voles", "owls")],
        ),
    ],
)
def test_two_phrases_that_change_places_are_a_transposition(
    first: str, second: str, keys: list[tuple[str, str]]
) -> None:
    assert phrases(first, second) == keys


def test_a_transposition_is_not_looked_for_where_there_can_be_none() -> None:
    with pytest.raises(Scattered, match="blank-in-difference"):
        phrases("Owls _ eat voles.", "Voles _ eat owls.", transposed=False)
    assert phrases("_: owls eat voles", "_: voles eat owls", transposed=False, contiguous=True) == [
        ("owls eat voles", "voles eat owls")
    ]


@pytest.mark.parametrize("second", ["Voles _ eat rye.", "Voles _ often eat owls.", "Voles _ eat."])
def test_what_only_resembles_a_transposition_is_none(second: str) -> None:
    with pytest.raises(Scattered):
        phrases("Owls _ eat voles.", second)


@pytest.mark.parametrize(
    "first, second, left, right, expected",
    [
        ("Owls can hunt well.", "Owls hunt well.", 1, 0, ("Owls can", "Owls")),
        ("Owls hunt well.", "Owls can hunt well.", 1, 0, ("Owls", "Owls can")),
        ("Owls can hunt well.", "Owls hunt well.", 0, 1, ("can hunt", "hunt")),
        ("Owls hunt well.", "Owls can hunt well.", 1, 2, ("Owls hunt well", "Owls can hunt well")),
        ("Owls can hunt.", "Owls may hunt.", 1, 1, ("Owls can hunt", "Owls may hunt")),
        ("Owls can hunt.", "Owls may hunt.", 0, 2, ("can hunt.", "may hunt.")),
        ("Owls can hunt.", "Owls may hunt.", 2, 9, ("can", "may")),
        ("Owls can hunt.", "Owls may hunt.", 0, 0, ("can", "may")),
    ],
)
def test_a_difference_is_widened_by_words(
    first: str, second: str, left: int, right: int, expected: tuple[str, str]
) -> None:
    wide = widened_by(first, difference(first, second), left, right)
    assert (wide.first, wide.second) == expected
    assert exchanged(first, wide) == second


def test_an_empty_phrase_is_widened_to_the_left_if_there_is_a_word() -> None:
    first, second = "Lena left, too.", "Lena left."
    assert widened(first, difference(first, second)).second == "left"
    first, second = "So they left.", "They left."
    assert widened(first, Difference(0, 3, "So ", ""))[2:] == ("So they", "they")


def test_an_empty_phrase_is_not_widened_over_the_blank_to_its_left() -> None:
    first, second = f"{FIRST} hunt well.", f"{FIRST} can hunt well."
    wide = widened(first, difference(first, second))
    assert wide[2:] == ("hunt", "can hunt")
    assert exchanged(first, wide) == second
