"""Compare models side by side, also across runs, on the problems that both answered.

The comparison starts from the answers, not from the estimates of the runs. So both sides use the
same tie rule, seed and number of resamples: those of the first run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import METRICS, Ties, match, problem_accuracy, sample_of
from horsesense.metrics.statistics import Adjusted, Bootstrapped, MetricDifference, compare, holm
from horsesense.results import CONTROL, ModelSubject, ResultKey, Results, Skipped, Variant
from horsesense.scoring.outcome import AnswerSet, Verdict

# Settings in which two plans may differ, and what the comparison does about it.
_SETTINGS = {
    "seed": "the first is used",
    "ties": "the first is used",
    "subsets": "all problems are compared",
    "straddling": "each keeps its own scores",
    "frequencies": "each keeps its own scores",
}


@dataclass(frozen=True, slots=True)
class Side:
    """A model of a run that takes part in a comparison, under its own name.

    `method` is the scoring method; if it is empty, the standard one of each dataset.
    """

    name: str
    results: Results
    model: ModelSubject
    method: str = ""

    @property
    def methods(self) -> str:
        """Its scoring method, or the standard ones of the datasets."""
        return self.method or ", ".join(dict.fromkeys(dict(self.model.standard).values()))

    def key(self, dataset: str, variant: str) -> ResultKey:
        """Return the key of its answers to a variant."""
        method = self.method or dict(self.model.standard).get(dataset, "")
        return ResultKey(self.model.name, dataset, variant, method=method)

    def answer_set(self, variant: Variant) -> AnswerSet:
        """Return its answers to a variant; an empty answer set if there are none."""
        answer_set = self.results.answer_sets.get(self.key(variant.dataset, variant.name))
        return AnswerSet(variant.name, (), ()) if answer_set is None else answer_set


def limited(first: Side, other: Side) -> Iterator[Skipped]:
    """Report that the runs used different subsets of the data."""
    sides = (first, other)
    extents = [side.results.record.plan.extent for side in sides]
    if extents[0] != extents[1]:
        message = " and ".join(
            f"{side.name} answered {extent}" for side, extent in zip(sides, extents, strict=True)
        )
        reason = f"{message}; only problems that both answered are compared"
        yield Skipped(f"{first.name} and {other.name}", reason)


def remarks_on(first: Side, other: Side) -> Iterator[str]:
    """Yield other differences of the two runs, which do not prevent a comparison."""
    records = [side.results.record for side in (first, other)]
    names = f"{first.name} and {other.name}"
    versions = [record.horsesense for record in records]
    if versions[0] != versions[1]:
        yield f"{names}: by horsesense {' and '.join(versions)}"
    elif records[0].program != records[1].program:
        yield f"{names}: by horsesense {versions[0]}, but its code has changed in between"
    for setting, effect in _SETTINGS.items():
        was, now = (getattr(record.plan, setting) for record in records)
        if was != now:
            yield f"{names}: {setting} {_shown(was)} and {_shown(now)}; {effect}"
    if first.model.fingerprint == other.model.fingerprint:
        yield f"{names}: the same model, by its fingerprint"


def _shown(setting: Any) -> str:
    """Format a setting as in a plan.

    >>> _shown(("associative", "tall")), _shown(None), _shown(3)
    ('associative, tall', 'none', '3')
    """
    if isinstance(setting, tuple):
        return ", ".join(map(str, setting)) or "none"
    return "none" if setting is None else str(setting)


def picked(sides: Iterable[Side]) -> Iterator[str]:
    """Warn of sides whose method is not the standard one and happens to be the best."""
    for side in sides:
        for dataset in side.results.datasets:
            standard = dict(side.model.standard).get(dataset.name, "")
            if side.method in ("", standard):
                continue
            accuracies = _accuracies(side, dataset.name)
            best = max(accuracies.values(), default=None)
            if len(accuracies) > 1 and accuracies.get(side.method) == best:
                yield (
                    f"{side.name}: {side.method} is its best method on {dataset.name}"
                    f" ({best:.3f}); the standard is {standard}. Picking a method by its"
                    " accuracy flatters the model"
                )


def _accuracies(side: Side, dataset: str) -> dict[str, float]:
    """Return the problem accuracy on the original, for every method that has one."""
    accuracies = {}
    for method in side.model.methods:
        key = ResultKey(side.model.name, dataset, method=method)
        answer_set = side.results.answer_sets.get(key)
        value = None if answer_set is None else problem_accuracy(sample_of(answer_set)).value
        if value is not None:
            accuracies[method] = value
    return accuracies


def reworded(first: Side, other: Side, variant: Variant) -> set[str]:
    """Return the entries whose sentences or labels differ between the two runs."""
    before, after = (
        {
            (problem.entry, problem.number): (problem.sentences, problem.label)
            for problem in side.results.problems
            if (problem.dataset, problem.variant) == (variant.dataset, variant.name)
        }
        for side in (first, other)
    )
    return {key[0] for key in before.keys() & after.keys() if before[key] != after[key]}


ALPHA = 0.05
DIFFERENCES = ("problem-accuracy", "schema-accuracy")
CONSISTENCIES = ("consistency", "schema-consistency")


@dataclass(frozen=True, slots=True)
class SchemaFlip:
    """A schema that only one side solves; `numbers` are those of its two problems.

    A margin is the smaller one of the two problems, so it is positive if both are solved.
    """

    entry: str
    numbers: tuple[int, int]
    margin_before: float
    margin_after: float
    is_gained: bool

    @property
    def schema(self) -> str:
        """The id of the entry, with the numbers of the problems if it has several schemas.

        >>> SchemaFlip("roses", (1, 2), -1.0, 2.0, True).schema
        'roses'
        """
        first, second = self.numbers
        return self.entry if self.numbers == (1, 2) else f"{self.entry}.{first}+{second}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantComparison:
    """A side compared with the first on a variant, on the problems that both answered.

    Differences are `of` minus `against`. Flips are sorted by the change of margin, largest first.
    """

    of: ResultKey
    against: ResultKey
    names: tuple[str, str]
    purpose: str
    problems: int
    schemas: int
    differences: tuple[MetricDifference, ...]
    consistency: tuple[Bootstrapped, ...]
    flips: tuple[SchemaFlip, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All sides compared with the first; p-values are adjusted over the `family`.

    `skipped` lists what could not be compared, `remarks` other things to know.
    """

    sides: tuple[Side, ...]
    variants: tuple[VariantComparison, ...]
    family: Adjusted
    skipped: tuple[Skipped, ...]
    remarks: tuple[str, ...]


