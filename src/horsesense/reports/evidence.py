"""Evidence for a verdict: each piece a question, and sentences with numbers and intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from horsesense.reports.cells import (
    counted,
    counted_all,
    listed,
    percent,
    percent_interval,
    points,
)
from horsesense.reports.expected import expected
from horsesense.reports.survival import (
    MARGIN,
    Compared,
    Survival,
    compared_controls,
    compared_other_questions,
    compared_perturbations,
    is_above,
    is_beyond_chance,
    perturbations,
)
from horsesense.reports.tables.naming import (
    CHANCE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    dyads,
)
from horsesense.results import BY_BOOLEAN, Estimate, ModelSubject, ResultKey, Results, Variant

_CONSISTENCY, _CONSISTENT_ACCURACY = "schema-consistency", "consistent-schema-accuracy"
_FIRST_OPTION = "first-option-share"
_HALF_SOLVED, _ANTI_SOLVED = "half-solved-share", "anti-solved-share"
# Guessing solves one problem of the two in so many schemas, and neither in so many.
_HALF_SOLVED_BY_CHANCE, _ANTI_SOLVED_BY_CHANCE = 0.5, 0.25
# So much of the answers are of one kind before it is called a bias.
_UNBIASED = 0.5
_EXPECTED = "expected"
_TIES = {"failed": "counted as failed", "half": "counted half"}


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence: the question that it answers, and a sentence or two with numbers."""

    question: str
    sentence: str


def accuracy_evidence(profile: Results, at: ResultKey) -> Evidence | None:
    """Schema accuracy against chance, problem accuracy beside it, and what lies between them."""
    schemas, problems = (profile.value(at, one) for one in (SCHEMA_ACCURACY, PROBLEM_ACCURACY))
    if schemas is None or problems is None:
        return None
    told = [
        f"On {at.dataset} it solves {percent_interval(schemas)} of"
        f" {counted_all(schemas.n_schemas, 'schema')}; guessing solves"
        f" {percent(CHANCE[SCHEMA_ACCURACY])}. Of {counted_all(problems.n_problems, 'problem')} one"
        f" by one it solves {percent_interval(problems)}; guessing solves"
        f" {percent(CHANCE[PROBLEM_ACCURACY])}."
    ]
    told += [_undecided(profile, problems), *_parts_solved(profile, at, schemas)]
    return Evidence("Is it right more often than by guessing?", " ".join(told))


def _undecided(profile: Results, problems: Estimate) -> str:
    """How many problems are undecided, which is always shown."""
    if not problems.n_undecided:
        return "None of them is undecided."
    ties = profile.record.plan.ties
    share = percent(problems.n_undecided / problems.n_problems)
    verb = "is" if problems.n_undecided == 1 else "are"
    return f"{problems.n_undecided:,} of them ({share}) {verb} undecided, {_TIES.get(ties, ties)}."


def _parts_solved(profile: Results, at: ResultKey, schemas: Estimate) -> Iterator[str]:
    """In how many schemas one problem is solved, and neither, which belong to schema accuracy."""
    half, neither = (profile.value(at, one) for one in (_HALF_SOLVED, _ANTI_SOLVED))
    if half is None or neither is None:
        return
    yield (
        f"It solves one problem of the two in {percent_interval(half)} of the schemas, and neither"
        f" in {percent_interval(neither)}; guessing does so in {percent(_HALF_SOLVED_BY_CHANCE)}"
        f" and {percent(_ANTI_SOLVED_BY_CHANCE)}."
    )
    if is_above(half, _HALF_SOLVED_BY_CHANCE) and not is_beyond_chance(schemas):
        yield "Where it gives both problems the same answer, one of the two is right."


def control_evidence(profile: Results, at: ResultKey) -> Evidence | None:
    """What is left of schema accuracy where the problems cannot be solved by sense."""
    told = [
        f"With {one.form.title or one.form.name} ({one.form.name}) it solves {_beside_before(one)}."
        for one in compared_controls(profile, at)
    ]
    return (
        Evidence("Is it right without what the answer hangs on?", " ".join(told)) if told else None
    )


def consistency_evidence(profile: Results, at: ResultKey) -> Evidence | None:
    """How steady answers are where a perturbation should not matter, and what of it is right."""
    forms = perturbations(profile, at.dataset)
    steady = _changes(profile, at, forms, _CONSISTENCY)
    if not steady:
        return None
    values = (profile.value(at.replace(variant=one), SCHEMA_ACCURACY) for one in steady)
    beyond = sum(1 for one in values if is_beyond_chance(one))
    told = [
        f"On {beyond} of {counted(len(steady), 'perturbation')} that should not matter the whole"
        " interval of schema accuracy is above chance.",
    ]
    found = compared_perturbations(profile, at)
    if found and is_beyond_chance(profile.value(at, SCHEMA_ACCURACY)):
        told.append(_survived(found))
    told += [
        "Equally many problems of a schema are solved before and after in"
        f" {_extremes(profile, steady)}.",
    ]
    if both := _changes(profile, at, forms, _CONSISTENT_ACCURACY):
        told.append(f"Both problems are solved before and after in {_extremes(profile, both)}.")
    if any(_EXPECTED in one for one in told):
        told.append(
            "Expected is what answers of these accuracies give that have nothing to do with each"
            " other."
        )
    question = "Does it answer the same where nothing that matters has changed?"
    return Evidence(question, " ".join(told))


