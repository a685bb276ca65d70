from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import (
    Ties,
    cluster_numbers,
    consistency,
    first_problem_accuracy,
    match,
    match_schemas,
    pooled,
    problem_accuracy,
    sample_of,
    schema_accuracy,
    schema_consistency,
    strict_schema_consistency,
)
from horsesense.scoring import Answer, AnswerSet, Outcome, Share, Verdict, decide
from tests.strategies import brisk

SOLVED, FAILED = decide((1.0, 2.0), right=0), decide((1.0, 2.0), right=1)
UNDECIDED, UNLABELLED = decide((1.0, 1.0), right=0), decide((2.0, 1.0), right=None)


def answer_set(entries: dict[str, list[Outcome]], name: str = "full") -> AnswerSet:
    """Entries with one problem, or with schemas of two problems each."""
    answers: list[Answer] = []
    schemas: list[tuple[int, int]] = []
    for entry, outcomes in entries.items():
        start = len(answers)
        answers += [Answer(entry, at, one) for at, one in enumerate(outcomes, 1)]
        schemas += [(start + at, start + at + 1) for at in range(0, len(outcomes) - 1, 2)]
    return AnswerSet(name, tuple(answers), tuple(schemas))


def tagged(whole: AnswerSet, **tags: frozenset[str]) -> AnswerSet:
    answers = [replace(one, tags=tags.get(one.entry, frozenset())) for one in whole.answers]
    return replace(whole, answers=tuple(answers))


def test_a_sample_has_the_schemas_clusters_and_choices_of_its_answer_set() -> None:
    found = sample_of(
        answer_set({"owl": [SOLVED, FAILED] * 2, "elm": [SOLVED], "fog": [UNDECIDED] * 2})
    )
    assert found.schemas.tolist() == [[0, 1], [2, 3], [5, 6]]
    assert found.clusters.tolist() == [0, 0, 0, 0, 1, 2, 2]
    assert found.chosen is not None
    assert found.chosen.tolist() == [0, 0, 0, 0, 0, -1, -1]
    assert problem_accuracy(found) == Share(3, 7)


def test_the_tags_of_answers_become_marks() -> None:
    whole = answer_set({"owl": [SOLVED, FAILED], "elm": [SOLVED]})
    found = sample_of(tagged(whole, owl=frozenset({"old", "big"}), elm=frozenset({"old"})))
    assert {name: mark.tolist() for name, mark in found.marks.items()} == {
        "big": [True, True, False],
        "old": [True, True, True],
    }


def test_entries_with_a_tag_of_the_same_cluster_are_one_and_the_tag_is_no_mark() -> None:
    whole = answer_set({"he": [SOLVED, FAILED], "elm": [SOLVED], "she": [SOLVED, SOLVED]})
    tags = frozenset({"cluster:owl", "old"})
    found = sample_of(tagged(whole, he=tags, she=tags))
    assert found.clusters.tolist() == [0, 0, 1, 0, 0]
    assert found.cluster_count == 2
    assert found.marks.keys() == {"old"}


def test_what_is_connected_by_several_clusters_is_one() -> None:
    whole = answer_set({"a": [SOLVED], "b": [SOLVED], "c": [SOLVED], "d": [FAILED], "e": [FAILED]})
    one, other, both = {"cluster:1"}, {"cluster:2"}, {"cluster:1", "cluster:2"}
    tags = {"a": frozenset(one), "b": frozenset(other), "d": frozenset(both)}
    assert cluster_numbers(tagged(whole, **tags)) == {"a": 0, "b": 0, "c": 1, "d": 0, "e": 2}
    assert cluster_numbers(AnswerSet("none", (), ())) == {}


ids = st.sampled_from("abcdefg")