def compare_sides(sides: Sequence[Side]) -> SideBySide:
    """Compare every side with the first, on all variants that both answered."""
    if len(sides) < 2:
        raise MetricError("a comparison takes at least two models")
    for side in sides:
        if side.method and side.method not in side.model.methods:
            raise UnknownNameError(f"method of {side.name}", side.method, side.model.methods)
    variants: list[VariantComparison] = []
    skipped: list[Skipped] = []
    remarks = [*picked(sides)]
    for other in sides[1:]:
        remarks += remarks_on(sides[0], other)
        skipped += limited(sides[0], other)
        for finding in _compared(sides[0], other):
            if isinstance(finding, VariantComparison):
                variants.append(finding)
            elif isinstance(finding, Skipped):
                skipped.append(finding)
            else:
                remarks.append(finding)
    rows = [row for variant in variants for row in variant.differences]
    family = holm([row.test.p if row.test else None for row in rows], family="differences")
    return SideBySide(
        tuple(sides),
        tuple(_adjusted(variants, family)),
        family,
        tuple(dict.fromkeys(skipped)),
        tuple(dict.fromkeys(remarks)),
    )


def losses(
    comparison: SideBySide, delta: float = 0.0
) -> tuple[tuple[VariantComparison, MetricDifference], ...]:
    """Return where a side is worse than the first by more than delta, with an adjusted p below .05.

    Controls are left out: a lower accuracy is expected there.
    """
    return tuple(
        (variant, row)
        for variant in comparison.variants
        if variant.purpose != CONTROL
        for row in variant.differences
        if _is_significant(row) and (row.difference.estimate or 0.0) < -delta
    )


def _is_significant(row: MetricDifference) -> bool:
    return row.adjusted_p is not None and row.adjusted_p < ALPHA


# A comparison, something skipped, or a remark.
_Finding: TypeAlias = VariantComparison | Skipped | str


def _compared(first: Side, other: Side) -> Iterator[_Finding]:
    """Compare all datasets and variants that both have, and report those that only one has."""
    ids, other_ids = (
        {data.name: data.id for data in side.results.datasets} for side in (first, other)
    )
    yield from _alone((first, ids), (other, other_ids), "dataset")
    for name in (name for name in ids if name in other_ids):
        if ids[name] == other_ids[name]:
            yield from _on_dataset(first, other, name)
        else:
            yield Skipped(
                name,
                f"the data differ: {first.name} answered {ids[name]},"
                f" {other.name} answered {other_ids[name]}",
            )


