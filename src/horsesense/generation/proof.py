"""A proof: whether a statement holds, and the steps that show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether something holds, by steps that a reader can follow; each is a clause of English.

    >>> Proof(True, ("9 is more than 6", "6 is more than 2")).text
    '9 is more than 6; 6 is more than 2'
    """

    holds: bool
    steps: tuple[str, ...]

    @property
    def text(self) -> str:
        """The steps on one line."""
        return "; ".join(self.steps)

    def denied(self) -> Proof:
        """The proof that the opposite holds, or does not: by the same steps."""
        return Proof(not self.holds, self.steps)
