"""Which controls and perturbations tell something, and what of schema accuracy survives there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports.tables.naming import (
    CHANCE,
    SCHEMA_ACCURACY,
    consistency_forms,
    controls,
)
from horsesense.results import SCHEMA_LEVEL, Estimate, ResultKey, Results, Variant

# A loss of schema accuracy that is surely smaller than this is none that matters.
MARGIN = 0.1


class Survival(StrEnum):
    """What becomes of schema accuracy on a perturbation that should not matter."""

    LOST = "lost"
    KEPT = "kept"
    UNKNOWN = "cannot be told"


@dataclass(frozen=True, slots=True)
class Compared:
    """Schema accuracy in a form, and how it differs from that in the original."""

    form: Variant
    value: Estimate
    difference: Estimate

    @property
    def has_enough(self) -> bool:
        """Whether both were measured on enough schemas."""
        return all(is_enough(one) for one in (self.value, self.difference))

    @property
    def is_lower(self) -> bool:
        """Whether the whole interval of the difference is below 0."""
        return self.difference.high is not None and self.difference.high < 0

    @property
    def survival(self) -> Survival:
        """Lost in part, kept but for a margin and above chance, or neither can be told."""
        if not self.has_enough:
            return Survival.UNKNOWN
        if self.is_lower:
            return Survival.LOST
        is_near = is_above(self.difference, -MARGIN)
        return Survival.KEPT if is_near and is_beyond_chance(self.value) else Survival.UNKNOWN


def compared_controls(profile: Results, at: ResultKey) -> tuple[Compared, ...]:
    """The controls that were measured: no-candidate, part-sent, local-context, others."""
    return tuple(_compared(profile, at, controls(profile, at.dataset)))


def compared_perturbations(profile: Results, at: ResultKey) -> tuple[Compared, ...]:
    """The perturbations that were measured and should not matter."""
    return tuple(_compared(profile, at, perturbations(profile, at.dataset)))


def compared_other_questions(profile: Results, at: ResultKey) -> tuple[Compared, ...]:
    """The forms that were measured and ask for something else."""
    return tuple(_compared(profile, at, other_questions(profile, at.dataset)))


def perturbations(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """The perturbations of which each problem says the same as before, and so should not matter."""
    forms = consistency_forms(profile, dataset)
    return tuple(one for one in forms if one.level != SCHEMA_LEVEL)


def other_questions(profile: Results, dataset: str) -> tuple[Variant, ...]:
    """Forms that ask for something else of the same schemas, by key or zero-shot.

    Whether answers should be the same there is left open by the thesis (4.3).
    """
    forms = consistency_forms(profile, dataset)
    return tuple(one for one in forms if one.level == SCHEMA_LEVEL)


def is_enough(one: Estimate) -> bool:
    """Whether there are enough schemas to conclude something, and there is an interval.

    Schemas that hang together, such as the two of a dyad, count once. This is the one rule for
    whatever is said of schemas.
    """
    return one.independent_schemas >= FEW_SCHEMAS and one.low is not None


def is_above(one: Estimate | None, bound: float) -> bool:
    """Whether the whole interval is."""
    return one is not None and one.low is not None and one.low > bound


def is_below_chance(one: Estimate | None) -> bool:
    """Whether the whole interval of an accuracy is below what guessing gives."""
    return one is not None and one.high is not None and one.high < CHANCE[one.metric]


def is_beyond_chance(one: Estimate | None) -> bool:
    """Whether the whole interval of an accuracy is above what guessing gives."""
    return one is not None and is_above(one, CHANCE[one.metric])


def _compared(profile: Results, at: ResultKey, forms: tuple[Variant, ...]) -> Iterator[Compared]:
    for form in forms:
        of = at.replace(variant=form.name)
        value = profile.value(of, SCHEMA_ACCURACY)
        difference = profile.difference(of, at, SCHEMA_ACCURACY)
        if value is not None and difference is not None:
            yield Compared(form, value, difference)
