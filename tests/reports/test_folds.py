"""The folds of the page: one for each question, with the answer in its heading."""

from __future__ import annotations

from dataclasses import replace

from horsesense.reports import DrawnFigure, Report, ReportTable, RowGroup, TableColumn
from horsesense.reports.page.folds import Fold, figure_folds, group_figures
from horsesense.reports.page.symbols import explained, symbols_of
from horsesense.results import Results
from tests.reports.built import small_report
from tests.reports.small_profile import ANT, small_profile


def folds(report: Report) -> dict[str, Fold]:
    return {fold.name: fold for fold in figure_folds(report)}


def of_one_model(results: Results, dataset: str) -> Report:
    """The report of the small profile as if it had one model on one dataset."""
    from horsesense.reports import build_report

    return build_report(
        replace(
            results,
            models=tuple(model for model in results.models if model.name == ANT),
            datasets=tuple(each for each in results.datasets if each.name == dataset),
        )
    )


def figure(name: str, caption: str, family: str = "") -> DrawnFigure:
    return DrawnFigure(name, name, caption, "", lambda: None, family, name, ("a",))  # type: ignore[arg-type,return-value]


def test_the_four_questions_come_first_and_then_the_other_figures() -> None:
    assert list(folds(small_report())) == [
        "controls", "perturbations", "inversion", "methods", "comparison", "dyads",
    ]  # fmt: skip


def test_many_answers_are_counted() -> None:
    assert folds(small_report())["controls"].answer == "? 4 of 4 models and datasets."


def test_the_modes_of_dyads_are_named_for_few_models() -> None:
    answer = folds(small_report())["dyads"].answer
    assert answer.startswith(f"Both twins right: {ANT} on yard: ") and "% by boolean; " in answer
    alone = folds(of_one_model(small_profile(), "yard"))["dyads"].answer
    assert alone.startswith("Both twins right: ") and ANT not in alone


def test_the_answer_for_one_model_stands_alone() -> None:
    found = folds(of_one_model(small_profile(), "kitchen"))
    assert found["inversion"].question == "Can it guess the key phrase from the answer?"
    assert found["inversion"].answer == (
        "? 38 % choosing the key phrase, 0 % choosing the answer; too few schemas."
    )
    assert found["comparison"].answer == f"Both twins right: {ANT} 0 % (guessing: 25 %)."


def test_two_answers_are_named() -> None:
    results = small_profile()
    models = tuple(model for model in results.models if model.name == ANT)
    report = small_report()
    findings = tuple(each for each in report.summary.findings if each.model == ANT)
    summary = replace(report.summary, findings=findings)
    found = folds(replace(report, results=replace(results, models=models), summary=summary))
    assert found["inversion"].answer.startswith(f"{ANT} on kitchen: ? 38 % choosing the key phrase")
    assert f"; {ANT} on yard: ? " in found["inversion"].answer
    assert "on kitchen" in found["comparison"].answer


def test_without_numbers_there_are_no_answers() -> None:
    results = replace(small_profile(), estimates=())
    report = small_report()
    summary = replace(report.summary, findings=())
    found = folds(replace(report, results=results, summary=summary))
    assert {fold.answer for fold in found.values()} == {""}
    assert found["controls"].question == "Associations and controls"


def test_many_models_give_a_range() -> None:
    results = small_profile()
    copies = [
        (
            replace(model, name=f"{model.name}-{copy}"),
            [
                replace(each, key=each.key.replace(model=f"{model.name}-{copy}"))
                for each in results.estimates
                if each.key.model == model.name and each.against is None
            ],
        )
        for copy in range(4)
        for model in results.models
    ]
    many = replace(
        results,
        models=tuple(model for model, _ in copies),
        estimates=tuple(each for _, estimates in copies for each in estimates),
    )
    found = folds(replace(small_report(), results=many))
    assert " % to " in found["comparison"].answer
    assert found["dyads"].answer == "Both twins right: 25 % to 62 %."


def test_figures_of_one_family_stand_together_with_what_their_captions_share() -> None:
    one = figure("kitchen", "All methods. Few schemas.", "Accuracy")
    two = figure("yard", "All methods.", "Accuracy")
    group, single = group_figures((one, two, figure("plane", "A plane.")))
    assert (group.title, group.caption) == ("Accuracy", "All methods.")
    assert group.own == ("Few schemas.", "")
    assert (single.title, single.caption, single.own) == ("plane", "A plane.", ("",))
    assert group.symbols == ("a",)


def test_the_symbols_of_a_table_are_those_in_its_headings_and_cells() -> None:
    table = ReportTable(
        name="t",
        title="T",
        columns=(
            TableColumn("Metric", holds_symbols=True),
            TableColumn("a, Any Length", is_symbol=True),
            TableColumn("A"),
        ),
        groups=(RowGroup((("C_a", "1", "2"), ("", "1", "2"))),),
    )
    assert [each.symbol for each in symbols_of(table)] == ["C_a", "a"]


def test_unknown_symbols_are_left_out() -> None:
    assert [each.symbol for each in explained(("a", "nothing", "a", "–"))] == ["a"]
    assert explained(("Δa",))[0].meaning == "how much higher problem accuracy is after than before"
