"""`horsesense compare`: differences between models, and the schemas that flip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

import click

from horsesense.cli.completing import complete_models
from horsesense.cli.explain import margin_cell
from horsesense.cli.layout import TextTable
from horsesense.cli.metric_views import interval_messages
from horsesense.cli.output import (
    WIDTH,
    counted,
    format_of_name,
    json_option,
    note,
    output_width,
    show_json,
    show_table,
    show_text,
    working,
)
from horsesense.cli.report import find_table
from horsesense.datasets.files import write_file
from horsesense.errors import HorsesenseError
from horsesense.metrics import METRICS
from horsesense.metrics.statistics import MetricDifference, p_sentence
from horsesense.reports.side_by_side import comparison_tables, difference_cells, value_cells
from horsesense.reports.summary import untrusted
from horsesense.reports.wording import signed
from horsesense.reports.writing import TABLE_FORMATS, table_text
from horsesense.results import ORIGINAL
from horsesense.results.measuring.across_runs import (
    ALPHA,
    Side,
    SideBySide,
    VariantComparison,
    compare_sides,
    losses,
)
from horsesense.store import find_sides

Losses: TypeAlias = Sequence[tuple[VariantComparison, MetricDifference]]


def show_comparison(comparison: SideBySide, shown_flips: int) -> None:
    """Print the models, their differences and consistency, and the flipped schemas."""
    for side in comparison.sides:
        click.echo(f"{side.name}: run {side.results.record.id}, by {side.methods}")
    for first, second in dict.fromkeys(variant.names for variant in comparison.variants):
        variants = [variant for variant in comparison.variants if variant.names == (first, second)]
        click.echo(f"\n{second} minus {first}")
        show_table(_difference_table(variants))
        click.echo(f"\nconsistency between {first} and {second}")
        show_table(_consistency_table(variants))
        for variant in variants:
            if variant.of.variant == ORIGINAL:
                _show_flips(variant, shown_flips)


def _difference_table(variants: Sequence[VariantComparison]) -> TextTable:
    columns = ("data", "variant", "", *variants[0].names, "difference", "95 % interval")
    rows = [
        (*_where(variant), *difference_cells(row))
        for variant in variants
        for row in variant.differences
    ]
    tested = (*columns, "differ", "p", "p (Holm)", "noticeable")
    return TextTable(tested, _without_repeats(rows), keys=3)


def _where(variant: VariantComparison) -> tuple[str, str]:
    return variant.of.dataset, variant.of.variant


def _without_repeats(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Blank out the dataset and the variant of a row where they are the same as above."""
    blanked = []
    above: tuple[str, ...] = ("", "")
    for row in rows:
        same_data, same_variant = row[0] == above[0], row[:2] == above[:2]
        blanked.append(("" if same_data else row[0], "" if same_variant else row[1], *row[2:]))
        above = row
    return blanked


def _consistency_table(variants: Sequence[VariantComparison]) -> TextTable:
    symbols = [METRICS[row.metric].declared.symbol for row in variants[0].consistency]
    headings = [heading for symbol in symbols for heading in (symbol, "95 % interval")]
    rows = [
        (
            *_where(variant),
            str(variant.problems),
            str(variant.schemas),
            *(cell for estimate in variant.consistency for cell in value_cells(estimate)),
            str(sum(flip.is_gained for flip in variant.flips)),
            str(sum(not flip.is_gained for flip in variant.flips)),
        )
        for variant in variants
    ]
    columns = ("data", "variant", "problems", "schemas", *headings, "gained", "lost")
    return TextTable(columns, _without_repeats(rows), keys=2)


def _show_flips(variant: VariantComparison, shown: int) -> None:
    first, second = variant.names
    gained = sum(flip.is_gained for flip in variant.flips)
    lost = len(variant.flips) - gained
    show_text(
        f"\n{len(variant.flips)} of {counted(variant.schemas, 'schema')} in {variant.of.dataset}"
        f" flipped: {gained} solved only by {second}, {lost} only by {first}"
    )
    if variant.flips[:shown]:
        rows = [
            (
                flip.schema,
                second if flip.is_gained else first,
                margin_cell(flip.margin_before),
                margin_cell(flip.margin_after),
            )
            for flip in variant.flips[:shown]
        ]
        show_table(TextTable(("schema", "solved by", f"margin {first}", f"margin {second}"), rows))
    if len(variant.flips) > shown:
        click.echo(
            f"… and {len(variant.flips) - shown} more; use --flips {len(variant.flips)} to see all"
        )


def comparison_messages(comparison: SideBySide, losses: Losses) -> Iterator[str]:
    """Yield caveats about the numbers, skipped comparisons, and losses."""
    yield from comparison.remarks
    for variant in comparison.variants:
        for row in variant.differences:
            if row.reason:
                yield f"{', '.join(_where(variant))}: {row.metric} is not tested: {row.reason}"
    yield from _interval_messages(comparison)
    if (size := comparison.family.size) > 1:
        yield f"p values are adjusted (Holm) for the {size} differences in the table"
    for skipped in comparison.skipped:
        yield f"not compared: {skipped.where}: {skipped.reason}"
    for variant, row in losses:
        yield f"worse: {_loss_sentence(variant, row)}"


def _interval_messages(comparison: SideBySide) -> Iterator[str]:
    """Yield caveats about the intervals, each once."""
    differences = [row.difference for variant in comparison.variants for row in variant.differences]
    consistency = [estimate for variant in comparison.variants for estimate in variant.consistency]
    yield from interval_messages([*differences, *consistency])


def _loss_sentence(variant: VariantComparison, row: MetricDifference) -> str:
    first, second = variant.names
    return (
        f"{second} than {first} on {', '.join(_where(variant))}: {row.metric}"
        f" {signed(row.difference.estimate)}, adjusted {p_sentence(row.adjusted_p)}"
    )


