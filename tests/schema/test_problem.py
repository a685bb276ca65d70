from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given

from horsesense.errors import SchemaError
from horsesense.schema import (
    AxisName,
    Cell,
    Grid,
    LooseGrid,
    Mode,
    Part,
    Schema,
    Slot,
    fixed_axis,
    modes,
    problems,
    schemas,
)
from horsesense.schema.notation import parse_grid
from tests.strategies import (
    brisk,
    dyads,
    grids,
    loose_grids,
    minimal_pairs,
    patient,
    squares,
    substitutions,
)

BY_ANSWER, BY_KEY, BY_BOOLEAN = Mode.BY_ANSWER, Mode.BY_KEY, Mode.BY_BOOLEAN
HAY = parse_grid("hay <keeps, rots> when {dry, damp}")
OWLS = parse_grid("{owls, voles} <eat, flee> {voles, owls}")
DYAD = parse_grid("It is |so, not so| that hay <keeps, rots> when {dry, damp}.")
ROW = "hay <keeps*, rots> here"


def statements(grid: Grid, mode: Mode) -> list[str]:
    return [problem.statement.text for problem in problems(grid, mode)]


def inverted(schema: Schema) -> Schema:
    """Keys for answers and answers for keys."""
    other = {AxisName.KEY: AxisName.ANSWER, AxisName.ANSWER: AxisName.KEY}

    def turned(part: Part) -> Part:
        return Slot(other[part.axis], part.index) if isinstance(part, Slot) else part

    frame = tuple(turned(part) for part in schema.frame)
    return replace(schema, frame=frame, keys=schema.answers, answers=schema.keys)


_invertible = substitutions().filter(lambda schema: all(all(v) for v in schema.keys.values))


@given(_invertible)
@brisk
def test_inverting_twice_gives_the_schema_back(schema: Schema) -> None:
    assert inverted(inverted(schema)) == schema


@given(_invertible)
@patient
def test_solving_by_key_is_solving_the_inverted_schema_by_answer(schema: Schema) -> None:
    by_key, by_answer = problems(schema, BY_KEY), problems(inverted(schema), BY_ANSWER)
    assert [[s.text for s in p.sentences] for p in by_key] == [
        [s.text for s in p.sentences] for p in by_answer
    ]
    assert [(p.statement.text, p.options, p.right) for p in by_key] == [
        (p.statement.text, p.options, p.right) for p in by_answer
    ]


@given(squares() | dyads())
@patient
def test_all_modes_share_the_same_sentences(schema: Schema) -> None:
    everything = Counter(schema.sentence(cell) for cell in schema.cells)
    for mode in modes(schema):
        posed = Counter(s for problem in problems(schema, mode) for s in problem.sentences)
        assert posed == everything


@given(grids())
@brisk
def test_the_problems_of_a_mode_share_out_the_cells(grid: Grid) -> None:
    for mode in modes(grid):
        posed = [cell for problem in problems(grid, mode) for cell in problem.cells]
        assert sorted(posed) == sorted(grid.cells)


@given(grids())
@patient
def test_the_right_option_is_the_one_sensible_cell_if_any_is_known(grid: Grid) -> None:
    for mode in modes(grid):
        for problem in problems(grid, mode):
            sense = [grid.is_sensible(cell) for cell in problem.cells]
            if problem.right is None:
                assert set(sense) == {None}
            else:
                assert sense.count(True) == 1 and sense[problem.right]


@given(grids())
@brisk
def test_options_and_sentences_belong_to_the_cells_in_their_order(grid: Grid) -> None:
    for mode in modes(grid):
        for problem in problems(grid, mode):
            assert problem.sentences == tuple(map(grid.sentence, problem.cells))
            assert len(problem.options) == len(problem.cells)
            assert [c.along(mode.axis) for c in problem.cells] == [*range(len(problem.cells))]


@given(grids())
@brisk
def test_every_option_has_a_phrase_for_every_blank(grid: Grid) -> None:
    for mode in modes(grid):
        for problem in problems(grid, mode):
            sizes = {len(option) for option in problem.options}
            assert sizes == {problem.blanks or 1}


def test_a_square_is_solved_by_answer_key_after_key() -> None:
    first, second = problems(HAY)
    assert first.statement.text == "Hay ___ when dry."
    assert (first.options, first.right) == ((("keeps",), ("rots",)), 0)
    assert second.statement.text == "Hay ___ when damp."
    assert (second.cells, second.right) == ((Cell(1, 0), Cell(1, 1)), 1)


def test_a_square_is_solved_by_key_answer_after_answer() -> None:
    first, second = problems(HAY, BY_KEY)
    assert first.statement.text == "Hay keeps when ___."
    assert (first.options, first.right) == ((("dry",), ("damp",)), 0)
    assert (second.statement.text, second.right) == ("Hay rots when ___.", 1)


