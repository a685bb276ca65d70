from pathlib import Path

import pytest

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.perturbations import (
    TRANSFORMATIONS,
    find_transformation,
    transformation_packages,
)
from tests.perturbations.written import applied, entry, result
from tests.plugins import installed

# Transformations as another package would add them.
UPPER = "tests.perturbations.brought:UPPER"
BROKEN = "tests.perturbations.brought:BROKEN"


def test_a_name_that_is_not_there_is_answered_with_one_that_is() -> None:
    assert find_transformation("switched").name == "switched"
    with pytest.raises(UnknownNameError, match="did you mean switched"):
        find_transformation("swiched")


def test_a_plug_in_s_transformation_is_applied_as_ours_are(tmp_path: Path) -> None:
    with installed(tmp_path, TRANSFORMATIONS, f"upper = {UPPER}"):
        assert list(TRANSFORMATIONS)[-1] == "upper"
        assert transformation_packages() == ((UPPER, "capitals", "1.2"),)
        single = entry("the <owl*, vole> hoots")
        told = applied(find_transformation("upper"), single)
        assert told == "(a single problem has no key phrases)"


def test_an_error_in_a_plug_in_s_transformation_is_reported_as_its_own(tmp_path: Path) -> None:
    lorry = entry("a lorry <can, cannot> pass under a {high, low} bridge", id="lorry")
    with (
        installed(tmp_path, TRANSFORMATIONS, f"broken = {BROKEN}"),
        pytest.raises(HorsesenseError, match="'broken' of .* fails on lorry: KeyError"),
    ):
        result(find_transformation("broken"), lorry)


def test_every_transformation_is_known_by_its_own_name() -> None:
    assert all(name == one.name for name, one in TRANSFORMATIONS.items())
