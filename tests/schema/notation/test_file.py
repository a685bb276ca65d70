import os
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from horsesense.errors import FileError, NotationErrors, SchemaError
from horsesense.schema import Entry, Header, Mode
from horsesense.schema.notation import (
    SchemaFile,
    grid_id,
    parse_grid,
    print_entry,
    print_file,
    print_header,
)

HAY = "hay <keeps, rots> when {dry, damp}\n"
RYE = "rye <keeps, rots> when {dry, damp}\n"
ROW = "oats <keep*, rot> here\n"
GRID = parse_grid(HAY.rstrip())


def schema_file(content: str | bytes) -> SchemaFile:
    raw = content.encode() if isinstance(content, str) else content
    return SchemaFile(BytesIO(raw), "barn.txt", "barn")


def entries(content: str | bytes) -> list[Entry]:
    return list(schema_file(content))


def ids(content: str | bytes) -> list[str]:
    """The ids of the sound entries, whatever else is wrong."""
    return [entry.id for entry in schema_file(content).sound_entries()]


def complaint(content: str | bytes) -> str:
    with pytest.raises(NotationErrors) as caught:
        entries(content)
    return str(caught.value)


def places(content: str | bytes) -> list[tuple[int, int]]:
    file = schema_file(content)
    list(file.sound_entries())
    return [(error.line_number, error.column + 1) for error in file.errors]


def test_each_line_is_an_entry_and_indented_lines_are_its_fields() -> None:
    first, second = entries(f"{HAY}    id: dry-hay\n    tags: farm\n{RYE}    id: rye\n")
    assert (first.id, first.tags, first.grid) == ("dry-hay", ("farm",), GRID)
    assert (second.id, second.tags) == ("rye", ())


def test_an_entry_without_an_id_gets_one_from_its_content() -> None:
    assert [entry.id for entry in entries(HAY)] == [grid_id(GRID)[:12]]


def test_lines_with_an_ampersand_join_the_problem_above() -> None:
    (entry,) = entries(f"{ROW}& rye <keeps, rots*> here\n    id: pair\n")
    assert (entry.id, entry.grid) == (
        "pair",
        parse_grid("oats <keep*, rot> here\n& rye <keeps, rots*> here"),
    )


def test_comments_and_empty_lines_are_left_out() -> None:
    assert len(entries(f"# a barn\n\n{HAY}\n# of its fields\n    \n    note: so\n\n\n{RYE}\n")) == 2


def test_a_file_need_not_end_in_a_newline() -> None:
    assert entries(HAY.rstrip()) == entries(HAY)


def test_spaces_at_the_end_of_lines_do_not_matter() -> None:
    padded = f"---  \nname: b\n---  \n{HAY.rstrip()}   \n    id: a   \n"
    assert [entry.id for entry in entries(padded)] == ["a"]


def test_without_front_matter_the_file_has_the_default_name() -> None:
    assert schema_file(HAY).header == Header("barn")


def test_front_matter_tells_what_the_dataset_says_of_itself() -> None:
    head = (
        "---\nname: farm\n# so\n\ntitle: Hay: a study\nauthor: A. Elm\nlicence: CC0\nnote: x\n---\n"
    )
    file = schema_file(head + HAY)
    assert file.header == Header("farm", "Hay: a study", "A. Elm", "CC0", "x")
    assert len(list(file)) == 1


def test_the_header_is_known_before_the_entries_are_read() -> None:
    file = schema_file("---\nname: farm\n---\nhay {\n")
    assert (file.header.name, file.errors) == ("farm", [])


def test_front_matter_without_a_name_has_the_default_name() -> None:
    assert schema_file(f"---\ntitle: Hay\n---\n{HAY}").header == Header("barn", title="Hay")


def test_digest_and_size_are_those_of_all_the_bytes() -> None:
    content = (HAY + "x" * 200_000 + "\n" + RYE).encode()
    file = schema_file(content)
    list(file.sound_entries())
    assert (file.reader.digest, file.reader.size) == (sha256(content).hexdigest(), len(content))


