"""`horsesense score`: score the options of problems with a model, by every scoring method."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import click

from horsesense.cli.completing import complete_data, complete_models
from horsesense.cli.explain import draw, render
from horsesense.cli.offline import offline_option
from horsesense.cli.options import (
    DEFAULT_MODEL,
    MODEL_FIELDS,
    chosen_model,
    mode_option,
    model_options,
    wrapper_option,
)
from horsesense.cli.output import counted, counting, json_option, note, show_json, show_table
from horsesense.cli.place import prepare_store
from horsesense.cli.run import ONE_SUBSET
from horsesense.cli.score_views import (
    ScoreView,
    conclusion,
    explanation_json,
    introduction,
    outcome_table,
    problem_table,
    score_json,
    score_messages,
    scored_json,
    summary_table,
)
from horsesense.datasets.fetching import can_fetch
from horsesense.datasets.files import STDIN, is_built_in, is_file, write_file
from horsesense.errors import FileError, HorsesenseError
from horsesense.evaluation.inference import (
    Explanation,
    Posed,
    Progress,
    by_entry,
    explain,
    pose,
    score,
    spelling_of,
    summarize,
)
from horsesense.evaluation.protocol.plans import with_chat_models
from horsesense.models import Family, Model, Straddling, check_model
from horsesense.schema import Entry, first_schemas, sample_schemas
from horsesense.schema.notation import parse_wrapper
from horsesense.scoring import (
    FrequencyTable,
    Method,
    find_method,
    methods_of,
    read_frequencies,
)
from horsesense.store import Store, find_stored, open_material, unknown_dataset

# The greatest width that is still easy to read.
_WIDEST = 160


@dataclass(frozen=True, slots=True)
class _ScoreOptions:
    """The options of `score`, except for the model."""

    is_dataset: bool
    only_accepted: bool
    names: tuple[str, ...]
    mode_name: str | None
    wrapper: str | None
    frequencies: Path | None
    straddling: str
    sample: int | None
    first: int | None
    seed: int
    keep_going: bool
    no_cache: bool
    output: Path | None
    force: bool
    is_explained: bool
    as_json: bool


@click.command("score")
@click.argument(
    "what",
    required=False,
    shell_complete=complete_data,
)
@click.option(
    "--data",
    help="Stored, built-in or published dataset, or a file, instead of WHAT.",
    shell_complete=complete_data,
)
@click.option("--dataset", "is_dataset", is_flag=True, help="WHAT is a dataset in the store.")
@click.option(
    "--accepted",
    "only_accepted",
    is_flag=True,
    help="Use only the accepted entries of a perturbation.",
)
@click.option(
    "--model",
    "model_name",
    default=DEFAULT_MODEL,
    show_default=True,
    help="Model to query.",
    shell_complete=complete_models,
)
@click.option(
    "--chat",
    "with_chat",
    is_flag=True,
    help="Talk to the model, with its own chat template, instead of scoring sentences.",
)
@click.option(
    "--method", "names", multiple=True, help="Scoring method; repeatable. [all that apply]"
)
@mode_option
@wrapper_option
@click.option(
    "--frequencies",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Token frequencies, for the first token of models without BOS.",
)
@click.option(
    "--straddling",
    type=click.Choice([part.value for part in Straddling]),
    default=Straddling.SUFFIX.value,
    show_default=True,
    help="Where to count a token that crosses the end of a blank.",
)
@click.option(
    "--limit",
    "-L",
    "sample",
    metavar="N",
    type=click.IntRange(min=1),
    help="Use only N schemas, drawn at random by --seed as `run` draws them.",
)
@click.option(
    "--first", metavar="N", type=click.IntRange(min=1), help="Use only the first N schemas."
)
@click.option(
    "--seed",
    "-s",
    type=click.IntRange(0, 2**63 - 1),
    default=0,
    show_default=True,
    help="Random seed of --limit.",
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Skip problems that the model cannot tokenize, and report them.",
)
@click.option("--no-cache", is_flag=True, help="Do not use or store cached answers.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File to write every problem with its costs to, as JSON lines.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option(
    "--explain",
    "is_explained",
    is_flag=True,
    help="Show the costs of all tokens and their sums, or with a chat model all messages.",
)
@model_options
@offline_option
@json_option
@click.pass_obj
def score_command(
    path: Path, /, what: str | None, data: str | None, model_name: str, **options: Any
) -> None:
    """Score the options of each problem with a model.

    WHAT is a schema in notation, a schema file or published file in any known format, a published
    dataset such as winogrande, or with --dataset the name of a dataset in the store. With --data,
    a name is looked up in the store first, then among the built-in datasets, files and published
    datasets. A score is a cost: the model prefers the option with the lower score. Answers are
    cached in the store, so a second run is fast, and an interrupted run continues where it stopped.

    If the model cannot tokenize a sentence, the command fails before anything is computed; with
    --keep-going only that problem is skipped.

    Example:

    \b
        horsesense score --model longer \\
            'a lorry <can, cannot> pass under a {high, low} bridge'
    """
    model_choice = {key: options.pop(key) for key in MODEL_FIELDS}
    if options.pop("with_chat"):
        model_name = with_chat_models([model_name])[-1]
    choices = _ScoreOptions(**options)
    _check_output(choices)
    if choices.sample is not None and choices.first is not None:
        raise click.UsageError(ONE_SUBSET)
    if data is not None:
        choices = replace(choices, is_dataset=_is_stored(data, what, path))
    elif what is None:
        raise click.UsageError("say what to score: a schema, a file, or --data NAME")
    what = cast(str, data or what)
    check_model(model_name)  # before a dataset is fetched
    problems = _load_problems(what, path, choices)
    model = chosen_model(model_name, **model_choice)
    view = _score(model, problems, path, choices)
    if choices.as_json:
        show_json(_json(view, problems, choices))
    else:
        _show(view, problems, choices)
        for message in score_messages(view, is_explained=problems.is_one and choices.is_explained):
            note(message)
    if choices.output is not None:
        write_file(choices.output, _lines(view), overwrite=choices.force)


@dataclass(frozen=True, slots=True)
class _LoadedProblems:
    """The problems to score, and the name of their source."""

    name: str
    posed: Posed
    is_one: bool
    remarks: list[str]


def _check_output(choices: _ScoreOptions) -> None:
    """Check that the output can be written before the model is queried."""
    if choices.output is not None and choices.output.exists() and not choices.force:
        raise FileError(f"{choices.output} already exists; use --force to overwrite it")


def _is_stored(data: str, what: str | None, path: Path) -> bool:
    """Return whether --data names a dataset in the store; if not, it must name something else."""
    if what is not None:
        raise click.UsageError(f"give either {what!r} or --data {data}, not both")
    with Store.open(path) if path.exists() else nullcontext() as store:
        if store is not None and find_stored(store, data) is not None:
            return True
        is_known = data == STDIN or is_built_in(data) or is_file(data) or can_fetch(data)
        if not is_known:
            raise unknown_dataset(data, store)
    return False


def _load_problems(what: str, store: Path, choices: _ScoreOptions) -> _LoadedProblems:
    wrapper = None if choices.wrapper is None else parse_wrapper(choices.wrapper)
    with open_material(
        what,
        store,
        is_dataset=choices.is_dataset,
        only_accepted=choices.only_accepted,
        mode_name=choices.mode_name,
    ) as material:
        posed = pose(
            _requested(material.entries, choices),
            material.mode,
            wrapper=wrapper,
            is_declared=material.is_declared,
        )
        remarks = material.remarks()
    if choices.sample is not None:
        schemas = counted(choices.sample, "schema")
        remarks.append(f"a sample of {schemas}, drawn at random with seed {choices.seed}")
    if not posed.entries:
        reasons = "; ".join(left_out.reason for left_out in posed.left_out) or "it is empty"
        raise HorsesenseError(f"{material.name} has no problems {material.mode}: {reasons}")
    return _LoadedProblems(material.name, posed, material.is_one, remarks)


def _requested(entries: Iterable[Entry], choices: _ScoreOptions) -> Iterable[Entry]:
    """Return the entries to score: a sample, the first ones, or all."""
    if choices.sample is not None:
        return sample_schemas(tuple(entries), choices.sample, choices.seed)
    return entries if choices.first is None else first_schemas(entries, choices.first)


def _score(model: Model, loaded: _LoadedProblems, path: Path, choices: _ScoreOptions) -> ScoreView:
    """Query the model, and score all problems."""
    methods = _methods(model, choices.names)
    frequencies = _frequencies(choices.frequencies, model)
    progress = Progress(f"querying {model.info.name}", 0, 0)
    is_cached = not choices.no_cache and model.info.family is not Family.BASELINE
    if is_cached:
        prepare_store(path)

    with (
        Store.create_or_open(path) if is_cached else nullcontext() as store,
        counting(f"querying {model.info.name}") as report,
    ):

        def on_progress(current: Progress) -> None:
            nonlocal progress
            progress = current
            report(current.done, current.total)

        scored = score(
            model,
            loaded.posed.problems,
            methods,
            store=store,
            frequencies=frequencies,
            straddling=Straddling(choices.straddling),
            keep_going=choices.keep_going,
            on_progress=on_progress,
        )
        results = list(by_entry(loaded.posed, scored))
    return ScoreView(
        loaded.name,
        model,
        loaded.posed,
        results,
        [summarize(method.name, results) for method in methods],
        progress,
        Straddling(choices.straddling),
        loaded.remarks,
    )


def _methods(model: Model, names: tuple[str, ...]) -> list[Method]:
    """Return the requested methods, each once, or all methods of the model's family."""
    family = model.info.family
    methods = [find_method(name, family) for name in names] or methods_of(family)
    return list({method.name: method for method in methods}.values())


