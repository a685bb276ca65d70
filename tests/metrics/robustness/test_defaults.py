from __future__ import annotations

from horsesense.metrics import Ties, schema_accuracy
from horsesense.metrics.robustness import default_choices
from tests.metrics.robustness.answer_sets import answer_sets_by

SOLVED, TIED = [(True, False)], [(True, None)]


def test_methods_in_common_and_the_best_of_each_model_are_the_default() -> None:
    answer_sets = answer_sets_by(
        {"ant": {"full": SOLVED, "partial": SOLVED}, "bee": {"full": SOLVED}}
    )
    assert [setup.name for setup in default_choices(answer_sets).setups] == ["full", "best"]
    alone = answer_sets_by({"ant": {"full": SOLVED}, "bee": {"full": SOLVED}})
    assert [setup.name for setup in default_choices(alone).setups] == ["full"]
    apart = answer_sets_by({"ant": {"full": SOLVED}, "bee": {"partial": SOLVED}})
    assert [setup.name for setup in default_choices(apart).setups] == ["best"]


def test_both_tie_rules_are_the_default_if_a_problem_is_undecided() -> None:
    decided, tied = ({"ant": {"full": rows}} for rows in (SOLVED, TIED))
    assert default_choices(answer_sets_by(decided)).ties == (Ties.FAILED,)
    assert default_choices(answer_sets_by(tied)).ties == (Ties.FAILED, Ties.HALF)


def test_what_is_chosen_is_kept() -> None:
    answer_sets = answer_sets_by({"ant": {"full": TIED, "partial": TIED}})
    choices = default_choices(
        answer_sets,
        methods=["partial"],
        subsets=["odd"],
        ties=[Ties.HALF],
        metrics=[schema_accuracy],
    )
    assert [setup.name for setup in choices.setups] == ["partial"]
    assert (choices.subsets, choices.ties) == (["odd"], [Ties.HALF])
    assert choices.metrics == [schema_accuracy]
