"""The audit: runs every check of a dataset, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from horsesense.audit.artefacts import check_answer_frequency, check_bag_of_words, check_n_grams
from horsesense.audit.balance import check_answer_balance, check_answer_pairs, check_key_length
from horsesense.audit.candidates import check_agreement, check_candidates
from horsesense.audit.controls import CONTROLS, NO_MODEL, ControlModel, check_control
from horsesense.audit.duplicates import (
    check_candidates_repeated,
    check_duplicates,
    check_keys_repeated,
    check_near_duplicates,
    check_words,
)
from horsesense.audit.findings import CheckResult, Checks
from horsesense.audit.overlap import check_overlap
from horsesense.audit.shape import (
    check_blank_position,
    check_connectives,
    check_kinds_and_tags,
    check_readability,
)
from horsesense.errors import UnknownNameError
from horsesense.models import Model
from horsesense.schema import Dataset
from horsesense.store import Store

# Called with the name of the current check and, while a model is queried, the number of answers so
# far and in all.
OnProgress: TypeAlias = Callable[[str, int, int], None]


_Check: TypeAlias = Callable[[Dataset, tuple[Path, ...], ControlModel], CheckResult]


def audit(
    dataset: Dataset,
    *,
    against: Iterable[Path] = (),
    model: Model | None = None,
    store: Store | None = None,
    on_progress: OnProgress = lambda name, done, total: None,
    only: Collection[str] = (),
    no_model: str = NO_MODEL,
) -> Checks:
    """Run all checks of a dataset, or only some, always in the same order.

    Runs of words are looked for in the files `against`. `no_model` is why there is not a model, if
    there is none.
    """
    findings = []
    for name in chosen_checks(only):
        on_progress(name, 0, 0)
        control_model = ControlModel(model, store, partial(on_progress, name), no_model)
        findings.append(_CHECKS[name](dataset, tuple(against), control_model))
    return tuple(findings)


def chosen_checks(names: Collection[str] = ()) -> tuple[str, ...]:
    """The checks with these names, or all of them, in the fixed order.

    >>> chosen_checks(["n-grams", "duplicates"])
    ('duplicates', 'n-grams')
    """
    for name in names:
        if name not in _CHECKS:
            raise UnknownNameError("check", name, _CHECKS)
    return tuple(name for name in _CHECKS if name in names or not names)


def _plain(check: Callable[[Dataset], CheckResult]) -> _Check:
    return lambda dataset, against, control_model: check(dataset)


def _control(name: str) -> _Check:
    return lambda dataset, against, control_model: check_control(dataset, name, control_model)


# What is in it comes first, then what somebody would copy, then what gives answers away.
_CHECKS: MappingProxyType[str, _Check] = MappingProxyType(
    {
        "kinds-and-tags": _plain(check_kinds_and_tags),
        "readability": _plain(check_readability),
        "candidates": _plain(check_candidates),
        "agreement": _plain(check_agreement),
        "duplicates": _plain(check_duplicates),
        "near-duplicates": _plain(check_near_duplicates),
        "overlap": lambda dataset, against, control_model: check_overlap(dataset, against),
        "repeated-words": _plain(check_words),
        "repeated-candidates": _plain(check_candidates_repeated),
        "repeated-keys": _plain(check_keys_repeated),
        "blank-position": _plain(check_blank_position),
        "connectives": _plain(check_connectives),
        "key-length": _plain(check_key_length),
        "answer-pairs": _plain(check_answer_pairs),
        "answer-balance": _plain(check_answer_balance),
        "answer-frequency": _plain(check_answer_frequency),
        "bag-of-words": _plain(check_bag_of_words),
        "n-grams": _plain(check_n_grams),
        **{name: _control(name) for name in CONTROLS},
    }
)
