from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.cli.test_metric_commands import SMART, write_table


def test_a_log_gets_a_verdict_and_says_what_to_do_next(run: Run) -> None:
    table = write_table("gpt2.csv", SMART)
    result = run("check", table)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert " ".join(lines[:2]).startswith(
        "the model solves both twins in 50 % of the 133 schemas of gpt2 (guessing: 25 %)"
    )
    assert lines[-1] == "more: horsesense check gpt2.csv --all, horsesense metric compute gpt2.csv"
    assert len(lines) <= 20 and max(map(len, lines)) <= 80
    assert "At a glance" in run("check", table, "--all").stdout


def test_as_json_the_verdict_comes_first(run: Run) -> None:
    result = run("check", write_table("gpt2.csv", SMART), "--json", "--output", "gpt2.html")
    printed = json.loads(result.stdout)
    assert list(printed)[:3] == ["verdict", "findings", "page"]
    assert printed["findings"][0]["both_twins_right"]["schemas"] == 133
    assert printed["page"] == "gpt2.html"
    assert printed["verdict"] in Path("gpt2.html").read_text().replace("\u00a0%", " %")


def test_a_page_is_not_overwritten_unless_forced(run: Run) -> None:
    table = write_table("gpt2.csv", SMART)
    Path("old.html").write_text("old")
    refused = run("check", table, "-o", "old.html")
    assert refused.exit_code == 2 and "use --force to overwrite it" in refused.stderr
    assert Path("old.html").read_text() == "old"
    assert run("check", table, "-o", "old.html", "--force").exit_code == 0
    assert "<html" in Path("old.html").read_text()


def test_what_is_no_log_is_an_error_that_says_what_to_give(run: Run) -> None:
    Path("totals.json").write_text('{"results": {}}')
    result = run("check", "totals.json")
    assert result.exit_code == 5 and "give samples_*.jsonl" in result.stderr
    missing = run("check", "none.jsonl")
    assert missing.exit_code != 0 and "none.jsonl" in missing.stderr
