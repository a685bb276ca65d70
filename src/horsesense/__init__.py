"""horsesense tells common sense from its imitation in language models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from horsesense.evaluation import evaluate as evaluate
    from horsesense.models import load_model as load_model
    from horsesense.results import Profile as Profile

# Each name with the module that has it: to import horsesense itself takes no time.
_HOMES = {
    "evaluate": "horsesense.evaluation",
    "load_model": "horsesense.models",
    "Profile": "horsesense.results",
}

__all__ = ["Profile", "evaluate", "load_model"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'horsesense' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
