"""All scoring methods by family and name: ours and those of plug-ins.

A package adds a method through an entry point of the group `horsesense.methods`, whose value is a
`Method`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from horsesense.models import Family, PreferenceObservation
from horsesense.registry import Registry, blame
from horsesense.scoring.causal import CAUSAL_METHODS, COMPAT_METHODS, smart_method
from horsesense.scoring.chat import CHAT_METHODS, find_chat_method, names_protocol
from horsesense.scoring.masked import MASKED_METHODS
from horsesense.scoring.method import Method, Score, for_each
from horsesense.scoring.seq2seq import SEQ2SEQ_METHODS


def choice(observation: PreferenceObservation) -> Score:
    """Return the baseline's own cost as a score.

    >>> choice(PreferenceObservation(0.25))
    Score(cost=0.25, counted=(), divisor=1, extra=0.25)
    """
    return Score(observation.cost, (), extra=observation.cost)


BASELINE_METHODS = (
    Method(
        "choice",
        Family.BASELINE,
        "choice",
        "nothing: the cost is the baseline's own",
        for_each(PreferenceObservation, choice),
    ),
)


_OURS = (
    *CAUSAL_METHODS,
    *COMPAT_METHODS,
    *MASKED_METHODS,
    *SEQ2SEQ_METHODS,
    *CHAT_METHODS,
    *BASELINE_METHODS,
)


def _key(method: Method) -> str:
    """Return the name with the family, as each family has its own `loss`."""
    return f"{method.family}/{method.name}"


def _blaming(method: Method, source: str) -> Method:
    def failing(_: object) -> str:
        return f"the scoring method {method.name!r} of {source} fails"

    return replace(method, function=blame(method.function, failing))


METHODS: Registry[Method] = Registry(
    "scoring method",
    "horsesense.methods",
    Method,
    name_of=_key,
    reserved={f"{method.family}/{alias}" for method in _OURS for alias in method.aliases},
    wrap=_blaming,
)
METHODS.add(*_OURS)
_SMART = re.compile(r"(mean-)?smart@([0-9]{1,9})")


def methods_of(family: Family) -> tuple[Method, ...]:
    """Return the methods of a family in the order of the thesis; of smart ones only limit 1."""
    return tuple(method for method in METHODS.values() if method.family is family)


def find_method(name: str, family: Family) -> Method:
    """Return the method of that name or alias.

    Smart scoring works with every limit, and a protocol of chat models with examples, with
    reasoning, and from a user's own file.

    >>> find_method("mean-all-but-first", Family.CAUSAL).name
    'loss'
    >>> find_method("smart@3", Family.CAUSAL).name
    'smart@3'
    >>> find_method("letter@4+reasoning", Family.CHAT).name
    'letter@4+reasoning'
    """
    for methods in (METHODS.ours, METHODS.plugins):
        for method in methods.values():
            if method.family is family and name in (method.name, *method.aliases):
                return method
    if family is Family.CAUSAL and (match := _SMART.fullmatch(name)):
        return smart_method(int(match[2]), mean=bool(match[1]))
    if family is Family.CHAT and (chat_method := find_chat_method(name)):
        return chat_method
    raise METHODS.unknown(
        name, noun=_noun(name, family), known=[method.name for method in methods_of(family)]
    )


def _noun(name: str, family: Family) -> str:
    """Name the kind that is unknown; it names the family if another family has the method."""
    elsewhere = any(name in (method.name, *method.aliases) for method in METHODS.values())
    if not elsewhere and not _SMART.fullmatch(name) and not names_protocol(name):
        return "scoring method"
    is_baseline = family is Family.BASELINE
    return f"scoring method of {'baselines' if is_baseline else f'{family} models'}"
