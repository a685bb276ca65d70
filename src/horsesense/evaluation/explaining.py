"""Explain problems of a stored run by their tokens or messages, from the answers in the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.evaluation.inference import (
    Explanation,
    ObservedProblem,
    Progress,
    explain,
    score,
    score_observed,
    spelling_of,
)
from horsesense.evaluation.inference.chatting import questions_of
from horsesense.evaluation.protocol import find_source, with_files
from horsesense.evaluation.protocol.variants import pose_dataset
from horsesense.models import (
    AskedQuestion,
    ChatObservation,
    Family,
    Model,
    Straddling,
    is_local,
    load_model,
)
from horsesense.results import (
    NO_PERTURBATION,
    ModelSubject,
    Plan,
    ProblemRow,
    Results,
    Variant,
)
from horsesense.schema import Problem
from horsesense.scoring import find_method, read_frequencies
from horsesense.store import Store, load_replies

Place: TypeAlias = tuple[str, int]
_GIB = 2**30


def _ignore(message: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Explanations by the entry and number of a problem, or the reason why there are none."""

    explanations: Mapping[Place, Explanation] = field(default_factory=dict)
    reason: str = ""


class _NotKept(HorsesenseError):
    """The store no longer has all answers."""


def explain_kept(
    store: Store,
    results: Results,
    model: ModelSubject,
    problems: Sequence[ProblemRow],
    *,
    note: Callable[[str], None] = _ignore,
) -> Tokens:
    """Explain problems of one variant token by token, from the answers in the store.

    The model is loaded for its tokenizer, but not queried, as a large model would take too long; a
    chat model is not even loaded. `note` is called with a message before anything slow.
    """
    try:
        if model.family == Family.CHAT:
            return Tokens(_conversations(store, results, model, problems))
        return Tokens(_explained(store, results, model, problems, note))
    except HorsesenseError as error:
        return Tokens(reason=str(error))


def _explained(
    store: Store,
    results: Results,
    subject: ModelSubject,
    problems: Sequence[ProblemRow],
    note: Callable[[str], None],
) -> dict[Place, Explanation]:
    model = _same_model(results.record.plan, subject, note)
    posed = _posed(store, results, problems)
    plan, family = results.record.plan, model.info.family
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
    spell = spelling_of(model)
    return {
        place: explain(problem, spell)
        for place, problem in zip(posed, scored, strict=True)
        if not problem.unread
    }


def _conversations(
    store: Store, results: Results, subject: ModelSubject, problems: Sequence[ProblemRow]
) -> dict[Place, Explanation]:
    """Explain problems by the replies of a chat model in the store."""
    methods = [find_method(name, Family.CHAT) for name in subject.methods]
    posed = _posed(store, results, problems)
    asked = {place: questions_of(methods, problem) for place, problem in posed.items()}
    requests = dict.fromkeys(
        question.request
        for by_method in asked.values()
        for questions in by_method.values()
        for question in questions
    )
    replies = load_replies(store, subject.fingerprint, requests).replies
    _only_kept(Progress("", len(replies), len(requests), len(replies)))
    explained = {}
    for place, problem in posed.items():
        observation = ChatObservation(
            {
                method: tuple(AskedQuestion(each, replies[each.request]) for each in questions)
                for method, questions in asked[place].items()
            }
        )
        observed = ObservedProblem(problem, (observation,) * len(problem.options))
        explained[place] = explain(score_observed(observed, methods), str)
    return explained


def _only_kept(progress: Progress) -> None:
    if progress.cached < progress.total:
        missing = progress.total - progress.cached
        raise _NotKept(f"{missing} of {progress.total} answers are no longer in the store")


def _same_model(plan: Plan, subject: ModelSubject, note: Callable[[str], None]) -> Model:
    """Load the model of the run, if it is on this machine and still the same."""
    if subject.server:
        raise HorsesenseError(f"{subject.name} is behind a server, which is not asked again")
    if not is_local(subject.name):
        raise HorsesenseError(
            f"{subject.name} is not on this machine; it is not downloaded for explanations"
        )
    model = load_model(
        subject.name,
        dtype=plan.dtype,
        device=plan.device,
        allow_pickle=plan.allow_pickle,
        budget_bytes=int(plan.memory * _GIB),
        progress=note,
    )
    if model.info.fingerprint != subject.fingerprint:
        raise HorsesenseError(f"{subject.name} has changed since the run")
    return model


def _posed(store: Store, results: Results, problems: Sequence[ProblemRow]) -> dict[Place, Problem]:
    """Find the problems as the run posed them, if the data are still the same."""
    dataset, form = problems[0].dataset, problems[0].variant
    subject = next(variant for variant in results.variants_of(dataset) if variant.name == form)
    posed_now = _posed_now(store, results, subject)
    posed: dict[Place, Problem] = {}
    for problem in problems:
        now = posed_now.get((problem.entry, problem.number))
        if now is None or tuple(each.text for each in now.sentences) != problem.sentences:
            raise HorsesenseError(
                f"this version of horsesense poses {problem.entry}.{problem.number} differently"
            )
        posed[problem.entry, problem.number] = now
    return posed


def _posed_now(store: Store, results: Results, variant: Variant) -> dict[Place, Problem]:
    """Pose all problems of a variant again, with the current program."""
    plan = results.record.plan
    known = next(dataset for dataset in results.datasets if dataset.name == variant.dataset)
    # Read the data, as only the content shows whether it is the same.
    files = with_files(plan.data, store, lambda message: None)
    sources = (find_source(name, store, plan.wrapper, own) for name, own in files.items())
    source = next((source for source in sources if source.name == variant.dataset), None)
    if source is None or source.dataset.version != known.id:
        raise HorsesenseError(f"{variant.dataset} has changed since the run")
    chosen = replace(plan, perturbations=(variant.transformation or NO_PERTURBATION,))
    dataset = pose_dataset(source, chosen)
    return {
        (entry.id, number): problem
        for posed_variant, posed in dataset.variants.items()
        if posed_variant.name == variant.name
        for entry in posed.entries
        for number, problem in enumerate(entry.problems, 1)
    }
