import pytest

from horsesense.errors import NotationErrors
from horsesense.schema import (
    AxisName,
    Candidate,
    Kind,
    LooseGrid,
    LooseProblem,
    Schema,
    Slot,
    Target,
    candidates_of,
    pair,
    transposed,
)
from horsesense.schema.notation import MAX_LINE, parse_grid

KEY, ANSWER = Slot(AxisName.KEY, 0), Slot(AxisName.ANSWER, 0)
KEY_TOO, ANSWER_TOO = Slot(AxisName.KEY, 1), Slot(AxisName.ANSWER, 1)


def complaint(text: str) -> str:
    with pytest.raises(NotationErrors) as caught:
        parse_grid(text)
    return str(caught.value)


def numbers(line: str) -> list[int]:
    grid = parse_grid(line)
    assert isinstance(grid, Schema)
    return [candidate.number for candidate in candidates_of(grid.frame)]


def test_a_line_with_one_key_placeholder_is_a_substitution_schema() -> None:
    assert parse_grid(" hay <keeps,  rots>  when {dry,damp}. ") == Schema(
        ("hay ", ANSWER, " when ", KEY, "."), pair("dry", "damp"), pair("keeps", "rots")
    )


def test_a_line_with_two_key_placeholders_is_a_transposition_schema() -> None:
    assert parse_grid("{owls, voles} <eat, flee> {voles, owls}") == Schema(
        (KEY, " ", ANSWER, " ", KEY_TOO), transposed("owls", "voles"), pair("eat", "flee")
    )


def test_a_line_with_a_truth_pair_is_a_dyad() -> None:
    grid = parse_grid("It is |so, not so| that hay <keeps, rots> when {dry, damp}.")
    assert isinstance(grid, Schema) and grid.truths == pair("so", "not so")


def test_a_line_with_a_target_is_a_winograd_schema() -> None:
    grid = parse_grid("[the jug] hit [the urn], and <it = the jug, the urn> {fell, broke}")
    assert grid == Schema(
        (Candidate(1, "the jug"), " hit ", Candidate(2, "the urn"), ", and ", ANSWER, " ", KEY),
        pair("fell", "broke"),
        pair("the jug", "the urn"),
        target=Target("it"),
    )


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ("[a] [b]", [1, 2]),
        ("[1: a] [2: b]", [1, 2]),
        ("[2: a] [1: b]", [2, 1]),
        ("[2: a]", [2]),
        ("[1: a] [1: b]", [1, 1]),
        ("", []),
    ],
)
def test_candidates_are_numbered_as_they_come_or_as_they_say(
    marks: str, expected: list[int]
) -> None:
    assert numbers(f"{marks} so <it = a, b> {{fell, broke}}") == expected


def test_candidates_some_with_and_some_without_a_number_are_refused() -> None:
    assert "number" in complaint("[2: a] hit [b], and <it = a, b> {fell, broke}")


def test_a_candidate_has_no_number_zero() -> None:
    message = complaint("[0: a] hit [2: b], so <it = a, b> {c, d}")
    assert message.startswith("column 1: ") and "0" in message.split("\n")[0]


@pytest.mark.parametrize(
    ("line", "right"),
    [("hay <keeps*, rots>", 0), ("hay <a, b, c, d, e*>", 4), ("hay <? a, b>", None)],
)
def test_a_line_without_keys_is_a_problem_whose_answer_is_starred_or_open(
    line: str, right: int | None
) -> None:
    grid = parse_grid(line)
    assert isinstance(grid, LooseGrid)
    assert (grid.kind, grid.rows[0].right) == (Kind.SINGLE, right)


@pytest.mark.parametrize(
    "line",
    [
        "<owls, voles*> flee <voles, owls>",
        "<owls, voles> flee <voles, owls*>",
        "<owls, voles*> flee <voles, owls*>",
    ],
)
def test_the_star_may_stand_in_either_blank(line: str) -> None:
    row = LooseProblem((ANSWER, " flee ", ANSWER_TOO), transposed("owls", "voles"), 1)
    assert parse_grid(line) == LooseGrid((row,))


def test_the_question_mark_may_stand_in_either_blank() -> None:
    assert parse_grid("<a, b> or <? b, a>") == parse_grid("<? a, b> or <b, a>")


def test_a_line_that_is_nothing_but_answers_is_a_minimal_pair() -> None:
    assert parse_grid("<hay keeps*, hay it keeps>").kind is Kind.MINIMAL_PAIR


