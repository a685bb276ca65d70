"""Install packages with plug-ins as pip would: as a folder on the path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from horsesense.registry import Registry


@contextmanager
def installed(
    folder: Path, registry: Registry[Any], points: str, *, name: str = "capitals"
) -> Iterator[None]:
    """Install a package with these entry points in the registry's group, then remove it."""
    about = folder / f"{name}-1.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Name: {name}\nVersion: 1.2\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[{registry.group}]\n{points}\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        registry.reload()
        yield
    registry.reload()
