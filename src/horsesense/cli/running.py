"""Run a plan, write its report, and show it: the work of `horsesense run`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from horsesense.cli.groups import INTERRUPTED, IS_INCOMPLETE, load_target
from horsesense.cli.options import resolve_harness_model
from horsesense.cli.output import WIDTH, note, output_width, show_findings
from horsesense.cli.place import prepare_store
from horsesense.cli.run import AUTO_BATCH, ONE_SUBSET, PLAN_SUFFIXES, SERVER_FIELDS
from horsesense.cli.run_plan import run_again, show_estimate, show_progress
from horsesense.datasets.files import write_file
from horsesense.datasets.importers import needs_attention
from horsesense.errors import FileError
from horsesense.evaluation.protocol import plan_from, plan_text, read_plan, with_chat_models
from horsesense.evaluation.run_folder import (
    PAGE,
    SUMMARY,
    default_folder,
    find_finished,
    refuse_folder,
    refuse_foreign,
    run_plan,
)
from horsesense.models import CHAT
from horsesense.results import Plan, Results

# Signs of a schema in notation, which has commas and spaces of its own.
_SCHEMA_SIGNS = frozenset("<>{}")
_LISTS = ("models", "data", "perturbations", "methods")
_FIELDS = (
    *_LISTS,
    *(
        "subsets",
        "wrapper",
        "sample",
        "first",
        "seed",
        "resamples",
        "ties",
        "straddling",
        "frequencies",
    ),
    *("batch", "dtype", "device", "memory", "allow_pickle", "keep_going"),
    *SERVER_FIELDS,
)


@dataclass(frozen=True, slots=True)
class _Choices:
    """The options of `run` that are not part of the plan."""

    output: Path | None
    force: bool
    is_fresh: bool
    is_dry: bool
    again_id: str | None
    save_plan: Path | None
    as_json: bool
    with_chat: bool


@click.pass_context
def run(ctx: click.Context, /, plan_file: str | None, config: str | None, **options: Any) -> None:
    """Do what the options of `horsesense run` say, and exit with its code."""
    fields = pop_plan_fields(options)
    choices = _Choices(**options)
    if choices.again_id is not None:
        _refuse_plan(plan_file or config, fields, choices)
        with _stopping(ctx):
            ctx.exit(run_again(ctx.obj, choices.again_id, as_json=choices.as_json))
    plan = _plan(plan_file, config, fields)
    if choices.with_chat:
        plan = replace(plan, models=_with_chat(plan.models))
    if choices.save_plan is not None:
        _save_plan(plan, choices.save_plan, overwrite=choices.force)
    if choices.is_dry:
        show_estimate(plan, ctx.obj, as_json=choices.as_json)
        return
    prepare_store(ctx.obj)
    if choices.output is not None:
        _refuse_output(choices.output, plan, ctx.obj, overwrite=choices.force)
    with _stopping(ctx):
        code = _show_finished(plan, ctx.obj, choices)
        ctx.exit(_run(plan, ctx.obj, choices) if code is None else code)


def _with_chat(models: Sequence[str]) -> tuple[str, ...]:
    """Add each local model as a chat model."""
    every = with_chat_models(models)
    if not any(name.startswith(CHAT) for name in every):
        raise click.UsageError(
            "--chat talks to models on this machine, and the plan has none; for one behind a server"
            " use --model chat:NAME@URL"
        )
    return every


def pop_plan_fields(options: dict[str, Any]) -> dict[str, Any]:
    """Remove the options that were given for a plan, and return them as fields of a plan."""
    fields = {name: options.pop(name) for name in _FIELDS}
    fields = {name: value for name, value in fields.items() if value not in (None, ())}
    for name in _LISTS:
        if name in fields:
            fields[name] = _separated(fields[name])
    if fields.get("batch") == AUTO_BATCH:
        fields["batch"] = None
    return resolve_harness_model(fields, options.pop("model_args"))


def _separated(values: Iterable[str]) -> tuple[str, ...]:
    """Split values at commas and spaces, each part once; paths and schemas stay whole.

    >>> _separated(["full,partial", "smart@1 full"])
    ('full', 'partial', 'smart@1')
    """
    parts: list[str] = []
    for value in values:
        whole = not value.strip() or Path(value).exists() or not _SCHEMA_SIGNS.isdisjoint(value)
        parts += [value] if whole else [part for part in re.split(r"[,\s]+", value) if part]
    return tuple(dict.fromkeys(parts))


def _show_finished(plan: Plan, path: Path, choices: _Choices) -> int | None:
    """Show the finished run of that plan, if there is one, and return the exit code."""
    if choices.force or choices.is_fresh or choices.as_json or output_width() != WIDTH:
        return None
    finished = find_finished(plan, path, choices.output, note=note)
    if finished is None:
        return None
    folder, manifest = finished
    _show((folder / SUMMARY).read_text(encoding="utf-8"), manifest.id, folder, choices)
    _report_no_figures(manifest.no_figures)
    return _report_missing(manifest.missing)


def _run(plan: Plan, path: Path, choices: _Choices) -> int:
    """Run the plan, write and show the report, and return the exit code."""
    with show_progress() as draw:
        results = run_plan(plan, path, fresh=choices.is_fresh, on_progress=draw, note=note)
    missing = _missing(results)
    folder = choices.output or default_folder(results.record)
    # Loaded only here, so that a finished run is shown again without numpy and the reports.
    write_report = load_target("horsesense.cli.run_report:write_report")
    text, no_figures = write_report(
        results, missing, folder, overwrite=choices.force, as_json=choices.as_json
    )
    _show(text, results.record.id, folder, choices)
    _report_no_figures(no_figures)
    _report_mistakes(results)
    return _report_missing(missing)


def _refuse_output(folder: Path, plan: Plan, path: Path, *, overwrite: bool) -> None:
    """Check that the folder can be written to before the model is queried."""
    if overwrite:
        refuse_foreign(folder, overwrite=True)
    else:
        refuse_folder(plan, path, folder, note=note)


@contextmanager
def _stopping(ctx: click.Context) -> Iterator[None]:
    """Tell the user of an interrupted run that all answers so far are stored."""
    try:
        yield
    except KeyboardInterrupt:
        note("interrupted; all answers so far are stored; run the same command again to continue")
        ctx.exit(INTERRUPTED)


def _refuse_plan(file: str | None, fields: dict[str, Any], choices: _Choices) -> None:
    """Reject options that cannot be combined with --again."""
    others = (choices.is_dry, choices.save_plan, choices.output, choices.force, choices.with_chat)
    if file or fields or any(others):
        raise click.UsageError(
            "--again uses the plan of the run; it can only be combined with --json"
        )


def _plan(file: str | None, config: str | None, fields: dict[str, Any]) -> Plan:
    """Combine the defaults, the plan file and the options; later ones override earlier ones."""
    if file is not None and config is not None:
        raise click.UsageError(f"give only one plan file, not both {file} and {config}")
    if "sample" in fields and "first" in fields:
        raise click.UsageError(ONE_SUBSET)
    source = config if file is None else file
    plan = plan_from({} if source is None else _plan_values(source))
    if "sample" in fields or "first" in fields:
        plan = replace(plan, sample=None, first=None)
    return replace(plan, **fields)


def _plan_values(file: str) -> dict[str, Any]:
    """Read a plan file; if another file or a name was given, say which options take it."""
    try:
        return read_plan(Path(file))
    except FileError as error:
        if file.endswith(PLAN_SUFFIXES):
            raise
        hint = f"for a dataset use --data {file}, and for a model --model {file}"
        raise FileError(f"{error}\n  {hint}") from error


def _save_plan(plan: Plan, path: Path, *, overwrite: bool) -> None:
    write_file(path, [plan_text(plan)], overwrite=overwrite)
    note(f"plan: {path}")


def _show(text: str, id: str, folder: Path, choices: _Choices) -> None:
    if choices.as_json:
        click.echo(text, nl=False)
        return
    show_findings(text)
    click.echo("")
    if folder.name != id:
        click.echo(f"run:  {id}")
    click.echo(f"page: {folder / PAGE}")
    click.echo("more: horsesense profile --all for caveats and all tables, horsesense why")


def _report_no_figures(reason: str) -> None:
    """Report why the page has no figures."""
    if reason:
        note(f"the page has no figures: {reason}")


def _missing(results: Results) -> tuple[str, ...]:
    """List what the user requested by name but was skipped."""
    return tuple(
        f"{skipped.where}: {skipped.reason}" for skipped in results.skipped if skipped.is_named
    )


def _report_mistakes(results: Results) -> None:
    """Report likely mistakes in files, such as misspelt columns and twins that are not paired."""
    for skipped in results.skipped:
        if needs_attention(skipped.reason):
            note(skipped.reason)


def _report_missing(missing: Sequence[str]) -> int:
    """Report what is missing, and return the exit code."""
    for text in missing:
        note(f"missing: {text}")
    return IS_INCOMPLETE if missing else 0
