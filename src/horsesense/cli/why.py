"""`horsesense why`: list notable problems of a run, or explain one by its tokens or messages."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from textwrap import fill
from typing import Any

import click

from horsesense.cli.completing import complete_datasets, complete_models, complete_runs
from horsesense.cli.explain import draw, render
from horsesense.cli.output import counted, json_option, note, show_json, show_table
from horsesense.cli.score_views import explanation_json
from horsesense.cli.why_views import (
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
    variant_json,
    variants_table,
    view_json,
    why_sentence,
)
from horsesense.errors import UnknownNameError
from horsesense.evaluation.explaining import Tokens, explain_kept
from horsesense.evaluation.inference import Explanation
from horsesense.models import Family
from horsesense.results import ModelSubject, ProblemRow, ResultKey, Results
from horsesense.results.measuring.noteworthy import (
    ProblemFilter,
    ProblemView,
    SortOrder,
    filter_and_sort,
    outcomes_by_variant,
    problem_views,
    twins_at,
)
from horsesense.scoring.outcome import Verdict
from horsesense.store import Store, find_model, load_results, open_runs

_SHOWN = 20
_NOT_FOUND = 1
_WIDEST = 160


@dataclass(frozen=True, slots=True)
class _Filters:
    """The filters and the order of the list."""

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
@click.option(
    "--run",
    "run_id",
    metavar="ID",
    help="Run to use. [the latest]",
    shell_complete=complete_runs,
)
@click.option(
    "--model",
    "model_name",
    help="Model to use. [the first that is not a baseline]",
    shell_complete=complete_models,
)
@click.option(
    "--data",
    "dataset",
    help="Use only this dataset. [all]",
    shell_complete=complete_datasets,
)
@click.option("--method", help="Scoring method. [the standard one]")
@click.option(
    "--sort",
    type=click.Choice([sort.value for sort in SortOrder]),
    help="Order of the list. [margin]",
)
@click.option("--reverse", "is_reversed", is_flag=True, help="Reverse the order.")
@click.option("--failed", is_flag=True, help="List failed problems.")
@click.option("--solved", is_flag=True, help="List solved problems.")
@click.option("--undecided", is_flag=True, help="List problems whose options cost the same.")
@click.option(
    "--flipped", "is_flipped", is_flag=True, help="List only problems that flip in a variant."
)
@click.option(
    "--half-solved", "is_half_solved", is_flag=True, help="List only half-solved schemas."
)
@click.option("--tag", "tags", multiple=True, help="List only problems with this tag; repeatable.")
@click.option("--limit", type=click.IntRange(min=1), help=f"Number of problems to list. [{_SHOWN}]")
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
    """Show why a model solved or failed a problem.

    PROBLEM is a name from the list, such as hs-winograd/ID.1; ID alone means both problems of a
    schema, and ID.1@switched a variant of it. The command shows the cost of each token, the sums
    of each scoring method, and the outcome in every variant; for a chat model, the messages and
    the replies instead of tokens.

    Without PROBLEM, notable problems are listed, with the worst failures first: by margin, by the
    number of methods that solve them, or by the number of variants in which they flip. A problem
    flips in a variant if it is solved there but not in the original, or the other way round.
    --failed, --solved and --undecided are combined with “or”, all other filters and tags with
    “and”.

    Example:

    \b
        horsesense why --failed --flipped --limit 5
    """
    filters = _Filters(**options)
    if problem is not None and not problem.strip():
        raise click.UsageError("PROBLEM is empty; give a name, or leave it out for the list")
    if problem is not None and any(asdict(filters).values()):
        raise click.UsageError("filters and sorting only work for the list, without PROBLEM")
    with open_runs(path) as store:
        results = load_results(store, model=model_name, run=run_id)
        scope = _Scope(results, find_model(results, model_name), dataset, method)
        if problem is None:
            _list(scope, filters, as_json=as_json)
        else:
            _explain(store, scope, problem, as_json=as_json)


@dataclass(frozen=True, slots=True)
class _Scope:
    """The run, model, dataset and method to show."""

    results: Results
    model: ModelSubject
    dataset: str | None
    method: str | None

    def method_for(self, dataset: str) -> str:
        """Return the requested method, or the standard one."""
        if self.method is not None and self.method not in self.model.methods:
            raise UnknownNameError(f"method of {self.model.name}", self.method, self.model.methods)
        return self.method or self.model.method_for(dataset)

    def key(self, problem: ProblemRow) -> ResultKey:
        """Return the key of the answers that include this problem."""
        method = self.method_for(problem.dataset)
        return ResultKey(self.model.name, problem.dataset, problem.variant, method=method)

    def json(self) -> dict[str, str]:
        """Return the run and the model as JSON."""
        return {"run": self.results.record.id, "model": self.model.name}


def _list(scope: _Scope, filters: _Filters, *, as_json: bool) -> None:
    results, name = scope.results, scope.model.name
    datasets = (
        [dataset.name for dataset in results.datasets] if scope.dataset is None else [scope.dataset]
    )
    views = [
        view for dataset in datasets for view in problem_views(results, name, dataset, scope.method)
    ]
    sort = SortOrder(filters.sort or SortOrder.MARGIN)
    found = filter_and_sort(views, _wanted(filters, views), sort, is_reversed=filters.is_reversed)
    shown = found[: filters.limit or _SHOWN]
    if as_json:
        problems = [view_json(view) for view in shown]
        show_json({**scope.json(), "found": len(found), "of": len(views), "problems": problems})
    elif shown:
        by = ", ".join(dict.fromkeys(view.method for view in views))
        click.echo(f"{name} in run {results.record.id}, by {by}")
        show_table(list_table(shown))
        note(_counts(len(shown), len(found), len(views)))
    if not found:
        note(f"none of {counted(len(views), 'problem')} matches the filters")
        click.get_current_context().exit(_NOT_FOUND)


def _counts(shown: int, found: int, there: int) -> str:
    """Describe how many problems are listed, match, and exist.

    >>> _counts(20, 24, 24), _counts(3, 3, 24)
    ('20 of 24 problems; use --limit 24 to see all', '3 matching problems, of 24 in total')
    """
    of = f"{shown} of " if shown < found else ""
    more = f"; use --limit {found} to see all" if shown < found else ""
    if found == there:
        return f"{of}{counted(found, 'problem')}{more}"
    return f"{of}{counted(found, 'matching problem')}, of {there} in total{more}"


def _wanted(filters: _Filters, views: Sequence[ProblemView]) -> ProblemFilter:
    known = frozenset[str]().union(*(view.tags for view in views))
    for tag in filters.tags:
        if tag not in known:
            raise UnknownNameError("tag in the run", tag, known)
    verdicts = {
        Verdict.FAILED: filters.failed,
        Verdict.SOLVED: filters.solved,
        Verdict.UNDECIDED: filters.undecided,
    }
    return ProblemFilter(
        verdicts=frozenset(verdict for verdict, is_chosen in verdicts.items() if is_chosen),
        is_flipped=filters.is_flipped,
        is_half_solved=filters.is_half_solved,
        tags=frozenset(filters.tags),
    )


def _explain(store: Store, scope: _Scope, name: str, *, as_json: bool) -> None:
    there = [
        problem for problem in scope.results.problems if scope.dataset in (None, problem.dataset)
    ]
    problems = problems_named(there, name)
    tokens = explain_kept(store, scope.results, scope.model, problems, note=note)
    if as_json:
        explained = [_explained_json(scope, problem, tokens) for problem in problems]
        show_json({**scope.json(), "tokens_from": _source(tokens), "problems": explained})
        return
    click.echo(f"{scope.model.name} ({scope.model.family}) in run {scope.results.record.id}")
    for problem in problems:
        _show(scope, problem, tokens)
    if tokens.reason:
        note(_without_explanation(scope.model, tokens.reason))


def _without_explanation(model: ModelSubject, reason: str) -> str:
    if model.family == Family.CHAT:
        return f"messages and replies cannot be shown: {reason}"
    return f"tokens are from the stored run; the model cannot be queried: {reason}"


def _source(tokens: Tokens) -> str:
    return f"the run ({tokens.reason})" if tokens.reason else "the store"


def _show(scope: _Scope, problem: ProblemRow, tokens: Tokens) -> None:
    results, model = scope.results, scope.model
    explained, key = tokens.explanations.get((problem.entry, problem.number)), scope.key(problem)
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    is_coloured = sys.stdout.isatty()
    decided = why_sentence(results, key, problem, explained)
    before = list(filter(None, (decided, twin_line(results, key, problem))))
    if explained is not None:
        method = key.method if is_coloured else ""
        shown = _of_method(explained, key.method)
        lines = draw(shown, problem_name(problem), width, before=before, method=method)
        click.echo(render(lines, width, colour=is_coloured))
    else:
        click.echo("\n" + fill(f"{problem_name(problem)}  {problem.statement}", width))
        for paragraph in before:
            click.echo(fill(paragraph, width, break_on_hyphens=False))
        click.echo("")
        outcome = outcomes_of(results, model, problem).get(key.method)
        costs = () if outcome is None else outcome.costs
        for line in token_lines(kept_tokens(results, model, problem), problem, costs):
            click.echo(line)
        show_table(methods_table(results, model, problem))
    click.echo("")
    click.echo(f"in every variant, by {key.method}:")
    show_table(variants_table(outcomes_by_variant(results, key, problem)))


def _of_method(explained: Explanation, method: str) -> Explanation:
    """Leave out the conversations of other methods, which would fill pages."""
    chosen = tuple(each for each in explained.conversations if each.method == method)
    return replace(explained, conversations=chosen)


def _explained_json(scope: _Scope, problem: ProblemRow, tokens: Tokens) -> dict[str, Any]:
    results, model, at = scope.results, scope.model, scope.key(problem)
    explained = tokens.explanations.get((problem.entry, problem.number))
    twin = twins_at(results, at).get((problem.entry, problem.number))
    outcomes = outcomes_of(results, model, problem)
    return {
        **problem_json(problem),
        "method": at.method,
        "methods": {name: outcome_json(outcome) for name, outcome in outcomes.items()},
        "decided": why_sentence(results, at, problem, explained),
        "explanation": None if explained is None else explanation_json(explained),
        "tokens": [asdict(token) for token in kept_tokens(results, model, problem)],
        "twin": None if twin is None else twin.number,
        "forms": [variant_json(*row) for row in outcomes_by_variant(results, at, problem)],
    }
