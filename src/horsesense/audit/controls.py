"""Controls: a language model solves a dataset from which the deciding words were removed.

The transformations destroy what a schema is about. A model that does better than chance all the
same has found the answer in the words that were left, and so may a model on the whole sentence.
Key phrases are not masked here: that leaves one problem of two, of which neither answer is right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from horsesense.audit.artefacts import clusters_of, grouped, has_known_answer
from horsesense.audit.findings import (
    Checked,
    Concern,
    Figure,
    Subject,
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
from horsesense.perturbations import LeftOut, find_transformation, perturb
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
# One method for each family, chosen beforehand: the best of several would be better than chance by
# chance. Partial scores see no more of the answers than what they make of the rest.
METHODS = MappingProxyType(
    {
        Family.CAUSAL: "partial",
        Family.MASKED: "multi-mask",
        Family.SEQ2SEQ: "basic",
        Family.BASELINE: "choice",
    }
)
NO_MODEL = "no model was asked"


@dataclass(frozen=True, slots=True)
class Asked:
    """The model to query, the store for its answers, and the callback for progress.

    Without a model `reason` says why there is none.
    """

    model: Model | None = None
    store: Store | None = None
    on_progress: Callable[[int, int], None] = lambda done, total: None
    reason: str = NO_MODEL


def check_control(subject: Subject, control: str, asked: Asked) -> Checked:
    """Measure what a model solves of a dataset after one of the `CONTROLS`."""
    title = f"What a model solves {CONTROLS[control]}"
    if asked.model is None:
        return Checked(control, title, skipped=asked.reason)
    left, why = _perturbed(subject, control)
    # Before anything is asked, for that takes long.
    labelled = [entry for entry in left.entries if has_known_answer(entry)]
    if few := _too_few(labelled, "with a known answer to which it applies"):
        return Checked(control, title, skipped=few + why)
    answer_set = _answered(left, asked.model, asked)
    posed = sum(problem.right is not None for problem in left.problems)
    figures = (
        Figure("entries to which it applies", len(left.entries), total=len(subject.entries)),
        Figure("problems without a score", posed - len(answer_set.answers), total=posed),
    )
    scored = {answer.entry for answer in answer_set.answers}
    if few := _too_few(
        [entry for entry in labelled if entry.id in scored], f"that {answer_set.name} gives a score"
    ):
        return Checked(control, title, figures, skipped=few)
    accuracies, beyond_chance = judge([answer_set])
    concerns: tuple[Concern, ...] = ()
    if beyond_chance:
        solved = surely_solved([answer_set], [answer.entry for answer in answer_set.answers])
        text = (
            f"{asked.model.info.name} solves {beyond_chance} {CONTROLS[control]};"
            " what is left must not favour an answer"
        )
        concerns = (Concern(Weight.LOOK, text, solved),)
    return Checked(control, title, (*accuracies, *figures), concerns)


def _perturbed(subject: Subject, control: str) -> tuple[Posed, str]:
    """The problems a control leaves, and the most common reason for entries it cannot change."""
    transformation = find_transformation(control)
    results = list(perturb(subject.entries, transformation, transformation.settings()))
    reasons = Counter(result.reason for result in results if isinstance(result, LeftOut))
    posed = pose(result.entry for result in results if not isinstance(result, LeftOut))
    more = ", and other reasons" if len(reasons) > 1 else ""
    why = "".join(f" ({number}: {reason}{more})" for reason, number in reasons.most_common(1))
    return posed, why


def _too_few(entries: Sequence[PosedEntry], which: str) -> str:
    """The reason why they are too few; entries of one cluster count once."""
    clusters = len(grouped(entries, clusters_of))
    if clusters == len(entries):
        return too_few_to_judge(clusters, f"entry {which}", f"entries {which}")
    many = f"of {len(entries)} entries {which}"
    return too_few_to_judge(clusters, f"cluster {many}", f"clusters {many}")


def _answered(posed: Posed, model: Model, asked: Asked) -> AnswerSet:
    """The model's answers to the problems that its method can score."""
    method = find_method(METHODS[model.info.family], model.info.family)

    def tell(progress: Progress) -> None:
        asked.on_progress(progress.done, progress.total)

    scored = score(
        model, posed.problems, [method], store=asked.store, keep_going=True, on_progress=tell
    )
    return answer_set_of(method.name, list(by_entry(posed, scored)), with_tags=False).labelled()
