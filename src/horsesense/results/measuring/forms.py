"""Forms against forms: consistency tests of a dataset on the schemas they have in common."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from horsesense.results import ALL, ORIGINAL, SCHEMA_LEVEL, DatasetSubject, Estimate, Variant
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.between import Comparison, compare
from horsesense.results.measuring.families import family_of_forms


def forms_compared(answers: Answers, dataset: DatasetSubject) -> Iterator[Estimate]:
    """Each consistency test but dyads against every earlier one, by the standard methods."""
    listed = [form for form in answers.forms if form.dataset == dataset.name and _takes_part(form)]
    for earlier, later in combinations(listed, 2):
        for model, of in answers.standard(later):
            against = of.replace(variant=earlier.name)
            if against in answers.sheets and answers.is_labelled(of):
                comparison = Comparison(
                    of=of,
                    against=against,
                    changes={ALL: ()},
                    family=family_of_forms(of),
                    by_schema=SCHEMA_LEVEL in (earlier.level, later.level),
                    with_thesis=not model.is_baseline,
                )
                yield from compare(answers, comparison)


def _takes_part(form: Variant) -> bool:
    return form.is_consistency_test and form.compared == ORIGINAL
