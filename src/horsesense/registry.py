"""Registries: everything that can be added, such as metrics, by name.

There is one registry for each kind of entry. Other packages add to it with an entry point of the
registry's group, for example in `pyproject.toml`:

    [project.entry-points."horsesense.metrics"]
    failed-share = "their_package.module:failed_share"

Built-in entries are found without loading plug-ins. A broken plug-in raises an error only when it
is looked up by name; `failures` lists what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar, cast

from horsesense.errors import HorsesenseError, UnknownNameError

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")


class _Target(str):
    """An import path, `module:attribute`, that is loaded on first use."""

    def load(self) -> Any:
        module, _, attribute = self.partition(":")
        return getattr(import_module(module), attribute)


class Registry(Mapping[str, T]):
    """Map names to entries of one kind, built-in ones first, then those of plug-ins.

    Messages call an entry a `noun`; `group` is its group of entry points. A plug-in must provide
    an instance of `kind`, under a name that is neither taken nor `reserved`. `name_of` returns
    the name of an entry. `wrap` takes a plug-in's entry and its source, and returns an entry whose
    errors name the plug-in (see `blame`).

    >>> numbers = Registry("number", "horsesense.numbers", int, name_of=str)
    >>> numbers.add(1, 22)
    >>> numbers["22"], list(numbers)
    (22, ['1', '22'])
    """

    def __init__(
        self,
        noun: str,
        group: str,
        kind: type[Any] | tuple[type[Any], ...],
        *,
        name_of: Callable[[T], str] = lambda entry: entry.name,  # type: ignore[attr-defined]
        reserved: Container[str] = (),
        wrap: Callable[[T, str], T] = lambda entry, source: entry,
    ) -> None:
        self.noun, self.group = noun, group
        self._kind, self._name_of = kind, name_of
        self._reserved, self._wrap = reserved, wrap
        self._ours: dict[str, T | _Target] = {}
        self._plugins: dict[str, T] | None = None
        self._failures: dict[str, str] = {}

    def add(self, *entries: T) -> None:
        """Add built-in entries, each under its own name."""
        for entry in entries:
            self._add(self._name_of(entry), entry)

    def add_lazily(self, name: str, target: str) -> None:
        """Add a built-in entry that is imported from `module:attribute` on first use."""
        self._add(name, _Target(target))

    def register(self, name: str) -> Callable[[T], T]:
        """Return a decorator that adds what it decorates under that name."""

        def decorate(entry: T) -> T:
            self._add(name, entry)
            return entry

        return decorate

    def __getitem__(self, name: str) -> T:
        """Return the entry of that name, or raise an error that suggests similar names."""
        if name in self._ours:
            return self._own(name)
        if name in self.plugins:
            return self.plugins[name]
        raise self.unknown(name)

    def __iter__(self) -> Iterator[str]:
        return iter([*self._ours, *self.plugins])

    def __len__(self) -> int:
        return len(self._ours) + len(self.plugins)

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in self.plugins

    @property
    def own_names(self) -> tuple[str, ...]:
        """Return the names of the built-in entries, without importing them."""
        return tuple(self._ours)

    @property
    def ours(self) -> Mapping[str, T]:
        """Return the built-in entries by name."""
        return MappingProxyType({name: self._own(name) for name in self._ours})

    @property
    def plugins(self) -> Mapping[str, T]:
        """Return the entries of installed packages by name, without the broken ones."""
        if self._plugins is None:
            self.load_plugins(_installed().select(group=self.group))
        return MappingProxyType(self._plugins or {})

    @property
    def failures(self) -> tuple[str, ...]:
        """Return one sentence for each broken plug-in."""
        return tuple(self.failed.values())

    @property
    def failed(self) -> Mapping[str, str]:
        """Return the names of broken plug-ins, each with the reason."""
        _ = self.plugins  # loads them
        return MappingProxyType(self._failures)

    @property
    def packages(self) -> tuple[tuple[str, str, str], ...]:
        """Return the import path of each plug-in, its package and the package's version.

        Package and version are empty if the entry point doesn't name them.
        """
        return tuple(
            sorted(
                (point.value, point.dist.name, point.dist.version)
                if point.dist
                else (point.value, "", "")
                for point in _installed().select(group=self.group)
            )
        )

    def unknown(
        self, name: str, *, noun: str = "", known: Iterable[str] | None = None
    ) -> HorsesenseError:
        """Return the error for an unknown name: the plug-in's own, or one with similar names.

        Pass `noun` and `known` to suggest only some of the entries, or to call them otherwise.
        """
        remarks = self.failures
        if name in self._failures:
            return HorsesenseError(self._failures[name])
        known = self if known is None else known
        return UnknownNameError(noun or self.noun, name, known, remarks=remarks)

    def reload(self) -> None:
        """Forget all plug-ins, so that the next look-up searches the installed packages again."""
        _installed.cache_clear()
        self._plugins = None

    def load_plugins(self, points: Iterable[EntryPoint]) -> None:
        """Replace all plug-ins with the ones of these entry points."""
        self._plugins, self._failures = {}, {}
        sources: dict[str, str] = {}
        for point in points:
            source = _source(point)
            try:
                entry = point.load()
            except Exception as error:  # plug-ins may raise anything
                self._fail(point.name, f"the plug-in {source} cannot be loaded: {_describe(error)}")
                continue
            if not isinstance(entry, self._kind):
                self._fail(point.name, f"the plug-in {source} is not a {self.noun}")
                continue
            name = self._name_of(entry)
            if name in self._ours or name in self._reserved:
                message = f"horsesense has a {self.noun} of the name {name!r} already"
                self._fail(point.name, f"the plug-in {source} is not used: {message}; rename it")
            elif name in sources:
                both = f"the plug-ins {sources[name]} and {source} both provide {name!r}"
                self._fail(name, f"{both}; uninstall one of them")
                self._plugins.pop(name, None)
            else:
                sources[name] = source
                self._plugins[name] = self._wrap(entry, source)

    def _fail(self, name: str, message: str) -> None:
        self._failures[name] = message

    def _add(self, name: str, entry: T | _Target) -> None:
        if name in self._ours:
            raise HorsesenseError(f"there are two {self.noun}s of the name {name!r}; rename one")
        self._ours[name] = entry

    def _own(self, name: str) -> T:
        entry = self._ours[name]
        if isinstance(entry, _Target):
            entry = self._ours[name] = cast(T, entry.load())
        return entry


@cache
def _installed() -> Any:
    """Return the entry points of all installed packages; searching them takes a moment."""
    return entry_points()


def _source(point: EntryPoint) -> str:
    """Return the name of a plug-in for messages."""
    return (
        f"{point.value!r} of {point.dist.name} {point.dist.version}"
        if point.dist
        else (repr(point.value))
    )


def _describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def blame(function: Callable[P, R], failing: Callable[P, str]) -> Callable[P, R]:
    """Wrap a plug-in's function so that its errors name the plug-in.

    `failing` takes the same arguments and returns the start of the message. Errors that are meant
    for users pass through.
    """

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except HorsesenseError:
            raise
        except Exception as error:  # plug-ins may raise anything
            raise HorsesenseError(f"{failing(*args, **kwargs)}: {_describe(error)}") from error

    return call


def blame_each(
    function: Callable[P, Iterable[R]], failing: Callable[P, str]
) -> Callable[P, Iterator[R]]:
    """Do the same for a function that returns an iterable or is a generator."""

    def call(*args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        try:
            yield from function(*args, **kwargs)
        except HorsesenseError:
            raise
        except Exception as error:  # plug-ins may raise anything
            raise HorsesenseError(f"{failing(*args, **kwargs)}: {_describe(error)}") from error

    return call