def comparison_json(comparison: SideBySide, losses: Losses | None) -> dict[str, Any]:
    """Return a comparison as JSON; `worse` is left out if losses are None."""
    content: dict[str, Any] = {
        "sides": [
            {
                "name": side.name,
                "run": side.results.record.id,
                "model": side.model.name,
                "fingerprint": side.model.fingerprint,
                "method": side.method or dict(side.model.standard),
            }
            for side in comparison.sides
        ],
        "forms": [_variant_json(variant) for variant in comparison.variants],
        "family": asdict(comparison.family),
        "gaps": [asdict(skipped) for skipped in comparison.skipped],
        "remarks": list(comparison.remarks),
    }
    if losses is not None:
        content["alpha"] = ALPHA
        content["worse"] = [
            {"names": variant.names, "of": asdict(variant.of), "metric": row.metric}
            for variant, row in losses
        ]
    return content


def _variant_json(variant: VariantComparison) -> dict[str, Any]:
    consistency = [
        {**asdict(estimate), "interval": asdict(estimate.interval) if estimate.interval else None}
        for estimate in variant.consistency
    ]
    return {
        **asdict(variant),
        "consistency": consistency,
        "flips": [
            {name: _finite(value) for name, value in asdict(flip).items()} for flip in variant.flips
        ],
    }


def _finite(value: Any) -> Any:
    """Replace infinite numbers, which JSON lacks, such as the margin of an impossible option."""
    return None if isinstance(value, float) and not isfinite(value) else value


_DEFAULT_TABLE = "differences"


def _untrusted_sides(sides: Sequence[Side]) -> Iterator[str]:
    """Warn of models whose numbers mean nothing."""
    for side in sides:
        for warning in untrusted(side.results, [side.model.name]):
            yield f"warning: {warning}"


def _write_table(
    comparison: SideBySide, name: str, format: str, output: Path | None, *, force: bool
) -> None:
    """Write one table of a comparison to a file, or print it."""
    width = WIDTH if output else output_width()
    table = find_table(comparison_tables(comparison), name)
    content = table_text(table, format, width=width).removesuffix("\n") + "\n"
    if output is None:
        click.echo(content, nl=False)
    else:
        write_file(output, [content], overwrite=force)
        note(f"written: {output}")


# The exit code if a model is worse, or not everything could be compared.
_WORSE_OR_INCOMPLETE = 1
_SHOWN_FLIPS = 10


@click.command("compare")
@click.argument(
    "names",
    nargs=-1,
    required=True,
    metavar="A B…",
    shell_complete=complete_models,
)
@click.option(
    "--method",
    metavar="METHOD",
    help="Scoring method for all, or MODEL=METHOD,… for each. [the standard ones]",
)
@click.option(
    "--flips",
    "shown_flips",
    type=click.IntRange(min=0),
    default=_SHOWN_FLIPS,
    show_default=True,
    help="Number of flipped schemas to list for each dataset.",
)
@click.option(
    "--fail-if-worse",
    "delta",
    is_flag=False,
    flag_value=0.0,
    type=click.FloatRange(0, 1),
    metavar="[DELTA]",
    help="Exit with 1 if a model is worse than A by more than DELTA with adjusted p < .05.",
)
@click.option(
    "--table",
    metavar="NAME",
    help="Write only this table: differences, consistency or flips.",
)
@click.option(
    "--format",
    type=click.Choice(TABLE_FORMATS),
    help="Write the table of differences, or the one of --table, in this format. [by the name of "
    "--output, else text]",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write the table to. [stdout]",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@json_option
@click.pass_obj
def compare_command(
    path: Path,
    names: tuple[str, ...],
    method: str | None,
    shown_flips: int,
    delta: float | None,
    table: str | None,
    format: str | None,
    output: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Compare models on the problems that both answered.

    Each other model is compared with the first one. A and B are each a model (from the latest run
    that has it; for a baseline, the run of the model that it is compared with), a run id,
    RUN:MODEL, or a results file. Answers to the same problems are paired, and both models use the
    same resamples. The p values come from a sign-flip test and are adjusted over the whole table. A
    schema flips if only one of the models solves it.

    The exit code is 1 if some variants cannot be compared, or, with --fail-if-worse, if a model is
    worse than A. Lower accuracy on a control does not count as worse.

    Example:

    \b
        horsesense compare smollm2-135m longer --output table.tex
        horsesense compare smollm2-135m longer --fail-if-worse=.02
    """
    format = format or format_of_name(output, TABLE_FORMATS)
    is_table = table is not None or format is not None
    if is_table and as_json:
        raise click.UsageError("--json shows everything; for a table, use --format json")
    if output is not None and not is_table:
        raise click.UsageError(
            "--output writes a table; name it .tex, .md, .csv, .json or .txt, or use --format"
        )
    if output is not None and output.exists() and not force:
        raise click.UsageError(f"{output} already exists; use --force to overwrite it")
    sides = find_sides(path, names, method)
    with working("drawing resamples"):
        comparison = compare_sides(sides)
    worse = () if delta is None else losses(comparison, delta)
    if as_json:
        show_json(comparison_json(comparison, None if delta is None else worse))
    else:
        if is_table:
            _write_table(comparison, table or _DEFAULT_TABLE, format or "text", output, force=force)
        else:
            show_comparison(comparison, shown_flips)
        for message in (*_untrusted_sides(sides), *comparison_messages(comparison, worse)):
            note(message)
    if not comparison.variants:
        raise HorsesenseError("nothing could be compared")
    if worse or comparison.skipped:
        click.get_current_context().exit(_WORSE_OR_INCOMPLETE)
