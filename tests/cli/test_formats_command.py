from __future__ import annotations

import json
import subprocess
import sys

import pytest

from horsesense.datasets.exporters import EXPORTS
from horsesense.datasets.importers import FORMATS
from tests.cli.conftest import Run


def test_every_format_is_listed_for_import_and_export(run: Run) -> None:
    shown = run("dataset", "formats").stdout
    imported, exported = shown.split("\n\n")
    assert imported.splitlines()[0].split() == ["import", "description"]
    names = [line.split()[0] for line in imported.splitlines()[1:]]
    assert names == ["notation", *FORMATS]
    assert [line.split()[0] for line in exported.splitlines()[1:]] == list(EXPORTS)


def test_json_has_both_lists(run: Run) -> None:
    shown = json.loads(run("dataset", "formats", "--json").stdout)
    assert shown["import"] == {
        "notation": "a schema file",
        **{one.name: one.title for one in FORMATS.values()},
    }
    assert shown["export"] == {one.name: one.about for one in EXPORTS.values()}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_shown_with_all_that_can_be_asked_of_it(run: Run, name: str) -> None:
    one = FORMATS[name]
    shown = run("dataset", "formats", name).stdout
    assert shown.startswith(f"{name}: {one.title}\n")
    assert all(word in shown for word in (*one.repairs, *one.issues, *one.recipes))
    assert all(word in shown for recipe in one.recipes.values() for word in recipe.repairs)
    assert (one.companions in shown) and (("--with" in shown) == bool(one.companions))
    about = json.loads(run("dataset", "formats", name, "--json").stdout)
    assert about == {
        "name": name,
        "title": one.title,
        "with": one.companions,
        "recipes": {name: dict(recipe.repairs) for name, recipe in one.recipes.items()},
        "repairs": dict(one.repairs),
        "issues": dict(one.issues),
    }


def test_the_recipe_is_shown_with_the_option_that_asks_for_it(run: Run) -> None:
    shown = run("dataset", "formats", "wsc-xml").stdout.splitlines()
    assert "--recipe wsc266" in shown
    assert any(line.split()[:2] == ["answer-lowercase", "repair"] for line in shown)


def test_an_unknown_format_gets_the_nearest_one(run: Run) -> None:
    result = run("dataset", "formats", "wsc-xlm")
    assert result.exit_code == 3
    assert "no format named 'wsc-xlm'; did you mean wsc-xml" in result.stderr


def test_the_formats_need_no_store(run: Run) -> None:
    assert run("--store", "nowhere/store.db", "dataset", "formats").exit_code == 0


@pytest.mark.parametrize("arguments", [["--help"], ["dataset", "import", "--help"]], ids=" ".join)
def test_help_imports_nothing_that_few_commands_need(arguments: list[str]) -> None:
    heavy = ("torch", "pyarrow", "tokenizers", "datasets", "numpy", "pandas")
    script = (
        "import sys; from click.testing import CliRunner; from horsesense.cli.main import cli;"
        f"assert CliRunner().invoke(cli, {arguments}).exit_code == 0;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    printed = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert printed.stdout == "[]\n"
