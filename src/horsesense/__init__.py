"""horsesense tells common sense from its imitation in language models.

import horsesense
from horsesense.reports import text_summary, write_report

results = horsesense.evaluate("smollm2-135m", "hs-winograd", limit=40)
print(text_summary(results))
write_report(results, "report.html")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from horsesense.evaluation import evaluate as evaluate
    from horsesense.results import Profile as Profile

    __version__: str

# Each public name with the package that defines it: importing horsesense itself takes no time.
_HOMES = {
    "Profile": "horsesense.results",
    "evaluate": "horsesense.evaluation",
}

__all__ = ["Profile", "__version__", "evaluate"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("horsesense")
    if name not in _HOMES:
        raise AttributeError(f"module 'horsesense' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