def test_further_lines_join_the_problem_above() -> None:
    grid = parse_grid("hay <keeps*, rots>\n& rye <keeps, rots, burns*>\n& <? oats, hay> rot")
    assert isinstance(grid, LooseGrid)
    assert [row.right for row in grid.rows] == [0, 2, None]


def test_a_first_line_may_start_with_an_ampersand_or_a_hash() -> None:
    grid = parse_grid("& Sons <keep*, rot>")
    assert isinstance(grid, LooseGrid) and grid.rows[0].frame[0] == "& Sons "
    assert parse_grid(r"\# 7 <keeps*, rots>") == parse_grid("# 7 <keeps*, rots>")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "hay keeps when {dry, damp}",
            "column 27: there is no answer placeholder\n"
            "  hay keeps when {dry, damp}\n"
            "                            ^\n"
            "  write the answers in angle brackets: <can, cannot>",
        ),
        (
            "hay <keeps, rots> when {dry}",
            "column 24: expected two key phrases, found 1\n"
            "  hay <keeps, rots> when {dry}\n"
            "                         ^\n"
            "  put a comma between the two, and quote a phrase that contains a comma",
        ),
        (
            "hay <keeps, rots> when {dry, damp, wet}",
            "column 24: expected two key phrases, found 3\n"
            "  hay <keeps, rots> when {dry, damp, wet}\n"
            "                         ^\n"
            "  put a comma between the two, and quote a phrase that contains a comma",
        ),
        (
            "hay <keeps> when {dry, damp}",
            "column 5: expected two answer phrases, found 1\n"
            "  hay <keeps> when {dry, damp}\n"
            "      ^\n"
            "  put a comma between the two, and quote a phrase that contains a comma",
        ),
        (
            "hay <keeps, keeps> when {dry, damp}",
            "column 5: 'keeps' occurs twice; the options must differ\n"
            "  hay <keeps, keeps> when {dry, damp}\n"
            "      ^",
        ),
        (
            "hay <keeps, > when {dry, damp}",
            "column 5: an answer phrase is empty\n  hay <keeps, > when {dry, damp}\n      ^",
        ),
        (
            "hay <keeps, rots> when <dry, damp> in {a, b}",
            "column 24: a schema has one answer placeholder\n"
            "  hay <keeps, rots> when <dry, damp> in {a, b}\n"
            "                         ^",
        ),
        (
            "{owls, voles} <eat, flee> {owls, voles}",
            "column 27: two key placeholders hold the same two phrases in opposite order\n"
            "  {owls, voles} <eat, flee> {owls, voles}\n"
            "                            ^\n"
            "  that would be: voles, owls",
        ),
        (
            "{owls, voles} <eat, flee> {voles, owls, mice}",
            "column 27: the key placeholders hold 2 and 3 phrases\n"
            "  {owls, voles} <eat, flee> {voles, owls, mice}\n"
            "                            ^",
        ),
        (
            "{a, b} {b, a} {a, b} <eat, flee>",
            "column 15: a schema has one or two key placeholders\n"
            "  {a, b} {b, a} {a, b} <eat, flee>\n"
            "                ^",
        ),
        (
            "{owls, voles} <it = eat, flee> {voles, owls}",
            "column 32: a Winograd schema has one key placeholder\n"
            "  {owls, voles} <it = eat, flee> {voles, owls}\n"
            "                                 ^",
        ),
        (
            "[hay] <keeps, rots> when {dry, damp}",
            "column 1: only a Winograd schema has candidates, and this has no target\n"
            "  [hay] <keeps, rots> when {dry, damp}\n"
            "  ^",
        ),
        (
            "[1: hay] or [3: rye]: <it = a, b> {c, d}",
            "column 13: candidate 3 has no answer; there are 2\n"
            "  [1: hay] or [3: rye]: <it = a, b> {c, d}\n"
            "              ^",
        ),
        (
            "hay, so <it! = a, b> {c, d}",
            "column 9: 'it!' is not a pronoun\n"
            "  hay, so <it! = a, b> {c, d}\n"
            "          ^\n"
            "  write the target before '=': <it = the jar, the lid>; _ is an unknown one",
        ),
        (
            "hay <keeps*, rots> when {dry, damp}",
            "column 6: the key decides which answer is right\n"
            "  hay <keeps*, rots> when {dry, damp}\n"
            "       ^\n"
            "  remove the star; the first answer goes with the first key phrase",
        ),
        (
            "hay <? keeps, rots> when {dry, damp}",
            "column 6: the key decides which answer is right\n"
            "  hay <? keeps, rots> when {dry, damp}\n"
            "       ^",
        ),
        (
            "It is |so, not so| that hay <keeps*, rots>",
            "column 7: a truth pair needs a schema with key phrases\n"
            "  It is |so, not so| that hay <keeps*, rots>\n"
            "        ^",
        ),
        (
            "|so, odd| |no, not so| hay <a, b> {c, d}",
            "column 11: a dyad has one truth placeholder\n"
            "  |so, odd| |no, not so| hay <a, b> {c, d}\n"
            "            ^",
        ),
        (
            "so <a*, b*> and <c, d>",
            "column 17: more than one answer is starred\n"
            "  so <a*, b*> and <c, d>\n"
            "                  ^",
        ),
        (
            "so <? a*, b>",
            "column 4: a star and a question mark contradict each other\n  so <? a*, b>\n     ^",
        ),
        (
            "so <a*, b> and <it = c, d>",
            "column 16: the target belongs in the first answer placeholder\n"
            "  so <a*, b> and <it = c, d>\n"
            "                 ^",
        ),
        (
            "so <a*>",
            "column 4: a choice needs two answer phrases or more\n  so <a*>\n     ^",
        ),
        (
            "hay\tkeeps",
            "column 4: a tab is not allowed in a line\n"
            "  hay·keeps\n"
            "     ^\n"
            "  use a space, or remove it",
        ),
        (
            "hay \x85 keeps",
            "column 5: the character '\\x85' is not allowed in a line\n"
            "  hay · keeps\n"
            "      ^\n"
            "  use a space, or remove it",
        ),
    ],
)
def test_a_line_that_makes_no_grid_is_refused_with_place_and_remedy(
    line: str, message: str
) -> None:
    assert complaint(line) == message


