"""What other packages bring by entry points: loaded, checked, and never taken for a bug of ours.

A group of entry points has one kind of thing, each with a name of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Generic, ParamSpec, Protocol, TypeVar

from horsesense.errors import HorsesenseError


class Named(Protocol):
    """Whatever has a name."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...


N = TypeVar("N", bound=Named)
P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Brought(Generic[N]):
    """A thing, and the entry point that it comes from."""

    thing: N
    source: str


def brought(
    points: Iterable[EntryPoint], kind: type[N], noun: str, taken: Container[str]
) -> Iterator[Brought[N]]:
    """What entry points bring; one that brings nothing of the kind is an error that names it."""
    names: set[str] = set()
    for point in points:
        try:
            thing = point.load()
        except Exception as error:  # whatever the code of others may raise
            raise HorsesenseError(f"the entry point {point.value!r} fails: {error}") from error
        if not isinstance(thing, kind):
            raise HorsesenseError(f"the entry point {point.value!r} is no {noun}")
        if thing.name in taken or thing.name in names:
            raise HorsesenseError(f"the entry point {point.value!r} brings a second {thing.name!r}")
        names.add(thing.name)
        yield Brought(thing, point.value)


def guarded(function: Callable[P, R], failing: Callable[P, str]) -> Callable[P, R]:
    """The function of another package, whose own errors are told as such.

    `failing` says, of the same arguments, what fails.
    """

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except HorsesenseError:
            raise
        except Exception as error:  # whatever the code of others may raise
            told = f"{type(error).__name__}: {error}"
            raise HorsesenseError(f"{failing(*args, **kwargs)}: {told}") from error

    return call