def test_an_entry_is_printed_with_its_fields_indented() -> None:
    entry = Entry("hay", GRID, tags=("a", "b"), extras=(("x-mine", ""),))
    assert print_entry(entry) == f"{HAY}    id: hay\n    tags: a, b\n    x-mine:\n"


def test_an_entry_that_could_not_be_read_again_is_not_printed() -> None:
    with pytest.raises(SchemaError) as caught:
        print_entry(Entry("hay", GRID, note="x" * 10_000))
    assert str(caught.value) == "a line of 'hay' is longer than 10,000 characters"


def test_a_line_that_would_be_too_long_when_printed_is_refused() -> None:
    def long_row(count: int) -> str:
        return f"so <a*,{','.join(f'={n}' for n in range(count))}>\n    id: long\n"

    assert places(f"{HAY}{long_row(1500)}{RYE}") == [(2, 1)]
    assert ids(long_row(700)) == ["long"]


def test_a_header_is_printed_without_what_it_does_not_say() -> None:
    assert print_header(Header("farm", note="x")) == "---\nname: farm\nnote: x\n---\n"


def test_a_file_is_printed_piece_by_piece() -> None:
    pieces = list(print_file(Header("farm"), [Entry("hay", GRID)]))
    assert pieces == ["---\nname: farm\n---\n", f"\n{HAY}    id: hay\n"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "barn.txt:1:1: the file contains no schema"),
        ("# a barn\n\n", "barn.txt:1:1: the file contains no schema"),
        ("---\nname: farm\n---\n", "barn.txt:1:1: the file contains no schema"),
        (
            f"---\nname: farm\n{HAY}",
            "barn.txt:1:1: the front matter is never closed with ---\n  ---\n  ^",
        ),
        (
            "---\nname: farm\n",
            "barn.txt:1:1: the front matter is never closed with ---\n  ---\n  ^",
        ),
        (
            f"---\nname: farm\nname: barn\n---\n{HAY}",
            "barn.txt:3:1: 'name' occurs twice in the front matter\n  name: barn\n  ^",
        ),
        (
            f"---\nlicense: CC0\n---\n{HAY}",
            "barn.txt:2:1: the front matter has no field 'license'\n"
            "  license: CC0\n"
            "  ^\n"
            "  known: name, title, author, licence, note, mode",
        ),
        (
            f"---\nfarm\n---\n{HAY}",
            "barn.txt:2:1: expected a field, «name: value»\n"
            "  farm\n"
            "  ^\n"
            "  a schema is not indented",
        ),
        (
            f"    id: hay\n{HAY}",
            "barn.txt:1:1: this line must follow a schema, but there is none above\n"
            "      id: hay\n"
            "  ^\n"
            "  a schema is not indented, and does not begin with '&'",
        ),
        (
            f"& {ROW}{HAY}",
            "barn.txt:1:1: this line must follow a schema, but there is none above\n"
            "  & oats <keep*, rot> here\n"
            "  ^\n"
            "  a schema is not indented, and does not begin with '&'",
        ),
        (
            f"{ROW}    id: a\n& rye <a*, b> here\n",
            "barn.txt:3:1: '&' joins a line to the problem right above it\n"
            "  & rye <a*, b> here\n"
            "  ^",
        ),
        (
            f"{ROW}&rye <a*, b>\n",
            "barn.txt:2:1: each further line starts with '& '\n  &rye <a*, b>\n  ^",
        ),
        (
            f"{HAY}& {ROW}",
            "barn.txt:1:1: only problems without key phrases can be joined by '&'\n"
            "  hay <keeps, rots> when {dry, damp}\n"
            "  ^",
        ),
        (
            f"{HAY}    id: a\n{RYE}    id: a\n",
            "barn.txt:3:1: the id 'a' is already used in line 1\n"
            "  rye <keeps, rots> when {dry, damp}\n"
            "  ^",
        ),
        (
            f"{RYE}{RYE}",
            "barn.txt:2:1: this schema is already in line 1\n"
            "  rye <keeps, rots> when {dry, damp}\n"
            "  ^\n"
            "  remove one of the two",
        ),
        (
            f"{HAY}    nope: a\n",
            "barn.txt:2:5: no field named 'nope'\n      nope: a\n      ^\n  did you mean note?",
        ),
        (
            f"{HAY}    note: a\n    note: b\n",
            "barn.txt:3:5: 'note' occurs twice\n      note: b\n      ^",
        ),
        (
            f"{HAY}\trye\n",
            "barn.txt:2:1: a tab is not allowed in a line\n  ·rye\n  ^\n"
            "  use a space, or remove it",
        ),
        (
            HAY.replace("\n", "\r\n") + RYE.replace("\n", "\r\n"),
            "barn.txt:1:1: the lines end in CR LF\n  save the file with Unix line ends (LF)",
        ),
        (
            f"{HAY}a\rb\n",
            "barn.txt:2:2: the character '\\r' is not allowed in a line\n"
            "  a·b\n"
            "   ^\n"
            "  use a space, or remove it",
        ),
        (
            b"\xef\xbb\xbf" + HAY.encode(),
            "barn.txt:1:1: a byte order mark\n  save the file as plain UTF-8",
        ),
        (
            HAY.encode() + b"\xef\xbb\xbfrye\n",
            "barn.txt:2:1: the character '\\ufeff' is not allowed in a line\n"
            "  ·rye\n"
            "  ^\n"
            "  use a space, or remove it",
        ),
        (
            HAY.encode() + "été ".encode() + b"\xff <a*, b>\n",
            "barn.txt:2:5: byte 7 is not UTF-8\n  été � <a*, b>\n      ^",
        ),
    ],
)
def test_a_bad_file_is_refused_with_file_line_and_column(
    content: str | bytes, message: str
) -> None:
    assert complaint(content) == message


