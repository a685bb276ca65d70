from __future__ import annotations

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "name",
    [
        "schema",
        "schema.notation",
        "models",
        "datasets.recovery",
        "datasets.importers",
        "datasets.exporters",
        "datasets.catalog",
        "metrics",
        "metrics.statistics",
        "metrics.robustness",
        "scoring",
        "results",
        "results.measuring",
        "results.logs",
        "store",
        "evaluation",
        "evaluation.inference",
        "evaluation.protocol",
        "reports",
    ],
)
def test_a_package_exports_what_it_lists_and_nothing_else(name: str) -> None:
    package = importlib.import_module(f"horsesense.{name}")
    # Some names are loaded when they are first used.
    assert all(hasattr(package, key) for key in package.__all__)
    public = {
        key
        for key, value in vars(package).items()
        if not key.startswith("_") and not isinstance(value, type(sys))
    }
    assert public - {"Any", "TYPE_CHECKING", "annotations", "import_module"} <= set(package.__all__)


def test_the_benchmark_measures_what_the_program_does(tmp_path: Path) -> None:
    from bench import schemas

    schemas.write_schemas(tmp_path / "some.schemas", 40)
    assert len(schemas.read(tmp_path / "some.schemas")) == 40
    for measure in schemas.MEASUREMENTS.values():
        assert measure(tmp_path / "some.schemas") > 0


def test_the_benchmark_of_imports_reads_what_it_measures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from bench import imports

    row = '{"qID": "%s", "sentence": "Owls hunt by _.", "option1": "night", "option2": "day"}\n'
    (tmp_path / "own.jsonl").write_text("".join(row % f"q{n}-1" for n in range(7)))
    (tmp_path / "notes.json").write_text('{"nothing": "of the kind"}')
    ((path, chosen),) = imports.known_files(tmp_path)
    assert (path.name, chosen.name) == ("own.jsonl", "winogrande")
    count, seconds = imports.measure(path, chosen)
    assert (count, len(seconds)) == (7, 3)
    imports.import_all(str(tmp_path / "own.db"), [str(path)])
    assert capsys.readouterr().out.startswith("exit 0; ")


def test_the_demo_schemas_are_sound_and_without_doubt() -> None:
    command = [sys.executable, "-m", "horsesense", "schema", "check", "demo/kitchen.schemas"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert result.stdout == "demo/kitchen.schemas: 5 valid, 0 errors, 0 warnings\n"


def test_the_files_for_the_outside_agree_on_the_version_and_can_be_read() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (citation["title"], citation["version"]) == (project["name"], project["version"])
    workflows = [*(ROOT / ".github/workflows").glob("*.yml")]
    jobs = [job for path in workflows for job in yaml.safe_load(path.read_text())["jobs"].values()]
    commands = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = [command.split()[1] for command in commands if command.startswith("make ")]
    assert len(targets) > 3
    assert [target for target in targets if f"\n{target}: " not in makefile] == []


def test_the_extra_all_holds_every_extra_for_users() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    names = sorted(extras.keys() - {"all", "dev"})
    assert extras["all"] == [f"horsesense[{','.join(names)}]"]
    assert "horsesense[all]" in extras["dev"]
