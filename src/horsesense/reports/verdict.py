"""Horse sense or Clever Hans? A verdict on a model and a dataset, with its evidence.

The horse Clever Hans gave right answers by reading his keeper's face. A model may do so, too: by
which words go together, by which option comes first, by the scoring method that was chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horsesense.reports.conclusion import (
    MARGIN,
    Compared,
    Conclusion,
    Survival,
    compare_with_original,
    conclude,
    expected,
    is_above,
    is_beyond_chance,
    perturbations,
    reversed_tasks,
    undecided_share,
)
from horsesense.reports.wording import (
    CHANCE,
    GUESSING_IN_BOTH_ORDERS,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    controls,
    counted,
    counted_all,
    dyads,
    is_bound_of_guessing,
    listed,
    percent,
    percent_interval,
    points,
    standard,
)
from horsesense.results import (
    BY_BOOLEAN,
    DatasetSubject,
    Estimate,
    ModelSubject,
    ResultKey,
    Results,
    Variant,
)
from horsesense.results.measuring import Undecided, count_undecided

_CONSISTENCY, _CONSISTENT_ACCURACY = "schema-consistency", "consistent-schema-accuracy"
_FIRST_OPTION = "first-option-share"
_HALF_SOLVED, _ANTI_SOLVED = "half-solved-share", "anti-solved-share"
# The shares of schemas of which guessing solves one problem, and neither.
_HALF_SOLVED_BY_CHANCE, _ANTI_SOLVED_BY_CHANCE = 0.5, 0.25
# Above this share of the same answer, it is reported as a bias.
_UNBIASED = 0.5
_EXPECTED = "expected"
# What an undecided problem counts as, by the rule for ties.
_TIES = {"failed": "failed", "half": "half solved"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence: the question that it answers, and a sentence or two with numbers."""

    question: str
    sentence: str


def accuracy_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Schema and problem accuracy compared with chance, and the share of half-solved schemas."""
    schemas = results.value(at, SCHEMA_ACCURACY)
    problems = results.value(at, PROBLEM_ACCURACY)
    if schemas is None or problems is None:
        return None
    message = [
        f"On {at.dataset}, it solves {percent_interval(schemas)} of"
        f" {counted_all(schemas.n_schemas, 'schema')}; {_chance(results, schemas)}."
        f" It solves {percent_interval(problems)} of"
        f" {counted_all(problems.n_problems, 'problem')} taken individually;"
        f" {_chance(results, problems)}."
    ]
    if is_bound_of_guessing(results, problems):
        message.append(f"It is asked in both orders: {GUESSING_IN_BOTH_ORDERS}.")
    message += [_undecided(results, at, problems), *_parts_solved(results, at, schemas)]
    return Evidence("Is it better than guessing?", " ".join(message))


def _chance(results: Results, accuracy: Estimate) -> str:
    """Say what guessing gives, or what it gives at most."""
    most = "at most " if is_bound_of_guessing(results, accuracy) else ""
    return f"chance is {most}{percent(CHANCE[accuracy.metric])}"


def _undecided(results: Results, at: ResultKey, problems: Estimate) -> str:
    """The number of undecided problems, which is always shown, and the reasons."""
    if not problems.n_undecided:
        return "No problem is undecided."
    ties = results.record.plan.ties
    share = percent(problems.n_undecided / problems.n_problems)
    are, count = ("is", "counts") if problems.n_undecided == 1 else ("are", "count")
    return (
        f"{counted(problems.n_undecided, 'problem')} ({share}) {are} undecided"
        f" ({_reasons(results, at)}) and"
        f" {count} as {_TIES.get(ties, ties)}."
    )


def _reasons(results: Results, at: ResultKey) -> str:
    """Why problems are undecided; only chat models have other reasons than equal scores."""
    answers = results.answer_sets[at].labelled().answers if at in results.answer_sets else ()
    counts = count_undecided(answers)
    if set(counts) <= {Undecided.EQUAL}:
        return "equal scores"
    if len(counts) == 1:
        return str(next(iter(counts)))
    return "; ".join(f"in {number:,}, {reason}" for reason, number in counts.most_common())


def _parts_solved(results: Results, at: ResultKey, schemas: Estimate) -> Iterator[str]:
    """The shares of schemas with one problem solved, and with none."""
    half, neither = results.value(at, _HALF_SOLVED), results.value(at, _ANTI_SOLVED)
    if half is None or neither is None:
        return
    guessing = (
        f"; guessing would give {percent(_HALF_SOLVED_BY_CHANCE)} and"
        f" {percent(_ANTI_SOLVED_BY_CHANCE)}"
    )
    if is_bound_of_guessing(results, schemas):
        guessing = ""
    yield (
        f"It solves exactly one of the two problems in {percent_interval(half)} of the schemas, and"
        f" neither in {percent_interval(neither)}{guessing}."
    )
    if is_above(half, _HALF_SOLVED_BY_CHANCE) and not is_beyond_chance(schemas):
        yield (
            "A model that ignores the difference between the two problems gives both the same"
            " answer and solves exactly one."
        )


def control_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Schema accuracy on the controls, whose problems cannot be solved by common sense."""
    message = [
        f"On the control {control.variant.name} ({control.variant.title or control.variant.name}),"
        f" it solves {_beside_before(control)}."
        for control in compare_with_original(results, at, controls(results, at.dataset))
    ]
    question = "Does it still answer correctly without the words that decide the answer?"
    return Evidence(question, " ".join(message)) if message else None


