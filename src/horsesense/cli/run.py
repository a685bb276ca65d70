"""`horsesense run`: its options and help, without the imports that it needs to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from horsesense.cli.completing import (
    complete_data,
    complete_files,
    complete_models,
    complete_runs,
    complete_transformations,
)
from horsesense.cli.groups import LazyCommand
from horsesense.cli.offline import offline_option

Command = TypeVar("Command", bound=Callable[..., Any])
_AUTO = "auto"
# The value of `--batch auto`; None means that the option was not given.
AUTO_BATCH = 0
_DATA_FLAGS = ("--data", "--tasks", "-t")
PLAN_SUFFIXES = (".yaml", ".yml")
# The same as in horsesense.models, horsesense.metrics and horsesense.schema, which are slow to
# import; a test compares them.
DTYPES = ("float32", "float64", "bfloat16", "float16")
STRADDLING = ("suffix", "blank")
TIES = ("failed", "half")
WRAPPERS = ("true", "correct", "plausible", "probable", "generally", "right", "agree")
MODEL_ARGUMENTS = "--model_args"
# Options of lm-evaluation-harness that are not here, with what to know instead.
_LM_EVAL = {
    "--apply_chat_template": "texts are scored as they are; --chat talks to the model instead",
    "--batch_size": "--batch counts tokens instead of texts, and is chosen for you by default",
    "--fewshot_as_multiturn": "--chat --method letter@4 talks to the model with four examples",
    "--gen_kwargs": "the options of each problem are scored; chat replies are the most likely ones",
    "--include_path": "give the files to --data",
    "--log_samples": "every answer is stored anyway; 'horsesense report --format csv' writes them",
    "--max_batch_size": "--batch counts tokens instead of texts, and is chosen for you by default",
    "--num_fewshot": "texts are scored without examples; --method letter@4 is a chat with four",
    "--system_instruction": "write it into a copy of a chat protocol, and give it to --method",
    "--trust_remote_code": "code that comes with a model is never run",
    "--use_cache": "every answer is stored anyway, and not computed again",
}
# The error if both are given.
ONE_SUBSET = "--limit draws schemas at random, and --first takes the first ones; give only one"


class _Batch(click.ParamType[int]):
    """The number of tokens in a batch, or `auto`."""

    name = "batch"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if value == _AUTO:
            return AUTO_BATCH
        if not str(value).isdecimal() or not int(value):
            self.fail(f"{value!r} is neither a number of tokens nor {_AUTO}")
        return int(value)


class RunCommand(LazyCommand):
    """A command whose `--data` accepts several words, as in lm-evaluation-harness."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line after giving every dataset its own `--data`."""
        try:
            return super().parse_args(ctx, list(_repeat_data_flag(args)))
        except click.NoSuchOption as error:
            if error.option_name not in _LM_EVAL:
                raise
            message = f"No such option '{error.option_name}': {_LM_EVAL[error.option_name]}"
            raise click.UsageError(message, ctx) from error


