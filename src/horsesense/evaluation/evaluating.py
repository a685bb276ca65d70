"""Evaluate models from Python: turn the arguments into a plan, and run it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any, TypeAlias

from horsesense.errors import HorsesenseError, ModelError
from horsesense.evaluation.progress import ProgressLine
from horsesense.evaluation.protocol import OnProgress, run_protocol
from horsesense.evaluation.protocol.plans import check_number
from horsesense.metrics import Ties
from horsesense.metrics.statistics import RESAMPLES
from horsesense.models import (
    EMBEDDED,
    Baseline,
    ChatModel,
    LanguageModel,
    Model,
    ServerOptions,
    wrap_model,
)
from horsesense.results import EVERY, OWN_SCHEMAS, Plan, Results
from horsesense.results.record import LIMITS
from horsesense.schema import Dataset, Entry, Header
from horsesense.schema.notation import SchemaFile
from horsesense.store import Store

# Characters that schemas in notation have, and names of datasets don't.
_NOTATION = ("{", "<", "\n")


def models_of(model: Any, tokenizer: Any) -> list[str | Model]:
    """Return names unchanged, and everything else as a model."""
    models: list[str | Model] = []
    is_used = False
    for each in _listed("model", model):
        if isinstance(each, str | PathLike):
            models.append(fspath(each))
        elif isinstance(each, LanguageModel | ChatModel | Baseline):
            models.append(each)
        elif (wrapped := wrap_model(each, tokenizer)) is not None:
            models.append(wrapped)
            is_used = True
        else:
            raise ModelError(
                f"{type(each).__name__} is not a model: pass a name, a folder, a loaded model of "
                "transformers, or an object of a class that inherits horsesense.models."
                "LanguageModel, ChatModel or Baseline"
            )
    if tokenizer is not None and not is_used:
        raise ModelError(
            "a tokenizer is only used with a loaded model; leave it out for other models"
        )
    return models


def data_of(data: Any) -> list[str | Dataset]:
    """Return names and datasets unchanged, and all schemas and entries as one dataset."""
    sources: list[str | Dataset] = []
    texts: list[str] = []
    entries: list[Entry] = []
    for each in _listed("data", data):
        if isinstance(each, str) and any(sign in each for sign in _NOTATION):
            texts.append(each)
        elif isinstance(each, str | PathLike):
            sources.append(fspath(each))
        elif isinstance(each, Dataset):
            sources.append(_with_distinct_ids(each))
        elif isinstance(each, Entry):
            entries.append(each)
        else:
            raise HorsesenseError(
                f"{type(each).__name__} is not data: pass the name of a dataset, a file, a Dataset,"
                " schemas in notation such as 'The {sun, snow} is <hot, cold>.', or entries"
            )
    if texts or entries:
        sources.append(_own(texts, entries))
    return sources


def checked_text(argument: str, value: Any) -> str:
    """Return a string; raise an error for any other type."""
    if not isinstance(value, str):
        raise HorsesenseError(f"{argument} is {value!r}; pass a string")
    return str(value)


def checked_names(argument: str, value: Any) -> tuple[str, ...]:
    """Return one name or several as a tuple.

    >>> checked_names("methods", "partial"), checked_names("methods", ["partial", "full"])
    (('partial',), ('partial', 'full'))
    """
    if isinstance(value, str):
        return (str(value),)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise HorsesenseError(f"{argument} is {value!r}; pass a name or a list of names")
    return tuple(checked_text(argument, each) for each in value)


def _listed(argument: str, value: Any) -> list[Any]:
    # Iterating over a mapping or a data frame would only give its keys.
    is_single = isinstance(
        value, str | bytes | PathLike | Entry | Dataset | Mapping
    ) or not isinstance(value, Iterable)
    listed = [value] if is_single or hasattr(value, "columns") else list(value)
    if not listed:
        raise HorsesenseError(f"{argument} is empty; pass a name, or leave it out for the default")
    return listed


def _own(texts: Sequence[str], entries: Sequence[Entry]) -> Dataset:
    header = Header(OWN_SCHEMAS)
    if texts:
        file = SchemaFile(BytesIO("\n".join(texts).encode()), "data", OWN_SCHEMAS)
        entries, header = [*entries, *file], file.header
    return _with_distinct_ids(Dataset(header, entries))


def _with_distinct_ids(dataset: Dataset) -> Dataset:
    """Return the dataset; raise an error if two of its entries have the same id."""
    counts = Counter(entry.id for entry in dataset)
    if twice := [id for id, count in counts.items() if count > 1]:
        raise HorsesenseError(f"two entries have the id {min(twice)!r}; make the ids distinct")
    return dataset


Names: TypeAlias = str | Sequence[str]


def evaluate(
    model: Any = EMBEDDED,
    data: Any = "hs-winograd",
    *,
    tokenizer: Any = None,
    perturbations: Names = EVERY,
    methods: Names = EVERY,
    subsets: Names = (),
    wrapper: str = "true",
    limit: int | None = None,
    first: int | None = None,
    seed: int = 0,
    resamples: int = RESAMPLES,
    ties: str = Ties.FAILED,
    keep_going: bool = False,
    server: ServerOptions | None = None,
    store: Store | str | PathLike[str] | None = None,
    progress: OnProgress | bool | None = None,
) -> Results:
    """Evaluate a model on data with the full protocol, or with the parts that you choose.

    Args:
        model: A name ("smollm2-135m", "gpt2", "chat:smollm2-135m", "vllm:ant@http://127.0.0.1:8000",
            a baseline such as "longer"), a folder, a model that transformers has loaded (with its
            `tokenizer`), an object of a subclass of `horsesense.models.LanguageModel`, `ChatModel`
            or `Baseline`, or a list of these.
        data: The name of a dataset, a file, a `Dataset`, schemas in notation, entries, or a list
            of these.
        tokenizer: The tokenizer of a loaded model; every other model has its own.
        perturbations: Names of transformations, "all", or "none".
        methods: Names of scoring methods, "all", or "standard".
        subsets: Further subsets to measure, such as "animals and not equal-length".
        wrapper: The wording of dyads: a sentence such as 'It is |true, false| that …', or its name.
        limit: Use only N schemas and single problems of each dataset, drawn at random.
        first: Use only the first N of them instead.
        seed: The seed for all random sampling.
        resamples: The number of bootstrap resamples for each interval.
        ties: How an undecided problem counts: "failed" or "half".
        keep_going: Skip problems that a model cannot read and report them as skipped; otherwise
            such a problem raises an error.
        server: The settings for models behind a server, such as the number of requests in flight
            and the budget; `horsesense.models.server_settings` makes them.
        store: Where to keep answers: the path of a store, which is created if it does not exist,
            or an open store. Answers in it are not computed again. With None, nothing is saved.
        progress: True shows a line of progress and False shows none; a function is called with each
            step. By default progress is shown in terminals and notebooks.

    Returns:
        The results: estimates with intervals, answers, problems, the record of how they were made,
        and what was skipped with the reason. `horsesense.reports.write_report` writes them as a
        report.

    Raises:
        HorsesenseError: An argument cannot be used; the message says which one and what to do.
        ModelError: A model cannot be loaded or queried.

    Example:
        >>> import horsesense
        >>> results = horsesense.evaluate("longer", "hs-winograd", first=4, perturbations="none")
        >>> [model.name for model in results.models]
        ['longer', 'first']
    """
    if limit is not None:
        check_number("limit", limit, LIMITS["sample"])
        if first is not None:
            raise HorsesenseError(
                "limit draws schemas at random, and first takes the first ones; pass only one"
            )
    with _opened(store) as opened:
        models = models_of(model, tokenizer)
        sources = data_of(data)
        plan = Plan(
            models=tuple(_model_name(each) for each in models),
            data=tuple(each if isinstance(each, str) else each.name for each in sources),
            perturbations=checked_names("perturbations", perturbations),
            methods=checked_names("methods", methods),
            subsets=checked_names("subsets", subsets),
            wrapper=checked_text("wrapper", wrapper),
            sample=limit,
            first=first,
            seed=seed,
            resamples=resamples,
            ties=checked_text("ties", ties),
            keep_going=keep_going,
            **_server_fields(server or ServerOptions()),
        )
        with ProgressLine(progress) as line:
            return run_protocol(plan, opened, models=models, data=sources, on_progress=line.update)


def _server_fields(server: ServerOptions) -> dict[str, Any]:
    """Return the settings for servers as fields of a plan."""
    budget = server.budget
    return {
        "tokenizer": server.tokenizer,
        "concurrency": server.concurrency,
        "timeout": server.timeout,
        "retries": server.retries,
        "max_requests": budget.max_requests,
        "max_tokens": budget.max_tokens,
        "max_cost": budget.max_cost,
        "price_input": budget.prices.input,
        "price_output": budget.prices.output,
    }


def _opened(store: Store | str | PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """Open the store for the run; one that is passed open stays open."""
    if store is None or isinstance(store, Store):
        return nullcontext(store)
    if not isinstance(store, str | PathLike):
        raise HorsesenseError(f"store is {store!r}; pass a path or an open store")
    return Store.create_or_open(Path(store))


def _model_name(model: str | Model) -> str:
    return model if isinstance(model, str) else model.info.name
