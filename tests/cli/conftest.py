from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from horsesense.cli.main import cli

GARDEN = """\
---
name: garden
licence: CC BY 4.0
---
<all, not all> roses are {plants, climbers}
    id: roses
    tags: kinds
[The hose] did not reach [the pump] because <it = the hose, the pump> was too {short, far away}.
    id: hose
    note: reach is a matter of length
"""

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in an empty folder; bugs keep their traceback."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HORSESENSE_STORE", raising=False)

    def invoke(*arguments: str, **options: str) -> Result:
        return CliRunner().invoke(cli, arguments, catch_exceptions=False, **options)  # type: ignore[arg-type]

    return invoke


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A sound schema file in the working folder."""
    path = tmp_path / "garden.schemas"
    path.write_text(GARDEN)
    return path


@pytest.fixture
def stored(run: Run, garden: Path) -> Run:
    """The command line with the garden in its store."""
    assert run("dataset", "import", garden.name).exit_code == 0
    return run
