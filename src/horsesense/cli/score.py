"""`horsesense score`: what a model prefers, by every scoring method, and why."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import click

from horsesense.cli.explain import draw, render
from horsesense.cli.options import (
    DEFAULT_MODEL,
    chosen_model,
    mode_option,
    model_options,
    wrapper_option,
)
from horsesense.cli.output import counting, json_option, note, show_json, show_table
from horsesense.cli.score_views import (
    Shown,
    conclusion,
    explanation_json,
    introduction,
    notes,
    outcome_table,
    problem_table,
    scored_json,
    shown_json,
    summary_table,
)
from horsesense.datasets.files import write_file
from horsesense.errors import FileError, HorsesenseError
from horsesense.evaluation.inference import (
    Explanation,
    Posed,
    Progress,
    by_entry,
    explain,
    pose,
    score,
    summarize,
)
from horsesense.models import Family, LanguageModel, Model, Straddling
from horsesense.schema.notation import parse_wrapper
from horsesense.scoring import (
    FrequencyTable,
    Method,
    find_method,
    methods_of,
    read_frequencies,
)
from horsesense.store import Store, open_material

# As wide as a slide, and no wider than what can be read.
_WIDEST = 160


@dataclass(frozen=True, slots=True)
class _Choices:
    """What the user asked for, the model aside."""

    is_dataset: bool
    only_accepted: bool
    names: tuple[str, ...]
    mode_name: str | None
    wrapper: str | None
    frequencies: Path | None
    straddling: str
    limit: int | None
    keep_going: bool
    no_cache: bool
    output: Path | None
    force: bool
    is_explained: bool
    as_json: bool


@click.command("score")
@click.argument("what")
@click.option("--dataset", "is_dataset", is_flag=True, help="Read WHAT as a dataset in the store.")
@click.option(
    "--accepted",
    "only_accepted",
    is_flag=True,
    help="Use only the accepted entries of a perturbation.",
)
@click.option("--model", "model_name", default=DEFAULT_MODEL, show_default=True)
@click.option(
    "--method", "names", multiple=True, help="Use this scoring method; repeatable. [all that apply]"
)
@mode_option
@wrapper_option
@click.option(
    "--frequencies",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Read token frequencies, for models without BOS.",
)
@click.option(
    "--straddling",
    type=click.Choice([one.value for one in Straddling]),
    default=Straddling.SUFFIX.value,
    show_default=True,
    help="Count a token that begins in a blank and ends after it as this.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Use only the first N entries.")
@click.option(
    "--keep-going", is_flag=True, help="Skip problems that the model cannot read, and report them."
)
@click.option("--no-cache", is_flag=True, help="Do not use or keep answers in the store.")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write every problem with its costs to this file as JSON lines.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--explain", "is_explained", is_flag=True, help="Show every token and every sum.")
@model_options
@json_option
@click.pass_obj
def score_command(path: Path, /, what: str, model_name: str, **options: Any) -> None:
    """Score the options of each problem with a model, by every scoring method.

    WHAT is a schema in notation, a schema file or published file in any known format, or with
    --dataset the name of a dataset in the store. A score is a cost: the model prefers the option
    with the lower one. Answers are kept in the store, so a second run is quick, and an
    interrupted one continues where it stopped.

    A sentence that the model cannot read is an error before anything is computed; with
    --keep-going only its problem is skipped.

    Example:

    \b
        horsesense score --model longer 'a lorry <can, cannot> pass under a {high, low} bridge'
    """
    model_choice = {key: options.pop(key) for key in ("dtype", "device", "memory", "allow_pickle")}
    choices = _Choices(**options)
    _check_output(choices)
    given = _read(what, path, choices)
    model = chosen_model(model_name, **model_choice)
    shown = _asked(model, given, path, choices)
    if choices.as_json:
        show_json(_json(shown, given, choices))
    else:
        _show(shown, given, choices)
        for message in notes(shown, is_explained=given.is_one and choices.is_explained):
            note(message)
    if choices.output is not None:
        write_file(choices.output, _lines(shown), overwrite=choices.force)


@dataclass(frozen=True, slots=True)
class _Given:
    """What there is to be asked, and what it is called."""

    name: str
    posed: Posed
    is_one: bool
    remarks: list[str]


def _check_output(choices: _Choices) -> None:
    """Refuse at once what would be refused when everything has been asked."""
    if choices.output is not None and choices.output.exists() and not choices.force:
        raise FileError(f"{choices.output} already exists; --force overwrites it")


def _read(what: str, store: Path, choices: _Choices) -> _Given:
    wrapper = None if choices.wrapper is None else parse_wrapper(choices.wrapper)
    with open_material(
        what,
        store,
        is_dataset=choices.is_dataset,
        only_accepted=choices.only_accepted,
        mode_name=choices.mode_name,
    ) as material:
        posed = pose(
            material.entries,
            material.mode,
            wrapper=wrapper,
            limit=choices.limit,
            is_declared=material.is_declared,
        )
        remarks = material.remarks()
    if not posed.entries:
        reasons = "; ".join(one.reason for one in posed.left_out) or "there is none"
        raise HorsesenseError(
            f"{material.name}: no problem can be posed {material.mode}: {reasons}"
        )
    return _Given(material.name, posed, material.is_one, remarks)


def _asked(model: Model, given: _Given, path: Path, choices: _Choices) -> Shown:
    """Ask the model all there is to be asked."""
    methods = _methods(model, choices.names)
    frequencies = _frequencies(choices.frequencies, model)
    progress = Progress(0, 0, 0)
    is_kept = not choices.no_cache and model.info.family is not Family.BASELINE

    with (
        Store.create_or_open(path) if is_kept else nullcontext() as store,
        counting(f"asking {model.info.name}") as tell,
    ):

        def on_progress(message: Progress) -> None:
            nonlocal progress
            progress = message
            tell(message.done, message.total)

        scored = score(
            model,
            given.posed.problems,
            methods,
            store=store,
            frequencies=frequencies,
            straddling=Straddling(choices.straddling),
            keep_going=choices.keep_going,
            on_progress=on_progress,
        )
        results = list(by_entry(given.posed, scored))
    return Shown(
        given.name,
        model,
        given.posed,
        results,
        [summarize(method.name, results) for method in methods],
        progress,
        Straddling(choices.straddling),
        given.remarks,
    )


def _methods(model: Model, names: tuple[str, ...]) -> list[Method]:
    """The methods asked for, each once, or all of the model's family."""
    family = model.info.family
    found = [find_method(name, family) for name in names] or methods_of(family)
    return list({method.name: method for method in found}.values())