# The ranges of numbers are the same as in horsesense.evaluation.protocol.plans.
_OPTIONS = (
    click.option(
        "--model",
        "-M",
        "models",
        multiple=True,
        help="Model to evaluate; repeatable. [the embedded default]",
        shell_complete=complete_models,
    ),
    click.option(
        *_DATA_FLAGS,
        "data",
        multiple=True,
        shell_complete=complete_data,
        help="Built-in, stored or published dataset, or a file; repeatable. [both built-in ones]",
    ),
    click.option(
        "--perturb",
        "perturbations",
        multiple=True,
        help="Transformation to apply, all, or none; repeatable. [all]",
        shell_complete=complete_transformations,
    ),
    click.option(
        "--method",
        "methods",
        multiple=True,
        help="Scoring method, all, or standard; repeatable. [all]",
    ),
    click.option(
        "--subset",
        "subsets",
        multiple=True,
        metavar="EXPRESSION",
        help="Additional subset, such as 'animals and not equal-length'; repeatable.",
    ),
    click.option(
        "--wrapper",
        help=f"Wrapper for dyads: 'It is |true, false| that …', or {', '.join(WRAPPERS)}.",
    ),
    click.option(
        "--limit",
        "-L",
        "sample",
        metavar="N",
        type=click.IntRange(1, 2**31 - 1),
        help="Use only N schemas of each dataset, drawn at random by --seed; unlike in"
        " lm-evaluation-harness, not the first ones.",
    ),
    click.option(
        "--first",
        "first",
        metavar="N",
        type=click.IntRange(1, 2**31 - 1),
        help="Use only the first N schemas of each dataset.",
    ),
    click.option("--seed", "-s", type=click.IntRange(0, 2**63 - 1), help="Random seed. [0]"),
    click.option(
        "--resamples",
        type=click.IntRange(min=1, max=10_000_000),
        help="Number of bootstrap resamples. [10000]",
    ),
    click.option(
        "--ties", type=click.Choice(TIES), help="How to count an undecided problem. [failed]"
    ),
    click.option(
        "--straddling",
        type=click.Choice(STRADDLING),
        help="Where to count a token that crosses the end of a blank. [suffix]",
    ),
    click.option(
        "--frequencies",
        metavar="FILE",
        help="Token frequencies, for the first token of models without BOS.",
        shell_complete=complete_files,
    ),
    click.option("--batch", "-b", type=_Batch(), help="Tokens per batch, or auto. [auto]"),
    click.option("--dtype", type=click.Choice(DTYPES), help="Data type of the weights. [float32]"),
    click.option("--device", help="Device: cpu, cuda, cuda:1 or mps. [cpu]"),
    click.option(
        "--memory",
        type=click.FloatRange(min=0.01, max=10_000),
        metavar="GIB",
        help="Memory for batches in GiB, not counting the weights. [1.0]",
    ),
    click.option(
        "--allow-pickle",
        is_flag=True,
        default=None,
        help="Allow weights that are not safetensors; such files can run any code.",
    ),
    click.option(
        "--keep-going",
        is_flag=True,
        default=None,
        help="Skip problems that a model cannot tokenize, and report them.",
    ),
    click.option(
        MODEL_ARGUMENTS,
        "model_args",
        metavar="NAME=VALUE,…",
        help="Arguments of --model hf or local-completions, as in lm-evaluation-harness.",
    ),
)
# The fields of a plan for models behind a server, each with the range of its value.
SERVER_FIELDS = (
    *("tokenizer", "concurrency", "timeout", "retries"),
    *("max_requests", "max_tokens", "max_cost", "price_input", "price_output"),
)
_SERVER_OPTIONS = (
    click.option(
        "--tokenizer",
        metavar="NAME",
        help="Folder or name of a model with the tokenizer of the served one. [the server's]",
        shell_complete=complete_models,
    ),
    click.option(
        "--concurrency",
        metavar="N",
        type=click.IntRange(1, 1024),
        help="Requests to a server in flight at once. [8]",
    ),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(0.1, 86_400),
        help="How long to wait for the answer to a request. [120]",
    ),
    click.option(
        "--retries",
        metavar="N",
        type=click.IntRange(0, 100),
        help="How often to send a failed request again. [6]",
    ),
    click.option(
        "--max-requests",
        metavar="N",
        type=click.IntRange(min=0, max=2**63 - 1),
        help="Send at most N requests to servers, retries included. [no limit]",
    ),
    click.option(
        "--max-tokens",
        metavar="N",
        type=click.IntRange(min=0, max=2**63 - 1),
        help="Use at most N tokens of servers, prompts and replies together. [no limit]",
    ),
    click.option(
        "--max-cost",
        metavar="AMOUNT",
        type=click.FloatRange(min=0, max=1e12),
        help="Spend at most this much, by the prices that you give. [no limit]",
    ),
    click.option(
        "--price-input",
        metavar="AMOUNT",
        type=click.FloatRange(min=0, max=1e9),
        help="Price of a million prompt tokens, in any currency.",
    ),
    click.option(
        "--price-output",
        metavar="AMOUNT",
        type=click.FloatRange(min=0, max=1e9),
        help="Price of a million tokens of replies.",
    ),
)


