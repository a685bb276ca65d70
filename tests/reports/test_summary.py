from __future__ import annotations

from dataclasses import replace

from horsesense.reports import build_report, latex, markdown, text_summary
from horsesense.reports.page import glance_html, page
from horsesense.reports.summary import Summary, summarize
from horsesense.results import CANARIES, ORIGINAL, ResultKey, Results, Skipped
from horsesense.scoring.outcome import AnswerSet
from tests.reports import hand_made
from tests.reports.small_profile import ANT, BEE, small_profile


def test_the_headline_puts_datasets_of_the_same_conclusion_together() -> None:
    told = summarize(small_profile())
    assert told.headline == (
        "ant_1 was tested on 8 schemas of kitchen and 4 schemas of yard: too few schemas to tell."
        " bee|2 & co was tested on 8 schemas of kitchen and 4 schemas of yard: too few schemas to"
        " tell."
    )


def test_there_is_a_verdict_on_each_model_and_dataset_and_none_on_baselines() -> None:
    told = summarize(small_profile()).verdicts
    expected = [(one, on) for one in (ANT, BEE) for on in ("kitchen", "yard")]
    assert [(one.model, one.dataset) for one in told] == expected


def caveats(profile: Results) -> str:
    return " / ".join(summarize(profile).caveats)


def test_caveats_tell_of_few_schemas_skipped_items_and_the_rule() -> None:
    told = caveats(small_profile())
    assert "kitchen and yard: too few schemas for a verdict" in told
    assert "1 requested item was skipped; see “Skipped” for the reasons." in told
    assert "Verdicts follow a fixed rule" in told


def test_a_method_chosen_by_its_accuracy_is_said_to_overstate_it() -> None:
    assert (
        "On kitchen, the best of 4 scoring methods for bee|2 & co solves 75 % (95 % CI 50 to"
        " 100 %) of the 8 schemas that all of them score; the standard method, mean-statement,"
        " solves 38 % of the same. Picking the best method afterwards inflates its accuracy; for"
        " the interval, it is picked anew in each resample."
    ) in caveats(small_profile())


def short(name: str, kept: int) -> Results:
    """The small profile with only so many answers by another method than the standard one."""
    profile = small_profile()
    at = ResultKey(BEE, "kitchen", method=name)
    answer_set = profile.answer_sets[at]
    less = answer_set.among([place < kept for place in range(len(answer_set.answers))])
    return replace(profile, answer_sets={**profile.answer_sets, at: less})


def test_the_standard_method_is_compared_on_what_all_methods_answer() -> None:
    """It solves three of the eight schemas, and one of the first three."""
    own = small_profile().answer_sets[ResultKey(BEE, "kitchen", method="mean-statement")]
    solved = [
        all(own.answers[at].outcome.verdict == "solved" for at in pair) for pair in own.schemas
    ]
    share = sum(solved[:3]) / 3
    assert share != sum(solved) / 8
    assert f"mean-statement, solves {100 * share:.0f} % of the same" in caveats(short("loss", 6))


def test_where_methods_pair_problems_differently_there_is_no_best_one() -> None:
    profile = small_profile()
    at = ResultKey(BEE, "kitchen", method="loss")
    unpaired = replace(profile.answer_sets[at], schemas=())
    told = caveats(replace(profile, answer_sets={**profile.answer_sets, at: unpaired}))
    assert f"On kitchen, the best of 4 scoring methods for {BEE}" not in told


def test_a_standard_method_that_is_the_best_flatters_nobody() -> None:
    at = ResultKey("ant", "kitchen", method="smart@1")
    found = [hand_made.accuracy(one, 0.6, 0.5, 0.7) for one in (at, at.replace(method="best"))]
    profile = hand_made.profile(
        (hand_made.model("ant", "causal", "kitchen"),),
        (hand_made.dataset("kitchen"),),
        (hand_made.form("kitchen"),),
        tuple(found),
    )
    assert "inflates" not in caveats(profile) and "too few" not in caveats(profile)


