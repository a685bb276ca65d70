"""How lm-evaluation-harness names a model on its command line, in our words."""

from __future__ import annotations

from typing import Any

import click

from horsesense.models import DTYPES

MODEL_ARGUMENTS = "--model_args"
# Its words for a model of transformers; which family it is, we read from the model's config.
_HARNESS_MODELS = ("hf", "huggingface", "hf-auto", "hf-mlm", "hf-seq2seq")
_NAME, _DTYPE, _DEVICE = "pretrained", "dtype", "device"
_USAGE = f"{MODEL_ARGUMENTS} is for --model hf, as in --model hf {MODEL_ARGUMENTS} {_NAME}=NAME"
_AUTO = "auto"


def translated(given: dict[str, Any], arguments: str | None) -> dict[str, Any]:
    """The fields of a plan, in which `hf` and its arguments are the model that they mean.

    >>> translated({"models": ("hf", "longer")}, "pretrained=ant,dtype=float16")
    {'models': ('ant', 'longer'), 'dtype': 'float16'}
    """
    models = given.get("models", ())
    is_meant = any(name in _HARNESS_MODELS for name in models)
    if arguments is None and not is_meant:
        return given
    if arguments is None:
        named = next(name for name in models if name in _HARNESS_MODELS)
        raise click.UsageError(f"--model {named} wants {MODEL_ARGUMENTS} {_NAME}=NAME")
    if not is_meant:
        raise click.UsageError(_USAGE)
    values = _read(arguments)
    if _NAME not in values:
        raise click.UsageError(f"{MODEL_ARGUMENTS} names no model: {_NAME}=NAME is missing")
    name = values.pop(_NAME)
    named = (name if one in _HARNESS_MODELS else one for one in models)
    chosen = {**given, "models": tuple(dict.fromkeys(named))}
    for key, value in values.items():
        if key in given and given[key] != value:
            raise click.UsageError(f"--{key} {given[key]} and {MODEL_ARGUMENTS} {key}={value}?")
        chosen[key] = value
    return chosen


def _read(arguments: str) -> dict[str, str]:
    """What is said of the model; what we have nothing for is refused, not left out."""
    values: dict[str, str] = {}
    for part in filter(None, (one.strip() for one in arguments.split(","))):
        key, equals, value = part.partition("=")
        if not equals or not value:
            raise click.UsageError(f"{MODEL_ARGUMENTS}: {part!r} is not of the form NAME=VALUE")
        if key not in (_NAME, _DTYPE, _DEVICE):
            raise click.UsageError(
                f"{MODEL_ARGUMENTS}: there is nothing here for {key!r}; {_NAME}, {_DTYPE} and"
                f" {_DEVICE} are known"
            )
        values[key] = value
    if values.get(_DTYPE, DTYPES[0]) not in DTYPES:
        known = ", ".join(DTYPES)
        auto = ", and is float32 if you say nothing" if values[_DTYPE] == _AUTO else ""
        raise click.UsageError(f"{MODEL_ARGUMENTS}: {_DTYPE} is one of {known}{auto}")
    return values
