"""Squares and cubes from problems in any mode."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horsesense.notation import parse_grid
from horsesense.schema import Kind, LooseGrid, Mode, Problem, Schema, problems, transposed
from tests.recovery.twins import (
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


def test_a_right_answer_that_contradicts_the_mode_leaves_no_square() -> None:
    found = as_found(problems(parse_grid(LORRY), Mode.BY_KEY))
    recovered = recover(found[1], found[0], mode=Mode.BY_KEY)
    assert ("no-square", "p2") in recovered.named
    assert [one.right for one in problems(recovered.entry.grid)] == [1, 0]


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