@pytest.mark.parametrize("char", ["h", "é", "木", "😀"])
@pytest.mark.parametrize("lead", ["", "h", "hh", "hhh"])
def test_a_line_of_a_megabyte_is_refused_as_too_long_and_the_rest_is_read(
    char: str, lead: str
) -> None:
    long = lead + char * (1_000_000 // len(char.encode()))
    (error,) = _errors(f"{HAY}{long}\n{RYE}")
    assert error.startswith("barn.txt:2:10001: the line is longer than 10,000 characters\n")
    assert len(error) < 400 and len(ids(f"{HAY}{long}\n{RYE}")) == 2


def _errors(content: str) -> list[str]:
    file = schema_file(content)
    list(file.sound_entries())
    return [str(error) for error in file.errors]


def test_a_long_line_at_the_end_of_the_file_is_refused_too() -> None:
    (error,) = _errors(HAY + "h" * 1_000_000)
    assert error.startswith("barn.txt:2:10001: the line is longer")


def test_all_faults_of_a_file_are_told_in_its_order() -> None:
    content = (
        f"---\nlicense: x\n---\nhay <keeps\n{HAY}    nope: 1\n    note: a\n    note: b\n"
        f"}} {{\n{RYE}{RYE}"
    )
    assert places(content) == [(2, 1), (4, 5), (6, 5), (8, 5), (9, 1), (9, 3), (11, 1)]


def test_faults_that_show_late_are_told_in_their_place() -> None:
    assert places(f"{HAY}{HAY}a\tb\n") == [(2, 1), (3, 2)]


def test_an_entry_with_a_fault_is_left_out_and_the_others_are_read() -> None:
    content = f"{HAY}    id: a\n{RYE}    id: b\n    nope: 1\n{ROW}    id: c\n"
    assert ids(content) == ["a", "c"]


@pytest.mark.parametrize("bad", [b"\tid: a", b"    id: \xff", b"    note: " + b"x" * 20_000])
def test_an_entry_with_a_field_that_cannot_be_read_is_left_out(bad: bytes) -> None:
    assert len(ids(HAY.encode() + bad + b"\n" + RYE.encode())) == 1


@pytest.mark.parametrize("bad", [b"rye\t<a, b>", b"rye \xff", b"x" * 20_000])
def test_the_fields_of_a_line_that_cannot_be_read_go_to_no_other_entry(bad: bytes) -> None:
    content = HAY.encode() + bad + b"\n    id: rye\n    note: x\n" + ROW.encode()
    assert ids(content) == [grid_id(GRID)[:12], grid_id(parse_grid(ROW.rstrip()))[:12]]


def test_a_line_that_cannot_be_read_is_the_only_fault_of_its_entry() -> None:
    assert places(f"a\tb\n    id: a\n{HAY}    id: b\nb\tc\n    id: c\n") == [(1, 2), (5, 2)]


def test_a_bad_name_in_the_front_matter_is_shown_in_its_line() -> None:
    message = complaint(f"---\ntitle: Hay\nname: the farm\nnote: x\n---\n{HAY}")
    assert message.startswith("barn.txt:3:")
    assert message.split("\n")[1] == "  name: the farm"


def test_a_file_whose_own_name_cannot_be_a_datasets_is_told_so() -> None:
    file = SchemaFile(BytesIO(HAY.encode()), "the barn.txt", "the barn")
    assert len(list(file.sound_entries())) == 1 and file.header == Header("unnamed")
    assert [error.location for error in file.errors] == ["the barn.txt:1:1"]


def test_a_line_of_the_front_matter_that_cannot_be_read_is_the_only_fault() -> None:
    assert places(f"---\nname: farm\nti\ttle: Hay\n---\n{HAY}") == [(3, 3)]


def test_a_bad_id_or_tag_is_shown_where_it_stands() -> None:
    assert places(f"{HAY}    id: two hays\n    tags: a b\n") == [(2, 9), (3, 11)]


def test_reading_a_file_twice_reads_nothing_twice() -> None:
    file = schema_file(HAY)
    assert (len(list(file)), list(file), file.errors) == (1, [], [])


def test_a_file_knows_how_much_of_it_has_been_read(tmp_path: Path) -> None:
    path = tmp_path / "barn.txt"
    path.write_text(HAY + RYE, encoding="utf-8")
    with path.open("rb") as stream:
        file = SchemaFile(stream, "barn.txt", "barn")
        before = file.reader.position()
        assert len(list(file)) == 2
        size = len(HAY) + len(RYE)
        assert (before, file.reader.position()) == ((len(HAY), size), (size, size))


def test_a_stream_does_not_know_how_much_there_is() -> None:
    assert schema_file(HAY).reader.position() == (len(HAY), None)


def test_a_pipe_does_not_know_how_much_there_is() -> None:
    reading, writing = os.pipe()
    os.write(writing, HAY.encode())
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        assert SchemaFile(stream, "barn.txt", "barn").reader.position() == (len(HAY), None)


def test_a_file_knows_the_line_of_each_entry() -> None:
    file = schema_file(f"# so\n{HAY}    id: a\n\n{ROW}& rye <a*, b>\n{RYE}    id: b\n")
    list(file.sound_entries())
    assert (file.line_of("a"), file.line_of("b")) == (2, 7)


def test_comments_may_stand_before_the_front_matter_and_among_fields() -> None:
    file = schema_file(f"# a farm\n\n---\nname: farm\n---\n{HAY}    # dry\n    id: hay\n")
    assert [entry.id for entry in file] == ["hay"]
    assert file.header.name == "farm"


def test_a_file_that_fails_while_it_is_read_is_to_blame() -> None:
    memory = Path("/proc/self/mem")  # opens, and has nothing at its first page
    if not memory.exists():
        pytest.skip("there is no such file on this system")
    with memory.open("rb") as stream, pytest.raises(FileError, match="mem cannot be read"):
        SchemaFile(stream, "mem", "mem")


def test_a_file_declares_its_mode_in_the_front_matter() -> None:
    written = "---\nname: barn\nmode: by key\n---\n"
    header = schema_file(written + HAY).header
    assert header == Header("barn", mode=Mode.BY_KEY)
    assert print_header(header) == written


def test_the_mode_by_answer_is_not_written_so_that_ids_stay_what_they_were() -> None:
    header = schema_file(f"---\nmode: by answer\n---\n{HAY}").header
    assert print_header(header) == "---\nname: barn\n---\n"


def test_a_mode_that_nobody_knows_is_refused_where_it_stands() -> None:
    assert complaint(f"---\nmode: by ear\n---\n{HAY}") == (
        "barn.txt:2:1: 'by ear' is not a mode\n  mode: by ear\n  ^\n"
        "  known: by answer, by key, by boolean"
    )
