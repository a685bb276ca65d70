"""The summary of a report: the findings, verdicts, all results at a glance, and caveats."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from horsesense.errors import MetricError
from horsesense.metrics import METRICS, Ties, sample_of
from horsesense.metrics.robustness import share_problems
from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports import wording
from horsesense.reports.conclusion import (
    Conclusion,
    expected,
    is_enough,
    perturbations,
    reversed_tasks,
)
from horsesense.reports.finding import (
    ModelFinding,
    find,
    finding_json,
    headline,
    table_of_questions,
    table_of_shares,
)
from horsesense.reports.lookup import CHANCE_ROW, Lookup, Row, by_models, finished
from horsesense.reports.table import INTERVAL, MODEL, ReportTable, RowGroup, left, symbol
from horsesense.reports.verdict import ModelVerdict, verdict
from horsesense.reports.wording import (
    CHANCE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    controls,
    standard,
)
from horsesense.results import (
    ALL,
    BY_BOOLEAN,
    BY_KEY,
    CANARIES,
    ORIGINAL,
    DatasetSubject,
    Estimate,
    EstimateKind,
    ModelSubject,
    Plan,
    ResultKey,
    Results,
)
from horsesense.results.measuring import BEST

# What is guessed in the modes other than by answer.
_GUESSED = {BY_KEY: "the key phrase", BY_BOOLEAN: "the truth value"}
_TOO_FEW = (Conclusion.TOO_FEW, Conclusion.FEW_CLUSTERS)


@dataclass(frozen=True, slots=True)
class Summary:
    """A headline, and for each model and dataset a finding and a verdict; a table and caveats.

    `warnings` are about models that are broken, and come before everything else.
    """

    headline: str
    warnings: tuple[str, ...]
    findings: tuple[ModelFinding, ...]
    shares: ReportTable | None
    questions: ReportTable | None
    verdicts: tuple[ModelVerdict, ...]
    glance: ReportTable | None
    caveats: tuple[str, ...]

    @property
    def tables(self) -> tuple[ReportTable, ...]:
        """The tables of the summary that there are."""
        return tuple(filter(None, (self.shares, self.questions, self.glance)))


def summarize(results: Results) -> Summary:
    """Summarize a run in plain words; `conclude` describes the rule of the verdicts."""
    verdicts = tuple(
        verdict(results, model, dataset)
        for model in results.evaluated
        for dataset in results.datasets
    )
    findings = tuple(
        find(results, model, dataset) for model in results.evaluated for dataset in results.datasets
    )
    return Summary(
        headline(findings),
        tuple(untrusted(results)),
        findings,
        table_of_shares(findings, results.record.plan),
        table_of_questions(findings),
        verdicts,
        overview(results),
        tuple(_caveats(results, verdicts)),
    )


def summary_json(summary: Summary, page: str | None) -> dict[str, Any]:
    """Return what is to be known first as plain values; `page` is the path of the page, if any."""
    return {
        "verdict": summary.headline,
        "findings": [finding_json(finding) for finding in summary.findings],
        "page": page,
        "warnings": list(summary.warnings),
    }


def untrusted(results: Results, among: Collection[str] | None = None) -> Iterator[str]:
    """Warn of each model that fails the canaries: its numbers mean nothing.

    Given names, only models `among` them are named.
    """
    for skipped in results.skipped:
        model, comma, what = skipped.where.rpartition(", ")
        if comma and what == CANARIES and (among is None or model in among):
            verb = "" if skipped.reason.startswith("every ") else "it "
            yield f"Don’t trust any number of {model}: {verb}{skipped.reason}."


def _caveats(results: Results, verdicts: Sequence[ModelVerdict]) -> Iterator[str]:
    """Points to consider before quoting any number."""
    for variant in results.variants:
        if variant.name == ORIGINAL and variant.mode in _GUESSED:
            kind, guessed = variant.mode.replace(" ", "-"), _GUESSED[variant.mode]
            yield f"{variant.dataset} is a {kind} dataset: the model guesses {guessed}."
    few = [verdict.dataset for verdict in verdicts if verdict.conclusion in _TOO_FEW]
    if few:
        names = wording.listed(dict.fromkeys(few))
        yield f"{names}: too few schemas for a verdict; treat the numbers with caution."
    yield from _flattered(results)
    plan = results.record.plan
    if limit := plan.sample or plan.first:
        yield _limited(limit, plan, results)
    if named := sum(skipped.is_named for skipped in results.skipped):
        yield _skipped(named, "requested item")
    if others := len(results.skipped) - named:
        yield _skipped(others, "variant")
    if verdicts:
        yield (
            "Verdicts follow a fixed rule based on accuracies, their 95 % intervals, a control and"
            " the perturbations. They apply only to these schemas, this wording and this scoring"
            " method."
        )


def _skipped(number: int, noun: str) -> str:
    were = "was" if number == 1 else "were"
    return f"{wording.counted(number, noun)} {were} skipped; see “Skipped” for the reasons."


def _limited(limit: int, plan: Plan, results: Results) -> str:
    """The limit of the plan, which counts single problems as well as schemas."""
    the, how = (
        ("the first", "") if plan.first else ("a sample of", f", drawn with seed {plan.seed}")
    )
    datasets = results.datasets
    singles = {dataset.name: _in_no_schema(results, dataset) for dataset in datasets}
    if not any(singles.values()):
        schemas = wording.counted(limit, "schema")
        return f"Evaluation was limited to {the} {schemas} of each dataset{how}."
    parts = (
        f"{wording.counted(dataset.schemas, 'schema')} and"
        f" {wording.counted(singles[dataset.name], 'single problem')} of {dataset.name}"
        for dataset in datasets
    )
    return (
        f"Evaluation was limited to {the} {limit:,} schemas and single problems of each"
        f" dataset{how}: {'; '.join(parts)}."
    )


def _in_no_schema(results: Results, dataset: DatasetSubject) -> int:
    """The number of problems in no schema; one in two schemas, as in a triple, is one problem.

    The answers show which are in two; some may lack problems.
    """
    in_two = [
        2 * len(answer_set.schemas) - len({at for pair in answer_set.schemas for at in pair})
        for address, answer_set in results.answer_sets.items()
        if (address.dataset, address.variant) == (dataset.name, ORIGINAL)
    ]
    return max(0, dataset.problems - 2 * dataset.schemas + max(in_two, default=0))


def _flattered(results: Results) -> Iterator[str]:
    """Notes on how much choosing the method by its accuracy would overstate it."""
    for model in results.evaluated:
        for dataset in results.datasets:
            at = standard(model, dataset.name)
            own = _on_shared(results, model, at)
            best = results.value(at.replace(method=BEST), SCHEMA_ACCURACY)
            if own is not None and best and (best.value or 0.0) > own:
                yield (
                    f"On {dataset.name}, the best of {len(model.methods)} scoring methods for"
                    f" {model.name} solves {wording.percent_interval(best)} of"
                    f" {wording.counted_all(best.n_schemas, 'schema')} that all of them score; the"
                    f" standard method, {at.method}, solves {wording.percent(own)} of the same."
                    " Picking the best method afterwards inflates its accuracy; for the interval,"
                    " it is picked anew in each resample."
                )


def _on_shared(results: Results, model: ModelSubject, at: ResultKey) -> float | None:
    """Schema accuracy by the standard method on the problems that all methods answer."""
    methods = [
        method for method in model.methods if at.replace(method=method) in results.answer_sets
    ]
    if at.method not in methods:
        return None
    answer_sets = [results.answer_sets[at.replace(method=method)] for method in methods]
    try:
        shared = share_problems(answer_sets, ALL, frozenset()).answer_sets[methods.index(at.method)]
    except MetricError:
        # Their schemas differ, so that there is no best method either.
        return None
    sample = sample_of(shared, ties=Ties(results.record.plan.ties))
    return METRICS[SCHEMA_ACCURACY](sample).value


_CONSISTENCY, _CONSISTENT_BY_GUESSING = "schema-consistency", 0.375
_COLUMNS = (
    MODEL,
    left("Dataset"),
    symbol("a"),
    symbol("A"),
    INTERVAL,
    left("Worst Perturbation"),
    symbol("ΔA"),
    symbol("C"),
    symbol("C, Expected"),
    symbol("A, Control"),
)
_ON_THE_WORST = (
    "worst perturbation: the one with the largest drop, or smallest rise, in schema accuracy;"
    " picking the worst of several overstates the drop",
    f"a perturbation with fewer than {FEW_SCHEMAS} schemas is shown only if all have so few; a"
    " variant that reverses the task, only if there is no perturbation",
    "C: schema consistency on that perturbation; expected: C of independent answers with the same"
    " accuracies before and after",
)


def overview(results: Results) -> ReportTable | None:
    """A row for each model and dataset: accuracies, the worst perturbation, and a control."""
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for dataset in results.datasets:
            if row := _row(lookup, model, dataset):
                yield row

    accuracies = map(wording.share, CHANCE.values())
    consistency = (wording.share(_CONSISTENT_BY_GUESSING),) * 2
    none = (wording.UNDEFINED,) * 3
    chance = (CHANCE_ROW, wording.UNDEFINED, *accuracies, *none, *consistency, wording.UNDEFINED)
    groups = (*by_models(results, rows), RowGroup((chance,)))
    has_worst = any(estimate.kind is EstimateKind.DIFFERENCE for estimate in lookup.found)
    return finished(
        lookup,
        _COLUMNS,
        groups,
        name="glance",
        title="At a glance",
        is_main=True,
        notes=(
            *(_ON_THE_WORST if has_worst else ()),
            *_which_controls(results),
        ),
    )


def _row(lookup: Lookup, model: ModelSubject, dataset: DatasetSubject) -> Row | None:
    at = standard(model, dataset.name)
    problems, schemas = lookup.value(at, PROBLEM_ACCURACY), lookup.value(at, SCHEMA_ACCURACY)
    if not problems and not schemas:
        return None
    worst, control = _worst(lookup, at), _control(lookup.profile, at)
    consistency = lookup.change(worst.key, at, _CONSISTENCY) if worst else None
    by_chance = expected(lookup.profile, worst.key, at, _CONSISTENCY) if worst else None
    return (
        model.name,
        dataset.name,
        wording.value(problems),
        wording.value(schemas),
        wording.interval(schemas),
        worst.key.variant if worst else wording.UNDEFINED,
        wording.difference(worst),
        wording.value(consistency),
        wording.share(by_chance),
        _with_number_if_few(lookup.value(control.key, SCHEMA_ACCURACY) if control else None),
    )


def _worst(lookup: Lookup, at: ResultKey) -> Estimate | None:
    """The perturbation on which schema accuracy falls most, among those that tell most."""
    results = lookup.profile
    for variants in (perturbations, reversed_tasks):
        differences = []
        for variant in variants(results, at.dataset):
            of = at.replace(variant=variant.name)
            difference = results.difference(of, at, SCHEMA_ACCURACY)
            if difference and difference.value is not None:
                differences.append(difference)
        if differences:
            reliable = _enough_or_all(differences)
            worst = min(reliable, key=lambda difference: difference.value or 0.0)
            return lookup.difference(worst.key, at, SCHEMA_ACCURACY)
    return None


def _control(results: Results, at: ResultKey) -> Estimate | None:
    """The first control on enough schemas, which decides; or else the first there is."""
    variants = controls(results, at.dataset)
    values = [
        results.value(at.replace(variant=variant.name), SCHEMA_ACCURACY) for variant in variants
    ]
    measured = _enough_or_all(list(filter(None, values)))
    return measured[0] if measured else None


def _enough_or_all(estimates: Sequence[Estimate]) -> Sequence[Estimate]:
    return list(filter(is_enough, estimates)) or estimates


def _with_number_if_few(accuracy: Estimate | None) -> str:
    """Write an accuracy, with the number of schemas if there are too few to rely on."""
    if accuracy is None or is_enough(accuracy):
        return wording.value(accuracy)
    return f"{wording.value(accuracy)} (n = {accuracy.n_schemas})"


def _which_controls(results: Results) -> Iterator[str]:
    """A note on the controls in the column “A, Control”."""
    shown = [
        control
        for model in results.evaluated
        for dataset in results.datasets
        if (control := _control(results, standard(model, dataset.name)))
    ]
    if not shown:
        return
    names = dict.fromkeys(f"{control.key.variant} of {control.key.dataset}" for control in shown)
    message = (
        f"control: the words that make the problems solvable are removed ({wording.listed(names)})"
    )
    if not all(map(is_enough, shown)):
        message += "; n: number of schemas, shown where it is too small to rely on"
    yield message
