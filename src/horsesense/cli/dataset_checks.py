"""`horsesense dataset audit`, `measure` and `known`: examine datasets without a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from horsesense.audit import (
    CONTROLS,
    CheckResult,
    Checks,
    Concern,
    Figure,
    OnProgress,
    audit,
    check_paths,
    chosen_checks,
)
from horsesense.cli.completing import complete_datasets, complete_models
from horsesense.cli.layout import TextTable, bare_number
from horsesense.cli.options import DEFAULT_MODEL, as_in_file_messages, mode_option, wrapper_option
from horsesense.cli.output import (
    counted,
    counting,
    json_option,
    note,
    show_json,
    show_table,
    show_text,
    with_count,
    working,
)
from horsesense.cli.views import references, show_known
from horsesense.datasets.catalog import KnownDataset, find_known, known_datasets
from horsesense.errors import ModelError
from horsesense.models import Model, load_model
from horsesense.schema import Mode
from horsesense.schema.measures import Measures, load_tokenizer, measure
from horsesense.schema.notation import parse_wrapper
from horsesense.scoring.outcome import Share
from horsesense.store import (
    Store,
    StoredDataset,
    find_dataset,
    load_entries,
    load_stored,
    mode_of,
    own_mode,
)

# Concerns to print for each check, and entries for each concern; the rest is in the JSON.
SHOWN_CONCERNS = 10
SHOWN_ENTRIES = 5
UNDEFINED = "–"
# Schemas are audited in this mode, which shows whether their wording gives answers away.
AUDITED = Mode.BY_ANSWER


@dataclass(frozen=True, slots=True)
class _AuditOptions:
    """The options of `dataset audit`."""

    against: tuple[Path, ...]
    model_name: str | None
    no_model: bool
    names: tuple[str, ...]


@click.command("audit")
@click.argument(
    "name",
    shell_complete=complete_datasets,
)
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE_OR_FOLDER",
    help="File or folder to search for text of the dataset; repeatable.",
)
@click.option(
    "--model",
    "model_name",
    help=f"Model to query. [{DEFAULT_MODEL}]",
    shell_complete=complete_models,
)
@click.option("--no-model", is_flag=True, help="Do not query a model.")
@click.option("--check", "names", multiple=True, help="Run only this check; repeatable.")
@json_option
@click.pass_context
def audit_command(
    ctx: click.Context,
    /,
    name: str,
    as_json: bool,
    **options: Any,
) -> None:
    """Check a dataset for errors and likely quality problems.

    The checks include duplicates, candidates that do not agree with their target, and answers
    that can be guessed from their frequency, from single words, or from a sentence without its
    candidates or most of its words. Exits with 1 if there are faults, or if all checks chosen
    with --check were skipped.

    Example:

    \b
        horsesense dataset audit kitchen --no-model
    """
    choices = _AuditOptions(**options)
    _check_usage(choices)
    with Store.open(ctx.obj) as store:
        dataset = find_dataset(store, name)
        declared = own_mode(store, dataset)
        checks = _audit(store, dataset, choices)
    if declared is not AUDITED:
        name = f"{dataset.name}@{dataset.version}"
        note(f"audited {AUDITED}, although the mode of {name} is {declared}")
    if as_json:
        show_json(_json(dataset, checks))
    else:
        click.echo(
            f"{dataset.name}@{dataset.version}, {counted(dataset.entries, 'entry', 'entries')}"
        )
        for checked in checks:
            _show(checked)
        show_text(f"\n{_summary(checks)}")
    is_all_skipped = bool(choices.names) and all(checked.skipped for checked in checks)
    if is_all_skipped:
        note("nothing was checked: all requested checks were skipped")
    if is_all_skipped or any(checked.faults for checked in checks):
        ctx.exit(1)


def _check_usage(choices: _AuditOptions) -> None:
    """Reject options that contradict each other."""
    if choices.model_name and choices.no_model:
        raise click.UsageError("--model and --no-model cannot be used together")
    if "overlap" in choices.names and not choices.against:
        raise click.UsageError("--check overlap needs --against FILE_OR_FOLDER")
    for name in choices.names:
        if name in CONTROLS and choices.no_model:
            raise click.UsageError(f"--check {name} needs a model; leave out --no-model")


def _audit(store: Store, dataset: StoredDataset, choices: _AuditOptions) -> Checks:
    chosen = chosen_checks(choices.names)
    check_paths(choices.against)  # before a model is loaded
    needs_model = bool(CONTROLS.keys() & set(chosen))
    model, reason = _model_to_query(choices) if needs_model else (None, "")
    entries = with_count(load_entries(store, dataset), f"reading {dataset.name}", dataset.entries)
    loaded = load_stored(store, dataset, entries)
    with _show_checks() as on_progress:
        return audit(
            loaded,
            against=choices.against,
            model=model,
            # A read-only store cannot cache answers; the audit works without.
            store=None if store.is_read_only else store,
            on_progress=on_progress,
            only=chosen,
            no_model=reason,
        )


def _model_to_query(choices: _AuditOptions) -> tuple[Model | None, str]:
    """Load the model, or say why there is none; one that the user named must be available."""
    if choices.no_model:
        return None, "no model was queried (--no-model)"
    try:
        name = choices.model_name or DEFAULT_MODEL
        with working(f"preparing {name}"):
            return load_model(name, progress=note), ""
    except ModelError as error:
        if choices.model_name:
            raise
        return None, str(error)


@contextmanager
def _show_checks() -> Iterator[OnProgress]:
    """Provide a function that shows the current check and its progress, if it takes a while."""
    with ExitStack() as stack:
        report: Callable[[int, int], None] | None = None

        def on_progress(name: str, done: int, total: int) -> None:
            nonlocal report
            if not total:
                stack.close()
                report = None
                stack.enter_context(working(f"checking {name}"))
            elif report is None:
                stack.close()
                report = stack.enter_context(counting(f"checking {name}"))
            if report is not None:
                report(done, total)

        yield on_progress


def _show(checked: CheckResult) -> None:
    click.echo(f"\n{checked.title} ({checked.name})")
    if checked.figures:
        show_table(TextTable(("figure", "value", "interval", "of"), [*map(_row, checked.figures)]))
    if checked.skipped:
        show_text(f"skipped: {checked.skipped}")
    # Faults first; otherwise in the order in which they were found.
    concerns = sorted(checked.concerns, key=lambda concern: str(concern.weight))
    for concern in concerns[:SHOWN_CONCERNS]:
        show_text(f"{concern.weight}: {concern.text}{_entries(concern)}")
    if (more := len(concerns) - SHOWN_CONCERNS) > 0:
        click.echo(f"… and {more} more; use --json to see all")


def _row(figure: Figure) -> tuple[str, str, str, str]:
    interval = figure.interval
    ends = (
        ""
        if interval is None
        else f"{bare_number(f'{interval.low:.3f}')} to {bare_number(f'{interval.high:.3f}')}"
    )
    total = "" if figure.total is None else str(figure.total)
    return figure.name, _number(figure.value), ends, total


def _number(value: float | int | None) -> str:
    if value is None:
        return UNDEFINED
    return str(value) if isinstance(value, int) else bare_number(f"{value:.3f}")


def _entries(concern: Concern) -> str:
    if not concern.entries:
        return ""
    more = len(concern.entries) - SHOWN_ENTRIES
    ids = ", ".join(concern.entries[:SHOWN_ENTRIES])
    return f" [{ids}{f' and {more} more' if more > 0 else ''}]"


def _summary(checks: Sequence[CheckResult]) -> str:
    faults = sum(check.faults for check in checks)
    looks = sum(check.looks for check in checks)
    skipped = [check.name for check in checks if check.skipped]
    made = counted(len(checks) - len(skipped), "check")
    message = f" ({len(skipped)} skipped: {', '.join(skipped)})" if skipped else ""
    return f"{counted(faults, 'fault')}, {looks} to look at in {made}{message}"


def _json(dataset: StoredDataset, checks: Checks) -> dict[str, Any]:
    return {
        "dataset": dataset.name,
        "version": dataset.version,
        "mode": AUDITED,
        "faults": sum(check.faults for check in checks),
        "looks": sum(check.looks for check in checks),
        "skipped": [check.name for check in checks if check.skipped],
        "checks": [asdict(check) for check in checks],
    }


SHOWN_IDS = 5


@click.command("measure")
@click.argument(
    "name",
    shell_complete=complete_datasets,
)
@mode_option
@wrapper_option
@click.option(
    "--tokenizer",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A tokenizer.json to count tokens with; repeatable.",
)
@json_option
@click.pass_context
def measure_command(
    ctx: click.Context,
    name: str,
    mode_name: str | None,
    wrapper: str | None,
    files: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Count problems, and those with properties that affect scoring.

    These properties are a blank that is second-last, so that only one token follows it, and for
    each tokenizer answers with the same number of tokens: on their own (outside), and in their
    sentences (inside). Entries without problems in the mode are left out and listed;
    exits with 1 if nothing is left.

    Example:

    \b
        horsesense dataset measure kitchen --mode by-key
    """
    parsed = None if wrapper is None else parse_wrapper(wrapper)
    with working("loading tokenizers"):
        tokenizers = [load_tokenizer(file) for file in files]
    with Store.open(ctx.obj) as store:
        stored = find_dataset(store, name)
        chosen = mode_of(store, stored, mode_name)
        entries = with_count(load_entries(store, stored), f"reading {name}", stored.entries)
        dataset = load_stored(store, stored, entries).replace(mode=chosen.mode)
    mode = dataset.mode
    with working(f"measuring {name}"):
        measures = measure(dataset, wrapper=parsed, tokenizers=tokenizers)
    about = {"dataset": dataset.name, "version": stored.version, "mode": mode, "wrapper": wrapper}
    remarks = [*chosen.overridden, *as_in_file_messages(measures.as_they_stand, mode)]
    if as_json:
        show_json({**about, **_measures_json(measures, files), "notes": remarks})
    else:
        wrapped = f", wrapped in {wrapper!r}" if wrapper else ""
        click.echo(f"{dataset.name}@{stored.version}, {mode}{wrapped}\n")
        show_table(TextTable(("measure", "count", "share"), list(_rows(measures, mode, files))))
    for remark in remarks:
        note(remark)
    _report_left_out(ctx, measures)