def _frequencies(path: Path | None, model: Model) -> FrequencyTable | None:
    if path is None:
        return None
    table = read_frequencies(path)
    if not table.fits(model.info.vocabulary):
        raise FileError(
            f"{path} has tokens that {model.info.name} does not have;"
            " create a table for this model with `horsesense model frequencies`"
        )
    return table


def _show(view: ScoreView, loaded: _LoadedProblems, choices: _ScoreOptions) -> None:
    if choices.is_explained:
        _show_explanations(view)
    if loaded.is_one and not choices.is_explained:
        show_table(problem_table(view.results))
        click.echo("")
        show_table(outcome_table(view.results))
    elif not loaded.is_one:
        show_table(summary_table(view.summaries))


def _show_explanations(view: ScoreView) -> None:
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    lines = list(introduction(view.model, view.results[0], width))
    for number, explained in enumerate(_explanations(view), 1):
        if explained is not None:
            lines += draw(explained, str(number), width)
    if len(view.scored) == 1:
        lines += conclusion(view.summaries)
    click.echo(render(lines, width, colour=sys.stdout.isatty()))


def _explanations(view: ScoreView) -> Iterator[Explanation | None]:
    """Explain each problem token by token; None if the model cannot tokenize it."""
    spell = spelling_of(view.model)
    return (None if result.unread else explain(result, spell) for result in view.results)


def _json(view: ScoreView, loaded: _LoadedProblems, choices: _ScoreOptions) -> dict[str, Any]:
    content = score_json(view)
    if loaded.is_one or choices.is_explained:
        content["problems"] = list(_problems_json(view))
    if choices.is_explained:
        for problem, explained in zip(content["problems"], _explanations(view), strict=True):
            problem["explanation"] = None if explained is None else explanation_json(explained)
    return content


def _lines(view: ScoreView) -> Iterator[str]:
    run = {"model": view.model.info.name, "dataset": view.name}
    for problem in _problems_json(view):
        yield json.dumps({**run, **problem}, ensure_ascii=False) + "\n"


def _problems_json(view: ScoreView) -> Iterator[dict[str, Any]]:
    for entry, results in view.scored:
        for number, result in enumerate(results, 1):
            yield {**scored_json(entry, number, result), "mode": view.posed.mode}
