"""Grids made at a glance: those that are made with care, and checked part by part, are the same."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horsesense.datasets.recovery import Group, Mark, RawProblem, Scattered
from horsesense.datasets.recovery.building import careful_row, careful_square
from horsesense.datasets.recovery.differences import Difference, key_differences, plain_difference
from horsesense.datasets.recovery.modes import careful_in_mode
from horsesense.datasets.recovery.plain import plain_by_key, plain_row, plain_square
from horsesense.errors import SchemaError
from horsesense.schema import LooseGrid, Mode
from horsesense.schema.notation import print_grid
from tests.datasets.recovery.twins import PRONOUNS, WORDS, problem
from tests.strategies import patient

SAW = "The owl saw the vole, so _ fled."
OWLS = ("the owl", "the vole")
KEY = Difference(27, 31, "fled", "hid")


def words(most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=most).map(" ".join)


@st.composite
def nearly_plain(draw: st.DrawFn) -> tuple[RawProblem, list[Mark]]:
    """A problem with most of what makes one plain, and candidates anywhere."""
    start = draw(st.sampled_from(["The", "Nora", "the", "“So", "Ⓐ", "3", "", "It fled. The"]))
    end = draw(st.sampled_from([".", ".", "?", "!", "", ".”", " .", "…", ")", "\xa0"]))
    before, after = f"{start} {draw(words(4))} ".lstrip(), f" {draw(words(4))}{end}"
    before, after = draw(st.sampled_from([(before, after), ("", after), (before, ""), ("", end)]))
    options = draw(st.lists(words(3), min_size=2, max_size=3))
    ends = st.sampled_from(["", "", "'s", "’s", "'", ".", " "])
    options = [option + draw(ends) for option in options]
    found = problem("_", *options, right=draw(st.sampled_from([None, 0, 1, 2])))
    found = found._replace(texts=(before, after), pronoun=draw(st.sampled_from(PRONOUNS)))
    places = st.integers(0, len(found.statement) + 1)
    marks = draw(st.lists(st.builds(Mark, st.integers(0, 3), places, places), max_size=2))
    return found, marks if found.pronoun else []


@given(nearly_plain())
@settings(patient, max_examples=300)
def test_a_plain_row_is_the_one_that_is_made_with_care(made: tuple[RawProblem, list[Mark]]) -> None:
    row = plain_row(*made)
    if row is not None:
        assert replace(row) == row  # made again, with its checks
        assert row == careful_row(*made)


@given(nearly_plain(), words(2), words(2), st.integers(0, 60))
@settings(patient, max_examples=300)
def test_a_plain_square_is_the_one_that_is_made_with_care(
    made: tuple[RawProblem, list[Mark]], one: str, other: str, place: int
) -> None:
    found, marks = made
    key = Difference(place, place + len(one), one, other)
    statement = found.statement
    first, second = (
        found._replace(texts=tuple(f"{statement[:place]}{phrase}{statement[place:]}".split("\0")))
        for phrase in (one, other)
    )
    square = plain_square(first, second, [key], marks)
    if square is not None:
        assert replace(square) == square
        assert square == careful_square(first, second, [key], marks, None)
    by_key = [first._replace(right=0), second._replace(right=1)]
    square = plain_by_key(*by_key)
    if square is not None:
        assert replace(square) == square
        assert square == careful_in_mode(Group("q", by_key, Mode.BY_KEY), None)


@given(words(4), words(3), words(2), words(2), words(3), st.booleans())
@settings(patient, max_examples=200)
def test_a_plain_difference_is_the_one_key_phrase(
    before: str, after: str, one: str, other: str, end: str, is_before: bool
) -> None:
    sides = [(f"{before} {phrase} {end} ", after) for phrase in (one, other)]
    texts, others = sides if is_before else [side[::-1] for side in sides]
    if key := plain_difference(texts, others):
        assert key_differences("\0".join(texts), "\0".join(others), contiguous=False) == [key]


@pytest.mark.parametrize(
    "others",
    [
        ("The owl saw the vole, so ", " fled."),
        ("The elk saw the vole, so ", " hid."),
        ("The owl saw the vole, so ", " fled at once."),
        ("The owl saw the vole, so ", " hid and fled."),
    ],
)
def test_where_it_is_not_plain_there_is_none(others: tuple[str, str]) -> None:
    texts = ("The owl saw the vole, so ", " fled.")
    assert plain_difference(texts, others) is None
    if texts[0] == others[0] and texts != others:
        keys = key_differences("\0".join(texts), "\0".join(others), contiguous=True)
        assert all(not key.first or " " in key.second for key in keys)


def test_words_that_both_have_make_no_plain_difference() -> None:
    texts, others = ("So ", " hid and fled."), ("So ", " fled and sat.")
    assert plain_difference(texts, others) is None
    with pytest.raises(Scattered):
        key_differences("\0".join(texts), "\0".join(others), contiguous=False)


def test_phrases_of_several_words_do() -> None:
    assert plain_difference(("So ", " ran off."), ("So ", " was very late.")) == Difference(
        5, 12, "ran off", "was very late"
    )


@pytest.mark.parametrize(
    "text, options, pronoun, notation",
    [
        (SAW, OWLS, "", "The owl saw the vole, so <the owl*, the vole> fled."),
        (SAW, OWLS, "it", "The owl saw the vole, so <it = the owl*, the vole> fled."),
        ("It fled. _ sat.", ("The owl", "The elk"), "It", "It fled. <It = the owl*, the elk> sat."),
        ("It fled. _ sat.", ("The owl", "The elk"), "_", "It fled. <_ = the owl*, the elk> sat."),
        ("So _ nest fell.", ("Nora's", "Ada's"), "her", "So <her's = Nora*, Ada> nest fell."),
        ("So _ nest fell.", ("Nora's", "Ada's"), "his", "So <his = Nora*, Ada> nest fell."),
        ("_", ("Owls hide.", "Owl hide."), "", "<Owls hide.*, Owl hide.>"),
        ("_", ("owls hide.", "Owl hide."), "", "! <owls hide.*, Owl hide.>"),
        ("_", ("Owls hide", "Owls hid."), "", "! <Owls hide*, Owls hid.>"),
        ("the owl _", ("fled.", "hid."), "", "! the owl <fled.*, hid.>"),
        ("The owl _ now", ("fled", "hid"), "", "! The owl <fled*, hid> now"),
        ("So “_” sat.", OWLS, "", "So “<the owl*, the vole>” sat."),
        ("The owl _ “now.”", ("fled", "hid"), "", "The owl <fled*, hid> “now.”"),
    ],
)
def test_plain_rows(text: str, options: tuple[str, ...], pronoun: str, notation: str) -> None:
    found = problem(text, *options, pronoun=pronoun)
    row = plain_row(found, ())
    assert row is not None and row == careful_row(found, ())
    assert print_grid(LooseGrid((row,))) == notation


@pytest.mark.parametrize(
    "text, options, pronoun, marks",
    [
        ("_ saw _.", ("Owls / voles", "Voles / owls"), "", ()),
        (SAW, ("the owl", "the  vole"), "", ()),
        (SAW, ("the owl", "“the vole”"), "", ()),
        (SAW, ("the owl", "the voles'"), "", ()),
        (SAW, ("The owl", "The vole"), "_", ()),
        (SAW, ("the owls", "the voles"), "his", ()),
        ("So _ sat.", ("The owl", "the owl"), "_", ()),
        ("So _ sat)", OWLS, "", ()),
        ("So _ “Nora” sat.", OWLS, "it", (Mark(1, 6, 10),)),
        (SAW, OWLS, "it", (Mark(3, 0, 7),)),
        (SAW, OWLS, "it", (Mark(1, 3, 7),)),
        (SAW, OWLS, "it", (Mark(1, 4, 4),)),
        (SAW, OWLS, "it", (Mark(1, 0, 7), Mark(2, 4, 9))),
    ],
)
def test_what_is_not_plain_is_left_to_care(
    text: str, options: tuple[str, ...], pronoun: str, marks: tuple[Mark, ...]
) -> None:
    assert plain_row(problem(text, *options, pronoun=pronoun), marks) is None


def test_a_label_that_is_none_and_no_pronoun_are_left_to_care() -> None:
    assert plain_row(problem(SAW, *OWLS, right=2), ()) is None
    assert plain_row(problem(SAW, *OWLS, pronoun="?"), ()) is None
    with pytest.raises(SchemaError):
        careful_row(problem(SAW, *OWLS, right=2), ())


@pytest.mark.parametrize(
    "text, other, options, pronoun, key",
    [
        (SAW, SAW.replace("fled", "hid"), (*OWLS, "the elk"), "", KEY),
        (SAW, SAW.replace("fled", "sat"), OWLS, "", KEY),
        (SAW, SAW, OWLS, "", KEY._replace(second="fled")),
        (SAW, SAW.replace("fled", "hid"), OWLS, "?", KEY),
        (SAW, SAW.replace("fled", "“hid”"), OWLS, "", KEY._replace(second="“hid”")),
    ],
)
def test_squares_that_are_not_plain_are_left_to_care(
    text: str, other: str, options: tuple[str, ...], pronoun: str, key: Difference
) -> None:
    first, second = (problem(one, *options, pronoun=pronoun) for one in (text, other))
    assert plain_square(first, second, [key], ()) is None


@pytest.mark.parametrize("start", ["The", "the"])
def test_plain_squares(start: str) -> None:
    text = SAW.replace("The", start)
    first, second = (problem(one, *OWLS) for one in (text, text.replace("fled", "hid")))
    square = plain_square(first, second, [KEY], ())
    assert square == careful_square(first, second, [KEY], (), None)
    assert square is not None and square.verbatim is (start == "the")


@pytest.mark.parametrize(
    "text, other, is_plain",
    [
        ("So the owl _ at once.", "So the vole _ at once.", True),
        ("So the owl _ at once.", "So the vole _ late.", False),
        ("So the owl _ _ at once.", "So the vole _ _ at once.", False),
        ("So the owl _ at once.", "So the vole _ _ at once.", False),
        ("So the owl _ at once.", "So the owl, sad, _ at once.", False),
    ],
)
def test_squares_by_key(text: str, other: str, is_plain: bool) -> None:
    blanks = text.count("_")
    options = [" / ".join([phrase] * blanks) for phrase in ("fled", "hid")]
    first, second = (problem(one, *options, pronoun="it") for one in (text, other))
    assert plain_by_key(first, second) is None  # both say that the first key phrase is right
    square = plain_by_key(first, second._replace(right=1))
    assert (square is not None) is is_plain
    assert square is None or print_grid(square) == "So the <_ = owl, vole> {fled, hid} at once."