@given(st.lists(st.tuples(ids, ids)))
@brisk
def test_clusters_are_connected_components(links: list[tuple[str, str]]) -> None:
    tags: dict[str, frozenset[str]] = {}
    for at, pair in enumerate(links):
        for name in pair:
            tags[name] = tags.get(name, frozenset()) | {f"cluster:{at}"}
    reached = {name: {name} for name in "abcdefg"}
    for _ in reached:
        for one, other in links:
            reached[one] |= reached[other]
            reached[other] |= reached[one]
    numbers = cluster_numbers(tagged(answer_set({name: [SOLVED] for name in reached}), **tags))
    for one in reached:
        assert {other for other in numbers if numbers[other] == numbers[one]} == reached[one]
    assert list(dict.fromkeys(numbers.values())) == list(range(len(set(numbers.values()))))


def test_a_cluster_that_only_one_side_tells_of_holds_on_both() -> None:
    plain = answer_set({"he": [SOLVED, FAILED], "elm": [SOLVED, FAILED], "she": [SOLVED, SOLVED]})
    told = tagged(plain, he=frozenset({"cluster:owl"}), she=frozenset({"cluster:owl"}))
    for pair in (
        match(plain, told),
        match(told, plain),
        match_schemas(plain, told),
    ):
        assert pair.cluster_count == 2
        assert pair.before.clusters.tolist() == pair.after.clusters.tolist() == [0, 0, 1, 1, 0, 0]
    assert pooled(plain, told).cluster_count == 2


def test_undecided_answers_count_as_the_rule_says() -> None:
    whole = answer_set({"owl": [SOLVED, UNDECIDED]})
    assert schema_accuracy(sample_of(whole)) == Share(0, 1)
    assert schema_accuracy(sample_of(whole, ties=Ties.HALF)) == Share(0.5, 1)
    assert schema_accuracy(sample_of(whole, ties="half")) == Share(0.5, 1)


def test_unlabelled_problems_are_in_no_sample() -> None:
    found = sample_of(answer_set({"owl": [SOLVED, UNLABELLED], "elm": [SOLVED, SOLVED]}))
    assert (problem_accuracy(found), schema_accuracy(found)) == (Share(3, 3), Share(1, 1))


def test_an_empty_answer_set_is_an_empty_sample() -> None:
    found = sample_of(answer_set({}))
    assert (len(found.problems), found.cluster_count) == (0, 0)
    assert problem_accuracy(found).value is None


def test_answers_are_paired_by_problem_whatever_their_order() -> None:
    before = answer_set({"owl": [SOLVED, FAILED], "elm": [SOLVED, SOLVED]})
    after = answer_set({"elm": [SOLVED, SOLVED], "owl": [SOLVED, FAILED]})
    found = match(before, after)
    assert found.problems is not None
    assert found.problems.tolist() == [[0, 2], [1, 3], [2, 0], [3, 1]]
    assert found.schemas.tolist() == [[0, 0], [1, 1]]
    assert found.after.schemas.tolist() == [[2, 3], [0, 1]]
    assert found.before.clusters.tolist() == [0, 0, 1, 1]
    assert found.after.clusters.tolist() == [1, 1, 0, 0]
    assert consistency(found) == Share(4, 4)
    assert (found.only_before, found.only_after) == (0, 0)


def test_what_has_no_counterpart_is_left_out_and_counted() -> None:
    before = answer_set({"owl": [SOLVED, FAILED], "elm": [SOLVED, SOLVED]})
    after = answer_set({"owl": [SOLVED], "fog": [FAILED, FAILED]})
    found = match(before, after)
    assert (found.only_before, found.only_after) == (3, 2)
    assert (found.schemas_only_before, found.schemas_only_after) == (2, 1)
    assert problem_accuracy(found.before) == Share(1, 1)
    assert consistency(found) == Share(1, 1)
    assert schema_consistency(found).value is None


def test_a_problem_without_a_label_on_either_side_has_no_counterpart() -> None:
    before = answer_set({"owl": [SOLVED, SOLVED], "elm": [UNLABELLED, UNLABELLED]})
    after = answer_set({"owl": [SOLVED, UNLABELLED], "elm": [UNLABELLED, UNLABELLED]})
    found = match(before, after)
    assert consistency(found) == Share(1, 1)
    assert (found.only_before, found.only_after) == (1, 0)


