"""Runs of other programs: the same numbers as by hand, under the findings of our own reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import horsesense
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.reports import build_report, markdown
from horsesense.reports.page import page
from horsesense.reports.twins import telling_twins
from horsesense.results import Results
from horsesense.results.logs import read_log
from horsesense.scoring import Verdict

LOGS = Path(__file__).parents[1] / "results/logs/data"
PUBLISHED = Path(__file__).parents[2].parent / "shared/data/winogrande/dev.jsonl"


def folder() -> Path:
    return LOGS / "lm-eval/smollm2-135m"


def checked(task: str, **more: object) -> Results:
    return horsesense.check(folder(), task=task, resamples=200, **more)  # type: ignore[arg-type]


def test_the_shares_are_those_counted_by_hand() -> None:
    results = checked("shore_full")
    (log,) = [each for each in read_log(folder()) if each.task == "shore_full"][:1]
    solved = [answer.outcome.verdict is Verdict.SOLVED for answer in log.answer_set.answers]
    counts = [sum(solved[at] for at in pair) for pair in log.answer_set.schemas]
    (finding,) = build_report(results).summary.findings
    problems, both, one, neither = finding.shares
    assert problems and both and one and neither
    assert problems.value == sum(solved) / len(solved)
    assert [both.value, one.value, neither.value] == [
        counts.count(number) / len(counts) for number in (2, 1, 0)
    ]


def test_every_real_log_can_be_checked_and_reported() -> None:
    for path in (folder(), LOGS / "lighteval", LOGS / "scored.jsonl"):
        for task in {each.task for each in read_log(path)}:
            results = horsesense.check(path, task=task, resamples=50)
            report = build_report(results)
            assert results.verdict == report.summary.headline
            assert results.summary().startswith(report.summary.headline.split()[0])
            assert results.verdict.split(":")[0].replace("|", r"\|")[:10] in markdown(report)
            assert "No command can repeat this run" in page(report)


def test_the_problems_have_their_text_with_a_blank_where_the_log_has_it() -> None:
    statements = {row.statement for row in checked("wino").problems}
    assert statements and all(statement.count("___") == 1 for statement in statements)
    assert all(row.statement == "" for row in checked("shore_said").problems)


def test_twins_are_shown_with_what_the_model_chose() -> None:
    results = checked("shore_full")
    (finding,) = build_report(results).summary.findings
    twins = telling_twins(results, finding)
    assert twins is not None
    assert any(is_deciding for _, is_deciding in twins[0].pieces)
    assert {twin.is_solved for twin in twins} <= {True, False}


def test_the_verdict_is_about_the_first_method_unless_one_is_named() -> None:
    methods = [each.method for each in read_log(folder()) if each.task == "shore_norm"]
    assert len(methods) > 1
    for method in methods:
        (finding,) = build_report(checked("shore_norm", method=method)).summary.findings
        assert finding.method == method
    (finding,) = build_report(checked("shore_norm")).summary.findings
    assert finding.method == methods[0]
    # With no variants, the methods are all there is to ask about.
    assert [question.name for question in finding.questions] == ["Scoring methods agree"]


def test_the_same_log_under_the_same_settings_is_the_same_check() -> None:
    first, second, other = checked("wino"), checked("wino"), checked("wino", seed=1)
    assert first.record.key == second.record.key != other.record.key
    assert first.estimates == second.estimates
    assert not first.record.is_repeatable


def test_results_of_a_check_are_saved_and_read(tmp_path: Path) -> None:
    results = checked("wino")
    assert Results.load(results.save(tmp_path / "results.json")) == results


def test_standard_input_is_a_log(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("schema,solved\nowl,1\nowl,0\n")
    with table.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", type("In", (), {"buffer": stream})())
        results = horsesense.check("-", resamples=10)
    assert results.verdict == (
        "the model was tested on 1 schema of <stdin>: too few schemas to tell."
    )


def test_unknown_tasks_and_methods_are_named_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="shore_ful"):
        checked("shore_ful")
    with pytest.raises(UnknownNameError, match="did you mean acc_norm"):
        checked("shore_norm", method="acc_nrm")
    with pytest.raises(HorsesenseError, match="several tasks; choose one with --task"):
        horsesense.check(folder())


@pytest.mark.skipif(not PUBLISHED.exists(), reason="the published files are not here")
def test_winogrande_by_lm_eval_has_its_284_pairs(tmp_path: Path) -> None:
    """A made-up model that prefers the first option of every row."""
    log = tmp_path / "samples_winogrande_2026-01-02T03-04-05.jsonl"
    rows = [json.loads(line) for line in PUBLISHED.read_text(encoding="utf-8").splitlines()]
    with log.open("w", encoding="utf-8") as file:
        for number, row in enumerate(rows):
            before, after = row["sentence"].split("_")
            sample = {
                "doc_id": number,
                "doc": row,
                "target": after.strip(),
                "arguments": {
                    f"gen_args_{at}": {"arg_0": before + row[f"option{at + 1}"], "arg_1": after}
                    for at in range(2)
                },
                "filtered_resps": [["-1.0", "False"], ["-2.0", "False"]],
                "filter": "none",
                "metrics": ["acc"],
                "acc": float(row["answer"] == "1"),
            }
            file.write(json.dumps(sample) + "\n")
    results = horsesense.check(log, resamples=100)
    (finding,) = build_report(results).summary.findings
    assert finding.n_schemas == 284
    assert "gives both twins the same answer in 100 % of the 284 schemas" in results.verdict
    assert [skipped.reason for skipped in results.skipped] == ["699 problems without a schema"]