def test_answers_without_keys_are_told_of_both_ways_out() -> None:
    first, excerpt, caret, remedy = complaint("hay <keeps, rots> here").split("\n")
    assert first == "column 5: these answers have no key phrases to decide between them"
    assert (excerpt, caret) == ("  hay <keeps, rots> here", "      ^")
    assert "<can*, cannot>" in remedy and "<? can, cannot>" in remedy


def test_several_faults_of_one_line_are_told_together() -> None:
    assert complaint("hay} <keeps, rots> when {dry, damp") == (
        "column 4: this '}' has no opening bracket\n"
        "  hay} <keeps, rots> when {dry, damp\n"
        "     ^\n"
        "  write \\} for the character itself\n"
        "column 25: this key placeholder is never closed with '}'\n"
        "  hay} <keeps, rots> when {dry, damp\n"
        "                          ^\n"
        "  write } after its last phrase"
    )


def test_a_line_of_the_greatest_length_is_read() -> None:
    end = " <a*, b>"
    assert parse_grid("h" * (MAX_LINE - len(end)) + end).kind is Kind.SINGLE


def test_a_longer_line_is_refused_where_it_becomes_too_long() -> None:
    message = complaint("h" * (MAX_LINE + 1))
    assert message.startswith("column 10001: the line is longer than 10,000 characters\n  …hhh")


@pytest.mark.parametrize("second", ["rye <keeps*, rots>", "", "&rye <keeps*, rots>", " & rye"])
def test_a_further_line_begins_with_an_ampersand_and_a_space(second: str) -> None:
    message = complaint(f"hay <keeps*, rots>\n{second}")
    assert message.startswith("notation:2:1: each further line starts with '& '")


@pytest.mark.parametrize(
    "text",
    [
        "hay <keeps, rots> when {dry, damp}\n& rye <keeps*, rots>",
        "hay <keeps*, rots>\n& rye <keeps, rots> when {dry, damp}",
    ],
)
def test_a_schema_is_not_joined_to_anything(text: str) -> None:
    with pytest.raises(NotationErrors, match="only problems without key phrases"):
        parse_grid(text)


def test_errors_of_several_lines_are_reported_together_with_their_lines() -> None:
    with pytest.raises(NotationErrors) as caught:
        parse_grid("hay <keeps*, rots\n& rye <keeps*, rots>\noats <keep*, rot>")
    places = [error.location for error in caught.value.errors]
    assert places == ["notation:1:5", "notation:3:1"]
