"""Quick ways that spare a slow one where it is plain what that would say: they say the same."""

from os.path import commonprefix

from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.recovery import shared_end, shared_start, trimmed
from horsesense.datasets.recovery.differences import needs_nothing, tidied
from tests.strategies import patient

_CHARACTERS = st.sampled_from("ab| .é\t\n\x00\x1f\x85\xa0\u3000\u2028\ufeff木") | st.characters()
any_texts = st.text(_CHARACTERS, max_size=8)
like_texts = st.text("ab é木", max_size=12)


@given(st.lists(any_texts, min_size=1, max_size=3), st.lists(any_texts, max_size=3))
@patient
def test_what_needs_nothing_is_not_changed_by_any_step(
    texts: list[str], phrases: list[str]
) -> None:
    if needs_nothing(texts, phrases):
        steps: list[str] = []
        assert texts[0] == texts[0].lstrip() and texts[-1] == texts[-1].rstrip()
        assert [tidied(text, steps.append) for text in texts] == texts
        assert [trimmed(phrase, steps.append) for phrase in phrases] == phrases
        assert not steps


def test_plain_texts_with_a_space_where_they_meet_need_nothing() -> None:
    assert needs_nothing(["Because ", " is wet."], ["the étage", "木"])
    assert not needs_nothing([" Because ", " is wet."], ["the étage", "木"])
    assert not needs_nothing(["Because ", " is wet."], ["the étage ", "木"])


@given(like_texts, like_texts)
@patient
def test_texts_begin_alike_as_far_as_their_characters_are_equal(first: str, second: str) -> None:
    assert shared_start(first, second) == len(commonprefix((first, second)))


@given(like_texts, like_texts, st.integers(0, 12))
@patient
def test_texts_end_alike_as_far_as_their_characters_are_equal(
    first: str, second: str, most: int
) -> None:
    most = min(most, len(first), len(second))
    assert shared_end(first, second, most) == min(
        most, len(commonprefix((first[::-1], second[::-1])))
    )
