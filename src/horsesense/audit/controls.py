"""Controls: a language model solves a dataset from which the deciding words were removed.

The transformations remove the words that decide the answer. A model that is still better than
chance found the answer in the remaining words, and may do the same with the whole sentence. Key
phrases are not masked here: the two problems would become one in which neither answer is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from horsesense.audit.artefacts import clusters_of, grouped, has_known_answer
from horsesense.audit.findings import (
    CheckResult,
    Concern,
    Figure,
    Weight,
    judge,
    surely_solved,
    too_few_to_judge,
)
from horsesense.evaluation.inference import (
    Posed,
    PosedEntry,
    Progress,
    answer_set_of,
    by_entry,
    pose,
    score,
)
from horsesense.models import Family, Model
from horsesense.perturbations import SkippedEntry, find_transformation, perturb
from horsesense.schema import Dataset
from horsesense.scoring import find_method
from horsesense.scoring.outcome import AnswerSet
from horsesense.store import Store

# Each transformation, and what it leaves of a problem.
CONTROLS = MappingProxyType(
    {
        "no-candidate": "with the candidates deleted",
        "part-sent": "from the part of the sentence with the blank",
        "local-context": "from the words around the blank",
    }
)
# One method for each family, chosen beforehand: the best of several may be better than chance by
# luck. Partial scores depend on the answers only through the rest of the sentence.
METHODS = MappingProxyType(
    {
        Family.CAUSAL: "partial",
        Family.MASKED: "multi-mask",
        Family.SEQ2SEQ: "basic",
        Family.CHAT: "letter",
        Family.BASELINE: "choice",
    }
)
NO_MODEL = "no model was given"


@dataclass(frozen=True, slots=True)
class ControlModel:
    """The model to query, the store for its answers, and the callback for progress.

    Without a model `reason` says why there is none.
    """

    model: Model | None = None
    store: Store | None = None
    on_progress: Callable[[int, int], None] = lambda done, total: None
    reason: str = NO_MODEL


def check_control(dataset: Dataset, control: str, control_model: ControlModel) -> CheckResult:
    """Measure what a model solves of a dataset after one of the `CONTROLS`."""
    title = f"What a model solves {CONTROLS[control]}"
    if control_model.model is None:
        return CheckResult(control, title, skipped=control_model.reason)
    left, why = _perturbed(dataset, control)
    # Checked before the model is queried, because that takes long.
    labelled = [entry for entry in left.entries if has_known_answer(entry)]
    if few := _too_few(labelled, "with a known answer to which it applies"):
        return CheckResult(control, title, skipped=few + why)
    answer_set = _answered(left, control_model.model, control_model)
    posed = sum(problem.right is not None for problem in left.problems)
    figures = (
        Figure("entries to which it applies", len(left.entries), total=len(dataset.entries)),
        Figure("problems without a score", posed - len(answer_set.answers), total=posed),
    )
    scored = {answer.entry for answer in answer_set.answers}
    if few := _too_few(
        [entry for entry in labelled if entry.id in scored], f"that {answer_set.name} gives a score"
    ):
        return CheckResult(control, title, figures, skipped=few)
    accuracies, beyond_chance = judge([answer_set])
    concerns: tuple[Concern, ...] = ()
    if beyond_chance:
        solved = surely_solved([answer_set], [answer.entry for answer in answer_set.answers])
        text = (
            f"{control_model.model.info.name} solves {beyond_chance} {CONTROLS[control]};"
            " what remains must not favour an answer"
        )
        concerns = (Concern(Weight.LOOK, text, solved),)
    return CheckResult(control, title, (*accuracies, *figures), concerns)


def _perturbed(dataset: Dataset, control: str) -> tuple[Posed, str]:
    """Return the problems after a control, and the most common reason for entries left out."""
    transformation = find_transformation(control)
    results = list(perturb(dataset.entries, transformation, transformation.settings()))
    reasons = Counter(result.reason for result in results if isinstance(result, SkippedEntry))
    posed = pose(result.entry for result in results if not isinstance(result, SkippedEntry))
    more = ", and other reasons" if len(reasons) > 1 else ""
    why = "".join(f" ({number}: {reason}{more})" for reason, number in reasons.most_common(1))
    return posed, why


def _too_few(entries: Sequence[PosedEntry], which: str) -> str:
    """Return why there are too few entries; those of one cluster count once."""
    clusters = len(grouped(entries, clusters_of))
    if clusters == len(entries):
        return too_few_to_judge(clusters, f"entry {which}", f"entries {which}")
    many = f"of {len(entries)} entries {which}"
    return too_few_to_judge(clusters, f"cluster {many}", f"clusters {many}")


def _answered(posed: Posed, model: Model, control_model: ControlModel) -> AnswerSet:
    """Return the model's answers to the problems that its method can score."""
    method = find_method(METHODS[model.info.family], model.info.family)

    def report(progress: Progress) -> None:
        control_model.on_progress(progress.done, progress.total)

    scored = score(
        model,
        posed.problems,
        [method],
        store=control_model.store,
        keep_going=True,
        on_progress=report,
    )
    return answer_set_of(method.name, list(by_entry(posed, scored)), with_tags=False).labelled()
