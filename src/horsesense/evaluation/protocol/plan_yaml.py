"""Read YAML for plans within limits, so that a small file cannot take endless time or memory.

YAML can express a lot in few bytes: aliases that grow exponentially, nesting deeper than Python's
stack, numbers with a million digits. A plan needs none of it. Error messages name the line.
"""

from __future__ import annotations

from typing import Any

import yaml

from horsesense.errors import FileError
from horsesense.evaluation.protocol.plans import PlanError, shortened, shown

# The limits of nesting and of the number of values, where an alias counts as all its values.
MOST_LEVELS = 20
MOST_VALUES = 10_000


class _Loader(yaml.SafeLoader):  # type: ignore[misc]
    """The safe loader of PyYAML with a limit of nesting."""

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
    """The fields of a plan as YAML nodes, which know their lines."""

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        try:
            self._loader = _Loader(text, source)
            node = self._loader.get_single_node()
        except yaml.reader.ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            message = f"the character U+{error.character:04X} is not allowed in YAML"
            raise FileError(f"{source}:{line}: invalid YAML: {message}") from error
        except yaml.MarkedYAMLError as error:
            raise self._invalid_yaml(error) from error
        except (
            ValueError,
            OverflowError,
        ) as error:  # an invalid escape
            line = self._loader.get_mark().line + 1
            message = "an escape stands for a character that does not exist"
            raise FileError(f"{source}:{line}: invalid YAML: {message}") from error
        if node is not None and not isinstance(node, yaml.MappingNode):
            raise PlanError(f"{source}:1: a plan has lines such as 'models: gpt2'")
        self.pairs: list[tuple[Any, Any]] = [] if node is None else node.value
        for name, value in self.pairs:
            self._check_size(name)
            self._check_size(value)

    def place(self, node: Any) -> str:
        """Return the file and the line of a node."""
        return f"{self.source}:{node.start_mark.line + 1}"

    def value(self, node: Any) -> Any:
        """Return the value of a node."""
        try:
            return self._loader.construct_object(node, deep=True)
        except yaml.MarkedYAMLError as error:
            raise self._invalid_yaml(error) from error
        # The library raises all kinds of errors for an invalid date, a number with too many digits
        # or a text that is tagged as a number.
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            kind = str(node.tag).rpartition(":")[2]
            message = f"{shown(node.value)} is not a valid YAML {kind}"
            raise PlanError(
                f"{self.place(node)}: {message}; put it in quotes if it is a string"
            ) from error

    def _invalid_yaml(self, error: Any) -> FileError:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        # Some messages of the library continue the context.
        is_continued = str(error.problem).startswith("but ")
        message = f"{error.context}, {error.problem}" if is_continued else error.problem
        return FileError(f"{self.source}:{line}: invalid YAML: {shortened(str(message))}")

    def _check_size(self, node: Any) -> None:
        """Raise an error for a value that contains itself, or is too large because of aliases."""
        sizes: dict[int, int] = {}
        in_progress: set[int] = set()

        def size(node: Any) -> int:
            key = id(node)
            if key in in_progress:
                raise PlanError(f"{self.place(node)}: this contains itself, through an alias")
            if key not in sizes:
                in_progress.add(key)
                sizes[key] = 1 + sum(map(size, _parts(node)))
                in_progress.remove(key)
            return sizes[key]

        if size(node) > MOST_VALUES:
            message = f"a plan can have at most {MOST_VALUES:,} values, counting aliases"
            raise PlanError(f"{self.place(node)}: {message}")


def _parts(node: Any) -> list[Any]:
    if isinstance(node, yaml.ScalarNode):
        return []
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    parts: list[Any] = node.value
    return parts
