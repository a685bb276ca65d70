"""Horse sense or Clever Hans? A verdict on a model and a dataset, with its evidence.

The horse Clever Hans gave right answers by reading his keeper's face. A model may do so, too: by
which words go together, by which option comes first, by the scoring method that was chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

from horsesense.reports.cells import percent, percent_interval
from horsesense.reports.conclusion import Conclusion, concluded, undecided_share
from horsesense.reports.evidence import (
    Evidence,
    accuracy_evidence,
    bias_evidence,
    consistency_evidence,
    control_evidence,
    method_evidence,
    other_question_evidence,
)
from horsesense.reports.tables.naming import CHANCE, PROBLEM_ACCURACY, SCHEMA_ACCURACY, standard
from horsesense.results import DatasetSubject, ModelSubject, ResultKey, Results

# These rest on problem accuracy, too.
_BY_BOTH = (Conclusion.ONE_OF_TWO, Conclusion.BY_PROBLEMS, Conclusion.WORSE)


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """What is concluded about a model from a dataset, in a sentence, and by what evidence."""

    model: str
    dataset: str
    conclusion: Conclusion
    sentence: str
    evidence: tuple[Evidence, ...]


def verdict(profile: Results, model: ModelSubject, dataset: DatasetSubject) -> ModelVerdict:
    """The verdict by the method that was chosen beforehand; its rule is that of `concluded`."""
    at = standard(model, dataset.name)
    evidence = (
        accuracy_evidence(profile, at),
        control_evidence(profile, at),
        consistency_evidence(profile, at),
        other_question_evidence(profile, at),
        bias_evidence(profile, at),
        method_evidence(profile, model, at),
    )
    conclusion = concluded(profile, at)
    return ModelVerdict(
        model.name,
        dataset.name,
        conclusion,
        _sentence(profile, at, conclusion),
        tuple(one for one in evidence if one is not None),
    )


def _sentence(profile: Results, at: ResultKey, conclusion: Conclusion) -> str:
    """The conclusion with the numbers that it rests on."""
    schemas, problems = (profile.value(at, one) for one in (SCHEMA_ACCURACY, PROBLEM_ACCURACY))
    if schemas is None or schemas.value is None:
        return f"On {at.dataset} nothing is known of {at.model}: {conclusion}."
    solved = f"{percent_interval(schemas)} of the schemas"
    guessed = percent(CHANCE[SCHEMA_ACCURACY])
    if problems and conclusion in _BY_BOTH:
        solved += f" and {percent_interval(problems)} of the problems"
        guessed += f" and {percent(CHANCE[PROBLEM_ACCURACY])}"
    told = f"On {at.dataset} {at.model} solves {solved}, where guessing solves {guessed}"
    if conclusion is Conclusion.UNDECIDED:
        told += f", and leaves {percent(undecided_share(problems))} of the problems undecided"
    return f"{told}: {conclusion}."
