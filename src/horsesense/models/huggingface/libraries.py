"""The libraries that language models need: imported when first used, and kept quiet."""

from __future__ import annotations

import gc
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from horsesense.errors import HorsesenseError, LibraryError, ModelError

_SILENT = 100  # higher than any level at which something is logged
_LONGEST_REASON = 200
# What no language model can do without.
_LIBRARIES = ("safetensors", "tokenizers", "torch", "transformers")


@contextmanager
def naming_model(name: str, doing: str, remedy: str) -> Iterator[None]:
    """Turn whatever a library raises in here into an error that names the model.

    `doing` says what the model cannot be: loaded, read or asked. Our own errors and a lack of
    memory pass, as do those that are none, such as Ctrl-C.
    """
    try:
        yield
    except (HorsesenseError, MemoryError):
        raise
    except BaseException as error:
        if not is_failure(error):
            raise
        raise LibraryError(
            f"{name} cannot be {doing}: a library raised {_told(error)}\n  {remedy}"
        ) from error


def is_failure(error: BaseException) -> bool:
    """True for an error of a program; those of libraries in Rust are no Exceptions."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def _told(error: BaseException) -> str:
    """The class of an error, and the first line of what it says."""
    first = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    if len(first) > _LONGEST_REASON:
        first = f"{first[:_LONGEST_REASON]}…"
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


@contextmanager
def transformers_quietly() -> Iterator[Any]:
    """The library transformers, without its warnings and progress bars for as long as this lasts.

    What goes wrong is told by the errors that this package raises. Settings are put back, as
    they belong to the whole process.
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
    is_first = "transformers" not in sys.modules
    try:
        import transformers
    except ImportError as error:
        raise missing_extra() from error
    if is_first:
        # What libraries are made of is never garbage. To look through all of it for some takes a
        # quarter of a second, again and again, while every thread waits.
        gc.freeze()
    return transformers


def _no_bar(_factory: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    from transformers.utils import logging

    empty: Any = logging.EmptyTqdm
    return empty(*arguments, **options)


def reason(error: BaseException) -> str:
    """What a library says of an error, in one line.

    >>> reason(ValueError("not a number:\\n   goat"))
    'not a number: goat'
    """
    said = " ".join(str(error).split()) or repr(error)
    return said if len(said) <= _LONGEST_REASON else f"{said[:_LONGEST_REASON]}…"


def check_libraries(names: Iterable[str] = _LIBRARIES) -> None:
    """Fail where a library is not installed; cheap, so that it can be done before all else."""
    if not all(map(find_spec, names)):
        raise missing_extra()


def missing_extra() -> ModelError:
    """What to say where a library is not installed."""
    return ModelError("language models need an extra: pip install 'horsesense[hf]'")