def _survived(found: Iterable[Compared]) -> str:
    """On how many perturbations accuracy is lost, on how many it is kept, and which are few."""
    all_of = tuple(found)
    often = Counter(one.survival for one in all_of)
    margin = f"{100 * MARGIN:.0f} points"
    told = (
        f"By the intervals, schema accuracy is lower on {often[Survival.LOST]}, above chance and"
        f" less than {margin} lower, if at all, on {often[Survival.KEPT]}, and on"
        f" {often[Survival.UNKNOWN]} it cannot be told; of many, one may be lower by luck."
    )
    few = [one.form.name for one in all_of if not one.has_enough]
    return f"{told} Too few schemas to count: {listed(few)}." if few else told


def other_question_evidence(profile: Results, at: ResultKey) -> Evidence | None:
    """Schema accuracy where something else is asked of the same schemas, by key or zero-shot."""
    told = [
        f"On {one.form.name} it solves {_beside_before(one)}."
        for one in compared_other_questions(profile, at)
    ]
    if not told:
        return None
    told.append("Whether that should make no difference is open.")
    return Evidence("Is it as right when asked the other way round?", " ".join(told))


def _beside_before(one: Compared) -> str:
    """An accuracy, and by how much it is higher or lower than that of the same schemas before."""
    is_same = one.difference.n_schemas == one.value.n_schemas
    same = "same schemas" if is_same else f"{one.difference.n_schemas:,} that are in both,"
    few = "" if one.has_enough else ": too few to count"
    return (
        f"{percent_interval(one.value)} of {counted(one.value.n_schemas, 'schema')},"
        f" {points(one.difference)} of the {same} unchanged{few}"
    )


def _changes(
    profile: Results, at: ResultKey, forms: Iterable[Variant], metric: str
) -> dict[str, Estimate]:
    found = {one.name: profile.change(at.replace(variant=one.name), at, metric) for one in forms}
    return {name: one for name, one in found.items() if one and one.value is not None}


def _extremes(profile: Results, found: dict[str, Estimate]) -> str:
    """The least and the greatest share of schemas, each with its form and what is expected."""
    ordered = sorted(found, key=lambda form: found[form].value or 0.0)
    least, most = ordered[0], ordered[-1]
    told = f"{percent_interval(found[least])} of the schemas on {least}"
    told += _beside(profile, found[least])
    if least == most:
        return told
    told += f", and up to {percent_interval(found[most])} on {most}"
    return told + _beside(profile, found[most])


def _beside(profile: Results, one: Estimate) -> str:
    """What would be expected of answers that have nothing to do with each other, if it is known."""
    by_chance = expected(profile, one.key, one.against, one.metric) if one.against else None
    if by_chance is None:
        return ""
    return f", {_EXPECTED} about {percent(by_chance)}"


def bias_evidence(profile: Results, at: ResultKey) -> Evidence | None:
    """Which option is chosen, whatever is asked: the first, or a truth value."""
    first = profile.value(at, _FIRST_OPTION)
    if first is None:
        return None
    decided = first.n_problems - first.n_undecided
    told = [
        f"It takes the first option in {percent_interval(first)} of"
        f" {counted_all(decided, 'problem')} that it decides."
        if first.value is not None
        else "No problem is decided, so that no option is chosen."
    ]
    for form in dyads(profile, at.dataset):
        told += [
            f"{form.mode.capitalize()} it says «{one.option}» to"
            f" {percent(one.chosen / one.offered)} of {counted_all(one.offered, 'problem')}."
            for one in profile.options
            if form.mode == BY_BOOLEAN
            and one.key == at.replace(variant=form.name)
            and not one.option.isdigit()
            and one.chosen > one.offered * _UNBIASED
        ]
    return Evidence("Does it favour an option, whatever is asked?", " ".join(told))


def method_evidence(profile: Results, model: ModelSubject, at: ResultKey) -> Evidence | None:
    """How much hangs on the scoring method."""
    found = {
        method: one.value
        for method in model.methods
        if (one := profile.value(at.replace(method=method), SCHEMA_ACCURACY))
        and one.value is not None
    }
    if len(found) < 2 or at.method not in found:
        return None
    least, most = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
    share = f"{percent(found[least])} ({least}) to {percent(found[most])} ({most})"
    sentence = (
        f"By {len(found)} scoring methods it solves {share} of the schemas; the numbers here are by"
        f" {at.method}, which was chosen beforehand."
    )
    if found[least] == found[most]:
        share = f"{percent(found[least])} of the schemas"
        sentence = f"By each of {len(found)} scoring methods it solves {share}."
    return Evidence("How much hangs on the scoring method?", sentence)
