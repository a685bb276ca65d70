import pytest
from hypothesis import given

from horsesense.errors import NotationErrors, SchemaError
from horsesense.schema import (
    Axis,
    AxisName,
    Cell,
    Kind,
    Part,
    Schema,
    Slot,
    Target,
    pair,
    transposed,
)
from horsesense.schema.notation import parse_grid
from tests.strategies import brisk, dyads, squares, substitutions, tame, transpositions, winograds

KEY, KEY_TOO = Slot(AxisName.KEY, 0), Slot(AxisName.KEY, 1)
ANSWER, ANSWER_TOO = Slot(AxisName.ANSWER, 0), Slot(AxisName.ANSWER, 1)
TRUTH, TRUTH_TOO = Slot(AxisName.TRUTH, 0), Slot(AxisName.TRUTH, 1)
HAY = pair("keeps", "rots")


def complaint(
    *frame: Part,
    keys: Axis | None = None,
    answers: Axis = HAY,
    truths: Axis | None = None,
    target: Target | None = None,
) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        Schema(frame, keys or pair("dry", "damp"), answers, truths, target)
    return caught.value


@given(substitutions())
def test_one_key_placeholder_makes_a_substitution_schema(schema: Schema) -> None:
    assert schema.kind is Kind.SUBSTITUTION and not schema.is_winograd


@given(transpositions())
def test_two_key_placeholders_make_a_transposition_schema(schema: Schema) -> None:
    assert schema.kind is Kind.TRANSPOSITION and not schema.is_winograd


@given(winograds())
def test_a_target_makes_a_winograd_schema_which_is_one_of_substitution(schema: Schema) -> None:
    assert schema.kind is Kind.SUBSTITUTION and schema.is_winograd


@given(squares())
def test_a_square_has_four_cells_of_which_the_diagonal_is_sensible(schema: Schema) -> None:
    assert schema.cells == (Cell(0, 0), Cell(0, 1), Cell(1, 0), Cell(1, 1))
    assert [schema.is_sensible(cell) for cell in schema.cells] == [True, False, False, True]
    assert not schema.is_dyad


@given(dyads(tame))
@brisk
def test_a_dyad_has_eight_cells_of_which_four_are_sensible(dyad: Schema) -> None:
    assert len(set(dyad.cells)) == 8 and dyad.is_dyad
    assert sum(dyad.is_sensible(cell) for cell in dyad.cells) == 4


@given(dyads())
@brisk
def test_a_step_along_any_axis_turns_sense_into_nonsense(dyad: Schema) -> None:
    for cell in dyad.cells:
        for axis in AxisName:
            neighbour = cell.moved(axis, 1 - cell.along(axis))
            assert dyad.is_sensible(neighbour) is not dyad.is_sensible(cell)


def test_a_square_poses_the_four_sentences_that_its_author_meant() -> None:
    schema = Schema(("hay ", ANSWER, " when ", KEY), pair("dry", "damp"), HAY)
    assert [schema.sentence(cell).text for cell in schema.cells] == [
        "Hay keeps when dry.",
        "Hay rots when dry.",
        "Hay keeps when damp.",
        "Hay rots when damp.",
    ]


def test_transposed_keys_change_places() -> None:
    schema = Schema(
        (KEY, " ", ANSWER, " ", KEY_TOO), transposed("owls", "voles"), pair("eat", "flee")
    )
    assert [schema.sentence(cell).text for cell in schema.cells] == [
        "Owls eat voles.",
        "Owls flee voles.",
        "Voles eat owls.",
        "Voles flee owls.",
    ]


def test_the_placeholders_of_one_axis_can_be_left_blank() -> None:
    schema = Schema(
        (KEY, " ", ANSWER, " ", KEY_TOO), transposed("owls", "voles"), pair("eat", "flee")
    )
    assert schema.sentence(Cell(0, 1), blank=AxisName.KEY).text == "___ flee ___."


