"""A model whose library fails: no traceback, unless somebody wants one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.models.tiny import save_tiny

SCHEMA = "a lorry <can, cannot> pass under a {high, low} bridge"


@pytest.fixture
def xlnet(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line where there is a model that cannot be computed."""
    monkeypatch.setenv("HORSESENSE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("HORSESENSE_DEBUG", raising=False)
    save_tiny("xlnet-uni", tmp_path / "xlnet")
    return run


def test_score_and_doctor_say_what_the_library_raised(
    xlnet: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "xlnet cannot be queried: a library raised RuntimeError: "
    scored = xlnet("score", SCHEMA, "--model", "./xlnet", "--no-cache")
    assert scored.exit_code == 6 and f"Error: ./{said}" in scored.stderr
    assert scored.stderr.endswith("  set HORSESENSE_DEBUG=1 for the traceback\n")
    examined = xlnet("doctor", "./xlnet", "--json")
    *_, last = json.loads(examined.stdout)["findings"]
    assert examined.exit_code == 6
    assert last["check"] == "library" and said in last["text"]
    monkeypatch.setenv("HORSESENSE_DEBUG", "1")
    traced = xlnet("score", SCHEMA, "--model", "./xlnet", "--no-cache")
    assert traced.exit_code == 6 and "modeling_xlnet.py" in traced.stderr


def test_in_a_run_it_is_a_gap_where_another_model_is_left(xlnet: Run, tmp_path: Path) -> None:
    Path("lorry.schemas").write_text(SCHEMA)
    plan = ("--data", "lorry.schemas", "--perturb", "none", "--resamples", "20")
    alone = xlnet("run", "--model", "./xlnet", *plan)
    assert alone.exit_code == 6 and "a library raised RuntimeError" in alone.stderr
    save_tiny("gpt2", tmp_path / "gpt2")
    both = xlnet("run", "--model", "./xlnet", "--model", "./gpt2", *plan)
    assert both.exit_code == 7
    assert "missing: xlnet: ./xlnet cannot be queried: a library raised RuntimeErr" in both.stderr
