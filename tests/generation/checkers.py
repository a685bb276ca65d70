"""What decides, area by area, whether a generated sentence is true, from the sentence alone."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from horsesense.generation import AREAS

CHECKERS: dict[str, Callable[[str], bool]] = {
    area: import_module(f"tests.generation.checker.{area}").is_true for area in AREAS
}
