"""Evaluate models from Python: turn the arguments into a plan, and run it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.evaluation.given import (
    data_given,
    models_given,
    names_given,
    text_given,
)
from horsesense.evaluation.protocol import OnProgress, conduct
from horsesense.evaluation.shown import Shown
from horsesense.metrics import Ties
from horsesense.metrics.statistics import RESAMPLES
from horsesense.models import EMBEDDED, Model
from horsesense.results import EVERY, Plan, Results
from horsesense.store import Store

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
            return conduct(plan, opened, models=models, data=sources, on_progress=shown.tell)


def _opened(store: Store | str | PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """Open the store for the run; one that is passed open stays open."""
    if store is None or isinstance(store, Store):
        return nullcontext(store)
    if not isinstance(store, str | PathLike):
        raise HorsesenseError(f"store is {store!r}; pass a path or an open store")
    return Store.create_or_open(Path(store))


def _model_name(model: str | Model) -> str:
    return model if isinstance(model, str) else model.info.name
