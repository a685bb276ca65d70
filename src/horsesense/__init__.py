"""horsesense tells common sense from its imitation in language models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from horsesense.evaluation import evaluate as evaluate
    from horsesense.models import load_model as load_model
    from horsesense.results import Results as Results
    from horsesense.schema import Dataset as Dataset
    from horsesense.store import load_dataset as load_dataset

# Each name with the module that has it: to import horsesense itself takes no time.
_HOMES = {
    "Dataset": "horsesense.schema",
    "Results": "horsesense.results",
    "evaluate": "horsesense.evaluation",
    "load_dataset": "horsesense.store",
    "load_model": "horsesense.models",
}
# Names of the release before, which work with a warning.
_FORMER = {"Profile": "Results"}

__all__ = ["Dataset", "Results", "evaluate", "load_dataset", "load_model"]


def __getattr__(name: str) -> Any:
    if name in _FORMER:
        import warnings

        told = f"horsesense.{name} is now horsesense.{_FORMER[name]}"
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        name = _FORMER[name]
    if name not in _HOMES:
        raise AttributeError(f"module 'horsesense' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