def plan_options(command: Command) -> Command:
    """Add the options that make up a plan."""
    command = server_options(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def server_options(command: Command) -> Command:
    """Add the options for models behind a server."""
    for option in reversed(_SERVER_OPTIONS):
        command = option(command)
    return command


@click.command("run", cls=RunCommand, target="horsesense.cli.running:run")
@click.argument(
    "plan_file",
    required=False,
    metavar="[PLAN.yaml]",
    shell_complete=complete_files,
)
@click.option(
    "--config",
    "-C",
    metavar="FILE",
    help="Plan file.",
    shell_complete=complete_files,
)
@plan_options
@click.option(
    "--chat",
    "with_chat",
    is_flag=True,
    help="Also talk to each local model, with its own chat template, by all chat protocols.",
)
@offline_option
@click.option(
    "--output",
    "--output_path",
    "-o",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder for the report. [horsesense-runs/ID]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--fresh", "is_fresh", is_flag=True, help="Run again, and replace the stored run.")
@click.option(
    "--dry-run",
    "is_dry",
    is_flag=True,
    help="Estimate the number of queries and the time, and exit.",
)
@click.option(
    "--again",
    "again_id",
    metavar="ID",
    help="Repeat a stored run from cached answers, and show what changed.",
    shell_complete=complete_runs,
)
@click.option(
    "--save-plan",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write the plan to, as YAML.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def run_command() -> None:
    """Evaluate models, and write a report.

    Without arguments, the embedded default is evaluated on both built-in datasets. PLAN.yaml
    configures another evaluation; options override it. Cached answers are not computed again, so a
    second run is fast, and an interrupted run continues where it stopped.

    The output folder has the report as an HTML page, its tables as Markdown and LaTeX, and all
    numbers as CSV; `horsesense report` writes other formats. Option names of
    lm-evaluation-harness work too (--tasks, --output_path, --model hf --model_args
    pretrained=NAME).

    A model behind a server is KIND:NAME@URL, where KIND is vllm, sglang, llama.cpp, openai (any
    server that returns the log-probabilities of a prompt) or chat. chat:NAME talks to a model on
    this machine. A key is read from the environment variable HORSESENSE_API_KEY, or from the file
    that HORSESENSE_API_KEY_FILE names; HORSESENSE_API_KEY_HOST is for one HOST only.

    The exit code is 7 if something that you requested could not be done; the
    report covers the rest and lists what is missing.

    Example:

    \b
        horsesense run
        horsesense run --model gpt2 --model longer --data hs-winograd --limit 40
        horsesense run --data winogrande
        horsesense run --model vllm:acme/ant-7b@http://127.0.0.1:8000
        horsesense run --model smollm2-135m --chat --perturb none
        horsesense run plan.yaml --dry-run
    """


def _repeat_data_flag(arguments: Sequence[str]) -> Iterable[str]:
    """Put `--data` before each word that follows one, except before a plan file.

    >>> list(_repeat_data_flag(["--tasks", "owls", "moors", "night.yaml", "--limit", "4"]))
    ['--tasks', 'owls', '--tasks', 'moors', 'night.yaml', '--limit', '4']
    """
    flag, is_first = "", False
    for word in arguments:
        if word in _DATA_FLAGS:
            flag, is_first = word, True
        elif flag and not is_first and not word.startswith("-"):
            if not word.endswith(PLAN_SUFFIXES):
                yield flag
        elif is_first:
            is_first = False
        else:
            flag = ""
        yield word
