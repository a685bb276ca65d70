"""Options: which were chosen, right or wrong, by position and by text."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.metrics import responses
from horsesense.results import OptionCount, Variant
from horsesense.results.measuring.answers import Answers

# More texts than these are no few answers that are given again and again.
_MOST_TEXTS = 4


def options(answers: Answers, form: Variant) -> Iterator[OptionCount]:
    """What was chosen on a form by each model's standard method."""
    for _, of in answers.standard(form):
        found = responses(answers.sheets[of])
        texts = found.texts if len(found.texts) <= _MOST_TEXTS else ()
        for one in (*found.positions, *texts):
            yield OptionCount(of, one.option, int(one.share.count), int(one.share.total))
