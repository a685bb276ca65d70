"""Real commands in an install with language models and no other extra."""

from __future__ import annotations

import json

import pytest

from tests.installs.installed import HF, Installed, needs_hf
from tests.models.tiny import save_tiny

pytestmark = needs_hf

NO_FIGURES = "the page has no figures: figures need matplotlib: pip install 'horsesense[figures]'\n"
LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
RUN = ("run", "--model", "gpt2", "--data", "hs-winograd", "--first", "4", "--resamples", "50")


@pytest.fixture(scope="module")
def hf(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An install in a folder with a small model, and a run of it in the store."""
    hf = Installed(HF, tmp_path_factory.mktemp("hf"))
    save_tiny("gpt2", hf.folder / "gpt2")
    hf.run("dataset", "import", "hs-winograd")
    told = hf.run(*RUN, "--output", "run")
    assert NO_FIGURES in told.stderr
    return hf


def test_there_is_no_other_extra(hf: Installed) -> None:
    extras = "matplotlib pandas pyarrow sklearn spacy"
    code = (
        "from importlib.util import find_spec;"
        f"print([one for one in {extras.split()} if find_spec(one)])"
    )
    assert hf.evaluate(code) == "[]\n"


def test_the_page_of_a_run_has_everything_but_figures(hf: Installed) -> None:
    page = (hf.folder / "run" / "report.html").read_text()
    assert "This page was written without its figures: figures need matplotlib" in page
    formats = ("text", "markdown", "latex", "html", "json", "csv", "lm-eval")
    told = hf.run("report", *(f"--format={one}" for one in formats), "--output", "files")
    assert told.stderr.startswith(NO_FIGURES)
    assert len([*(hf.folder / "files").iterdir()]) == len(formats)


def test_a_model_is_scored_and_examined(hf: Installed) -> None:
    found = json.loads(hf.run("score", LORRY, "--model", "gpt2", "--json").stdout)
    assert len(found["problems"]) == 2
    assert "speed" in hf.run("doctor", "gpt2", code=1).stdout  # it knows nothing, which is told


def test_an_audit_asks_the_model_and_skips_the_rest(hf: Installed) -> None:
    told = hf.run("dataset", "audit", "hs-winograd", "--model", "first").stdout
    for extra in ("english", "audit"):
        assert f"pip install 'horsesense[{extra}]'" in told
    assert "horsesense[hf]" not in told


def test_a_dataset_of_the_hub_is_refused_before_it_is_fetched(hf: Installed) -> None:
    for command in (("score",), ("dataset", "import"), ("run", "--model", "gpt2", "--data")):
        refused = hf.run(*command, "hf://datasets/someone/some-dataset", code=5)
        assert refused.stderr.endswith("needs pyarrow: pip install 'horsesense[parquet]'\n")
        assert "fetching" not in refused.stderr


def test_baselines_are_run_without_figures_and_without_loading_torch(hf: Installed) -> None:
    command = ("run", "--model", "first", "--data", "hs-winograd", "--limit", "3", "--fresh")
    told = hf.run(*command, "--resamples", "50", "--output", "baseline")
    assert NO_FIGURES in told.stderr and (hf.folder / "baseline" / "report.html").is_file()


def test_other_commands_need_nothing_else(hf: Installed) -> None:
    assert "352 problems" in hf.run("perturb", "apply", "by-key", "hs-winograd").stdout
    assert hf.run("compare", "gpt2", "first").stdout
    assert hf.run("why").stdout
