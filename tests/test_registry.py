"""Test registries with built-in values and those of installed packages, good and bad."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.registry import Registry, blame, blame_each
from tests.plugins import installed


class Hat:
    """A kind of thing."""

    def __init__(self, name: str) -> None:
        self.name = name


TOP, BOWLER = Hat("top"), Hat("bowler")
AGAIN = Hat("top")
RESERVED = Hat("stetson")
NOT_A_HAT = 7

HERE = "tests.test_registry"


def hats() -> Registry[Hat]:
    made: Registry[Hat] = Registry("hat", "horsesense.hats", Hat, reserved=["stetson"])
    made.add(Hat("beret"))
    return made


def with_plugins(**points: str) -> Registry[Hat]:
    made = hats()
    made.load_plugins(
        [EntryPoint(name, f"{HERE}:{value}", made.group) for name, value in points.items()]
    )
    return made


def test_ours_come_before_those_of_plug_ins() -> None:
    made = with_plugins(top="TOP", bowler="BOWLER")
    assert list(made) == ["beret", "top", "bowler"] and len(made) == 3
    assert made["bowler"] is BOWLER and "top" in made and "fez" not in made
    assert list(made.ours) == list(made.own_names) == ["beret"] and made.failures == ()


def test_a_thing_is_registered_by_a_decorator() -> None:
    made: Registry[type] = Registry("class", "horsesense.classes", type)

    @made.register("owl")
    class Owl:
        """A thing."""

    assert made["owl"] is Owl


def test_a_lazy_thing_is_imported_when_it_is_needed() -> None:
    made = hats()
    made.add_lazily("top", f"{HERE}:TOP")
    made.add_lazily("fez", "tests.no_such_module:FEZ")
    assert made["top"] is made["top"] is TOP and made.own_names == ("beret", "top", "fez")
    with pytest.raises(ModuleNotFoundError):
        made["fez"]


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="^no hat named 'berat'; did you mean beret"):
        hats()["berat"]
    assert hats().get("berat") is None


def test_two_of_ours_cannot_have_one_name() -> None:
    made = hats()
    with pytest.raises(HorsesenseError, match="two hats of the name 'beret'"):
        made.add(Hat("beret"))


def test_a_plug_in_that_cannot_be_loaded_breaks_nothing_but_itself() -> None:
    made = hats()
    bad = EntryPoint("fez", "tests.no_such_module:FEZ", made.group)
    made.load_plugins([bad, EntryPoint("top", f"{HERE}:TOP", made.group)])
    assert list(made.values()) == [made["beret"], TOP]
    (failure,) = made.failures
    assert failure.startswith("the plug-in 'tests.no_such_module:FEZ' cannot be loaded: Module")
    with pytest.raises(HorsesenseError) as caught:
        made["fez"]
    assert str(caught.value) == failure
    with pytest.raises(UnknownNameError) as unknown:
        made["berat"]
    assert str(unknown.value).endswith(f"did you mean beret?\n  {failure}")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("NOT_A_HAT", "is not a hat$"),
        ("RESERVED", "is not used: horsesense has a hat of the name 'stetson' already; rename it"),
    ],
)
def test_a_plug_in_of_another_kind_or_with_a_name_of_ours_is_not_used(
    value: str, message: str
) -> None:
    made = with_plugins(odd=value)
    assert list(made) == ["beret"]
    with pytest.raises(HorsesenseError, match=message):
        made["odd"]


def test_two_plug_ins_of_one_name_are_both_named() -> None:
    made = with_plugins(one="TOP", other="AGAIN", third="AGAIN")
    assert list(made) == ["beret"]
    with pytest.raises(HorsesenseError, match=":TOP' and '.*:AGAIN' both provide 'top'; uninstall"):
        made["top"]


def test_a_package_that_is_installed_is_found_and_named(tmp_path: Path) -> None:
    made = hats()
    assert list(made) == ["beret"] and made.packages == ()
    with installed(tmp_path, made, f"top = {HERE}:TOP\nfez = {HERE}:FEZ"):
        assert made["top"] is TOP
        assert (f"{HERE}:TOP", "capitals", "1.2") in made.packages
        assert "':FEZ' of capitals 1.2".replace("'", "", 1) in made.failures[0]
    assert list(made) == ["beret"]


def broken(number: int) -> int:
    raise KeyError(number)


def refusing(number: int) -> int:
    raise HorsesenseError("give another")


def broken_later(number: int) -> Iterator[int]:
    yield number
    raise KeyError(number)


def refusing_later(number: int) -> Iterator[int]:
    yield number
    raise HorsesenseError("give another")


def test_an_error_in_a_plug_in_is_reported_as_the_plug_in_s() -> None:
    def failing(number: int) -> str:
        return f"theirs fails on {number}"

    assert blame(abs, lambda number: "")(-3) == 3
    with pytest.raises(HorsesenseError, match="^theirs fails on 3: KeyError: 3$"):
        blame(broken, failing)(3)
    with pytest.raises(HorsesenseError, match="^give another$"):
        blame(refusing, failing)(3)
    items = blame_each(broken_later, failing)(3)
    assert next(items) == 3
    with pytest.raises(HorsesenseError, match="^theirs fails on 3: KeyError: 3$"):
        next(items)
    with pytest.raises(HorsesenseError, match="^give another$"):
        list(blame_each(refusing_later, failing)(3))
