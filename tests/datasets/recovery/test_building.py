"""Grids that give back what was published, to the letter."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.datasets.recovery import CandidateMark, RawProblem
from horsesense.datasets.recovery.building import build_loose, build_row
from horsesense.errors import SchemaError
from horsesense.schema import LooseGrid
from horsesense.schema.notation import parse_grid, print_grid
from tests.datasets.recovery.twins import assert_gives_back, problem, recover, twins
from tests.strategies import patient

BECAUSE = "The owl saw the vole because _ was awake."


def row(text: str, *options: str, marks: tuple[CandidateMark, ...] = (), **others: Any) -> str:
    """The notation of one problem by itself, whose sentences are what the file says."""
    found = problem(text, *options, **others)
    made = build_row(found, marks)
    assert sentences_of(found) == [made.sentence(n).text for n in range(len(options))]
    return print_grid(LooseGrid((made,)))


def sentences_of(found: RawProblem) -> list[str]:
    return [found.sentence(option) for option in range(len(found.options))]


@pytest.mark.parametrize(
    "text, options, others, notation",
    [
        (
            "After the storm Nora tied up _.",
            ("the tomatoes", "the wheelbarrow", "the hailstones"),
            {"right": 2},
            "After the storm Nora tied up <the tomatoes, the wheelbarrow, the hailstones*>.",
        ),
        ("the owl hunts _", ("voles", "elks"), {}, "! the owl hunts <voles*, elks>"),
        ("So _ fled .", ("owls", "elks"), {}, "So <owls*, elks> fled ."),
        ("_ fled.", ("Owls", "Elks"), {"right": None}, "<? Owls, Elks> fled."),
        ("_ eat _.", ("Owls / voles", "Voles / owls"), {}, "<Owls*, Voles> eat <voles*, owls>."),
        ("_", ("It was late.", "It were late."), {}, "<It was late.*, It were late.>"),
        (BECAUSE, ("the owl", "the vole"), {"pronoun": "it"}, None),
        (
            "Nora met Lena. _ was late.",
            ("The owl", "The vole"),
            {"pronoun": "It"},
            "Nora met Lena. <It = the owl*, the vole> was late.",
        ),
        (
            "Nora and Lena lost _ keys.",
            ("Nora's", "Lena's"),
            {"pronoun": "her"},
            "Nora and Lena lost <her's = Nora*, Lena> keys.",
        ),
        (
            "Nora and Lena lost _ keys.",
            ("Nora's", "Lena's"),
            {"pronoun": "_"},
            "Nora and Lena lost <_'s = Nora*, Lena> keys.",
        ),
        (
            "Nora told Lena that _ lost.",
            ("Nora", "Lena's"),
            {"pronoun": "_"},
            "Nora told Lena that <_ = Nora*, Lena's> lost.",
        ),
        (
            "The boys and the men lost _ keys.",
            ("the boys'", "the men's"),
            {"pronoun": "their"},
            "The boys and the men lost <their = the boys*, the men> keys.",
        ),
        (
            "The boys lost _ keys.",
            ("the boys's", "the men's"),
            {"pronoun": "their"},
            "The boys lost <their = the boys's*, the men's> keys.",
        ),
        (
            "Nora said that _ left.",
            ("The owl", "The vole"),
            {"pronoun": "it"},
            "Nora said that <it = The owl*, The vole> left.",
        ),
    ],
)
def test_a_problem_is_written_as_one_would_by_hand_or_if_need_be_verbatim(
    text: str, options: tuple[str, ...], others: dict[str, Any], notation: str | None
) -> None:
    expected = notation or "The owl saw the vole because <it = the owl*, the vole> was awake."
    assert row(text, *options, **others) == expected


def test_marks_become_candidates() -> None:
    marks = (CandidateMark(2, 0, 7), CandidateMark(1, 12, 20))
    notation = row(BECAUSE, "the vole", "the owl", marks=marks, pronoun="it", right=1)
    assert notation == (
        "[2: The owl] saw [1: the vole] because <it = the vole, the owl*> was awake."
    )


def test_a_pronoun_that_is_no_pronoun_is_refused() -> None:
    with pytest.raises(SchemaError, match="is not a pronoun"):
        build_row(problem(BECAUSE, "the owl", "the vole", pronoun="it, too"), ())


def test_problems_side_by_side_are_lines_of_one_grid() -> None:
    found = [
        problem("Nora saw _.", "owls", "elks"),
        problem("Lena saw _.", "moss", "rye", "fog", right=1),
    ]
    grid = build_loose(found, [(), ()])
    assert grid == parse_grid("Nora saw <owls*, elks>.\n& Lena saw <moss, rye*, fog>.")


@given(twins())
@patient
def test_a_problem_by_itself_always_gives_its_sentences_back(found: list[RawProblem]) -> None:
    for one in found:
        made = build_row(one, ())
        assert [made.sentence(n).text for n in range(len(one.options))] == sentences_of(one)
        assert made.right == one.right


@given(twins(), st.data())
@patient
def test_marks_that_do_not_overlap_leave_the_sentences_as_they_are(
    found: list[RawProblem], data: st.DataObject
) -> None:
    one = problem("_".join(found[0].texts), "Nora", "Lena", pronoun="_")
    words, start = [], 0
    for word in one.statement.split(" "):
        words.append((start, start + len(word)))
        start += len(word) + 1
    some = data.draw(st.lists(st.sampled_from(words), max_size=3, unique=True))
    marks = [
        CandidateMark(1 + number % 2, *place)
        for number, place in enumerate(some)
        if "\x00" not in one.statement[slice(*place)]
    ]
    made = build_row(one, marks)
    assert [made.sentence(n).text for n in range(2)] == sentences_of(one)


@pytest.mark.parametrize(
    "mark",
    [
        CandidateMark(1, 0, 400),
        CandidateMark(7, 0, 7),
        CandidateMark(1, 3, 3),
        CandidateMark(1, -4, -1),
    ],
)
def test_a_mark_that_marks_nothing_is_a_fault_or_no_candidate(mark: CandidateMark) -> None:
    one = problem(BECAUSE, "the owl", "the vole", pronoun="it", marks=(mark,))
    recovered = recover(one)
    if recovered.entries:
        grid = recovered.entry.grid
        assert [grid.sentence(cell).text for cell in grid.cells] == sentences_of(one)
    else:
        assert [fault.name for fault in recovered.faults] == ["not-usable"]


@pytest.mark.parametrize(
    "first, second, pronoun, notation",
    [
        (
            "The owl woke and _ fled.",
            "The owl woke and _ ate.",
            "",
            "The owl woke and <the mouse, the vole> {fled, ate}.",
        ),
        # What filling would put right, and the file has not.
        (
            "owls saw _ , so",
            "owls saw _ , thus",
            "",
            "! owls saw <the mouse, the vole> , {so, thus}",
        ),
        # The answers are no owners, though the pronoun is one.
        (
            "Owls saw _ tail.",
            "Owls saw _ den.",
            "its",
            "! Owls saw <its = the mouse, the vole> {tail, den}.",
        ),
    ],
)
def test_a_square_is_written_by_hand_if_that_gives_the_sentences_back(
    first: str, second: str, pronoun: str, notation: str
) -> None:
    options = ("the mouse", "the vole")
    recovered = recover(
        problem(first, *options, pronoun=pronoun),
        problem(second, *options, name="q2", right=1, pronoun=pronoun),
    )
    assert recovered.notation == notation


def test_a_schema_of_one_sentence_is_written_bare_where_names_are_known() -> None:
    found = [
        problem("A lorry _ pass under a high bridge.", "can", "cannot"),
        problem("A lorry _ pass under a low bridge.", "can", "cannot", name="q2", right=1),
    ]
    recovered = recover(*found, names={"Nora"})
    assert recovered.notation == "a lorry <can, cannot> pass under a {high, low} bridge"
    assert_gives_back(recovered, found)


def test_a_schema_that_cannot_be_written_bare_is_kept_all_the_same() -> None:
    found = [
        problem("A lorry _ pass under a high bridge .", "can", "cannot"),
        problem("A lorry _ pass under a low bridge .", "can", "cannot", name="q2", right=1),
    ]
    recovered = recover(*found, names={"Nora"})
    assert recovered.faults == []
    assert_gives_back(recovered, found)
