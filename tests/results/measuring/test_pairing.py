"""Pairing by layouts gives what pairing the answer sets themselves gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import Paired, Sample, match, match_schemas
from horsesense.results import ResultKey
from horsesense.results.measuring import Answers
from horsesense.scoring.outcome import AnswerSet
from tests.results.measuring.made_up import answer_set, at
from tests.strategies import brisk

answer_sets = st.builds(
    lambda verdicts, old: answer_set(
        verdicts, tags=dict.fromkeys(old, ["old", "cluster:old"]), marks=["old"]
    ),
    st.dictionaries(st.sampled_from("abcdef"), st.text("SFU?", min_size=1, max_size=4), min_size=1),
    st.sets(st.sampled_from("abcdef")),
)


BEFORE, AFTER, OTHER = (at(method=name) for name in ("before", "after", "other"))


def answers_of(sets: dict[ResultKey, AnswerSet]) -> Answers:
    return Answers(answer_sets=sets, models=(), datasets=(), variants=(), subsets=("old",))


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
    answers = answers_of({BEFORE: before, AFTER: after})
    try:
        expected = matched(before, after)
    except MetricError as error:
        with pytest.raises(MetricError, match=str(error)):
            answers.pair(BEFORE, AFTER, by_schema=by_schema)
        return
    for _ in range(2):  # the second time it is kept
        found = answers.pair(BEFORE, AFTER, by_schema=by_schema)
        assert told(found) == told(expected)


def test_what_is_kept_for_a_layout_has_none_of_its_answers() -> None:
    first, other = answer_set({"a": "SS", "b": "SF"}), answer_set({"a": "FF", "b": "US"})
    answers = answers_of({BEFORE: first, AFTER: first, OTHER: other})
    answers.pair(BEFORE, AFTER)
    assert told(answers.pair(OTHER, AFTER)) == told(match(other, first))


def test_schemas_may_be_regrouped() -> None:
    whole = answer_set({"a": "SSFF"})
    before, after, other = at("dyadic"), at("dyadic.by-key"), at("dyadic.by-boolean")
    schemas = [(("a", 1), ("a", 3)), (("a", 2), ("a", 4)), (("a", 1), ("b", 1))]
    answers = Answers(
        answer_sets=dict.fromkeys((before, after, other), whole),
        models=(),
        datasets=(),
        variants=(),
        regrouped={("ponds", after.variant): schemas, ("ponds", other.variant): []},
    )
    assert answers.pair(before, after, by_schema=True).before.schemas.tolist() == [[0, 2], [1, 3]]
    assert answers.pair(after, after).before.schemas.tolist() == [[0, 1], [2, 3]]
    assert answers.pair(before, other).before.schemas.shape == (0, 2)
