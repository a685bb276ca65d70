"""The validity ledger: what people have said about every perturbed entry, and when."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from horsesense.perturbations.transformation import Voucher
from horsesense.schema import Entry


class Validity(StrEnum):
    """How far a perturbed entry has been judged."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    EDITED = "edited"  # accepted with other words
    REJECTED = "rejected"


# What enters a perturbation's dataset.
VALID = frozenset({Validity.ACCEPTED, Validity.EDITED})


@dataclass(frozen=True, slots=True)
class Judgement:
    """One line of the ledger: who said what of a perturbed entry, and when (UTC, ISO 8601).

    Where the author's material or a rule vouches for it, `by` says so. `notation` is the wording
    that was judged: as proposed, or as edited.
    """

    entry: str
    validity: Validity
    by: str
    at: str
    notation: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ledgered:
    """A perturbed entry beside its original, with the last word on it.

    `entry` has the wording as it was proposed or, if somebody edited it, as edited.
    """

    original: Entry
    entry: Entry
    how: str
    voucher: Voucher
    judgement: Judgement


def first_validity(voucher: Voucher) -> Validity:
    """What an entry is before anybody has looked at it."""
    return Validity.PROPOSED if voucher is Voucher.NOBODY else Validity.ACCEPTED
