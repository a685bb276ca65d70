"""Every rule against the checker of its area, and every checker against known sentences."""

from __future__ import annotations

from importlib import import_module

import pytest

from horsesense.generation import AREAS, RULES, Rule
from tests.generation.checker.drawing import misjudged
from tests.generation.checker.plain_text import Undecided, Unreadable
from tests.generation.checkers import CHECKERS

pytestmark = pytest.mark.usefixtures("untraced")


def planted(kind: str) -> list[tuple[str, str]]:
    """The sentences of that kind, each with its area."""
    modules = {area: import_module(f"tests.generation.planted.{area}") for area in AREAS}
    return [(area, text) for area, module in modules.items() for text in getattr(module, kind)]


@pytest.mark.parametrize("schemas", [10, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_sentence_is_what_it_is_said_to_be(rule: Rule, schemas: int) -> None:
    assert misjudged(rule, CHECKERS[rule.area], schemas=schemas) == []


@pytest.mark.parametrize(("area", "sentence"), planted("TRUE"))
def test_the_true_is_seen_to_be_true(area: str, sentence: str) -> None:
    assert CHECKERS[area](sentence)


@pytest.mark.parametrize(("area", "sentence"), planted("FALSE"))
def test_the_false_is_seen_to_be_false(area: str, sentence: str) -> None:
    assert not CHECKERS[area](sentence)


@pytest.mark.parametrize(("area", "sentence"), planted("OPEN"))
def test_what_is_left_open_is_an_error(area: str, sentence: str) -> None:
    with pytest.raises(Undecided):
        CHECKERS[area](sentence)


@pytest.mark.parametrize(("area", "sentence"), planted("UNREADABLE"))
def test_what_cannot_be_read_is_an_error(area: str, sentence: str) -> None:
    with pytest.raises(Unreadable):
        CHECKERS[area](sentence)
