"""Models side by side, across runs: paired differences on whatever two of them were both asked.

Answers are compared, and not the numbers that results made of them. So all is counted and drawn
alike on both sides, by the tie rule, seed and number of resamples of the first results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import METRICS, Paired, Ties, match, problem_accuracy, sample_of
from horsesense.metrics.statistics import Adjusted, Bootstrapped, MetricDifference, compare, holm
from horsesense.results import CONTROL, ModelSubject, ResultKey, Results, Skipped, Variant
from horsesense.results.measuring.noteworthy import signed_margin
from horsesense.scoring.outcome import AnswerSet, Verdict

# What two plans may differ in, and what that means for a comparison of answers.
_SETTINGS = {
    "seed": "draws are by the first",
    "ties": "undecided problems count by the first",
    "subsets": "compared are all problems",
    "straddling": "scores are by either",
    "frequencies": "scores are by either",
}


@dataclass(frozen=True, slots=True)
class Side:
    """A model in results, as it takes part in a comparison under a name of its own.

    `method` is that by which it answers; where it is empty, the standard one of each dataset.
    """

    name: str
    profile: Results
    model: ModelSubject
    method: str = ""

    def address(self, dataset: str, variant: str) -> ResultKey:
        """Where its answers to that stand."""
        method = self.method or dict(self.model.standard).get(dataset, "")
        return ResultKey(self.model.name, dataset, variant, method=method)

    def answer_set(self, variant: Variant) -> AnswerSet:
        """Its answers in that variant; an empty answer set where there are none."""
        found = self.profile.answer_sets.get(self.address(variant.dataset, variant.name))
        return AnswerSet(variant.name, (), ()) if found is None else found


@dataclass(frozen=True, slots=True)
class Pair:
    """A side and the first, with which it is compared."""

    first: Side
    other: Side

    @property
    def names(self) -> tuple[str, str]:
        """What the two are called."""
        return self.first.name, self.other.name

    @property
    def profiles(self) -> tuple[Results, Results]:
        """Where the two stand."""
        return self.first.profile, self.other.profile


def limited(pair: Pair) -> Iterator[Skipped]:
    """Where one was asked fewer schemas than the other."""
    limits = [results.record.plan.limit for results in pair.profiles]
    if limits[0] != limits[1]:
        asked = [
            f"{name} was asked {_asked(limit)}"
            for name, limit in zip(pair.names, limits, strict=True)
        ]
        message = " and ".join(asked)
        yield Skipped(" and ".join(pair.names), f"{message}; compared is what both were asked")


def _asked(limit: int | None) -> str:
    return "everything" if limit is None else f"the first {limit} schemas and single problems"


def remarks_on(pair: Pair) -> Iterator[str]:
    """In what else the two runs differ, though their answers can be compared."""
    one, other = (results.record for results in pair.profiles)
    names = " and ".join(pair.names)
    if one.horsesense != other.horsesense:
        yield f"{names}: by horsesense {one.horsesense} and {other.horsesense}"
    elif one.program != other.program:
        yield f"{names}: by other programs of horsesense {one.horsesense} (its code has changed)"
    for setting, effect in _SETTINGS.items():
        was, now = (getattr(record.plan, setting) for record in (one, other))
        if was != now:
            yield f"{names}: {setting} {_shown(was)} and {_shown(now)}; {effect}"
    if pair.first.model.fingerprint == pair.other.model.fingerprint:
        yield f"{names}: the same model, by its fingerprint"


def _shown(setting: Any) -> str:
    """A setting as one would give it.

    >>> _shown(("associative", "tall")), _shown(None), _shown(3)
    ('associative, tall', 'none', '3')
    """
    if isinstance(setting, tuple):
        return ", ".join(map(str, setting)) or "none"
    return "none" if setting is None else str(setting)


def picked(sides: Iterable[Side]) -> Iterator[str]:
    """Whose method was chosen other than by its standard, and happens to be its best."""
    for side in sides:
        for dataset in side.profile.datasets:
            standard = dict(side.model.standard).get(dataset.name, "")
            if side.method in ("", standard):
                continue
            accuracies = _accuracies(side, dataset.name)
            best = max(accuracies.values(), default=None)
            if len(accuracies) > 1 and accuracies.get(side.method) == best:
                yield (
                    f"{side.name}: {side.method} is its best method on {dataset.name}"
                    f" ({best:.3f}); the standard is {standard}. A method that was picked by"
                    " looking at accuracy flatters"
                )


def _accuracies(side: Side, dataset: str) -> dict[str, float]:
    """The problem accuracy of a model on the original, by all methods that have one."""
    found = {}
    for method in side.model.methods:
        at = ResultKey(side.model.name, dataset, method=method)
        answer_set = side.profile.answer_sets.get(at)
        value = None if answer_set is None else problem_accuracy(sample_of(answer_set)).value
        if value is not None:
            found[method] = value
    return found


def reworded(pair: Pair, variant: Variant) -> set[str]:
    """The entries of which a problem has other sentences, or another right option, than before."""
    one, other = (
        {
            (each.entry, each.number): (each.sentences, each.label)
            for each in results.problems
            if (each.dataset, each.variant) == (variant.dataset, variant.name)
        }
        for results in pair.profiles
    )
    return {at[0] for at in one.keys() & other.keys() if one[at] != other[at]}


ALPHA = 0.05
DIFFERENCES = ("problem-accuracy", "schema-accuracy")
CONSISTENCIES = ("consistency", "schema-consistency")


@dataclass(frozen=True, slots=True)
class SchemaFlip:
    """A schema that is solved by one side only; `numbers` are those of its two problems.

    A margin is the lesser of those of the two problems, and so positive where both are solved.
    """

    entry: str
    numbers: tuple[int, int]
    margin_before: float
    margin_after: float
    is_gained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantComparison:
    """One side against the first on a variant of a dataset, on the problems that both answered.

    Differences are those of `of` minus `against`. Flips come with the largest change of margin
    first.
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
    """All sides against the first; `family` is the table over which p-values are adjusted.

    `skipped` is what should have been comparable and is not, `remarks` what is to be known besides.
    """

    sides: tuple[Side, ...]
    variants: tuple[VariantComparison, ...]
    family: Adjusted
    skipped: tuple[Skipped, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """A difference to the worse that is more than noise."""

    variant: VariantComparison
    difference: MetricDifference


def compare_sides(sides: Sequence[Side]) -> SideBySide:
    """Compare every side with the first, on all variants of all datasets that both were asked."""
    if len(sides) < 2:
        raise MetricError("a comparison takes two models, and there is one")
    for side in sides:
        if side.method and side.method not in side.model.methods:
            raise UnknownNameError(f"method of {side.name}", side.method, side.model.methods)
    variants: list[VariantComparison] = []
    skipped: list[Skipped] = []
    remarks = [*picked(sides)]
    for other in sides[1:]:
        pair = Pair(sides[0], other)
        remarks += remarks_on(pair)
        skipped += limited(pair)
        for found in _compared(pair):
            if isinstance(found, VariantComparison):
                variants.append(found)
            elif isinstance(found, Skipped):
                skipped.append(found)
            else:
                remarks.append(found)
    rows = [row for variant in variants for row in variant.differences]
    family = holm([row.test.p if row.test else None for row in rows], family="differences")
    return SideBySide(
        tuple(sides),
        tuple(_adjusted(variants, family)),
        family,
        tuple(dict.fromkeys(skipped)),
        tuple(dict.fromkeys(remarks)),
    )


def losses(comparison: SideBySide, delta: float = 0.0) -> tuple[Loss, ...]:
    """Where a side is worse than the first by more than delta, with an adjusted p below .05.

    Controls do not count: less accuracy there is no loss.
    """
    return tuple(
        Loss(variant, row)
        for variant in comparison.variants
        if variant.purpose != CONTROL
        for row in variant.differences
        if _is_significant(row) and (row.difference.estimate or 0.0) < -delta
    )


def _is_significant(row: MetricDifference) -> bool:
    return row.adjusted_p is not None and row.adjusted_p < ALPHA


_Found: TypeAlias = VariantComparison | Skipped | str


def _compared(pair: Pair) -> Iterator[_Found]:
    """What comes of every variant that both have, and of what one has alone."""
    one, other = ({data.name: data.id for data in each.datasets} for each in pair.profiles)
    yield from _alone(pair, (one, other), "dataset")
    for name in (name for name in one if name in other):
        if one[name] == other[name]:
            yield from _on_dataset(pair, name)
        else:
            first, second = (f"{side.name} was asked" for side in (pair.first, pair.other))
            yield Skipped(name, f"other data: {first} {one[name]}, {second} {other[name]}")


def _on_dataset(pair: Pair, dataset: str) -> Iterator[_Found]:
    one, other = (
        {variant.name: variant for variant in each.variants_of(dataset)} for each in pair.profiles
    )
    yield from _alone(pair, (one, other), f"form of {dataset}")
    for name in one:
        if name in other:
            yield from _on_form(pair, one[name])


def _alone(pair: Pair, asked: tuple[Iterable[str], Iterable[str]], what: str) -> Iterator[str]:
    """What one of the two was asked and the other was not."""
    one, other = map(list, asked)
    for name, mine, theirs in ((pair.names[0], one, other), (pair.names[1], other, one)):
        if lone := [each for each in mine if each not in theirs]:
            yield f"only {name} was asked this {what}: {', '.join(lone)}"


def _on_form(pair: Pair, variant: Variant) -> Iterator[_Found]:
    where = f"{variant.dataset}, {variant.name}"
    answer_sets = [one.answer_set(variant) for one in (pair.first, pair.other)]
    for side, answer_set in zip((pair.first, pair.other), answer_sets, strict=True):
        if not answer_set.answers:
            method = side.address(variant.dataset, variant.name).method
            yield Skipped(where, f"{side.name} has no answers by {method or 'any method'}")
            return
        if not answer_set.labelled().answers:
            yield f"{where}: no option is right, so that there is no accuracy to compare"
            return
    if others := reworded(pair, variant):
        number = len(others)
        yield Skipped(where, f"entries worded otherwise in the two runs, and left out: {number}")
        answer_sets = [
            answer_set.among([each.entry not in others for each in answer_set.answers])
            for answer_set in answer_sets
        ]
    try:
        matched = match(*answer_sets, ties=Ties(pair.first.profile.record.plan.ties))
    except MetricError:
        yield Skipped(where, "no problem was answered by both")
        return
    if (lone := matched.only_before + matched.only_after) and not any(limited(pair)):
        yield f"{where}: problems answered by one of the two only, and left out: {lone}"
    yield _form_comparison(pair, variant, matched, _flips(*answer_sets))


def _form_comparison(
    pair: Pair, variant: Variant, both: Paired, flips: tuple[SchemaFlip, ...]
) -> VariantComparison:
    plan = pair.first.profile.record.plan
    table = compare(
        [METRICS[name] for name in DIFFERENCES],
        both,
        changes=[METRICS[name] for name in CONSISTENCIES],
        resamples=plan.resamples,
        seed=plan.seed,
    )
    return VariantComparison(
        of=pair.other.address(variant.dataset, variant.name),
        against=pair.first.address(variant.dataset, variant.name),
        names=pair.names,
        purpose=variant.purpose,
        problems=len(both.before.problems),
        schemas=len(both.before.schemas),
        differences=table.rows,
        consistency=table.changes,
        flips=flips,
    )


def _flips(before: AnswerSet, after: AnswerSet) -> tuple[SchemaFlip, ...]:
    """Schemas that only one of the two solves, the largest change of margin first."""
    one, other = _solutions(before), _solutions(after)
    found = [
        SchemaFlip(*schema, was.margin, now.margin, now.is_solved)
        for schema, was in one.items()
        if (now := other.get(schema)) is not None and was.is_solved != now.is_solved
    ]
    return tuple(sorted(found, key=lambda one: -abs(one.margin_after - one.margin_before)))


@dataclass(frozen=True, slots=True)
class _Solution:
    """Whether both problems of a schema are solved, and the lesser margin of the two."""

    is_solved: bool
    margin: float


def _solutions(answer_set: AnswerSet) -> dict[tuple[str, tuple[int, int]], _Solution]:
    """What became of the schemas, by their entry and the numbers of their problems."""
    known = answer_set.labelled()
    found = {}
    for pair in known.schemas:
        one, other = sorted((known.answers[at] for at in pair), key=lambda each: each.number)
        margins = [signed_margin(each.outcome) or 0.0 for each in (one, other)]
        is_solved = all(each.outcome.verdict is Verdict.SOLVED for each in (one, other))
        found[one.entry, (one.number, other.number)] = _Solution(is_solved, min(margins))
    return found


def _adjusted(
    variants: Iterable[VariantComparison], family: Adjusted
) -> Iterator[VariantComparison]:
    """The same with their p-values adjusted over all of them."""
    ps = iter(family.ps)
    for variant in variants:
        rows = tuple(replace(row, adjusted_p=next(ps)) for row in variant.differences)
        yield replace(variant, differences=rows)