def _frequencies(path: Path | None, model: Model) -> FrequencyTable | None:
    if path is None:
        return None
    table = read_frequencies(path)
    if not table.fits(model.info.vocabulary):
        raise FileError(
            f"{path} counts tokens that {model.info.name} does not have;"
            " `horsesense model frequencies` makes a table for it"
        )
    return table


def _show(shown: Shown, given: _Given, choices: _Choices) -> None:
    if choices.is_explained:
        _show_explanations(shown)
    if given.is_one and not choices.is_explained:
        show_table(problem_table(shown.results))
        click.echo("")
        show_table(outcome_table(shown.results))
    elif not given.is_one:
        show_table(summary_table(shown.summaries))


def _show_explanations(shown: Shown) -> None:
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    lines = list(introduction(shown.model, shown.results[0], width))
    for number, explained in enumerate(_explanations(shown), 1):
        if explained is not None:
            lines += draw(explained, str(number), width)
    if len(shown.scored) == 1:
        lines += conclusion(shown.summaries)
    click.echo(render(lines, width, colour=sys.stdout.isatty()))


def _explanations(shown: Shown) -> Iterator[Explanation | None]:
    """What came of each problem token by token; nothing of one that the model cannot read."""
    family = shown.model.info.family
    spell = str if family is Family.BASELINE else cast(LanguageModel, shown.model).token_text
    return (None if result.unread else explain(result, spell) for result in shown.results)


def _json(shown: Shown, given: _Given, choices: _Choices) -> dict[str, Any]:
    found = shown_json(shown)
    if given.is_one or choices.is_explained:
        found["problems"] = list(_problems_json(shown))
    if choices.is_explained:
        for one, explained in zip(found["problems"], _explanations(shown), strict=True):
            one["explanation"] = None if explained is None else explanation_json(explained)
    return found


def _lines(shown: Shown) -> Iterator[str]:
    run = {"model": shown.model.info.name, "dataset": shown.name}
    for one in _problems_json(shown):
        yield json.dumps({**run, **one}, ensure_ascii=False) + "\n"


def _problems_json(shown: Shown) -> Iterator[dict[str, Any]]:
    for entry, results in shown.scored:
        for number, result in enumerate(results, 1):
            yield {**scored_json(entry, number, result), "mode": shown.posed.mode}
