"""Test plug-ins of every kind, each from an installed package."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import horsesense
from horsesense.cli.main import cli
from horsesense.datasets.exporters import EXPORTS, Exported, FileExport, find_export
from horsesense.datasets.importers import FORMATS, SourceFile, guess_format, open_import
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.metrics import METRICS
from horsesense.models import (
    EMBEDDED,
    PROVIDERS,
    SOLVERS,
    Baseline,
    Family,
    PreferenceObservation,
    available_models,
    is_local,
    load_model,
    wrap_model,
)
from horsesense.perturbations import TRANSFORMATIONS
from horsesense.reports import build_report, text
from horsesense.reports.sections import SECTIONS
from horsesense.results.logs import LOG_FORMATS, read_log_file
from horsesense.schema import Dataset, Header, Mode, problems
from horsesense.scoring import METHODS, Scores, find_method, methods_of
from tests.perturbations.written import entry
from tests.plugins import installed

HERE = "tests.plugged"
MISSING = "owls = tests.no_such_module:OWLS"
TABLE = b"text,option 1,option 2,answer\nthe _ hoots,owl,vole,1\n"
SOLVED = b"schema,solved\nowl,1\nowl,0\n"


def test_a_plug_in_s_format_is_tried_before_our_tables(tmp_path: Path) -> None:
    file = SourceFile("some.owls", TABLE)
    assert guess_format(file).name == "table-csv"
    with installed(tmp_path, FORMATS, f"owls = {HERE}:IMPORTER"):
        assert guess_format(file).name == "owls"
        assert len(list(open_import(file, Header("owls")))) == 1


def test_an_error_in_a_plug_in_s_reader_is_reported_as_its_own(tmp_path: Path) -> None:
    file = SourceFile("some.owls", TABLE)
    with (
        installed(tmp_path, FORMATS, f"owls = {HERE}:BROKEN_IMPORTER"),
        pytest.raises(HorsesenseError, match="'owls' of .* fails on some.owls: KeyError"),
    ):
        list(open_import(file, Header("owls")))


def test_a_format_that_fails_is_named_where_no_other_fits(tmp_path: Path) -> None:
    with installed(tmp_path, FORMATS, MISSING):
        assert guess_format(SourceFile("some.csv", TABLE)).name == "table-csv"
        with pytest.raises(HorsesenseError, match="no known format(.|\n)*No module"):
            guess_format(SourceFile("some.owls", b"hoot"))


def test_a_plug_in_s_export_is_written(tmp_path: Path) -> None:
    outgoing = Dataset(Header("owls"), (entry("the <owl*, vole> hoots", id="owl"),))
    points = f"loud = {HERE}:EXPORTER\nnever = {HERE}:BROKEN_EXPORTER"
    with installed(tmp_path, EXPORTS, points):
        export = find_export("loud")
        assert isinstance(export, FileExport)
        assert "".join(export.pieces(outgoing, Exported())) == "OWL!\n"
        broken = find_export("never")
        assert not isinstance(broken, FileExport)
        with pytest.raises(HorsesenseError, match="'never' of .* fails on owls: KeyError"):
            list(broken.files(outgoing, Exported()))


def test_a_plug_in_s_log_is_read(tmp_path: Path) -> None:
    file = SourceFile("some.owls", SOLVED)
    with installed(tmp_path, LOG_FORMATS, f"owls = {HERE}:LOG"):
        assert len(read_log_file(file)) == 1


def test_an_error_in_a_plug_in_s_log_reader_is_reported_as_its_own(tmp_path: Path) -> None:
    with (
        installed(tmp_path, LOG_FORMATS, f"owls = {HERE}:BROKEN_LOG"),
        pytest.raises(HorsesenseError, match="'owls' of .* fails on some.owls: KeyError"),
    ):
        read_log_file(SourceFile("some.owls", SOLVED))


def test_a_plug_in_s_scoring_method_is_one_of_its_family(tmp_path: Path) -> None:
    seen = [PreferenceObservation(1.0), PreferenceObservation(2.0)]
    with installed(tmp_path, METHODS, f"second = {HERE}:METHOD"):
        assert [method.name for method in methods_of(Family.BASELINE)] == ["choice", "second"]
        result = find_method("second", Family.BASELINE).function(seen)
        assert isinstance(result, Scores) and result.costs == (2.0, 1.0)
        with pytest.raises(UnknownNameError):
            find_method("second", Family.CAUSAL)


def test_an_error_in_a_plug_in_s_method_is_reported_as_its_own(tmp_path: Path) -> None:
    with (
        installed(tmp_path, METHODS, f"second = {HERE}:BROKEN_METHOD"),
        pytest.raises(HorsesenseError, match="the scoring method 'second' of .* fails: KeyError"),
    ):
        find_method("second", Family.BASELINE).function([])


def test_a_plug_in_s_models_are_loaded_by_their_names(tmp_path: Path) -> None:
    with installed(tmp_path, PROVIDERS, f"owls = {HERE}:PROVIDER"):
        assert load_model("owl:first").info.name == "first"
        assert load_model("random").info.name == "random"
        wrapped = wrap_model(17)
        assert wrapped is not None and wrapped.info.name == "longer"
        assert wrap_model(18) is None
        # For whatever it does not define, the other providers are used.
        assert available_models()[0].name == EMBEDDED and not is_local("no/such-model")


def test_an_error_in_a_plug_in_s_provider_is_reported_as_its_own(tmp_path: Path) -> None:
    with installed(tmp_path, PROVIDERS, f"owls = {HERE}:BROKEN_PROVIDER"):
        assert load_model("random").info.name == "random"
        with pytest.raises(HorsesenseError, match="provider 'owls' of .* fails: KeyError"):
            load_model("owl:first")


def test_a_plug_in_s_solver_is_evaluated_by_its_name(tmp_path: Path) -> None:
    with installed(tmp_path, SOLVERS, f"owls = {HERE}:SOLVER"):
        assert load_model("owls").info.name == "owls" and is_local("owls")
        assert "owls" in [model.name for model in available_models()]
        results = horsesense.evaluate(
            "owls", "hs-adversarial", first=2, resamples=50, progress=False
        )
    answers = [row for row in results.answers if row.model == "owls"]
    assert answers and {row.choice for row in answers} == {1}


def test_an_error_in_a_plug_in_s_solver_is_reported_as_its_own(tmp_path: Path) -> None:
    with installed(tmp_path, SOLVERS, f"owls = {HERE}:BROKEN_SOLVER"):
        solver = load_model("owls")
        assert isinstance(solver, Baseline)
        with pytest.raises(HorsesenseError, match="the solver 'owls' of .* fails: KeyError"):
            solver.costs(
                problems(entry("the owl <can, cannot> {fly, read}").grid, Mode.BY_ANSWER)[0]
            )


def test_a_solver_that_cannot_be_loaded_says_why(tmp_path: Path) -> None:
    with installed(tmp_path, SOLVERS, MISSING):
        assert load_model("first").info.name == "first"
        with pytest.raises(HorsesenseError, match="No module named 'tests.no_such_module'"):
            load_model("owls")


def test_a_plug_in_s_section_is_in_the_report(tmp_path: Path) -> None:
    results = horsesense.evaluate("first", "hs-adversarial", first=2, resamples=50, progress=False)
    with installed(tmp_path, SECTIONS, f"owls = {HERE}:SECTION"):
        report = build_report(results)
    assert f"Owls looked at {len(results.problems)} problems." in text(report)


def test_a_provider_that_fails_is_reported_to_those_who_load_other_models(tmp_path: Path) -> None:
    said: list[str] = []
    with installed(tmp_path, PROVIDERS, MISSING):
        load_model("random", progress=said.append)
        assert said == [] and is_local("random")
        assert "random" in [one.name for one in available_models()]
        with pytest.raises(HorsesenseError):
            load_model("./no-such-folder", progress=said.append)
    assert "No module named 'tests.no_such_module'" in said[0]


@pytest.mark.parametrize(
    ("registry", "command"),
    [
        (METRICS, ["metric", "list"]),
        (TRANSFORMATIONS, ["perturb", "list"]),
        (FORMATS, ["dataset", "formats"]),
        (EXPORTS, ["dataset", "formats"]),
    ],
)
def test_a_list_shows_the_others_and_names_the_plug_in_that_fails(
    registry: object, command: list[str], tmp_path: Path
) -> None:
    with installed(tmp_path, registry, MISSING):  # type: ignore[arg-type]
        result = CliRunner().invoke(cli, command)
    assert result.exit_code == 0 and len(result.stdout.splitlines()) > 5
    assert result.stderr.startswith("warning: the plug-in 'tests.no_such_module:OWLS' of capitals")


def test_a_name_that_no_provider_knows_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("horsesense.models.loading._providers", lambda report=None: iter(()))
    with pytest.raises(UnknownNameError, match="no model named 'owl'"):
        load_model("owl")
    assert not is_local("owl") and wrap_model(17) is None
