"""Real commands in an install without any extra: they do the rest, and say what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.installs.installed import BARE, Installed, needs_bare

pytestmark = needs_bare

FIGURES = "pip install 'horsesense[figures]'"
HF = "pip install 'horsesense[hf]'"
LORRY = "a lorry <can, cannot> pass under a {high, low} bridge"
RUN = ("run", "--model", "first", "--data", "hs-winograd", "--first", "6", "--resamples", "50")


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An install in a folder whose store has a dataset and a run."""
    bare = Installed(BARE, tmp_path_factory.mktemp("bare"))
    bare.run("dataset", "import", "hs-winograd")
    told = bare.run(*RUN, "--output", "run")
    assert f"the page has no figures: figures need matplotlib: {FIGURES}\n" in told.stderr
    return bare


def test_there_is_no_extra(bare: Installed) -> None:
    extras = "matplotlib pandas pyarrow sklearn spacy tokenizers torch transformers"
    code = (
        "from importlib.util import find_spec;"
        f"print([one for one in {extras.split()} if find_spec(one)])"
    )
    assert bare.evaluate(code) == "[]\n"


def test_schemas_and_datasets_are_looked_at(bare: Installed) -> None:
    assert "Usage: horsesense" in bare.run("--help").stdout
    assert "4 sentences" in bare.run("schema", "show", LORRY).stdout
    assert "hs-winograd" in bare.run("dataset", "list").stdout
    assert bare.run("dataset", "show", "hs-winograd", "--limit", "2").stdout
    assert bare.run("generate", "--count", "3").stdout


def test_what_needs_no_parser_is_perturbed_and_the_rest_says_what_it_needs(bare: Installed) -> None:
    assert "352 problems" in bare.run("perturb", "apply", "by-key", "hs-winograd").stdout
    refused = bare.run("perturb", "apply", "voice", "hs-winograd", code=1)
    assert refused.stderr.endswith("pip install 'horsesense[english]'\n")


def test_baselines_are_scored_and_measured(bare: Installed) -> None:
    for name in ("first", "longer"):
        asked = ("--dataset", "hs-winograd", "--model", name, "--output", f"{name}.jsonl")
        assert "problem" in bare.run("score", *asked).stdout
    assert "schema-accuracy" in bare.run("metric", "compute", "first.jsonl").stdout
    assert bare.run("compare", "first", "longer").stdout
    assert bare.run("why", "--model", "first").stdout


def test_an_audit_skips_what_it_cannot_check_and_fetches_nothing(bare: Installed) -> None:
    told = bare.run("dataset", "audit", "hs-winograd")
    for extra in ("english", "audit", "hf"):
        assert f"pip install 'horsesense[{extra}]'" in told.stdout
    assert "fetching" not in told.stderr


def test_a_page_is_written_without_figures_and_says_so(bare: Installed) -> None:
    told = bare.run("report", "--format", "html")
    assert told.stderr == f"the page has no figures: figures need matplotlib: {FIGURES}\n"
    assert "This page was written without its figures: figures need matplotlib" in told.stdout
    again = bare.run(*RUN, "--output", "run")
    assert told.stderr in again.stderr


def test_reports_are_written_in_every_format_but_parquet(bare: Installed) -> None:
    formats = ("text", "markdown", "latex", "html", "json", "csv", "lm-eval")
    bare.run("report", *(f"--format={one}" for one in formats), "--output", "files")
    assert len([*(bare.folder / "files").iterdir()]) == len(formats)
    refused = bare.run("report", "--format", "parquet", "--output", "arrow", code=5)
    assert refused.stderr.endswith("pip install 'horsesense[parquet]'\n")
    assert not (bare.folder / "arrow").exists()
    refused = bare.run("report", "--figures", "drawn", code=5)
    assert refused.stderr == f"Error: figures need matplotlib: {FIGURES}\n"
    assert not (bare.folder / "drawn").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("score", LORRY),
        ("score", "winogrande"),
        ("score", "winogrande", "--model", "someone/some-model"),
        ("run",),
        ("run", "--data", "winogrande"),
        ("doctor", "smollm2-135m"),
        ("model", "get", "smollm2-135m"),
        ("model", "get", "smollm2-135m", "--force"),
        ("model", "get", "someone/some-model"),
        ("model", "show", "smollm2-135m"),
    ],
    ids=" ".join,
)
def test_a_language_model_is_refused_before_anything_is_fetched(
    bare: Installed, command: tuple[str, ...]
) -> None:
    refused = bare.run(*command, code=6)
    assert refused.stderr == f"Error: language models need an extra: {HF}\n"
    assert not (bare.folder / "cache" / "data").exists()


def test_a_dataset_of_the_hub_is_refused_before_it_is_fetched(bare: Installed) -> None:
    name = "hf://datasets/someone/some-dataset"
    for command in (("dataset", "import", name), ("run", "--model", "first", "--data", name)):
        refused = bare.run(*command, code=5)
        assert refused.stderr.endswith("needs pyarrow: pip install 'horsesense[parquet]'\n")
        assert "fetching" not in refused.stderr


def test_tokens_are_counted_only_with_their_library_and_nothing_is_fetched(bare: Installed) -> None:
    command = ("dataset", "measure", "hs-winograd", "--tokenizer", "someone/some-model")
    refused = bare.run(*command, code=1)
    assert refused.stderr.endswith("pip install 'horsesense[tokenizers]'\n")


def test_a_run_does_everything_that_needs_no_extra(bare: Installed) -> None:
    own = bare.folder / "own.schemas"
    own.write_text(f"{LORRY}\na kettle <can, cannot> boil on a {{hot, cold}} stove\n")
    done = bare.run("run", "--model", "first", "--data", "own.schemas", "--resamples", "50")
    assert f"figures need matplotlib: {FIGURES}\n" in done.stderr
    command = ("run", "--model", "first", "--model", "smollm2-135m", "--data", "own.schemas")
    partly = bare.run(*command, "--resamples", "50", code=7)
    assert f"missing: smollm2-135m: language models need an extra: {HF}\n" in partly.stderr
    assert "first" in partly.stdout


def test_python_says_the_same(bare: Installed, tmp_path: Path) -> None:
    code = f"""
import warnings
import horsesense
from horsesense.errors import HorsesenseError
from horsesense.reports import build_report, write_report
found = horsesense.evaluate(model="first", data="hs-winograd", first=4, resamples=20)
with warnings.catch_warnings(record=True) as told:
    write_report(found, {str(tmp_path / "page.html")!r})
print(told[0].message)
for attempt in (found.answers.to_pandas, build_report(found).figures[0].svg):
    try:
        attempt()
    except HorsesenseError as error:
        print(error)
"""
    warned, frames, drawn = bare.evaluate(code).splitlines()
    assert warned.endswith(f"has no figures: figures need matplotlib: {FIGURES}")
    assert frames.endswith("pip install 'horsesense[frames]'")
    assert drawn == f"figures need matplotlib: {FIGURES}"
