"""`horsesense metric`: what metrics there are, and what they come to for answers from anywhere."""

from __future__ import annotations

import click

from horsesense.cli.groups import NamingGroup
from horsesense.cli.metric_compare import compare_command
from horsesense.cli.metric_compute import compute_command
from horsesense.cli.metric_curve import curve_command
from horsesense.cli.output import json_option, note_failures, show_json, show_table

# The metrics are imported where they are used, as it takes numpy a moment to be imported.


@click.group("metric", cls=NamingGroup)
def metric_group() -> None:
    """Measure accuracy and consistency, with intervals and tests that respect schemas.

    The answers may come from `horsesense score --output`, from the logs of other programs
    (lm-evaluation-harness, lighteval, inspect), or from a plain table.
    """


@metric_group.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the metrics.

    Example:

    \b
        horsesense metric list
    """
    from horsesense.cli.metric_views import metric_json, metric_table
    from horsesense.metrics import METRICS

    metrics = METRICS.values()
    if as_json:
        show_json([metric_json(one) for one in metrics])
    else:
        show_table(metric_table(metrics))
    note_failures(METRICS)


@metric_group.command("explain")
@click.argument("name")
@json_option
def explain_command(name: str, as_json: bool) -> None:
    """Say what the metric NAME is: its equation, its source, and an example.

    Example:

    \b
        horsesense metric explain schema-consistency
    """
    from horsesense.cli.metric_views import metric_json, show_metric
    from horsesense.metrics import find_metric

    metric = find_metric(name)
    if as_json:
        show_json(metric_json(metric))
    else:
        show_metric(metric)


metric_group.add_command(compute_command)
metric_group.add_command(compare_command)
metric_group.add_command(curve_command)
