from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.sparse import vstack
from sklearn.linear_model import LogisticRegression

from horsesense.audit import CheckResult
from horsesense.audit.artefacts import (
    ERRORS_WEIGH,
    FOLDS,
    MANY_SCHEMAS,
    MOST_STEPS,
    TURNS,
    bag_of_words,
    by_features,
    by_frequency,
    check_answer_frequency,
    check_bag_of_words,
    check_n_grams,
    cross_validated,
    labelled_problems,
    n_grams,
    table_of,
)
from horsesense.audit.findings import posed_by_answer
from horsesense.schema import Dataset, Sentence, problems
from horsesense.schema.notation import parse_grid
from tests.audit.made_datasets import dataset_of, entry

Check = Callable[[Dataset], CheckResult]

# Forty pairs of made-up nouns, each used once.
NOUNS = ["".join(letters) for letters in product("bdfkl", "aeiu", "nr", "ou")]
PAIRS = [(f"{noun}b", f"{noun}l") for noun in NOUNS[:40]]


def placed(first: str, second: str, keys: str) -> str:
    """A schema whose first key phrase goes with the candidate that is mentioned first."""
    return f"[The {first}] met [the {second}] as <it = the {first}, the {second}> was {{{keys}}}."


def placed_otherwise(first: str, second: str, keys: str) -> str:
    """The same schema, with everything written in the other order."""
    swapped = ", ".join(keys.split(", ")[::-1])
    answers = f"<it = the {second}, the {first}>"
    return f"[2: The {first}] met [1: the {second}] as {answers} was {{{swapped}}}."


def single(first: str, second: str, *, can: bool) -> str:
    answers = "<can*, cannot>" if can else "<can, cannot*>"
    return f"the {first} {answers} reach the {second}"


def hunting(noun: str, hunter: str, prey: str) -> str:
    """A schema that a bigram solves and a bag of words does not: its problems have the same."""
    return f"near the {noun} {{{hunter}, {prey}}} <hunt, flee> {{{prey}, {hunter}}}"


POSITION = [placed(*pair, "eager, weary") for pair in PAIRS]
EITHER_POSITION = [
    placed(*pair, "weary, eager" if n % 2 else "eager, weary") for n, pair in enumerate(PAIRS)
]
MOSTLY_CAN = [single(*pair, can=n % 8 > 0) for n, pair in enumerate(PAIRS)]
HALF_CAN = [single(*pair, can=n % 2 > 0) for n, pair in enumerate(PAIRS)]
OWLS_HUNT = [hunting(noun, "owls", "voles") for noun, _ in PAIRS]
EITHER_HUNTS = [
    hunting(noun, *(("owls", "voles") if n % 2 else ("voles", "owls")))
    for n, (noun, _) in enumerate(PAIRS)
]
OWN_WORDS = [placed(one, other, f"{one}y, {other}y") for one, other in PAIRS]


def accuracies(checked: CheckResult) -> list[float | None]:
    return [figure.value for figure in checked.figures[:2]]


def test_a_word_that_gives_the_position_away_is_caught() -> None:
    checked = check_bag_of_words(dataset_of(*POSITION))
    assert accuracies(checked) == [1.0, 1.0]
    [concern] = checked.concerns
    assert "solves 100.0% of problems" in concern.text and "100.0% of schemas" in concern.text
    assert "first-mentioned with 'eager' (for)" in concern.text
    assert sorted(concern.entries) == sorted(f"e{n}" for n in range(1, 41))


def test_a_word_that_goes_with_either_position_is_not() -> None:
    checked = check_bag_of_words(dataset_of(*EITHER_POSITION))
    assert not checked.concerns and not checked.skipped
    assert (checked.figures[0].value or 0) <= 0.5


def test_an_answer_that_is_right_more_often_is_caught() -> None:
    checked = check_answer_frequency(dataset_of(*MOSTLY_CAN))
    assert accuracies(checked) == [35 / 40, None]
    [concern] = checked.concerns
    assert "can (for), cannot (against)" in concern.text
    assert "e1" not in concern.entries and "e2" in concern.entries


def test_an_answer_that_is_right_as_often_as_wrong_is_not() -> None:
    assert not check_answer_frequency(dataset_of(*HALF_CAN)).concerns


