"""What results are about: models, datasets, their variants, and the keys that name a number."""

from __future__ import annotations

from dataclasses import dataclass, replace

from horsesense.schema import Mode, Named

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
