import pytest

from horsesense.schema.notation.lexer import (
    Lexer,
    Mark,
    Phrase,
    Placeholder,
    Text,
    Token,
    single_spaces,
)


def tokens(line: str, start: int = 0) -> list[Token]:
    lexer = Lexer(line, start)
    found = lexer.tokens()
    assert lexer.errors == []
    return found


def placeholder(line: str) -> Placeholder:
    (token,) = tokens(line)
    assert isinstance(token, Placeholder)
    return token


def values(line: str) -> list[str]:
    return [phrase.value for phrase in placeholder(line).phrases]


def complaints(line: str) -> list[str]:
    lexer = Lexer(line)
    lexer.tokens()
    return [str(error) for error in lexer.errors]


@pytest.mark.parametrize(
    ("bracket", "name"),
    [
        ("{dry, damp}", "key"),
        ("<dry, damp>", "answer"),
        ("⟨dry, damp⟩", "answer"),
        ("|dry, damp|", "truth"),
        ("‖dry, damp‖", "truth"),
    ],
)
def test_each_bracket_names_what_it_holds(bracket: str, name: str) -> None:
    phrases = (Phrase("dry", 1), Phrase("damp", 6))
    assert tokens(bracket) == [Placeholder(name, phrases, 0)]


def test_tokens_know_their_columns() -> None:
    text, mark, key = tokens("so [hay] {a, b}")[::2], *tokens("so [hay] {a, b}")[1::2]
    assert [token.column for token in text] == [0, 8]
    assert (mark.column, key.column) == (3, 9)


def test_reading_can_start_at_a_column() -> None:
    assert tokens("tense: hay", 7) == [Text("hay", 7)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{a,b}", ["a", "b"]),
        ("{  a  c ,  b  }", ["a c", "b"]),
        ("{, b}", ["", "b"]),
        ("{a, }", ["a", ""]),
        ("{}", [""]),
        ('{"", b}', ["", "b"]),
        ('{"a, c", b}', ["a, c", "b"]),
        ('{ "a" , b}', ["a", "b"]),
        (r'{"a \"c\"", b}', ['a "c"', "b"]),
        ('{a "c", b}', ['a "c"', "b"]),
        ('{"{a}", "<b>"}', ["{a}", "<b>"]),
        (r"{a\, c, \{b\}}", ["a, c", "{b}"]),
        (r"{\*a\*, b\\}", ["*a*", "b\\"]),
        ("{a*, *b*c}", ["a*", "*b*c"]),
        ("{?a, b=c}", ["?a", "b=c"]),
        ("{a, b, c}", ["a", "b", "c"]),
    ],
)
def test_phrases_are_parted_by_commas_unless_quoted_or_escaped(
    line: str, expected: list[str]
) -> None:
    assert values(line) == expected


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("<a*, b>", [True, False]),
        ("<a, b*>", [False, True]),
        ("<a * , b>", [True, False]),
        ('<"a"*, b>', [True, False]),
        ('<"a*", b>', [False, False]),
        (r"<a\*, b>", [False, False]),
        ("<a*b, *c>", [False, False]),
        ("⟨a, b*⟩", [False, True]),
    ],
)
def test_a_star_after_an_answer_says_it_is_right(line: str, right: list[bool]) -> None:
    assert [phrase.is_right for phrase in placeholder(line).phrases] == right


@pytest.mark.parametrize(
    ("line", "target", "expected"),
    [
        ("<it = a, b>", "it", ["a", "b"]),
        ("<it=a, b>", "it", ["a", "b"]),
        ("< each  one  = a, b>", "each one", ["a", "b"]),
        ("<a, b = c>", None, ["a", "b = c"]),
        ('<"a = c", b>', None, ["a = c", "b"]),
        (r"<a \= c, b>", None, ["a = c", "b"]),
        ("<= a, b>", "", ["a", "b"]),
    ],
)
def test_what_stands_before_an_equals_sign_is_the_target(
    line: str, target: str | None, expected: list[str]
) -> None:
    assert (placeholder(line).target, values(line)) == (target, expected)


@pytest.mark.parametrize(
    ("line", "is_unlabelled"),
    [("<? a, b>", True), ("<?a, b>", True), ('<"?a", b>', False), ("<a?, b>", False)],
)
def test_a_question_mark_leaves_the_answer_open(line: str, is_unlabelled: bool) -> None:
    assert placeholder(line).is_unlabelled is is_unlabelled


def test_an_open_answer_may_have_a_target() -> None:
    token = placeholder("<? it = a, b>")
    assert (token.is_unlabelled, token.target) == (True, "it")


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("[the jug]", Mark(0, "the jug", 0)),
        ("[ the  jug ]", Mark(0, "the jug", 0)),
        ("[2: the jug]", Mark(2, "the jug", 0)),
        ("[ 12: jug]", Mark(12, "jug", 0)),
        ("[2:30]", Mark(0, "2:30", 0)),
        ("[1: 2: jug]", Mark(1, "2: jug", 0)),
        (r"[a\]b, c*]", Mark(0, "a]b, c*", 0)),
    ],
)
def test_a_candidate_may_say_its_number(line: str, mark: Mark) -> None:
    assert tokens(line) == [mark]


