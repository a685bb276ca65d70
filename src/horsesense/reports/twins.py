"""A telling pair of twins: a schema that shows what a model does, with its deciding words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from horsesense.reports.finding import Behaviour, ModelFinding
from horsesense.results import ORIGINAL, ProblemRow, ResultKey, Results
from horsesense.results.rows import option_at
from horsesense.scoring.outcome import Answer, Verdict

# The verdicts on the two twins that show a behaviour; in any order.
_SHOWS = {
    Behaviour.SOLVES: (Verdict.SOLVED, Verdict.SOLVED),
    Behaviour.WRONG_TWICE: (Verdict.FAILED, Verdict.FAILED),
    # Without a choice, a pair shows nothing.
    Behaviour.BY_ORDER: (),
    Behaviour.NO_ANSWER: (),
}
_ONE_OF_TWO = (Verdict.SOLVED, Verdict.FAILED)


@dataclass(frozen=True, slots=True)
class Twin:
    """A problem of the pair: its statement in pieces, the option chosen, and the right one.

    A piece is a text and whether it differs from the other twin.
    """

    problem_id: str
    pieces: tuple[tuple[str, bool], ...]
    chosen: str
    right: str

    @property
    def is_solved(self) -> bool:
        """Whether the right option was chosen."""
        return self.chosen == self.right


def telling_twins(results: Results, finding: ModelFinding) -> tuple[Twin, Twin] | None:
    """Return the shortest pair of twins that shows the finding; None if there is none.

    Shortest in characters, and the first of those; so nobody can choose a pair that flatters.
    """
    key = ResultKey(finding.model, finding.dataset, method=finding.method)
    answer_set = results.answer_sets.get(key)
    if answer_set is None:
        return None
    rows = {
        (row.entry, row.number): row
        for row in results.problems
        if (row.dataset, row.variant) == (finding.dataset, ORIGINAL) and row.statement
    }
    pairs = []
    for positions in answer_set.schemas:
        both = [answer_set.answers[position] for position in positions]
        problems = [rows.get(answer.problem) for answer in both]
        if _shows(both, finding.behaviour) and None not in problems:
            pairs.append((both, [problem for problem in problems if problem is not None]))
    if not pairs:
        return None
    both, (first, second) = min(pairs, key=lambda pair: sum(len(row.statement) for row in pair[1]))
    marked = _marked(first.statement, second.statement), _marked(second.statement, first.statement)
    return _twin(first, both[0], marked[0]), _twin(second, both[1], marked[1])


def _shows(both: Sequence[Answer], behaviour: Behaviour) -> bool:
    verdicts = sorted(str(answer.outcome.verdict) for answer in both)
    return verdicts == sorted(map(str, _SHOWS.get(behaviour, _ONE_OF_TWO)))


def _twin(row: ProblemRow, answer: Answer, pieces: tuple[tuple[str, bool], ...]) -> Twin:
    chosen, right = (option_at(row.options, at) for at in (answer.outcome.chosen, row.label))
    return Twin(row.problem_id, pieces, chosen or "", right or "")


def _marked(text: str, other: str) -> tuple[tuple[str, bool], ...]:
    """Split a statement into pieces, and mark the words that the other twin doesn't have."""
    return tuple(_pieces(text.split(" "), other.split(" ")))


def _pieces(words: Sequence[str], others: Sequence[str]) -> Iterator[tuple[str, bool]]:
    for kind, start, end, *_ in SequenceMatcher(None, words, others, False).get_opcodes():
        if end > start:
            yield " ".join(words[start:end]), kind != "equal"
