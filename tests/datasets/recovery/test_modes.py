"""Squares and cubes from problems in any mode."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horsesense.schema import Kind, LooseGrid, Mode, Problem, Schema, problems, transposed
from horsesense.schema.notation import parse_grid, print_grid
from tests.datasets.recovery.twins import (
    Recovered,
    as_found,
    is_plainly_filled,
    problem,
    recover,
    right_of,
    texts_of,
)
from tests.strategies import brisk, dyads, patient, squares, tame, transpositions, wild

LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
OWLS = "{owls, voles} <do, do not> eat {voles, owls}"
TRUE_LORRY = f"it is |true, false| that {LORRY}"
TRUE_OWLS = f"it is |true, false| that {OWLS}"


def recovered_in(schema: Schema, mode: Mode, names: set[str] | None = None) -> Recovered:
    """What is recovered from the problems of a schema as a file would have them."""
    return recover(
        *as_found(problems(schema, mode), "_" if schema.target else ""),
        mode=mode,
        is_dyad=schema.is_dyad,
        key_places=schema.keys.placeholders,
        contiguous=True,
        names=names,
    )


def is_publishable(schema: Schema, mode: Mode) -> bool:
    """True where filling the blanks by hand gives the sentences, as in every published file."""
    posed = problems(schema, mode)
    # No option is empty, and cleaning takes every kind of white space off its ends.
    phrases = [phrase for one in posed for option in one.options for phrase in option]
    is_clean = all(phrase and phrase == phrase.strip() for phrase in phrases)
    return is_clean and all(map(is_plainly_filled, posed, as_found(posed)))


def square(notation: str) -> Schema:
    schema = parse_grid(notation)
    assert isinstance(schema, Schema)
    return schema


def sentences(schema: Schema) -> list[str]:
    return [schema.sentence(cell).text for cell in schema.cells]


def assert_same(schema: Schema, mode: Mode, recovered: Recovered) -> None:
    """The same sentences in the same cells; where it is no square, the same problems."""
    grid = recovered.entry.grid
    if isinstance(grid, Schema):
        assert sentences(grid) == sentences(schema)
    else:
        assert "no-square" in dict(recovered.named)
        assert shown(problems(grid)) == shown(problems(schema, mode))


def shown(posed: Sequence[Problem]) -> list[tuple[list[str], str | None]]:
    return [(texts_of(one), right_of(one)) for one in posed]


@pytest.mark.parametrize(
    "notation, mode",
    [
        (LORRY, Mode.BY_KEY),
        (OWLS, Mode.BY_KEY),
        *((notation, mode) for notation in (TRUE_LORRY, TRUE_OWLS) for mode in Mode),
    ],
)
def test_a_schema_is_recovered_from_its_problems_in_every_mode(notation: str, mode: Mode) -> None:
    schema = square(notation)
    recovered = recovered_in(schema, mode, names=set())
    assert recovered.entry.grid == schema
    assert recovered.issues == []


def test_a_winograd_schema_is_recovered_from_its_inversion() -> None:
    found = [
        problem("Nora saw the owl, for Nora was _.", "awake", "asleep", pronoun="_"),
        problem("Nora saw the owl, for Lena was _.", "awake", "asleep", pronoun="_", right=1),
    ]
    recovered = recover(*found, mode=Mode.BY_KEY)
    assert recovered.notation == "Nora saw the owl, for <_ = Nora, Lena> was {awake, asleep}."


def test_the_owners_of_an_inversion_have_a_possessive_target() -> None:
    found = [
        problem("The owl saw Nora's _.", "lamp", "fire", pronoun="_"),
        problem("The owl saw Lena's _.", "lamp", "fire", pronoun="_", right=1),
    ]
    recovered = recover(*found, mode=Mode.BY_KEY)
    assert recovered.notation == "The owl saw <_'s = Nora, Lena> {lamp, fire}."


def test_a_key_phrase_that_would_be_empty_is_widened_in_a_dyad_too() -> None:
    schema = square("it is |true, false| that swimmers <breathe, drown> {always, always not}")
    recovered = recovered_in(schema, Mode.BY_ANSWER)
    assert recovered.notation == (
        "It is |true, false| that swimmers <breathe, drown> {always, always not}."
    )


def test_an_answer_is_not_widened_by_the_key_phrase_beside_it() -> None:
    schema = square("it is |true, false| that {owls, carp} <spear, do not spear> {carp, owls}")
    assert recovered_in(schema, Mode.BY_BOOLEAN, names=set()).entry.grid == schema


def test_a_dyad_gets_the_wider_key_phrases_that_are_published() -> None:
    schema = parse_grid(TRUE_LORRY)
    found = as_found(problems(schema))
    recovered = recover(*found, is_dyad=True, widening=(1, 1), key_places=1)
    assert recovered.notation == (
        "It is |true, false| that a lorry <can, cannot> pass under {a high bridge, a low bridge}."
    )


@pytest.mark.parametrize("count", [1, 3])
def test_problems_in_a_wrong_number_are_kept_as_they_are(count: int) -> None:
    schema = parse_grid(OWLS)
    found = [*as_found(problems(schema, Mode.BY_KEY)), problem("Nora saw _.", "moss", "fog")]
    recovered = recover(*found[-count:], mode=Mode.BY_KEY)
    assert isinstance(recovered.entry.grid, LooseGrid)
    assert len(problems(recovered.entry.grid)) == count
    assert ("no-square", found[-count].name) in recovered.named


def test_problems_that_do_not_fit_together_are_kept_as_they_are() -> None:
    found = [
        problem("A lorry can pass under a _ bridge.", "high", "low"),
        problem("Owls and _ sleep.", "high", "low", name="q2", right=1),
    ]
    recovered = recover(*found, mode=Mode.BY_KEY)
    assert recovered.named == [("no-square", "q1")]
    assert recovered.notation == (
        "A lorry can pass under a <high*, low> bridge.\n& Owls and <high, low*> sleep."
    )


def test_two_blanks_that_hold_four_phrases_are_no_transposition() -> None:
    options = ("Owls / voles", "Elks / moss")
    found = [
        problem("_ do eat _.", *options),
        problem("_ do not eat _.", *options, name="q2", right=1),
    ]
    recovered = recover(*found, mode=Mode.BY_KEY, key_places=2)
    assert recovered.named == [("no-square", "q1")]
    assert recovered.notation == (
        "<Owls*, Elks> do eat <voles*, moss>.\n& <Owls, Elks*> do not eat <voles, moss*>."
    )


def test_a_blank_among_what_differs_leaves_no_square() -> None:
    found = [
        problem("Nora gave the _ owl moss.", "old", "young"),
        problem("Nora gave some _ elk moss.", "old", "young", name="q2", right=1),
    ]
    assert recover(*found, mode=Mode.BY_KEY).named == [("no-square", "q1")]


def test_what_is_guessed_stands_in_no_pronoun_s_place_if_there_is_no_square() -> None:
    recovered = recover(problem("Nora is _.", "in", "out", pronoun="_"), mode=Mode.BY_KEY)
    assert recovered.notation == "Nora is <in*, out>."


FOX = "The fox ran because the fox was _."
HEN = "The fox ran because the hen was _."


def test_twins_by_key_are_put_in_order() -> None:
    found = [
        problem(FOX, "slow", "scared", right=1, tags=("easy",), extras=(("x-from", "den"),)),
        problem(HEN, "slow", "scared", name="q2", tags=("hard",)),
    ]
    recovered = recover(*found, mode=Mode.BY_KEY)
    assert recovered.notation == "The fox ran because the <hen, fox> was {slow, scared}."
    assert recovered.issues == []
    assert dict(recovered.entry.extras) == {
        "x-problems": "q2, q1",
        "x-from.2": "den",
        "x-tags.1": "hard",
        "x-tags.2": "easy",
    }


@pytest.mark.parametrize(
    ("first", "second", "exchanged"),
    [((0, "scared", "slow"), (0, "slow", "scared"), "q2"), ((1, "slow", "scared"), (1,), "q1")],
)
def test_options_of_twins_by_key_are_exchanged(
    first: tuple[int, *tuple[str, ...]], second: tuple[int, *tuple[str, ...]], exchanged: str
) -> None:
    found = [
        problem(FOX, *first[1:], right=first[0]),
        problem(HEN, *(second[1:] or first[:0:-1]), name="q2", right=second[0]),
    ]
    recovered = recover(*found, mode=Mode.BY_KEY)
    assert recovered.notation == "The fox ran because the <fox, hen> was {scared, slow}."
    assert recovered.named == [("options-exchanged", exchanged)]
    assert dict(recovered.entry.extras)["x-problems"] == "q1, q2"


@pytest.mark.parametrize("mode", list(Mode))
def test_the_problems_of_a_dyad_are_put_in_order(mode: Mode) -> None:
    schema = square(TRUE_LORRY)
    listed = as_found(problems(schema, mode))
    order = (2, 3, 0, 1) if mode is Mode.BY_ANSWER else (1, 0, 3, 2)
    found = [listed[at] for at in order]
    found[1] = found[1]._replace(options=found[1].options[::-1], right=1 - (found[1].right or 0))
    recovered = recover(*found, mode=mode, is_dyad=True, key_places=1, names=set())
    assert recovered.entry.grid == schema
    assert recovered.named == [("options-exchanged", found[1].name)]
    assert dict(recovered.entry.extras)["x-problems"] == ", ".join(one.name for one in listed)


def test_other_wordings_are_put_in_the_order_of_their_twins() -> None:
    found = [
        problem(FOX, "slow", "scared", right=1),
        problem(HEN, "scared", "slow", name="q2", right=1),
    ]
    wordings = [one._replace(texts=(one.texts[0].replace("ran", "fled"), ".")) for one in found]
    recovered = recover(*found, mode=Mode.BY_KEY, versions={"synonym": wordings})
    [(_, version)] = recovered.entry.versions
    assert isinstance(version, Schema)
    assert print_grid(version) == recovered.notation.replace("ran", "fled")


def test_twins_by_key_with_the_same_right_option_make_no_square() -> None:
    found = as_found(problems(parse_grid(LORRY), Mode.BY_KEY))
    recovered = recover(found[0], found[1]._replace(right=0), mode=Mode.BY_KEY)
    assert ("no-square", "p1") in recovered.named
    assert [one.right for one in problems(recovered.entry.grid)] == [0, 0]


def test_problems_by_key_with_other_options_or_no_labels_make_no_square() -> None:
    found = as_found(problems(parse_grid(LORRY), Mode.BY_KEY))
    unlabelled = [one._replace(right=None) for one in found]
    other = found[1]._replace(options=(("wide",), ("narrow",)))
    for twins in (unlabelled, [found[0], other]):
        recovered = recover(*twins, mode=Mode.BY_KEY)
        assert [name for name, _ in recovered.named] == ["no-square"]
        assert recovered.entry.grid.kind is Kind.LOOSE


def test_a_schema_that_cannot_be_written_bare_is_kept_all_the_same() -> None:
    options = ("“Owls” / “Elks”", "“Elks” / “Owls”")
    found = [
        problem("_ comes before _.", *options),
        problem("_ does not come before _.", *options, name="q2", right=1),
    ]
    recovered = recover(*found, mode=Mode.BY_KEY, key_places=2, names=set())
    assert recovered.faults == []
    assert recovered.notation == (
        "{“Owls”, “Elks”} <comes, does not come> before {“Elks”, “Owls”}."
    )


@given(squares(tame), st.none() | st.just({"Ada"}))
@patient
def test_an_inverted_file_holds_the_same_square(schema: Schema, names: set[str] | None) -> None:
    assume(is_publishable(schema, Mode.BY_KEY))
    recovered = recovered_in(schema, Mode.BY_KEY, names)
    assert isinstance(recovered.entry.grid, Schema)
    assert_same(schema, Mode.BY_KEY, recovered)


@given(squares(wild))
@brisk
def test_whatever_is_inverted_comes_back_to_the_letter(schema: Schema) -> None:
    assume(is_publishable(schema, Mode.BY_KEY))
    assert_same(schema, Mode.BY_KEY, recovered_in(schema, Mode.BY_KEY))


@given(dyads(tame), st.sampled_from(list(Mode)), st.none() | st.just({"Ada"}))
@patient
def test_a_dyad_gives_its_eight_sentences_back(
    schema: Schema, mode: Mode, names: set[str] | None
) -> None:
    assume(is_publishable(schema, mode) and len(set(sentences(schema))) == 8)
    assert_same(schema, mode, recovered_in(schema, mode, names))


@given(dyads(wild), st.sampled_from(list(Mode)))
@brisk
def test_a_wild_dyad_gives_its_problems_back(schema: Schema, mode: Mode) -> None:
    assume(is_publishable(schema, mode) and len(set(sentences(schema))) == 8)
    assert_same(schema, mode, recovered_in(schema, mode))


@given(transpositions(tame), st.sampled_from([Mode.BY_ANSWER, Mode.BY_KEY]))
@brisk
def test_a_transposition_stays_one_in_both_modes(schema: Schema, mode: Mode) -> None:
    # Words that stand nowhere else in it.
    schema = replace(schema, keys=transposed("heron", "old pike"))
    recovered = recovered_in(schema, mode)
    assert recovered.entry.grid.kind is Kind.TRANSPOSITION
    assert sentences(cast(Schema, recovered.entry.grid)) == sentences(schema)
