"""What the answers of chat models give, against counting by hand and a plain resampling."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from horsesense.metrics import METRICS
from horsesense.metrics.sample import sample
from horsesense.results import ResultKey
from horsesense.results.measuring import (
    FaultRule,
    Undecided,
    accuracies_by_rule,
    base_name,
    count_undecided,
    order_shares,
    same_models,
    standard_method,
    why_undecided,
)
from horsesense.results.measuring.noteworthy import problem_views
from horsesense.scoring.chat import FOLLOWS_POSITION
from tests.reports.chat_profile import (
    ANT,
    CHAT_ANT,
    PATTERNS,
    SCHEMAS,
    SHED,
    answer,
    answer_set,
    chat_profile,
    dataset,
    models,
)
from tests.results.measuring.made_up import measure, original

WORD = ResultKey(CHAT_ANT, SHED, method="word")


@pytest.mark.parametrize(
    ("letter", "reason"),
    [
        ("S", None),
        ("F", None),
        ("O", Undecided.BY_ORDER),
        ("R", Undecided.NO_ANSWER),
        ("U", Undecided.NO_ANSWER),
        ("T", Undecided.NO_ANSWER),
        ("A", Undecided.NOT_ONE),
        ("N", Undecided.NOT_ONE),
        (".", Undecided.EQUAL),
    ],
)
def test_the_tags_of_an_answer_say_why_it_is_undecided(
    letter: str, reason: Undecided | None
) -> None:
    assert why_undecided(answer(0, 1, letter)) is reason


def test_a_reply_without_answer_is_the_reason_even_if_others_follow_the_order() -> None:
    refused = answer(0, 1, "R")
    tags = refused.tags | {FOLLOWS_POSITION}
    assert why_undecided(replace(refused, tags=tags)) is Undecided.NO_ANSWER


def test_a_decided_answer_is_not_undecided_whatever_its_tags() -> None:
    solved = answer(0, 1, "S")
    assert why_undecided(replace(solved, tags=frozenset({FOLLOWS_POSITION}))) is None


@pytest.mark.parametrize("key", [key for key in PATTERNS if key[0] == CHAT_ANT])
def test_undecided_problems_and_shares_are_those_counted_by_hand(key: tuple[str, str]) -> None:
    pattern = PATTERNS[key]
    letters = "".join(pattern[at % len(pattern)] for at in range(SCHEMAS))
    by_order, faulty = letters.count("O"), sum(letters.count(letter) for letter in "RUT")
    answers = answer_set(pattern).answers
    assert count_undecided(answers) == Counter(filter(None, map(why_undecided, answers)))
    shares = order_shares(chat_profile(), ResultKey(CHAT_ANT, SHED, method=key[1]))
    counts = [each.count for each in (shares.same, shares.by_order)]
    assert counts == [len(letters) - by_order - faulty, by_order]
    assert shares.no_answer == faulty / len(letters)
    assert all(each.n_clusters == SCHEMAS for each in (shares.same, shares.by_order))


@pytest.mark.parametrize("ties", ["failed", "half"])
@pytest.mark.parametrize("rule", FaultRule)
def test_faulty_problems_count_by_the_rule_as_if_written_so_from_the_start(
    ties: str, rule: FaultRule
) -> None:
    pattern = ("SS", "RS", "OF", "UU", "SO")
    profile = chat_profile(ties)
    results = replace(profile, answer_sets={WORD: answer_set(pattern)})
    counted = {"S": 1.0, "F": 0.0, "O": 0.5 if ties == "half" else 0.0}
    if rule is not FaultRule.LEFT_OUT:
        counted |= dict.fromkeys("RU", 0.5 if rule is FaultRule.HALF else 0.0)
    values = [[counted.get(letter) for letter in both] for both in pattern]
    problems = [value for both in values for value in both if value is not None]
    schemas = [a * b for a, b in values if a is not None and b is not None]
    measured = accuracies_by_rule(results, WORD, rule)
    assert [each.value for each in measured] == pytest.approx(
        [sum(problems) / len(problems), sum(schemas) / len(schemas)]
    )
    for each in measured:
        assert each.low is not None and each.value is not None and each.high is not None
        assert each.low <= each.value <= each.high


def test_counting_all_undecided_problems_alike_is_what_the_metrics_do() -> None:
    results = replace(chat_profile("half"), answer_sets={WORD: answer_set(("SR", "UU", "FS"))})
    values = [[True, None], [None, None], [False, True]] * 13 + [[True, None]]
    whole = sample(values, ties="half")
    measured = accuracies_by_rule(results, WORD, FaultRule.HALF)
    names = ("problem-accuracy", "schema-accuracy")
    assert [each.value for each in measured] == [METRICS[name](whole).value for name in names]


def test_models_are_the_same_if_their_names_are_without_prefixes() -> None:
    pairs = [(chat.name, model.name) for chat, model in same_models(models())]
    assert pairs == [(CHAT_ANT, ANT)]
    assert base_name("llama.cpp:ant") == base_name("chat:ant") == base_name("ant")
    assert base_name("openai:chat:ant") == "chat:ant"


def test_every_protocol_is_compared_with_the_log_probabilities_of_the_same_model() -> None:
    known = ResultKey(ANT, SHED, method="smart@1")
    profile = chat_profile()
    for method in ("letter", "word", "judge"):
        said = ResultKey(CHAT_ANT, SHED, method=method)
        difference = profile.difference(said, known, "schema-accuracy")
        values = [profile.value(key, "schema-accuracy") for key in (said, known)]
        assert difference is not None and difference.n_schemas == SCHEMAS
        before, after = (each.value for each in values if each is not None)
        assert difference.value == pytest.approx((before or 0.0) - (after or 0.0))
        assert difference.p_adjusted is not None


def test_without_answers_of_the_language_model_nothing_is_compared() -> None:
    sets = {key: each for key, each in chat_profile().answer_sets.items() if key.model != ANT}
    measured = measure(
        answer_sets=sets,
        models=models(),
        datasets=(dataset(),),
        variants=(original(SHED),),
        resamples=60,
    )
    assert not any("other protocols" in each.family for each in measured.estimates)


def test_a_problem_has_the_tags_of_replies_by_its_own_method_only() -> None:
    by_letter, by_judge = (
        problem_views(chat_profile(), CHAT_ANT, SHED, method)[0] for method in ("letter", "judge")
    )
    assert by_letter.tags == {"follows-position"} and by_judge.tags == {"all-sensible"}
    assert not any(row["tags"] for row in chat_profile().problems.records())
    sets = {key: each for key, each in chat_profile().answer_sets.items() if key.method != "letter"}
    unanswered = replace(chat_profile(), answer_sets=sets)
    assert problem_views(unanswered, CHAT_ANT, SHED)[0].tags == frozenset()


def test_the_standard_protocol_is_by_letters_if_it_is_there() -> None:
    assert standard_method("chat", True, ["word", "letter"]) == "letter"
    assert standard_method("chat", True, ["word", "judge"]) == "word"
