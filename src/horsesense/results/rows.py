"""The row types of the tables, and the columns of each table with their meanings.

The three main tables are `ESTIMATES`, `ANSWERS` and `problem_columns`. The others hold what these
refer to (models, datasets, variants) or add details (options, tokens, skipped, run).
"""

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

# The level of every interval; equals horsesense.metrics.statistics.LEVEL.
LEVEL = 0.95


class EstimateKind(StrEnum):
    """The kinds of estimates."""

    VALUE = "value"  # a metric of the answers under one key
    CHANGE = "change"  # a metric of the answers under two, such as consistency
    DIFFERENCE = "difference"  # a metric under one key minus that under another


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The value of a metric with its interval and test, or the reason why there is none.

    `metric` is a name in the catalogue of metrics. `low` and `high` are the ends of the bootstrap
    interval, for which whole clusters are resampled. A share is `count` out of `total`.
    `n_problems` and `n_schemas` count what was measured, `n_undecided` the undecided problems among
    them, and `n_clusters` the resampled clusters; for a metric that counts schemas, only clusters
    with a schema.

    A change or a difference compares the answers under `key` with those under `against`, on the
    problems that both have: `before` is the metric under `against`, `after` the one under `key`.
    Between two variants, the tags of `against` define the subset for both sides; a plain value uses
    the variant's own tags. Between two models, a problem is in a subset if it has the tag for both.

    `p` belongs to `test`: of a value against chance, of a difference against zero. `thesis_p` is
    from the thesis' unpaired test with a known null, for comparison. `p_adjusted` is `p` adjusted
    over all estimates of the same `family`.
    """

    kind: EstimateKind
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
        """The number of schemas, counting those of one cluster once."""
        return min(self.n_schemas, self.n_clusters)


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A problem in a variant; its sentences are the statement with each option filled in.

    `entry` and `number` (from 1) identify the problem. `label` is the position of the right option,
    from 0, or None if it is not known.
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
        """The entry and the number; the same in all variants whose problems correspond."""
        return f"{self.entry}.{self.number}"

    @property
    def place(self) -> tuple[str, str, str, int]:
        """The dataset, variant, entry and number, which identify the problem."""
        return self.dataset, self.variant, self.entry, self.number


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyCount:
    """The replies of a chat model to the questions of a method about a variant, counted.

    Each distinct request counts once. `refused`, `unparsable` and `truncated` are replies without
    an answer. `chose_first` give the answer that the question shows first. `with_log_probs` came
    with log-probabilities of the answers, and `written_differs` state another answer than the one
    that these prefer. The row with an empty
    dataset, variant and method counts all distinct requests of the model, as they are shared.
    """

    model: str
    dataset: str
    variant: str
    method: str
    requests: int
    refused: int
    unparsable: int
    truncated: int
    chose_first: int
    with_log_probs: int
    written_differs: int
    prompt_tokens: int
    reply_tokens: int

    @property
    def answered(self) -> int:
        """The number of replies with an answer."""
        return self.requests - self.refused - self.unparsable - self.truncated


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerUsage:
    """What a run sent to the server of a model, retries included; `cost` is None without prices.

    Answers from the store cost nothing and are not counted.
    """

    model: str
    requests: int
    prompt_tokens: int
    reply_tokens: int
    cost: float | None


class ProblemGroup(NamedTuple):
    """The schema and the cluster of entries that a problem belongs to, and its tags."""

    schema_id: str | None = None
    cluster: str = ""
    tags: tuple[str, ...] = ()


class AnswerRow(NamedTuple):
    """The answer of a model to a problem by one method."""

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
    margin: float | None
    costs: tuple[float | None, ...]
    twins: tuple[int, ...]
    tags: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class OptionCount:
    """How often an option was chosen under a key, among the decided problems that offer it.

    `option` is a position, `1`, `2`, …, or a text if there are only a few, such as `true`.
    """

    key: ResultKey
    option: str
    chosen: int
    offered: int


@dataclass(frozen=True, slots=True)
class TokenCosts:
    """The tokens of one option of a problem, with their parts and costs.

    A part is `prefix`, `blank` or `suffix`. A cost is a negative log-probability, or None.
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
    """Make a column for each meaning: an attribute of the row type, or computed by `read`."""
    hints = get_type_hints(row_type)
    return tuple(
        Column(
            name,
            *((read[name][0], meaning, read[name][1]) if name in read else (hints[name], meaning)),
        )
        for name, meaning in meanings.items()
    )


def option_at(options: tuple[str, ...], position: int | None) -> str | None:
    """Return the option at a position, or None if either is unknown."""
    return options[position] if position is not None and position < len(options) else None


