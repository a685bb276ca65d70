from horsesense.perturbations import Pair, pairs
from horsesense.perturbations.catalogue.modes import BY_KEY
from horsesense.perturbations.catalogue.switched import SWITCHED
from tests.perturbations.written import entry


def test_problems_pair_by_position_with_all_their_options() -> None:
    grid = entry("[A], [B] or [C]: <it = A, B, C*> won.").grid
    assert pairs(grid, grid, SWITCHED) == (Pair(0, 0, (0, 1, 2)),)


def test_a_transformation_of_schemas_pairs_no_problems() -> None:
    grid = entry("a lorry <can, cannot> pass under a {high, low} bridge").grid
    assert pairs(grid, grid, BY_KEY) == ()
