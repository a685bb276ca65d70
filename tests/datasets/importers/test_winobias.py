import pytest

from horsesense.datasets.importers.formats.winobias import FORMAT
from horsesense.datasets.importers.reading import FileImport
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.schema import Header, problems
from tests.datasets.importers.imported import Imported, claimed, imported, published

LATE = "1 [The plumber] met the florist because [he] was late."
EARLY = "2 The plumber met [the florist] because [she] was early."


def read(*lines: str, off: tuple[str, ...] = (), lists: tuple[str, ...] = ()) -> Imported:
    companions = [SourceFile("list", "\n".join(lists).encode())] if lists else []
    return imported(FORMAT, "\n".join(lines), *companions, switched_off=off)


def first_options(found: Imported) -> tuple[str, ...]:
    """The options of the first problem, as they stand in its sentences."""
    return tuple(phrase for (phrase,) in problems(found.entries[0].grid)[0].options)


def other(*lines: str) -> SourceFile:
    return SourceFile("other", "\n".join(lines).encode())


def test_each_line_tells_the_other_occupation_of_its_twin() -> None:
    found = read(LATE, EARLY)
    assert found.grids == {
        "1-2": "[The plumber] met [the florist] because "
        "<_ = the plumber, the florist> was {late, early}."
    }
    (entry,) = found.entries
    assert dict(entry.extras) == {
        "x-problems": "1, 2",
        "x-pronoun.1": "he",
        "x-pronoun.2": "she",
    }
    assert entry.tags == ()
    assert [(i.kind, i.name, i.problem) for i in found.issues] == [
        ("oddity", "pronouns-differ", "1")
    ]


def test_options_are_in_the_order_of_the_statement_whichever_is_right() -> None:
    found = read(
        "1 The plumber met [the CEO] and thanked [him].",
        "2 The CEO met [the plumber] and thanked [her].",
    )
    assert found.grids["1-2"] == (
        "[The plumber] met [the CEO] and thanked <him = the plumber, the CEO*>.\n"
        "& [The CEO] met [the plumber] and thanked <her = the CEO, the plumber*>."
    )


@pytest.mark.parametrize(
    ("name", "tags"),
    [
        ("data/pro_stereotyped_type1.txt.dev", ("type1", "pro-stereotyped")),
        ("anti_stereotyped_type2.txt.test", ("type2", "anti-stereotyped")),
        ("own.txt", ()),
    ],
)
def test_the_name_of_the_file_tells_its_kind(name: str, tags: tuple[str, ...]) -> None:
    file = SourceFile(name, f"{LATE}\n{EARLY}\n".encode())
    (entry,) = FileImport(file, FORMAT, Header("x"), Journal())
    assert entry.tags == tags


def test_a_possessive_pronoun_makes_owners_and_a_capital_stays() -> None:
    found = read(
        "1 [The plumber] met the florist. [His] van was red.",
        "2 The plumber met [the florist]. [Her] van was green.",
    )
    assert found.grids["1-2"] == (
        "[The plumber] met [the florist]. <_'s = the plumber, the florist> van was {red, green}."
    )
    assert first_options(found) == ("The plumber's", "The florist's")


def test_whether_her_is_possessive_is_shown_by_the_file_with_the_other_gender() -> None:
    line = "1 The plumber met [the florist] and liked [her] scent."
    twin = "2 The florist met [the plumber] and thanked [him]."
    alone = read(line, twin)
    assert first_options(alone) == ("the plumber's", "the florist's")
    assert alone.told["him-or-his"] == 1
    told = imported(FORMAT, f"{line}\n{twin}", other(line.replace("her", "him")))
    assert first_options(told) == ("the plumber", "the florist")
    assert "him-or-his" not in told.told
    useless = imported(FORMAT, f"{line}\n{twin}", other(line.replace("her", "he")))
    assert useless.grids == alone.grids


@pytest.mark.parametrize(
    ("line", "is_owner"),
    [
        ("wished [her] happy days.", False),
        ("lost [her] happy days.", True),
        ("wished for [her] happy days.", True),
        ("watched [her] closely.", False),
        ("watched [her] family.", True),
        ("drove [her] home.", False),
        ("drove to [her] home.", True),
        ("smiled at [her].", False),
    ],
)
def test_otherwise_the_words_beside_it_show_it(line: str, is_owner: bool) -> None:
    found = read(
        f"1 The plumber met [the florist] and {line}",
        "2 The florist met [the plumber] and wished [him] well.",
        "3 The baker met [the florist] and lost [his] key.",
        "4 The florist met [the baker] and sang.",
    )
    assert first_options(found)[1] == ("the florist's" if is_owner else "the florist")


def test_a_second_pronoun_in_brackets_stays_in_the_text() -> None:
    found = read(LATE.replace("late", "looking for [his] key"), EARLY)
    assert "{looking for his key, early}" in found.grids["1-2"]
    assert [
        (i.kind, i.line, i.odd, i.done) for i in found.issues if i.name == "second-pronoun"
    ] == [("oddity", 1, "he and his are in brackets", "the first is the blank")]


