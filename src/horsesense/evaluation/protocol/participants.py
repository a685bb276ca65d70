"""Load the models and datasets of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

from horsesense.datasets.files import is_file
from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.protocol.sources import DatasetRef, find_source, reference, with_files
from horsesense.models import (
    CHAT,
    Budget,
    Family,
    Model,
    ModelInfo,
    ServerOptions,
    load_model,
    server_settings,
    shown_name,
)
from horsesense.results import Plan, Skipped
from horsesense.schema import Dataset, Named
from horsesense.store import Store

# Every model is compared with these; chance needs no baseline, as it is computed.
BASELINES = ("first", "longer")
_GIB = 2**30
_FINGERPRINT_LENGTH = 8
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Participants:
    """The models of a run by name, baselines last, and its data.

    `loaded` names the models that were loaded for the run and may be released after querying;
    `in_memory` the models and data that were passed as objects. `skipped` lists those that could
    not be loaded. `budgets` count what was sent to the server of each model.
    """

    models: tuple[tuple[str, Model], ...]
    data: tuple[DatasetRef, ...]
    skipped: tuple[Skipped, ...]
    loaded: frozenset[str] = frozenset()
    in_memory: tuple[str, ...] = ()
    budgets: Mapping[str, Budget] = field(default_factory=dict)

    @property
    def fingerprints(self) -> Named[str]:
        """The fingerprints of the models by their names."""
        return tuple((name, _fingerprint(model)) for name, model in self.models)

    @property
    def model_infos(self) -> tuple[ModelInfo, ...]:
        """The `ModelInfo` of each model."""
        return tuple(model.info for _, model in self.models)

    @property
    def frozen(self) -> Named[str]:
        """The ids of frozen variants, by name."""
        return tuple((f"{ref.name}, {name}", id) for ref in self.data for name, id in ref.ids)


def gather(
    plan: Plan,
    store: Store | None,
    models: Sequence[str | Model],
    data: Sequence[str | Dataset],
    note: Callable[[str], None],
) -> Participants:
    """Load all that a plan names, or the models and data given in its place, by name or as objects.

    It is an error if nothing can be loaded.
    """
    skipped: list[Skipped] = []
    server, budgets = _server_of(plan), dict[str, Budget]()

    def get_model(name: str) -> Model:
        budgets[name] = server.budget.part()
        return _load(name, plan, replace(server, budget=budgets[name]), note)

    called: dict[str, str] = {}
    requested_data = list(_requested(data or plan.data, store, called, note))

    def get_data(name: str) -> DatasetRef:
        return find_source(name, store, plan.wrapper, called[name])

    requested = [_Requested.model(model) for model in models or plan.models]
    named = _renamed(_resolve("model", requested, get_model, skipped))
    refs = (each.thing for each in _resolve("dataset", requested_data, get_data, skipped))
    return Participants(
        tuple(_with_baselines((model.name, model.thing) for model in named)),
        tuple(_distinct(refs, skipped)),
        tuple(skipped),
        frozenset(model.name for model in named if model.is_loaded),
        (*_passed(requested), *_passed(requested_data)),
        {model.name: budgets[model.asked] for model in named if model.asked in budgets},
    )


@dataclass(frozen=True, slots=True)
class _Requested(Generic[Thing]):
    """A requested model or dataset: its name, and the object if it was passed."""

    name: str
    passed: Thing | None

    @staticmethod
    def model(model: str | Model) -> _Requested[Model]:
        if isinstance(model, str):
            return _Requested(model, None)
        return _Requested(model.info.name, model)

    @staticmethod
    def data(data: str | Dataset) -> _Requested[DatasetRef]:
        if isinstance(data, str):
            return _Requested(data, None)
        return _Requested(data.name, reference(data))


def _requested(
    data: Iterable[str | Dataset],
    store: Store | None,
    called: dict[str, str],
    note: Callable[[str], None],
) -> Iterator[_Requested[DatasetRef]]:
    """Yield what is requested, with the files of folders; put down what they are to be called."""
    for each in data:
        if isinstance(each, str):
            files = with_files([each], store, note)
            called |= files
            yield from map(_Requested.data, files)
        else:
            yield _Requested.data(each)


def _passed(requested: Iterable[_Requested[Thing]]) -> list[str]:
    return [each.name for each in requested if each.passed is not None]


@dataclass(frozen=True, slots=True)
class _Resolved(Generic[Thing]):
    """A model or dataset; `asked` is the name that it was loaded by, empty if it was passed."""

    name: str
    thing: Thing
    asked: str = ""

    @property
    def is_loaded(self) -> bool:
        """Whether it was loaded by name."""
        return bool(self.asked)


def _resolve(
    what: str,
    requested: Sequence[_Requested[Thing]],
    get: Callable[[str], Thing],
    skipped: list[Skipped],
) -> list[_Resolved[Thing]]:
    """Load what is requested; failures are skipped, unless nothing is left."""
    resolved: list[_Resolved[Thing]] = []
    errors: dict[str, HorsesenseError] = {}
    # The same name twice is one thing, but two objects may have the same name.
    distinct = {each.name if each.passed is None else id(each): each for each in requested}
    for each in distinct.values():
        try:
            if each.passed is None:
                resolved.append(_Resolved(each.name, get(each.name), each.name))
            else:
                resolved.append(_Resolved(each.name, each.passed))
        except StoreError:
            raise  # the other requests would fail too
        except HorsesenseError as error:
            errors[each.name] = error
    if not resolved:
        raise _nothing_left(what, errors)
    skipped += [Skipped(name, str(error), is_named=True) for name, error in errors.items()]
    return resolved


def _nothing_left(what: str, errors: Mapping[str, HorsesenseError]) -> HorsesenseError:
    """Return the error if there is only one, or an error that lists all of them."""
    if len(errors) == 1:
        return next(iter(errors.values()))
    message = "".join(f"\n  {name}: {error}" for name, error in errors.items())
    return HorsesenseError(f"there is no {what} to evaluate{message or ': the plan has none'}")


def _server_of(plan: Plan) -> ServerOptions:
    """Return the plan's settings for servers, with a budget for all models together."""
    names = ("tokenizer", "concurrency", "timeout", "retries")
    limits = ("max_requests", "max_tokens", "max_cost", "price_input", "price_output")
    return server_settings(**{name: getattr(plan, name) for name in (*names, *limits)})


