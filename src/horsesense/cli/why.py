"""`horsesense why`: the problems of a run that are worth a look, and one of them token by token."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from textwrap import fill
from typing import Any, TypeAlias, cast

import click

from horsesense.cli.explain import draw, render
from horsesense.cli.kept_runs import model_in, run_with
from horsesense.cli.options import chosen_model
from horsesense.cli.output import counted, json_option, note, show_json, show_table
from horsesense.cli.runs import opened_runs
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
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.evaluation.inference import Explanation, Progress, explain, score
from horsesense.evaluation.protocol import find_source
from horsesense.evaluation.protocol.forms import pose_dataset
from horsesense.models import Family, LanguageModel, Model, Straddling, is_local
from horsesense.results import (
    NO_PERTURBATION,
    ModelSubject,
    Plan,
    ProblemRow,
    ResultKey,
    Results,
    Variant,
)
from horsesense.results.measuring.noteworthy import (
    ProblemView,
    Sort,
    Wanted,
    arranged,
    problem_views,
    twins_at,
    variant_views,
)
from horsesense.schema import Problem
from horsesense.scoring import find_method, read_frequencies
from horsesense.scoring.outcome import Verdict
from horsesense.store import Store

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
@click.option("--run", "run_id", metavar="ID", help="The run. [the latest]")
@click.option("--model", "model_name", help="The model. [the first that is no baseline]")
@click.option("--data", "dataset", help="Of the list, this dataset only. [all]")
@click.option("--method", help="The scoring method. [the standard one]")
@click.option(
    "--sort",
    type=click.Choice([sort.value for sort in Sort]),
    help="What comes first in the list. [margin]",
)
@click.option("--reverse", "is_reversed", is_flag=True, help="The other way round.")
@click.option("--failed", is_flag=True, help="Problems that the model fails.")
@click.option("--solved", is_flag=True, help="Problems that it solves.")
@click.option("--undecided", is_flag=True, help="Problems whose options cost the same.")
@click.option("--flipped", "is_flipped", is_flag=True, help="Those that flip in a form.")
@click.option(
    "--half-solved", "is_half_solved", is_flag=True, help="Those of a schema that is half-solved."
)
@click.option("--tag", "tags", multiple=True, help="Those with this tag; may be repeated.")
@click.option("--limit", type=click.IntRange(min=1), help=f"So many of the list. [{_SHOWN}]")
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
    with opened_runs(path) as store:
        profile = run_with(store, model_name, run_id)
        asked = _Asked(profile, model_in(profile, model_name), dataset, method)
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
    profile, name = asked.profile, asked.model.name
    datasets = [one.name for one in profile.datasets] if asked.dataset is None else [asked.dataset]
    views = [view for one in datasets for view in problem_views(profile, name, one, asked.method)]
    sort = Sort(filters.sort or Sort.MARGIN)
    found = arranged(views, _wanted(filters, views), sort, is_reversed=filters.is_reversed)
    shown = found[: filters.limit or _SHOWN]
    if as_json:
        problems = [view_json(one) for one in shown]
        show_json({**asked.told(), "found": len(found), "of": len(views), "problems": problems})
    elif shown:
        by = ", ".join(dict.fromkeys(one.method for one in views))
        click.echo(f"{name} in run {profile.record.id}, by {by}")
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
    known = frozenset[str]().union(*(one.tags for one in views))
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
    there = [one for one in asked.profile.problems if asked.dataset in (None, one.dataset)]
    problems = problems_named(there, name)
    tokens = tokens_of(store, asked.profile, asked.model, problems)
    if as_json:
        explained = [_explained_json(asked, one, tokens) for one in problems]
        show_json({**asked.told(), "tokens_from": _source(tokens), "problems": explained})
        return
    click.echo(f"{asked.model.name} ({asked.model.family}) in run {asked.profile.record.id}")
    for one in problems:
        _show(asked, one, tokens)
    if tokens.reason:
        note(f"from what the run kept, as the model cannot be asked again: {tokens.reason}")


def _source(tokens: Tokens) -> str:
    return f"the run ({tokens.reason})" if tokens.reason else "the store"


def _show(asked: _Asked, problem: ProblemRow, tokens: Tokens) -> None:
    profile, model = asked.profile, asked.model
    explained = tokens.found.get((problem.entry, problem.number))
    width = min(shutil.get_terminal_size().columns, _WIDEST)
    if explained is not None:
        lines = draw(explained, problem_name(problem), width)
        click.echo(render(lines, width, colour=sys.stdout.isatty()))
    else:
        click.echo("\n" + fill(f"{problem_name(problem)}  {problem.statement}", width) + "\n")
        for line in token_lines(kept_tokens(profile, model, problem), problem):
            click.echo(line)
        show_table(methods_table(profile, model, problem))
    at = asked.address(problem)
    click.echo("")
    if twin := twin_line(profile, at, problem):
        click.echo(twin)
    click.echo(f"in every form, by {at.method}:")
    show_table(forms_table(variant_views(profile, at, problem)))


def _explained_json(asked: _Asked, problem: ProblemRow, tokens: Tokens) -> dict[str, Any]:
    profile, model, at = asked.profile, asked.model, asked.address(problem)
    explained = tokens.found.get((problem.entry, problem.number))
    twin = twins_at(profile, at).get((problem.entry, problem.number))
    outcomes = outcomes_of(profile, model, problem)
    return {
        **problem_json(problem),
        "method": at.method,
        "methods": {name: outcome_json(one) for name, one in outcomes.items()},
        "explanation": None if explained is None else explanation_json(explained),
        "tokens": [asdict(one) for one in kept_tokens(profile, model, problem)],
        "twin": None if twin is None else twin.number,
        "forms": [form_json(one) for one in variant_views(profile, at, problem)],
    }


Place: TypeAlias = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Explanations by the entry and number of a problem, or the reason why there are none."""

    found: Mapping[Place, Explanation] = field(default_factory=dict)
    reason: str = ""


