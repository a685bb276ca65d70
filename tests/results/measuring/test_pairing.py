"""Pairing by layouts gives what pairing the answer sets themselves gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import Paired, Sample, match, match_schemas, sample_of
from horsesense.results.measuring.answers import Laid, Pairing, laid
from horsesense.scoring.outcome import AnswerSet
from tests.results.measuring.made_up import answer_set
from tests.strategies import brisk

answer_sets = st.builds(
    lambda verdicts, old: answer_set(
        verdicts, tags=dict.fromkeys(old, ["old", "cluster:old"]), marks=["old"]
    ),
    st.dictionaries(st.sampled_from("abcdef"), st.text("SFU?", min_size=1, max_size=4), min_size=1),
    st.sets(st.sampled_from("abcdef")),
)


def put(whole: AnswerSet) -> Laid:
    return laid(whole, sample_of(whole))


def parts(sample: Sample) -> list[object]:
    answers = sample.problems
    arrays = (answers.solved, answers.decided, answers.undecided, sample.schemas, sample.clusters)
    assert sample.chosen is not None
    told = [one.tolist() for one in (*arrays, sample.chosen)]
    return [*told, sample.cluster_count, {name: one.tolist() for name, one in sample.marks.items()}]


def told(pair: Paired) -> list[object]:
    problems = None if pair.problems is None else pair.problems.tolist()
    return [parts(pair.before), parts(pair.after), problems, pair.schemas.tolist()]


@brisk
@given(answer_sets, answer_sets, st.booleans())
def test_pairs_are_those_of_the_answer_sets(
    before: AnswerSet, after: AnswerSet, by_schema: bool
) -> None:
    matched = match_schemas if by_schema else match
    pairing = Pairing()
    try:
        expected = matched(before, after)
    except MetricError as error:
        with pytest.raises(MetricError, match=str(error)):
            pairing.paired(put(before), put(after), by_schema=by_schema)
        return
    for _ in range(2):  # the second time it is kept
        found = pairing.paired(put(before), put(after), by_schema=by_schema)
        assert told(found) == told(expected)


def test_what_is_kept_for_a_layout_has_none_of_its_answers() -> None:
    pairing = Pairing()
    first, other = answer_set({"a": "SS", "b": "SF"}), answer_set({"a": "FF", "b": "US"})
    pairing.paired(put(first), put(first), by_schema=False)
    found = pairing.paired(put(other), put(first), by_schema=False)
    assert told(found) == told(match(other, first))


def test_schemas_may_be_regrouped() -> None:
    whole = put(answer_set({"a": "SSFF"}))
    found = whole.regrouped([(("a", 1), ("a", 3)), (("a", 2), ("a", 4)), (("a", 1), ("b", 1))])
    assert found.layout.schemas == ((0, 2), (1, 3))
    assert np.array_equal(found.sample.schemas, [[0, 2], [1, 3]])
    assert whole.regrouped([]).sample.schemas.shape == (0, 2)
