"""Twins that are not marked."""

import pytest

from horsesense.datasets.importers.neighbours import twins_of_neighbours, unmarked_twins
from horsesense.datasets.recovery import NEIGHBOURS, RawProblem

OWL = "The owl saw the vole in the long grass because {} was very {}"
BUS = "Nora missed her bus to the far town, so that {} came home {}"
KEY = "Lena hid a small key below the mat, yet {} found it {}"


def problems(*texts: str, options: tuple[str, str] = ("x", "y")) -> list[RawProblem]:
    """Problems named 1, 2, … with the blank behind their text."""
    phrases = tuple((option,) for option in options)
    return [
        RawProblem(str(number), number, (text, "."), phrases, 0)
        for number, text in enumerate(texts, start=1)
    ]


def grouped(found: list[RawProblem]) -> list[tuple[str, list[str]]]:
    return [
        (group.id, [one.name for one in group.problems]) for group in twins_of_neighbours(found)
    ]


def test_neighbours_that_are_much_alike_are_twins() -> None:
    texts = [
        OWL.format("it", "awake"),
        OWL.format("it", "sleepy"),
        BUS.format("she", "late"),
        BUS.format("she", "early"),
    ]
    assert grouped(problems(*texts)) == [("1", ["1", "2"]), ("3", ["3", "4"])]


def test_a_problem_like_no_neighbour_is_alone() -> None:
    texts = [
        OWL.format("it", "awake"),
        BUS.format("she", "late"),
        KEY.format("he", "soon"),
        KEY.format("he", "late"),
    ]
    assert grouped(problems(*texts)) == [("1", ["1"]), ("2", ["2"]), ("3", ["3", "4"])]


def test_problems_that_are_alike_but_no_neighbours_are_no_twins() -> None:
    texts = [OWL.format("it", "awake"), BUS.format("she", "late"), OWL.format("it", "sleepy")]
    assert grouped(problems(*texts)) == [("1", ["1"]), ("2", ["2"]), ("3", ["3"])]


def test_three_that_are_alike_belong_together() -> None:
    texts = [OWL.format("it", word) for word in ("awake", "sleepy", "small")]
    assert grouped(problems(*texts)) == [("1", ["1", "2", "3"])]


@pytest.mark.parametrize("count, expected", [(4, [2, 2]), (5, [2, 2, 1]), (6, [2, 2, 2])])
def test_more_than_three_are_pairs_of_neighbours(count: int, expected: list[int]) -> None:
    texts = [OWL.format("it", f"w{number}") for number in range(count)]
    assert [len(names) for _, names in grouped(problems(*texts))] == expected


def test_crossed_pairs_are_told_apart_by_their_options() -> None:
    texts = [OWL.format("it", f"w{number}") for number in range(4)]
    first, second = problems(*texts), problems(*texts, options=("y", "z"))
    crossed = [first[0], second[1], second[2], first[3]]
    assert grouped(crossed) == [("1", ["1", "4"]), ("2", ["2", "3"])]


def test_options_in_another_order_are_the_same() -> None:
    texts = [OWL.format("it", f"w{number}") for number in range(4)]
    first, second = problems(*texts), problems(*texts, options=("y", "x"))
    third = problems(*texts, options=("v", "w"))
    assert grouped([first[0], third[1], second[2], third[3]]) == [
        ("1", ["1", "3"]),
        ("2", ["2", "4"]),
    ]


def test_there_may_be_none_or_one() -> None:
    assert grouped([]) == []
    assert grouped(problems(OWL)) == [("1", ["1"])]


def test_statements_without_a_word_do_no_harm() -> None:
    assert grouped(problems("", "", "…")) == [("1", ["1", "2", "3"])]


def test_what_has_no_neighbour_like_it_may_have_a_twin_farther_off() -> None:
    near = problems(OWL.format("it", "awake"), OWL.format("it", "sleepy"))
    texts = [BUS.format("she", "late"), KEY.format("he", "soon"), BUS.format("she", "early")]
    far = [one._replace(name=f"far-{one.name}") for one in problems(*texts)]
    found = [[one.name for one in group.problems] for group in unmarked_twins([*near, *far])]
    assert found == [["1", "2"], ["far-1", "far-3"], ["far-2"]]
    assert {group.twins for group in unmarked_twins([*near, *far])} == {NEIGHBOURS}
    assert list(unmarked_twins([])) == []