class _NotKept(HorsesenseError):
    """The store does not have all answers."""


def tokens_of(
    store: Store, profile: Results, subject: ModelSubject, problems: Sequence[ProblemRow]
) -> Tokens:
    """What the model said of problems of one form token by token, just as it did in the run.

    It is not asked anything anew: for a big model that would take its time.
    """
    try:
        return Tokens(_explained(store, profile, subject, problems))
    except HorsesenseError as error:
        return Tokens(reason=str(error))


def _explained(
    store: Store, profile: Results, subject: ModelSubject, problems: Sequence[ProblemRow]
) -> dict[Place, Explanation]:
    model = _same_model(profile.record.plan, subject)
    posed = _posed(store, profile, problems)
    plan, family = profile.record.plan, model.info.family
    scored = score(
        model,
        posed.values(),
        [find_method(name, family) for name in subject.methods],
        store=store,
        frequencies=None if plan.frequencies is None else read_frequencies(Path(plan.frequencies)),
        straddling=Straddling(plan.straddling),
        keep_going=plan.keep_going,
        on_progress=_only_kept,
    )
    spell = str if family is Family.BASELINE else cast(LanguageModel, model).token_text
    return {
        place: explain(one, spell)
        for place, one in zip(posed, scored, strict=True)
        if not one.unread
    }


def _only_kept(progress: Progress) -> None:
    if progress.cached < progress.total:
        missing = progress.total - progress.cached
        raise _NotKept(f"{missing} of {progress.total} answers are no longer in the store")


def _same_model(plan: Plan, subject: ModelSubject) -> Model:
    """The model of the run, if it is still here."""
    if not is_local(subject.name):
        raise HorsesenseError(f"{subject.name} is not on this machine, and is not fetched for this")
    model = chosen_model(
        subject.name,
        dtype=plan.dtype,
        device=plan.device,
        memory=plan.memory,
        allow_pickle=plan.allow_pickle,
    )
    if model.info.fingerprint != subject.fingerprint:
        raise HorsesenseError(f"{subject.name} is another model now than it was in the run")
    return model


def _posed(store: Store, profile: Results, problems: Sequence[ProblemRow]) -> dict[Place, Problem]:
    """The problems as they were posed, if the data are still what they were."""
    dataset, form = problems[0].dataset, problems[0].variant
    subject = next(one for one in profile.variants_of(dataset) if one.name == form)
    there = _posed_now(store, profile, subject)
    found: dict[Place, Problem] = {}
    for one in problems:
        now = there.get((one.entry, one.number))
        if now is None or tuple(each.text for each in now.sentences) != one.sentences:
            raise HorsesenseError(f"{one.entry}.{one.number} is posed otherwise by this program")
        found[one.entry, one.number] = now
    return found


def _posed_now(store: Store, profile: Results, form: Variant) -> dict[Place, Problem]:
    """All problems of a form by today's program."""
    plan = profile.record.plan
    known = next(one for one in profile.datasets if one.name == form.dataset)
    # Read, as only its content tells whether it is the same: a file may be written otherwise.
    sources = (find_source(name, store, plan.wrapper) for name in plan.data)
    source = next((one for one in sources if one.name == form.dataset), None)
    if source is None or source.dataset.version != known.id:
        raise HorsesenseError(f"{form.dataset} is other data now than it was in the run")
    chosen = replace(plan, perturbations=(form.transformation or NO_PERTURBATION,))
    posed = pose_dataset(source, chosen)
    return {
        (entry.id, number): problem
        for each in posed.forms
        if each.subject.name == form.name
        for entry in each.posed.entries
        for number, problem in enumerate(entry.problems, 1)
    }
