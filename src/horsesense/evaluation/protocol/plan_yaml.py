"""YAML for plans, read with bounds: what no plan needs is refused before it costs anything.

YAML can say a lot in few bytes: aliases of aliases that grow without end, nesting deeper than
Python goes, numbers of a million digits. A plan needs none of it. Whatever is wrong is told with
its line.
"""

from __future__ import annotations

from typing import Any

import yaml

from horsesense.errors import FileError
from horsesense.evaluation.protocol.plans import PlanError, shortened, shown

# How deeply lists and objects may be nested, and how many values there may be in all, with every
# alias counted as what it stands for.
MOST_LEVELS = 20
MOST_VALUES = 10_000


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """The safe loader, for text that is not nested too deeply."""

    def __init__(self, text: str, source: str) -> None:
        super().__init__(text)
        self.source, self.level = source, 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self.level += 1
        if self.level > MOST_LEVELS:
            line = self.peek_event().start_mark.line + 1
            message = f"this is nested too deeply; a plan has at most {MOST_LEVELS} levels"
            raise PlanError(f"{self.source}:{line}: {message}")
        node = super().compose_node(parent, index)
        self.level -= 1
        return node


class PlanNodes:
    """The fields of a plan in YAML as they are written, with their lines."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        try:
            self._loader = _Loader(text, source)
            node = self._loader.get_single_node()
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            message = f"the character U+{error.character:04X} is not allowed in YAML"
            raise FileError(f"{source}:{line}: this is no YAML: {message}") from error
        except yaml.MarkedYAMLError as error:
            raise self._no_yaml(error) from error
        except (ValueError, OverflowError) as error:  # an escape for a character there is not
            line = self._loader.get_mark().line + 1
            message = "an escape stands for a character that there is not"
            raise FileError(f"{source}:{line}: this is no YAML: {message}") from error
        if node is not None and not isinstance(node, yaml.MappingNode):
            raise PlanError(f"{source}:1: a plan has lines such as «models: gpt2»")
        self.pairs: list[tuple[Any, Any]] = [] if node is None else node.value
        for name, value in self.pairs:
            self._check_size(name)
            self._check_size(value)

    def place(self, node: Any) -> str:
        """The file and the line."""
        return f"{self.source}:{node.start_mark.line + 1}"

    def value(self, node: Any) -> Any:
        """What a node means."""
        try:
            return self._loader.construct_object(node, deep=True)
        except yaml.MarkedYAMLError as error:
            raise self._no_yaml(error) from error
        # A date that there is not, a number of too many digits, a text with the tag of a number: of
        # these the library raises what it happens to meet.
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            kind = str(node.tag).rpartition(":")[2]
            message = f"{shown(node.value)} cannot be read as a value of YAML's type {kind!r}"
            raise PlanError(f"{self.place(node)}: {message}; put quotes around a text") from error

    def _no_yaml(self, error: Any) -> FileError:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        # Some of the library's messages go on from the context.
        goes_on = str(error.problem).startswith("but ")
        message = f"{error.context}, {error.problem}" if goes_on else error.problem
        return FileError(f"{self.source}:{line}: this is no YAML: {shortened(str(message))}")

    def _check_size(self, node: Any) -> None:
        """Refuse what contains itself, and what aliases make too large."""
        sizes: dict[int, int] = {}
        under_way: set[int] = set()

        def size(node: Any) -> int:
            key = id(node)
            if key in under_way:
                raise PlanError(f"{self.place(node)}: this contains itself, through an alias")
            if key not in sizes:
                under_way.add(key)
                sizes[key] = 1 + sum(map(size, _parts(node)))
                under_way.remove(key)
            return sizes[key]

        if size(node) > MOST_VALUES:
            message = f"this has more than {MOST_VALUES:,} values, aliases counted"
            raise PlanError(f"{self.place(node)}: {message}; a plan has fewer")


def _parts(node: Any) -> list[Any]:
    if isinstance(node, yaml.ScalarNode):
        return []
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    parts: list[Any] = node.value
    return parts
