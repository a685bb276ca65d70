"""Choose the scoring methods of a model by its family and the plan."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from horsesense.errors import UnknownNameError
from horsesense.models import Family, ModelInfo
from horsesense.results import EVERY, STANDARD, DatasetSubject, Plan, Skipped
from horsesense.scoring import METHODS, Method, find_method, methods_of
from horsesense.scoring.chat import names_protocol, protocol_of


def check_methods(names: Iterable[str]) -> None:
    """Raise an error for names that are not a scoring method of any family."""
    for name in names:
        if name not in (EVERY, STANDARD) and not any(_find(name, family) for family in Family):
            raise UnknownNameError(
                "scoring method", name, {method.name for method in METHODS.values()}
            )


def chosen_methods(
    plan: Plan, info: ModelInfo, datasets: Sequence[DatasetSubject]
) -> tuple[Method, ...]:
    """Return the plan's methods for the model's family, in order; a baseline has its own.

    Empty if the plan names only methods of other families.
    """
    family = info.family
    every = methods_of(family)
    if family is Family.BASELINE or EVERY in plan.methods:
        return every
    chosen: list[Method] = []
    for name in plan.methods:
        if name == STANDARD:
            names = [method.name for method in every]
            standard = (standard_name(family, dataset.is_winograd, names) for dataset in datasets)
            chosen += [find_method(each, family) for each in standard]
        elif (method := _find(name, family)) is not None:
            chosen.append(method)
    return tuple({method.name: method for method in chosen}.values())


def named_methods(plan: Plan, family: Family) -> frozenset[str]:
    """Return the methods of a family that the plan names."""
    methods = (_find(name, family) for name in plan.methods if name not in (EVERY, STANDARD))
    return frozenset(method.name for method in methods if method is not None)


def without_model(plan: Plan, models: Iterable[ModelInfo]) -> Iterator[Skipped]:
    """Yield methods that the plan names, but that fit no model of the run."""
    families = {model.family for model in models}
    if EVERY in plan.methods:
        yield from (Skipped("scoring methods", failure) for failure in METHODS.failures)
    for name in plan.methods:
        is_special = name in (EVERY, STANDARD)
        if not is_special and not any(_find(name, family) for family in families):
            reason = "no model of the run is of a family that has this method"
            yield Skipped(f"method {name}", reason, is_named=True)


def protocols_of(plan: Plan, models: Iterable[ModelInfo]) -> Iterator[tuple[str, str]]:
    """Yield the protocols by which chat models are asked, each with its version and its hash."""
    if not any(model.family is Family.CHAT for model in models):
        return
    every = [method.name for method in methods_of(Family.CHAT)]
    names = every if EVERY in plan.methods else []
    if STANDARD in plan.methods:
        names = [*names, *(standard_name(Family.CHAT, of, every) for of in (True, False))]
    for name in dict.fromkeys((*names, *plan.methods)):
        if names_protocol(name):
            protocol = protocol_of(name)
            yield f"protocol {name}", f"v{protocol.version} {protocol.hash}"


def standard_name(family: Family, is_winograd: bool, available: Sequence[str]) -> str:
    """Return the standard method of a family on such data, among the available ones."""
    # Imported here, as numpy and scipy take time to import.
    from horsesense.results.measuring import standard_method

    return standard_method(family, is_winograd, available)


def _find(name: str, family: Family) -> Method | None:
    try:
        return find_method(name, family)
    except UnknownNameError:
        return None
