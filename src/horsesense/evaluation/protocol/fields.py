"""What the fields of a plan may be: the same in a file, among options and in a program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import date
from functools import partial
from typing import Any, ClassVar

from horsesense.errors import HorsesenseError, NotationError, UnknownNameError
from horsesense.evaluation.protocol.methods import check_methods
from horsesense.models import DTYPES, Straddling, check_device
from horsesense.perturbations import find_transformation
from horsesense.results import EVERY, NO_PERTURBATION, Plan
from horsesense.results.plan import LIMITS, TIES
from horsesense.schema.notation import parse_wrapper

# How much of a value is shown.
_SHOWN = 100
# How much of a message.
_LONGEST = 800


class PlanError(HorsesenseError):
    """A plan that cannot be meant; who asks for it has used the program wrongly."""

    exit_code: ClassVar[int] = 2


def check_fields(plan: Plan) -> None:
    """Refuse a plan with a value that cannot be meant."""
    for field in fields(plan):
        check_field(field.name, getattr(plan, field.name))


def check_field(name: str, value: Any) -> None:
    """Refuse what the field of a plan cannot be; None is for nothing."""
    if name in LIMITS and value is not None:
        _check_number(name, value)
    elif name in _CHECKS:
        _CHECKS[name](value)


def shown(value: Any) -> str:
    """A value as Python writes it, or the beginning of that.

    >>> shown([1, "owls"]), len(shown("owls" * 1000))
    ("[1, 'owls']", 101)
    """
    try:
        text = str(value) if isinstance(value, date) else repr(value)
    except ValueError:  # Python does not write numbers of more than some thousand digits
        return "a number of too many digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def shortened(message: str) -> str:
    """A message, or the beginning of it: what is wrong may be as long as the file."""
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


def check_perturbations(names: Sequence[str]) -> None:
    """Refuse names that no transformation has."""
    if NO_PERTURBATION in names and len(names) > 1:
        raise PlanError(f"{NO_PERTURBATION!r} and others cannot both be the perturbations")
    for name in names:
        if name not in (EVERY, NO_PERTURBATION):
            find_transformation(name)


def _check_number(name: str, value: Any) -> None:
    limits = LIMITS[name]
    kinds = int if limits.is_whole else int | float
    is_number = isinstance(value, kinds) and not isinstance(value, bool)
    if not is_number or not limits.least <= value <= limits.most:
        what = "a whole number" if limits.is_whole else "a number"
        raise PlanError(
            f"{name} is {shown(value)}, and should be {what} from {limits.least} to {limits.most}"
        )


def _check_subsets(expressions: Sequence[str]) -> None:
    if not expressions:
        return
    # Here, as it takes numpy, which takes a while to be imported.
    from horsesense.metrics import condition

    for expression in expressions:
        try:
            condition(expression)
        except NotationError as error:
            raise PlanError(f"this is no subset: {error}") from error


def _check_among(known: Iterable[str], kind: str, value: str) -> None:
    if value not in list(known):
        raise UnknownNameError(kind, value, known)


_CHECKS: Mapping[str, Callable[[Any], object]] = {
    "perturbations": check_perturbations,
    "methods": check_methods,
    "subsets": _check_subsets,
    "wrapper": parse_wrapper,
    "ties": partial(_check_among, TIES, "rule for ties"),
    "straddling": partial(_check_among, Straddling, "way to count straddling tokens"),
    "dtype": partial(_check_among, DTYPES, "dtype"),
    "device": check_device,
}
