from __future__ import annotations

import pytest

from horsesense.errors import UnknownNameError
from horsesense.perturbations import Level, ProblemPair, Settings, pairs
from horsesense.perturbations.catalogue.modes import BY_KEY, DYADIC
from horsesense.perturbations.catalogue.no_candidate import NO_CANDIDATE
from horsesense.perturbations.catalogue.switched import SWITCHED
from horsesense.perturbations.transformation import mode_after
from horsesense.schema import Mode
from tests.perturbations.written import entry


def test_settings_take_what_is_given_and_the_default_for_the_rest() -> None:
    assert NO_CANDIDATE.settings()["start"] == "capital"
    assert NO_CANDIDATE.settings({"start": "lower"}, seed=3) == Settings({"start": "lower"}, 3)


def test_unknown_parameters_and_values_are_named_with_what_comes_near() -> None:
    with pytest.raises(UnknownNameError, match="did you mean start"):
        NO_CANDIDATE.settings({"strat": "lower"})
    with pytest.raises(UnknownNameError, match="did you mean lower"):
        NO_CANDIDATE.settings({"start": "lowr"})
    assert DYADIC.settings({"wrapper": "It |is, is not| so: …"})["wrapper"].endswith("…")


def test_what_is_drawn_hangs_on_seed_and_names_alone() -> None:
    first = Settings(seed=1).draw("owl", "name").random()
    Settings(seed=1).draw("vole", "name").random()
    assert Settings(seed=1).draw("owl", "name").random() == first
    assert Settings(seed=2).draw("owl", "name").random() != first
    assert Settings(seed=1).draw("owl", "noun").random() != first


def test_rewritten_problems_are_posed_as_they_were_and_others_as_the_transformation_says() -> None:
    assert mode_after(Mode.BY_KEY, Level.PROBLEM, Mode.BY_ANSWER) is Mode.BY_KEY
    assert mode_after(Mode.BY_KEY, Level.SCHEMA, Mode.BY_ANSWER) is Mode.BY_ANSWER
    assert mode_after(Mode.BY_ANSWER, Level.SCHEMA, Mode.BY_KEY) is Mode.BY_KEY


def test_problems_pair_by_position_with_all_their_options() -> None:
    grid = entry("[A], [B] or [C]: <it = A, B, C*> won.").grid
    assert pairs(grid, grid, SWITCHED) == (ProblemPair(0, 0, (0, 1, 2)),)


def test_a_transformation_of_schemas_pairs_no_problems() -> None:
    grid = entry("a lorry <can, cannot> pass under a {high, low} bridge").grid
    assert pairs(grid, grid, BY_KEY) == ()
