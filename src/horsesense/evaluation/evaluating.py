"""Evaluating: from what a user gives to a plan, and by the protocol to a profile."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.evaluation.evaluated import Evaluated
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
from horsesense.results import EVERY, Plan
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
) -> Evaluated:
    """Evaluate a model on data by the whole protocol, or by what is asked for of it.

    `model` is a name, a folder, a loaded model of transformers with its `tokenizer`, or any object
    like `horsesense.models.LanguageModel` or `Baseline`; `data` a name, a file, a `Dataset`,
    schemas in notation, or entries. Both may be lists. `limit` uses only the first N schemas and
    single problems. `wrapper` is how statements are asked about, `resamples` how often data are
    drawn for intervals, and `ties` how undecided problems count. To keep going is to leave out
    problems that a model cannot read, which are then among the gaps of the profile; otherwise they
    are an error.

    With a `store`, which may be a path, what was asked before is not asked again; without one,
    nothing is kept. `progress` is called as it goes on, or is shown if true; by itself it is shown
    in terminals and notebooks.
    """
    with _opened(store) as kept:
        models = models_given(model, tokenizer)
        sources = data_given(data)
        plan = Plan(
            models=tuple(_model_name(one) for one in models),
            data=tuple(one if isinstance(one, str) else one.name for one in sources),
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
            profile = conduct(plan, kept, models=models, data=sources, on_progress=shown.tell)
    return Evaluated(profile)


def _opened(store: Store | str | PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """The store for as long as it is needed; one that was given open stays so."""
    if store is None or isinstance(store, Store):
        return nullcontext(store)
    if not isinstance(store, str | PathLike):
        raise HorsesenseError(f"store is {store!r}; give a path, or an open store")
    return Store.create_or_open(Path(store))


def _model_name(model: str | Model) -> str:
    return model if isinstance(model, str) else model.info.name
