"""Is the true share what somebody believes it to be? (thesis 3.8.1)

Both tests are for shares of independent units, such as schemas, and against a share that is known
beforehand, such as chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.statistics.arguments import within
from horsesense.metrics.statistics.interval import Counted, whole
from horsesense.scoring.outcome import Share

# The χ² distribution is too rough an approximation where fewer are expected.
FEWEST_EXPECTED = 5
# Outcomes whose probabilities differ by less than this are equally likely.
_ALIKE = 1e-7


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """A test of a hypothesis: its statistic, how likely one as extreme is, and what to mind."""

    method: str
    statistic: float
    p: float
    remark: str = ""


def chi_square(share: Share, expected: float) -> HypothesisTest:
    """The thesis' test of a share against an expected one (3.95), with one degree of freedom.

    >>> tested = chi_square(Share(60, 100), 0.5)  # 10²/50 + 10²/50
    >>> tested.statistic, round(tested.p, 4)
    (4.0, 0.0455)
    """
    from scipy.special import chdtrc

    counted = whole(share)
    if not 0 < expected < 1:
        raise MetricError(
            f"an expected share of {expected:g}; χ² needs one between 0 and 1, the exact test not"
        )
    solved, failed = expected * counted.total, (1 - expected) * counted.total
    distance = (counted.count - solved) ** 2
    statistic = distance / solved + distance / failed
    fewest = min(solved, failed)
    remark = (
        f"an expected count of {fewest:.1f}, below {FEWEST_EXPECTED}; rather take the exact test"
        if fewest < FEWEST_EXPECTED
        else ""
    )
    return HypothesisTest("χ²", statistic, float(chdtrc(1, statistic)), remark)


def exact_binomial(share: Share, expected: float) -> HypothesisTest:
    """The exact binomial test: how likely are counts no likelier than the one observed?

    Its statistic is the count.

    >>> tested = exact_binomial(Share(0, 3), 0.5)  # none or all: 2/8
    >>> tested.statistic, round(tested.p, 4)
    (0, 0.25)
    """
    counted, chance = whole(share), within(expected, "an expected share")
    return HypothesisTest("exact binomial", counted.count, _as_unlikely(counted, chance))


def _as_unlikely(counted: Counted, expected: float) -> float:
    from scipy.special import gammaln, xlog1py, xlogy

    counts = np.arange(counted.total + 1)
    ways = gammaln(counted.total + 1) - gammaln(counts + 1) - gammaln(counted.total - counts + 1)
    chances = xlogy(counts, expected) + xlog1py(counted.total - counts, -expected)
    probabilities = np.exp(ways + chances)
    no_likelier = probabilities <= probabilities[counted.count] * (1 + _ALIKE)
    # Their sum is 1 but for rounding, most of which this takes out.
    return float(probabilities[no_likelier].sum() / probabilities.sum())
