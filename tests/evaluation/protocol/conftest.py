from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest

from tests.models.tiny import save_tiny

Folders: TypeAlias = Callable[[str], Path]


@pytest.fixture(scope="session")
def kept_folders(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """The folders of small models by their names, each made once; not to be changed."""
    return cache(lambda name: save_tiny(name, tmp_path_factory.mktemp("kept") / name))