def _rows(measures: Measures, mode: Mode, files: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    yield "entries", str(measures.entries), ""
    for kind, number in measures.kinds:
        yield f"entries: {kind}", str(number), ""
    yield f"schemas {mode}", str(measures.schemas), ""
    yield f"problems {mode}", str(measures.problems), ""
    yield "blank second-last", *_share(measures.second_last)
    for file, lengths in zip(files, measures.equal_length, strict=True):
        yield f"equal-length answers outside, {file}", *_share(lengths.outside)
        yield f"equal-length answers inside, {file}", *_share(lengths.inside)


def _share(share: Share) -> tuple[str, str]:
    value = share.value
    return f"{share.count}/{share.total}", UNDEFINED if value is None else bare_number(
        f"{value:.3f}"
    )


def _report_left_out(ctx: click.Context, measures: Measures) -> None:
    for left_out in measures.left_out:
        entries = counted(len(left_out.ids), "entry", "entries")
        more = ", …" if len(left_out.ids) > SHOWN_IDS else ""
        ids = ", ".join(left_out.ids[:SHOWN_IDS]) + more
        note(f"{entries} left out ({ids}): {left_out.reason}")
    if measures.left_out and not measures.problems:
        ctx.exit(1)


def _measures_json(measures: Measures, files: Sequence[Path]) -> dict[str, Any]:
    return {
        "entries": measures.entries,
        "kinds": dict(measures.kinds),
        "schemas": measures.schemas,
        "problems": measures.problems,
        "second_last": _share_json(measures.second_last),
        "equal_length": [
            {
                "tokenizer": str(file),
                "outside": _share_json(lengths.outside),
                "inside": _share_json(lengths.inside),
            }
            for file, lengths in zip(files, measures.equal_length, strict=True)
        ],
        "left_out": [asdict(left_out) for left_out in measures.left_out],
        "as_they_stand": list(measures.as_they_stand),
    }


def _share_json(share: Share) -> dict[str, float | None]:
    return {**asdict(share), "value": share.value}


@click.command("known")
@click.argument("name", required=False, metavar="[NAME]")
@json_option
@click.option("--bibtex", "as_bibtex", is_flag=True, help="Print only the BibTeX entries.")
def known_command(name: str | None, as_json: bool, as_bibtex: bool) -> None:
    """List the published datasets that horsesense knows, or show one.

    The datasets are not included. Those marked «by name» are fetched by their names, by
    `dataset import`, `run` and `score`. Files that you have are recognized by their hashes.

    Example:

    \b
        horsesense dataset known winogrande
    """
    if as_json and as_bibtex:
        raise click.UsageError("--json includes the BibTeX entries; leave out --bibtex")
    chosen = known_datasets() if name is None else (find_known(name),)
    if as_bibtex:
        click.echo("\n\n".join(references(chosen)))
    elif as_json:
        listed = [asdict(dataset) for dataset in chosen]
        show_json(listed if name is None else listed[0])
    elif name is not None:
        show_known(chosen[0])
    else:
        rows = [
            (d.name, d.title, d.size, d.licence, str(len(d.files)), _fetched_by(d)) for d in chosen
        ]
        show_table(TextTable(("name", "title", "size", "licence", "files", "fetched"), rows))


def _fetched_by(dataset: KnownDataset) -> str:
    """Return how a dataset is fetched: by its name, by the names of its files, or not."""
    if dataset.can_be_fetched:
        return "by name"
    return "by file" if any(file.source and file.format for file in dataset.files) else "no"
