"""The figures of a page, folded by question; each fold says the answer in its heading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horsesense.reports.figures.accuracy import dyads
from horsesense.reports.figures.drawing import DrawnFigure
from horsesense.reports.finding import GUESSED, ModelFinding
from horsesense.reports.report import Report
from horsesense.reports.sections import Section
from horsesense.reports.wording import (
    SCHEMA_ACCURACY,
    is_bound_of_guessing,
    listed,
    percent,
    standard,
)
from horsesense.results import ResultKey, Results

# The sections that answer one of the four questions, in the order of the page.
_QUESTIONS = {
    "controls": "Fails on controls",
    "perturbations": "Survives rewordings",
    "inversion": "Solves it inverted",
    "methods": "Scoring methods agree",
}
_COMPARISON, _DYADS = "comparison", "dyads"
# More answers than these do not fit into a heading.
_MOST_NAMED = 2


@dataclass(frozen=True, slots=True)
class FigureGroup:
    """Figures that show the same thing for several datasets, or a single figure.

    The caption has the sentences that all of their captions share; `own` has the others of each.
    """

    title: str
    caption: str
    figures: tuple[DrawnFigure, ...]
    own: tuple[str, ...]

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols of all figures."""
        return tuple(dict.fromkeys(symbol for each in self.figures for symbol in each.symbols))


@dataclass(frozen=True, slots=True)
class Fold:
    """A question with its answer in one sentence, and the figures that show it."""

    name: str
    question: str
    answer: str
    groups: tuple[FigureGroup, ...]
    has_tables: bool


def figure_folds(report: Report) -> tuple[Fold, ...]:
    """Return a fold for each question, and for each other section that has figures."""
    sections = {section.name: section for section in report.sections}
    order = dict.fromkeys([*_QUESTIONS, _COMPARISON, *sections])
    folds = (_fold(report, sections[name]) for name in order if name in sections)
    return tuple(fold for fold in folds if fold.groups or fold.answer)


def group_figures(figures: Iterable[DrawnFigure]) -> tuple[FigureGroup, ...]:
    """Put figures of one family together, where the first of them is."""
    families: dict[str, list[DrawnFigure]] = {}
    for figure in figures:
        families.setdefault(figure.family or figure.name, []).append(figure)
    return tuple(map(_group, families.values()))


def _group(figures: Sequence[DrawnFigure]) -> FigureGroup:
    sentences = [re.split(r"(?<=\.) ", figure.caption) for figure in figures]
    shared = [each for each in sentences[0] if all(each in others for others in sentences)]
    return FigureGroup(
        figures[0].family if len(figures) > 1 else figures[0].title,
        " ".join(shared),
        tuple(figures),
        tuple(" ".join(each for each in own if each not in shared) for own in sentences),
    )


def _fold(report: Report, section: Section) -> Fold:
    question, answer = section.title, ""
    if section.name in _QUESTIONS:
        question, answer = _of_question(report.summary.findings, section)
    elif section.name == _COMPARISON:
        question, answer = "Which model solves more?", _of_comparison(report.results)
    elif section.name == _DYADS:
        answer = _of_dyads(report.results)
    return Fold(
        section.name, question, answer, group_figures(section.figures), bool(section.tables)
    )


def _of_question(findings: Sequence[ModelFinding], section: Section) -> tuple[str, str]:
    """Return one of the four questions, and its answer for every model and dataset."""
    answers = [
        (finding, question)
        for finding in findings
        for question in finding.questions
        if question.name == _QUESTIONS[section.name]
    ]
    if not answers:
        return section.title, ""
    question = answers[0][1].question
    if len(answers) == 1:
        return question, f"{answers[0][1].mark} {answers[0][1].numbers}."
    if len(answers) > _MOST_NAMED:
        marks = [answer.mark for _, answer in answers]
        counts = (f"{mark} {marks.count(mark)}" for mark in dict.fromkeys(marks))
        return question, f"{', '.join(counts)} of {len(marks)} models and datasets."
    named = (
        f"{finding.model} on {finding.dataset}: {answer.mark} {answer.numbers}"
        for finding, answer in answers
    )
    return question, f"{'; '.join(named)}."


def _of_comparison(results: Results) -> str:
    """Say how many schemas each model solves, or the range if there are many."""
    named, values, has_bound = [], [], False
    for dataset in results.datasets:
        shares = []
        for model in results.models:
            key = standard(model, dataset.name)
            value = _schema_accuracy(results, key)
            if value is not None:
                estimate = results.value(key, SCHEMA_ACCURACY)
                has_bound = has_bound or is_bound_of_guessing(results, estimate)
                shares.append(f"{model.name} {percent(value)}")
                values.append(value)
        where = f" on {dataset.name}" if len(results.datasets) > 1 else ""
        if shares:
            named.append(f"{listed(shares)}{where}")
    if not values:
        return ""
    less = ", or less for chat models, which are asked in both orders" if has_bound else ""
    guessing = f"guessing: {percent(GUESSED[SCHEMA_ACCURACY])}{less}"
    if len(values) > 4 * _MOST_NAMED:
        span = f"{percent(min(values))} to {percent(max(values))}"
        return f"Both twins right: {span} ({guessing})."
    return f"Both twins right: {'; '.join(named)} ({guessing})."


def _of_dyads(results: Results) -> str:
    """Say how many schemas of the dyads are solved in each mode, or the range if there are many."""
    shares = list(_dyad_shares(results))
    if not shares:
        return ""
    if len({where for where, *_ in shares}) > _MOST_NAMED:
        values = [value for *_, value in shares]
        return f"Both twins right: {percent(min(values))} to {percent(max(values))}."
    named: dict[str, list[str]] = {}
    for where, mode, value in shares:
        named.setdefault(where, []).append(f"{percent(value)} {mode}")
    if len(named) == 1:
        return f"Both twins right: {listed(*named.values())}."
    phrases = (f"{where}: {listed(modes)}" for where, modes in named.items())
    return f"Both twins right: {'; '.join(phrases)}."


def _dyad_shares(results: Results) -> Iterator[tuple[str, str, float]]:
    """Yield the model with its dataset, the mode and the share of schemas that are solved."""
    for model in results.evaluated:
        for dataset in results.datasets:
            for variant in dyads(results, dataset.name):
                key = standard(model, dataset.name).replace(variant=variant.name)
                if (value := _schema_accuracy(results, key)) is not None:
                    yield f"{model.name} on {dataset.name}", variant.mode, value


def _schema_accuracy(results: Results, key: ResultKey) -> float | None:
    estimate = results.value(key, SCHEMA_ACCURACY)
    return None if estimate is None else estimate.value
