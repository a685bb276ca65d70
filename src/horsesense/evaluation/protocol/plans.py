"""Check plans, and read and write them as YAML; errors name the file and the line."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import date
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from horsesense.datasets.builtin import BUILT_IN
from horsesense.errors import FileError, HorsesenseError, NotationError, UnknownNameError
from horsesense.evaluation.protocol.methods import check_methods
from horsesense.models import (
    CHAT,
    DTYPES,
    EMBEDDED,
    Straddling,
    check_device,
    check_prices,
    is_baseline,
    shown_name,
)
from horsesense.perturbations import find_transformation
from horsesense.results import EVERY, NO_PERTURBATION, Plan
from horsesense.results.record import FORMER_FIELDS, LIMITS, TIES, Limits
from horsesense.schema.notation import parse_wrapper

if TYPE_CHECKING:
    from horsesense.evaluation.protocol.plan_yaml import PlanNodes

# The longest value in a message.
_SHOWN = 100
# The longest message.
_LONGEST = 800


# The error for a plan that requests two subsets of the data.
TWO_SUBSETS = (
    "sample draws schemas at random, and first takes the first ones; a plan can have only one of"
    " them"
)


class PlanError(HorsesenseError):
    """A plan with an invalid value; the exit code is that of wrong usage."""

    exit_code: ClassVar[int] = 2


def check_fields(plan: Plan) -> None:
    """Raise an error if a field of the plan has an invalid value."""
    for field in fields(plan):
        check_field(field.name, getattr(plan, field.name))
    if plan.sample is not None and plan.first is not None:
        raise PlanError(TWO_SUBSETS)
    check_prices(plan.max_cost, plan.price_input, plan.price_output)


def check_field(name: str, value: Any) -> None:
    """Raise an error if the value of a field is invalid; None means that it is not set."""
    if name in LIMITS and value is not None:
        check_number(name, value, LIMITS[name])
    elif name in _CHECKS:
        _CHECKS[name](value)


def shown(value: Any) -> str:
    """Return a value as Python writes it, shortened if it is long.

    >>> shown([1, "owls"]), len(shown("owls" * 1000))
    ("[1, 'owls']", 101)
    """
    try:
        text = str(value) if isinstance(value, date) else repr(value)
    except ValueError:  # Python does not write numbers of more than some thousand digits
        return "a number with too many digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def shortened(message: str) -> str:
    """Return a message, shortened if it is long; it may quote a whole file."""
    return message if len(message) <= _LONGEST else f"{message[:_LONGEST]}…"


def check_perturbations(names: Sequence[str]) -> None:
    """Raise an error for names of unknown transformations."""
    if NO_PERTURBATION in names and len(names) > 1:
        raise PlanError(f"{NO_PERTURBATION!r} cannot be combined with other perturbations")
    for name in names:
        if name not in (EVERY, NO_PERTURBATION):
            find_transformation(name)


def check_number(name: str, value: Any, limits: Limits) -> None:
    """Raise an error, in which the value has that name, if it is not a number in the range."""
    kinds = int if limits.is_whole else int | float
    is_number = isinstance(value, kinds) and not isinstance(value, bool)
    if not is_number or not limits.least <= value <= limits.most:
        what = "a whole number" if limits.is_whole else "a number"
        raise PlanError(
            f"{name} is {shown(value)}, but must be {what} from {limits.least} to {limits.most}"
        )


def _check_subsets(expressions: Sequence[str]) -> None:
    if not expressions:
        return
    # Imported here, as numpy takes time to import.
    from horsesense.metrics import condition

    for expression in expressions:
        try:
            condition(expression)
        except NotationError as error:
            raise PlanError(f"invalid subset: {error}") from error


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


def with_chat_models(models: Iterable[str]) -> tuple[str, ...]:
    """Return the models, each one on this machine followed by itself as a chat model.

    >>> with_chat_models(["gpt2", "longer", "vllm:ant@http://127.0.0.1:8000"])
    ('gpt2', 'chat:gpt2', 'longer', 'vllm:ant@http://127.0.0.1:8000')
    """
    names: list[str] = []
    for name in models:
        names.append(name)
        is_local = shown_name(name) == name and not name.startswith(CHAT)
        if is_local and not is_baseline(name):
            names.append(f"{CHAT}{name}")
    return tuple(dict.fromkeys(names))


# The defaults of models and data.
DEFAULT_MODELS = (EMBEDDED,)
DEFAULT_DATA = tuple(sorted(BUILT_IN, reverse=True))  # Winograd schemas first, as in the thesis
# The words in YAML for None in a plan.
_WORDS = {"batch": "auto"}
# No plan is larger.
_MOST_BYTES = 64 * 2**10
# No name, path or expression is longer.
_MOST_CHARACTERS = 2_000
_MOST_WHOLE = 10**100
# Control characters, and halves of characters.
_NO_CHARACTERS = frozenset({"Cc", "Cs"})


def plan_from(*values: Mapping[str, Any]) -> Plan:
    """Return the plan with these values; later ones override earlier ones, None does not.

    >>> plan_from({"seed": 1, "first": 9}, {"seed": 2, "first": None}).seed
    2
    """
    chosen: dict[str, Any] = {"models": DEFAULT_MODELS, "data": DEFAULT_DATA}
    for each in values:
        chosen |= {name: value for name, value in each.items() if value not in (None, ())}
    return Plan(**chosen)


def read_plan(path: Path) -> dict[str, Any]:
    """Read the values of a plan from a YAML file, by the names of the fields."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > _MOST_BYTES:
        raise FileError(f"{path}:1: not a plan: it has more than {_MOST_BYTES // 2**10} KiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {data[error.start]:#04x} is not UTF-8; write the plan in UTF-8"
        raise FileError(f"{path}:{line}: not a text file: {message}") from error
    return parse_plan(text.replace("\r\n", "\n"), str(path))


def parse_plan(text: str, source: str = "plan") -> dict[str, Any]:
    """Return the values of a plan in YAML; `limit`, as plans once had it, is `first`.

    >>> parse_plan("models: gpt2\\nsample: 20\\n")
    {'models': ('gpt2',), 'sample': 20}
    """
    # Imported here, as YAML takes time to import.
    from horsesense.evaluation.protocol.plan_yaml import PlanNodes

    return _values(PlanNodes(text, source))


def plan_text(plan: Plan) -> str:
    """Return the plan in YAML, with all fields except empty lists.

    >>> plan_text(plan_from({"models": ("gpt2",)})).splitlines()[0]
    'models: [gpt2]'
    """
    import yaml

    values = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(plan).items()
        if value != ()
    }
    text: str = yaml.safe_dump(
        values, sort_keys=False, allow_unicode=True, default_flow_style=None, width=1000
    )
    return text


