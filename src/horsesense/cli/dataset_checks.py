"""`horsesense dataset audit`, `measure` and `known`: judge datasets without a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from horsesense.audit import (
    CONTROLS,
    Checked,
    Checks,
    Concern,
    Figure,
    OnProgress,
    audit,
    check_paths,
    chosen_checks,
)
from horsesense.cli.options import DEFAULT_MODEL, mode_option, told_as_they_stand, wrapper_option
from horsesense.cli.output import (
    Table,
    counted,
    counting,
    json_option,
    note,
    show_json,
    show_table,
    with_count,
    working,
)
from horsesense.cli.views import references, show_known
from horsesense.datasets.catalog import find_known, known_datasets
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

# As much as can be taken in at a glance; the rest is in the JSON.
SHOWN_CONCERNS = 10
SHOWN_ENTRIES = 5
UNDEFINED = "–"
# What is checked are schemas; which answers their wording gives away shows by answer.
AUDITED = Mode.BY_ANSWER


@dataclass(frozen=True, slots=True)
class _Choices:
    """What the user asked for, besides the dataset."""

    against: tuple[Path, ...]
    model_name: str | None
    no_model: bool
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The model to ask, or why none is asked."""

    model: Model | None = None
    reason: str = ""


@click.command("audit")
@click.argument("name")
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE_OR_FOLDER",
    help="Look for text that is in these files too; repeatable.",
)
@click.option("--model", "model_name", help=f"Query this model. [{DEFAULT_MODEL}]")
@click.option("--no-model", is_flag=True, help="Query no model.")
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
    """Check the quality of a dataset: errors, and what its author should look at.

    Among other things it looks for duplicates, candidates that do not agree with their target,
    and answers that are given away by their frequency, by words, or by what is left when the
    candidates or most of the sentence are taken out. Exits with 1 if there are faults, or if every
    check that was asked for by name was skipped.

    Example:

    \b
        horsesense dataset audit kitchen --no-model
    """
    choices = _Choices(**options)
    _check_usage(choices)
    with Store.open(ctx.obj) as store:
        dataset = find_dataset(store, name)
        declared = own_mode(store, dataset)
        checks = _audited(store, dataset, choices)
    if declared is not AUDITED:
        name = f"{dataset.name}@{dataset.version}"
        note(f"audited {AUDITED}, though {name} declares that it is solved {declared}")
    if as_json:
        show_json(_json(dataset, checks))
    else:
        click.echo(
            f"{dataset.name}@{dataset.version}, {counted(dataset.entries, 'entry', 'entries')}"
        )
        for checked in checks:
            _show(checked)
        click.echo(f"\n{_summary(checks)}")
    is_in_vain = bool(choices.names) and all(checked.skipped for checked in checks)
    if is_in_vain:
        note("nothing was checked: every check that was asked for was skipped")
    if is_in_vain or any(checked.faults for checked in checks):
        ctx.exit(1)


def _check_usage(choices: _Choices) -> None:
    """Refuse what asks for a check and for what it cannot be made without."""
    if choices.model_name and choices.no_model:
        raise click.UsageError("--model and --no-model exclude each other")
    if "overlap" in choices.names and not choices.against:
        raise click.UsageError("--check overlap needs --against with what to compare with")
    for name in choices.names:
        if name in CONTROLS and choices.no_model:
            raise click.UsageError(f"--check {name} asks a model, and --no-model excludes that")


def _audited(store: Store, dataset: StoredDataset, choices: _Choices) -> Checks:
    chosen = chosen_checks(choices.names)
    check_paths(choices.against)  # before a model is loaded, and whatever is checked
    asked = _asked(choices) if CONTROLS.keys() & set(chosen) else _Asked()
    entries = with_count(load_entries(store, dataset), f"reading {dataset.name}", dataset.entries)
    loaded = load_stored(store, dataset, entries)
    with _telling() as on_progress:
        return audit(
            loaded,
            against=choices.against,
            model=asked.model,
            # Answers cannot be kept in a store that cannot be written to, and need not be.
            store=None if store.is_read_only else store,
            on_progress=on_progress,
            only=chosen,
            no_model=asked.reason,
        )


def _asked(choices: _Choices) -> _Asked:
    """Whom to ask; a model that was named must be there."""
    if choices.no_model:
        return _Asked(reason="--no-model: no model was asked")
    try:
        return _Asked(load_model(choices.model_name or DEFAULT_MODEL, progress=note))
    except ModelError as error:
        if choices.model_name:
            raise
        return _Asked(reason=str(error))


@contextmanager
def _telling() -> Iterator[OnProgress]:
    """A function that is told which check is made; what takes a while is shown with its name."""
    with ExitStack() as drawn:
        tell: Callable[[int, int], None] | None = None

        def on_progress(name: str, done: int, total: int) -> None:
            nonlocal tell
            if not total:
                drawn.close()
                tell = None
                drawn.enter_context(working(f"checking {name}"))
            elif tell is None:
                drawn.close()
                tell = drawn.enter_context(counting(f"checking {name}"))
            if tell is not None:
                tell(done, total)

        yield on_progress


