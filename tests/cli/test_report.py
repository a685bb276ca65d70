from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from horsesense.cli import output
from horsesense.evaluation import run_folder
from horsesense.reports import writing
from horsesense.reports.text import WIDTH as TEXT_WIDTH
from horsesense.results.document import from_document
from horsesense.store import Store
from horsesense.store.runs import load_run
from tests.cli.conftest import Run, write
from tests.cli.quay import HARBOUR_SCHEMAS

FIGURE_SUFFIXES = {".svg", ".png"}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one run in it."""
    from click.testing import CliRunner

    from horsesense.cli.main import cli

    folder = tmp_path_factory.mktemp("kept")
    (folder / "quay.schemas").write_text(HARBOUR_SCHEMAS)
    store, data, output = (str(folder / name) for name in ("store.db", "quay.schemas", "out"))
    arguments = ["--store", store, "run", "--model", "longer", "--data", data]
    arguments += ["--perturb", "switched", "--resamples", "20", "--output", output]
    for words in (
        arguments,
        ["--store", store, "report", "--format", "json", "--output", str(folder / "results.json")],
    ):
        result = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert result.exit_code == 0, result.output
    return folder


@pytest.fixture
def reporting(run: Run, kept: Path) -> Run:
    """The command line with that store."""
    shutil.copy(kept / "store.db", "horsesense.db")
    shutil.copy(kept / "results.json", "results.json")
    return run


@pytest.mark.parametrize(
    ("format", "sign"),
    [
        ("text", "longer and first on quay"),
        ("markdown", "| --- |"),
        ("latex", r"\toprule"),
        ("html", "<!doctype html>"),
        ("json", '"format": "horsesense-results"'),
    ],
)
def test_a_text_goes_to_stdout_or_to_a_file(reporting: Run, format: str, sign: str) -> None:
    printed = reporting("report", "--format", format)
    assert (printed.exit_code, printed.stderr) == (0, "")
    assert sign.lower() in printed.stdout.lower()
    written = reporting("report", "--format", format, "--output", "out")
    assert (written.exit_code, written.stdout, written.stderr) == (0, "", "written: out\n")
    assert Path("out").read_text() == printed.stdout
    refused = reporting("report", "--format", format, "--output", "out")
    assert refused.exit_code == 5
    assert "out already exists; use --force to overwrite it" in refused.stderr
    assert reporting("report", "--format", format, "-o", "out", "--force").exit_code == 0


def test_the_latest_run_is_reported_as_text_unless_told_otherwise(reporting: Run) -> None:
    with Store.open(Path("horsesense.db")) as store:
        id = load_run(store).record.id
    latest = reporting("report").stdout
    assert f"run {id} of" in latest
    assert reporting("report", id[:6]).stdout == latest
    assert reporting("report", "--from", "results.json").stdout == latest


@pytest.mark.parametrize(
    ("format", "file"),
    [
        ("csv", "csv/estimates.csv"),
        ("parquet", "parquet/estimates.parquet"),
        ("lm-eval", "lm-eval/longer/results_*.json"),
        ("lm-eval", "lm-eval/longer/samples_quay_switched_*.jsonl"),
        ("every-eval-ever", "every-eval-ever/data/quay/local/longer/*_samples.jsonl"),
        ("hf-eval-results", "hf-eval-results/longer/.eval_results/quay.yaml"),
    ],
)
def test_what_is_several_files_goes_to_a_folder(reporting: Run, format: str, file: str) -> None:
    result = reporting("report", "--format", format, "--output", "out")
    assert result.exit_code == 0
    (found,) = Path("out").glob(file)
    assert found.stat().st_size > 100
    refused = reporting("report", "--format", format, "--output", "out")
    assert refused.exit_code == 5
    assert "already exists; --force (overwrite=True) overwrites its files" in refused.stderr


@pytest.mark.parametrize(
    ("name", "options", "sign"),
    [
        ("report.tex", (), r"\toprule"),
        ("REPORT.MD", (), "| --- |"),
        ("shares.csv", ("--table", "finding"), "Model,Dataset"),
        ("report.out", (), "longer and first on quay"),
    ],
)
def test_the_suffix_of_the_output_gives_the_format(
    reporting: Run, name: str, options: tuple[str, ...], sign: str
) -> None:
    assert reporting("report", "--output", name, *options).exit_code == 0
    assert sign in Path(name).read_text()


def test_several_formats_go_to_a_folder_under_names_of_their_own(reporting: Run) -> None:
    arguments = ("report", "--format", "json", "--format", "latex", "--format", "csv")
    assert reporting(*arguments, "--output", "out").exit_code == 0
    assert {one.name for one in Path("out").iterdir()} == {"results.json", "report.tex", "csv"}


def test_a_report_of_a_file_is_that_of_the_run(reporting: Run) -> None:
    printed = reporting("report", "--from", "results.json", "--format", "json").stdout
    assert printed == Path("results.json").read_text()
    with Store.open(Path("horsesense.db")) as store:
        kept = load_run(store)
    assert from_document(json.loads(printed)).estimates == kept.estimates


def test_figures_are_written_as_svg_and_png(reporting: Run) -> None:
    result = reporting("report", "--figures", "figures")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "figures: figures\n")
    files = list(Path("figures").iterdir())
    assert {one.suffix for one in files} == FIGURE_SUFFIXES
    assert len({one.stem for one in files}) * 2 == len(files)
    assert all(
        one.read_bytes().startswith(b"\x89PNG")
        if one.suffix == ".png"
        else b"<svg" in one.read_bytes()
        for one in files
    )
    refused = reporting("report", "--figures", "figures", "--format", "text")
    assert refused.exit_code == 5
    assert "figures already exists" in refused.stderr


def test_one_table_can_be_had_alone(reporting: Run) -> None:
    listed = reporting("report", "--tables").stdout.splitlines()
    assert listed[0].split() == ["name", "title"]
    names = [line.split()[0] for line in listed[1:]]
    assert len(names) == len(set(names)) > 3
    whole = reporting("report", "--format", "latex").stdout
    for format in ("text", "markdown", "latex"):
        alone = reporting("report", "--table", names[1], "--format", format)
        assert (alone.exit_code, alone.stderr) == (0, "")
        assert len(alone.stdout.splitlines()) < len(whole.splitlines())
    assert reporting("report", "--table", "models").stdout in reporting("report").stdout


def test_the_beginning_of_a_name_gives_the_table_if_there_is_only_one(reporting: Run) -> None:
    whole = reporting("report", "--table", "accuracy-intervals-quay-longer")
    begun = reporting("report", "--table", "accuracy-intervals")
    assert (begun.exit_code, begun.stdout) == (0, whole.stdout)
    several = reporting("report", "--table", "accuracy")
    assert (several.exit_code, several.stdout) == (1, "")
    assert several.stderr == (
        "Error: accuracy stands for several tables; give one of them: accuracy-quay-longer,"
        " accuracy-intervals-quay-longer\n"
    )
    # A whole name is that table alone, though others may begin with it.
    assert reporting("report", "--table", "models").stdout.startswith("Models and baselines")


def test_the_tables_of_the_thesis_are_shown_on_request(reporting: Run) -> None:
    heading, *listed = reporting("report", "--tables", "--thesis").stdout.splitlines()
    assert heading.split() == ["name", "title", "Maler", "(2023)"]
    assert next(line for line in listed if line.startswith("models ")).split()[-1] == "4.1"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("zz",), 3, "no run named 'zz'"),
        (("--table", "nonesuch"), 3, "no table named 'nonesuch'; the tables are finding, "),
        (("--table", "acc"), 3, "no table named 'acc'; did you mean accuracy"),
        (("--table", "accurady"), 3, "'accurady'; did you mean accuracy"),
        (("--table", "accur"), 3, "did you mean accuracy? the tables are finding, "),
        (("--from", "empty.json"), 5, "empty.json is empty; "),
        (("--from", "."), 5, ". is a folder; "),
        (
            ("--table", "x", "--format", "parquet", "--output", "y"),
            2,
            "--table works with one of the formats text, markdown",
        ),
        (("--format", "csv"), 2, "csv: several files; give a folder with --output"),
        (("--format", "text", "--format", "json"), 2, "text, json: several files"),
        (("--format", "pdf"), 2, "'pdf' is not one of"),
        (
            ("latest", "--from", "results.json"),
            2,
            "use either latest or --from results.json, not both",
        ),
        (("--from", "none.json"), 5, "none.json cannot be read: No such file or directory"),
        (("--from", "broken.json"), 5, "broken.json: this is not JSON"),
        (
            ("--from", "deep.json"),
            5,
            "deep.json: not a results file: the file is nested too deeply",
        ),
        (
            ("--from", "spoilt.json"),
            5,
            "spoilt.json: tables.answers.rows: expected a list, found th",
        ),
        (("--from", "other.json"), 5, "other.json: not a results file"),
        (("--format", "csv", "--output", "results.json"), 5, "results.json is not a folder"),
        (("--figures", "results.json"), 5, "results.json is not a folder"),
        (("--output", "none/report.txt"), 5, "cannot be written: No such file or directory"),
        (("--output", "/dev/full", "--force"), 5, "cannot be written: No space left on device"),
    ],
)
def test_bad_input_is_an_error_with_a_reason(
    reporting: Run, arguments: tuple[str, ...], code: int, message: str
) -> None:
    write("broken.json", "{")
    write("empty.json", "")
    write("other.json", "[]")
    write("deep.json", "[" * 100_000)
    spoilt = json.loads(reporting("report", "--format", "json").stdout)
    spoilt["tables"]["answers"]["rows"] = 1.5
    write("spoilt.json", json.dumps(spoilt))
    result = reporting("report", *arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr


def test_the_folder_of_a_run_has_the_page_and_the_width_of_reports() -> None:
    assert output.WIDTH == TEXT_WIDTH
    assert writing.TEXTS["html"] == run_folder.PAGE


def test_without_a_store_it_is_said_what_makes_one(run: Run) -> None:
    result = run("report")
    assert result.exit_code == 4
    assert "there is no store at horsesense.db; 'horsesense run' creates one" in result.stderr


def test_without_matplotlib_a_page_is_written_and_figures_are_refused(
    reporting: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    written = reporting("report", "--format", "html", "--output", "page.html")
    assert written.exit_code == 0
    told = "figures need matplotlib: pip install 'horsesense[figures]'\n"
    assert written.stderr == f"the page has no figures: {told}written: page.html\n"
    refused = reporting("report", "--figures", "drawn", "--output", "report.txt")
    assert (refused.exit_code, refused.stderr) == (5, f"Error: {told}")
    assert not Path("drawn").exists() and not Path("report.txt").exists()


@pytest.mark.parametrize(
    ("name", "sign"),
    [("r.tex", r"\toprule"), ("r.MD", "| --- |"), ("r.html", "<!doctype html>"), ("r.txt", "===")],
)
def test_the_name_of_the_file_chooses_the_format(reporting: Run, name: str, sign: str) -> None:
    assert reporting("report", "--output", name).exit_code == 0
    assert sign in Path(name).read_text()


def test_a_csv_file_is_written_for_one_table(reporting: Run) -> None:
    refused = reporting("report", "--output", "r.csv")
    assert refused.exit_code == 2 and "choose it with --table" in refused.stderr
    assert reporting("report", "--table", "finding", "--output", "r.csv").exit_code == 0
    assert Path("r.csv").read_text().startswith("Model,Dataset,Problems Right,")
