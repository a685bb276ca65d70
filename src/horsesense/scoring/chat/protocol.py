"""Protocols of chat models: files that say how a problem is put to a model, and with what examples.

A protocol is a TOML file that can be copied and changed. Ours are in the folder `protocols`.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from horsesense.errors import FileError, HorsesenseError, UnknownNameError
from horsesense.models import ReplyKind
from horsesense.schema import Problem, Schema, problems
from horsesense.schema.notation import parse_grid

OWN_PROTOCOLS = ("letter", "word", "cloze", "judge")
FILE_ENDING = ".toml"

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VERDICTS = ("yes", "no")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")
# The texts of a question, by the number of blanks; a verdict is about a sentence without any.
_BLANKS = ("no-blank", "one-blank", "two-blanks")


@dataclass(frozen=True, slots=True)
class Wording:
    """How an answer is requested, with or without reasoning before it.

    `instruction` ends a question. `answer` is the assistant's turn in an example. A reply has at
    most `max_tokens` tokens.
    """

    instruction: str
    answer: str
    max_tokens: int


@dataclass(frozen=True, slots=True)
class Example:
    """A schema that is used as an example, and the fact behind it.

    `problems` are its two problems, both with two options.
    """

    problems: tuple[Problem, Problem]
    reason: str

    @property
    def sentences(self) -> tuple[str, ...]:
        """All filled sentences of the schema."""
        return tuple(each.text for problem in self.problems for each in problem.sentences)


@dataclass(frozen=True, slots=True)
class Protocol:
    """How a chat model is asked about problems; the texts have placeholders in braces.

    `hash` is the SHA-256 hash of the file. `questions` are the texts of a question about a problem
    with no, one and two blanks. `option` is the line that shows an option. `letters` are the names
    of the options in the order in which they are shown, and `verdicts` the words for yes and no.
    """

    name: str
    version: int
    hash: str
    title: str
    kind: ReplyKind
    system: str
    questions: tuple[str, str, str]
    option: str
    marker: str
    direct: Wording
    reasoned: Wording
    letters: str = _LETTERS
    verdicts: tuple[str, str] = _VERDICTS
    examples: tuple[Example, ...] = ()


@cache
def own_protocol(name: str) -> Protocol:
    """Return one of our own protocols.

    >>> own_protocol("letter").kind.value
    'letter'
    """
    file = files("horsesense.scoring.chat").joinpath("protocols", f"{name}{FILE_ENDING}")
    return read_protocol(file.read_bytes(), f"{name}{FILE_ENDING}")


def load_protocol(path: str) -> Protocol:
    """Read a user's protocol from a file."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    protocol = read_protocol(content, path)
    if protocol.name in OWN_PROTOCOLS:
        problem = f"{protocol.name!r} is the name of a protocol of horsesense"
        raise FileError(f"{path}: name: {problem}; choose another one for yours")
    return protocol


