import pytest

from horsesense.errors import NotationErrors, SchemaError
from horsesense.schema import FLAGS, PHRASES, VERSIONS, Entry
from horsesense.schema.notation import Fields, grid_id, parse_grid, written_fields
from horsesense.schema.notation.fields import KNOWN, split_field

HAY = parse_grid("hay <keeps, rots> when {dry, damp}")


def entry(*lines: str) -> Entry:
    fields = Fields()
    for line in lines:
        fields.read(line)
    return fields.entry(HAY)


def complaint(*lines: str) -> str:
    *good, bad = lines
    fields = Fields()
    for line in good:
        fields.read(line)
    with pytest.raises((NotationErrors, SchemaError)) as caught:
        fields.read(bad)
    return str(caught.value)


def test_without_an_id_there_is_one_from_the_content() -> None:
    assert entry() == Entry(grid_id(HAY)[:12], HAY)


def test_fields_are_read_in_any_order_and_kept_in_one() -> None:
    lines = ("    x-b: 2", "    tense: hay <kept, rotted> when {dry, damp}", "    x-a: 1")
    flags = ("    invertible: no", "    switchable: yes", "    id: hay", "    tags: a, b")
    read = entry(*lines, *flags, "    note: so: it is")
    assert read == entry(*flags[::-1], "    note: so: it is", *lines[::-1])
    assert read.flags == (("invertible", False), ("switchable", True))
    assert read.extras == (("x-a", "1"), ("x-b", "2"))
    assert (read.id, read.tags, read.note) == ("hay", ("a", "b"), "so: it is")


@pytest.mark.parametrize("name", PHRASES)
def test_a_field_of_phrases_holds_as_many_as_it_says(name: str) -> None:
    count, _ = PHRASES[name]
    phrases = ("dry hay", "damp hay")[:count]
    assert entry(f"    {name}: {', '.join(phrases)}").phrases == ((name, phrases),)


@pytest.mark.parametrize("name", ["adjectival", "switched"])
def test_a_quoted_phrase_may_hold_a_comma(name: str) -> None:
    assert entry(f'    {name}: "dry, hay", damp').phrases == ((name, ("dry, hay", "damp")),)


@pytest.mark.parametrize("name", ["unbalanced", "unbalanced-first"])
@pytest.mark.parametrize("phrase", ["dry hay, rye", 'hay called "dry"', "hay = oats", "[hay]"])
def test_a_single_phrase_is_written_as_it_is_read(name: str, phrase: str) -> None:
    given = Entry("hay", HAY, phrases=((name, (phrase,)),))
    lines = [f"    {field}: {value}" for field, value in written_fields(given)]
    assert entry(*lines) == given


@pytest.mark.parametrize("name", VERSIONS)
def test_a_version_is_a_grid(name: str) -> None:
    assert entry(f"    {name}: hay <keeps, rots> when {{dry, damp}}").versions == ((name, HAY),)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("hay <kept*, rotted>", "must be of the same kind and size as the schema that it replaces"),
        (
            "It is |so, not so| that hay <kept, rotted> when {dry, damp}",
            "must be of the same kind",
        ),
        ("hay <rots, keeps> when {damp, dry}", "has both keys and answers in opposite order"),
    ],
)
def test_a_version_has_problems_that_pair_with_the_schemas(line: str, problem: str) -> None:
    with pytest.raises(SchemaError, match=problem):
        entry(f"    tense: {line}")


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize(("value", "expected"), [("yes", True), ("no", False)])
def test_a_flag_is_yes_or_no(name: str, value: str, expected: bool) -> None:
    assert entry(f"    {name}: {value}").flag(name) is expected


@pytest.mark.parametrize("line", ["    tags:", "    note:", "    x-mine:"])
def test_an_empty_value_says_nothing(line: str) -> None:
    read = entry(line)
    assert (read.tags, read.note) == ((), "") and all(not value for _, value in read.extras)


