"""Tags that hold of single problems."""

import pytest

from horsesense.errors import SchemaError
from horsesense.schema import (
    Entry,
    Mode,
    add_own_tags,
    all_tags,
    extras_in,
    fields_of_tags,
    own_tags,
    problem_tags,
    wrap,
)
from horsesense.schema.notation import parse_grid, parse_wrapper
from horsesense.schema.schema import Schema

SQUARE = parse_grid("a kettle <can, cannot> boil on a {hot, cold} stove")
LOOSE = parse_grid("Owls eat <voles*, oats>.\n& Owls eat <moss, mice*>.\n& Owls <hunt*, sing>.")
assert isinstance(SQUARE, Schema)
DYAD = wrap(SQUARE, parse_wrapper("It is |true, false| that …"))


def own(entry: Entry, mode: Mode = Mode.BY_ANSWER) -> list[tuple[str, ...]]:
    return list(own_tags(entry, entry.grid, mode))


def test_a_numbered_field_gives_tags_to_one_problem() -> None:
    extras = (("x-tags.2", "hard, en/us:1"),)
    entry = Entry("kettle", SQUARE, tags=("kitchen",), extras=extras)
    assert own(entry) == [(), ("hard", "en/us:1")]
    kind = {"kitchen", "substitution-schema"}
    found = problem_tags(entry, SQUARE, Mode.BY_ANSWER, 2)
    assert list(found) == [kind, kind | {"hard", "en/us:1"}]


def test_by_key_a_tag_goes_with_the_right_sentence() -> None:
    entry = Entry("kettle", SQUARE, extras=(("x-tags.2", "hard"),))
    assert own(entry, Mode.BY_KEY) == [(), ("hard",)]
    by_key = problem_tags(entry, SQUARE, Mode.BY_KEY, 2)
    assert ["hard" in tags for tags in by_key] == [False, True]


def test_rows_without_key_phrases_have_tags_of_their_own() -> None:
    entry = Entry("owls", LOOSE, extras=(("x-tags.1", "a"), ("x-tags.3", "b, a")))
    assert own(entry) == [("a",), (), ("b", "a")]


def test_both_problems_of_a_dyad_that_have_the_key_phrase_have_its_tags() -> None:
    entry = Entry("kettle", SQUARE, extras=(("x-owl", "o"), ("x-tags.1", "easy")))
    assert extras_in(entry, DYAD) == (
        ("x-owl", "o"),
        ("x-tags.1", "easy"),
        ("x-tags.2", "easy"),
    )
    assert extras_in(entry, SQUARE) is entry.extras
    assert own_tags(entry, DYAD, Mode.BY_ANSWER) == (("easy",), ("easy",), (), ())


def test_a_grid_in_which_problems_have_become_one_has_no_tags_of_either() -> None:
    entry = Entry("kettle", SQUARE, extras=(("x-owl", "o"), ("x-tags.1", "easy")))
    assert extras_in(entry, parse_grid("A kettle <? can, cannot> boil.")) == (("x-owl", "o"),)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_tag_of_a_dyads_problem_holds_where_the_same_sentence_is_right(mode: Mode) -> None:
    # By answer the second problem is: the first key phrase, the second truth value.
    entry = Entry("kettle", DYAD, extras=(("x-tags.2", "odd"),))
    places = {Mode.BY_ANSWER: 1, Mode.BY_KEY: 3, Mode.BY_BOOLEAN: 1}
    assert [at for at, tags in enumerate(own(entry, mode)) if tags] == [places[mode]]


@pytest.mark.parametrize(
    "extras",
    [
        (("x-tags.3", "hard"),),
        (("x-tags", "hard"),),
        (("x-tags.1", "two words"),),
        (("x-tags.1", "twice, twice"),),
        (("x-tags.01", "hard"),),
    ],
)
def test_a_field_that_is_not_a_list_of_tags_of_a_problem_gives_none(
    extras: tuple[tuple[str, str], ...],
) -> None:
    entry = Entry("kettle", SQUARE, extras=extras)
    assert own(entry) == [(), ()]
    assert fields_of_tags(entry) == frozenset()
    assert all_tags(entry) == ()


def test_all_tags_are_those_of_the_entry_and_then_those_of_single_problems() -> None:
    entry = Entry(
        "kettle",
        SQUARE,
        tags=("kitchen", "b"),
        extras=(("x-tags.1", "b, a"), ("x-tags.2", "a, c")),
    )
    assert all_tags(entry) == ("kitchen", "b", "a", "c")
    assert fields_of_tags(entry) == {"x-tags.1", "x-tags.2"}


def test_a_flag_holds_for_the_problems_that_a_field_lists() -> None:
    extras = (("x-associative", "k2"), ("x-problems", "k1, k2"), ("x-old.1", "0"))
    entry = Entry("k", SQUARE, tags=("old",), flags=(("associative", True),), extras=extras)
    first, second = problem_tags(entry, SQUARE, Mode.BY_ANSWER, 2)
    assert first == {"substitution-schema"}
    assert second == {"substitution-schema", "old", "associative"}
    # By key there are other problems, which have no names.
    for tags in problem_tags(entry, SQUARE, Mode.BY_KEY, 2):
        assert tags >= {"old", "associative"}


def test_tags_of_problems_in_any_mode_are_numbered_by_answer() -> None:
    extras = {"x-owl": "o"}
    add_own_tags(extras, DYAD, Mode.BY_KEY, [(), (), (), ("odd", "late")])
    assert extras == {"x-owl": "o", "x-tags.2": "odd, late"}


@pytest.mark.parametrize(
    ("extras", "tags", "message"),
    [
        ({}, ("two words",), "'two words' is not a valid tag"),
        ({"x-tags.1": "mine"}, ("odd",), "the field 'x-tags.1' is reserved"),
    ],
)
def test_tags_that_cannot_be_written_are_refused(
    extras: dict[str, str], tags: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        add_own_tags(extras, SQUARE, Mode.BY_ANSWER, [tags, ()])
