"""Complete names on the command line: datasets, models, metrics, runs, files.

The shell starts the program for every press of the tab key, so that names of the store are read
directly, and everything else is imported when it is needed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import click
from click.shell_completion import CompletionItem

from horsesense.cli.place import default_store

Items = list[CompletionItem]
_DATASETS = "SELECT DISTINCT name FROM dataset ORDER BY name"
_MODELS = "SELECT DISTINCT name FROM run_model UNION SELECT DISTINCT name FROM model"
_PERTURBATIONS = "SELECT DISTINCT name FROM perturbation ORDER BY name"
_RUNS = "SELECT id FROM run ORDER BY pk DESC"


def complete_datasets(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete the names of stored and built-in datasets."""
    from horsesense.datasets.builtin import BUILT_IN

    return _matching([*_stored(ctx, _DATASETS), *BUILT_IN], incomplete)


def complete_data(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete the names of datasets, or of files."""
    files = complete_files(ctx, param, incomplete)
    return [*files, *complete_datasets(ctx, param, incomplete)]


def complete_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Let the shell complete the names of files."""
    return [CompletionItem(incomplete, type="file")]


def complete_models(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete the names of models that need no download, or of files."""
    from horsesense.models import available_models

    names = [*(model.name for model in available_models()), *_stored(ctx, _MODELS)]
    # Bash shows files if no name matches; the marker for files has to come first.
    return [*complete_files(ctx, param, incomplete), *_matching(names, incomplete)]


def complete_metrics(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete the names of metrics."""
    from horsesense.metrics import METRICS

    return _matching(METRICS, incomplete)


def complete_transformations(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete the names of transformations."""
    from horsesense.perturbations import TRANSFORMATIONS

    return _matching(TRANSFORMATIONS, incomplete)


def complete_perturbations(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete the names of perturbations in the store."""
    return _matching(_stored(ctx, _PERTURBATIONS), incomplete)


def complete_runs(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Complete the ids of runs, the latest first."""
    return _matching(["latest", *_stored(ctx, _RUNS)], incomplete)


def _matching(names: Iterable[str], incomplete: str) -> Items:
    return [CompletionItem(name) for name in dict.fromkeys(names) if name.startswith(incomplete)]


def _stored(ctx: click.Context, query: str) -> list[str]:
    """Read names from the store; nothing if there is none, or if it cannot be read."""
    path: Path = ctx.find_root().params.get("store") or default_store()
    address = f"file://{quote(str(path.absolute()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return [name for (name,) in connection.execute(query)]
    except sqlite3.Error:
        return []
