"""XML of unknown origin: a tree that knows its lines, from a parser that fetches nothing.

Entities can make a small file fill the memory, or read other files. No dataset needs them, so a
file that declares any is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from horsesense.errors import FileError

_MAX_DEPTH = 50


@dataclass(slots=True)
class Element:
    """An element: its name, attributes, line, children, and its own text before the first child."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, tag: str) -> Iterator[Element]:
        """The children of that name."""
        return (child for child in self.children if child.tag == tag)

    def child(self, *path: str) -> Element | None:
        """What stands at the end of a path of names, the first of each, if it is there."""
        found = self
        for tag in path:
            for child in found.children:
                if child.tag == tag:
                    found = child
                    break
            else:
                return None
        return found


class _Refused(Exception):
    pass


def parse_xml(name: str, data: bytes) -> Element:
    """The root element of a file; raises with file and line what is wrong with it."""
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
        raise _Refused("it declares an entity; that is refused, as it may read or fill anything")

    def external(*reference: object) -> int:
        raise _Refused("it refers to another file; that is refused")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = parser.UnparsedEntityDeclHandler = entity
    parser.ExternalEntityRefHandler = external
    # Told of a reference whose declaration stands in a file that is not read.
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