def test_the_frequency_of_answers_decides_nothing_in_whole_schemas() -> None:
    checked = check_answer_frequency(dataset_of(*OWLS_HUNT))
    assert [figure.value for figure in checked.figures] == [0.5, 0.25, 1.0]
    assert not checked.concerns


def test_a_bigram_that_gives_the_answer_away_is_caught_by_n_grams_alone() -> None:
    given_away = dataset_of(*OWLS_HUNT)
    [concern] = check_n_grams(given_away).concerns
    assert "'flee owls' (for)" in concern.text
    assert not check_bag_of_words(given_away).concerns


def test_a_bigram_that_goes_with_either_answer_is_not() -> None:
    assert not check_n_grams(dataset_of(*EITHER_HUNTS)).concerns


@pytest.mark.parametrize("check", [check_answer_frequency, check_bag_of_words, check_n_grams])
def test_words_that_no_other_schema_has_teach_nothing(check: Check) -> None:
    assert accuracies(check(dataset_of(*OWN_WORDS))) == [0.5, 0.25]


def test_a_copy_does_not_teach_its_original() -> None:
    checked = check_bag_of_words(dataset_of(*OWN_WORDS, *OWN_WORDS))
    assert accuracies(checked) == [0.5, 0.25]


@pytest.mark.parametrize("check", [check_answer_frequency, check_bag_of_words, check_n_grams])
@pytest.mark.parametrize("notations", [POSITION, EITHER_POSITION, MOSTLY_CAN, OWLS_HUNT])
def test_the_order_of_entries_changes_nothing(check: Check, notations: list[str]) -> None:
    whole = dataset_of(*notations)
    assert check(dataset_of(*whole.entries[::-1])) == check(whole)


@pytest.mark.parametrize("check", [check_bag_of_words, check_n_grams])
def test_the_order_of_options_changes_nothing(check: Check) -> None:
    keys = ["eager, weary" if n % 3 else "weary, eager" for n in range(40)]
    one = [placed(*pair, key) for pair, key in zip(PAIRS, keys, strict=True)]
    other = [placed_otherwise(*pair, key) for pair, key in zip(PAIRS, keys, strict=True)]
    assert [problem.right for problem in posed_by_answer(dataset_of(*other)).problems][:2] == [0, 1]
    assert check(dataset_of(*other)) == check(dataset_of(*one))


def test_the_order_of_the_options_of_single_problems_changes_nothing() -> None:
    turned = [
        one.replace("<can*, cannot>", "<cannot, can*>").replace("<can, cannot*>", "<cannot*, can>")
        for one in MOSTLY_CAN
    ]
    one, other = dataset_of(*MOSTLY_CAN), dataset_of(*turned)
    assert check_answer_frequency(other) == check_answer_frequency(one)


def test_entries_that_share_a_sentence_are_in_the_same_fold_of_every_turn() -> None:
    shared = "The bell rang as the crane <turned, stopped*>."
    whole = dataset_of(shared, "As the crane turned the bell <rang*, fell>.", *OWN_WORDS)
    linked = "The bell rang as the crane <turned, swayed*>."
    labelled = labelled_problems(dataset_of(*whole.entries, entry("linked", linked)))
    group_of = dict(zip(labelled.entries, labelled.groups, strict=True))
    assert group_of["linked"] == group_of["e1"] != group_of["e2"]
    assert len(labelled.group_names) == len(set(group_of.values())) == 42


def test_folds_are_of_equal_size_and_drawn_anew_in_every_turn() -> None:
    labelled = labelled_problems(dataset_of(*OWN_WORDS))
    drawn = [labelled.folds(FOLDS, turn) for turn in range(TURNS)]
    assert all(np.bincount(folds).tolist() == [4] * FOLDS for folds in drawn)
    assert len(set(map(tuple, drawn))) == TURNS


