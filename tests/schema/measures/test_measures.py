from __future__ import annotations

import re

from horsesense.schema import Dataset, Entry, Header, LeftOut, Mode
from horsesense.schema.measures import EqualLength, measure
from horsesense.schema.notation import parse_grid, parse_wrapper
from horsesense.scoring.outcome import Share

WRAPPER = parse_wrapper("It is |true, false| that …")

BRIDGE = Entry("bridge", parse_grid("a lorry <can, cannot> pass a {high, low} bridge"))
OWLS = Entry("owls", parse_grid("{owls, barn voles} <do, do not> eat {barn voles, owls}"))
ALONE = Entry("alone", parse_grid("at dusk it was <the owl*, a vole, a bat> that fled"))
LOOSE = Entry("loose", parse_grid("so <owls*, bats> hid\n& so <owls, barn owls*> fled"))
DYAD = Entry("dyad", parse_grid("It is |true, false| that <all, not all> owls {fly, read}."))
PAIR = Entry("pair", parse_grid("<The owls hunt.*, The owls hunts.>"))


class Words:
    """Every word is a token."""

    def offsets(self, text: str, /) -> list[tuple[int, int]]:
        return [word.span() for word in re.finditer(r"\w+", text)]


def test_entries_are_counted_by_kind() -> None:
    found = measure([BRIDGE, OWLS, BRIDGE, DYAD, PAIR])
    assert found.entries == 5
    assert found.kinds == (
        ("substitution schema", 2),
        ("transposition schema", 1),
        ("dyad of a substitution schema", 1),
        ("minimal pair", 1),
    )


def test_schemas_and_problems_are_counted_as_the_grids_have_them() -> None:
    found = measure([BRIDGE, ALONE, LOOSE, DYAD, PAIR])
    assert (found.schemas, found.problems) == (1 + 0 + 1 + 2 + 0, 2 + 1 + 2 + 4 + 1)


def test_problems_are_measured_in_the_mode_asked_for() -> None:
    assert measure([BRIDGE, OWLS]).second_last == Share(0, 4)
    assert measure([BRIDGE, OWLS], Mode.BY_KEY).second_last == Share(2, 4)


def test_a_minimal_pair_has_a_length_and_no_blank() -> None:
    found = measure([PAIR], tokenizers=[Words()])
    assert found.second_last == Share(0, 0)
    assert found.equal_length == (EqualLength(Share(1, 1), Share(1, 1)),)


def test_each_tokenizer_measures_by_itself() -> None:
    class Letters:
        def offsets(self, text: str, /) -> list[tuple[int, int]]:
            return [letter.span() for letter in re.finditer(r"\w", text)]

    by_words, by_letters = measure(
        [BRIDGE, OWLS, LOOSE], tokenizers=[Words(), Letters()]
    ).equal_length
    assert by_words.outside == by_words.inside == Share(2 + 0 + 1, 6)
    assert by_letters.outside == by_letters.inside == Share(0 + 0 + 1, 6)


def test_outside_and_inside_are_told_apart() -> None:
    class Spaced:
        """A word is a token after a space, and else a token for every letter."""

        def offsets(self, text: str, /) -> list[tuple[int, int]]:
            return [word.span() for word in re.finditer(r" \w+|\w", text)]

    (lengths,) = measure([BRIDGE], tokenizers=[Spaced()]).equal_length
    assert lengths == EqualLength(outside=Share(0, 2), inside=Share(2, 2))


def test_a_wrapper_makes_dyads_of_the_schemas() -> None:
    found = measure([BRIDGE, OWLS], Mode.BY_BOOLEAN, wrapper=WRAPPER, tokenizers=[Words()])
    assert (found.schemas, found.problems, found.left_out) == (4, 8, ())
    assert found.equal_length == (EqualLength(Share(8, 8), Share(8, 8)),)


def test_what_cannot_be_solved_in_the_mode_is_left_out_and_told() -> None:
    found = measure([BRIDGE, LOOSE, ALONE, LOOSE], Mode.BY_KEY)
    assert (found.entries, found.problems) == (4, 2)
    assert found.left_out == (
        LeftOut("a loose pair cannot be solved by key: it has no key phrases", ("loose", "loose")),
        LeftOut("a single problem cannot be solved by key: it has no key phrases", ("alone",)),
    )


def test_what_its_author_calls_not_invertible_is_not_inverted() -> None:
    denied = Entry("bridge", BRIDGE.grid, flags=(("invertible", False),))
    assert measure([denied]).left_out == ()
    assert measure([denied], Mode.BY_KEY).left_out == (
        LeftOut("its author says that it is not invertible", ("bridge",)),
    )


def test_what_cannot_be_wrapped_is_left_out_and_told() -> None:
    found = measure([ALONE, DYAD, BRIDGE], wrapper=WRAPPER)
    assert found.problems == 4
    assert [left_out.ids for left_out in found.left_out] == [("alone",), ("dyad",)]
    assert found.left_out[0].reason == "a single problem cannot be wrapped; it has no key phrases"


def test_nothing_is_measured_in_nothing() -> None:
    found = measure([], tokenizers=[Words()])
    assert (found.entries, found.problems, found.second_last.value) == (0, 0, None)


def test_what_is_loose_is_measured_as_it_stands_in_a_dataset_that_declares_its_mode() -> None:
    found = measure(Dataset(Header("rows", mode=Mode.BY_KEY), [BRIDGE, LOOSE, ALONE]))
    assert (found.schemas, found.problems) == (2, 5)
    assert (found.as_they_stand, found.left_out) == (("loose", "alone"), ())
