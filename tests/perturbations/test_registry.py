from importlib.metadata import EntryPoint

import pytest

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.perturbations import TRANSFORMATIONS, find_transformation
from horsesense.perturbations.registry import GROUP, loaded
from tests.perturbations.written import applied, entry, result

# A transformation as another package would bring it.
BROUGHT = "tests.perturbations.brought:UPPER"


def test_a_name_that_is_not_there_is_answered_with_one_that_is() -> None:
    assert find_transformation("switched").name == "switched"
    with pytest.raises(UnknownNameError, match="did you mean switched"):
        find_transformation("swiched")


def test_another_package_brings_a_transformation_by_entry_point() -> None:
    found = loaded([EntryPoint("upper", BROUGHT, GROUP)])
    assert list(found) == ["upper"]


def test_what_is_brought_must_be_a_transformation_with_a_name_of_its_own() -> None:
    with pytest.raises(HorsesenseError, match="is no transformation"):
        loaded([EntryPoint("upper", "tests.perturbations.brought:_rewrite", GROUP)])
    with pytest.raises(HorsesenseError, match="a second 'upper'"):
        loaded([EntryPoint("upper", BROUGHT, GROUP)] * 2)
    with pytest.raises(HorsesenseError, match="fails: No module named"):
        loaded([EntryPoint("upper", "tests.perturbations.nowhere:UPPER", GROUP)])
    switched = "horsesense.perturbations.catalogue.switched:SWITCHED"
    with pytest.raises(HorsesenseError, match="a second 'switched'"):
        loaded([EntryPoint("again", switched, GROUP)])


def test_an_error_in_the_code_of_others_is_told_as_theirs() -> None:
    found = loaded([EntryPoint("broken", "tests.perturbations.brought:BROKEN", GROUP)])
    one = entry("a lorry <can, cannot> pass under a {high, low} bridge", id="lorry")
    with pytest.raises(HorsesenseError, match="'broken' of .* fails on lorry: KeyError"):
        result(found["broken"], one)
    single = entry("the <owl*, vole> hoots")
    brought = loaded([EntryPoint("upper", BROUGHT, GROUP)])["upper"]
    assert applied(brought, single) == "(a single problem has no key phrases)"


def test_every_transformation_is_known_by_its_own_name() -> None:
    assert all(name == one.name for name, one in TRANSFORMATIONS.items())
