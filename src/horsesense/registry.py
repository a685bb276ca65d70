"""Named things of one kind, such as metrics: ours, and those that other packages add.

A package of ours has one registry for each kind of thing that it can be extended with. Another
package adds a thing by an entry point of the registry's group, for example in `pyproject.toml`:

    [project.entry-points."horsesense.metrics"]
    failed-share = "their_package.module:failed_share"

Our own things are found without loading plug-ins. A plug-in that cannot be used breaks nothing
but looking it up by its name: everything else goes on, and `failures` has the reason.
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
    """The place of a thing that is imported when it is first needed, as `module:attribute`."""

    def load(self) -> Any:
        module, _, attribute = self.partition(":")
        return getattr(import_module(module), attribute)


class Registry(Mapping[str, T]):
    """All things of a kind by name, ours before those of plug-ins.

    `noun` is what one of them is called in messages, `group` the group of entry points. A plug-in
    must bring an instance of `kind`, under a name that is neither taken nor `reserved`.
    `name_of` tells the name of a thing. `wrap` is given what a plug-in brings and where it is
    from, and makes the plug-in's errors tell whose they are (see `blame`).

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
        name_of: Callable[[T], str] = lambda thing: thing.name,  # type: ignore[attr-defined]
        reserved: Container[str] = (),
        wrap: Callable[[T, str], T] = lambda thing, source: thing,
    ) -> None:
        self.noun, self.group = noun, group
        self._kind, self._name_of = kind, name_of
        self._reserved, self._wrap = reserved, wrap
        self._ours: dict[str, T | _Target] = {}
        self._plugins: dict[str, T] | None = None
        self._failures: dict[str, str] = {}

    def add(self, *things: T) -> None:
        """Add things of ours, each under its own name."""
        for thing in things:
            self._add(self._name_of(thing), thing)

    def add_lazily(self, name: str, target: str) -> None:
        """Add a thing of ours that is imported when it is first needed, from `module:attribute`."""
        self._add(name, _Target(target))

    def register(self, name: str) -> Callable[[T], T]:
        """Add the decorated thing under that name."""

        def decorate(thing: T) -> T:
            self._add(name, thing)
            return thing

        return decorate

    def __getitem__(self, name: str) -> T:
        """The thing of that name; an error with the nearest names where there is none."""
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
        """The names of our own things, none of which is imported for it."""
        return tuple(self._ours)

    @property
    def ours(self) -> Mapping[str, T]:
        """Our own things by name."""
        return MappingProxyType({name: self._own(name) for name in self._ours})

    @property
    def plugins(self) -> Mapping[str, T]:
        """The things of installed packages by name, without those that cannot be used."""
        if self._plugins is None:
            self.load_plugins(_installed().select(group=self.group))
        return MappingProxyType(self._plugins or {})

    @property
    def failures(self) -> tuple[str, ...]:
        """Why plug-ins cannot be used, a sentence for each; empty where all can."""
        return tuple(self.failed.values())

    @property
    def failed(self) -> Mapping[str, str]:
        """The names of plug-ins that cannot be used, each with the reason."""
        _ = self.plugins  # which finds them
        return MappingProxyType(self._failures)

    @property
    def packages(self) -> tuple[tuple[str, str, str], ...]:
        """Where plug-ins are from: the place of each, its package, and the package's version.

        Package and version are empty where nobody tells.
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
        """The error for a name that cannot be looked up: the plug-in's own, or the nearest names.

        `noun` and `known` are for those who look for a thing among fewer, or by other names.
        """
        remarks = self.failures
        if name in self._failures:
            return HorsesenseError(self._failures[name])
        known = self if known is None else known
        return UnknownNameError(noun or self.noun, name, known, remarks=remarks)

    def reload(self) -> None:
        """Look at the installed packages again when a plug-in is next needed."""
        _installed.cache_clear()
        self._plugins = None

    def load_plugins(self, points: Iterable[EntryPoint]) -> None:
        """Take the things that these entry points bring, in place of all plug-ins so far."""
        self._plugins, self._failures = {}, {}
        sources: dict[str, str] = {}
        for point in points:
            source = _source(point)
            try:
                thing = point.load()
            except Exception as error:  # whatever the code of others may raise
                self._fail(point.name, f"the plug-in {source} cannot be loaded: {_said(error)}")
                continue
            if not isinstance(thing, self._kind):
                self._fail(point.name, f"the plug-in {source} is not a {self.noun}")
                continue
            name = self._name_of(thing)
            if name in self._ours or name in self._reserved:
                message = f"horsesense has a {self.noun} of the name {name!r} already"
                self._fail(point.name, f"the plug-in {source} is not used: {message}; rename it")
            elif name in sources:
                both = f"the plug-ins {sources[name]} and {source} both bring {name!r}"
                self._fail(name, f"{both}; uninstall one of them")
                self._plugins.pop(name, None)
            else:
                sources[name] = source
                self._plugins[name] = self._wrap(thing, source)

    def _fail(self, name: str, message: str) -> None:
        self._failures[name] = message

    def _add(self, name: str, thing: T | _Target) -> None:
        if name in self._ours:
            raise HorsesenseError(f"there are two {self.noun}s of the name {name!r}; rename one")
        self._ours[name] = thing

    def _own(self, name: str) -> T:
        thing = self._ours[name]
        if isinstance(thing, _Target):
            thing = self._ours[name] = cast(T, thing.load())
        return thing


@cache
def _installed() -> Any:
    """The entry points of all installed packages, which takes a moment to find out."""
    return entry_points()


def _source(point: EntryPoint) -> str:
    """A plug-in as messages name it."""
    return (
        f"{point.value!r} of {point.dist.name} {point.dist.version}"
        if point.dist
        else (repr(point.value))
    )


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def blame(function: Callable[P, R], failing: Callable[P, str]) -> Callable[P, R]:
    """A plug-in's function, whose errors are reported as the plug-in's.

    `failing` says, from the same arguments, what fails. Errors that are meant for users pass.
    """

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except HorsesenseError:
            raise
        except Exception as error:  # whatever the code of others may raise
            raise HorsesenseError(f"{failing(*args, **kwargs)}: {_said(error)}") from error

    return call


def blame_each(
    function: Callable[P, Iterable[R]], failing: Callable[P, str]
) -> Callable[P, Iterator[R]]:
    """The same for a function whose items may be computed one by one."""

    def call(*args: P.args, **kwargs: P.kwargs) -> Iterator[R]:
        try:
            yield from function(*args, **kwargs)
        except HorsesenseError:
            raise
        except Exception as error:  # whatever the code of others may raise
            raise HorsesenseError(f"{failing(*args, **kwargs)}: {_said(error)}") from error

    return call