def consistency_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Stability of the answers on perturbations that should not matter."""
    variants = perturbations(results, at.dataset)
    steady = _changes(results, at, variants, _CONSISTENCY)
    if not steady:
        return None
    values = [results.value(at.replace(variant=name), SCHEMA_ACCURACY) for name in steady]
    beyond = sum(map(is_beyond_chance, values))
    message = [
        f"On {beyond} of {counted(len(steady), 'perturbation')} that should not matter, schema"
        " accuracy is clearly above chance (its whole interval is).",
    ]
    compared = compare_with_original(results, at, variants)
    if compared and is_beyond_chance(results.value(at, SCHEMA_ACCURACY)):
        message.append(_survived(compared))
    message.append(_extremes(results, steady, "have as many solved problems as in the original"))
    if both := _changes(results, at, variants, _CONSISTENT_ACCURACY):
        message.append(
            _extremes(results, both, "have both problems solved there and in the original")
        )
    if any(_EXPECTED in sentence for sentence in message):
        message.append("“Expected” is the share for independent answers with the same accuracies.")
    question = "Are its answers stable when nothing relevant changes?"
    return Evidence(question, " ".join(message))


def _survived(perturbed: Sequence[Compared]) -> str:
    """Count the perturbations on which accuracy drops, holds or is inconclusive."""
    often = Counter(compared.survival for compared in perturbed)
    margin = f"{100 * MARGIN:.0f} points"
    message = (
        "By 95 % intervals, schema accuracy drops on"
        f" {counted(often[Survival.LOST], 'perturbation')}, holds on {often[Survival.KEPT]} (above"
        f" chance, less than {margin} lost) and is inconclusive on {often[Survival.UNKNOWN]}; with"
        " many perturbations, one may drop by chance."
    )
    few = [compared.variant.name for compared in perturbed if not compared.has_enough]
    return f"{message} Too few schemas to judge: {listed(few)}." if few else message


def reversed_task_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Schema accuracy where the task is reversed, by key or zero-shot."""
    message = [
        f"On {reversed_task.variant.name}, it solves {_beside_before(reversed_task)}."
        for reversed_task in compare_with_original(results, at, reversed_tasks(results, at.dataset))
    ]
    if not message:
        return None
    message.append("Whether accuracy should stay the same is an open question.")
    return Evidence("Is it equally accurate when the task is reversed?", " ".join(message))


def _beside_before(compared: Compared) -> str:
    """An accuracy, and its difference from the same schemas unperturbed."""
    is_same = compared.difference.n_schemas == compared.value.n_schemas
    shared = "same schemas" if is_same else f"{compared.difference.n_schemas:,} schemas in common"
    few = "" if compared.has_enough else "; too few schemas to judge"
    return (
        f"{percent_interval(compared.value)} of {counted(compared.value.n_schemas, 'schema')}:"
        f" {points(compared.difference, f'the {shared} unperturbed')}{few}"
    )


def _changes(
    results: Results, at: ResultKey, variants: Iterable[Variant], metric: str
) -> dict[str, Estimate]:
    changes = {}
    for variant in variants:
        change = results.change(at.replace(variant=variant.name), at, metric)
        if change and change.value is not None:
            changes[variant.name] = change
    return changes


def _extremes(results: Results, changes: dict[str, Estimate], what: str) -> str:
    """Report the least and the greatest share of schemas, with variants and expected shares."""
    ordered = sorted(changes, key=lambda variant: changes[variant].value or 0.0)
    least, most = ordered[0], ordered[-1]
    message = f"On {least}, {percent_interval(changes[least])} of the schemas {what}"
    message += _expectation(results, changes[least])
    if least == most:
        return f"{message}."
    message += f", and on {most}, up to {percent_interval(changes[most])}"
    return f"{message}{_expectation(results, changes[most])}."


