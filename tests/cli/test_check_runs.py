from __future__ import annotations

from pathlib import Path

from horsesense.store import Store, keep_run
from tests.cli.conftest import Run
from tests.results.awkward import awkward_profile
from tests.store.builders import change


def test_check_finds_a_run_that_was_changed_behind_our_back(run: Run) -> None:
    path = Path("horsesense.db")
    with Store.create_or_open(path) as store:
        keep_run(store, awkward_profile())
    assert "run 00ab12cd34ef: ok\n" in run("dataset", "check").stdout
    change(path, "UPDATE measurement SET value = 1.0")
    result = run("dataset", "check")
    assert result.exit_code == 1
    assert "run 00ab12cd34ef: 1 finding\n" in result.stdout
    assert "not match its checksum" in result.stderr
