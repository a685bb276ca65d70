"""All scoring methods, and how to find one by its name."""

from __future__ import annotations

import re

from horsesense.errors import UnknownNameError
from horsesense.models.observation import Family
from horsesense.scoring.baseline import BASELINE_METHODS
from horsesense.scoring.causal import CAUSAL_METHODS, smart_method
from horsesense.scoring.compat import COMPAT_METHODS
from horsesense.scoring.masked import MASKED_METHODS
from horsesense.scoring.method import Method
from horsesense.scoring.seq2seq import SEQ2SEQ_METHODS

# Names are unique within a family only: the losses of three families are three methods.
METHODS: tuple[Method, ...] = (
    *CAUSAL_METHODS,
    *COMPAT_METHODS,
    *MASKED_METHODS,
    *SEQ2SEQ_METHODS,
    *BASELINE_METHODS,
)
_SMART = re.compile(r"(mean-)?smart@([0-9]{1,9})")


def methods_of(family: Family) -> tuple[Method, ...]:
    """The methods of a family, in the order of the thesis; of smart scoring, limit 1 alone."""
    return tuple(method for method in METHODS if method.family is family)


def find_method(name: str, family: Family) -> Method:
    """The method of that name or alias; smart scoring is there at every limit.

    >>> find_method("mean-all-but-first", Family.CAUSAL).name
    'loss'
    >>> find_method("smart@3", Family.CAUSAL).name
    'smart@3'
    """
    methods = methods_of(family)
    for method in methods:
        if name in (method.name, *method.aliases):
            return method
    if family is Family.CAUSAL and (found := _SMART.fullmatch(name)):
        return smart_method(int(found[2]), mean=bool(found[1]))
    raise UnknownNameError(_kind(name, family), name, (method.name for method in methods))


def _kind(name: str, family: Family) -> str:
    """What there is none of; the family matters where another one has it."""
    elsewhere = any(name in (method.name, *method.aliases) for method in METHODS)
    if not elsewhere and not _SMART.fullmatch(name):
        return "scoring method"
    is_baseline = family is Family.BASELINE
    return f"scoring method of {'baselines' if is_baseline else f'{family} models'}"