def test_a_transposition_by_key_has_two_blanks_and_ordered_pairs_as_options() -> None:
    first, second = problems(OWLS, BY_KEY)
    assert (first.statement.text, first.blanks) == ("___ eat ___.", 2)
    assert first.options == (("Owls", "voles"), ("Voles", "owls"))
    assert (first.right, second.right) == (0, 1)


def test_options_are_spelt_as_they_stand_in_the_sentence() -> None:
    grid = parse_grid("<their = millers, oxen> hay {rots, keeps}")
    assert problems(grid)[0].options == (("Millers'",), ("Oxen's",))


def test_an_empty_key_phrase_is_an_option_like_others() -> None:
    problem = problems(parse_grid("hay <keeps, rots> {, at sea}"), BY_KEY)[0]
    assert (problem.statement.text, problem.options) == ("Hay keeps ___.", (("",), ("at sea",)))


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        (
            BY_ANSWER,
            [
                ("It is so that hay ___ when dry.", 0),
                ("It is not so that hay ___ when dry.", 1),
                ("It is so that hay ___ when damp.", 1),
                ("It is not so that hay ___ when damp.", 0),
            ],
        ),
        (
            BY_KEY,
            [
                ("It is so that hay keeps when ___.", 0),
                ("It is so that hay rots when ___.", 1),
                ("It is not so that hay keeps when ___.", 1),
                ("It is not so that hay rots when ___.", 0),
            ],
        ),
        (
            BY_BOOLEAN,
            [
                ("It is ___ that hay keeps when dry.", 0),
                ("It is ___ that hay rots when dry.", 1),
                ("It is ___ that hay keeps when damp.", 1),
                ("It is ___ that hay rots when damp.", 0),
            ],
        ),
    ],
)
def test_a_dyad_poses_four_problems_in_each_mode(
    mode: Mode, expected: list[tuple[str, int]]
) -> None:
    assert [(p.statement.text, p.right) for p in problems(DYAD, mode)] == expected


# Table 3.5 written out: what is fixed to make a schema, then the blanks of its two problems.
SO, NOT_SO = "It is so that hay", "It is not so that hay"
TABLE = {
    (BY_ANSWER, BY_KEY): [
        (f"{SO} ___ when dry.", f"{SO} ___ when damp."),
        (f"{NOT_SO} ___ when dry.", f"{NOT_SO} ___ when damp."),
    ],
    (BY_ANSWER, BY_BOOLEAN): [
        (f"{SO} ___ when dry.", f"{NOT_SO} ___ when dry."),
        (f"{SO} ___ when damp.", f"{NOT_SO} ___ when damp."),
    ],
    (BY_KEY, BY_ANSWER): [
        (f"{SO} keeps when ___.", f"{SO} rots when ___."),
        (f"{NOT_SO} keeps when ___.", f"{NOT_SO} rots when ___."),
    ],
    (BY_KEY, BY_BOOLEAN): [
        (f"{SO} keeps when ___.", f"{NOT_SO} keeps when ___."),
        (f"{SO} rots when ___.", f"{NOT_SO} rots when ___."),
    ],
    (BY_BOOLEAN, BY_ANSWER): [
        ("It is ___ that hay keeps when dry.", "It is ___ that hay rots when dry."),
        ("It is ___ that hay keeps when damp.", "It is ___ that hay rots when damp."),
    ],
    (BY_BOOLEAN, BY_KEY): [
        ("It is ___ that hay keeps when dry.", "It is ___ that hay keeps when damp."),
        ("It is ___ that hay rots when dry.", "It is ___ that hay rots when damp."),
    ],
}
# Standing alone, by answer and by key fix the truth value, by boolean the key.
ALONE = {BY_ANSWER: BY_KEY, BY_KEY: BY_ANSWER, BY_BOOLEAN: BY_ANSWER}


def faces(mode: Mode, compared_with: Mode | None) -> list[tuple[str, str]]:
    grouped = schemas(DYAD, mode, compared_with=compared_with)
    return [(one.statement.text, two.statement.text) for one, two in grouped]


@pytest.mark.parametrize(("mode", "other"), TABLE)
def test_a_dyad_is_cut_into_the_schemas_that_both_modes_can_solve(mode: Mode, other: Mode) -> None:
    assert faces(mode, other) == TABLE[mode, other]


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("is_compared_with_itself", [True, False])
def test_a_dyad_alone_is_cut_at_a_fixed_truth_or_by_boolean_at_a_fixed_key(
    mode: Mode, is_compared_with_itself: bool
) -> None:
    assert faces(mode, mode if is_compared_with_itself else None) == TABLE[mode, ALONE[mode]]


