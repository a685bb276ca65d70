"""Files with one row for each candidate: is it what the pronoun means, or not?

The rows of one pronoun make one problem by answer, if exactly one of them is right or nobody says
which. Otherwise each row stays what it is, a claim that is true or false:

    TEXT It is ___ that CLAIM

where a full stop is added to a text that lacks one. A problem by answer is named after its rows,
`3+17`, its answers come in the order in which they first occur in the text, and twins are the
problems that have the same answers and are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from horsesense.datasets.importers.fitting import Place, fitted, marked, problem_at
from horsesense.datasets.importers.format import DUPLICATE_ID
from horsesense.datasets.importers.neighbours import alike_pairs
from horsesense.datasets.importers.source import BAD_LABEL, BAD_ROW, BadRow
from horsesense.datasets.recovery import Group, Journal, RawProblem, base_form
from horsesense.schema import with_full_stop

LONE = "lone-hypothesis"
NOT_ONE_RIGHT = "not-one-right"
NO_PRONOUN = "no-pronoun"
SAME_CANDIDATE = "same-candidate"
ISSUES = {
    LONE: "no other candidate is put in the place of that pronoun; a problem of true or false",
    NOT_ONE_RIGHT: "none or several candidates are right; problems of true or false",
    NO_PRONOUN: "the pronoun cannot be located; a problem of true or false",
    SAME_CANDIDATE: "rows put the same candidate in the same place; they are one option",
}
TRUE_OR_FALSE = "true-or-false"


class Claim(NamedTuple):
    """A row: the candidate that it puts in the place of the pronoun, and the same in words.

    `blank` is where the pronoun stands in the text and `place` where the candidate does, if known.
    """

    name: str
    line: int
    text: str
    wording: str
    candidate: str
    blank: Place | None
    place: Place | None
    is_right: bool | None


def read_claims(
    rows: Iterable[tuple[int, dict[str, Any]]],
    journal: Journal,
    read: Callable[[int, dict[str, Any]], Claim],
) -> list[Claim]:
    """The claims of rows. Bad rows, ids used twice and missing labels are faults."""
    claims: dict[str, Claim] = {}
    for line, row in rows:
        try:
            claim = read(line, row)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        if before := claims.get(claim.name):
            odd = f"the id {claim.name!r} stands in line {before.line} too"
            journal.fault(DUPLICATE_ID, line, claim.name, odd)
        else:
            claims[claim.name] = claim
    if all(claim.is_right is None for claim in claims.values()):
        return list(claims.values())
    for claim in claims.values():
        if claim.is_right is None:
            odd = "no label, though others have one"
            journal.fault(BAD_LABEL, claim.line, claim.name, odd)
    return [claim for claim in claims.values() if claim.is_right is not None]


def by_pronoun(claims: Iterable[Claim]) -> list[list[Claim]]:
    """The claims about the same pronoun together, in the order in which they first occur."""
    together: dict[tuple[str, Place | None], list[Claim]] = {}
    for claim in claims:
        together.setdefault((claim.text, claim.blank), []).append(claim)
    return list(together.values())


def groups_of(together: Iterable[Sequence[Claim]], journal: Journal) -> list[Group]:
    """The entries that these claims make, each list of which is about one pronoun."""
    answered: list[RawProblem] = []
    groups: list[Group] = []
    for claims in together:
        if problem := _by_answer(claims, journal):
            answered.append(problem)
        else:
            groups += _by_truth(claims, journal)
    for twins in alike_pairs(answered):
        rows = [row for one in twins for row in one.name.split("+")]
        for row in rows:
            journal.belongs(row, rows[0])
        groups.append(Group(rows[0], twins))
    return sorted(groups, key=lambda group: group.found[0].line)


def _by_answer(claims: Sequence[Claim], journal: Journal) -> RawProblem | None:
    """The problem that the candidates make together, if exactly one can be right."""
    first = claims[0]
    options = _options(claims)
    if first.blank is None or len(options) < 2 or _contradicted(options):
        return None
    ordered = sorted((same[0] for same in options), key=_appearance)
    labels = [claim.is_right for claim in ordered]
    if None not in labels and labels.count(True) != 1:
        return None
    name = "+".join(claim.name for claim in claims)
    for same in options:
        for claim in same[1:]:
            odd = f"{claim.candidate!r} stands in line {same[0].line} too"
            journal.step(SAME_CANDIDATE, claim.line, name, odd, "one option")
    right = None if None in labels else labels.index(True)
    answers = [claim.candidate for claim in ordered]
    found = problem_at(name, first.line, first.text, first.blank, answers, right)
    return fitted(marked(found, [claim.place for claim in ordered], journal), journal)


def _options(claims: Iterable[Claim]) -> list[list[Claim]]:
    """The claims by their candidates; some files put one to the test twice."""
    options: dict[str, list[Claim]] = {}
    for claim in claims:
        options.setdefault(claim.candidate.lower(), []).append(claim)
    return list(options.values())


def _contradicted(options: Iterable[Sequence[Claim]]) -> bool:
    """True where the same candidate is right in one row and wrong in another."""
    return any(len({claim.is_right for claim in same}) > 1 for same in options)


def _appearance(claim: Claim) -> tuple[int, int]:
    """Where a candidate first occurs; what does not occur comes last."""
    if claim.place:
        return claim.place.start, claim.line
    start = claim.text.lower().find(base_form(claim.candidate).lower())
    return start if start >= 0 else len(claim.text), claim.line


def _by_truth(claims: Sequence[Claim], journal: Journal) -> Iterator[Group]:
    """Each claim for itself."""
    issue, odd = _why_alone(claims)
    for claim in claims:
        journal.oddity(issue, claim.line, claim.name, odd, "asked by itself")
        texts = f"{with_full_stop(claim.text)} It is ", f" that {claim.wording}"
        right = None if claim.is_right is None else int(not claim.is_right)
        found = RawProblem(claim.name, claim.line, texts, (("true",), ("false",)), right)
        yield Group(claim.name, [found], tags=(TRUE_OR_FALSE,))


def _why_alone(claims: Sequence[Claim]) -> tuple[str, str]:
    options = _options(claims)
    candidate = claims[0].candidate
    if claims[0].blank is None:
        return NO_PRONOUN, ""
    if _contradicted(options):
        return NOT_ONE_RIGHT, "the same candidate is right in one row and wrong in another"
    if len(options) == 1:
        return LONE, f"only {candidate!r} is put in its place"
    right = sum(same[0].is_right is True for same in options)
    return NOT_ONE_RIGHT, f"{right} of {len(options)} candidates are right"