def test_escapes_stand_for_the_characters_themselves() -> None:
    escaped = r"\{\}\<\>\⟨\⟩\|\‖\[\]\\\"\,\=\*\?\#\&\-"
    assert tokens(escaped) == [Text('{}<>⟨⟩|‖[]\\",=*?#&-', 0)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "hay {dry, damp",
            "column 5: this key placeholder is never closed with '}'\n"
            "  hay {dry, damp\n"
            "      ^\n"
            "  write } after its last phrase",
        ),
        (
            "hay <keeps, rots",
            "column 5: this answer placeholder is never closed with '>'\n"
            "  hay <keeps, rots\n"
            "      ^\n"
            "  write > after its last phrase",
        ),
        (
            "It is |so, not so",
            "column 7: this truth placeholder is never closed with '|'\n"
            "  It is |so, not so\n"
            "        ^\n"
            "  write | after its last phrase",
        ),
        (
            "so [the jug",
            "column 4: this candidate is never closed with ']'\n"
            "  so [the jug\n"
            "     ^\n"
            "  write ] after its last phrase",
        ),
        (
            "hay {dry, damp <keeps, rots>",
            "column 16: placeholders cannot be nested\n"
            "  hay {dry, damp <keeps, rots>\n"
            "                 ^\n"
            "  close the bracket before it, or write \\< for the character itself",
        ),
        (
            "hay {dry <a, b>, damp}",
            "column 10: placeholders cannot be nested\n"
            "  hay {dry <a, b>, damp}\n"
            "           ^\n"
            "  close the bracket before it, or write \\< for the character itself",
        ),
        (
            "hay {dry {a}, damp}",
            "column 10: placeholders cannot be nested\n"
            "  hay {dry {a}, damp}\n"
            "           ^\n"
            "  close the bracket before it, or write \\{ for the character itself",
        ),
        (
            "[the {big, small} jug]",
            "column 6: placeholders cannot be nested\n"
            "  [the {big, small} jug]\n"
            "       ^\n"
            "  close the bracket before it, or write \\{ for the character itself",
        ),
        (
            "hay {dry], damp}",
            "column 9: ']' is not allowed inside this bracket\n"
            "  hay {dry], damp}\n"
            "          ^\n"
            "  quote the phrase if it contains the character",
        ),
        (
            "hay {dry | damp}",
            "column 10: '|' is not allowed inside this bracket\n"
            "  hay {dry | damp}\n"
            "           ^\n"
            "  quote the phrase if it contains the character",
        ),
        (
            "hay} keeps",
            "column 4: this '}' has no opening bracket\n"
            "  hay} keeps\n"
            "     ^\n"
            "  write \\} for the character itself",
        ),
        (
            'hay {"dry, damp}',
            "column 6: this quotation is never closed\n"
            '  hay {"dry, damp}\n'
            "       ^\n"
            '  close it with "',
        ),
        (
            'hay {"dry" hay, damp}',
            "column 12: a quoted phrase ends at its quotation mark\n"
            '  hay {"dry" hay, damp}\n'
            "             ^\n"
            '  quote the whole phrase, and write \\" for a quotation mark inside',
        ),
        (
            '<"dry"* hay, damp>',
            "column 9: 'h' is not allowed inside this bracket\n"
            '  <"dry"* hay, damp>\n'
            "          ^\n"
            "  quote the phrase if it contains the character",
        ),
        (
            r"hay \keeps",
            "column 5: a backslash must come before one of "
            '{ } < > ⟨ ⟩ | ‖ [ ] \\ " , = * ? # & ! -\n'
            "  hay \\keeps\n"
            "      ^\n"
            "  write \\\\ for a backslash itself",
        ),
    ],
)
def test_a_fault_is_shown_with_its_place_and_its_remedy(line: str, message: str) -> None:
    assert complaints(line) == [message]


def test_a_backslash_at_the_end_is_a_fault() -> None:
    (message,) = complaints("hay \\")
    assert message.startswith("column 5: a backslash must come before one of")


def test_every_fault_of_a_line_is_found() -> None:
    lexer = Lexer("a} {b <c>} [d {e}] |f{g| \\h <i, j> >")
    found = lexer.tokens()
    assert [error.column for error in lexer.errors] == [1, 6, 14, 21, 25, 35]
    assert [token.column for token in found if isinstance(token, Placeholder)] == [28]


def test_faults_of_a_line_come_in_the_order_of_the_line() -> None:
    lexer = Lexer(r"{dry \x")
    lexer.tokens()
    assert [error.column for error in lexer.errors] == [0, 5]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dry hay, damp hay", ("dry hay", "damp hay")),
        ('"dry, hay", damp', ("dry, hay", "damp")),
        ("dry*, damp", ("dry*", "damp")),
        ("", ("",)),
    ],
)
def test_a_list_of_phrases_needs_no_bracket(line: str, expected: tuple[str, ...]) -> None:
    lexer = Lexer(line)
    assert tuple(phrase.value for phrase in lexer.phrases()) == expected and not lexer.errors


@pytest.mark.parametrize("line", ["dry {hay}, damp", '"dry" hay, damp', '"dry', '"dry"*, damp'])
def test_a_faulty_list_of_phrases_has_none(line: str) -> None:
    lexer = Lexer(line)
    assert lexer.phrases() == () and len(lexer.errors) == 1


def test_single_spaces_remain_between_words() -> None:
    assert single_spaces("  dry   hay ") == "dry hay"
