"""Keep the notebooks current.

    python examples/notebooks.py [--execute]

It writes colab.ipynb, which is profile.ipynb with a first cell that installs horsesense, without
outputs. With --execute, profile.ipynb is executed first and gets fresh outputs; `make notebooks`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

FOLDER = Path(__file__).parent
PROFILE, COLAB = FOLDER / "profile.ipynb", FOLDER / "colab.ipynb"
INSTALL = """\
# Installs horsesense in this notebook's machine. If you have built a wheel yourself, upload it, and
# name its file in place of horsesense.
%pip install --quiet "horsesense[hf,figures,frames]"\
"""
# In a separate process, because Jupyter gives warnings that do not concern us.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=1800, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


def execute(notebook: Path, folder: Path) -> dict[str, Any]:
    """Execute a notebook in this folder, and return it with its outputs."""
    command = [sys.executable, "-W", "ignore", "-c", EXECUTE, str(notebook), "executed.ipynb"]
    own = {"IPYTHONDIR": str(folder / "ipython"), "JUPYTER_RUNTIME_DIR": str(folder / "runtime")}
    done = subprocess.run(command, cwd=folder, env=os.environ | own, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return read(folder / "executed.ipynb")


def read(notebook: Path) -> dict[str, Any]:
    """Read a notebook."""
    content: dict[str, Any] = json.loads(notebook.read_text("utf-8"))
    return content


def tidied(notebook: dict[str, Any]) -> dict[str, Any]:
    """Leave out what differs from run to run and tells a reader nothing: times, and progress."""
    cells = []
    for cell in notebook["cells"]:
        cell = {**cell, "metadata": {}}
        if "outputs" in cell:
            cell["outputs"] = [each for each in cell["outputs"] if each.get("name") != "stderr"]
        cells.append(cell)
    metadata = {**notebook["metadata"], "language_info": {"name": "python"}}
    return {**notebook, "cells": cells, "metadata": metadata}


def colab(profile: dict[str, Any]) -> dict[str, Any]:
    """Return the notebook with a cell that installs, and without outputs."""
    empty: dict[str, Any] = {"outputs": [], "execution_count": None}
    install = {
        "cell_type": "code",
        "id": "install",
        "metadata": {},
        "source": INSTALL.splitlines(keepends=True),
        **empty,
    }
    cells = [
        {**cell, **empty} if cell["cell_type"] == "code" else cell for cell in profile["cells"]
    ]
    metadata = {**profile["metadata"], "colab": {"provenance": []}}
    return {**profile, "cells": [install, *cells], "metadata": metadata}


def text(notebook: dict[str, Any]) -> str:
    """Return the text of a notebook file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def main() -> None:
    """Execute the notebook if that is wanted, and write its copy."""
    parser = argparse.ArgumentParser(description="keep the notebooks current")
    parser.add_argument("--execute", action="store_true", help="execute profile.ipynb first")
    if parser.parse_args().execute:
        with TemporaryDirectory() as folder:
            PROFILE.write_text(text(tidied(execute(PROFILE, Path(folder)))), "utf-8")
    COLAB.write_text(text(colab(read(PROFILE))), "utf-8")


if __name__ == "__main__":
    main()
