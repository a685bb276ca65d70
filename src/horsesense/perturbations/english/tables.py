"""The tables of English words beside this module, as TOML."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """What stands in the file of that name, which is read once."""
    here = files("horsesense.perturbations.english")
    return tomllib.loads(here.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
