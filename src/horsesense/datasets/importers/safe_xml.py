"""Parse untrusted XML into elements with line numbers, without loading anything else.

Entities can exhaust the memory or read other files. No dataset needs them, so files that declare
entities are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from horsesense.errors import FileError

_MAX_DEPTH = 50


@dataclass(slots=True)
class Element:
    """An XML element: name, line, attributes, children, and all text directly inside it."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> Iterator[Element]:
        """Return the children with that name."""
        return (child for child in self.children if child.tag == tag)

    def child(self, *path: str) -> Element | None:
        """Return the element at the end of a path of names, the first of each, or None."""
        element = self
        for tag in path:
            for child in element.children:
                if child.tag == tag:
                    element = child
                    break
            else:
                return None
        return element


class _Refused(Exception):
    pass


def parse_xml(name: str, data: bytes) -> Element:
    """Return the root element of a file; errors name the file and line."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    root = Element("", 0, {})
    stack = [root]

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > _MAX_DEPTH:
            raise _Refused(f"elements are nested more than {_MAX_DEPTH} deep")
        element = Element(tag, parser.CurrentLineNumber, attributes)
        stack[-1].children.append(element)
        stack.append(element)

    def end(tag: str) -> None:
        stack.pop()

    def text(data: str) -> None:
        stack[-1].text += data

    def entity(*declared: object) -> None:
        raise _Refused("the file declares an entity, which is not allowed for security reasons")

    def external(*reference: object) -> int:
        raise _Refused("the file refers to another file, which is not allowed")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = entity
    parser.ExternalEntityRefHandler = external
    # Called for references that are declared in a file that isn't read.
    parser.SkippedEntityHandler = external
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        problem = expat.errors.messages[error.code]
        raise FileError(f"{name}:{error.lineno}: not well-formed XML: {problem}") from error
    except _Refused as error:
        raise FileError(f"{name}:{parser.CurrentLineNumber}: {error}") from error
    except (LookupError, ValueError) as error:
        raise FileError(f"{name}:1: the XML cannot be decoded: {error}") from error
    return root.children[0]
