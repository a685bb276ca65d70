from __future__ import annotations

from pathlib import Path

import pytest

from horsesense.datasets.builtin import BUILT_IN
from tests.cli.conftest import GARDEN, Run, names


@pytest.mark.parametrize("name", BUILT_IN)
def test_what_comes_in_the_box_is_imported_by_its_name(run: Run, name: str) -> None:
    assert f"{name}: stored version 1" in run("dataset", "import", name).stdout
    assert "already stored" in run("dataset", "import", name).stdout
    assert run("dataset", "check", name).exit_code == 0


@pytest.mark.parametrize("name", BUILT_IN)
def test_it_is_sound(run: Run, name: str) -> None:
    assert "0 errors, 0 warnings" in run("schema", "check", name).stdout


def test_it_can_be_scored_without_a_store(run: Run) -> None:
    result = run("score", "hs-adversarial", "--model", "first", "--first", "3")
    assert result.exit_code == 0
    assert "3/6" in result.stdout


def test_a_file_of_that_name_comes_first(run: Run) -> None:
    Path("hs-winograd").write_text(GARDEN)
    assert "garden: stored version 1" in run("dataset", "import", "hs-winograd").stdout
    assert names(run) == ["garden"]


def test_a_folder_of_that_name_does_not(run: Run) -> None:
    Path("hs-winograd").mkdir()
    assert "hs-winograd: stored version 1" in run("dataset", "import", "hs-winograd").stdout


def test_a_name_that_is_nearly_right_is_put_right(run: Run) -> None:
    assert "did you mean hs-winograd" in run("dataset", "import", "HS-winograd").stderr


def test_what_is_in_the_box_but_not_in_the_store_is_told(stored: Run) -> None:
    result = stored("dataset", "show", "hs-winograd")
    assert result.exit_code == 3
    assert "horsesense dataset import hs-winograd" in result.stderr
