"""Many drafts of all rules, whatever their area."""

from __future__ import annotations

from random import Random

import pytest

from horsesense.generation import RULES, RequestedDifficulty, Rule
from horsesense.generation.rule import settle
from horsesense.generation.words import table
from tests.generation.drawn import drafts, with_drafts

pytestmark = pytest.mark.usefixtures("untraced")

NAMES = {
    *table("people")["names"],
    *table("kinship")["women"],
    *table("kinship")["men"],
    *table("space")["villages"],
}
# There are only so many parts of a house and generations of a family.
FEW = ("place-levels", "place-own", "compare-elders")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
@with_drafts(3, 20)
def test_every_rule_gives_sound_schemas_at_every_difficulty(rule: Rule, count: int) -> None:
    for number, draft in enumerate(drafts(rule, count)):
        settled = settle(draft, reverse=bool(number % 2))
        assert all(proof.holds for proof in settled.proofs)
        assert all(cell.steps and all(cell.steps) for row in draft.cells for cell in row)
        assert len({settled.schema.sentence(cell).text for cell in settled.schema.cells}) == 4


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_draft_is_in_lower_case_and_leaves_the_notation_to_others(rule: Rule) -> None:
    for draft in drafts(rule, 3):
        first = draft.frame.split()[0]
        assert first[0].islower() or first[0] in "{<" or first in NAMES, draft.frame
        assert "\0" not in draft.frame and not draft.frame.endswith(".")
        assert not set('\0,<>{}"[]') & set("".join(draft.keys + draft.answers))


@pytest.mark.long
@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule.name not in FEW], ids=lambda rule: rule.name
)
def test_every_rule_has_hundreds_of_drafts_but_for_a_few(rule: Rule) -> None:
    rng, difficulty = Random(0), RequestedDifficulty().of(rule)[0]
    distinct = set()
    for _ in range(1000):
        draft = rule.make(rng, difficulty)
        distinct.add((draft.frame, frozenset(draft.keys), draft.answers))
        if len(distinct) > 150:
            return
    pytest.fail(f"only {len(distinct)} different ones in 1000")
