from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from horsesense.cli.main import cli
from tests.cli.quay import HARBOUR_SCHEMAS

GARDEN = """\
---
name: garden
licence: CC BY 4.0
---
<all, not all> roses are {plants, climbers}
    id: roses
    tags: kinds
[The hose] did not reach [the pump] because <it = the hose, the pump> was too {short, far away}.
    id: hose
    note: reach is a matter of length
"""

# In WinoGrande's form: a schema, a problem without a twin, and twins that differ in two places.
HARBOUR_ROWS = (
    ("crane-1", "The crane lifted the barge because the _ was strong.", "crane", "barge", "1"),
    ("crane-2", "The crane lifted the barge because the _ was light.", "crane", "barge", "2"),
    ("tide-1", "Nora envied Lena the mooring, for  _ had none.", "Nora", "Lena", "1"),
    ("rope-1", "Nora threw Lena the rope so that _ could catch it.", "Nora", "Lena", "2"),
    ("rope-2", "Nora threw Lena a line so that _ could tie it.", "Nora", "Lena", "1"),
)

# The same in the XML form of the WSC, with what its files bring along.
HARBOUR_XML = """\
<?xml version="1.0" encoding="UTF-8"?>
<collection>
<schema>
  <text><txt1>The buoy bumped against the pier whenever</txt1>
    <pron>it</pron><txt2>was adrift.</txt2></text>
  <answers><answer>The buoy</answer><answer>The pier</answer></answers>
  <correctAnswer>A</correctAnswer>
</schema>
<schema>
  <text><txt1>The buoy bumped against the pier whenever</txt1>
    <pron>it</pron><txt2>was in the way.</txt2></text>
  <answers><answer>The buoy</answer><answer>The pier</answer></answers>
  <correctAnswer> B. </correctAnswer>
</schema>
</collection>
"""

# And in the line format of the thesis, whose ids are numbers.
QUAY = """\
schema type: adversarial; dataset name: quay; perturbation: original; baseline: no baseline
by answer
s/  1/ a/  1/   1/   1: A rope *target* hold a light boat.&can&cannot&0
s/  1/ b/  1/   2/   2: A rope *target* hold a heavy boat.&can&cannot&1
t/  2/ a/  2/   3/   3: Boats *target* tow rafts.&do&do not&0
t/  2/ b/  2/   4/   4: Rafts *target* tow boats.&do&do not&1
"""

DATA = Path(__file__).parents[2].parent / "shared" / "data"

Run = Callable[..., Result]


def write(name: str, text: str) -> str:
    """Make a file in the working folder."""
    Path(name).write_text(text)
    return name


def wino_line(name: str, sentence: str, first: str, second: str, answer: str | None) -> str:
    """A line of a file in WinoGrande's form; without an answer, one of a test file."""
    row = {"qID": name, "sentence": sentence, "option1": first, "option2": second}
    return json.dumps(row if answer is None else {**row, "answer": answer}) + "\n"


HARBOUR = "".join(wino_line(*row) for row in HARBOUR_ROWS)


def published(path: str) -> Path:
    """A published file, for tests that need one; where there is none, they are skipped."""
    file = DATA / path
    if not file.exists():
        pytest.skip(f"the published file {path} is not here")
    return file


def content(run: Run, name: str) -> list[dict[str, Any]]:
    """The entries of a dataset, with all that is stored of them."""
    shown = run("dataset", "show", name, "--json")
    assert shown.exit_code == 0
    entries: list[dict[str, Any]] = json.loads(shown.stdout)["content"]
    return entries


def names(run: Run) -> list[str]:
    """What the datasets of the store are called."""
    listed = json.loads(run("dataset", "list", "--json").stdout)
    return [dataset["name"] for dataset in listed if not dataset["is_built_in"]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in an empty folder; bugs keep their traceback."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HORSESENSE_STORE", "horsesense.db")

    def invoke(*arguments: str, **options: str) -> Result:
        return CliRunner().invoke(cli, arguments, catch_exceptions=False, **options)  # type: ignore[arg-type]

    return invoke


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A sound schema file in the working folder."""
    path = tmp_path / "garden.schemas"
    path.write_text(GARDEN)
    return path


@pytest.fixture
def stored(run: Run, garden: Path) -> Run:
    """The command line with the garden in its store."""
    assert run("dataset", "import", garden.name).exit_code == 0
    return run


@pytest.fixture
def harbour(tmp_path: Path) -> Path:
    """A sound file in WinoGrande's form in the working folder."""
    path = tmp_path / "harbour.jsonl"
    path.write_text(HARBOUR)
    return path


@pytest.fixture
def moored(run: Run, harbour: Path) -> Run:
    """The command line with the harbour in its store."""
    assert run("dataset", "import", harbour.name).exit_code == 0
    return run


@pytest.fixture
def quay(run: Run) -> Run:
    """The command line with a dataset some of whose entries can be switched."""
    assert run("dataset", "import", write("quay.schemas", HARBOUR_SCHEMAS)).exit_code == 0
    return run


@pytest.fixture
def switched(quay: Run) -> Run:
    """The same with its entries switched."""
    assert quay("perturb", "apply", "switched", "quay").exit_code == 0
    return quay
