from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from docs.sessions import keep_placeholders, matches_roughly
from examples import notebooks
from tests.embedded import embedded_default

CELLS: list[dict[str, Any]] = notebooks.read(notebooks.PROFILE)["cells"]
# What differs from run to run: ids, times, versions.
_PASSING = re.compile(r"\b[0-9a-f]{12}\b|\d{4}-\d\d-\d\d[T ][\d:+]+|horsesense \d\S*")


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Execute the notebook, and return the folder with the result."""
    embedded_default()
    for library in ("nbclient", "ipykernel", "matplotlib", "pandas"):
        pytest.importorskip(library)
    folder = tmp_path_factory.mktemp("notebook")
    notebooks.execute(notebooks.PROFILE, folder)
    return folder


def shown(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the outputs of each cell with code, by kind."""
    shown_by_cell = []
    for cell in cells:
        if cell["cell_type"] == "code":
            outputs: dict[str, Any] = {}
            for output in cell["outputs"]:
                assert output["output_type"] != "error"
                outputs |= output.get("data", {})
                if output["output_type"] == "stream":
                    outputs[output["name"]] = output["text"]
            shown_by_cell.append({kind: "".join(text) for kind, text in outputs.items()})
    return shown_by_cell


def run(folder: Path) -> list[dict[str, Any]]:
    """Return the outputs of each cell with code, as just executed."""
    return shown(notebooks.tidied(notebooks.read(folder / "executed.ipynb"))["cells"])


def lines(outputs: dict[str, Any]) -> list[str]:
    """Return what a cell shows as lines of text, without what differs from run to run."""
    texts = [outputs.get(kind, "") for kind in ("stdout", "text/plain")]
    texts.append(
        re.sub(r"<style.*?</style>|<[^>]+>", "\n", outputs.get("text/html", ""), flags=re.S)
    )
    stripped = (" ".join(line.split()) for text in texts for line in text.split("\n"))
    return [_rounded(_PASSING.sub("", line)) for line in stripped if line]


def _rounded(line: str) -> str:
    """Round what has many digits; the last ones differ from processor to processor."""
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", line)


def test_the_notebook_shows_what_it_shows_when_it_is_run(executed: Path) -> None:
    kept, now = shown(CELLS), run(executed)
    assert [sorted(outputs) for outputs in kept] == [sorted(outputs) for outputs in now]
    for before, after in zip(kept, now, strict=True):
        documented = lines(before)
        assert list(keep_placeholders(documented, lines(after), matches_roughly)) == documented
    assert len(CELLS) < 25


def test_every_cell_of_the_notebook_shows_something() -> None:
    outputs = shown(CELLS)
    assert len(outputs) == sum(cell["cell_type"] == "code" for cell in CELLS)
    assert all(outputs)


def test_the_notebook_tells_its_story(executed: Path) -> None:
    outputs = run(executed)
    glance, numbers = outputs[0]["text/html"], outputs[1]["text/plain"]
    assert "smollm2-135m" in glance and "<table>" in glance
    assert all(metric in numbers for metric in ("problem-accuracy", "schema-accuracy"))
    figures = [output["image/svg+xml"] for output in outputs if "image/svg+xml" in output]
    assert len(figures) == 2 and all("<svg" in figure for figure in figures)
    assert "hs-adversarial" in outputs[-1]["stdout"]
    assert (executed / "profile.html").stat().st_size > 10_000


def test_the_copy_for_colab_is_the_notebook_with_an_install() -> None:
    profile = notebooks.read(notebooks.PROFILE)
    assert notebooks.COLAB.read_text("utf-8") == notebooks.text(notebooks.colab(profile))
    install, *rest = notebooks.read(notebooks.COLAB)["cells"]
    assert "%pip install" in "".join(install["source"])
    assert [cell["source"] for cell in rest] == [cell["source"] for cell in CELLS]
