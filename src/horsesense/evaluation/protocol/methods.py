"""Which scoring methods a model is scored by, as its family and the plan have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from horsesense.errors import UnknownNameError
from horsesense.models import Family, ModelInfo
from horsesense.results import EVERY, STANDARD, DatasetSubject, Plan, Skipped
from horsesense.scoring import METHODS, Method, find_method, methods_of


def check_methods(names: Iterable[str]) -> None:
    """Refuse names that no method of any family has."""
    for name in names:
        if name not in (EVERY, STANDARD) and not any(_found(name, family) for family in Family):
            raise UnknownNameError("scoring method", name, {one.name for one in METHODS.values()})


def chosen_methods(
    plan: Plan, info: ModelInfo, datasets: Sequence[DatasetSubject]
) -> tuple[Method, ...]:
    """The methods of the plan that are of the model's family, in its order; a baseline has its own.

    None where the plan names methods of other families only.
    """
    family = info.family
    every = methods_of(family)
    if family is Family.BASELINE or EVERY in plan.methods:
        return every
    chosen: list[Method] = []
    for name in plan.methods:
        if name == STANDARD:
            names = [one.name for one in every]
            standard = (standard_name(family, dataset.is_winograd, names) for dataset in datasets)
            chosen += [find_method(one, family) for one in standard]
        elif (method := _found(name, family)) is not None:
            chosen.append(method)
    return tuple({method.name: method for method in chosen}.values())


def named_methods(plan: Plan, family: Family) -> frozenset[str]:
    """The methods of a family that the plan asks for by their names."""
    found = (_found(name, family) for name in plan.methods if name not in (EVERY, STANDARD))
    return frozenset(method.name for method in found if method is not None)


def without_model(plan: Plan, models: Iterable[ModelInfo]) -> Iterator[Skipped]:
    """Methods that the plan names, and that no model taking part is of the family for."""
    families = {model.family for model in models}
    if EVERY in plan.methods:
        yield from (Skipped("scoring methods", failure) for failure in METHODS.failures)
    for name in plan.methods:
        is_special = name in (EVERY, STANDARD)
        if not is_special and not any(_found(name, family) for family in families):
            reason = "no model that takes part is of a family that has this method"
            yield Skipped(f"method {name}", reason, is_named=True)


def standard_name(family: Family, is_winograd: bool, available: Sequence[str]) -> str:
    """The method that is standard for a family on such data, as far as it is available."""
    # Here, as measuring takes numpy and scipy, which take a while to be imported.
    from horsesense.results.measuring import standard_method

    return standard_method(family, is_winograd, available)


def _found(name: str, family: Family) -> Method | None:
    try:
        return find_method(name, family)
    except UnknownNameError:
        return None