@pytest.mark.parametrize("count", [1, 3])
def test_keys_and_answers_come_in_twos(count: int) -> None:
    axis = Axis(tuple((word,) for word in ("dry", "damp", "wet")[:count]))
    error = complaint("hay ", ANSWER, " when ", KEY, keys=axis)
    assert str(error) == (
        f"expected two key phrases, found {count}\n"
        "  put a comma between the two, and quote a phrase that contains a comma"
    )


def test_equal_answers_are_refused() -> None:
    error = complaint("hay ", ANSWER, " when ", KEY, answers=pair("keeps", "keeps"))
    assert str(error) == "'keeps' occurs twice; the options must differ"
    assert error.axis == AxisName.ANSWER


def test_an_empty_answer_is_refused() -> None:
    error = complaint("hay ", ANSWER, " when ", KEY, answers=pair("keeps", ""))
    assert str(error) == "an answer phrase is empty"


def test_an_empty_truth_value_is_refused() -> None:
    error = complaint(TRUTH, " hay ", ANSWER, " when ", KEY, truths=pair("yes", ""))
    assert str(error) == "a truth phrase is empty"


def test_two_answer_placeholders_are_refused() -> None:
    error = complaint("hay ", ANSWER, ANSWER_TOO, KEY, answers=transposed("keeps", "rots"))
    assert str(error) == "a schema has one answer placeholder"
    assert (error.axis, error.index) == ("answer", 1)


def test_three_key_placeholders_are_refused() -> None:
    three = Axis((("a", "b", "c"), ("c", "b", "a")))
    error = complaint(KEY, KEY_TOO, Slot(AxisName.KEY, 2), ANSWER, keys=three)
    assert (str(error), error.index) == ("a schema has one or two key placeholders", 2)


def test_two_truth_placeholders_are_refused() -> None:
    error = complaint(TRUTH, TRUTH_TOO, KEY, ANSWER, truths=transposed("yes", "no"))
    assert (str(error), error.index) == ("a dyad has one truth placeholder", 1)


def test_transposed_keys_in_the_same_order_are_refused_with_the_right_order() -> None:
    keys = Axis((("owls", "owls"), ("voles", "voles")))
    error = complaint(KEY, " ", ANSWER, " ", KEY_TOO, keys=keys)
    assert str(error) == (
        "two key placeholders hold the same two phrases in opposite order\n"
        "  that would be: voles, owls"
    )
    assert (error.axis, error.index) == ("key", 1)


@pytest.mark.parametrize(
    "values", [(("owls", "mice"), ("voles", "owls")), (("a", "a"), ("a", "b"))]
)
def test_transposed_keys_with_a_third_phrase_are_refused(
    values: tuple[tuple[str, str], ...],
) -> None:
    error = complaint(KEY, " ", ANSWER, " ", KEY_TOO, keys=Axis(values))
    assert error.problem == "two key placeholders hold the same two phrases in opposite order"


def test_transposed_keys_may_differ_by_the_capital_of_the_sentence() -> None:
    keys = Axis((("Owls", "voles"), ("Voles", "owls")))
    schema = Schema((KEY, " ", ANSWER, " ", KEY_TOO), keys, pair("eat", "flee"))
    assert schema.kind is Kind.TRANSPOSITION


def test_a_winograd_schema_has_one_key_placeholder() -> None:
    error = complaint(
        KEY, " ", ANSWER, " ", KEY_TOO, keys=transposed("owls", "voles"), target=Target("it")
    )
    assert str(error) == "a Winograd schema has one key placeholder"


@pytest.mark.parametrize(
    "notation",
    [
        "<The, the> owl is {a, b}",
        "<his = Ann, Ann's> owl is {a, b}",
        "the owl is {a, b} and <c, c.>",
        "{Owls, owls} <do, do not> fly",
        "{quite, } <the, The> owl",
        "<his = Ann*, Ann's, Bea> owl",
    ],
)
def test_choices_that_give_the_same_sentence_are_refused(notation: str) -> None:
    with pytest.raises(NotationErrors, match="give the same sentence"):
        parse_grid(notation)


def test_choices_that_differ_by_a_capital_inside_a_sentence_are_fine() -> None:
    assert parse_grid("he ate off <china, China> in {a cafe, a war}").kind is Kind.SUBSTITUTION
