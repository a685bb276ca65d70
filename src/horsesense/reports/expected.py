"""Consistency that is to be expected of answers that have nothing to do with each other.

Guessing gives equally many solved problems before and after in .375 of the schemas. A model that
solves one problem of nearly every schema gets far more of that without being steady at all. So
what is expected is told by the accuracies that a model has.
"""

from __future__ import annotations

from horsesense.reports.tables.naming import PROBLEM_ACCURACY, SCHEMA_ACCURACY
from horsesense.results import ResultKey, Results

# Rounding may take a share that is nothing a little below it.
_ROUNDING = 1e-9
_CONSISTENCY = "consistency"

Solved = tuple[float, float, float]


def expected(profile: Results, of: ResultKey, against: ResultKey, metric: str) -> float | None:
    """A consistency if answers at both addresses, with their accuracies, were independent.

    None where accuracies do not tell: neither do they of problem consistency with undecided
    problems, which are consistent with nothing there, unlike failed ones.
    """
    problems = profile.difference(of, against, PROBLEM_ACCURACY)
    schemas = profile.difference(of, against, SCHEMA_ACCURACY)
    if problems is None or schemas is None:
        return None
    if problems.n_undecided and metric == _CONSISTENCY:
        return None
    before = _solved(problems.before, schemas.before)
    after = _solved(problems.after, schemas.after)
    if before is None or after is None:
        return None
    return expected_by_chance(metric, before, after)


def expected_by_chance(metric: str, before: Solved, after: Solved) -> float:
    """A consistency if answers before and after were independent.

    Of both are given the shares of schemas with two problems solved, one, and none.

    >>> guessing = (0.25, 0.5, 0.25)
    >>> expected_by_chance("schema-consistency", guessing, guessing)
    0.375
    >>> expected_by_chance("consistency", guessing, guessing)
    0.5
    """
    if metric == "consistent-schema-accuracy":
        return before[0] * after[0]
    if metric == "schema-consistency":
        return sum(old * new for old, new in zip(before, after, strict=True))
    a, a_after = before[0] + before[1] / 2, after[0] + after[1] / 2
    return a * a_after + (1 - a) * (1 - a_after)


def _solved(a: float | None, schemas: float | None) -> Solved | None:
    """The shares of schemas with two, one and no problems solved, by both accuracies.

    None where these do not tell: problems that are in no schema, or in two, count otherwise.
    """
    if a is None or schemas is None:
        return None
    shares = (schemas, 2 * (a - schemas), 1 - 2 * a + schemas)
    return shares if min(shares) > -_ROUNDING else None
