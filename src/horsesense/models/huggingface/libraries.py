"""The libraries that language models need: imported on first use, with their output silenced."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from horsesense.errors import HorsesenseError, LibraryError, ModelError

_SILENT = 100  # higher than any logging level
_LONGEST_REASON = 200
# The libraries every language model needs.
_LIBRARIES = ("safetensors", "tokenizers", "torch", "transformers")


@contextmanager
def model_errors(name: str, doing: str, remedy: str) -> Iterator[None]:
    """Turn errors of libraries into an error that names the model.

    `doing` says what the model cannot be: loaded, queried or used. Our own errors, MemoryError
    and interruptions such as Ctrl-C are not changed.
    """
    try:
        yield
    except (HorsesenseError, MemoryError):
        raise
    except BaseException as error:
        if not is_failure(error):
            raise
        raise LibraryError(
            f"{name} cannot be {doing}: a library raised {_summary(error)}\n  {remedy}"
        ) from error


def is_failure(error: BaseException) -> bool:
    """Return whether it is an error; panics of Rust libraries are not Exceptions."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def _summary(error: BaseException) -> str:
    """Return the class and the first line of an error."""
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    if len(first) > _LONGEST_REASON:
        first = f"{first[:_LONGEST_REASON]}…"
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


@contextmanager
def transformers_quietly() -> Iterator[Any]:
    """Provide transformers without its warnings and progress bars inside the context.

    Problems are reported by the errors of this package. The settings are restored afterwards, as
    they are global.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        transformers = _imported()
        from transformers.utils import logging

        level = logging.get_verbosity()
        hook = logging.set_tqdm_hook(_no_bar)
        logging.set_verbosity(_SILENT)
        try:
            yield transformers
        finally:
            logging.set_verbosity(level)
            logging.set_tqdm_hook(hook)


def _imported() -> Any:
    with importing_libraries():
        try:
            import transformers
        except ImportError as error:
            raise missing_extra() from error
    return transformers


@contextmanager
def importing_libraries() -> Iterator[None]:
    """Collect no garbage while libraries are imported, and ignore their objects afterwards.

    These objects are never garbage. While they are created, collections take a fifth of the time;
    scanning them later takes a quarter of a second, during which all threads wait.
    """
    was_enabled, before = gc.isenabled(), len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > before:
            gc.freeze()
        if was_enabled:
            gc.enable()


def _no_bar(_factory: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    from transformers.utils import logging

    empty: Any = logging.EmptyTqdm
    return empty(*arguments, **options)


def reason(error: BaseException) -> str:
    """Return the message of an error in one line.

    >>> reason(ValueError("not a number:\\n   goat"))
    'not a number: goat'
    """
    message = " ".join(str(error).split()) or repr(error)
    return message if len(message) <= _LONGEST_REASON else f"{message[:_LONGEST_REASON]}…"


def check_libraries(names: Iterable[str] = _LIBRARIES) -> None:
    """Raise an error if a library is not installed, without importing it."""
    if not all(map(find_spec, names)):
        raise missing_extra()


def missing_extra() -> ModelError:
    """Return the error for a library that is not installed."""
    return ModelError("language models need an extra: pip install 'horsesense[hf]'")
