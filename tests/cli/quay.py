"""A dataset some of whose entries can be switched, for the tests of perturbations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.cli.conftest import Run

HARBOUR_SCHEMAS = """\
---
name: quay
title: At the quay
---
[Nora] threw [Lena] the rope because <she = Nora, Lena> was {ashore, drowning}.
    id: rope
    switchable: yes
[Ivo] thanked [Emil] because <he = Ivo, Emil> had {eaten, cooked}.
    id: meal
[Jana] lent [Vera] the ladder because <she = Jana, Vera> {did not need it, had none}.
    id: ladder
[The hose] did not reach [the pump] because <it = the hose, the pump> was too {short, far away}.
    id: hose
    switchable: no
a boiling pot is <hotter, colder> than a {lukewarm, glowing} one
    id: pot
"""
PLAIN = "<all, not all> roses are {plants, climbers}\n    id: roses\n"
WRAPPERS = ("It is |true, false| that …", "That … is |right, wrong|")


def printed(run: Run, *arguments: str) -> Any:
    result = run("perturb", *arguments, "--json")
    assert result.exit_code == 0
    return json.loads(result.stdout)
