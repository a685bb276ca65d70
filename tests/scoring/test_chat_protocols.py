import hashlib
from importlib.resources import files
from pathlib import Path

import pytest

from horsesense.datasets.builtin import BUILT_IN, open_built_in
from horsesense.errors import ArgumentError, FileError, UnknownNameError
from horsesense.models import Family, ReplyKind
from horsesense.schema import modes, problems
from horsesense.schema.notation import read_schemas
from horsesense.scoring import find_method
from horsesense.scoring.chat import (
    CHAT_METHODS,
    OWN_PROTOCOLS,
    own_protocol,
    protocol_of,
    read_protocol,
)
from tests.scoring.asked import FERRY, problem_of, questions_by

FOLDER = files("horsesense.scoring.chat") / "protocols"


def content_of(name: str) -> str:
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def changed(old: str, new: str, name: str = "letter") -> str:
    content = content_of(name)
    assert old in content
    return content.replace(old, new)


def test_there_are_four_protocols_in_files_of_their_names() -> None:
    kinds = {name: own_protocol(name).kind for name in OWN_PROTOCOLS}
    assert [*kinds.values()] == [*ReplyKind]
    assert all(own_protocol(name).name == name for name in kinds)
    assert [method.name for method in CHAT_METHODS] == [*kinds]


def test_the_hash_is_that_of_the_file() -> None:
    content = content_of("judge").encode()
    assert protocol_of("judge@2+reasoning").hash == hashlib.sha256(content).hexdigest()
    assert protocol_of("judge").version == 1


def test_all_protocols_have_the_same_examples() -> None:
    examples = {own_protocol(name).examples for name in OWN_PROTOCOLS}
    assert len(examples) == 1 and len(examples.pop()) == 8


def test_no_example_is_in_a_built_in_dataset() -> None:
    own = {
        sentence.casefold()
        for example in own_protocol("letter").examples
        for sentence in example.sentences
    }
    assert len(own) == 32
    for name in BUILT_IN:
        with open_built_in(name) as stream:
            entries = read_schemas(stream, name, name)
        for entry in entries:
            for grid in (entry.grid, *(version for _, version in entry.versions)):
                for mode in modes(grid):
                    for problem in problems(grid, mode):
                        assert own.isdisjoint(each.text.casefold() for each in problem.sentences)


@pytest.mark.parametrize(
    ("name", "full_name", "title"),
    [
        ("letter", "letter", "the letter of an option"),
        ("letter@0", "letter", "the letter of an option"),
        ("letter@01", "letter@1", "the letter of an option, 1 example"),
        ("word@4", "word@4", "an option in words, 4 examples"),
        ("judge+reasoning", "judge+reasoning", "whether each sentence makes sense, with reasoning"),
        (
            "cloze@2+reasoning",
            "cloze@2+reasoning",
            "the complete sentence, 2 examples, with reasoning",
        ),
    ],
)
def test_examples_and_reasoning_are_part_of_the_name(name: str, full_name: str, title: str) -> None:
    method = find_method(name, Family.CHAT)
    assert (method.name, method.title) == (full_name, title)


@pytest.mark.parametrize("name", ["leter", "letter@x", "letter@4+reason", "+reasoning", "letter@"])
def test_an_unknown_protocol_is_an_unknown_name(name: str) -> None:
    with pytest.raises(UnknownNameError, match="no scoring method named"):
        find_method(name, Family.CHAT)


def test_a_protocol_is_no_method_of_another_family() -> None:
    with pytest.raises(UnknownNameError, match="no scoring method of causal models named 'word@2'"):
        find_method("word@2", Family.CAUSAL)
    with pytest.raises(UnknownNameError, match="protocol of chat models named 'lettr'.*letter"):
        protocol_of("lettr")


def test_more_examples_than_there_are_is_an_error() -> None:
    with pytest.raises(ArgumentError, match="word has 8 examples.*use 8 or fewer"):
        find_method("word@9", Family.CHAT)


def test_a_protocol_of_ones_own_is_found_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed('name = "letter"', 'name = "mine"').replace("Which option", "What"))
    method = find_method(f"{path}@2+reasoning", Family.CHAT)
    assert method.name == f"{path}@2+reasoning"
    assert protocol_of(method.name).name == "mine"
    question = questions_by(method.name, problem_of(FERRY))[0]
    assert question.request.messages[-1].content.startswith("What fits")


def test_a_protocol_of_ones_own_needs_a_name_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content_of("word"))
    with pytest.raises(FileError, match="mine.toml: name: 'word' is the name of a protocol of"):
        find_method(str(path), Family.CHAT)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="none.toml cannot be read: No such file"):
        find_method(f"{tmp_path}/none.toml", Family.CHAT)


def test_a_file_may_leave_out_what_has_a_default() -> None:
    content = changed('letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"\n', "").replace('system = ""\n', "")
    protocol = read_protocol(content.partition("[[examples]]")[0].encode(), "mine.toml")
    assert protocol.letters[:3] == "ABC" and protocol.system == "" and not protocol.examples
    content = changed('verdicts = ["yes", "no"]\n', "", "judge")
    assert read_protocol(content.encode(), "mine.toml").verdicts == ("yes", "no")


