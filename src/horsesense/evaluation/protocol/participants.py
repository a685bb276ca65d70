"""Who and what takes part in a run: its models and its data, as far as they can be had."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeVar

from horsesense.datasets.files import is_file
from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.protocol.sources import DatasetRef, find_source, reference
from horsesense.models import Family, Model, ModelInfo, load_model
from horsesense.results import Plan, Skipped
from horsesense.schema import Dataset, Named
from horsesense.store import Store

# What every model has to be better than; chance needs nobody to play it.
BASELINES = ("first", "longer")
_GIB = 2**30
_TOLD_APART = 8
Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Participants:
    """Models by the names that the profile has for them, baselines last, and data.

    `loaded` are the names of the models that were loaded for the run, and may be let go after
    they were asked; `in_memory` those of models and data that were given as they are. `gaps` tell
    of those that could not be had.
    """

    models: tuple[tuple[str, Model], ...]
    data: tuple[DatasetRef, ...]
    skipped: tuple[Skipped, ...]
    loaded: frozenset[str] = frozenset()
    in_memory: tuple[str, ...] = ()

    @property
    def fingerprints(self) -> Named[str]:
        """The fingerprints of the models by their names."""
        return tuple((name, _fingerprint(model)) for name, model in self.models)

    @property
    def declarations(self) -> tuple[ModelInfo, ...]:
        """What the models declare of themselves."""
        return tuple(model.info for _, model in self.models)

    @property
    def frozen(self) -> Named[str]:
        """The ids of the forms that are posed as they were frozen, by what they are called."""
        return tuple((f"{one.name}, {name}", id) for one in self.data for name, id in one.ids)


def gather(
    plan: Plan,
    store: Store | None,
    models: Sequence[str | Model],
    data: Sequence[str | Dataset],
    note: Callable[[str], None],
) -> Participants:
    """Find all that a plan names, or what is given in its place, of which some may be names.

    It is an error where nothing can be had.
    """
    skipped: list[Skipped] = []
    get_model = partial(_load, plan=plan, note=note)
    get_data = partial(find_source, store=store, wrapper=plan.wrapper)
    wanted = [_Wanted.model(model) for model in models or plan.models]
    named = _renamed(_had("model", wanted, get_model, skipped))
    sought = [_Wanted.data(one) for one in data or plan.data]
    opened = (one.thing for one in _had("dataset", sought, get_data, skipped))
    return Participants(
        tuple(_with_baselines((one.name, one.thing) for one in named)),
        tuple(_distinct(opened, skipped)),
        tuple(skipped),
        frozenset(one.name for one in named if one.is_found),
        (*_given(wanted), *_given(sought)),
    )


@dataclass(frozen=True, slots=True)
class _Wanted(Generic[Thing]):
    """What is to take part: its name, and itself if it was given."""

    name: str
    given: Thing | None

    @staticmethod
    def model(one: str | Model) -> _Wanted[Model]:
        return _Wanted(one, None) if isinstance(one, str) else _Wanted(one.info.name, one)

    @staticmethod
    def data(one: str | Dataset) -> _Wanted[DatasetRef]:
        return _Wanted(one, None) if isinstance(one, str) else _Wanted(one.name, reference(one))


def _given(wanted: Iterable[_Wanted[Thing]]) -> list[str]:
    return [one.name for one in wanted if one.given is not None]


@dataclass(frozen=True, slots=True)
class _Had(Generic[Thing]):
    """What takes part; `is_found` if it was found by its name, and not given."""

    name: str
    thing: Thing
    is_found: bool


def _had(
    what: str, wanted: Sequence[_Wanted[Thing]], get: Callable[[str], Thing], skipped: list[Skipped]
) -> list[_Had[Thing]]:
    """What can be had of what is wanted; what cannot is a gap, and if nothing can, an error."""
    had: list[_Had[Thing]] = []
    errors: dict[str, HorsesenseError] = {}
    # A name that is given twice is one thing; two things may have one name.
    once = {one.name if one.given is None else id(one): one for one in wanted}
    for one in once.values():
        try:
            is_found = one.given is None
            had.append(_Had(one.name, get(one.name) if one.given is None else one.given, is_found))
        except StoreError:
            raise  # it concerns all of them
        except HorsesenseError as error:
            errors[one.name] = error
    if not had:
        raise _nothing_left(what, errors)
    skipped += [Skipped(name, str(error), is_named=True) for name, error in errors.items()]
    return had


def _nothing_left(what: str, errors: Mapping[str, HorsesenseError]) -> HorsesenseError:
    """The error of the only one that was named, or all of them in one."""
    if len(errors) == 1:
        return next(iter(errors.values()))
    message = "".join(f"\n  {name}: {error}" for name, error in errors.items())
    return HorsesenseError(f"no {what} is left to evaluate{message or ': the plan names none'}")


def _load(name: str, plan: Plan, note: Callable[[str], None]) -> Model:
    return load_model(
        name,
        dtype=plan.dtype,
        device=plan.device,
        allow_pickle=plan.allow_pickle,
        budget_bytes=int(plan.memory * _GIB),
        batch=plan.batch,
        progress=note,
    )


def _renamed(models: Sequence[_Had[Model]]) -> list[_Had[Model]]:
    """Models under names of their own: of a path its last part, and more only if need be."""
    names = [model.name for model in models]
    short = [Path(name).name if is_file(name) else name for name in names]

    def own(at: int, one: _Had[Model]) -> str:
        if short.count(short[at]) == 1:
            return short[at]
        is_alone = names.count(one.name) == 1
        return one.name if is_alone else f"{one.name}@{_fingerprint(one.thing)[:_TOLD_APART]}"

    return [replace(model, name=own(at, model)) for at, model in enumerate(models)]


def _fingerprint(model: Model) -> str:
    return model.info.fingerprint


def _with_baselines(models: Iterable[tuple[str, Model]]) -> list[tuple[str, Model]]:
    """The models, then the baselines: those that are named, and those that always take part."""
    named = dict(models)
    named |= {name: load_model(name) for name in BASELINES if name not in named}
    return sorted(named.items(), key=lambda one: one[1].info.family is Family.BASELINE)


def _distinct(data: Iterable[DatasetRef], skipped: list[Skipped]) -> Iterator[DatasetRef]:
    """The datasets, each once; another one of the same name cannot be told from it."""
    known: dict[str, DatasetRef] = {}
    for dataset_ref in data:
        former = known.get(dataset_ref.name)
        if former is None:
            known[dataset_ref.name] = dataset_ref
            yield dataset_ref
        elif former.id != dataset_ref.id:
            message = "another dataset of this name takes part; rename one"
            skipped.append(Skipped(dataset_ref.name, message, is_named=True))