@pytest.mark.parametrize(("mode", "other"), TABLE)
def test_compared_modes_cut_a_dyad_into_the_same_faces(mode: Mode, other: Mode) -> None:
    def cells(one: Mode, two: Mode) -> list[set[Cell]]:
        return [
            {c for p in face for c in p.cells} for face in schemas(DYAD, one, compared_with=two)
        ]

    assert cells(mode, other) == cells(other, mode)


@pytest.mark.parametrize(("mode", "other"), TABLE)
def test_the_axis_that_is_fixed_is_open_in_neither_mode(mode: Mode, other: Mode) -> None:
    assert {mode.axis, other.axis, fixed_axis(mode, other)} == set(AxisName)


@given(squares())
@brisk
def test_a_square_is_one_schema_in_either_mode(square: Schema) -> None:
    for mode in (BY_ANSWER, BY_KEY):
        assert schemas(square, mode, compared_with=BY_BOOLEAN) == (problems(square, mode),)


@given(loose_grids())
@brisk
def test_neighbours_of_a_loose_grid_make_a_schema(grid: LooseGrid) -> None:
    posed = problems(grid)
    assert schemas(grid) == tuple(zip(posed, posed[1:], strict=False))


def test_a_triple_is_three_problems_in_two_schemas_that_share_one() -> None:
    triple = parse_grid(f"{ROW}\n& hay <burns*, freezes> there\n& rye <keeps, rots*> there")
    (one, shared), (shared_too, two) = schemas(triple)
    assert shared == shared_too and problems(triple) == (one, shared, two)


@pytest.mark.parametrize("notation", [ROW, "<hay keeps*, hay rots>"])
def test_a_problem_without_a_twin_makes_no_schema(notation: str) -> None:
    assert schemas(parse_grid(notation)) == ()


def test_an_unlabelled_problem_has_no_right_option() -> None:
    (problem,) = problems(parse_grid("hay <? keeps, rots, burns> here"))
    assert problem.right is None and len(problem.options) == 3


def test_a_row_with_two_blanks_fills_both() -> None:
    (problem,) = problems(parse_grid("<owls, voles*> flee <voles, owls>"))
    assert (problem.statement.text, problem.blanks, problem.right) == ("___ flee ___.", 2, 1)
    assert problem.options == (("Owls", "voles"), ("Voles", "owls"))


@given(minimal_pairs())
@brisk
def test_a_minimal_pair_has_no_blank_and_its_options_are_its_sentences(pair: LooseGrid) -> None:
    (problem,) = problems(pair)
    assert (problem.statement.text, problem.blanks) == ("", 0)
    assert problem.options == tuple((sentence.text,) for sentence in problem.sentences)


@pytest.mark.parametrize(
    ("grid", "expected"),
    [
        (HAY, (BY_ANSWER, BY_KEY)),
        (OWLS, (BY_ANSWER, BY_KEY)),
        (DYAD, (BY_ANSWER, BY_KEY, BY_BOOLEAN)),
        (parse_grid(ROW), (BY_ANSWER,)),
    ],
)
def test_the_modes_of_a_grid_are_the_axes_it_has(grid: Grid, expected: tuple[Mode, ...]) -> None:
    assert modes(grid) == expected


@pytest.mark.parametrize(
    ("grid", "mode", "message"),
    [
        (
            HAY,
            BY_BOOLEAN,
            "a substitution schema cannot be solved by boolean: it has no truth pair; "
            "wrap it first",
        ),
        (
            OWLS,
            BY_BOOLEAN,
            "a transposition schema cannot be solved by boolean: it has no truth pair; "
            "wrap it first",
        ),
        (
            parse_grid(ROW),
            BY_KEY,
            "a single problem cannot be solved by key: it has no key phrases",
        ),
        (
            parse_grid(f"{ROW}\n& {ROW} too"),
            BY_KEY,
            "a loose pair cannot be solved by key: it has no key phrases",
        ),
        (
            parse_grid("<hay keeps*, hay rots>"),
            BY_KEY,
            "a minimal pair cannot be solved by key: it has no key phrases",
        ),
    ],
)
def test_a_mode_that_the_grid_does_not_have_is_refused(
    grid: Grid, mode: Mode, message: str
) -> None:
    with pytest.raises(SchemaError) as caught:
        problems(grid, mode)
    assert str(caught.value) == message


def test_a_grid_that_cannot_be_wrapped_is_not_told_to_be() -> None:
    with pytest.raises(SchemaError, match="by boolean") as caught:
        schemas(parse_grid(ROW), BY_BOOLEAN)
    assert "wrap it" not in str(caught.value)