def test_a_file_may_have_letters_verdicts_and_a_system_message_of_its_own() -> None:
    content = changed('"ABCDEFGHIJKLMNOPQRSTUVWXYZ"', '"XYZ"').replace(
        'system = ""', 'system = "Hm"'
    )
    protocol = read_protocol(content.encode(), "mine.toml")
    assert protocol.letters == "XYZ" and protocol.system == "Hm"
    content = changed('["yes", "no"]', '["ja", "nein"]', "judge")
    assert read_protocol(content.encode(), "mine.toml").verdicts == ("ja", "nein")


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("letter", 'reply = "letter"', 'reply = "leter"', "reply: no kind of reply named 'leter'"),
        ("letter", "version = 1", "version = 0", "version: 0 is not a whole number from 1"),
        ("letter", "version = 1", "version = true", "version: True is not a whole number"),
        ("letter", "version = 1", 'version = "1"', "version: '1' is not a whole number"),
        ("letter", "version = 1", "", "version: the key is missing; add it"),
        ("letter", "version = 1", "version =", "invalid TOML: Invalid value (at line 4"),
        ("letter", "marker = ", "markr = ", "no key named 'markr'; did you mean marker"),
        ("letter", '"Answer:"', '"###"', "marker: '###' has no word"),
        ("letter", '"Answer:"', "3", "marker: 3 is not a text; put it in quotation marks"),
        ("letter", '"Answer:"', '" "', "marker: the text is empty; write one"),
        ("letter", 'name = "letter"', 'name = "a b"', "name: 'a b' is not a valid name"),
        ("letter", '"ABCDEFGHIJKLMNOPQRSTUVWXYZ"', '"AAB"', "letters: 'AAB' are not different"),
        ("letter", '"ABCDEFGHIJKLMNOPQRSTUVWXYZ"', '"A"', "letters: 'A' are not different"),
        ("letter", '"ABCDEFGHIJKLMNOPQRSTUVWXYZ"', '"abc"', "letters: 'abc' are not different"),
        ("letter", "{letter}. ", "{leter}. ", "no placeholder named 'leter'; did you mean letter"),
        ("letter", "{letter}. ", "", "option: the text lacks {letter}; add it"),
        ("letter", "{statement}", "", "question.one-blank: the text lacks {statement}; add it"),
        ("letter", "one-blank", "one-blnk", "no key named 'question.one-blnk'; did you mean que"),
        ("letter", "max-tokens = 512", "max-tokens = -1", "reasoned.max-tokens: -1 is not"),
        ("letter", "{marker} {answer}", "{answer}", "reasoned.answer: the text lacks {marker}"),
        ("letter", "[direct]", "[[direct]]", "is not a table; begin it with [direct]"),
        ("word", "[direct]", "letters = 1\n[direct]", "no key named 'question.letters'"),
        ("word", "[direct]", "[verdicts]\n[direct]", "no key named 'verdicts'"),
        ("judge", '["yes", "no"]', '"yes"', "verdicts: 'yes' is not a list of texts"),
        ("judge", '["yes", "no"]', '["yes", 1]', "verdicts: ['yes', 1] is not a list of texts"),
        ("judge", '["yes", "no"]', '["yes"]', "verdicts: ['yes'] are not two different words"),
        ("judge", '["yes", "no"]', "[]", "verdicts: [] are not two different words"),
        ("judge", '["yes", "no"]', '["yes", "Yes"]', "are not two different words"),
        ("judge", '["yes", "no"]', '["yes", "no", "hm"]', "are not two different words"),
        ("judge", '["yes", "no"]', '["of course", "no"]', "are not two different words"),
        ("judge", "{first} or {second}", "{first}", "instruction: the text lacks {second}; add it"),
        ("judge", "{sentence}", "", "question.sentence: the text lacks {sentence}; add it"),
    ],
)
def test_an_error_names_the_file_the_key_and_what_to_do(
    name: str, old: str, new: str, message: str
) -> None:
    with pytest.raises(FileError) as caught:
        read_protocol(changed(old, new, name).encode(), "mine.toml")
    assert str(caught.value).startswith("mine.toml: ") and message in str(caught.value)


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ('[examples]\nschema = ""', "examples: {'schema': ''} is not a list; begin each with [["),
        ('[[examples]]\nschema = "a <b, c> {d"', "examples 1.schema: column"),
        ('[[examples]]\nschema = "<? b, c> d"\nreason = "e"', "is no schema with two problems"),
        ('[[examples]]\nschema = "|a, b| <b, c> {d, e}"\nreason = "e"', "is no schema with two"),
        ('[[examples]]\nschema = "a <b, c> {d, e}"', "examples 1.reason: the key is missing"),
        ("[[examples]]\nschemas = 1", "no key named 'examples 1.schemas'"),
    ],
)
def test_an_error_in_an_example_names_its_number(examples: str, message: str) -> None:
    content = content_of("letter").partition("[[examples]]")[0] + examples
    with pytest.raises(FileError) as caught:
        read_protocol(content.encode(), "mine.toml")
    assert message in str(caught.value)


def test_examples_must_be_tables() -> None:
    content = "examples = [1]\n" + content_of("letter").partition("[[examples]]")[0]
    with pytest.raises(FileError, match="mine.toml: examples: 1 is not a table"):
        read_protocol(content.encode(), "mine.toml")


def test_a_file_must_be_text() -> None:
    with pytest.raises(FileError, match="mine.toml is not a text file in UTF-8"):
        read_protocol(b"\xff\xfe", "mine.toml")
