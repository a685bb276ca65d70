"""What results are about: models, datasets, their variants, and the keys that name a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from horsesense.schema import Mode, Named

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


# The dataset as it is, solved by answer.
ORIGINAL = "original"
# Every problem of the variant.
ALL = "all"
# What a variant is for: content is preserved, or it is destroyed.
CONSISTENCY_TEST, CONTROL = "consistency test", "control"
# What of a variant corresponds to what it is compared with: its problems, or only its schemas.
PROBLEM_LEVEL, SCHEMA_LEVEL = "problem", "schema"
# What is guessed.
BY_ANSWER, BY_KEY, BY_BOOLEAN = (
    Mode.BY_ANSWER.value,
    Mode.BY_KEY.value,
    Mode.BY_BOOLEAN.value,
)


@dataclass(frozen=True, slots=True, order=True)
class ResultKey:
    """All that a number must name before anybody may quote it.

    `variant` is how the dataset was posed: `original`, a perturbation such as `switched`, a mode
    such as `by-key`, or a dyad in a mode such as `dyadic.by-boolean`. `subset` is an expression
    such as `equal-length` or `not associative`.

    >>> ResultKey("ant", "hs-winograd", method="partial").replace(variant="switched").variant
    'switched'
    """

    model: str
    dataset: str
    variant: str = ORIGINAL
    subset: str = ALL
    method: str = ""

    def replace(self, **changes: str) -> ResultKey:
        """A key that differs from this one in what is given."""
        return replace(self, **changes)

    @property
    def whole(self) -> ResultKey:
        """The key of all answers, of which the subset is a part."""
        return replace(self, subset=ALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSubject:
    """A model or baseline that was evaluated.

    `methods` are all that it was scored by, in the order of the thesis, and `standard` the one of
    them that was chosen beforehand for each dataset, by the dataset's name. `fingerprint` is a hash
    of all that its answers depend on.
    """

    name: str
    family: str
    architecture: str
    parameters: int
    dtype: str
    device: str
    fingerprint: str
    is_baseline: bool
    methods: tuple[str, ...]
    standard: Named[str]

    def method_for(self, dataset: str) -> str:
        """The method that was chosen beforehand for that dataset."""
        return dict(self.standard)[dataset]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSubject:
    """A dataset: `id` is a hash of its content; `is_winograd` where most of it are such schemas.

    `tags` are all that is marked of its problems, of which subsets may be made.
    """

    name: str
    version: int
    id: str
    title: str
    licence: str
    is_winograd: bool
    entries: int
    problems: int
    schemas: int
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A variant of a dataset: what was posed, and what was not.

    `name` is that of keys: `original`, `switched`, `by-key`, `dyadic`, `dyadic.by-key`, ….
    `transformation`, `purpose` (`consistency test`, `control`), `level` (`problem`, `schema`) and
    `title` are empty for the original. `mode` is `by answer`, `by key` or `by boolean`. `compared`
    is the variant that it is compared with: the original, or of dyads in other modes `dyadic`.
    `left_out` counts entries that the transformation does not apply to, by the reason.
    """

    dataset: str
    name: str
    title: str = ""
    transformation: str = ""
    purpose: str = ""
    level: str = ""
    mode: str = BY_ANSWER
    compared: str = ""
    entries: int = 0
    problems: int = 0
    left_out: Named[int] = ()

    @property
    def is_consistency_test(self) -> bool:
        """Whether the content is preserved, so that the same answers are right."""
        return self.purpose == CONSISTENCY_TEST

    @property
    def is_control(self) -> bool:
        """Whether the content is destroyed, so that a lower accuracy is nothing bad."""
        return self.purpose == CONTROL


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something requested that could not be done, and why; `where` is a model, dataset or variant.

    `is_named` if it was requested by its name, and not as one of all that may apply.
    """

    where: str
    reason: str
    is_named: bool = False
