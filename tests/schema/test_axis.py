import pytest

from horsesense.errors import SchemaError
from horsesense.schema import Axis, AxisName, Cell, Slot, find_unprintable, pair, transposed
from horsesense.schema.axis import check_axis, is_clean


def complaint(axis: Axis, *, may_be_empty: bool = False) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        check_axis(axis, AxisName.KEY, may_be_empty=may_be_empty)
    return caught.value


def test_a_pair_has_one_placeholder_and_two_values() -> None:
    axis = pair("damp", "dry")
    assert (axis.placeholders, len(axis)) == (1, 2)
    assert [axis.phrase(value, Slot(AxisName.KEY, 0)) for value in (0, 1)] == ["damp", "dry"]


def test_transposing_puts_each_phrase_into_each_placeholder_once() -> None:
    axis = transposed("owls", "voles")
    assert [axis.phrase(1, Slot(AxisName.KEY, index)) for index in (0, 1)] == ["voles", "owls"]


@pytest.mark.parametrize(("axis", "value"), [*zip(AxisName, (4, 5, 6), strict=True)])
def test_a_cell_knows_its_coordinate_along_each_axis(axis: AxisName, value: int) -> None:
    assert Cell(4, 5, 6).along(axis) == value


def test_a_cell_is_moved_along_one_axis_only() -> None:
    assert Cell(0, 1, 1).moved(AxisName.ANSWER, 0) == Cell(0, 0, 1)


@pytest.mark.parametrize("values", [(), (("damp",),)])
def test_fewer_than_two_values_leave_nothing_to_choose(values: tuple[tuple[str], ...]) -> None:
    assert str(complaint(Axis(values))) == "a choice needs two key phrases or more"


def test_equal_phrases_leave_nothing_to_choose() -> None:
    error = complaint(pair("damp", "damp"))
    assert str(error) == "'damp' occurs twice; the options must differ"


def test_equal_values_of_two_placeholders_are_shown_together() -> None:
    error = complaint(Axis((("owls", "voles"), ("owls", "voles"))))
    assert str(error) == "'owls / voles' occurs twice; the options must differ"


def test_values_that_fill_different_numbers_of_placeholders_are_refused() -> None:
    error = complaint(Axis((("owls", "voles"), ("owls",))))
    assert str(error) == "the key placeholders hold different numbers of phrases"


def test_an_empty_phrase_is_refused_at_its_placeholder() -> None:
    error = complaint(Axis((("owls", "voles"), ("voles", ""))))
    assert (str(error), error.index) == ("a key phrase is empty", 1)


def test_an_empty_phrase_may_be_allowed() -> None:
    check_axis(pair("", "very"), AxisName.KEY, may_be_empty=True)


@pytest.mark.parametrize("phrase", [" damp", "damp ", "very  damp", "damp\t", "da\nmp"])
def test_a_phrase_must_be_clean_text(phrase: str) -> None:
    assert str(complaint(pair("dry", phrase))) == (
        f"{phrase!r} is not clean text: single spaces, none at the ends, no control characters"
    )


@pytest.mark.parametrize("char", "\x00\t\n\r\x1f\x7f\x85\x9f\ud800\udfff\u2028\u2029\ufeff")
def test_what_has_no_place_in_a_sentence_is_found(char: str) -> None:
    assert find_unprintable(f"ça {char} là") == char


@pytest.mark.parametrize("text", ["", "damp oats", "été", "木", "a\xa0b", "क्‍ष", "so… “well”"])
def test_text_of_any_language_is_clean(text: str) -> None:
    assert find_unprintable(text) == "" and is_clean(text)


def test_the_first_of_several_bad_characters_is_named() -> None:
    assert find_unprintable("a\x07b\tc") == "\x07"
