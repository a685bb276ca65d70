"""Show the examples in docstrings as code on the pages that mkdocstrings makes."""

import re
from typing import Any

# A line that begins a doctest, and everything up to the next empty line.
_EXAMPLE = re.compile(r"^(?P<indent> *)>>> .*(?:\n.+)*", re.MULTILINE)

try:
    from griffe import Extension
except ImportError:  # only the environment that builds the site has griffe
    Extension = object


def fenced(docstring: str) -> str:
    """Put the examples of a docstring into fenced blocks."""
    return _EXAMPLE.sub(r"\g<indent>```pycon\n\g<0>\n\g<indent>```", docstring)


class Examples(Extension):  # type: ignore[misc]  # griffe is not where mypy runs
    """Fence the examples of every docstring."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change the docstring of a module, class or function."""
        if not obj.is_alias and obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
