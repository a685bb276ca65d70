import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import (
    FileError,
    HorsesenseError,
    NotationError,
    NotationErrors,
    SchemaError,
    StoreError,
    UnknownNameError,
)


def fault(line: str, column: int, remedy: str = "") -> NotationError:
    return NotationError("a burr", line=line, column=column, remedy=remedy)


def excerpt(line: str, column: int) -> list[str]:
    """Return the two lines under the message, without their indent."""
    return [shown.removeprefix("  ") for shown in str(fault(line, column)).split("\n")[1:]]


def test_a_notation_error_shows_place_line_caret_and_remedy() -> None:
    error = fault("two oats", 4, "write rye").located("barn.txt", 12)
    assert str(error) == "barn.txt:12:5: a burr\n  two oats\n      ^\n  write rye"


def test_without_a_file_the_place_is_the_column() -> None:
    assert str(fault("two oats", 4)) == "column 5: a burr\n  two oats\n      ^"


def test_without_a_line_there_is_no_caret() -> None:
    assert str(fault("", 0, "write rye").located("barn.txt", 1)) == (
        "barn.txt:1:1: a burr\n  write rye"
    )


def test_a_column_after_the_end_of_the_line_has_its_caret_there() -> None:
    assert excerpt("oats", 4) == ["oats", "    ^"]


def test_a_long_line_is_cut_on_both_sides_of_the_caret() -> None:
    shown, caret = excerpt("a" * 300 + "b" + "c" * 300, 300)
    assert shown.startswith("…a") and shown.endswith("c…")
    assert len(shown) < 110 and shown[caret.index("^")] == "b"


def test_a_line_that_ends_where_the_excerpt_ends_is_not_marked_as_cut() -> None:
    assert excerpt("b" + "c" * 39, 0)[0] == "b" + "c" * 39


def test_control_characters_are_shown_as_dots() -> None:
    assert excerpt("a\tb\x00c", 3) == ["a·b·c", "   ^"]


def test_the_caret_allows_for_wide_characters() -> None:
    assert excerpt("木木 oats", 3) == ["木木 oats", "     ^"]


def test_the_caret_allows_for_combining_characters() -> None:
    assert excerpt("e\u0301te\u0301 oats", 6) == ["e\u0301te\u0301 oats", "    ^"]


@given(st.text(st.characters(codec="ascii"), min_size=1, max_size=400), st.data())
def test_the_caret_stands_under_the_character_that_is_meant(line: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(min_value=0, max_value=len(line) - 1))
    shown, caret = excerpt(line, column)
    expected = line[column] if line[column].isprintable() else "·"
    assert shown[caret.index("^")] == expected


def test_several_notation_errors_are_shown_one_after_another() -> None:
    errors = NotationErrors([fault("", 0), fault("", 2)])
    assert str(errors) == "column 1: a burr\ncolumn 3: a burr"


def test_a_schema_error_shows_its_remedy_on_a_line_of_its_own() -> None:
    assert str(SchemaError("too many oats", remedy="eat some")) == "too many oats\n  eat some"
    assert str(SchemaError("too many oats")) == "too many oats"


def test_a_schema_error_knows_the_placeholder_to_blame() -> None:
    error = SchemaError("too many oats", axis="key", index=1)
    assert (error.axis, error.index) == ("key", 1)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (["barley", "rye"], "no grain named 'barly'; did you mean barley?"),
        (["rye", "oats"], "no grain named 'barly' (known: oats, rye)"),
        (["barlys", "barley"], "no grain named 'barly'; did you mean barlys or barley?"),
        ([], "no grain named 'barly' (known: none)"),
    ],
)
def test_an_unknown_name_is_answered_with_known_ones(known: list[str], message: str) -> None:
    assert str(UnknownNameError("grain", "barly", known)) == message


def test_the_beginning_of_a_name_is_answered_with_the_whole_name() -> None:
    error = UnknownNameError("grain", "bar", ["barleycorn-flour", "rye"])
    assert str(error) == "no grain named 'bar'; did you mean barleycorn-flour?"
    assert str(UnknownNameError("grain", "", ["rye"])) == "no grain named '' (known: rye)"


def test_of_many_known_names_some_are_listed_and_that_there_are_more() -> None:
    names = [f"kind-{n:02}" for n in range(30)]
    assert str(UnknownNameError("grain", "x", names)).endswith("kind-22, kind-23, …)")
    assert str(UnknownNameError("grain", "x", names[:24])).endswith("kind-22, kind-23)")


def test_a_script_can_tell_the_errors_apart() -> None:
    codes = [HorsesenseError.exit_code, UnknownNameError.exit_code, StoreError.exit_code]
    assert [*codes, FileError.exit_code] == [1, 3, 4, 5]


@pytest.mark.parametrize(
    ("error", "builtin"),
    [(SchemaError, ValueError), (NotationError, ValueError), (UnknownNameError, LookupError)],
)
def test_errors_are_also_what_python_calls_them(
    error: type[HorsesenseError], builtin: type[Exception]
) -> None:
    assert issubclass(error, builtin)