def test_problems_that_make_no_schema_after_make_no_pair_of_schemas() -> None:
    before = answer_set({"owl": [SOLVED, SOLVED]})
    found = match(before, replace(before, schemas=()))
    assert consistency(found) == Share(2, 2)
    assert schema_consistency(found).value is None
    assert schema_accuracy(found.before).value is None
    assert (found.only_before, found.only_after) == (0, 0)
    assert (found.schemas_only_before, found.schemas_only_after) == (1, 0)


def test_the_problems_of_a_schema_may_stand_in_the_other_order() -> None:
    before = answer_set({"owl": [SOLVED, FAILED], "elm": [SOLVED, SOLVED]})
    after = replace(before, schemas=((3, 2), (1, 0)))
    found = match(before, after)
    assert (found.schemas_only_before, found.schemas_only_after) == (0, 0)
    assert strict_schema_consistency(found) == Share(2, 2)
    assert first_problem_accuracy(found.after) == Share(2, 2)


def test_schema_accuracies_are_those_of_the_schemas_that_pair() -> None:
    before = answer_set({"owl": [SOLVED, SOLVED], "elm": [FAILED, FAILED]})
    after = replace(before, schemas=((2, 3),))
    found = match(before, after)
    sides = found.before, found.after
    assert [schema_accuracy(side) for side in sides] == [Share(0, 1)] * 2
    assert [problem_accuracy(side) for side in sides] == [Share(2, 4)] * 2
    assert (found.schemas_only_before, found.schemas_only_after) == (1, 0)


def test_answer_sets_with_nothing_in_common_do_not_match() -> None:
    before, after = answer_set({"owl": [SOLVED] * 2}), answer_set({"elm": [SOLVED] * 2}, "partial")
    for pairing in (match, match_schemas):
        with pytest.raises(MetricError, match="full and partial have nothing in common"):
            pairing(before, after)


def test_schemas_are_paired_by_entry_where_problems_do_not_correspond() -> None:
    before = answer_set({"owl": [SOLVED, FAILED], "elm": [SOLVED, SOLVED], "fog": [SOLVED]})
    after = answer_set({"elm": [SOLVED, SOLVED], "owl": [FAILED, SOLVED]})
    found = match_schemas(before, after)
    assert found.problems is None
    assert found.schemas.tolist() == [[0, 1], [1, 0]]
    assert schema_consistency(found) == Share(2, 2)
    assert (found.only_before, found.only_after) == (1, 0)
    with pytest.raises(MetricError, match="only the schemas do"):
        consistency(found)


def test_entries_with_another_number_of_schemas_after_are_left_out() -> None:
    before = answer_set({"owl": [SOLVED] * 4, "elm": [SOLVED] * 2})
    after = answer_set({"owl": [SOLVED] * 2, "elm": [SOLVED] * 2})
    found = match_schemas(before, after)
    assert (found.only_before, found.only_after) == (4, 2)
    assert (found.schemas_only_before, found.schemas_only_after) == (2, 1)
    assert schema_consistency(found) == Share(1, 1)


outcomes = st.sampled_from([SOLVED, FAILED, UNDECIDED, UNLABELLED])
entries = st.dictionaries(st.sampled_from("abcdef"), st.lists(outcomes, min_size=1, max_size=4))


@given(entries, entries)
@brisk
def test_matching_equals_a_plain_loop(
    old: dict[str, list[Outcome]], new: dict[str, list[Outcome]]
) -> None:
    both = [
        (one.verdict, other.verdict)
        for entry in old.keys() & new.keys()
        for one, other in zip(old[entry], new[entry], strict=False)
        if UNLABELLED not in (one, other)
    ]
    if not both:
        with pytest.raises(MetricError):
            match(answer_set(old), answer_set(new))
        return
    found = match(answer_set(old), answer_set(new))
    expected = [one == other != UNDECIDED.verdict for one, other in both]
    assert consistency(found) == Share(sum(expected), len(expected))
    assert found.only_before == sum(map(len, old.values())) - _unlabelled(old) - len(both)


def _unlabelled(found: dict[str, list[Outcome]]) -> int:
    return sum(one is UNLABELLED for listed in found.values() for one in listed)


