"""The tokens behind an outcome: asked for again where the store has the model's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, cast

from horsesense.cli.asked_model import chosen_model
from horsesense.errors import HorsesenseError
from horsesense.evaluation.inference import Explanation, Progress, explain, score
from horsesense.evaluation.protocol import find_source
from horsesense.evaluation.protocol.forms import pose_dataset
from horsesense.models import Family, LanguageModel, Model
from horsesense.models.huggingface.files.embedded import embedded_path
from horsesense.models.huggingface.files.hub import cached_folder
from horsesense.models.huggingface.files.locations import (
    EmbeddedName,
    HubName,
    cache_folder,
    locate,
)
from horsesense.models.observation import Straddling
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
from horsesense.store import Store

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
    plan, family = profile.record.plan, model.declaration.family
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
    if not _is_here(subject.name):
        raise HorsesenseError(f"{subject.name} is not on this machine, and is not fetched for this")
    model = chosen_model(
        subject.name,
        dtype=plan.dtype,
        device=plan.device,
        memory=plan.memory,
        allow_pickle=plan.allow_pickle,
    )
    if model.declaration.fingerprint != subject.fingerprint:
        raise HorsesenseError(f"{subject.name} is another model now than it was in the run")
    return model


def _is_here(name: str) -> bool:
    """Whether a model can be had without the network."""
    match locate(name):
        case HubName(repository):
            return cached_folder(repository, None) is not None
        case EmbeddedName():
            return embedded_path(cache_folder()).is_dir()
        case _:
            return True


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
    sources = (find_source(name, store, plan.wrapper).read() for name in plan.data)
    source = next((one for one in sources if one.name == form.dataset), None)
    if source is None or source.id != known.id:
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
