"""XML of unknown origin."""

import pytest

from horsesense.datasets.importers.safe_xml import parse_xml
from horsesense.errors import FileError


def refused(data: str | bytes) -> str:
    with pytest.raises(FileError) as raised:
        parse_xml("own.xml", data.encode() if isinstance(data, str) else data)
    return str(raised.value)


def test_a_tree_knows_its_names_texts_attributes_and_lines() -> None:
    root = parse_xml("own.xml", b'<nest>\n<owl n="1">one</owl>\n<vole/><owl>\ntwo</owl></nest>')
    assert (root.tag, root.line, root.attributes) == ("nest", 1, {})
    assert [(owl.text, owl.line, owl.attributes) for owl in root.all("owl")] == [
        ("one", 2, {"n": "1"}),
        ("\ntwo", 3, {}),
    ]
    assert root.child() is root
    vole = root.child("vole")
    assert vole is not None and (vole.text, vole.children) == ("", [])
    assert root.child("elk") is None
    assert root.child("elk", "owl") is None
    assert root.child("owl", "egg") is None


def test_the_first_at_the_end_of_a_path_is_found() -> None:
    root = parse_xml("own.xml", b"<a><b><c>1</c><c>2</c></b><b><c>3</c></b></a>")
    found = root.child("b", "c")
    assert found is not None and found.text == "1"


def test_references_to_characters_and_literal_text_are_read() -> None:
    root = parse_xml("own.xml", b"<a>&lt;&#233;&amp;<![CDATA[<b>]]><!-- no --></a>")
    assert root.text == "<é&<b>"


def test_the_declared_encoding_is_used() -> None:
    data = "<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".encode("latin-1")
    assert parse_xml("own.xml", data).text == "é"
    assert parse_xml("own.xml", "<a>é</a>".encode("utf-16")).text == "é"
    assert parse_xml("own.xml", b"\xef\xbb\xbf<a>b</a>").text == "b"
    windows = "<?xml version='1.0' encoding='windows-1251'?><a>д</a>".encode("cp1251")
    assert parse_xml("own.xml", windows).text == "д"


def test_a_file_type_that_is_only_named_is_no_harm() -> None:
    assert parse_xml("own.xml", b'<!DOCTYPE a SYSTEM "a.dtd"><a>b</a>').text == "b"


@pytest.mark.parametrize(
    "data, line, problem",
    [
        ("", 1, "no element found"),
        ("owls", 1, "syntax error"),
        ("<a>\n<b>\n</a>", 3, "mismatched tag"),
        ("<a>\n<b>", 2, "no element found"),
        ("<a>\n</a>\n<b/>", 3, "junk after document element"),
        (b"<?xml version='1.0' encoding='utf-8'?>\n<a>\xe9</a>", 2, "invalid token"),
        (b"<a>\n\x00</a>", 2, "invalid token"),
        ("<a>\n&owl;</a>", 2, "undefined entity"),
    ],
)
def test_what_is_no_xml_is_refused_with_its_line(
    data: str | bytes, line: int, problem: str
) -> None:
    message = refused(data)
    assert message.startswith(f"own.xml:{line}: not well-formed XML: ")
    assert problem in message


@pytest.mark.parametrize("encoding", ["nonsense", "utf-7", "hex", "idna", "shift_jis", "undefined"])
def test_an_encoding_that_cannot_be_used_is_refused(encoding: str) -> None:
    message = refused(f"<?xml version='1.0' encoding='{encoding}'?><a/>")
    assert message.startswith("own.xml:1: ")


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY owl "vole">',
        '<!ENTITY owl SYSTEM "file:///etc/hostname">',
        '<!ENTITY % owl SYSTEM "other.dtd">',
        '<!ENTITY a "owls"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!NOTATION n SYSTEM "n"><!ENTITY owl SYSTEM "x" NDATA n>',
    ],
)
def test_whoever_declares_an_entity_is_refused_used_or_not(declared: str) -> None:
    for text in ("&owl;", "none"):
        message = refused(f"<!DOCTYPE nest [\n{declared}]>\n<nest>{text}</nest>")
        assert message.startswith("own.xml:2: ")
        assert "not allowed" in message


def test_a_bomb_of_entities_does_not_go_off() -> None:
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">\n' for n in range(1, 12))
    bomb = f'<!DOCTYPE nest [\n<!ENTITY e0 "owl">\n{levels}]>\n<nest>&e11;</nest>'
    assert "declares an entity" in refused(bomb)


def test_an_entity_of_a_file_type_that_is_not_read_is_not_lost_in_silence() -> None:
    assert "own.xml:2: " in refused('<!DOCTYPE a SYSTEM "a.dtd">\n<a>an &adjective; owl</a>')


def test_elements_may_be_nested_but_not_without_end() -> None:
    def nested(depth: int) -> bytes:
        return b"<a>" * depth + b"</a>" * depth

    assert parse_xml("own.xml", nested(50)).tag == "a"
    assert refused(nested(51)) == "own.xml:1: elements are nested more than 50 deep"
    assert "nested more than 50 deep" in refused(b"\n" + b"<a>" * 100_000)


def test_long_text_is_read() -> None:
    text = "owl " * 250_000
    assert parse_xml("own.xml", f"<a>{text}</a>".encode()).text == text