@pytest.mark.parametrize("options", [("night", "day"), ("right", "wrong"), ()])
def test_what_was_chosen_is_known_unless_the_outcome_says_otherwise(
    options: tuple[str, ...],
) -> None:
    known = Answer("owl", 1, decide((1.0, 2.0), 0), options)
    told = Answer("owl", 2, replace(known.outcome, has_choice=False), options)
    assert sample_of(AnswerSet("run", (known,), ())).chosen is not None
    assert sample_of(AnswerSet("run", (known, told), ())).chosen is None


def averaged_by_loop(answer_sets: list[AnswerSet]) -> tuple[Share, Share, dict[str, list[int]]]:
    """Problems and schemas solved on any of the answer sets, and of each entry what it has of
    either.
    """
    columns: dict[str, list[int]] = {}
    for one in answer_sets:
        for answer in one.answers:
            if answer.outcome.verdict is Verdict.UNLABELLED:
                continue
            counts = columns.setdefault(answer.entry, [0, 0, 0, 0])
            counts[0] += answer.outcome.verdict is Verdict.SOLVED
            counts[1] += 1
        for pair in one.schemas:
            verdicts = [one.answers[at].outcome.verdict for at in pair]
            if Verdict.UNLABELLED not in verdicts:
                columns[one.answers[pair[0]].entry][2] += verdicts == [Verdict.SOLVED] * 2
                columns[one.answers[pair[0]].entry][3] += 1
    sums = [sum(counts[at] for counts in columns.values()) for at in range(4)]
    return Share(*sums[:2]), Share(*sums[2:]), columns


outcomes = st.sampled_from([SOLVED, FAILED, UNDECIDED, UNLABELLED])
entries = st.dictionaries(st.sampled_from("abcde"), st.lists(outcomes, min_size=1, max_size=4))


@given(st.lists(entries, min_size=1, max_size=4))
@brisk
def test_pooled_answer_sets_are_averaged_and_clustered_by_entry(
    found: list[dict[str, list[Outcome]]],
) -> None:
    answer_sets = [answer_set(one) for one in found]
    problems, schemas, columns = averaged_by_loop(answer_sets)
    whole = pooled(*answer_sets)
    assert (problem_accuracy(whole), schema_accuracy(whole)) == (problems, schemas)
    counted = [problem_accuracy.columns(whole), schema_accuracy.columns(whole)]
    assert np.hstack(counted).tolist() == list(columns.values())


def test_one_answer_set_pooled_is_its_sample() -> None:
    one = tagged(answer_set({"owl": [SOLVED, UNDECIDED], "elm": [FAILED]}), owl=frozenset({"old"}))
    found, expected = pooled(one, ties="half"), sample_of(one, ties="half")
    for part in ("schemas", "clusters", "chosen"):
        assert getattr(found, part).tolist() == getattr(expected, part).tolist()
    assert found.problems.solved.tolist() == expected.problems.solved.tolist() == [1, 0.5, 0]
    assert found.marks["old"].tolist() == expected.marks["old"].tolist()


def test_the_marks_of_pooled_answer_sets_are_those_of_any() -> None:
    one = tagged(answer_set({"owl": [SOLVED], "elm": [SOLVED]}), owl=frozenset({"old"}))
    other = tagged(answer_set({"owl": [FAILED]}), owl=frozenset({"big"}))
    found = pooled(one, replace(other, marks=frozenset({"rare"})))
    assert {name: mark.tolist() for name, mark in found.marks.items()} == {
        "big": [False, False, True],
        "old": [True, False, False],
        "rare": [False, False, False],
    }
    assert found.clusters.tolist() == [0, 1, 0]


def test_pooled_answer_sets_know_choices_where_all_do() -> None:
    chosen, unknown = (
        answer_set({"owl": [SOLVED]}),
        answer_set({"owl": [replace(SOLVED, has_choice=False)]}),
    )
    found = pooled(chosen, chosen).chosen
    assert found is not None and found.tolist() == [0, 0]
    assert pooled(chosen, unknown).chosen is None


def test_there_must_be_a_answer_set_to_pool() -> None:
    with pytest.raises(MetricError, match="no answers to pool"):
        pooled()