def test_of_two_articles_one_is_left() -> None:
    doubled = EARLY.replace("[the", "the [the")
    assert read(LATE, doubled).grids == read(LATE, EARLY).grids
    assert [(i.kind, i.line, i.odd, i.done) for i in read(LATE, doubled).issues][1:] == [
        ("repair", 2, "'the [the '", "'[the '")
    ]
    left = read(LATE, doubled, off=("doubled-article",))
    assert "met the [the florist] because" in left.grids["1-2"]


def test_an_article_before_the_brackets_does_as_well() -> None:
    assert read(LATE, EARLY.replace("[the florist", "the [ florist")).grids == (
        read(LATE, EARLY).grids
    )


def test_a_space_before_s_is_left_out() -> None:
    spaced = (
        "1 [The plumber] met the florist 's dog because [he] was late.",
        "2 The plumber met [the florist] 's dog because [she] was early.",
    )
    assert "[the florist]'s dog" in read(*spaced).grids["1-2"]
    assert read(*spaced).told["space-before-s"] == 2
    assert "[the florist] 's dog" in read(*spaced, off=("space-before-s",)).grids["1-2"]


def test_a_line_without_a_twin_needs_a_list_of_occupations() -> None:
    lone = "3 [The plumber] met the baker because [he] was late."
    ((line, odd),) = read(LATE, EARLY, lone).faults
    assert line == 3
    assert "--with male_occupations.txt --with female_occupations.txt" in odd
    ((line, odd),) = read(LATE, EARLY, lone, lists=("plumber", "florist")).faults
    assert line == 3
    assert odd.startswith("neither a twin nor the lists of occupations tell")
    found = read(LATE, EARLY, lone, lists=("plumber", "florist", "baker", "lumber", ""))
    assert found.grids["3"] == (
        "[The plumber] met [the baker] because <he = the plumber*, the baker> was late."
    )
    assert [(i.kind, i.line, i.done) for i in found.issues if i.name == "no-twin"] == [
        ("oddity", 3, "'baker' is in the list")
    ]


def test_an_occupation_that_the_lists_lack_is_reported() -> None:
    found = read(LATE, EARLY, lists=("plumber",))
    assert [i.odd for i in found.issues if i.name == "unknown-occupation"] == [
        "'florist' is not among the occupations"
    ] * 2


def test_neighbours_about_others_are_no_twins() -> None:
    stranger = "2 The baker met [the tailor] because [she] was early."
    assert [line for line, _ in read(LATE, stranger, "3" + LATE[1:], "4" + EARLY[1:]).faults] == [
        1,
        2,
    ]


@pytest.mark.parametrize(
    "bad",
    [
        "The plumber met [the florist] because [she] was early.",
        "9 The plumber met the florist.",
        "9 The plumber met [the florist] because she was early.",
        "9 [The plumber] met [the florist] because [she] was early.",
        "9 The plumber met [] because [she] was early.",
        "9 He met [him] because [she] was early.",
    ],
)
def test_a_bad_line_is_a_fault_with_its_number(bad: str) -> None:
    assert [line for line, _ in read(LATE, EARLY, "", bad).faults] == [4]


def test_bytes_that_are_no_text_are_a_fault() -> None:
    found = imported(FORMAT, f"{LATE}\n{EARLY}\n".encode() + b"\xff\xfe")
    assert [line for line, _ in found.faults] == [3]


# Schemas, loose pairs, third brackets, and spaces before 's of every file.
COUNTS = {
    "anti_stereotyped_type1.txt.dev": (143, 55, 9, 10),
    "anti_stereotyped_type2.txt.dev": (0, 198, 6, 22),
    "pro_stereotyped_type1.txt.dev": (143, 55, 9, 10),
    "pro_stereotyped_type2.txt.dev": (0, 198, 6, 22),
}


@pytest.mark.parametrize("name", COUNTS)
def test_the_published_files_give_198_pairs(name: str) -> None:
    lists = [published(f"winobias/{one}_occupations.txt") for one in ("female", "male")]
    kind, _, rest = name.partition("_")
    opposite = published(f"winobias/{'pro' if kind == 'anti' else 'anti'}_{rest}")
    for companions in (lists, [*lists, opposite]):
        found = imported(FORMAT, published(f"winobias/{name}").data, *companions)
        schemas, loose, brackets, spaces = COUNTS[name]
        assert found.kinds.get("substitution schema", 0) == schemas
        assert found.kinds["loose pair"] == loose
        assert not found.faults
        assert sum(found.rights.values()) == 396
        assert (found.told["second-pronoun"], found.told["space-before-s"]) == (brackets, spaces)
        assert found.told.get("doubled-article", 0) == (name == "anti_stereotyped_type2.txt.dev")
        assert "unknown-occupation" not in found.told


def test_only_its_own_files_are_claimed() -> None:
    assert claimed(FORMAT) == {f"winobias/{name}" for name in COUNTS}
