"""From answers to a profile: everything is measured, and put together with what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from horsesense.evaluation.protocol.answering import Answered, posed_problems
from horsesense.evaluation.protocol.forms import PosedDataset
from horsesense.evaluation.protocol.progress import OnProgress, Progress
from horsesense.results import Plan, Record, Results, Skipped

MEASURING = "measuring"


def profile_of(
    plan: Plan,
    datasets: Sequence[PosedDataset],
    answered: Sequence[Answered],
    skipped: Sequence[Skipped],
    *,
    on_progress: OnProgress,
    record: Callable[[], Record],
) -> Results:
    """Measure everything; the record is asked for when that is done."""
    from horsesense.metrics import Ties
    from horsesense.results.measuring import measure

    sheets = {at: sheet for one in answered for at, sheet in one.sheets.items()}
    models = [one.subject for one in answered]
    subjects = [one.subject for one in datasets]
    forms = [form for one in datasets for form in one.forms]
    measured = measure(
        sheets,
        models,
        subjects,
        [form.subject for form in forms],
        subsets=plan.subsets,
        regrouped={
            (one.subject.name, form): schemas
            for one in datasets
            for form, schemas in one.regrouped.items()
        },
        ties=Ties(plan.ties),
        resamples=plan.resamples,
        seed=plan.seed,
        on_progress=lambda done, total: on_progress(Progress(MEASURING, done, total)),
    )
    return Results(
        record=record(),
        models=tuple(models),
        datasets=tuple(subjects),
        variants=tuple(form.subject for form in forms),
        estimates=measured.estimates,
        options=measured.options,
        problems=tuple(one for form in forms for one in posed_problems(form)),
        sheets=sheets,
        tokens=tuple(one for each in answered for one in each.tokens),
        skipped=(*skipped, *measured.skipped),
    )
