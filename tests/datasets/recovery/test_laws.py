"""What holds of every problem that goes in, and of every schema that comes out."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from horsesense.datasets.recovery import ISSUES, RawProblem
from horsesense.schema import Kind, Schema, problems
from tests.datasets.recovery.twins import (
    as_found,
    assert_gives_back,
    is_plainly_filled,
    recover,
    twins,
)
from tests.strategies import brisk, patient, squares, substitutions, tame, wild, winograds

DIRT = ["", " ", "\n", " \t", "\r\n  ", "\u2028", "\x00", "\x07 "]
NONE = st.none()


def can_be_used(found: list[RawProblem]) -> bool:
    """True for two that are not the same problem, and have more to them than their blanks."""
    first, second = found
    is_repeated = first._replace(name=second.name, line=second.line) == second
    return not is_repeated and all(any(one.texts) for one in found)


@given(twins(), st.booleans(), NONE | st.just({"Nora"}), st.sampled_from([(0, 0), (1, 0), (0, 1)]))
@settings(patient, max_examples=100)
def test_whatever_goes_in_its_sentences_come_out_to_the_letter(
    found: list[RawProblem], contiguous: bool, names: set[str] | None, widening: tuple[int, int]
) -> None:
    assume(can_be_used(found))
    recovered = recover(*found, contiguous=contiguous, names=names, widening=widening)
    assert recovered.faults == []
    assert_gives_back(recovered, found)


@given(twins(), st.booleans())
@settings(patient, max_examples=100)
def test_key_phrases_are_never_empty(found: list[RawProblem], contiguous: bool) -> None:
    recovered = recover(*found, contiguous=contiguous)
    for entry in recovered.entries:
        if isinstance(entry.grid, Schema):
            assert all(phrase for value in entry.grid.keys.values for phrase in value)


@given(twins(), st.booleans())
@patient
def test_a_loose_pair_comes_with_one_reason_and_a_square_with_none(
    found: list[RawProblem], contiguous: bool
) -> None:
    assume(can_be_used(found))
    recovered = recover(*found, contiguous=contiguous)
    reasons = [one.name for one in recovered.issues if one.done == "kept as a loose pair"]
    assert len(reasons) == (recovered.entry.grid.kind is Kind.LOOSE)
    assert {one.name for one in recovered.issues} <= set(ISSUES)


@given(twins(), st.data())
@brisk
def test_dirt_makes_no_difference(found: list[RawProblem], data: st.DataObject) -> None:
    def dirty(text: str) -> str:
        start, end = data.draw(st.sampled_from(DIRT)), data.draw(st.sampled_from(DIRT))
        gap = data.draw(st.sampled_from([" ", "  ", "\n", " \x00"]))
        return f"{start}{text.replace(' ', gap)}{end}"

    def soil(one: RawProblem) -> RawProblem:
        first, last = one.texts
        # White space beside the blank is a part of the text.
        texts = (
            data.draw(st.sampled_from(DIRT))
            + first.replace(" ", data.draw(st.sampled_from([" ", "\t"]))),
            last.replace(" ", data.draw(st.sampled_from([" ", "\n "])))
            + data.draw(st.sampled_from(DIRT)),
        )
        options = tuple(tuple(map(dirty, option)) for option in one.options)
        return one._replace(texts=texts, options=options)

    clean, soiled = recover(*found), recover(*map(soil, found))
    assert soiled.entries == clean.entries


@given(substitutions(tame) | winograds(tame), NONE | st.just({"Ada"}))
@patient
def test_a_square_is_recovered_from_its_problems(schema: Schema, names: set[str] | None) -> None:
    written = schema.target.pronoun if schema.target else ""
    found = as_found(problems(schema), written)
    recovered = recover(*found, contiguous=True, names=names)
    grid = recovered.entry.grid
    assert isinstance(grid, Schema)
    assert [grid.sentence(cell).text for cell in grid.cells] == [
        schema.sentence(cell).text for cell in schema.cells
    ]


@given(squares(wild), st.booleans())
@patient
def test_problems_of_any_square_give_its_four_sentences_back(
    schema: Schema, contiguous: bool
) -> None:
    posed = problems(schema)
    found = as_found(posed, "_" if schema.target else "")
    phrases = [phrase for one in found for option in one.options for phrase in option]
    if not all(map(is_plainly_filled, posed, found)) or any(p != p.strip() for p in phrases):
        return
    assert_gives_back(recover(*found, contiguous=contiguous), found)