def _values(nodes: PlanNodes) -> dict[str, Any]:
    kinds = {field.name: str(field.type) for field in fields(Plan)}
    values: dict[str, Any] = {}
    for name_node, value_node in nodes.pairs:
        place = nodes.place(name_node)
        written = nodes.value(name_node)
        name = FORMER_FIELDS.get(written, written) if isinstance(written, str) else written
        if not isinstance(name, str) or name not in kinds:
            near = _near(name if isinstance(name, str) else "", kinds)
            raise PlanError(f"{place}: a plan has no field {shown(name)}{near}")
        if name in values:
            raise PlanError(f"{place}: {name} occurs twice")
        value = nodes.value(value_node)
        if name in _WORDS and value == _WORDS[name]:
            value = None
        if value is None and "None" not in kinds[name]:
            raise PlanError(f"{place}: {name} has no value; add one, or remove the line")
        values[name] = None if value is None else _value(written, kinds[name], value, place)
        if values.get("sample") is not None and values.get("first") is not None:
            raise PlanError(f"{place}: {TWO_SUBSETS}")
    return values


def _value(name: str, kind: str, value: Any, place: str) -> Any:
    """Convert and check the value of a field, which may have a former name."""
    try:
        converted = _CONVERTERS[kind](value)
    except ValueError as error:
        raise PlanError(f"{place}: {name} is {shown(value)}, but must be {error}") from error
    try:
        check_field(FORMER_FIELDS.get(name, name), converted)
    except HorsesenseError as error:
        raise PlanError(f"{place}: {shortened(str(error))}") from error
    return converted


def _near(name: str, known: Mapping[str, str]) -> str:
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]}?" if near else f" (known: {', '.join(known)})"


def _texts(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    if not listed:
        raise ValueError("a string, or a list of strings that is not empty")
    return tuple(map(_text, listed))


def _text(value: Any) -> str:
    # A number may be the name of a file.
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("a string")
    if isinstance(value, int) and not -_MOST_WHOLE < value < _MOST_WHOLE:
        raise ValueError("a string; put it in quotes if it is one")
    text = str(value)
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a string of at most {_MOST_CHARACTERS:,} characters")
    if any(unicodedata.category(char) in _NO_CHARACTERS for char in text):
        raise ValueError("a string without control characters")
    return text


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("a whole number")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError("a smaller number") from None


def _truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


_CONVERTERS: Mapping[str, Callable[[Any], Any]] = {
    "tuple[str, ...]": _texts,
    "str": _text,
    "str | None": _text,
    "int": _whole,
    "int | None": _whole,
    "float": _number,
    "float | None": _number,
    "bool": _truth,
}
