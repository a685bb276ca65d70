"""Where a number stands: of whom, on what, in which form, among which problems, by which method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

# The dataset as it is, solved by answer.
ORIGINAL = "original"
# Every problem of the form.
ALL = "all"


@dataclass(frozen=True, slots=True, order=True)
class Address:
    """All that a number must name before anybody may quote it.

    `form` is how the dataset was posed: `original`, a perturbation such as `switched`, a mode such
    as `by-key`, or a dyad in a mode such as `dyadic.by-boolean`. `subset` is an expression such as
    `equal-length` or `not associative`.

    >>> Address("ant", "hs-winograd", method="partial").at(form="switched").form
    'switched'
    """

    model: str
    dataset: str
    form: str = ORIGINAL
    subset: str = ALL
    method: str = ""

    def at(self, **changes: Any) -> Address:
        """The address that differs from this one in what is given."""
        return replace(self, **changes)

    @property
    def sheet(self) -> Address:
        """The address of all answers, of which the subset is a part."""
        return replace(self, subset=ALL)