def test_every_other_difference_turned_round_teaches_what_both_ways_would() -> None:
    labelled = labelled_problems(dataset_of(*EITHER_POSITION, *OWLS_HUNT, *MOSTLY_CAN))
    table = table_of(labelled, bag_of_words)
    rows = [start + right for start, right in zip(table.starts, labelled.right, strict=False)]
    others = [start + 1 - right for start, right in zip(table.starts, labelled.right, strict=False)]
    differences = table.rows[rows] - table.rows[others]
    both_ways = vstack([differences, -differences])
    model = LogisticRegression(C=ERRORS_WEIGH / 2, fit_intercept=False, max_iter=MOST_STEPS)
    model.fit(both_ways, [1] * len(rows) + [0] * len(rows))
    learnt = by_features(labelled, bag_of_words)(range(len(labelled.problems)))
    found = [
        learnt.costs(at)[1 - right] - learnt.costs(at)[right]
        for at, right in enumerate(labelled.right)
    ]
    assert found == pytest.approx((differences @ model.coef_[0]).tolist(), abs=0.02)


def test_of_very_many_schemas_the_folds_are_drawn_once() -> None:
    made = [single(f"a{n}", f"b{n}", can=n % 2 > 0) for n in range(MANY_SCHEMAS + 1)]
    for notations, turns in ((made[:-1], TURNS), (made, 1)):
        labelled = labelled_problems(dataset_of(*notations))
        assert len(cross_validated(labelled, by_frequency(labelled))) == turns


def test_what_weighs_most_is_told_when_asked() -> None:
    labelled = labelled_problems(dataset_of(*MOSTLY_CAN))
    learnt = by_frequency(labelled)(range(len(labelled.problems)))
    assert learnt.strongest() == ("can (for)", "cannot (against)")


def test_problems_without_a_known_answer_are_left_out() -> None:
    unknown = "[The cook] told [the waiter] that <? he = the cook, the waiter> was late."
    assert check_bag_of_words(dataset_of(*POSITION, unknown)) == check_bag_of_words(
        dataset_of(*POSITION)
    )


def test_too_few_schemas_are_skipped_with_the_number() -> None:
    checked = check_bag_of_words(dataset_of(*POSITION[:29]))
    assert checked.skipped.startswith("29 entries with known answers; at least 30")
    assert not checked.figures
    assert not check_bag_of_words(dataset_of(*POSITION[:30])).skipped
    assert check_bag_of_words(dataset_of(POSITION[0])).skipped.startswith("1 entry with known")


def test_entries_that_share_sentences_are_said_to_fall_into_groups() -> None:
    copies = [one for one in POSITION[:3] for _ in range(8)]
    assert check_bag_of_words(dataset_of(*copies)).skipped == (
        "48 problems, but they fall into 3 groups that share sentences; at least 30 are needed"
    )
    assert "into 1 group that" in check_bag_of_words(dataset_of(*copies[:8])).skipped


def test_entries_of_one_cluster_are_one_group() -> None:
    entries = [
        entry(f"e{at}", one, tags=(f"cluster:c{at // 3}",)) for at, one in enumerate(POSITION[:30])
    ]
    labelled = labelled_problems(dataset_of(*entries))
    assert len(labelled.group_names) == 10
    of_cluster = dict(zip(labelled.entries, labelled.groups, strict=True))
    assert of_cluster["e0"] == of_cluster["e1"] == of_cluster["e2"] != of_cluster["e3"]
    assert check_bag_of_words(dataset_of(*entries)).skipped == (
        "60 problems, but they fall into 10 groups that share a cluster or sentences;"
        " at least 30 are needed"
    )


def test_an_n_gram_at_an_end_of_the_sentence_is_told_in_words() -> None:
    problem = problems(parse_grid("<Bo, Owls> {waved, sat}."))[0]
    assert n_grams(problem)[0] == [
        "'bo' at the beginning of the sentence",
        "'bo waved'",
        "'waved' at the end of the sentence",
        "'bo waved' at the beginning of the sentence",
        "'bo waved' at the end of the sentence",
    ]
    alone = replace(problem, sentences=(Sentence("Hm!", ()),))
    assert "'hm' as the whole sentence" in n_grams(alone)[0]


def test_without_scikit_learn_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    assert "pip install 'horsesense[audit]'" in check_n_grams(dataset_of(*POSITION)).skipped
    assert not check_answer_frequency(dataset_of(*MOSTLY_CAN)).skipped
