"""Where the candidates of a statement stand."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.recovery.building import base_form, locate
from tests.datasets.recovery.twins import WORDS, limited
from tests.strategies import patient

_statements = st.lists(st.sampled_from([*WORDS, "\x00"]), max_size=8).map(" ".join)
_answers = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2)
    .map(" ".join)
    .filter(lambda answer: base_form(answer) == answer),
    min_size=2,
    max_size=4,
    unique=True,
)


def located(
    statement: str, *answers: str, taken: tuple[tuple[int, int], ...] = ()
) -> tuple[list[tuple[int, str]], list[int], list[int]]:
    """Numbers and texts of the marked candidates, inexact answers, missing ones."""
    marks, inexact, missing, _ = locate(statement, answers, taken)
    return [(mark.number, statement[mark.start : mark.end]) for mark in marks], inexact, missing


@pytest.mark.parametrize(
    "answer, base",
    [
        ("Nora's", "Nora"),
        ("Nora’s", "Nora"),
        ("the owls'", "the owls"),
        ("the owls’", "the owls"),
        ("James's", "James"),
        ("Nora 's", "Nora"),
        ("the owl", "the owl"),
        ("it's here", "it's here"),
        ("rock 'n'", "rock 'n'"),
    ],
)
def test_a_base_form_has_no_possessive_ending(answer: str, base: str) -> None:
    assert base_form(answer) == base


def test_candidates_are_found_where_the_answers_occur() -> None:
    statement = "The owl saw the vole because \x00 was awake."
    assert located(statement, "the owl", "the vole") == ([(1, "The owl"), (2, "the vole")], [], [])


def test_a_candidate_that_occurs_twice_is_marked_twice() -> None:
    statement = "Nora asked Lena, but Lena told Nora's aunt that \x00 was late."
    assert located(statement, "Nora", "Lena")[0] == [
        (1, "Nora"),
        (2, "Lena"),
        (2, "Lena"),
        (1, "Nora"),
    ]


def test_candidates_stand_in_the_order_of_the_statement() -> None:
    assert located("Lena met Nora when \x00 came.", "Nora", "Lena")[0] == [(2, "Lena"), (1, "Nora")]


def test_the_longer_answer_is_looked_for_first() -> None:
    statement = "The lemon fell off the lemon tree, so \x00 was bare."
    assert located(statement, "the lemon", "the lemon tree")[0] == [
        (1, "The lemon"),
        (2, "the lemon tree"),
    ]


def test_a_part_of_a_word_is_no_candidate() -> None:
    assert located("The annotation upset Annie, so \x00 left.", "Ann", "Annie") == (
        [(2, "Annie")],
        [],
        [0],
    )


@pytest.mark.parametrize(
    "candidate, answer", [("a vole", "the vole"), ("the egg", "an egg"), ("an egg", "a egg")]
)
def test_an_article_may_differ_and_that_is_said(candidate: str, answer: str) -> None:
    marks, inexact, missing = located(f"Nora gave Lena {candidate} when \x00 came.", answer, "Nora")
    assert marks == [(2, "Nora"), (1, candidate)]
    assert (inexact, missing) == ([0], [])


def test_a_longer_noun_that_begins_with_an_answer_is_not_marked() -> None:
    statement = "The owl sat by the vole hole and ate the vole, so \x00 was fed."
    assert located(statement, "the owl", "the vole") == ([(1, "The owl"), (2, "the vole")], [], [])
    (_, mark), _, _, longer = locate(statement, ["the owl", "the vole"], ())
    assert statement[mark.start :].startswith("the vole, so")
    assert longer == [1]


@pytest.mark.parametrize(
    "statement",
    [
        "The owl watched the vole hole until the vole left, so \x00 was fed.",
        "The vole hole was deep, and the owl saw the vole, so \x00 was fed.",
    ],
)
def test_a_longer_noun_is_not_marked_after_a_verb_or_at_the_start(statement: str) -> None:
    marks, _, _, longer = locate(statement, ["the owl", "the vole"], ())
    assert [mark.number for mark in marks] == [1, 2]
    assert longer == [1]
    assert not statement[marks[1].end :].startswith(" hole")


def test_where_an_answer_stands_in_longer_nouns_alone_they_are_marked() -> None:
    statement = "The owl sat by the vole hole until the vole holes stank and \x00 left."
    assert len(located(statement, "the owl", "the vole")[0]) == 3
    statement = "The owl sat by the vole hole and \x00 was near."
    assert len(located(statement, "the owl", "the vole")[0]) == 2


def test_a_name_after_an_answer_makes_no_longer_noun() -> None:
    statement = "Ida went to the vole Max, as the vole, so \x00 said, was ill."
    assert len(located(statement, "the vole", "Ida")[0]) == 3


def test_letters_that_grow_when_they_lose_their_capital_move_nothing() -> None:
    assert located("İİİ! The owl saw Nora, so \x00 fled.", "the owl", "Nora")[0] == [
        (1, "The owl"),
        (2, "Nora"),
    ]


def test_an_answer_that_does_not_occur_is_missing() -> None:
    assert located("The owls hunt when \x00 come out.", "the owls", "the voles") == (
        [(1, "The owls")],
        [],
        [1],
    )


def test_nothing_is_marked_in_a_blank_or_a_key_phrase() -> None:
    statement = "The owl saw the vole, for the owl was \x00."
    taken = ((26, 33),)
    assert statement[slice(*taken[0])] == "the owl"
    assert located(statement, "the owl", "the vole", taken=taken)[0] == [
        (1, "The owl"),
        (2, "the vole"),
    ]


def test_an_answer_that_is_nothing_but_an_ending_is_nowhere_and_soon_found_to_be() -> None:
    with limited(2):
        marks, inexact, missing, _ = locate(
            "The owl saw \x00.", [base_form("'s"), "owl"], [(12, 13)]
        )
    assert [mark.number for mark in marks] == [2]
    assert (inexact, missing) == ([], [0])


@given(_statements, _answers, st.tuples(st.integers(0, 30), st.integers(0, 5)))
@patient
def test_marks_are_apart_and_show_their_answers(
    statement: str, answers: list[str], stretch: tuple[int, int]
) -> None:
    taken = [(stretch[0], sum(stretch) + 1)]
    marks, inexact, missing, _ = locate(statement, answers, taken)
    places = sorted([*taken, *((mark.start, mark.end) for mark in marks)])
    assert all(one[1] <= other[0] for one, other in pairwise(places))
    assert [mark.start for mark in marks] == sorted(mark.start for mark in marks)
    for mark in marks:
        text, answer = statement[mark.start : mark.end].lower(), answers[mark.number - 1].lower()
        assert text == answer or mark.number - 1 in inexact
        assert text.split()[-1] == answer.split()[-1]
    marked = {mark.number - 1 for mark in marks}
    assert marked | set(missing) == set(range(len(answers)))
    assert marked.isdisjoint(missing) and set(inexact) <= marked
