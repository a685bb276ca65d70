from __future__ import annotations

import pytest

from horsesense.errors import ModelError
from horsesense.models import BASELINES, BaselineModel, Family, load_model
from horsesense.schema import Problem, problems
from horsesense.schema.notation import parse_grid
from horsesense.scoring.outcome import Verdict, decide

(PROBLEM, TWIN) = problems(parse_grid("a kettle <will, will not> boil on a {hot, cold} stove"))


def baseline(name: str) -> BaselineModel:
    model = load_model(name)
    assert isinstance(model, BaselineModel)
    return model


def reversed_options(problem: Problem) -> Problem:
    return Problem(
        problem.mode,
        problem.cells[::-1],
        problem.statement,
        problem.options[::-1],
        problem.sentences[::-1],
        None if problem.right is None else 1 - problem.right,
    )


def test_uniform_decides_nothing() -> None:
    outcome = decide(baseline("uniform").costs(PROBLEM), PROBLEM.right)
    assert outcome.verdict is Verdict.UNDECIDED


def test_first_takes_the_first_option_of_every_problem() -> None:
    verdicts = [decide(baseline("first").costs(p), p.right).verdict for p in (PROBLEM, TWIN)]
    assert verdicts == [Verdict.SOLVED, Verdict.FAILED]


def test_longer_takes_the_sentence_with_more_characters() -> None:
    assert decide(baseline("longer").costs(PROBLEM), None).chosen == 1
    assert decide(baseline("longer").costs(reversed_options(PROBLEM)), None).chosen == 0


def test_random_does_not_depend_on_the_order_of_the_options() -> None:
    model = baseline("random@3")
    assert model.costs(reversed_options(PROBLEM)) == model.costs(PROBLEM)[::-1]


def test_random_draws_the_same_again_and_otherwise_with_another_seed() -> None:
    assert baseline("random@3").costs(PROBLEM) == baseline("random@3").costs(PROBLEM)
    assert baseline("random@3").costs(PROBLEM) != baseline("random@4").costs(PROBLEM)
    assert baseline("random").costs(PROBLEM) == baseline("random@0").costs(PROBLEM)


def test_random_takes_each_option_about_equally_often() -> None:
    chosen = [decide(baseline(f"random@{seed}").costs(PROBLEM), None).chosen for seed in range(400)]
    assert 160 < chosen.count(0) < 240


@pytest.mark.parametrize("name", ["uniform", "first", "longer", "random", "random@7"])
def test_a_baseline_declares_its_family_and_its_name(name: str) -> None:
    declared = baseline(name).info
    assert (declared.name, declared.family) == (name, Family.BASELINE)


def test_baselines_have_fingerprints_of_their_own() -> None:
    names = ["uniform", "first", "longer", "random", "random@7"]
    assert len({baseline(name).info.fingerprint for name in names}) == len(names)


@pytest.mark.parametrize("name", BASELINES)
def test_baselines_are_known_by_their_names(name: str) -> None:
    assert baseline(name).info.name == name
    assert repr(baseline(name)) == f"<BaselineModel {name}: baseline>"


def test_only_random_takes_a_seed() -> None:
    assert baseline("random@12").info.name == "random@12"
    with pytest.raises(ModelError, match="longer takes no seed"):
        load_model("longer@12")


@pytest.mark.parametrize("seed", ["", "x", "-1", "1.5", "²"])
def test_a_seed_is_a_whole_number(seed: str) -> None:
    with pytest.raises(ModelError, match="is not a valid seed for random"):
        load_model(f"random@{seed}")


def test_a_baseline_has_no_revisions() -> None:
    with pytest.raises(ModelError, match="first has no revisions"):
        load_model("first", revision="main")


def test_what_a_baseline_does_not_need_has_a_default() -> None:
    model = baseline("first")
    model.release()
    assert (model.files, model.batching, model.fallback_reason) == ((), "", "")
