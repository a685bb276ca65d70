"""The plan and record of a run, its models, datasets and variants, and the keys of results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from horsesense.schema import Mode, Named

# For perturbations and methods: all that apply.
EVERY = "all"
# For perturbations: none.
NO_PERTURBATION = "none"
# For methods: only the standard one of the model family for this kind of data.
STANDARD = "standard"
# The values of horsesense.metrics.Ties, which is slow to import.
TIES = ("failed", "half")


@dataclass(frozen=True, slots=True)
class Limits:
    """The range of a number in a plan."""

    least: float
    most: float
    is_whole: bool = True


# The range of each number in a plan.
LIMITS: Mapping[str, Limits] = {
    "sample": Limits(1, 2**31 - 1),
    "first": Limits(1, 2**31 - 1),
    "seed": Limits(0, 2**63 - 1),
    "resamples": Limits(1, 10_000_000),
    "batch": Limits(1, 2**31 - 1),
    "memory": Limits(0.01, 10_000, is_whole=False),
    "concurrency": Limits(1, 1024),
    "timeout": Limits(0.1, 86_400, is_whole=False),
    "retries": Limits(0, 100),
    "max_requests": Limits(0, 2**63 - 1),
    "max_tokens": Limits(0, 2**63 - 1),
    "max_cost": Limits(0, 1e12, is_whole=False),
    "price_input": Limits(0, 1e9, is_whole=False),
    "price_output": Limits(0, 1e9, is_whole=False),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The models to evaluate, the data to use, and all settings.

    `perturbations` are names of transformations, or `all` that apply, or `none`; `methods` names of
    scoring methods, or `all`, or `standard`. `subsets` are expressions, besides all problems,
    answers of equal length, and the associative problems where a dataset has any marked. `sample`
    uses only N schemas and single problems of each dataset, drawn with the seed, and `first` the
    first N; at most one of them is set. `batch` is how many tokens go through a model at once, None
    for what suits the machine; `memory` is in GiB. `keep_going` leaves out problems that a model
    cannot process.

    The others are for models behind a server: `tokenizer` is the folder or name of a model with the
    same tokenizer, if the server's own is not to be used; `concurrency` is the number of requests
    in flight, `timeout` in seconds, `retries` how often a failed request is sent again.
    `max_requests`, `max_tokens` and `max_cost` limit what the run may send, and prices are per
    million tokens.
    """

    models: tuple[str, ...]
    data: tuple[str, ...]
    perturbations: tuple[str, ...] = (EVERY,)
    methods: tuple[str, ...] = (EVERY,)
    subsets: tuple[str, ...] = ()
    wrapper: str = "true"
    sample: int | None = None
    first: int | None = None
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
    tokenizer: str | None = None
    concurrency: int = 8
    timeout: float = 120.0
    retries: int = 6
    max_requests: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None
    price_input: float | None = None
    price_output: float | None = None

    @property
    def extent(self) -> str:
        """Which problems of each dataset it uses, in words."""
        if self.sample is not None:
            return f"{self.sample} schemas and single problems drawn with seed {self.seed}"
        if self.first is not None:
            return f"the first {self.first} schemas and single problems"
        return "all problems"


# What earlier versions called fields of a plan, and their names now.
FORMER_FIELDS: Mapping[str, str] = {"limit": "first"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A run: its plan, the program and versions it used, and when and where it ran.

    `key` is a hash of everything that its numbers depend on, and `id` the beginning of it: the same
    plan on the same data with the same program is the same run. `program` is a hash of the source
    code of horsesense. `asked` counts the `queries` that went to models; the others were in the
    store. Neither counts the canaries, which check that a model is sound. `in_memory` lists models
    and data that were passed as objects, which no plan can name.
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
        """Whether its plan is enough to repeat the run."""
        return not self.in_memory


# The unperturbed dataset, solved by answer.
ORIGINAL = "original"
# The name of a dataset made of schemas that the caller passed.
OWN_SCHEMAS = "own"
# Every problem of the variant.
ALL = "all"
# The purpose of a variant: it preserves the content, or destroys it.
CONSISTENCY_TEST, CONTROL = "consistency test", "control"
# Whether the problems of a variant correspond to those of the original, or only its schemas.
PROBLEM_LEVEL, SCHEMA_LEVEL = "problem", "schema"
# The modes: what is guessed.
BY_ANSWER, BY_KEY, BY_BOOLEAN = (
    Mode.BY_ANSWER.value,
    Mode.BY_KEY.value,
    Mode.BY_BOOLEAN.value,
)


@dataclass(frozen=True, slots=True, order=True)
class ResultKey:
    """The model, dataset, variant, subset and method that a result belongs to.

    `variant` is `original`, a perturbation such as `switched`, a mode
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
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    @property
    def whole(self) -> ResultKey:
        """The same key for all problems instead of a subset."""
        return replace(self, subset=ALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSubject:
    """A model or baseline that was evaluated.

    `methods` are all scoring methods, in the order of the thesis. `standard` is the method chosen
    beforehand for each dataset, by the dataset's name. `fingerprint` is a hash of everything its
    answers depend on. `server` is the kind and version of the server that the model is behind, and
    whose weights cannot be hashed; it is empty for a model on this machine.
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
    server: str = ""

    def method_for(self, dataset: str) -> str:
        """Return the method that was chosen beforehand for a dataset."""
        return dict(self.standard)[dataset]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetSubject:
    """A dataset that was evaluated.

    `id` is a hash of its content. `is_winograd` is true if most of its schemas are Winograd
    schemas. `tags` are all tags of its problems, which subsets can refer to.
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
    """A variant of a dataset: the original, a perturbation, a mode, or a dyad in a mode.

    `name` is the one in keys: `original`, `switched`, `by-key`, `dyadic`, `dyadic.by-key`, ….
    `transformation`, `purpose` (`consistency test`, `control`), `level` (`problem`, `schema`) and
    `title` are empty for the original. `mode` is `by answer`, `by key` or `by boolean`. `compared`
    is the variant that it is compared with: the original, or `dyadic` for dyads in other modes.
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
        """Whether the variant preserves the content, so that the same answers are right."""
        return self.purpose == CONSISTENCY_TEST

    @property
    def is_control(self) -> bool:
        """Whether the variant destroys the content, so that a lower accuracy is expected."""
        return self.purpose == CONTROL


# Appended to the name of a model in `Skipped.where` if it prefers scrambled sentences to plain ones
# about as often as not, so that none of its results can be trusted.
CANARIES = "canaries"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something requested that could not be done; `where` is a model, dataset or variant.

    `is_named` is true if it was requested by name, not as part of `all`.
    """

    where: str
    reason: str
    is_named: bool = False
