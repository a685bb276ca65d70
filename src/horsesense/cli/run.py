"""`horsesense run`: the whole protocol, from a plan to a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from horsesense.cli.groups import HAS_GAPS, INTERRUPTED
from horsesense.cli.options import MODEL_ARGUMENTS, TIES, translated
from horsesense.cli.output import WIDTH, json_option, note, shown_width, working
from horsesense.cli.run_plan import following, run_again, show_estimate
from horsesense.datasets.files import write_file
from horsesense.evaluation.protocol import plan_from, plan_text, read_plan
from horsesense.evaluation.run_folder import (
    PAGE,
    SUMMARY,
    RunFiles,
    default_folder,
    find_finished,
    refuse_folder,
    refuse_foreign,
    run_plan,
    write_run,
)
from horsesense.models import DTYPES, Straddling
from horsesense.results import Plan, Results
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
            self.fail(f"{value!r} is not a number of tokens, and not {_AUTO}")
        return int(value)


class RunCommand(click.Command):
    """A command of which `--data` takes all words that follow, as in lm-evaluation-harness."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, once every dataset has its own `--data`."""
        return super().parse_args(ctx, list(_each_with_its_flag(args)))


# Numbers have the limits of horsesense.evaluation.protocol.plans,
# which takes too long to be imported here.
_OPTIONS = (
    click.option(
        "--model",
        "-M",
        "models",
        multiple=True,
        help="Evaluate this model; repeatable. [the embedded default]",
    ),
    click.option(
        *_DATA_FLAGS,
        "data",
        multiple=True,
        help="Use this built-in or stored dataset or file; repeatable. [both built-in ones]",
    ),
    click.option(
        "--perturb",
        "perturbations",
        multiple=True,
        help="Apply this transformation, all, or none; repeatable. [all]",
    ),
    click.option(
        "--method",
        "methods",
        multiple=True,
        help="Use this scoring method, all, or standard; repeatable. [all]",
    ),
    click.option(
        "--subset",
        "subsets",
        multiple=True,
        metavar="EXPRESSION",
        help="Measure this subset too, such as 'animals and not equal-length'; repeatable.",
    ),
    click.option(
        "--wrapper", help=f"Wrap dyads so: 'It is |true, false| that …', or {', '.join(WRAPPERS)}."
    ),
    click.option(
        "--limit",
        "-L",
        type=click.IntRange(1, 2**31 - 1),
        help="Use only the first N schemas and single problems of each dataset.",
    ),
    click.option(
        "--seed", "-s", type=click.IntRange(0, 2**63 - 1), help="Seed all random draws. [0]"
    ),
    click.option(
        "--resamples",
        type=click.IntRange(min=1, max=10_000_000),
        help="Use N bootstrap resamples for an interval. [10000]",
    ),
    click.option("--ties", type=click.Choice(TIES), help="Count an undecided problem as this."),
    click.option(
        "--straddling",
        type=click.Choice([one.value for one in Straddling]),
        help="Count a token that begins in a blank and ends after it as this. [suffix]",
    ),
    click.option(
        "--frequencies", metavar="FILE", help="Read token frequencies, for models without BOS."
    ),
    click.option("--batch", "-b", type=_Batch(), help="Process N tokens at once, or auto. [auto]"),
    click.option("--dtype", type=click.Choice(DTYPES), help="Load weights as this type. [float32]"),
    click.option("--device", help="Run on cpu, cuda, cuda:1 or mps. [cpu]"),
    click.option(
        "--memory",
        type=click.FloatRange(min=0.01, max=10_000),
        metavar="GIB",
        help="Let batches take N GiB of memory, besides the weights. [1.0]",
    ),
    click.option(
        "--allow-pickle",
        is_flag=True,
        default=None,
        help="Load weights that are not safetensors; such files can run any code.",
    ),
    click.option(
        "--keep-going",
        is_flag=True,
        default=None,
        help="Skip problems that a model cannot read, and report them.",
    ),
    click.option(
        MODEL_ARGUMENTS,
        "model_args",
        metavar="pretrained=NAME,…",
        help="Name the model for --model hf, as in lm-evaluation-harness.",
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
        found += [value] if whole else [part for part in re.split(r"[,\s]+", value) if part]
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


@dataclass(frozen=True, slots=True)
class _Choices:
    """What is to become of a run."""

    output: Path | None
    force: bool
    is_fresh: bool
    is_dry: bool
    again_id: str | None
    save_plan: Path | None
    as_json: bool


@click.command("run", cls=RunCommand)
@click.argument("plan_file", required=False, metavar="[PLAN.yaml]")
@click.option("--config", "-C", metavar="FILE", help="Read the plan from this file.")
@plan_options
@click.option(
    "--output",
    "--output_path",
    "-o",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the report to this folder. [horsesense-runs/ID]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option("--fresh", "is_fresh", is_flag=True, help="Measure again, and replace the kept run.")
@click.option(
    "--dry-run", "is_dry", is_flag=True, help="Estimate the queries and the time, and run nothing."
)
@click.option(
    "--again",
    "again_id",
    metavar="ID",
    help="Repeat a run from the answers in the store, and show what changed.",
)
@click.option(
    "--save-plan", type=click.Path(path_type=Path), metavar="FILE", help="Write the plan as YAML."
)
@json_option
@click.pass_context
def run_command(
    ctx: click.Context, /, plan_file: str | None, config: str | None, **options: Any
) -> None:
    """Evaluate models by the whole protocol, and write the report as one page.

    Without arguments, the embedded default is evaluated on both built-in datasets. PLAN.yaml says
    what to do instead; options override it. Answers that are in the store are not computed again,
    so a second run is quick, and an interrupted one continues where it stopped.

    The folder has the page, its tables as Markdown and LaTeX, and all numbers as CSV; `horsesense
    report` writes other formats. The option names of lm-evaluation-harness work too (--tasks,
    --output_path, --model hf --model_args pretrained=NAME). The exit code is 7 if something that
    you asked for could not be done; the report then has the rest, and says what is missing.

    Example:

    \b
        horsesense run
        horsesense run --model gpt2 --model longer --data hs-winograd --limit 20
        horsesense run plan.yaml --dry-run
    """
    given = taken(options)
    choices = _Choices(**options)
    if choices.again_id is not None:
        _refuse_plan(plan_file or config, given, choices)
        with _stopping(ctx):
            ctx.exit(run_again(ctx.obj, choices.again_id, as_json=choices.as_json))
    plan = _plan(plan_file, config, given)
    if choices.save_plan is not None:
        _save_plan(plan, choices.save_plan, overwrite=choices.force)
    if choices.is_dry:
        show_estimate(plan, ctx.obj, as_json=choices.as_json)
        return
    if choices.output is not None:
        _refuse_output(choices.output, plan, ctx.obj, overwrite=choices.force)
    with _stopping(ctx):
        code = _shown_again(plan, ctx.obj, choices)
        ctx.exit(_run(plan, ctx.obj, choices) if code is None else code)


def _shown_again(plan: Plan, path: Path, choices: _Choices) -> int | None:
    """Show the run of that plan if it needs nothing but to be shown; the exit code."""
    if choices.force or choices.is_fresh or choices.as_json or shown_width() != WIDTH:
        return None
    kept = find_finished(plan, path, choices.output, note=note)
    if kept is None:
        return None
    _show((kept.folder / SUMMARY).read_text(encoding="utf-8"), kept.id, kept.folder, choices)
    _tell_no_figures(kept.no_figures)
    return _told_missing(kept.missing)


def _run(plan: Plan, path: Path, choices: _Choices) -> int:
    """Conduct the plan, write the report and show it; the exit code."""
    with following() as tell:
        results = run_plan(plan, path, fresh=choices.is_fresh, on_progress=tell, note=note)
    record, lacking = results.record, _lacking(results)
    folder = choices.output or default_folder(record)
    # Here, as a finished run is shown again without numpy and the reports.
    from horsesense.reports import build_report, text_summary
    from horsesense.reports.figures import why_none
    from horsesense.reports.writing import report_text, run_files

    with working("writing the report"):
        report = build_report(results)
        no_figures = why_none()
        files = RunFiles(record, lacking, partial(run_files, report), no_figures)
        write_run(folder, files, overwrite=choices.force)
    if choices.as_json:
        text = report_text(report, "json")
    else:
        text = text_summary(report, width=shown_width())
    _show(text, record.id, folder, choices)
    _tell_no_figures(no_figures)
    return _told_missing(lacking)


def _refuse_output(folder: Path, plan: Plan, path: Path, *, overwrite: bool) -> None:
    """Refuse a folder before anything is asked, not when all is to be written."""
    if overwrite:
        refuse_foreign(folder, overwrite=True)
    else:
        refuse_folder(plan, path, folder, note=note)


@contextmanager
def _stopping(ctx: click.Context) -> Iterator[None]:
    """Say of an interrupted run that nothing of what was answered is lost."""
    try:
        yield
    except KeyboardInterrupt:
        note("interrupted; all answers so far are kept, and the same command continues from there")
        ctx.exit(INTERRUPTED)


def _refuse_plan(file: str | None, given: dict[str, Any], choices: _Choices) -> None:
    others = (choices.is_dry, choices.save_plan, choices.output, choices.force)
    if file or given or any(others):
        raise click.UsageError("--again takes its plan from the run; only --json goes with it")


def _plan(file: str | None, config: str | None, given: dict[str, Any]) -> Plan:
    """Defaults, overruled by the plan file, overruled by options."""
    if file is not None and config is not None:
        raise click.UsageError(f"give one plan, not both {file} and {config}")
    source = config if file is None else file
    return overruled(plan_from({} if source is None else read_plan(Path(source))), given)


def _save_plan(plan: Plan, path: Path, *, overwrite: bool) -> None:
    write_file(path, [plan_text(plan)], overwrite=overwrite)
    note(f"plan: {path}")


def _show(text: str, id: str, folder: Path, choices: _Choices) -> None:
    click.echo(text, nl=not choices.as_json)
    if not choices.as_json:
        click.echo(f"run:  {id}")
        click.echo(f"page: {folder / PAGE}")


def _tell_no_figures(reason: str) -> None:
    """Say why the page has no figures; all that was measured is in it."""
    if reason:
        note(f"the page has no figures: {reason}")


def _lacking(results: Results) -> tuple[str, ...]:
    """What was asked for by its name and not done; the summary tells that there may be more."""
    return tuple(f"{gap.where}: {gap.reason}" for gap in results.skipped if gap.is_named)


def _told_missing(lacking: Sequence[str]) -> int:
    """Say what was not done; the exit code."""
    for text in lacking:
        note(f"missing: {text}")
    return HAS_GAPS if lacking else 0