def _on_dataset(first: Side, other: Side, dataset: str) -> Iterator[_Finding]:
    variants, other_variants = (
        {variant.name: variant for variant in side.results.variants_of(dataset)}
        for side in (first, other)
    )
    yield from _alone((first, variants), (other, other_variants), f"variant of {dataset}")
    for name in variants:
        if name in other_variants:
            yield from _on_variant(first, other, variants[name])


def _alone(
    first: tuple[Side, Iterable[str]], other: tuple[Side, Iterable[str]], what: str
) -> Iterator[str]:
    """Report which names only one of the two sides has."""
    for (side, names), (_, other_names) in ((first, other), (other, first)):
        if lone := [name for name in names if name not in other_names]:
            yield f"only {side.name} has this {what}: {', '.join(lone)}"


def _on_variant(first: Side, other: Side, variant: Variant) -> Iterator[_Finding]:
    where = f"{variant.dataset}, {variant.name}"
    answer_sets = [side.answer_set(variant) for side in (first, other)]
    for side, answer_set in zip((first, other), answer_sets, strict=True):
        if not answer_set.answers:
            method = side.key(variant.dataset, variant.name).method
            yield Skipped(where, f"{side.name} has no answers by {method or 'any method'}")
            return
        if not answer_set.labelled().answers:
            yield f"{where}: no problem is labelled, so there is no accuracy to compare"
            return
    if others := reworded(first, other, variant):
        number = len(others)
        yield Skipped(where, f"entries left out as their texts differ between the runs: {number}")
        answer_sets = [
            answer_set.among([answer.entry not in others for answer in answer_set.answers])
            for answer_set in answer_sets
        ]
    try:
        matched = match(*answer_sets, ties=Ties(first.results.record.plan.ties))
    except MetricError:
        yield Skipped(where, "no problem was answered by both")
        return
    if (lone := matched.only_before + matched.only_after) and not any(limited(first, other)):
        yield f"{where}: problems left out because only one of the two answered them: {lone}"
    plan = first.results.record.plan
    table = compare(
        [METRICS[name] for name in DIFFERENCES],
        matched,
        changes=[METRICS[name] for name in CONSISTENCIES],
        resamples=plan.resamples,
        seed=plan.seed,
    )
    yield VariantComparison(
        of=other.key(variant.dataset, variant.name),
        against=first.key(variant.dataset, variant.name),
        names=(first.name, other.name),
        purpose=variant.purpose,
        problems=len(matched.before.problems),
        schemas=len(matched.before.schemas),
        differences=table.rows,
        consistency=table.changes,
        flips=_flips(*answer_sets),
    )


def _flips(before: AnswerSet, after: AnswerSet) -> tuple[SchemaFlip, ...]:
    """List the schemas that only one of the two solves, the largest change of margin first."""
    old, new = _solutions(before), _solutions(after)
    flips = [
        SchemaFlip(*schema, margin_before, margin_after, is_gained=solved_after)
        for schema, (solved_before, margin_before) in old.items()
        if schema in new
        for solved_after, margin_after in [new[schema]]
        if solved_before != solved_after
    ]
    return tuple(sorted(flips, key=lambda flip: -abs(flip.margin_after - flip.margin_before)))


def _solutions(answer_set: AnswerSet) -> dict[tuple[str, tuple[int, int]], tuple[bool, float]]:
    """Map each schema (its entry and numbers) to whether it is solved and its smaller margin."""
    labelled = answer_set.labelled()
    solutions = {}
    for pair in labelled.schemas:
        answers = sorted(
            (labelled.answers[position] for position in pair), key=lambda answer: answer.number
        )
        first, second = (answer.number for answer in answers)
        is_solved = all(answer.outcome.verdict is Verdict.SOLVED for answer in answers)
        margin = min(answer.outcome.signed_margin or 0.0 for answer in answers)
        solutions[answers[0].entry, (first, second)] = is_solved, margin
    return solutions


def _adjusted(
    variants: Iterable[VariantComparison], family: Adjusted
) -> Iterator[VariantComparison]:
    """Set the p-values that are adjusted over all variants."""
    ps = iter(family.ps)
    for variant in variants:
        rows = tuple(replace(row, adjusted_p=next(ps)) for row in variant.differences)
        yield replace(variant, differences=rows)