def test_fields_are_written_kind_by_kind() -> None:
    given = Entry(
        "hay",
        HAY,
        tags=("a", "b"),
        note="so",
        flags=(("invertible", False),),
        phrases=(("switched", ("oats, rye", "hay")),),
        versions=(("tense", HAY),),
        extras=(("x-mine", "1"),),
    )
    assert list(written_fields(given)) == [
        ("id", "hay"),
        ("tags", "a, b"),
        ("note", "so"),
        ("invertible", "no"),
        ("switched", '"oats, rye", hay'),
        ("tense", "hay <keeps, rots> when {dry, damp}"),
        ("x-mine", "1"),
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["    switchable: maybe"],
            "column 17: 'switchable' must be yes or no, not 'maybe'\n"
            "      switchable: maybe\n"
            "                  ^",
        ),
        (
            ["    switchable:"],
            "column 16: 'switchable' must be yes or no, not ''\n"
            "      switchable:\n                 ^",
        ),
        (
            ["    note: so", "    note: so"],
            "column 5: 'note' occurs twice\n      note: so\n      ^",
        ),
        (
            ["    symmetrica: yes"],
            "column 5: no field named 'symmetrica'\n"
            "      symmetrica: yes\n"
            "      ^\n"
            "  did you mean symmetrical?",
        ),
        (
            ["    Tags: a"],
            "column 5: no field named 'Tags'\n      Tags: a\n      ^\n  did you mean tags?",
        ),
        (
            ["    keeps well"],
            "column 5: expected a field, «name: value»\n"
            "      keeps well\n"
            "      ^\n"
            "  a schema is not indented",
        ),
        (
            ["    : so"],
            "column 5: expected a field, «name: value»\n"
            "      : so\n"
            "      ^\n"
            "  a schema is not indented",
        ),
        (
            ["    adjectival: dry hay"],
            "column 17: 'adjectival' takes 2 phrases with a comma between\n"
            "      adjectival: dry hay\n"
            "                  ^",
        ),
        (
            ["    switched: a, b, c"],
            "column 15: 'switched' takes 2 phrases with a comma between\n"
            "      switched: a, b, c\n"
            "                ^",
        ),
        (
            ["    unbalanced:"],
            "column 16: 'unbalanced' takes a phrase\n      unbalanced:\n                 ^",
        ),
        (
            ["    adjectival: dry hay,"],
            "column 17: 'adjectival' takes 2 phrases with a comma between\n"
            "      adjectival: dry hay,\n"
            "                  ^",
        ),
        (
            ['    switched: "dry, b'],
            "column 15: this quotation is never closed\n"
            '      switched: "dry, b\n'
            "                ^\n"
            '  close it with "',
        ),
        (
            ["    tense: hay <kept> when {dry, damp}"],
            "column 16: expected two answer phrases, found 1\n"
            "      tense: hay <kept> when {dry, damp}\n"
            "                 ^\n"
            "  put a comma between the two, and quote a phrase that contains a comma",
        ),
    ],
)
def test_a_bad_field_is_refused_with_its_place(lines: list[str], message: str) -> None:
    assert complaint(*lines) == message


def test_an_unknown_field_with_no_known_one_near_is_answered_with_all() -> None:
    message = complaint("    wxyz: 1").split("\n")
    assert message[0] == "column 5: no field named 'wxyz'"
    assert message[-1] == (
        f"  known fields: {', '.join(KNOWN)}; start the name of a field of your own with x-"
    )


def test_a_bad_id_is_refused() -> None:
    assert "'two hays' cannot be an id" in complaint("    id: two hays")


def test_a_bad_tag_is_refused() -> None:
    assert "'' is not a valid tag" in complaint("    tags: a,, b")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("    note: so", ("note", "so", 10)),
        ("note:so", ("note", "so", 5)),
        ("  note :   so: it  ", ("note", "so: it", 11)),
        ("note:", ("note", "", 5)),
    ],
)
def test_a_field_is_split_at_its_first_colon(line: str, expected: tuple[str, str, int]) -> None:
    assert split_field(line) == expected


def test_a_field_of_ones_own_has_a_plain_name() -> None:
    with pytest.raises(NotationErrors) as caught:
        entry("    x-my own: 1")
    assert str(caught.value).startswith(
        "column 5: 'x-my own' cannot be a field of your own: use x- and"
    )
