"""The options of `horsesense run` that choose a plan, and how they overrule a plan file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from horsesense.cli.harness_options import MODEL_ARGUMENTS, translated
from horsesense.cli.metric_options import TIES
from horsesense.models import DTYPES, Straddling
from horsesense.results import Plan
from horsesense.schema.notation import WRAPPERS

Command = TypeVar("Command", bound=Callable[..., Any])
_AUTO = "auto"
# What `--batch auto` is, as None says that the option was not given.
_AUTOMATIC = 0
_DATA_FLAGS = ("--data", "--tasks", "-t")
_PLAN_SUFFIXES = (".yaml", ".yml")


class _Batch(click.ParamType[int]):
    """How many tokens go through a model at once, or `auto`."""

    name = "batch"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == _AUTO:
            return _AUTOMATIC
        if not str(value).isdecimal() or not int(value):
            self.fail(f"{value!r} is neither {_AUTO} nor a number of tokens")
        return int(value)


class RunCommand(click.Command):
    """A command of which `--data` takes all words that follow, as in lm-evaluation-harness."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, once every dataset has its own `--data`."""
        return super().parse_args(ctx, list(_each_with_its_flag(args)))


# Numbers have the limits of horsesense.evaluation.protocol.fields,
# which takes too long to be imported here.
_OPTIONS = (
    click.option(
        "--model", "-M", "models", multiple=True, help="May be repeated. [the embedded default]"
    ),
    click.option(
        *_DATA_FLAGS,
        "data",
        multiple=True,
        help="A dataset of the box or the store, or a file; may be repeated. [both of the box]",
    ),
    click.option(
        "--perturb",
        "perturbations",
        multiple=True,
        help="A transformation, all, or none; may be repeated. [all]",
    ),
    click.option(
        "--method",
        "methods",
        multiple=True,
        help="A scoring method, all, or standard; may be repeated. [all]",
    ),
    click.option(
        "--subset",
        "subsets",
        multiple=True,
        metavar="EXPRESSION",
        help="Besides the usual ones, such as 'animals and not equal-length'; may be repeated.",
    ),
    click.option(
        "--wrapper", help=f"That of dyads: 'It is |true, false| that …', or {', '.join(WRAPPERS)}."
    ),
    click.option(
        "--limit",
        "-L",
        type=click.IntRange(1, 2**31 - 1),
        help="Use only the first N schemas and single problems of each dataset.",
    ),
    click.option(
        "--seed", "-s", type=click.IntRange(0, 2**63 - 1), help="What draws depend on. [0]"
    ),
    click.option(
        "--resamples",
        type=click.IntRange(min=1, max=10_000_000),
        help="How often schemas are drawn anew for an interval. [10000]",
    ),
    click.option("--ties", type=click.Choice(TIES), help="What an undecided problem counts for."),
    click.option(
        "--straddling",
        type=click.Choice([one.value for one in Straddling]),
        help="What a token counts as that begins in a blank and ends after it. [suffix]",
    ),
    click.option(
        "--frequencies", metavar="FILE", help="Token frequencies, for models without BOS."
    ),
    click.option("--batch", "-b", type=_Batch(), help="Tokens at once, or auto. [auto]"),
    click.option("--dtype", type=click.Choice(DTYPES), help="The type of the weights. [float32]"),
    click.option("--device", help="cpu, cuda, cuda:1 or mps. [cpu]"),
    click.option(
        "--memory",
        type=click.FloatRange(min=0.01, max=10_000),
        metavar="GIB",
        help="What batches may take in memory, besides the weights. [1.0]",
    ),
    click.option(
        "--allow-pickle",
        is_flag=True,
        default=None,
        help="Load weights that are no safetensors; such a file can run any program.",
    ),
    click.option(
        "--keep-going",
        is_flag=True,
        default=None,
        help="Leave out problems that a model cannot read, and say so.",
    ),
    click.option(
        MODEL_ARGUMENTS,
        "model_args",
        metavar="pretrained=NAME,…",
        help="With --model hf, as lm-evaluation-harness has it.",
    ),
)
_LISTS = ("models", "data", "perturbations", "methods")
_FIELDS = (
    *_LISTS,
    *("subsets", "wrapper", "limit", "seed", "resamples", "ties", "straddling", "frequencies"),
    *("batch", "dtype", "device", "memory", "allow_pickle", "keep_going"),
)


def plan_options(command: Command) -> Command:
    """Add the options that `overruled` takes."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def taken(options: dict[str, Any]) -> dict[str, Any]:
    """Take what was given of a plan out of a command's options, as fields of a plan."""
    given = {name: options.pop(name) for name in _FIELDS}
    given = {name: value for name, value in given.items() if value not in (None, ())}
    for name in _LISTS:
        if name in given:
            given[name] = _separated(given[name])
    if given.get("batch") == _AUTOMATIC:
        given["batch"] = None
    return translated(given, options.pop("model_args"))


def overruled(plan: Plan, given: dict[str, Any]) -> Plan:
    """The plan, but for what was given on the command line."""
    return replace(plan, **given)


def _separated(values: Iterable[str]) -> tuple[str, ...]:
    """Lists with commas or spaces in them word by word, each once; a path stays whole.

    >>> _separated(["full,partial", "smart@1 full"])
    ('full', 'partial', 'smart@1')
    """
    found: list[str] = []
    for value in values:
        whole = not value.strip() or Path(value).exists()
        found += [value] if whole else [one for one in re.split(r"[,\s]+", value) if one]
    return tuple(dict.fromkeys(found))


def _each_with_its_flag(arguments: Sequence[str]) -> Iterable[str]:
    """The command line, in which each word after `--data` has a `--data` before it; no plan does.

    >>> list(_each_with_its_flag(["--tasks", "owls", "moors", "night.yaml", "--limit", "4"]))
    ['--tasks', 'owls', '--tasks', 'moors', 'night.yaml', '--limit', '4']
    """
    flag, is_first = "", False
    for word in arguments:
        if word in _DATA_FLAGS:
            flag, is_first = word, True
        elif flag and not is_first and not word.startswith("-"):
            if not word.endswith(_PLAN_SUFFIXES):
                yield flag
        elif is_first:
            is_first = False
        else:
            flag = ""
        yield word
