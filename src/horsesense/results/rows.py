"""The rows of the tables, and what each of their columns holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, get_type_hints

from horsesense.results.record import (
    DatasetSubject,
    ModelSubject,
    Record,
    ResultKey,
    Skipped,
    Variant,
)
from horsesense.results.tables import Column

# Of every interval; as in horsesense.metrics.statistics, which knows of no results.
LEVEL = 0.95


class Kind(StrEnum):
    """The kinds of estimates."""

    VALUE = "value"  # a metric of the answers under one key
    CHANGE = "change"  # a metric of the answers under two, such as consistency
    DIFFERENCE = "difference"  # a metric under one key minus that under another


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A number with all that it takes to trust it, or the reason why there is none.

    `metric` is a name in the catalogue of metrics. `value` lies in the interval from `low` to
    `high`, found by drawing whole clusters; a share is `count` of `total`. `n_problems` and
    `n_schemas` are what it was measured on, `n_clusters` what was drawn; if schemas are counted,
    only clusters that have one. `n_undecided` counts the undecided ones of these problems.

    A change or a difference is of the answers under `key`, compared with those under `against`, on
    what both have in common: `before` and `after` are the metric under `against` and under `key`.
    Between two variants, the tags of `against` say which problems are in a subset, and so the
    subset of `key` is that of `against` there; a value is of the variant's own tags. Between two
    models, a problem must have the tag for both, as far as they have it for any.

    `p` is that of our own `test`: of a value, against chance; of a difference, against none.
    `thesis_p` is that of the thesis' unpaired test with a known null, for comparison with it.
    `p_adjusted` is `p` adjusted over the `family` of estimates that are read together.
    """

    kind: Kind
    key: ResultKey
    metric: str
    value: float | None
    against: ResultKey | None = None
    low: float | None = None
    high: float | None = None
    count: float | None = None
    total: float | None = None
    n_problems: int = 0
    n_schemas: int = 0
    n_clusters: int = 0
    n_undecided: int = 0
    before: float | None = None
    after: float | None = None
    p: float | None = None
    test: str = ""
    thesis_p: float | None = None
    p_adjusted: float | None = None
    family: str = ""
    reason: str = ""

    @property
    def independent_schemas(self) -> int:
        """How many schemas it was measured on, those that belong together counted once."""
        return min(self.n_schemas, self.n_clusters)


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A problem as a variant poses it: its sentences are the statement with each option filled in.

    `entry` and `number` (from 1) say which problem of which entry it is. `label` is the position of
    the right option, from 0, or None where it is not known.
    """

    dataset: str
    variant: str
    entry: str
    number: int
    statement: str
    options: tuple[str, ...]
    label: int | None
    sentences: tuple[str, ...]

    @property
    def problem_id(self) -> str:
        """The entry and the number, the same in every variant whose problems correspond."""
        return f"{self.entry}.{self.number}"

    @property
    def place(self) -> tuple[str, str, str, int]:
        """The dataset, variant, entry and number, which no other problem has."""
        return self.dataset, self.variant, self.entry, self.number


class ProblemGroup(NamedTuple):
    """What a problem belongs to: a schema, a cluster of entries, and its tags."""

    schema_id: str | None = None
    cluster: str = ""
    tags: tuple[str, ...] = ()


class AnswerRow(NamedTuple):
    """What a model answered to a problem by one method."""

    model: str
    dataset: str
    variant: str
    method: str
    problem_id: str
    entry: str
    number: int
    statement: str | None
    options: tuple[str, ...]
    label: int | None
    label_option: str | None
    choice: int | None
    choice_option: str | None
    correct: bool | None
    margin: float
    costs: tuple[float | None, ...]
    twins: tuple[int, ...]
    tags: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class OptionCount:
    """How often an option was chosen under a key, of the decided problems that offer it.

    `option` is a position, `1`, `2`, …, or a text where few texts are offered, such as `true`.
    """

    key: ResultKey
    option: str
    chosen: int
    offered: int


@dataclass(frozen=True, slots=True)
class TokenCosts:
    """One option of a problem token by token: texts, parts and costs.

    A part is `prefix`, `blank` or `suffix`. A cost is a negative log-probability, None for a token
    that has none.
    """

    model: str
    dataset: str
    variant: str
    entry: str
    number: int
    option: int
    texts: tuple[str, ...]
    parts: tuple[str, ...]
    costs: tuple[float | None, ...]

    @property
    def place(self) -> tuple[str, str, str, int]:
        """The dataset, variant, entry and number of its problem."""
        return self.dataset, self.variant, self.entry, self.number


def _columns(
    row_type: type, meanings: Mapping[str, str], **read: tuple[Any, Callable[[Any], Any]]
) -> tuple[Column, ...]:
    """A column for each meaning: an attribute of the row type, or as `read` has it."""
    hints = get_type_hints(row_type)
    return tuple(
        Column(
            name,
            *((read[name][0], meaning, read[name][1]) if name in read else (hints[name], meaning)),
        )
        for name, meaning in meanings.items()
    )


def option_at(options: tuple[str, ...], at: int | None) -> str | None:
    """The option at a position, if both are known."""
    return options[at] if at is not None and at < len(options) else None


def _against(name: str) -> tuple[Any, Callable[[Any], Any]]:
    of = attrgetter(name)
    return str | None, lambda row: None if row.against is None else of(row.against)


_KEY = {
    "model": "name of the model",
    "dataset": "name of the dataset",
    "variant": "how the dataset was posed: original, a perturbation, a mode, a dyad in a mode",
    "subset": "the problems it is about: all, or an expression such as equal-length",
    "method": "name of the scoring method",
}
_OF_KEY: dict[str, Any] = {name: (str, attrgetter(f"key.{name}")) for name in _KEY}
_PLACE = {
    "entry": "id of the entry, as its author gave it",
    "number": "which problem of the entry, from 1",
}
_PROBLEM_ID = "entry and number, the same in every variant whose problems correspond"
_LABEL = "position of the right option, from 0; empty if unknown"


@cache
def _symbols() -> Mapping[str, str]:
    from horsesense.metrics import METRICS  # with numpy, which takes its time

    return {name: metric.declared.symbol for name, metric in METRICS.items()}


ESTIMATES = _columns(
    Estimate,
    {
        **_KEY,
        "metric": "name of the metric",
        "symbol": "its symbol in the thesis",
        "kind": "value, change (a metric of two keys) or difference (of a metric between them)",
        "value": "the number; empty where it is not defined, see the reason",
        "low": "lower end of the interval",
        "high": "upper end of the interval",
        "level": "level of the interval",
        "count": "of a share, how many",
        "total": "of a share, of how many",
        "n_problems": "problems it was measured on",
        "n_schemas": "schemas it was measured on",
        "n_clusters": "clusters that were drawn",
        "n_undecided": "undecided ones of the problems",
        **{f"against_{name}": f"compared with: {what}" for name, what in _KEY.items()},
        "before": "the metric there, on what both have in common",
        "after": "the metric here, on what both have in common",
        "p": "p-value of the test",
        "test": "which test: of a value against chance, of a difference against none",
        "thesis_p": "p-value of the thesis' unpaired test",
        "p_adjusted": "p adjusted over the family by Holm's method",
        "family": "the estimates that p is adjusted over",
        "reason": "why there is no number, no interval or no p; or a remark",
    },
    **_OF_KEY,
    **{f"against_{name}": _against(name) for name in _KEY},
    kind=(str, lambda row: str(row.kind)),
    symbol=(str, lambda row: _symbols().get(row.metric, "")),
    level=(float | None, lambda row: None if row.low is None else LEVEL),
)


def problem_columns(
    group_of: Callable[[ProblemRow], ProblemGroup], mode_of: Callable[[ProblemRow], str]
) -> tuple[Column, ...]:
    """The columns of problems; the functions say what a row by itself does not tell."""
    return _columns(
        ProblemRow,
        {
            **{name: _KEY[name] for name in ("dataset", "variant")},
            "problem_id": _PROBLEM_ID,
            "schema_id": "the schema it belongs to; empty for a single problem",
            "cluster": "the entries that belong together, which are drawn together",
            "mode": "what is guessed: by answer, by key or by boolean",
            **_PLACE,
            "statement": "the text with a blank",
            "options": "what may fill the blank",
            "sentences": "the statement with each option filled in",
            "label": _LABEL,
            "label_option": "the right option",
            "tags": "what holds of it, whichever model answers",
        },
        problem_id=(str, lambda row: row.problem_id),
        schema_id=(str | None, lambda row: group_of(row).schema_id),
        cluster=(str, lambda row: group_of(row).cluster or row.entry),
        mode=(str, mode_of),
        label_option=(str | None, lambda row: option_at(row.options, row.label)),
        tags=(tuple[str, ...], lambda row: group_of(row).tags),
    )


ANSWERS = _columns(
    AnswerRow,
    {
        **{name: _KEY[name] for name in ("model", "dataset", "variant", "method")},
        "problem_id": _PROBLEM_ID,
        **_PLACE,
        "statement": "the text with a blank; empty where only answers are known",
        "options": "what may fill the blank",
        "label": _LABEL,
        "label_option": "the right option",
        "choice": "position of the option chosen, from 0; empty if undecided or not known",
        "choice_option": "the option chosen",
        "correct": "whether the choice is right; empty if undecided or unlabelled, see the reason",
        "margin": "how much dearer the next option is than the chosen one",
        "costs": "what each option costs",
        "twins": "numbers of the problems of its entry with which it makes a schema",
        "tags": "what holds of it for this model",
        "reason": "undecided (counted as the plan says) or unlabelled, where correct is empty",
    },
)
OPTIONS = _columns(
    OptionCount,
    {
        **_KEY,
        "option": "position of the option from 1, or its text",
        "chosen": "how often it was chosen",
        "offered": "how many decided problems offer it",
        "share": "chosen of offered",
    },
    **_OF_KEY,
    share=(float | None, lambda row: row.chosen / row.offered if row.offered else None),
)
TOKENS = _columns(
    TokenCosts,
    {
        **{name: _KEY[name] for name in ("model", "dataset", "variant")},
        **_PLACE,
        "option": "position of the option, from 0",
        "texts": "the tokens",
        "parts": "of each token: prefix, blank or suffix",
        "costs": "of each token: negative log-probability; empty for none",
    },
)
MODELS = _columns(
    ModelSubject,
    {
        "name": "name in this run",
        "family": "causal, masked, seq2seq or baseline",
        "architecture": "class of the model",
        "parameters": "how many weights it has",
        "dtype": "type of the weights",
        "device": "where it ran",
        "fingerprint": "hash of all that its answers depend on",
        "is_baseline": "whether it is a baseline",
        "methods": "all methods it was scored by",
        "standard": "by dataset, the method that was chosen beforehand",
    },
)
DATASETS = _columns(
    DatasetSubject,
    {
        "name": "name in this run",
        "version": "version in the store; 0 if it is not from one",
        "id": "hash of the content",
        "title": "title",
        "licence": "licence",
        "is_winograd": "whether most of it are Winograd schemas",
        "entries": "how many entries",
        "problems": "how many problems",
        "schemas": "how many schemas",
        "tags": "all tags of its problems",
    },
)
VARIANTS = _columns(
    Variant,
    {
        "dataset": _KEY["dataset"],
        "name": _KEY["variant"],
        "title": "what is done to the dataset",
        "transformation": "name of the transformation",
        "purpose": "consistency test or control",
        "level": "what corresponds to the original: problem or schema",
        "mode": "what is guessed: by answer, by key or by boolean",
        "compared": "the variant that it is compared with",
        "entries": "how many entries",
        "problems": "how many problems",
        "left_out": "how many entries it does not apply to, by the reason",
    },
)
SKIPPED = _columns(
    Skipped,
    {
        "where": "the model, dataset or variant",
        "reason": "why it could not be done",
        "is_named": "whether it was requested by its name",
    },
)
RUN = _columns(
    Record,
    {
        "id": "beginning of the key",
        "key": "hash of all that the numbers depend on",
        "plan": "all that it takes to repeat the run",
        "horsesense": "version of horsesense",
        "program": "hash of its source code",
        "versions": "versions of libraries, models and data",
        "machine": "where it ran",
        "started_at": "when it began, UTC",
        "finished_at": "when it ended, UTC",
        "seconds": "how long it took",
        "queries": "how many queries there were",
        "asked": "how many of them went to a model; the others were in the store",
        "in_memory": "models and data that were given as objects, which no plan names",
    },
)
