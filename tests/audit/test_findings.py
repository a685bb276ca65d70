from __future__ import annotations

from collections.abc import Sequence

import pytest

from horsesense.audit.findings import judge, surely_solved
from horsesense.scoring.outcome import Answer, AnswerSet, decide

RIGHT, WRONG, UNDECIDED = (1.0, 2.0), (2.0, 1.0), (1.0, 1.0)


def answered(*schemas: Sequence[Sequence[float]]) -> AnswerSet:
    """What was answered to the problems of some schemas; the first option is right."""
    answers = [
        Answer(f"s{number}", at, decide(costs, 0))
        for number, costs_of_each in enumerate(schemas)
        for at, costs in enumerate(costs_of_each)
    ]
    pairs = tuple((2 * at, 2 * at + 1) for at in range(len(answers) // 2))
    return AnswerSet("made", tuple(answers), pairs if len(schemas[0]) == 2 else ())


def test_what_is_solved_throughout_is_beyond_chance() -> None:
    figures, beyond_chance = judge([answered(*[(RIGHT, RIGHT)] * 40)])
    assert "100.0% of problems" in beyond_chance
    assert "100.0% of schemas" in beyond_chance
    assert [figure.total for figure in figures] == [40 * 2, 40, None]


def test_one_answer_to_both_problems_is_chance() -> None:
    figures, beyond_chance = judge([answered(*[(RIGHT, WRONG)] * 40)])
    assert [figure.value for figure in figures] == [0.5, 0.0, 0.0]
    assert not beyond_chance


def test_guessing_which_way_round_twins_go_solves_half_of_the_schemas_by_chance() -> None:
    figures, beyond_chance = judge([answered(*[(RIGHT, RIGHT), (WRONG, WRONG)] * 40)])
    assert [figure.value for figure in figures] == [0.5, 0.5, 0.0]
    assert not beyond_chance


def test_undecided_problems_count_half() -> None:
    figures, beyond_chance = judge([answered(*[(UNDECIDED, UNDECIDED)] * 40)])
    assert [figure.value for figure in figures] == [0.5, 0.25, 1.0]
    assert not beyond_chance


@pytest.mark.parametrize(("decided", "is_caught"), [(5, False), (6, True)])
def test_a_rule_that_seldom_decides_is_caught_if_it_is_right_often_enough(
    decided: int, is_caught: bool
) -> None:
    rest = [(UNDECIDED, UNDECIDED)] * (40 - decided)
    figures, beyond_chance = judge([answered(*[(RIGHT, RIGHT)] * decided, *rest)])
    assert bool(beyond_chance) is is_caught


def test_chance_is_lower_where_there_are_more_options() -> None:
    third = [((1.0, 2.0, 3.0),), ((2.0, 1.0, 3.0),), ((2.0, 1.0, 3.0),)] * 20
    assert not judge([answered(*third)])[1]
    half = [((1.0, 2.0, 3.0),), ((2.0, 1.0, 3.0),)] * 30
    assert "chance 33.3%" in judge([answered(*half)])[1]


def test_chance_of_a_schema_follows_from_the_options_of_its_problems() -> None:
    right, wrong = (1.0, 2.0, 3.0), (2.0, 1.0, 3.0)
    # A third of the problems, which is chance, and more than a ninth of the schemas.
    twins = [(right, right), (wrong, wrong), (wrong, wrong)] * 20
    _, judged = judge([answered(*twins)])
    assert "of problems" not in judged
    assert "33.3% of schemas" in judged and "chance 11.1%" in judged


def test_schemas_of_two_options_and_of_more_have_the_chance_of_both() -> None:
    more = (1.0, 2.0, 3.0)
    _, judged = judge([answered(*[(RIGHT, RIGHT), (more, more)] * 20)])
    # One half, as all twins of two options are answered differently, and one ninth.
    assert "100.0% of schemas" in judged and "chance 30.6%" in judged


def test_several_answer_sets_are_averaged_and_their_schemas_drawn_together() -> None:
    one, other = answered(*[(RIGHT, RIGHT)] * 40), answered(*[(RIGHT, WRONG)] * 40)
    [problems, schemas, _], _ = judge([one, other])
    assert (problems.value, schemas.value) == (0.75, 0.5)
    assert (problems.total, schemas.total) == (80, 40)
    # All schemas are alike, so that it does not matter which of them are drawn.
    assert problems.interval is not None and problems.interval.low == problems.interval.high


def test_surely_solved_is_what_every_answer_set_solves_with_the_widest_margin_first() -> None:
    sure = (0.0, 9.0)
    one = answered((RIGHT, RIGHT), (sure, sure), (sure, RIGHT), (RIGHT, WRONG))
    other = answered((RIGHT, RIGHT), (sure, sure), (WRONG, RIGHT), (RIGHT, RIGHT))
    entries = [answer.entry for answer in one.answers]
    assert surely_solved([one, other], entries) == ("s1", "s0")
