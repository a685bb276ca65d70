from collections.abc import Iterator
from importlib.metadata import EntryPoint, distributions
from pathlib import Path

import pytest

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.perturbations import (
    TRANSFORMATIONS,
    find_transformation,
    transformation_packages,
)
from horsesense.perturbations.registry import GROUP, loaded, packages_of
from tests.perturbations.written import applied, entry, result

# A transformation as another package would bring it.
BROUGHT = "tests.perturbations.brought:UPPER"


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which a package that brings it is installed."""
    folder = tmp_path / "capitals-1.2.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Name: capitals\nVersion: 1.2\n", encoding="utf-8")
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\nupper = {BROUGHT}\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def asked_anew() -> Iterator[None]:
    """What is installed is looked up again, now and after the test."""
    transformation_packages.cache_clear()
    yield
    transformation_packages.cache_clear()


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


@pytest.mark.usefixtures("asked_anew")
def test_packages_that_bring_transformations_are_told_with_their_versions(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(installed)
    assert (BROUGHT, "capitals", "1.2") in transformation_packages()


def test_what_no_package_is_known_to_bring_is_told_without_one(installed: Path) -> None:
    (package,) = distributions(path=[str(installed)])
    unknown = EntryPoint("lower", "letters:LOWER", GROUP)
    expected = (("letters:LOWER", "", ""), (BROUGHT, "capitals", "1.2"))
    assert packages_of([*package.entry_points, unknown]) == expected
    assert packages_of([unknown, *package.entry_points]) == expected


def test_every_transformation_is_known_by_its_own_name() -> None:
    assert all(name == one.name for name, one in TRANSFORMATIONS.items())
