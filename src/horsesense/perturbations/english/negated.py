"""The same claim negated, with the quantifiers exchanged (thesis 3.61c, 3.66c).

If all of them are, none of them is not; if not all of them are, some are not.
"""

from __future__ import annotations

import re

from horsesense.perturbations.english.flat_frame import (
    ANSWER_MARK,
    CLAUSE_START,
    flat,
    rebuilt,
    span_of,
)
from horsesense.perturbations.transformation import (
    NotApplicable,
    Rewriting,
    Settings,
    needs_schema,
)
from horsesense.schema import Entry, Schema, capitalise, pair

_NEGATIONS = {"all": "no", "not all": "some"}
_AFFIRMATIONS = {negation: plain for plain, negation in _NEGATIONS.items()}
_COPULA = re.compile(r" (?P<subject>.+?) (?P<copula>is|are|was|were) (?P<rest>.+)")
_NEGATIVE = re.compile(r"(?:not|never|no)\b")


def propose_negated(entry: Entry, settings: Settings) -> Rewriting:
    """«No» and «some … not» for «all» and «not all», or the reverse."""
    grid = needs_schema(entry.grid)
    before, _, after = flat(grid).partition(ANSWER_MARK)
    answers = [value[0] for value in grid.answers.values]
    words = {answer.lower() for answer in answers}
    table = next((one for one in (_NEGATIONS, _AFFIRMATIONS) if words == set(one)), None)
    if table is None:
        raise NotApplicable("the answers are not such quantifiers")
    if not any(match.end() == len(before) for match in CLAUSE_START.finditer(before)):
        raise NotApplicable("the quantifier does not stand at the start of a clause")
    match = _COPULA.fullmatch(after)
    if match is None:
        raise NotApplicable("no copula follows the subject")
    _check_subject(grid, (len(before) + 2, len(before) + 2 + len(match["subject"])))
    rest = _negated(grid, match["rest"]) if table is _NEGATIONS else _affirmed(match["rest"])
    text = f"{before}{ANSWER_MARK} {match['subject']} {match['copula']} {rest}"
    new = [_in_case(table[answer.lower()], answer) for answer in answers]
    how = f"{'/'.join(answers)} → {'/'.join(new)}"
    return Rewriting(rebuilt(grid, text, pair(*new)), how)


def _check_subject(grid: Schema, stretch: tuple[int, int]) -> None:
    """Refuse a subject with a verb of its own: the copula found may not be the sentence's."""
    for key in (0, 1):
        for token in span_of(grid, flat(grid), stretch, key):
            if token.pos_ in ("VERB", "AUX", "PUNCT") or token.tag_ in ("WDT", "WP"):
                raise NotApplicable("the subject is no plain noun phrase")


def _negated(grid: Schema, rest: str) -> str:
    phrases = [value[-1] for value in grid.keys.values]
    if any(_NEGATIVE.match(text) for text in (rest, *phrases)):
        raise NotApplicable("it is negated already")
    return f"not {rest}"


def _affirmed(rest: str) -> str:
    if not rest.startswith("not "):
        raise NotApplicable("there is no negation to take away")
    return rest.removeprefix("not ")


def _in_case(word: str, like: str) -> str:
    return capitalise(word) if like[:1].isupper() else word
