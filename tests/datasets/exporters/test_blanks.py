import pytest

from horsesense.datasets.exporters.exported import filled, fills_by_hand, fixed_texts
from horsesense.schema import Mode, problems
from horsesense.schema.notation import parse_grid
from tests.datasets.exporters.folders import KEYS, LORRY, OWLS, SWIMMER


def test_the_texts_around_two_blanks_are_three() -> None:
    first, _ = problems(parse_grid(OWLS), Mode.BY_KEY)
    assert fixed_texts(first) == ("", " do eat ", ".")


def test_a_minimal_pair_has_no_text() -> None:
    (pair,) = problems(parse_grid(KEYS))
    assert fixed_texts(pair) == ("",)
    assert fills_by_hand(pair)


def test_phrases_go_between_the_texts() -> None:
    assert filled(("", " do eat ", "."), ("Owls", "voles")) == "Owls do eat voles."


@pytest.mark.parametrize(
    "notation, mode, expected",
    [
        (LORRY, Mode.BY_ANSWER, True),
        (OWLS, Mode.BY_KEY, True),
        (SWIMMER, Mode.BY_ANSWER, True),
        (SWIMMER, Mode.BY_KEY, False),
        ("the parcel went to <Hull*, St. Ives Rd.>", Mode.BY_ANSWER, False),
        ("! the owl , she said , hunts <a vole*, a goat>", Mode.BY_ANSWER, True),
    ],
)
def test_only_some_sentences_result_from_filling_by_hand(
    notation: str, mode: Mode, expected: bool
) -> None:
    first, *_ = problems(parse_grid(notation), mode)
    assert fills_by_hand(first) is expected
