"""The commands that show kept runs, and stores that keep some, for their tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner, Result

from horsesense.cli.compare import compare_command
from horsesense.cli.main import HorsesenseGroup, cli
from horsesense.cli.report import profile_command
from horsesense.cli.why import why_command
from horsesense.evaluation.protocol.running import run_protocol
from horsesense.results import Plan, Results
from horsesense.store import Store
from horsesense.store.runs import keep_run
from tests.cli.quay import HARBOUR_SCHEMAS

Ask = Callable[..., Result]


@click.group(cls=HorsesenseGroup, context_settings=cli.context_settings)
@click.option("--store", type=click.Path(path_type=Path))
@click.pass_context
def commands(ctx: click.Context, store: Path) -> None:
    """The three commands, as `horsesense` has them."""
    ctx.obj = store


for _command in (compare_command, profile_command, why_command):
    commands.add_command(_command)


def asking(store: Path) -> Ask:
    """The commands on that store; bugs keep their traceback."""

    def ask(*arguments: str) -> Result:
        return CliRunner().invoke(
            commands, ["--store", str(store), *arguments], catch_exceptions=False
        )

    return ask


def printed(result: Result, exit_code: int = 0) -> Any:
    """What a command printed for programs."""
    assert result.exit_code == exit_code, result.output
    return json.loads(result.stdout)


def keep(store: Path, *profiles: Results) -> Ask:
    """The commands on a store with these profiles, the latest last."""
    with Store.create_or_open(store) as opened:
        for one in profiles:
            keep_run(opened, one)
    return asking(store)


def run_quay(folder: Path, *models: str, **settings: Any) -> Results:
    """Run the protocol on a handful of schemas, in the store of that folder."""
    data = folder / "quay.schemas"
    data.write_text(HARBOUR_SCHEMAS)
    plan = Plan(models=models, **{"data": (str(data),), "resamples": 200, **settings})
    with Store.create_or_open(folder / "store.db") as store:
        return run_protocol(plan, store)
