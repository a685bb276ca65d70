"""How a phrase would be spelt where it did not stand."""

import pytest

from horsesense.datasets.recovery import is_possessive_place, names_in
from horsesense.datasets.recovery.differences import bare_frame, lowered_answer
from horsesense.schema import Schema
from horsesense.schema.notation import parse_grid, print_grid


def bare(notation: str, *names: str) -> str:
    schema = parse_grid(notation)
    assert isinstance(schema, Schema)
    return print_grid(bare_frame(schema, names))


@pytest.mark.parametrize(
    "phrase, lowered",
    [
        ("The owl", "the owl"),
        ("An owl", "an owl"),
        ("My aunt", "my aunt"),
        ("Rita", "Rita"),
        ("Owls", "Owls"),
        ("the owl", "the owl"),
    ],
)
def test_an_answer_that_is_no_name_loses_its_capital(phrase: str, lowered: str) -> None:
    assert lowered_answer(phrase) == lowered


@pytest.mark.parametrize(
    "after, owns",
    [
        (" scarf was wet.", True),
        (" old scarf", True),
        (" Scarf", True),
        (" a scarf.", False),
        (" The scarf.", False),
        (" to the door", False),
        (" because it rained", False),
        (".", False),
        ("", False),
        (" ", False),
        (" “scarf”", False),
        ("-scarf", False),
    ],
)
def test_a_pronoun_owns_what_follows_unless_that_cannot_be_owned(after: str, owns: bool) -> None:
    assert is_possessive_place(after) is owns


def test_names_are_words_with_a_capital_inside_a_sentence() -> None:
    sentences = [
        "Long ago Nora met Lena. Then they left.",
        "On the White Sea there are no lorries.",
        "Nothing here.",
    ]
    assert names_in(sentences) == {"Nora", "Lena", "White"}


@pytest.mark.parametrize(
    "written, expected",
    [
        (
            "A lorry <can, cannot> pass under a {high, low} bridge.",
            "a lorry <can, cannot> pass under a {high, low} bridge",
        ),
        (
            "{Owls, Voles} <do, do not> eat {voles, owls}.",
            "{owls, voles} <do, do not> eat {voles, owls}",
        ),
        ("<Owls, Elks> are {birds, mammals}.", "<owls, elks> are {birds, mammals}"),
        ("Is an owl <wise, dull> if {old, young}?", "Is an owl <wise, dull> if {old, young}?"),
        (
            "It rains. A lorry is <wet, dry> {outside, inside}.",
            "It rains. A lorry is <wet, dry> {outside, inside}.",
        ),
        ("An owl is <wise, dull> if {old, young}", "An owl is <wise, dull> if {old, young}"),
        (
            "[The owl] said that <it = Nora, Lena> was {early, late}.",
            "[the owl] said that <it = Nora, Lena> was {early, late}",
        ),
    ],
)
def test_one_sentence_is_written_without_its_capital_and_full_stop(
    written: str, expected: str
) -> None:
    assert bare(written) == expected


def test_a_name_keeps_its_capital() -> None:
    assert bare("Kem is <north, south> of the {Thames, Pole}.", "Kem").startswith("Kem is")
    assert bare("Kem is <north, south> of the {Thames, Pole}.").startswith("kem is")
    assert bare("<Kem, Owls> is a {town, bird}.", "Kem") == "<Kem, owls> is a {town, bird}"


def test_a_full_stop_with_a_space_before_it_does_no_harm() -> None:
    written = "A lorry <can, cannot> pass under a {high, low} bridge ."
    assert bare(written) in (written, "a lorry <can, cannot> pass under a {high, low} bridge")
