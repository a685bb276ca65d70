"""No candidates: a control in which nobody is left to refer to (Elazar et al.; thesis 2.9.4).

A candidate that is not marked is looked for by the noun of its answer, with another determiner or
none; `how` says which phrases were found so. Marked ones are deleted as they are marked, unless
they begin a longer noun («the mouse hole»): then the schema is left out.
"""

from __future__ import annotations

from dataclasses import replace

from horsesense.perturbations.candidates import each_part, without_candidates
from horsesense.perturbations.catalogue.cutting import as_it_stands, with_capital
from horsesense.perturbations.transformation import (
    Level,
    NotApplicable,
    Parameter,
    Purpose,
    Rewriting,
    Right,
    Settings,
    Touch,
    Transformation,
    Voucher,
)
from horsesense.perturbations.unmarked import check_by_themselves, with_unmarked
from horsesense.schema import Entry, Row, Schema, candidates_of
from horsesense.schema.material import PROBLEMS

CAPITAL, LOWER = "capital", "lower"


def _rewrite(entry: Entry, settings: Settings) -> Rewriting:
    found: dict[str, None] = {}  # each is told once
    is_imported = PROBLEMS in dict(entry.extras)

    def bared(part: Schema | Row) -> Schema | Row:
        part, texts = with_unmarked(part)
        found.update(dict.fromkeys(texts))
        numbers = {candidate.number for candidate in candidates_of(part.frame)}
        if not numbers:
            raise NotApplicable("it has no marked candidates")
        missing = set(range(1, len(part.answers) + 1)) - numbers
        if missing:
            raise NotApplicable(f"candidate {min(missing)} is not marked")
        check_by_themselves(part, is_imported)
        return replace(part, frame=without_candidates(part))

    if settings["start"] == LOWER:
        grid = each_part(as_it_stands(entry.grid), bared)
    else:
        grid = with_capital(each_part(entry.grid, bared))
    how = "the candidates deleted"
    if found:
        how += f"; not marked, but found by their nouns: {', '.join(map(repr, found))}"
    return Rewriting(grid, how, Voucher.RULE)


NO_CANDIDATE = Transformation(
    name="no-candidate",
    version=2,
    title="the candidates deleted",
    source="Elazar et al. 2021, section 5; thesis 2.9.4",
    level=Level.PROBLEM,
    touches=frozenset({Touch.CANDIDATES, Touch.FRAME}),
    precondition="a Winograd schema with all candidates marked; one that is not is looked for by "
    "the noun of its answer, with another determiner or none («her son» for «the son»)",
    not_for="a problem with an answer whose candidate is neither marked nor found: a longer phrase "
    "(«her tall son») is not cut into; nor for a candidate with a determiner that stands in a "
    "longer noun only («the mouse hole»), as far as the words tell",
    right=Right.SAME,
    purpose=Purpose.CONTROL,
    tests="whether a model finds the answer without the phrases that it has to choose from; if it "
    "does, the words around the blank give it away",
    example="[The ladle] would not go into [the drawer] because <it = the ladle, the drawer> was "
    "too {long, short}.\n",
    rewrite=_rewrite,
    parameters=(
        Parameter(
            "start",
            CAPITAL,
            "whether the new start gets a capital, or is left as it was in the sentence",
            (CAPITAL, LOWER),
        ),
    ),
)