def _load(name: str, plan: Plan, server: ServerOptions, note: Callable[[str], None]) -> Model:
    return load_model(
        name,
        dtype=plan.dtype,
        device=plan.device,
        allow_pickle=plan.allow_pickle,
        budget_bytes=int(plan.memory * _GIB),
        batch=plan.batch,
        progress=note,
        server=server,
    )


def _renamed(models: Sequence[_Resolved[Model]]) -> list[_Resolved[Model]]:
    """Give models distinct names: the last part of a path, and more only if needed.

    The URL of a server is no part of a name: the same model may be behind another one tomorrow.
    """
    names = [shown_name(model.name) for model in models]
    short = [_short(name) for name in names]

    def distinct_name(index: int, model: _Resolved[Model]) -> str:
        if short.count(short[index]) == 1:
            return short[index]
        if names.count(names[index]) == 1:
            return names[index]
        return f"{names[index]}@{_fingerprint(model.thing)[:_FINGERPRINT_LENGTH]}"

    return [replace(each, name=distinct_name(index, each)) for index, each in enumerate(models)]


def _short(name: str) -> str:
    """Return the last part of a path, also of one that is talked to, and other names unchanged."""
    before, chat, path = name.rpartition(CHAT)
    return f"{chat}{Path(path).name}" if not before and is_file(path) else name


def _fingerprint(model: Model) -> str:
    return model.info.fingerprint


def _with_baselines(models: Iterable[tuple[str, Model]]) -> list[tuple[str, Model]]:
    """Return the models, then the baselines that were requested or always take part."""
    named = dict(models)
    named |= {name: load_model(name) for name in BASELINES if name not in named}
    return sorted(named.items(), key=lambda item: item[1].info.family is Family.BASELINE)


def _distinct(data: Iterable[DatasetRef], skipped: list[Skipped]) -> Iterator[DatasetRef]:
    """Yield each dataset once; skip a different dataset with the same name."""
    known: dict[str, DatasetRef] = {}
    for dataset_ref in data:
        former = known.get(dataset_ref.name)
        if former is None:
            known[dataset_ref.name] = dataset_ref
            yield dataset_ref
        elif former.id != dataset_ref.id:
            message = "another dataset has the same name; rename one"
            skipped.append(Skipped(dataset_ref.name, message, is_named=True))
