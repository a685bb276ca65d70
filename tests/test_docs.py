from __future__ import annotations

import doctest
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

import click
import pytest
import yaml

import horsesense
from docs import site_docstrings
from docs.site_hooks import on_page_markdown
from horsesense.cli.main import cli
from horsesense.schema.notation import parse_grid
from horsesense.schema.notation.fields import KNOWN
from tests.cli.test_main import commands

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
_BOX = re.compile(r"^( *)```schema\n(.*?)^\1```", re.MULTILINE | re.DOTALL)

# The vocabulary that the whole program shares.
VOCABULARY = """
schema|problem|key phrase|key placeholder|answer|answer placeholder|candidate|target
substitution schema|transposition schema|dyad|boolean wrapper|truth pair|truth value
mode|by answer|by key|by boolean|transformation|perturbation
switched|adjectival|unbalanced|inverted|no-candidate|dyadic
associative|switchable|symmetrical|invertible|score
full|normalized full|partial|all-but-first|smart@n|multi-mask|statement|masked|loss
outcome|solved|half-solved|anti-solved|problem accuracy|schema accuracy
consistency|consistent accuracy|preserved accuracy|weak|strict schema consistency
equal-length answers|disparate answer tokenization|results|protocol|plan|run
"""


def boxes(name: str) -> list[str]:
    """Return the examples of a page: notation, and after arrows the sentences that make sense."""
    text = (DOCS / name).read_text()
    return [re.sub(rf"^{indent}", "", box, flags=re.M) for indent, box in _BOX.findall(text)]


@pytest.mark.parametrize("box", boxes("reference/notation.md") + boxes("explanation/schemas.md"))
def test_examples_mean_what_the_docs_say(box: str) -> None:
    lines = box.splitlines()
    notation = [line for line in lines if not line.startswith("→ ")]
    documented = [line.removeprefix("→ ") for line in lines if line.startswith("→ ")]
    grid = parse_grid("\n".join(notation))
    sensible = [c for c in grid.cells if grid.is_sensible(c) is not False]
    assert [grid.sentence(cell).text for cell in sensible] == documented


def test_the_notation_page_has_twenty_examples() -> None:
    assert len(boxes("reference/notation.md")) == 20


# The file that the page about Python takes as the reader's own.
KITCHEN = """\
[Nora] handed [Lena] a towel because <she = Nora, Lena> was {dry, wet}.
    switchable: yes
[Karl] asked [Hugo] to wash up: <he = Hugo, Karl> had {rested, cooked} all day.
"""


def test_every_line_of_the_python_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCS / "reference/python.md").read_text()
    (imports,) = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^\| .*\| `([^`]+)` \|$", text, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("kitchen.schemas").write_text(KITCHEN)
    for name, solved in (("before", "1011"), ("after", "1010")):
        rows = [f"{index // 2},{index},{value}" for index, value in enumerate(solved)]
        Path(f"{name}.csv").write_text("\n".join(["schema,problem,solved", *rows, ""]))
    namespace: dict[str, object] = {}
    for line in (imports, *lines):
        exec(compile(line, line, "exec"), namespace)  # the page is ours
    assert len(lines) > 30 and Path("my-run", "report.html").exists()


def test_python_sessions_in_the_docs_run() -> None:
    for path in DOCS.rglob("*.md"):
        failures, _ = doctest.testfile(str(path), module_relative=False)
        assert failures == 0, path.name


@pytest.mark.parametrize("word", re.split(r"[|\n]", VOCABULARY.strip()))
def test_the_glossary_fixes_every_word(word: str) -> None:
    assert re.search(
        rf"^\|.*\*\*{re.escape(word)}\*\*.*\|$", (DOCS / "reference/glossary.md").read_text(), re.M
    )


def test_every_command_is_in_the_reference() -> None:
    reference = (DOCS / "reference/cli.md").read_text()
    for path in commands(cli):
        assert f"`horsesense {' '.join(path)}`" in reference


def test_every_field_is_in_the_notation_page() -> None:
    page = (DOCS / "reference/notation.md").read_text()
    assert [name for name in KNOWN if f"| `{name}` |" not in page] == []


def test_every_exit_code_is_in_the_reference() -> None:
    help_text = cli.get_help(click.Context(cli))
    codes = re.findall(r"^\| (\d+) \|", (DOCS / "reference/cli.md").read_text(), re.M)
    assert all(re.search(rf"\b{code}\s", help_text) for code in codes)


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    readme = (ROOT / "README.md").read_text()
    assert len(readme.splitlines()) < 120
    links = re.findall(r"\]\(([^):]+)\)", readme)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_page_has_a_place_in_the_site() -> None:
    def paths(part: object) -> list[str]:
        if isinstance(part, str):
            return [part]
        parts = part.values() if isinstance(part, dict) else part
        assert isinstance(parts, Iterable)
        return [path for each in parts for path in paths(each)]

    site = yaml.safe_load((ROOT / "mkdocs.yml").read_text())
    pages = sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))
    assert sorted(paths(site["nav"])) == pages


def test_every_public_package_is_in_the_python_reference() -> None:
    text = "".join(page.read_text() for page in (DOCS / "reference/api").glob("*.md"))
    named = re.findall(r"^::: (\S+)$", text, re.M)
    for name in named:
        package, _, attribute = name.rpartition(".")
        assert hasattr(import_module(package), attribute) or import_module(name)
    homes = {name.rpartition(".")[2] for name in named}
    assert set(horsesense.__all__) - {"__version__"} <= homes


def test_an_example_in_a_docstring_becomes_code_on_the_site() -> None:
    text = "Say hello.\n\n>>> hello()\n'hello'\n>>> [1][0]\n1\n\nThat is all."
    fenced = "```pycon\n>>> hello()\n'hello'\n>>> [1][0]\n1\n```"
    assert site_docstrings.fenced(text) == f"Say hello.\n\n{fenced}\n\nThat is all."


def test_a_page_of_the_site_hides_what_is_meant_for_our_tools() -> None:
    text = (
        "<!-- [[[cog\nimport cog\n]]] -->\nA\n<!-- [[[end]]] -->\n```console rounded\n$ ls\n```\n"
    )
    assert on_page_markdown(text) == "A\n```console\n$ ls\n```\n"
    assert on_page_markdown("```csv file=a.csv\n```\n") == '```csv title="a.csv"\n```\n'