def read_protocol(content: bytes, source: str) -> Protocol:
    """Read a protocol from the content of a file; errors name the file and the key."""
    try:
        table = tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        raise FileError(f"{source} is not a text file in UTF-8; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise FileError(f"{source}: invalid TOML: {error}") from error
    return _protocol(_Table(table, source), hashlib.sha256(content).hexdigest())


def filled_in(template: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders of a template.

    >>> filled_in("Do {birds} hunt {prey}?", {"birds": "owls", "prey": "{voles}"})
    'Do owls hunt {voles}?'
    """
    return _PLACEHOLDER.sub(lambda match: values[match[1]], template)


class _Table:
    """A table of the file, whose keys are read with errors that name the file and the key."""

    def __init__(self, values: Mapping[str, Any], source: str, prefix: str = "") -> None:
        self._values, self._source, self._prefix = values, source, prefix

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def fault(self, key: str, problem: str) -> FileError:
        return FileError(f"{self._source}: {self._prefix}{key}: {problem}")

    def check_keys(self, known: Collection[str]) -> None:
        """Raise an error for a key that is not known."""
        for key in self._values:
            if key not in known:
                prefix = self._prefix
                names = [f"{prefix}{each}" for each in known]
                error = UnknownNameError("key", f"{prefix}{key}", names)
                raise FileError(f"{self._source}: {error}")

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text; it must not be empty unless there is a default."""
        value = self._value(key, default)
        if not isinstance(value, str):
            raise self.fault(key, f"{value!r} is not a text; put it in quotation marks")
        if not value.strip() and default is None:
            raise self.fault(key, "the text is empty; write one")
        return value.strip("\n")

    def number(self, key: str) -> int:
        value = self._value(key, None)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.fault(key, f"{value!r} is not a whole number from 1")
        return value

    def template(self, key: str, required: Collection[str], others: Collection[str] = ()) -> str:
        """Return a text with all required placeholders, and no other ones than the others."""
        text = self.text(key)
        known = [*required, *others]
        names = _PLACEHOLDER.findall(text)
        for name in names:
            if name not in known:
                error = UnknownNameError("placeholder", name, known)
                raise self.fault(key, str(error))
        for name in required:
            if name not in names:
                raise self.fault(key, f"the text lacks {{{name}}}; add it")
        return text

    def table(self, key: str) -> _Table:
        """Return a table inside this one."""
        return self._inner(key, self._value(key, None), key)

    def tables(self, key: str) -> list[_Table]:
        """Return the tables of a list, which may be missing."""
        value = self._value(key, [])
        if not isinstance(value, list):
            raise self.fault(key, f"{value!r} is not a list; begin each with [[{key}]]")
        return [self._inner(key, each, f"{key} {number}") for number, each in enumerate(value, 1)]

    def words(self, key: str, default: tuple[str, str]) -> tuple[str, str]:
        """Return two different words."""
        value = self._value(key, list(default))
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self.fault(key, f"{value!r} is not a list of texts")
        first, second, *more = [*value, "", ""][: max(2, len(value))]
        if more or not first.isalpha() or not second.isalpha() or first.lower() == second.lower():
            raise self.fault(key, f"{value!r} are not two different words")
        return first, second

    def _inner(self, key: str, value: object, name: str) -> _Table:
        if not isinstance(value, dict):
            raise self.fault(key, f"{value!r} is not a table; begin it with [{key}]")
        return _Table(value, self._source, f"{self._prefix}{name}.")

    def _value(self, key: str, default: object) -> object:
        value = self._values.get(key, default)
        if value is None:
            raise self.fault(key, "the key is missing; add it")
        return value


def _protocol(table: _Table, content_hash: str) -> Protocol:
    kind = _kind(table)
    is_letter, is_verdict = kind is ReplyKind.LETTER, kind is ReplyKind.VERDICT
    own = {"letters"} if is_letter else {"verdicts"} if is_verdict else set[str]()
    own |= set() if is_verdict else {"option"}
    table.check_keys(
        ["name", "version", "title", "reply", "system", "question", "marker", "direct"]
        + ["reasoned", "examples", *sorted(own)]
    )
    line = ("letter", "option") if is_letter else ("option",)
    return Protocol(
        name=_name(table),
        version=table.number("version"),
        hash=content_hash,
        title=table.text("title"),
        kind=kind,
        system=table.text("system", ""),
        questions=_questions(table.table("question"), is_verdict=is_verdict),
        option="" if is_verdict else table.template("option", line),
        marker=_marker(table),
        direct=_wording(table.table("direct"), is_verdict=is_verdict),
        reasoned=_wording(table.table("reasoned"), is_verdict=is_verdict, is_reasoned=True),
        letters=_letters(table),
        verdicts=table.words("verdicts", _VERDICTS),
        examples=tuple(_example(each) for each in table.tables("examples")),
    )


def _kind(table: _Table) -> ReplyKind:
    name = table.text("reply")
    if name not in set(ReplyKind):
        raise table.fault("reply", str(UnknownNameError("kind of reply", name, list(ReplyKind))))
    return ReplyKind(name)


def _name(table: _Table) -> str:
    name = table.text("name")
    if not _NAME.fullmatch(name):
        problem = f"{name!r} is not a valid name; use letters, digits and hyphens"
        raise table.fault("name", problem)
    return name


def _marker(table: _Table) -> str:
    marker = table.text("marker")
    if not any(map(str.isalpha, marker)):
        raise table.fault("marker", f"{marker!r} has no word; write one such as Answer:")
    return marker


def _letters(table: _Table) -> str:
    letters = table.text("letters") if "letters" in table else _LETTERS
    are_letters = letters.isascii() and letters.isalpha() and letters.isupper()
    if not are_letters or len(set(letters)) < max(2, len(letters)):
        raise table.fault("letters", f"{letters!r} are not different capital letters from A to Z")
    return letters


def _questions(table: _Table, *, is_verdict: bool) -> tuple[str, str, str]:
    if is_verdict:
        table.check_keys(["sentence"])
        text = table.template("sentence", ("sentence", "instruction"))
        return text, text, text
    table.check_keys(_BLANKS)
    without, one, two = _BLANKS
    placeholders = ("statement", "options", "instruction")
    return (
        table.template(without, placeholders[1:]),
        table.template(one, placeholders),
        table.template(two, placeholders),
    )


def _wording(table: _Table, *, is_verdict: bool, is_reasoned: bool = False) -> Wording:
    table.check_keys(["instruction", "answer", "max-tokens"])
    required = ["first", "second"] if is_verdict else []
    others = [] if is_reasoned else ["marker"]
    marker = ["marker"] if is_reasoned else []
    answer = ["answer", "reason"] if is_reasoned else ["answer"]
    return Wording(
        table.template("instruction", [*required, *marker], others),
        table.template("answer", [*answer, *marker], others),
        table.number("max-tokens"),
    )


def _example(table: _Table) -> Example:
    table.check_keys(["schema", "reason"])
    text = table.text("schema")
    try:
        grid = parse_grid(text)
    except HorsesenseError as error:
        raise table.fault("schema", str(error)) from error
    if not isinstance(grid, Schema) or grid.is_dyad:
        raise table.fault("schema", f"{text!r} is no schema with two problems; give one")
    first, second = problems(grid)
    return Example((first, second), table.text("reason"))
