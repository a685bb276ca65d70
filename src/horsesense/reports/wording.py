"""Numbers as text, and the names and order of variants and scoring methods in tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from horsesense.metrics.statistics import p_cell
from horsesense.results import (
    ALL,
    ORIGINAL,
    Estimate,
    EstimateKind,
    ModelSubject,
    ResultKey,
    Results,
    Variant,
)
from horsesense.results.measuring import chance_is_bound

UNDEFINED = "–"
MINUS = "−"
_HALF_A_PERCENT = 0.005
# All resamples are equal, so there is no interval, which does not mean certainty.
NO_WIDTH = "no width"
_ALIKE = "no CI: all resamples agree"


def share(value: float | None) -> str:
    """A share with three digits, without the zero before the point.

    >>> share(0.6051), share(1.0), share(-0.25), share(None)
    ('.605', '1.000', '−.250', '–')
    """
    return UNDEFINED if value is None else _bare(f"{value:z.3f}")


def signed(value: float | None) -> str:
    """A difference with its sign; exactly 0 has none.

    >>> signed(0.0188), signed(-0.117), signed(0.0), signed(None)
    ('+.019', '−.117', '.000', '–')
    """
    if not value:
        return share(value)
    return _bare(f"{value:+.3f}")


def interval(estimate: Estimate | None, write: Callable[[float], str] | None = None) -> str:
    """The interval of an estimate; with signs for a difference, or as `write` formats its ends."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return UNDEFINED
    if estimate.low == estimate.high:
        return NO_WIDTH
    write = write or (signed if estimate.kind is EstimateKind.DIFFERENCE else share)
    return f"{write(estimate.low)} to {write(estimate.high)}"


def value(estimate: Estimate | None) -> str:
    """Write the value of an estimate that is a share."""
    return UNDEFINED if estimate is None else share(estimate.value)


def difference(estimate: Estimate | None) -> str:
    """Write the value of an estimate that is a difference."""
    return UNDEFINED if estimate is None else signed(estimate.value)


def p(estimate: Estimate | None) -> str:
    """Write the p-value."""
    return UNDEFINED if estimate is None else p_cell(estimate.p)


def adjusted_p(estimate: Estimate | None) -> str:
    """Write the p-value, adjusted over its family."""
    return UNDEFINED if estimate is None else p_cell(estimate.p_adjusted)


def thesis_p(estimate: Estimate | None) -> str:
    """Write the p-value of the thesis' test, which is undefined for a difference of exactly 0."""
    if estimate is None or (estimate.against is not None and estimate.value == 0):
        return UNDEFINED
    return p_cell(estimate.thesis_p)


def percent(value: float | None) -> str:
    """A share in a sentence; what is not quite 0 or 1 is not rounded to it.

    >>> percent(0.131), percent(-0.05), percent(0.001), percent(None)
    ('13 %', '−5 %', '<1 %', '–')
    """
    if value is None:
        return UNDEFINED
    if 0 < value < _HALF_A_PERCENT or 1 - _HALF_A_PERCENT < value < 1:
        return "<1 %" if value < _HALF_A_PERCENT else ">99 %"
    return f"{_minus(f'{100 * value:z.0f}')} %"


def signed_percent(value: float | None) -> str:
    """A relative change, as tables show it.

    >>> signed_percent(0.029), signed_percent(-0.311), signed_percent(0.0)
    ('+2.9 %', '−31.1 %', '0.0 %')
    """
    if not value:
        return UNDEFINED if value is None else "0.0 %"
    return f"{_minus(f'{100 * value:+.1f}')} %"


def percent_interval(estimate: Estimate) -> str:
    """A share in a sentence with its interval, if any, as «13 % (95 % CI 8 to 18 %)»."""
    if estimate.low is None or estimate.high is None:
        return percent(estimate.value)
    if estimate.low == estimate.high:
        return f"{percent(estimate.value)} ({_ALIKE})"
    low, high = percent(estimate.low).removesuffix(" %"), percent(estimate.high)
    return f"{percent(estimate.value)} (95 % CI {low} to {high})"


