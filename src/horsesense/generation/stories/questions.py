"""Questions of what follows from how many: a premise with the key, perhaps another, and a claim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from horsesense.generation.stories.opposites import draw_fitting
from horsesense.generation.theories.counting import Claim, Quantifier, follows


@dataclass(frozen=True, slots=True)
class Question:
    """What is known before the key: of how many things, and what else is given.

    `is_denied` says that the premise with the key is told by a denial, `is_of_others` that the
    claim is about those to which it did not happen.
    """

    total: int
    given: list[Claim]
    is_denied: bool
    is_of_others: bool

    def premises(self, key: Quantifier) -> list[Claim]:
        """The premise with a key, and what else is given."""
        return [Claim(key, is_denied=self.is_denied), *self.given]

    def claim(self, claimed: Quantifier) -> Claim:
        """What is claimed."""
        return Claim(claimed, self.is_of_others)

    def draw_claim(self, rng: Random, key: Quantifier) -> Quantifier | None:
        """What follows with the key, and from no premise alone where there are two."""
        premises = self.premises(key)
        if not self._is_fresh(key):
            return None

        def fits(claimed: Quantifier) -> bool:
            claim = self.claim(claimed)
            is_known = not self.is_of_others and claimed in [one.quantifier for one in premises]
            alone = premises if self.given else []
            return (
                not is_known
                and follows(premises, claim, self.total) is True
                and all(follows([one], claim, self.total) is False for one in alone)
            )

        return draw_fitting(rng, self.total, fits)

    def draw_other(self, rng: Random, claimed: Quantifier) -> Quantifier | None:
        """A key with which the claim does not follow, but may be true."""
        claim = self.claim(claimed)
        opposite = replace(claim, is_denied=True)

        def fits(key: Quantifier) -> bool:
            is_known = not self.is_of_others and key is claimed
            verdicts = (follows(self.premises(key), one, self.total) for one in (claim, opposite))
            return not is_known and all(one is False for one in verdicts) and self._is_fresh(key)

        return draw_fitting(rng, self.total, fits, is_denied=self.is_denied)

    def _is_fresh(self, key: Quantifier) -> bool:
        """Whether the key says what is not given, and does not say all that is."""
        keyed = Claim(key, is_denied=self.is_denied)
        return all(
            follows([one], other, self.total) is False
            for given in self.given
            for one, other in ((given, keyed), (keyed, given))
        )
