"""horsesense tells common sense from its imitation in language models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from horsesense.evaluation import evaluate as evaluate
    from horsesense.results import Results as Results

# Each name with the module that has it: to import horsesense itself takes no time.
_HOMES = {"evaluate": "horsesense.evaluation", "Results": "horsesense.results"}
# Names of the release before, which work with a warning.
_FORMER = {"Profile": "Results"}

__all__ = ["Results", "evaluate"]


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
