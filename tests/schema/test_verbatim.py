"""Sentences that are to be read as they stand."""

from dataclasses import replace

from hypothesis import given

from horsesense.schema import BLANK, Cell, Grid, LooseGrid, Schema, Span, problems, wrap
from horsesense.schema.notation import parse_grid, parse_wrapper, print_grid
from tests.strategies import grids, patient, wild


def verbatim(grid: Grid) -> Grid:
    if isinstance(grid, Schema):
        return replace(grid, verbatim=True)
    return LooseGrid(tuple(replace(row, verbatim=True) for row in grid.rows))


def test_nothing_is_put_right_in_a_verbatim_sentence() -> None:
    grid = parse_grid("! the owls , he said , hunt <his = tom, ann> {vole, voles}")
    assert grid.sentence(Cell(0, 0)).text == "the owls , he said , hunt tom vole"


def test_the_same_sentence_is_put_right_without_the_mark() -> None:
    grid = parse_grid("the owls , he said , hunt <his = tom, ann> {vole, voles}")
    assert grid.sentence(Cell(0, 0)).text == "The owls , he said , hunt tom's vole."


def test_the_spans_of_a_verbatim_sentence_are_known() -> None:
    grid = parse_grid("! [1: the owl] saw [2: the vole] , <it = the owl*, the vole> fled")
    sentence = grid.sentence(Cell(0, 1))
    assert sentence.text == "the owl saw the vole , the vole fled"
    assert sentence.spans[:2] == (Span("candidate", 1, 0, 7), Span("candidate", 2, 12, 20))
    assert sentence.phrases_of(sentence.spans[2].role) == ("the vole",)


def test_a_verbatim_problem_shows_its_blank() -> None:
    (problem,) = problems(parse_grid("! so <the owl*, the vole> fled"))
    assert problem.statement.text == f"so {BLANK} fled"
    assert [sentence.text for sentence in problem.sentences] == [
        "so the owl fled",
        "so the vole fled",
    ]


def test_a_text_that_begins_with_an_exclamation_mark_is_not_verbatim() -> None:
    grid = parse_grid("\\!ay <caramba*, nada> dijo")
    assert grid.sentence(Cell(0, 0)).text == "!Ay caramba dijo."
    assert parse_grid(print_grid(grid)) == grid


@given(grids(wild))
@patient
def test_a_verbatim_grid_is_printed_and_read_back(grid: Grid) -> None:
    grid = verbatim(grid)
    assert parse_grid(print_grid(grid)) == grid


def test_what_is_wrapped_is_put_right_again() -> None:
    schema = parse_grid("! owls <hunt, fear> {voles, foxes}")
    assert isinstance(schema, Schema)
    dyad = wrap(schema, parse_wrapper("it is |true, false| that …"))
    assert dyad.sentence(Cell(0, 0, 0)).text == "It is true that owls hunt voles."
