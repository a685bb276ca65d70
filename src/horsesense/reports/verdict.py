"""Horse sense or Clever Hans? A verdict on a model and a dataset, with its evidence.

The horse Clever Hans gave right answers by reading his keeper's face. A model may do so, too: by
which words go together, by which option comes first, by the scoring method that was chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from horsesense.reports.conclusion import (
    MARGIN,
    Compared,
    Conclusion,
    Survival,
    compared_controls,
    compared_other_questions,
    compared_perturbations,
    concluded,
    expected,
    is_above,
    is_beyond_chance,
    perturbations,
    undecided_share,
)
from horsesense.reports.wording import (
    CHANCE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    counted,
    counted_all,
    dyads,
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

_CONSISTENCY, _CONSISTENT_ACCURACY = "schema-consistency", "consistent-schema-accuracy"
_FIRST_OPTION = "first-option-share"
_HALF_SOLVED, _ANTI_SOLVED = "half-solved-share", "anti-solved-share"
# Guessing solves one problem of the two in so many schemas, and neither in so many.
_HALF_SOLVED_BY_CHANCE, _ANTI_SOLVED_BY_CHANCE = 0.5, 0.25
# So much of the answers are of one kind before it is called a bias.
_UNBIASED = 0.5
_EXPECTED = "expected"
_TIES = {"failed": "counted as failed", "half": "counted as half solved"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence: the question that it answers, and a sentence or two with numbers."""

    question: str
    sentence: str


def accuracy_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Schema accuracy against chance, problem accuracy beside it, and what lies between them."""
    schemas, problems = (results.value(at, one) for one in (SCHEMA_ACCURACY, PROBLEM_ACCURACY))
    if schemas is None or problems is None:
        return None
    message = [
        f"On {at.dataset}, it solves {percent_interval(schemas)} of"
        f" {counted_all(schemas.n_schemas, 'schema')}; guessing solves"
        f" {percent(CHANCE[SCHEMA_ACCURACY])}. It solves {percent_interval(problems)} of"
        f" {counted_all(problems.n_problems, 'problem')} taken one by one; guessing solves"
        f" {percent(CHANCE[PROBLEM_ACCURACY])}."
    ]
    message += [_undecided(results, problems), *_parts_solved(results, at, schemas)]
    return Evidence("Is it better than guessing?", " ".join(message))


def _undecided(results: Results, problems: Estimate) -> str:
    """The number of undecided problems, which is always shown."""
    if not problems.n_undecided:
        return "None of them are undecided."
    ties = results.record.plan.ties
    share = percent(problems.n_undecided / problems.n_problems)
    verb = "is" if problems.n_undecided == 1 else "are"
    return (
        f"{problems.n_undecided:,} of them ({share}) {verb} undecided and {_TIES.get(ties, ties)}."
    )


def _parts_solved(results: Results, at: ResultKey, schemas: Estimate) -> Iterator[str]:
    """The shares of schemas with one problem solved, and with none."""
    half, neither = (results.value(at, one) for one in (_HALF_SOLVED, _ANTI_SOLVED))
    if half is None or neither is None:
        return
    yield (
        f"It solves exactly one of the two problems in {percent_interval(half)} of the schemas, and"
        f" neither in {percent_interval(neither)}; for guessing, these are"
        f" {percent(_HALF_SOLVED_BY_CHANCE)} and {percent(_ANTI_SOLVED_BY_CHANCE)}."
    )
    if is_above(half, _HALF_SOLVED_BY_CHANCE) and not is_beyond_chance(schemas):
        yield "A model that gives both problems the same answer is right on exactly one of them."


def control_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Schema accuracy on the controls, where the problems cannot be solved by sense."""
    message = [
        f"With {control.form.title or control.form.name} ({control.form.name}), it solves"
        f" {_beside_before(control)}."
        for control in compared_controls(results, at)
    ]
    return (
        Evidence("Is it right even without the words that decide the answer?", " ".join(message))
        if message
        else None
    )


