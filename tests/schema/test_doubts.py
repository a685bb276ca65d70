import pytest
from hypothesis import given

from horsesense.schema import Grid, doubts
from horsesense.schema.notation import parse_grid
from tests.strategies import brisk, grids

UNMARKED = "no candidate is marked, so nothing that needs candidates can be done"
HER = 'the target "her" is read as an object; write "her\'s" if it is possessive'


@pytest.mark.parametrize(
    "notation",
    [
        "hay <keeps, rots> when {dry, damp}",
        "{owls, voles} <eat, flee> {voles, owls}",
        "[the jug] hit [the urn] and <it = the jug, the urn> {fell, broke}",
        "[2: the jug] was hit by [1: the urn] and <it = the urn, the jug> {fell, broke}",
        "[Ada] met [Eve] and saw <her's = Ada, Eve> hat {burn, fall}",
        "[Ada] met [Eve] and saw <her = Ada's, Eve's> hat {burn, fall}",
        "[Ada] met [Eve] and saw <her = Ada, Eve> in the {barn, kiln}",
        "[Ada] {saw, fed} [Eve] and praised <her = Ada, Eve>",
        "[Ada] {saw, fed} [Eve] and praised <her = Ada, Eve>, too",
        "the barn that that hay fills <burns, keeps> when {dry, damp}",
        "hay had had time to <dry, rot> in the {sun, rain}",
        "hay <keeps*, rots> here",
        "<hay keeps*, hay it keeps>",
    ],
)
def test_a_good_schema_raises_no_doubt(notation: str) -> None:
    assert list(doubts(parse_grid(notation))) == []


@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("{, very} <very dry, dry> hay", "two of its sentences are the same"),
        ("hay <rots*, keeps> here\n& hay <rots, keeps*> here", "two of its sentences are the same"),
        (
            "[the jug] and <it = the jug, the urn> {fell, broke}",
            "the candidate of 'the urn' is not marked",
        ),
        (
            "[2: the urn] and <it = the jug, the urn> {fell, broke}",
            "the candidate of 'the jug' is not marked",
        ),
        ("so <it = the jug, the urn> {fell, broke}", UNMARKED),
        ("so <it = the jug*, the urn> fell", UNMARKED),
        ("[Ada] met [Eve] and took <her = Ada, Eve> {hat, cap}", HER),
        ("[Ada] met [Eve] and was <her = Ada, Eve>{-like, } guest", HER),
        ("[Ada] met [Eve]. <Her = Ada, Eve> hat {burned, fell}", HER),
    ],
)
def test_what_looks_wrong_is_said(notation: str, expected: str) -> None:
    assert expected in list(doubts(parse_grid(notation)))


@pytest.mark.parametrize(
    ("notation", "doubled", "sentence"),
    [
        ("the the hay <keeps, rots> when {dry, damp}", "The the", "The the hay keeps when dry."),
        ("dry <hay, rye> {dry, hay} keeps", "hay hay", "Dry hay hay keeps."),
    ],
)
def test_a_doubled_word_is_shown_where_it_stands(
    notation: str, doubled: str, sentence: str
) -> None:
    expected = f"a word is repeated: {doubled!r} in {sentence!r}"
    assert list(doubts(parse_grid(notation))) == [expected]


def test_possessives_with_curly_apostrophes_are_possessives() -> None:
    grid = parse_grid("[Ada] met [Eve] and saw <her = Ada’s, Eve’s> hat {burn, fall}")
    assert list(doubts(grid)) == []


@given(grids())
@brisk
def test_any_grid_can_be_doubted(grid: Grid) -> None:
    assert all(doubt and "\n" not in doubt for doubt in doubts(grid))
