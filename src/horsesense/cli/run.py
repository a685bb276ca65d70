"""`horsesense run`: the whole protocol, from a plan to a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from horsesense.cli.exit_codes import HAS_GAPS, INTERRUPTED
from horsesense.cli.files import write_whole
from horsesense.cli.output import json_option, note, working
from horsesense.cli.report_files import (
    PAGE,
    SUMMARY,
    WIDTH,
    run_files,
    shown_width,
    why_no_figures,
)
from horsesense.cli.run_again import run_again
from horsesense.cli.run_conducted import conducted
from horsesense.cli.run_estimate import show_estimate
from horsesense.cli.run_folder import RunFiles, default_folder, refuse_foreign, write_run
from horsesense.cli.run_kept import kept_run, refuse_folder
from horsesense.cli.run_options import RunCommand, overruled, plan_options, taken

if TYPE_CHECKING:
    from horsesense.results import Plan, Results


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
@click.option("--config", "-C", metavar="FILE", help="The plan, as an option.")
@plan_options
@click.option(
    "--output",
    "--output_path",
    "-o",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Where the report goes. [horsesense-runs/ID]",
)
@click.option("--force", is_flag=True, help="Overwrite files that are there.")
@click.option("--fresh", "is_fresh", is_flag=True, help="Measure again, in place of what is kept.")
@click.option(
    "--dry-run", "is_dry", is_flag=True, help="Only say what would be asked, and how long it takes."
)
@click.option(
    "--again",
    "again_id",
    metavar="ID",
    help="Measure a run once more from the answers in the store, and say what has changed.",
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

    With nothing else, the embedded default is evaluated on both datasets in the box. PLAN.yaml
    names whatever else is wanted; options overrule it. Only what the store does not hold is asked,
    so that a second run is quick and an interrupted one goes on where it stopped.

    The folder has the page, its tables as Markdown and LaTeX, and all numbers as CSV; `horsesense
    report` writes everything else. lm-evaluation-harness' names for options are understood too
    (--tasks, --output_path, --model hf --model_args pretrained=NAME). The exit code is 7 if
    something that was asked for could not be done: the rest is done, and the report says what is
    missing.

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
    kept = kept_run(plan, path, choices.output)
    if kept is None:
        return None
    _show((kept.folder / SUMMARY).read_text(encoding="utf-8"), kept.id, kept.folder, choices)
    _tell_no_figures(kept.no_figures)
    return _told_missing(kept.missing)


def _run(plan: Plan, path: Path, choices: _Choices) -> int:
    """Conduct the plan, write the report and show it; the exit code."""
    from horsesense.reports.text import text_summary
    from horsesense.reports.writing import report_text

    profile = conducted(plan, path, fresh=choices.is_fresh)
    record, lacking = profile.record, _lacking(profile)
    folder = choices.output or default_folder(record)
    with working("writing the report"):
        no_figures = why_no_figures()
        files = RunFiles(record, lacking, partial(run_files, profile), no_figures)
        write_run(folder, files, overwrite=choices.force)
    if choices.as_json:
        text = report_text(profile, "json")
    else:
        text = text_summary(profile, width=shown_width())
    _show(text, record.id, folder, choices)
    _tell_no_figures(no_figures)
    return _told_missing(lacking)


def _refuse_output(folder: Path, plan: Plan, path: Path, *, overwrite: bool) -> None:
    """Refuse a folder before anything is asked, not when all is to be written."""
    if overwrite:
        refuse_foreign(folder, overwrite=True)
    else:
        refuse_folder(plan, path, folder)


@contextmanager
def _stopping(ctx: click.Context) -> Iterator[None]:
    """Say of an interrupted run that nothing of what was answered is lost."""
    try:
        yield
    except KeyboardInterrupt:
        note("interrupted; what was answered is kept, and the same command goes on from there")
        ctx.exit(INTERRUPTED)


def _refuse_plan(file: str | None, given: dict[str, Any], choices: _Choices) -> None:
    others = (choices.is_dry, choices.save_plan, choices.output, choices.force)
    if file or given or any(others):
        raise click.UsageError("--again takes its plan from the run; only --json goes with it")


def _plan(file: str | None, config: str | None, given: dict[str, Any]) -> Plan:
    """Defaults, overruled by the plan file, overruled by options."""
    from horsesense.evaluation.protocol import plan_from, read_plan

    if file is not None and config is not None:
        raise click.UsageError(f"{file} or {config}? There is one plan")
    source = config if file is None else file
    return overruled(plan_from({} if source is None else read_plan(Path(source))), given)


def _save_plan(plan: Plan, path: Path, *, overwrite: bool) -> None:
    from horsesense.evaluation.protocol import plan_text

    write_whole(path, [plan_text(plan)], overwrite=overwrite)
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


def _lacking(profile: Results) -> tuple[str, ...]:
    """What was asked for by its name and not done; the summary tells that there may be more."""
    return tuple(f"{gap.where}: {gap.reason}" for gap in profile.skipped if gap.is_named)


def _told_missing(lacking: Sequence[str]) -> int:
    """Say what was not done; the exit code."""
    for one in lacking:
        note(f"missing: {one}")
    return HAS_GAPS if lacking else 0
