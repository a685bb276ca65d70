"""`horsesense why`: the problems of a run that are worth a look, and one of them token by token."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from horsesense.cli.explain import draw, render
from horsesense.cli.output import counted, json_option, note, show_json, show_table
from horsesense.cli.score_views import explanation_json
from horsesense.cli.why_views import (
    form_json,
    forms_table,
    kept_tokens,
    list_table,
    methods_table,
    outcome_json,
    outcomes_of,
    problem_json,
    problem_name,
    problems_named,
    token_lines,
    twin_line,
    view_json,
)
from horsesense.errors import UnknownNameError
from horsesense.evaluation.explaining import Tokens, explain_kept
from horsesense.results import ModelSubject, ProblemRow, ResultKey, Results
from horsesense.results.measuring.noteworthy import (
    ProblemView,
    Sort,
    Wanted,
    arranged,
    problem_views,
    twins_at,
    variant_views,
)
from horsesense.scoring.outcome import Verdict
from horsesense.store import Store, find_model, load_results, open_runs

_SHOWN = 20
_NOT_FOUND = 1
_WIDEST = 160


@dataclass(frozen=True, slots=True)
class _Filters:
    """Which problems are listed, and in which order."""

    sort: str | None
    is_reversed: bool
    failed: bool
    solved: bool
    undecided: bool
    is_flipped: bool
    is_half_solved: bool
    tags: tuple[str, ...]
    limit: int | None


@click.command("why")
@click.argument("problem", required=False)
@click.option("--run", "run_id", metavar="ID", help="Use this run. [the latest]")
@click.option("--model", "model_name", help="Use this model. [the first that is not a baseline]")
@click.option("--data", "dataset", help="Use only this dataset. [all]")
@click.option("--method", help="Use this scoring method. [the standard one]")
@click.option(
    "--sort",
    type=click.Choice([sort.value for sort in Sort]),
    help="Sort the list by this. [margin]",
)
@click.option("--reverse", "is_reversed", is_flag=True, help="Reverse the order.")
@click.option("--failed", is_flag=True, help="List problems that the model fails.")
@click.option("--solved", is_flag=True, help="List problems that it solves.")
@click.option("--undecided", is_flag=True, help="List problems whose options cost the same.")
@click.option(
    "--flipped", "is_flipped", is_flag=True, help="List only problems that flip in a form."
)
@click.option(
    "--half-solved", "is_half_solved", is_flag=True, help="List only half-solved schemas."
)
@click.option("--tag", "tags", multiple=True, help="List only problems with this tag; repeatable.")
@click.option("--limit", type=click.IntRange(min=1), help=f"List at most N problems. [{_SHOWN}]")
@json_option
@click.pass_obj
def why_command(
    path: Path,
    /,
    problem: str | None,
    run_id: str | None,
    model_name: str | None,
    dataset: str | None,
    method: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Show why a model solved or failed a problem, or list the problems worth a look.

    PROBLEM is that of a list, such as hs-winograd/ID.1, or ID for both problems of a schema, or
    ID.1@switched for a form of it. Its tokens are shown with their costs, and what each method
    adds up; then what became of it in every form.

    The list has the worst failures first: by margin, by how many methods solve a problem, or by
    in how many forms it flips, which is to be solved there and failed in the original, or the
    other way round. It has the problems that --failed, --solved or --undecided names, any of
    these, and of them those for which every other filter holds, each --tag too.

    Example:

    \b
        horsesense why --failed --flipped --limit 5
    """
    filters = _Filters(**options)
    if problem is not None and not problem.strip():
        raise click.UsageError("PROBLEM is empty; name one, or leave it out for the list")
    if problem is not None and any(asdict(filters).values()):
        raise click.UsageError("filters and sorting are for the list, and PROBLEM names one")
    with open_runs(path) as store:
        results = load_results(store, model=model_name, run=run_id)
        asked = _Asked(results, find_model(results, model_name), dataset, method)
        if problem is None:
            _list(asked, filters, as_json=as_json)
        else:
            _explain(store, asked, problem, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Asked:
    """Of which run, model, dataset and method something is to be shown."""

    profile: Results
    model: ModelSubject
    dataset: str | None
    method: str | None

    def method_for(self, dataset: str) -> str:
        """The method that was asked for, or the standard one."""
        if self.method is not None and self.method not in self.model.methods:
            raise UnknownNameError(f"method of {self.model.name}", self.method, self.model.methods)
        return self.method or self.model.method_for(dataset)

    def address(self, problem: ProblemRow) -> ResultKey:
        """Where the answer to a problem stands."""
        method = self.method_for(problem.dataset)
        return ResultKey(self.model.name, problem.dataset, problem.variant, method=method)

    def told(self) -> dict[str, str]:
        """Of what all that follows is."""
        return {"run": self.profile.record.id, "model": self.model.name}


def _list(asked: _Asked, filters: _Filters, *, as_json: bool) -> None:
    results, name = asked.profile, asked.model.name
    datasets = (
        [dataset.name for dataset in results.datasets] if asked.dataset is None else [asked.dataset]
    )
    views = [
        view for dataset in datasets for view in problem_views(results, name, dataset, asked.method)
    ]
    sort = Sort(filters.sort or Sort.MARGIN)
    found = arranged(views, _wanted(filters, views), sort, is_reversed=filters.is_reversed)
    shown = found[: filters.limit or _SHOWN]
    if as_json:
        problems = [view_json(one) for one in shown]
        show_json({**asked.told(), "found": len(found), "of": len(views), "problems": problems})
    elif shown:
        by = ", ".join(dict.fromkeys(view.method for view in views))
        click.echo(f"{name} in run {results.record.id}, by {by}")
        show_table(list_table(shown))
        note(_counts(len(shown), len(found), len(views)))
    if not found:
        note(f"none of {counted(len(views), 'problem')} is like that")
        click.get_current_context().exit(_NOT_FOUND)


def _counts(shown: int, found: int, there: int) -> str:
    """How many are listed, of how many; what is the same is not told twice.

    >>> _counts(20, 24, 24), _counts(3, 3, 24)
    ('20 of 24 problems; --limit 24 lists all', '3 such problems, of 24 in all')
    """
    of = f"{shown} of " if shown < found else ""
    more = f"; --limit {found} lists all" if shown < found else ""
    if found == there:
        return f"{of}{counted(found, 'problem')}{more}"
    return f"{of}{counted(found, 'such problem')}, of {there} in all{more}"


def _wanted(filters: _Filters, views: Sequence[ProblemView]) -> Wanted:
    known = frozenset[str]().union(*(view.tags for view in views))
    for tag in filters.tags:
        if tag not in known:
            raise UnknownNameError("tag in the run", tag, known)
    verdicts = {
        Verdict.FAILED: filters.failed,
        Verdict.SOLVED: filters.solved,
        Verdict.UNDECIDED: filters.undecided,
    }
    return Wanted(
        verdicts=frozenset(one for one, is_wanted in verdicts.items() if is_wanted),
        is_flipped=filters.is_flipped,
        is_half_solved=filters.is_half_solved,
        tags=frozenset(filters.tags),
    )


def _explain(store: Store, asked: _Asked, name: str, *, as_json: bool) -> None:
    there = [
        problem for problem in asked.profile.problems if asked.dataset in (None, problem.dataset)
    ]
    problems = problems_named(there, name)
    tokens = explain_kept(store, asked.profile, asked.model, problems, note=note)
    if as_json:
        explained = [_explained_json(asked, problem, tokens) for problem in problems]
        show_json({**asked.told(), "tokens_from": _source(tokens), "problems": explained})
        return
    click.echo(f"{asked.model.name} ({asked.model.family}) in run {asked.profile.record.id}")
    for problem in problems:
        _show(asked, problem, tokens)
    if tokens.reason:
        note(f"from what the run kept, as the model cannot be asked again: {tokens.reason}")


def _source(tokens: Tokens) -> str:
    return f"the run ({tokens.reason})" if tokens.reason else "the store"


def _show(asked: _Asked, problem: ProblemRow, tokens: Tokens) -> None:
    results, model = asked.profile, asked.model
    explained = tokens.found.get((problem.entry, problem.number))
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    if explained is not None:
        lines = draw(explained, problem_name(problem), width)
        click.echo(render(lines, width, colour=sys.stdout.isatty()))
    else:
        click.echo("\n" + fill(f"{problem_name(problem)}  {problem.statement}", width) + "\n")
        for line in token_lines(kept_tokens(results, model, problem), problem):
            click.echo(line)
        show_table(methods_table(results, model, problem))
    at = asked.address(problem)
    click.echo("")
    if twin := twin_line(results, at, problem):
        click.echo(twin)
    click.echo(f"in every form, by {at.method}:")
    show_table(forms_table(variant_views(results, at, problem)))


def _explained_json(asked: _Asked, problem: ProblemRow, tokens: Tokens) -> dict[str, Any]:
    results, model, at = asked.profile, asked.model, asked.address(problem)
    explained = tokens.found.get((problem.entry, problem.number))
    twin = twins_at(results, at).get((problem.entry, problem.number))
    outcomes = outcomes_of(results, model, problem)
    return {
        **problem_json(problem),
        "method": at.method,
        "methods": {name: outcome_json(one) for name, one in outcomes.items()},
        "explanation": None if explained is None else explanation_json(explained),
        "tokens": [asdict(token) for token in kept_tokens(results, model, problem)],
        "twin": None if twin is None else twin.number,
        "forms": [form_json(view) for view in variant_views(results, at, problem)],
    }