def _against(name: str) -> tuple[Any, Callable[[Any], Any]]:
    read = attrgetter(name)
    return str | None, lambda row: None if row.against is None else read(row.against)


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
    from horsesense.metrics import METRICS  # imports numpy, which is slow

    return {name: metric.declared.symbol for name, metric in METRICS.items()}


ESTIMATES = _columns(
    Estimate,
    {
        **_KEY,
        "metric": "name of the metric",
        "symbol": "its symbol in equations",
        "kind": "value, change (a metric of two keys) or difference (of a metric between them)",
        "value": "the number; empty where it is not defined, see the reason",
        "low": "lower end of the interval",
        "high": "upper end of the interval",
        "level": "level of the interval",
        "count": "numerator of a share",
        "total": "denominator of a share",
        "n_problems": "number of problems",
        "n_schemas": "number of schemas",
        "n_clusters": "number of resampled clusters",
        "n_undecided": "number of undecided problems",
        **{f"against_{name}": f"compared with: {what}" for name, what in _KEY.items()},
        "before": "the metric under the key compared with, on the problems of both",
        "after": "the metric under this key, on the problems of both",
        "p": "p-value of the test",
        "test": "which test: of a value against chance, of a difference against zero",
        "thesis_p": "p-value of an unpaired test with a known null",
        "p_adjusted": "p adjusted over the family by Holm's method",
        "family": "the estimates that p is adjusted over",
        "reason": "why there is no value, interval or p; or a remark",
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
    """Return the columns of problems; the functions look up what is not in the row itself."""
    return _columns(
        ProblemRow,
        {
            **{name: _KEY[name] for name in ("dataset", "variant")},
            "problem_id": _PROBLEM_ID,
            "schema_id": "the schema it belongs to; empty for a single problem",
            "cluster": "entries that belong together and are resampled together",
            "mode": "what is guessed: by answer, by key or by boolean",
            **_PLACE,
            "statement": "the text with a blank",
            "options": "the options for the blank",
            "sentences": "the statement with each option filled in",
            "label": _LABEL,
            "label_option": "the right option",
            "tags": "tags that do not depend on the model",
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
        "options": "the options for the blank",
        "label": _LABEL,
        "label_option": "the right option",
        "choice": "position of the option chosen, from 0; empty if undecided or not known",
        "choice_option": "the option chosen",
        "correct": "whether the choice is right; empty if undecided or unlabelled, see the reason",
        "margin": "how much cheaper the right option is than the best other one; negative if wrong",
        "costs": "cost of each option",
        "twins": "numbers of the problems of its entry with which it makes a schema",
        "tags": "tags, including those that depend on the model",
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
REPLIES = _columns(
    ReplyCount,
    {
        "model": _KEY["model"],
        "dataset": "name of the dataset; empty for all questions to the model together",
        "variant": f"{_KEY['variant']}; empty for all",
        "method": f"{_KEY['method']}; empty for all",
        "requests": "how many distinct requests",
        "refused": "how many replies refuse to answer",
        "unparsable": "how many replies state no answer that can be read",
        "truncated": "how many replies were cut off before their answer",
        "chose_first": "how many replies give the answer that is shown first",
        "with_log_probs": "how many replies came with log-probabilities of the answers",
        "written_differs": "how many replies state another answer than their log-probabilities",
        "prompt_tokens": "tokens of the requests, as the model counts them",
        "reply_tokens": "tokens of the replies",
    },
)
USAGE = _columns(
    ServerUsage,
    {
        "model": _KEY["model"],
        "requests": "how many requests went to the server, retries included",
        "prompt_tokens": "tokens of the requests",
        "reply_tokens": "tokens of the replies",
        "cost": "what they cost; empty without prices",
    },
)
MODELS = _columns(
    ModelSubject,
    {
        "name": "name in this run",
        "family": "causal, masked, seq2seq, chat or baseline",
        "architecture": "class of the model",
        "parameters": "number of weights",
        "dtype": "type of the weights",
        "device": "where it ran",
        "fingerprint": "hash of everything that its answers depend on",
        "is_baseline": "whether it is a baseline",
        "methods": "all scoring methods",
        "standard": "by dataset, the method that was chosen beforehand",
        "server": "kind and version of the server that it is behind; empty if on this machine",
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
        "is_winograd": "whether most of its schemas are Winograd schemas",
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
        "reason": "why it was skipped",
        "is_named": "whether it was requested by its name",
    },
)
RUN = _columns(
    Record,
    {
        "id": "beginning of the key",
        "key": "hash of everything that the numbers depend on",
        "plan": "everything needed to repeat the run",
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