def points(estimate: Estimate, other: str) -> str:
    """A difference from another in a sentence, in points and with its interval, if any.

    As «−12 points compared with the same schemas unperturbed (95 % CI −19 to −5)».
    """
    if estimate.value is None:
        return f"no comparison with {other} is possible"
    message = f"{_signed_points(estimate.value)} points compared with {other}"
    if estimate.low is None or estimate.high is None:
        return message
    if estimate.low == estimate.high:
        return f"{message} ({_ALIKE})"
    return f"{message} (95 % CI {_signed_points(estimate.low)} to {_signed_points(estimate.high)})"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "schema"), counted(1234, "problem"), counted(2, "entry", "entries")
    ('1 schema', '1,234 problems', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def counted_all(number: int, noun: str) -> str:
    """A noun with the number of all of them.

    >>> counted_all(1, "schema"), counted_all(12, "problem")
    ('the only schema', 'the 12 problems')
    """
    return f"the only {noun}" if number == 1 else f"the {counted(number, noun)}"


def span(numbers: Iterable[int], noun: str) -> str:
    """The range of the numbers, with the noun.

    >>> span([266, 140, 266], "problem"), span([1], "schema")
    ('140 to 266 problems', '1 schema')
    """
    least, most = min(listed := list(numbers)), max(listed)
    return counted(most, noun) if least == most else f"{least:,} to {counted(most, noun)}"


def listed(texts: Iterable[str]) -> str:
    """Several texts joined for a sentence; empty if there are none.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', '')
    """
    *others, last = list(texts) or [""]
    return f"{', '.join(others)} and {last}" if others else last


def _signed_points(value: float) -> str:
    """A difference in points with its sign; what rounds to 0 has none."""
    written = f"{100 * value:z.0f}"
    return _minus(written if written == "0" or value < 0 else f"+{written}")


def _bare(number: str) -> str:
    """A number without the zero before the point, and with a minus that is one."""
    sign, digits = (number[0], number[1:]) if number[0] in "+-" else ("", number)
    return _minus(sign) + digits.removeprefix("0")


def _minus(text: str) -> str:
    return text.replace("-", MINUS)


# The metrics that most tables show.
PROBLEM_ACCURACY, SCHEMA_ACCURACY = "problem-accuracy", "schema-accuracy"
SYMBOLS = {PROBLEM_ACCURACY: "a", SCHEMA_ACCURACY: "A"}
CHANCE = {PROBLEM_ACCURACY: 0.5, SCHEMA_ACCURACY: 0.25}
# Answers of any length, and those of equal length.
LENGTHS = {"any": ALL, "equal": "equal-length"}
ASSOCIATIVE, NOT_ASSOCIATIVE = "associative", "not associative"
INVERTED = "by-key"
DYADIC = "dyadic"

# The thesis' order of rows, in Tables 4.16 and 4.20, and in 4.3, 4.7 and 4.11.
_FORMS = (ORIGINAL, "switched", "adjectival", "unbalanced", INVERTED)
_CONTROLS = ("no-candidate", "part-sent", "local-context")
_METHODS = {
    "causal": ("smart", "partial", "all-but-first", "full", "normalized-full"),
    "masked": ("statement", "multi-mask", "answer"),
    "seq2seq": ("mean-prefix", "prefix", "mean", "basic", "prefix-loss", "loss"),
    "chat": ("letter", "word", "cloze", "judge"),
}
# The sum of which the loss is the mean, by family.
_LOSSES = {"causal": "all-but-first", "masked": "multi-mask"}
_SMART = "smart@"
_CHAT = "chat"


@dataclass(frozen=True, slots=True)
class MethodName:
    """A scoring method as shown in a row: its name, and whether it takes the mean.

    `mean` is empty for a method that is neither a sum nor the mean of one. A method that `is_loss`
    is the loss that the model was trained by.
    """

    scoring: str
    mean: str = ""
    is_loss: bool = False


def baselines(results: Results) -> tuple[ModelSubject, ...]:
    """The baselines that are shown next to the evaluated models."""
    return tuple(model for model in results.models if model not in results.evaluated)


def consistency_variants(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The perturbations that preserve content, without dyads, in the order of the thesis."""
    variants = [
        variant
        for variant in results.variants_of(dataset)
        if variant.is_consistency_test and variant.compared == ORIGINAL
    ]
    return tuple(sorted(variants, key=lambda variant: _position(variant.name, _FORMS)))


def controls(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The perturbations that destroy content, the no-candidate one first."""
    variants = [variant for variant in results.variants_of(dataset) if variant.is_control]
    return tuple(sorted(variants, key=lambda variant: _position(variant.name, _CONTROLS)))


def dyads(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The dyads in each mode."""
    return tuple(
        variant
        for variant in results.variants_of(dataset)
        if variant.name.partition(".")[0] == DYADIC
    )


def standard(model: ModelSubject, dataset: str) -> ResultKey:
    """The key of the results with the standard method, on all problems of the original."""
    return ResultKey(model.name, dataset, method=dict(model.standard).get(dataset, ""))


def is_bound_of_guessing(results: Results, estimate: Estimate | None) -> bool:
    """True if chance is only the most that guessing gives, as to a chat model in both orders.

    Then what is above chance is better than guessing, and what is below it may be, too.
    """
    if estimate is None:
        return False
    family = next((each.family for each in results.models if each.name == estimate.key.model), "")
    return chance_is_bound(family, results.record.plan.ties, estimate.n_undecided)


# What guessing gives if a problem is decided only where both orders agree: 1/4, 1/16 and 1/2, and
# for sentences that are judged one by one 1/16, 1/256 and 7/8.
GUESSING_IN_BOTH_ORDERS = (
    "guessing anew at each question about two options solves 25 % of the problems and 6 % of the"
    " schemas and leaves 50 % of the problems undecided (judge: 6 %, <1 % and 88 %); guessing alike"
    " in both orders solves 50 % and 25 %"
)


def table_name(*parts: str) -> str:
    """A name of letters, digits and hyphens, as labels and anchors take it.

    >>> table_name("accuracy", "hs-winograd", "gpt2/large_1")
    'accuracy-hs-winograd-gpt2-large-1'
    """
    return re.sub(r"[^a-z0-9]+", "-", "-".join(parts).lower()).strip("-")


def variant_label(variant: str) -> str:
    """The label of a variant in tables: the thesis calls by-key inverted.

    >>> variant_label("by-key"), variant_label("switched")
    ('inverted (by-key)', 'switched')
    """
    return f"inverted ({variant})" if variant == INVERTED else variant


def methods_in_order(model: ModelSubject) -> tuple[str, ...]:
    """The methods of a model as the thesis' tables have them; others follow."""
    order = _METHODS.get(model.family, ())
    return tuple(sorted(model.methods, key=lambda method: _row(method, model.family, order)))


def method_name(method: str, family: str) -> MethodName:
    """Describe a method as tables show it.

    >>> method_name("letter@4+reasoning", "chat")
    MethodName(scoring='letter, 4 examples, with reasoning', mean='', is_loss=False)
    >>> method_name("mean-smart@1", "causal")
    MethodName(scoring='smart scoring at limit 1', mean='yes', is_loss=False)
    >>> method_name("loss", "masked")
    MethodName(scoring='multi-mask scoring', mean='yes', is_loss=True)
    >>> method_name("prefix-loss", "seq2seq")
    MethodName(scoring='prefix loss', mean='', is_loss=True)
    """
    if family == _CHAT:
        return MethodName(_protocol_name(method))
    if family not in _LOSSES:
        return MethodName(method.replace("-", " "), is_loss=method.endswith("loss"))
    base = _base(method, family)
    if base not in _METHODS[family] and not base.startswith(_SMART):
        return MethodName(method)
    limit = f" at limit {base.removeprefix(_SMART)}" if base.startswith(_SMART) else ""
    scoring = f"{base.partition('@')[0].replace('-', ' ') if limit else base} scoring{limit}"
    return MethodName(
        scoring.replace("normalized-full", "normalized full"),
        "no" if base == method else "yes",
        method == "loss",
    )


def _protocol_name(method: str) -> str:
    """Name a protocol with its number of examples, and say if it asks for reasoning."""
    protocol, _, reasoning = method.partition("+")
    name, _, examples = protocol.partition("@")
    number = f", {counted(int(examples), 'example')}" if examples.isdecimal() else ""
    return f"{name if number else protocol}{number}{', with reasoning' if reasoning else ''}"


def _base(method: str, family: str) -> str:
    """The sum of which a method is the mean, or itself."""
    return _LOSSES[family] if method == "loss" else method.removeprefix("mean-")


def _row(method: str, family: str, order: tuple[str, ...]) -> tuple[int, bool]:
    """The position of a method: by its sum, with the mean after the sum."""
    if family not in _LOSSES:
        name = re.split(r"[@+]", method)[0] if family == _CHAT else method
        return _position(name, order), name != method
    base = _base(method, family)
    return _position(base.partition("@")[0], order), base != method


def _position(name: str, order: Iterable[str]) -> int:
    listed = tuple(order)
    return listed.index(name) if name in listed else len(listed)