def consistency_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Stability of the answers on perturbations that should not matter."""
    variants = perturbations(results, at.dataset)
    steady = _changes(results, at, variants, _CONSISTENCY)
    if not steady:
        return None
    values = (results.value(at.replace(variant=one), SCHEMA_ACCURACY) for one in steady)
    beyond = sum(1 for value in values if is_beyond_chance(value))
    message = [
        f"On {beyond} of {counted(len(steady), 'perturbation')} that should not matter, the whole"
        " interval of schema accuracy is above chance.",
    ]
    found = compared_perturbations(results, at)
    if found and is_beyond_chance(results.value(at, SCHEMA_ACCURACY)):
        message.append(_survived(found))
    message += [
        "The number of solved problems per schema is the same before and after in"
        f" {_extremes(results, steady)}.",
    ]
    if both := _changes(results, at, variants, _CONSISTENT_ACCURACY):
        message.append(f"Both problems are solved before and after in {_extremes(results, both)}.")
    if any(_EXPECTED in one for one in message):
        message.append("“Expected” is the share for independent answers with the same accuracies.")
    question = "Are its answers stable when nothing relevant changes?"
    return Evidence(question, " ".join(message))


def _survived(found: Iterable[Compared]) -> str:
    """The numbers of perturbations on which accuracy drops, stays or is unclear."""
    all_of = tuple(found)
    often = Counter(one.survival for one in all_of)
    margin = f"{100 * MARGIN:.0f} points"
    message = (
        f"Judged by intervals, schema accuracy drops on {often[Survival.LOST]}, stays above chance"
        f" and loses less than {margin} on {often[Survival.KEPT]}, and is unclear on"
        f" {often[Survival.UNKNOWN]}; among many perturbations, one may drop by chance."
    )
    few = [one.form.name for one in all_of if not one.has_enough]
    return f"{message} Too few schemas to count: {listed(few)}." if few else message


def other_question_evidence(results: Results, at: ResultKey) -> Evidence | None:
    """Schema accuracy where the task is reversed, by key or zero-shot."""
    message = [
        f"On {question.form.name}, it solves {_beside_before(question)}."
        for question in compared_other_questions(results, at)
    ]
    if not message:
        return None
    message.append("Whether accuracy should be the same here is an open question.")
    return Evidence("Is it equally accurate when the task is reversed?", " ".join(message))


def _beside_before(compared: Compared) -> str:
    """An accuracy, and by how much it is higher or lower than that of the same schemas before."""
    is_same = compared.difference.n_schemas == compared.value.n_schemas
    shared = "same schemas" if is_same else f"{compared.difference.n_schemas:,} schemas in common"
    few = "" if compared.has_enough else "; too few schemas to count"
    return (
        f"{percent_interval(compared.value)} of {counted(compared.value.n_schemas, 'schema')}:"
        f" {points(compared.difference, f'the {shared} unperturbed')}{few}"
    )


def _changes(
    results: Results, at: ResultKey, variants: Iterable[Variant], metric: str
) -> dict[str, Estimate]:
    found = {
        variant.name: results.change(at.replace(variant=variant.name), at, metric)
        for variant in variants
    }
    return {name: one for name, one in found.items() if one and one.value is not None}


def _extremes(results: Results, found: dict[str, Estimate]) -> str:
    """The least and the greatest share of schemas, each with its form and what is expected."""
    ordered = sorted(found, key=lambda variant: found[variant].value or 0.0)
    least, most = ordered[0], ordered[-1]
    message = f"{percent_interval(found[least])} of the schemas on {least}"
    message += _beside(results, found[least])
    if least == most:
        return message
    message += f", and up to {percent_interval(found[most])} on {most}"
    return message + _beside(results, found[most])


def _beside(results: Results, estimate: Estimate) -> str:
    """The value expected of independent answers, if it is known."""
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
        f" {counted_all(decided, 'problem')} that it decides."
        if first.value is not None
        else "It decides no problem, so it chooses no option."
    ]
    for variant in dyads(results, at.dataset):
        message += [
            f"{variant.mode.capitalize()}, it answers “{option.option}” to"
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
    found = {
        method: one.value
        for method in model.methods
        if (one := results.value(at.replace(method=method), SCHEMA_ACCURACY))
        and one.value is not None
    }
    if len(found) < 2 or at.method not in found:
        return None
    least, most = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
    share = f"{percent(found[least])} ({least}) to {percent(found[most])} ({most})"
    sentence = (
        f"Across {len(found)} scoring methods, it solves {share} of the schemas; the numbers here"
        f" are for {at.method}, which was chosen in advance."
    )
    if found[least] == found[most]:
        share = f"{percent(found[least])} of the schemas"
        sentence = f"With each of {len(found)} scoring methods, it solves {share}."
    return Evidence("How much depends on the scoring method?", sentence)


# These rest on problem accuracy, too.
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
    """The verdict with the standard method; `concluded` describes the rule."""
    at = standard(model, dataset.name)
    evidence = (
        accuracy_evidence(results, at),
        control_evidence(results, at),
        consistency_evidence(results, at),
        other_question_evidence(results, at),
        bias_evidence(results, at),
        method_evidence(results, model, at),
    )
    conclusion = concluded(results, at)
    return ModelVerdict(
        model.name,
        dataset.name,
        conclusion,
        _sentence(results, at, conclusion),
        tuple(one for one in evidence if one is not None),
    )


def _sentence(results: Results, at: ResultKey, conclusion: Conclusion) -> str:
    """The conclusion with the numbers that it rests on."""
    schemas, problems = (results.value(at, one) for one in (SCHEMA_ACCURACY, PROBLEM_ACCURACY))
    if schemas is None or schemas.value is None:
        return f"There are no results for {at.model} on {at.dataset}. Verdict: {conclusion}."
    solved = f"{percent_interval(schemas)} of the schemas"
    guessed = percent(CHANCE[SCHEMA_ACCURACY])
    if problems and conclusion in _BY_BOTH:
        solved += f" and {percent_interval(problems)} of the problems"
        guessed += f" and {percent(CHANCE[PROBLEM_ACCURACY])}"
    message = f"On {at.dataset}, {at.model} solves {solved}; guessing solves {guessed}"
    if conclusion is Conclusion.UNDECIDED:
        message += f". It leaves {percent(undecided_share(problems))} of the problems undecided"
    return f"{message}. Verdict: {conclusion}."