def test_a_limit_is_told() -> None:
    profile = small_profile()
    plan = replace(profile.record.plan, first=5)
    limited = replace(profile, record=replace(profile.record, plan=plan))
    assert "Evaluation was limited to the first 5 schemas of each dataset." in caveats(limited)


def test_a_limit_does_not_call_single_problems_schemas() -> None:
    profile = small_profile()
    plan = replace(profile.record.plan, first=30)
    kitchen, *others = profile.datasets
    mixed = replace(kitchen, entries=30, problems=38, schemas=8)
    limited = replace(profile, record=replace(profile.record, plan=plan), datasets=(mixed, *others))
    assert (
        "Evaluation was limited to the first 30 schemas and single problems of each dataset:"
        " 8 schemas and 22 single problems of kitchen" in caveats(limited)
    )
    assert "Only the first" not in caveats(profile)


def _triple_and_single(answer_set: AnswerSet) -> AnswerSet:
    answers = [
        replace(one, entry="soup", number=at + 1) for at, one in enumerate(answer_set.answers)
    ]
    return replace(answer_set, answers=tuple(answers[:4]), schemas=((0, 1), (1, 2)))


def test_a_triple_does_not_hide_a_single_problem() -> None:
    # Two schemas that share a problem, and a problem in no schema: four problems.
    profile = small_profile()
    plan = replace(profile.record.plan, first=30)
    kitchen, *others = profile.datasets
    triple = replace(kitchen, problems=4, schemas=2)
    answer_sets = {
        address: _triple_and_single(answer_set)
        if (address.dataset, address.variant) == ("kitchen", ORIGINAL)
        else answer_set
        for address, answer_set in profile.answer_sets.items()
    }
    record = replace(profile.record, plan=plan)
    limited = replace(profile, record=record, datasets=(triple, *others), answer_sets=answer_sets)
    assert "2 schemas and 1 single problem of kitchen" in caveats(limited)


def test_a_profile_of_nothing_says_so() -> None:
    told = summarize(hand_made.profile((), (), (), ()))
    assert told == Summary("Nothing was evaluated.", (), (), None, None, (), None, ())


def test_what_was_not_asked_for_by_name_is_no_failure() -> None:
    unasked = replace(small_profile(), skipped=(Skipped("kitchen, tense", "not posed"),))
    told = " ".join(summarize(unasked).caveats)
    assert "1 variant was skipped; see “Skipped” for the reasons." in told
    assert "requested" not in told


def test_a_model_that_fails_the_canaries_gets_a_warning_in_every_report() -> None:
    failed = Skipped(f"{ANT}, {CANARIES}", "prefers scrambled sentences (6 of 12): odd")
    report = build_report(replace(small_profile(), skipped=(failed, Skipped("a, b", "c"))))
    warning = f"Don’t trust any number of {ANT}: it prefers scrambled sentences (6 of 12): odd."
    assert report.summary.warnings == (warning,)
    assert " ".join(text_summary(report).split()).startswith(f"WARNING: {warning}")
    for written in (markdown(report), latex(report), page(report), glance_html(report)):
        assert "t trust any number of" in written
    assert summarize(small_profile()).warnings == ()
    same = replace(failed, reason="every option gets the same score: odd")
    [said] = summarize(replace(small_profile(), skipped=(same,))).warnings
    assert said == f"Don’t trust any number of {ANT}: every option gets the same score: odd."


def test_a_dataset_in_another_mode_is_said_to_be_so_once() -> None:
    profile = small_profile()
    first, *others = profile.variants
    assert "guesses" not in caveats(profile)
    for mode, told in (
        ("by key", "is a by-key dataset: the model guesses the key phrase."),
        ("by boolean", "is a by-boolean dataset: the model guesses the truth value."),
    ):
        other = replace(profile, variants=(replace(first, mode=mode), *others))
        assert caveats(other).count(f"{first.dataset} {told}") == 1
