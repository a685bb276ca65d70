"""Plans: all that a user may choose of an evaluation, and all that is needed to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from horsesense.schema import Named

# Of perturbations and methods: every one that applies.
EVERY = "all"
# Of perturbations: none.
NO_PERTURBATION = "none"
# Of methods: the one that is standard for the family and the kind of data, and no other.
STANDARD = "standard"
# As horsesense.metrics.Ties, which takes a while to be imported.
TIES = ("failed", "half")


@dataclass(frozen=True, slots=True)
class Limits:
    """The least and the most that a number may be."""

    least: float
    most: float
    is_whole: bool = True


# Of the numbers in a plan.
LIMITS: Mapping[str, Limits] = {
    "limit": Limits(1, 2**31 - 1),
    "seed": Limits(0, 2**63 - 1),
    "resamples": Limits(1, 10_000_000),
    "batch": Limits(1, 2**31 - 1),
    "memory": Limits(0.01, 10_000, is_whole=False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be evaluated, on what, and how.

    `perturbations` are names of transformations, or `all` that apply, or `none`; `methods` names of
    scoring methods, or `all`, or `standard`. `subsets` are expressions, besides all problems,
    answers of equal length, and the associative problems where a dataset has any marked. `limit`
    uses only the first N schemas and single problems of each dataset. `batch` is how many tokens
    go through a model at once, None for what suits the machine; `memory` is in GiB. To keep going
    is to leave out problems that a model cannot read.
    """

    models: tuple[str, ...]
    data: tuple[str, ...]
    perturbations: tuple[str, ...] = (EVERY,)
    methods: tuple[str, ...] = (EVERY,)
    subsets: tuple[str, ...] = ()
    wrapper: str = "true"
    limit: int | None = None
    seed: int = 0
    resamples: int = 10_000
    ties: str = "failed"
    straddling: str = "suffix"
    frequencies: str | None = None
    dtype: str = "float32"
    device: str = "cpu"
    batch: int | None = None
    memory: float = 1.0
    allow_pickle: bool = False
    keep_going: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A run: its plan, what it was made with and of, when and where.

    `key` is a hash of all that its numbers depend on, and `id` the beginning of it: the same plan
    on the same data with the same program is the same run. `program` is a hash of the source code
    of horsesense. `asked` of the `queries` were put to models, the others were in the store.
    `in_memory` are the models and data that were given as they were: no plan names these.
    """

    id: str
    key: str
    plan: Plan
    horsesense: str
    program: str
    versions: Named[str]
    machine: Named[str]
    started_at: str
    finished_at: str
    seconds: float
    queries: int
    asked: int
    in_memory: tuple[str, ...] = ()

    @property
    def is_repeatable(self) -> bool:
        """Whether its plan names all that it takes to do it again."""
        return not self.in_memory