def _expectation(results: Results, estimate: Estimate) -> str:
    """Return the value expected of independent answers, in brackets, if it is known."""
    by_chance = (
        expected(results, estimate.key, estimate.against, estimate.metric)
        if estimate.against
        else None
    )
    if by_chance is None:
        return ""
    return f" ({_EXPECTED}: about {percent(by_chance)})"


def bias_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Options chosen regardless of the problem: the first, or a truth value."""
    first = results.value(at, _FIRST_OPTION)
    if first is None:
        return None
    decided = first.n_problems - first.n_undecided
    message = [
        f"It chooses the first option in {percent_interval(first)} of"
        f" {counted_all(decided, 'decided problem')}."
        if first.value is not None
        else "Every problem is undecided, so it chooses no option."
    ]
    for variant in dyads(results, at.dataset):
        message += [
            f"{variant.mode.capitalize()}, it answers “{option.option}” in"
            f" {percent(option.chosen / option.offered)} of "
            f"{counted_all(option.offered, 'problem')}."
            for option in results.options
            if variant.mode == BY_BOOLEAN
            and option.key == at.replace(variant=variant.name)
            and not option.option.isdigit()
            and option.chosen > option.offered * _UNBIASED
        ]
    return Evidence("Does it favour one option regardless of the problem?", " ".join(message))


def method_evidence(results: Results, model: ModelSubject, at: ResultKey) -> Evidence | None:
    """The spread of schema accuracy over scoring methods."""
    values = {}
    for method in model.methods:
        accuracy = results.value(at.replace(method=method), SCHEMA_ACCURACY)
        if accuracy and accuracy.value is not None:
            values[method] = accuracy.value
    if len(values) < 2 or at.method not in values:
        return None
    least, most = min(values, key=values.__getitem__), max(values, key=values.__getitem__)
    share = f"{percent(values[least])} ({least}) to {percent(values[most])} ({most})"
    sentence = (
        f"Across {len(values)} scoring methods, it solves {share} of the schemas; the numbers here"
        f" are for {at.method}, which was chosen in advance."
    )
    if values[least] == values[most]:
        share = f"{percent(values[least])} of the schemas"
        sentence = f"With each of {len(values)} scoring methods, it solves {share}."
    return Evidence("How much depends on the scoring method?", sentence)


# Conclusions that also rest on problem accuracy.
_BY_BOTH = (Conclusion.ONE_OF_TWO, Conclusion.BY_PROBLEMS, Conclusion.WORSE)


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """The conclusion about a model on a dataset, with a sentence and the evidence."""

    model: str
    dataset: str
    conclusion: Conclusion
    sentence: str
    evidence: tuple[Evidence, ...]


def verdict(results: Results, model: ModelSubject, dataset: DatasetSubject) -> ModelVerdict:
    """The verdict with the standard method; `conclude` describes the rule."""
    at = standard(model, dataset.name)
    evidence = (
        accuracy_evidence(results, at),
        control_evidence(results, at),
        consistency_evidence(results, at),
        reversed_task_evidence(results, at),
        bias_evidence(results, at),
        method_evidence(results, model, at),
    )
    conclusion = conclude(results, at)
    return ModelVerdict(
        model.name,
        dataset.name,
        conclusion,
        _sentence(results, at, conclusion),
        tuple(filter(None, evidence)),
    )


def _sentence(results: Results, at: ResultKey, conclusion: Conclusion) -> str:
    """The conclusion with the numbers that it rests on."""
    schemas = results.value(at, SCHEMA_ACCURACY)
    problems = results.value(at, PROBLEM_ACCURACY)
    if schemas is None or schemas.value is None:
        return f"There are no results for {at.model} on {at.dataset}. Verdict: {conclusion}."
    solved = f"{percent_interval(schemas)} of the schemas"
    guessed = _chance(results, schemas)
    if problems and conclusion in _BY_BOTH:
        solved += f" and {percent_interval(problems)} of the problems"
        guessed += f" and {percent(CHANCE[PROBLEM_ACCURACY])}"
    message = f"On {at.dataset}, {at.model} solves {solved}; {guessed}"
    if conclusion is Conclusion.UNDECIDED:
        message += f". It leaves {percent(undecided_share(problems))} of the problems undecided"
    return f"{message}. Verdict: {conclusion}."
