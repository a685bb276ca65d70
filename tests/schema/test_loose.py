import pytest
from hypothesis import given

from horsesense.errors import SchemaError
from horsesense.schema import (
    Axis,
    AxisName,
    Cell,
    Frame,
    Grid,
    Kind,
    LooseGrid,
    LooseProblem,
    Part,
    Phrases,
    Slot,
    pair,
    transposed,
)
from horsesense.schema.notation import parse_grid
from tests.strategies import brisk, loose_grids, minimal_pairs, rows, singles

ANSWER, ANSWER_TOO = Slot(AxisName.ANSWER, 0), Slot(AxisName.ANSWER, 1)
HAY: Frame = ("hay ", ANSWER)


def row(*frame: Part, answers: Axis | None = None, right: int | None = 0) -> LooseProblem:
    return LooseProblem(frame or HAY, answers or pair("keeps", "rots"), right)


def complaint(*frame: Part, answers: Axis | None = None, right: int | None = 0) -> SchemaError:
    with pytest.raises(SchemaError) as caught:
        row(*frame, answers=answers, right=right)
    return caught.value


def refusal(*rows: LooseProblem) -> str:
    with pytest.raises(SchemaError) as caught:
        LooseGrid(rows)
    return str(caught.value)


@given(singles())
def test_a_row_alone_is_a_single_problem(grid: Grid) -> None:
    assert grid.kind is Kind.SINGLE and not grid.is_dyad


@given(minimal_pairs())
def test_a_row_without_a_blank_is_a_minimal_pair(grid: Grid) -> None:
    assert grid.kind is Kind.MINIMAL_PAIR


@given(loose_grids())
@brisk
def test_several_rows_are_loose_twins(grid: Grid) -> None:
    assert grid.kind is Kind.LOOSE


@given(loose_grids())
@brisk
def test_a_loose_grid_has_a_cell_for_every_answer_of_every_row(grid: LooseGrid) -> None:
    assert len(set(grid.cells)) == sum(len(row.answers) for row in grid.rows)


@given(rows())
@brisk
def test_one_cell_of_a_labelled_row_is_sensible_and_of_no_other_is_it_known(
    row: LooseProblem,
) -> None:
    grid = LooseGrid((row,))
    sense = [grid.is_sensible(cell) for cell in grid.cells]
    assert sense.count(True) == (row.right is not None)
    assert sense.count(None) == (0 if row.right is not None else len(row.answers))


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_a_row_may_have_two_to_five_answers(count: int) -> None:
    words = ("keeps", "rots", "burns", "floats", "sinks")[:count]
    grid = LooseGrid((row(answers=Axis(tuple((word,) for word in words))),))
    assert [grid.sentence(cell).text for cell in grid.cells] == [f"Hay {word}." for word in words]


def test_an_answer_may_fill_two_blanks() -> None:
    grid = LooseGrid((row(ANSWER, " eat ", ANSWER_TOO, answers=transposed("owls", "voles")),))
    assert grid.sentence(Cell(0, 1)).text == "Voles eat owls."
    assert grid.sentence(Cell(0, 0), blank=AxisName.ANSWER).text == "___ eat ___."


def test_leaving_another_axis_blank_leaves_a_row_as_it_is() -> None:
    grid = LooseGrid((row(),))
    assert grid.sentence(Cell(0, 0), blank=AxisName.KEY) == grid.sentence(Cell(0, 0))


@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("so <it = hay*, rye> burned", True),
        ("so <hay*, rye> burned", False),
        ("so <it = hay*, rye> burned\n& so <hay*, rye> froze", False),
        ("so <it = hay*, rye> burned\n& so <it = hay, rye*> froze", True),
    ],
)
def test_a_loose_grid_is_winograd_where_all_its_rows_have_targets(
    notation: str, expected: bool
) -> None:
    assert parse_grid(notation).is_winograd is expected


@pytest.mark.parametrize("right", [2, 5])
def test_the_right_answer_must_be_one_of_the_answers(right: int) -> None:
    error = complaint(right=right)
    assert (str(error), error.axis) == (f"there is no answer {right + 1}", "answer")


def test_a_negative_answer_is_refused() -> None:
    assert "no answer" in str(complaint(right=-1))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ((("keeps",),), "a choice needs two answer phrases or more"),
        ((("keeps",), ("keeps",)), "'keeps' occurs twice; the options must differ"),
        ((("keeps",), ("",)), "an answer phrase is empty"),
    ],
)
def test_the_answers_of_a_row_must_leave_a_choice(
    values: tuple[Phrases, ...], message: str
) -> None:
    assert str(complaint(answers=Axis(values))) == message


def test_three_blanks_are_refused() -> None:
    three = Axis((("a", "b", "c"), ("c", "b", "a")))
    error = complaint(ANSWER, ANSWER_TOO, Slot(AxisName.ANSWER, 2), answers=three)
    assert (str(error), error.index) == ("a problem has one or two blanks", 2)


def test_a_row_must_have_a_place_for_its_answer() -> None:
    assert str(complaint("hay keeps")) == "the answer fills 1 placeholders, the sentence has 0"


def test_a_grid_without_rows_is_refused() -> None:
    assert refusal() == "a grid needs at least one problem"


def test_a_minimal_pair_has_no_twin() -> None:
    assert refusal(row(ANSWER), row()) == "a minimal pair cannot have a twin"


def test_the_same_problem_twice_is_refused() -> None:
    assert refusal(row(), row(right=1), row()) == "the same problem occurs twice"
