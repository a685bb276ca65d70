"""The standard setup: by which method a model answers, settled by its family (4.2.4, 4.5.4).

It is chosen beforehand. Whoever picks a method by looking at its accuracy flatters the model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from horsesense.errors import MetricError

# The most accurate method of each of the thesis' three models. Only the sequence-to-sequence one
# had another on adversarial schemas than on Winograd schemas.
_ON_WINOGRAD: Mapping[str, str] = MappingProxyType(
    {"causal": "smart@1", "masked": "mean-statement", "seq2seq": "mean-prefix"}
)
_ELSEWHERE: Mapping[str, str] = MappingProxyType({**_ON_WINOGRAD, "seq2seq": "mean"})


def standard_method(family: str, is_winograd: bool, available: Sequence[str]) -> str:
    """The method that is standard for a family on such data, or else the first that is available.

    >>> standard_method("seq2seq", True, ["basic", "mean", "mean-prefix"])
    'mean-prefix'
    >>> standard_method("baseline", True, ["choice"])
    'choice'
    """
    if not available:
        raise MetricError(f"no method of a {family} model has scores; there is none to be standard")
    standard = (_ON_WINOGRAD if is_winograd else _ELSEWHERE).get(family, "")
    return standard if standard in available else available[0]
