"""horsesense evaluates the common-sense reasoning of language models.

import horsesense
from horsesense.reports import write_report

results = horsesense.evaluate("smollm2-135m", "hs-winograd", limit=40)
print(results.verdict)
write_report(results, "report.html")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from horsesense.evaluation import check as check
    from horsesense.evaluation import evaluate as evaluate
    from horsesense.models import load_model as load_model
    from horsesense.results import Results as Results
    from horsesense.schema import Dataset as Dataset
    from horsesense.store import load_dataset as load_dataset

    __version__: str

# Each public name with the package that defines it: importing horsesense itself takes no time.
_HOMES = {
    "Dataset": "horsesense.schema",
    "Results": "horsesense.results",
    "check": "horsesense.evaluation",
    "evaluate": "horsesense.evaluation",
    "load_dataset": "horsesense.store",
    "load_model": "horsesense.models",
}
# Names that are looked for here, with the package that has them.
_ELSEWHERE = {
    "Entry": "horsesense.schema",
    "Header": "horsesense.schema",
    "Store": "horsesense.store",
    "build_report": "horsesense.reports",
    "load_results": "horsesense.store",
    "write_report": "horsesense.reports",
}
# Names of the previous release, which still work with a warning.
_FORMER = {"Profile": "Results"}

__all__ = ["Dataset", "Results", "__version__", "check", "evaluate", "load_dataset", "load_model"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("horsesense")
    if name in _FORMER:
        import warnings

        message = f"horsesense.{name} is now horsesense.{_FORMER[name]}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        name = _FORMER[name]
    if name not in _HOMES:
        hint = f"; it is in {_ELSEWHERE[name]}" if name in _ELSEWHERE else ""
        raise AttributeError(f"module 'horsesense' has no attribute {name!r}{hint}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
