from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.embedded import embedded_default

NOTEBOOK = Path(__file__).parent.parent / "examples" / "profile.ipynb"
# In a separate process, because Jupyter gives warnings that do not concern us.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


@cache
def cells() -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return read


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Execute the notebook, and return the folder with the result."""
    embedded_default()
    for library in ("nbclient", "ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(library)
    folder = tmp_path_factory.mktemp("notebook")
    command = [sys.executable, "-W", "ignore", "-c", EXECUTE, str(NOTEBOOK), "executed.ipynb"]
    own = {"IPYTHONDIR": str(folder / "ipython"), "JUPYTER_RUNTIME_DIR": str(folder / "runtime")}
    result = subprocess.run(
        command, cwd=folder, env=os.environ | own, capture_output=True, text=True, timeout=900
    )
    assert result.returncode == 0, result.stderr
    return folder


def shown(folder: Path) -> list[dict[str, Any]]:
    """Return the outputs of each cell with code, by kind."""
    notebook = json.loads((folder / "executed.ipynb").read_text("utf-8"))
    shown_by_cell = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            outputs: dict[str, Any] = {}
            for output in cell["outputs"]:
                assert output["output_type"] != "error"
                outputs |= output.get("data", {})
                if output["output_type"] == "stream":
                    outputs[output["name"]] = output["text"]
            shown_by_cell.append({kind: "".join(text) for kind, text in outputs.items()})
    return shown_by_cell


def test_the_notebook_is_kept_without_outputs() -> None:
    assert all(not cell.get("outputs") and not cell.get("execution_count") for cell in cells())
    assert len(cells()) < 25


def test_every_cell_of_the_notebook_shows_something(executed: Path) -> None:
    outputs = shown(executed)
    assert len(outputs) == sum(cell["cell_type"] == "code" for cell in cells())
    assert all(outputs)


def test_the_notebook_tells_its_story(executed: Path) -> None:
    outputs = shown(executed)
    glance, numbers = outputs[0]["text/html"], outputs[1]["text/plain"]
    assert "smollm2-135m" in glance and "<table>" in glance
    assert all(metric in numbers for metric in ("problem-accuracy", "schema-accuracy"))
    figures = [output["image/svg+xml"] for output in outputs if "image/svg+xml" in output]
    assert len(figures) == 2 and all("<svg" in figure for figure in figures)
    assert "hs-adversarial" in outputs[-1]["stdout"]
    assert (executed / "profile.html").stat().st_size > 10_000