def _show(checked: Checked) -> None:
    click.echo(f"\n{checked.title} ({checked.name})")
    if checked.figures:
        show_table(Table(("figure", "value", "interval", "of"), [*map(_row, checked.figures)]))
    if checked.skipped:
        click.echo(f"skipped: {checked.skipped}")
    # Faults first, each in the order in which they were found.
    concerns = sorted(checked.concerns, key=lambda concern: str(concern.weight))
    for concern in concerns[:SHOWN_CONCERNS]:
        click.echo(f"{concern.weight}: {concern.text}{_entries(concern)}")
    if (more := len(concerns) - SHOWN_CONCERNS) > 0:
        click.echo(f"… and {more} more; --json shows all")


def _row(figure: Figure) -> tuple[str, str, str, str]:
    interval = figure.interval
    shown = "" if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
    total = "" if figure.total is None else str(figure.total)
    return figure.name, _number(figure.value), shown, total


def _number(value: float | int | None) -> str:
    if value is None:
        return UNDEFINED
    return str(value) if isinstance(value, int) else f"{value:.3f}"


def _entries(concern: Concern) -> str:
    if not concern.entries:
        return ""
    more = len(concern.entries) - SHOWN_ENTRIES
    shown = ", ".join(concern.entries[:SHOWN_ENTRIES])
    return f" [{shown}{f' and {more} more' if more > 0 else ''}]"


def _summary(checks: Sequence[Checked]) -> str:
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
@click.argument("name")
@mode_option
@wrapper_option
@click.option(
    "--tokenizer",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Count tokens with this tokenizer.json; repeatable.",
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
    """Count a dataset's problems, and those whose form matters to scoring methods.

    Those are the problems whose blank is second-last, so that one token follows it, and for
    each tokenizer those whose answers have equally many tokens: by themselves (outside), and
    in their sentences (inside). Entries that cannot be solved in that mode are left out and
    named; exits with 1 if nothing is left.

    Example:

    \b
        horsesense dataset measure kitchen --mode by-key
    """
    parsed = None if wrapper is None else parse_wrapper(wrapper)
    tokenizers = [load_tokenizer(file) for file in files]
    with Store.open(ctx.obj) as store:
        stored = find_dataset(store, name)
        chosen = mode_of(store, stored, mode_name)
        entries = with_count(load_entries(store, stored), f"measuring {name}", stored.entries)
        dataset = load_stored(store, stored, entries).replace(mode=chosen.mode)
    mode = dataset.mode
    found = measure(dataset, wrapper=parsed, tokenizers=tokenizers)
    about = {"dataset": dataset.name, "version": stored.version, "mode": mode, "wrapper": wrapper}
    remarks = [*chosen.overridden, *told_as_they_stand(found.as_they_stand, mode)]
    if as_json:
        show_json({**about, **_measures_json(found, files), "notes": remarks})
    else:
        wrapped = f", wrapped in {wrapper!r}" if wrapper else ""
        click.echo(f"{dataset.name}@{stored.version}, {mode}{wrapped}\n")
        show_table(Table(("measure", "count", "share"), list(_rows(found, mode, files))))
    for remark in remarks:
        note(remark)
    _tell_left_out(ctx, found)


def _rows(measures: Measures, mode: Mode, files: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    yield "entries", str(measures.entries), ""
    for kind, number in measures.kinds:
        yield f"entries: {kind}", str(number), ""
    yield f"schemas {mode}", str(measures.schemas), ""
    yield f"problems {mode}", str(measures.problems), ""
    yield "blank second-last", *_shown(measures.second_last)
    for file, lengths in zip(files, measures.equal_length, strict=True):
        yield f"equal-length answers outside, {file}", *_shown(lengths.outside)
        yield f"equal-length answers inside, {file}", *_shown(lengths.inside)


def _shown(share: Share) -> tuple[str, str]:
    value = share.value
    return f"{share.count}/{share.total}", UNDEFINED if value is None else f"{value:.3f}"


def _tell_left_out(ctx: click.Context, measures: Measures) -> None:
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

    None of them is included: get the files yourself; they are recognised by their hashes.

    Example:

    \b
        horsesense dataset known winogrande
    """
    if as_json and as_bibtex:
        raise click.UsageError("--json holds the BibTeX entries already; leave one of the two out")
    chosen = known_datasets() if name is None else (find_known(name),)
    if as_bibtex:
        click.echo("\n\n".join(references(chosen)))
    elif as_json:
        shown = [asdict(dataset) for dataset in chosen]
        show_json(shown if name is None else shown[0])
    elif name is not None:
        show_known(chosen[0])
    else:
        rows = [(d.name, d.title, d.size, d.licence, str(len(d.files))) for d in chosen]
        show_table(Table(("name", "title", "size", "licence", "files"), rows))
