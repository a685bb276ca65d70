"""Scoring methods of sequence-to-sequence models: masked scoring and its parameters (thesis 3.1.3).

The model scores a label: each phrase after the sentinel that stands for its blank. Sentinels
always count. The mean, the task prefix and EOS are parameters (3.29). The thesis names six of their
eight combinations; the two means among them that are not called a loss leave EOS out.
"""

from __future__ import annotations

from functools import partial as bound

from horsesense.models import Family, Label, LabelPart, QueryKind, SpansObservation
from horsesense.scoring.method import NO_BLANK, Method, Score, Undefined, add_up, for_each

# A label ends with an extra sentinel, so the label for a single blank has two.
_FEWEST_SENTINELS = 2


def masked(
    observation: SpansObservation, *, mean: bool = False, prefix: bool = False, eos: bool = True
) -> Score | Undefined:
    """Add up the tokens of the label (3.28), or take their mean (3.27), as in (3.29)."""
    label = observation.prefixed if prefix else observation.plain
    if label.parts.count(LabelPart.SENTINEL) < _FEWEST_SENTINELS:
        return Undefined(NO_BLANK)
    counted = _counted(label, eos=eos)
    return add_up(label.log_probs, counted, divisor=len(counted) if mean else 1)


def _counted(label: Label, *, eos: bool) -> tuple[int, ...]:
    return tuple(at for at, part in enumerate(label.parts) if eos or part is not LabelPart.EOS)


def _method(name: str, equation: str, *, mean: bool, prefix: bool, eos: bool) -> Method:
    return Method(
        name,
        Family.SEQ2SEQ,
        f"{'mean ' if mean else ''}masked, {'task prefix' if prefix else 'no task prefix'}, "
        f"{'EOS' if eos else 'no EOS'}",
        f"the tokens of the label, sentinels and {'EOS' if eos else 'not EOS'}"
        f"{', after the task prefix' if prefix else ''}",
        for_each(SpansObservation, bound(masked, mean=mean, prefix=prefix, eos=eos)),
        divides_by="the tokens added up" if mean else "",
        equation=equation,
        needs=frozenset({QueryKind.SPANS}),
    )


SEQ2SEQ_METHODS = (
    _method("basic", "3.28", mean=False, prefix=False, eos=True),
    _method("mean", "3.29", mean=True, prefix=False, eos=False),
    _method("prefix", "3.29", mean=False, prefix=True, eos=True),
    _method("mean-prefix", "3.29", mean=True, prefix=True, eos=False),
    _method("loss", "3.27", mean=True, prefix=False, eos=True),
    _method("prefix-loss", "3.29", mean=True, prefix=True, eos=True),
    _method("without-eos", "3.29", mean=False, prefix=False, eos=False),
    _method("prefix-without-eos", "3.29", mean=False, prefix=True, eos=False),
)
