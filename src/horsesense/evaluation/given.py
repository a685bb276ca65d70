"""What is given to be evaluated: names as they are, everything else as a model or a dataset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from os import PathLike, fspath
from typing import Any

from horsesense.errors import HorsesenseError, ModelError
from horsesense.models import Baseline, LanguageModel, Model, wrap_model
from horsesense.schema import Dataset, Entry, Header
from horsesense.schema.notation import SchemaFile

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
