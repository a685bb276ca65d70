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
from horsesense.evaluation.progress import Shown
from horsesense.evaluation.protocol import OnProgress, run_protocol
from horsesense.metrics import Ties
from horsesense.metrics.statistics import RESAMPLES
from horsesense.models import EMBEDDED, Baseline, LanguageModel, Model, wrap_model
from horsesense.results import EVERY, Plan, Results
from horsesense.schema import Dataset, Entry, Header
from horsesense.schema.notation import SchemaFile
from horsesense.store import Store

# The name of a dataset that is given as schemas, if they do not bring one.
OWN = "own"
# What schemas in notation have, and names have not.
_NOTATION = ("{", "<", "\n")


def models_given(model: Any, tokenizer: Any) -> list[str | Model]:
    """Names as they are, and everything else as a model."""
    models: list[str | Model] = []
    is_used = False
    for one in _listed("model", model):
        if isinstance(one, str | PathLike):
            models.append(fspath(one))
        elif isinstance(one, LanguageModel | Baseline):
            models.append(one)
        elif (wrapped := wrap_model(one, tokenizer)) is not None:
            models.append(wrapped)
            is_used = True
        else:
            raise ModelError(
                f"{type(one).__name__} is not a model: give a name, a folder, a loaded model of "
                "transformers, or an object of a class that inherits horsesense.models."
                "LanguageModel or Baseline"
            )
    if tokenizer is not None and not is_used:
        raise ModelError(
            "a tokenizer goes with a loaded model only; every other model has its own, leave it out"
        )
    return models


def data_given(data: Any) -> list[str | Dataset]:
    """Names as they are, and all schemas that are given as one dataset of their own."""
    sources: list[str | Dataset] = []
    texts: list[str] = []
    entries: list[Entry] = []
    for one in _listed("data", data):
        if isinstance(one, str) and any(sign in one for sign in _NOTATION):
            texts.append(one)
        elif isinstance(one, str | PathLike):
            sources.append(fspath(one))
        elif isinstance(one, Dataset):
            sources.append(_with_own_ids(one))
        elif isinstance(one, Entry):
            entries.append(one)
        else:
            raise HorsesenseError(
                f"{type(one).__name__} is no data: give the name of a dataset, a file, a Dataset, "
                "schemas in notation such as 'The {sun, snow} is <hot, cold>.', or entries"
            )
    if texts or entries:
        sources.append(_own(texts, entries))
    return sources


def text_given(what: str, given: Any) -> str:
    """A text, and nothing that only looks like one."""
    if not isinstance(given, str):
        raise HorsesenseError(f"{what} is {given!r}; give a text")
    return str(given)


def names_given(what: str, given: Any) -> tuple[str, ...]:
    """One name, or several.

    >>> names_given("methods", "partial"), names_given("methods", ["partial", "full"])
    (('partial',), ('partial', 'full'))
    """
    if isinstance(given, str):
        return (str(given),)
    if isinstance(given, Mapping) or not isinstance(given, Iterable):
        raise HorsesenseError(f"{what} is {given!r}; give a name, or a list of names")
    return tuple(text_given(what, one) for one in given)


def _listed(what: str, given: Any) -> list[Any]:
    # A mapping or a data frame gives its headings when asked for its items.
    is_one = isinstance(
        given, str | bytes | PathLike | Entry | Dataset | Mapping
    ) or not isinstance(given, Iterable)
    listed = [given] if is_one or hasattr(given, "columns") else list(given)
    if not listed:
        raise HorsesenseError(f"no {what} is given; give a name, or leave it out for the default")
    return listed


def _own(texts: Sequence[str], entries: Sequence[Entry]) -> Dataset:
    header = Header(OWN)
    if texts:
        file = SchemaFile(BytesIO("\n".join(texts).encode()), "data", OWN)
        entries, header = [*entries, *file], file.header
    return _with_own_ids(Dataset(header, entries))


def _with_own_ids(dataset: Dataset) -> Dataset:
    """The dataset, if each of its entries has an id of its own."""
    counts = Counter(entry.id for entry in dataset)
    if twice := [id for id, count in counts.items() if count > 1]:
        raise HorsesenseError(f"two entries have the id {min(twice)!r}; give each its own")
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
    seed: int = 0,
    resamples: int = RESAMPLES,
    ties: str = Ties.FAILED,
    keep_going: bool = False,
    store: Store | str | PathLike[str] | None = None,
    progress: OnProgress | bool | None = None,
) -> Results:
    """Evaluate a model on data by the whole protocol, or by the part of it that you choose.

    Args:
        model: A name ("smollm2-135m", "gpt2", a baseline such as "longer"), a folder, a model that
            transformers has loaded (with its `tokenizer`), an object like
            `horsesense.models.LanguageModel` or `Baseline`, or a list of these.
        data: The name of a dataset, a file, a `Dataset`, schemas in notation, entries, or a list
            of these.
        tokenizer: The tokenizer of a loaded model; every other model has its own.
        perturbations: Names of transformations, "all", or "none".
        methods: Names of scoring methods, "all", or "standard".
        subsets: Further subsets to measure, such as "animals and not equal-length".
        wrapper: How dyads are put: a sentence such as 'It is |true, false| that …', or the name of
            one.
        limit: Use only the first N schemas and single problems of each dataset.
        seed: The seed of everything that is drawn at random.
        resamples: How many bootstrap resamples an interval is computed from.
        ties: How an undecided problem counts: "failed" or "half".
        keep_going: Skip problems that a model cannot read and report them as skipped; otherwise
            such a problem raises an error.
        store: Where answers are kept: the path of a store, which is created if it does not exist,
            or an open store. What is in it is not computed again. None keeps nothing.
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
        >>> results = horsesense.evaluate("longer", "hs-winograd", limit=4, perturbations="none")
        >>> [model.name for model in results.models]
        ['longer', 'first']
    """
    with _opened(store) as opened:
        models = models_given(model, tokenizer)
        sources = data_given(data)
        plan = Plan(
            models=tuple(_model_name(each) for each in models),
            data=tuple(each if isinstance(each, str) else each.name for each in sources),
            perturbations=names_given("perturbations", perturbations),
            methods=names_given("methods", methods),
            subsets=names_given("subsets", subsets),
            wrapper=text_given("wrapper", wrapper),
            limit=limit,
            seed=seed,
            resamples=resamples,
            ties=text_given("ties", ties),
            keep_going=keep_going,
        )
        with Shown(progress) as shown:
            return run_protocol(plan, opened, models=models, data=sources, on_progress=shown.tell)


def _opened(store: Store | str | PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """Open the store for the run; one that is passed open stays open."""
    if store is None or isinstance(store, Store):
        return nullcontext(store)
    if not isinstance(store, str | PathLike):
        raise HorsesenseError(f"store is {store!r}; pass a path or an open store")
    return Store.create_or_open(Path(store))


def _model_name(model: str | Model) -> str:
    return model if isinstance(model, str) else model.info.name
