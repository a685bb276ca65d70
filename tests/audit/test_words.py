import pytest

from horsesense.audit.words import first_mentioned, key_pair, parts_of, said_by, with_pronoun
from horsesense.schema import problems
from horsesense.schema.notation import parse_grid


def test_what_is_said_holds_each_phrase_once_and_no_answer_of_a_winograd_schema() -> None:
    (part,) = parts_of(
        parse_grid("[the jug] hit [the urn] and <it = the jug, the urn> {fell, broke}")
    )
    assert said_by(part) == "the jug …  hit  … the urn …  and  …   … fell … broke"


@pytest.mark.parametrize(("answers", "ending"), [(True, " … keeps … rots"), (False, "")])
def test_answers_of_other_schemas_are_said_if_asked(answers: bool, ending: str) -> None:
    (part,) = parts_of(parse_grid("hay <keeps, rots> when {dry, wet}"))
    assert said_by(part, answers=answers) == f"hay  …  when  … dry … wet{ending}"


@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("[a] hit [b] as <it = a, b> {fell, broke}", ["a hit b as it fell", "a hit b as it broke"]),
        ("[a] hit [b] as <_ = a, b> {fell, broke}", []),
        ("[a] hit [b] as <it = a*, b> fell", ["a hit b as it fell"]),
        ("hay <keeps, rots> when {dry, wet}", []),
        (
            "That [a] hit [b] as <it = a, b> {fell, broke} is |true, false|.",
            ["That a hit b as it fell is true.", "That a hit b as it broke is true."],
        ),
    ],
)
def test_the_pronoun_stands_in_its_place(notation: str, expected: list[str]) -> None:
    (part,) = parts_of(parse_grid(notation))
    assert with_pronoun(part) == expected


@pytest.mark.parametrize(
    ("notation", "first"),
    [
        ("[The ram] saw [the ewe], so <it = the ram, the ewe> was {bold, shy}.", 0),
        ("[2: The ewe] saw [1: the ram], so <it = the ram, the ewe> was {bold, shy}.", 1),
        ("The ram saw [2: the ewe], so <it = the ram, the ewe> was {bold, shy}.", 0),
        ("The ewe saw [1: the ram], so <it = the ram, the ewe> was {bold, shy}.", 1),
        ("Lena saw Nora, and <Nora*, Lena> waved.", 1),
        ("a lorry <can, cannot> pass under a {high, low} bridge", None),
        ("more than six is <more*, less> than five", None),
    ],
)
def test_the_first_option_is_the_one_that_is_mentioned_first(
    notation: str, first: int | None
) -> None:
    assert first_mentioned(problems(parse_grid(notation))[0]) == first


@pytest.mark.parametrize(
    ("notation", "pair"),
    [
        ("hay <keeps, rots> when {Wet, dry}", "dry / wet"),
        ("{owls, voles} <eat, flee> {voles, owls}", "owls / voles"),
        ("hay <keeps*, rots>", ""),
    ],
)
def test_a_key_pair_is_the_same_in_whatever_order(notation: str, pair: str) -> None:
    assert key_pair(parse_grid(notation)) == pair
