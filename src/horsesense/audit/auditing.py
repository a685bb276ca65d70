"""The audit: every check of a dataset, in a fixed order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from horsesense.audit.agreement import check_agreement
from horsesense.audit.artefacts import check_answer_frequency, check_bag_of_words, check_n_grams
from horsesense.audit.balance import check_answer_balance
from horsesense.audit.candidates import check_candidates
from horsesense.audit.checked import Checked, Checks
from horsesense.audit.controls import CONTROLS, NO_MODEL, Asked, check_control
from horsesense.audit.duplicates import check_duplicates, check_near_duplicates
from horsesense.audit.overlap import check_overlap
from horsesense.audit.phrases import check_answer_pairs, check_key_length
from horsesense.audit.readability import check_readability
from horsesense.audit.repetition import check_candidates_repeated, check_keys_repeated, check_words
from horsesense.audit.shape import check_blank_position, check_connectives, check_kinds_and_tags
from horsesense.audit.subject import Subject, subject
from horsesense.errors import UnknownNameError
from horsesense.models import Model
from horsesense.schema import Dataset
from horsesense.store import Store

# Told which check is being made, and where a model is asked how many of how many answers there are.
OnProgress: TypeAlias = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class _Means:
    """What checks are made with, besides the dataset."""

    against: tuple[Path, ...]
    asked: Asked


_Check: TypeAlias = Callable[[Subject, _Means], Checked]


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
    """Make all checks of a dataset, or only some; the order is always the same.

    Runs of words are looked for in the files `against`. `no_model` is why there is no model, if
    there is none.
    """
    found = []
    audited = subject(dataset)
    for name in chosen_checks(only):
        on_progress(name, 0, 0)
        asked = Asked(model, store, partial(on_progress, name), no_model)
        found.append(_CHECKS[name](audited, _Means(tuple(against), asked)))
    return tuple(found)


def chosen_checks(names: Collection[str] = ()) -> tuple[str, ...]:
    """The checks of these names, or all, in their order.

    >>> chosen_checks(["n-grams", "duplicates"])
    ('duplicates', 'n-grams')
    """
    for name in names:
        if name not in _CHECKS:
            raise UnknownNameError("check", name, _CHECKS)
    return tuple(name for name in _CHECKS if name in names or not names)


def _plain(check: Callable[[Subject], Checked]) -> _Check:
    return lambda subject, means: check(subject)


def _control(name: str) -> _Check:
    return lambda subject, means: check_control(subject, name, means.asked)


# What is in it comes first, then what somebody would copy, then what gives answers away.
_CHECKS: MappingProxyType[str, _Check] = MappingProxyType(
    {
        "kinds-and-tags": _plain(check_kinds_and_tags),
        "readability": _plain(check_readability),
        "candidates": _plain(check_candidates),
        "agreement": _plain(check_agreement),
        "duplicates": _plain(check_duplicates),
        "near-duplicates": _plain(check_near_duplicates),
        "overlap": lambda subject, means: check_overlap(subject, means.against),
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
