"""How scores are shown: a table for one schema, and a table for many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horsesense.cli.output import Table
from horsesense.evaluation.inference import Posed, PosedEntry, Progress, Scored, Summary
from horsesense.models import Model, Straddling
from horsesense.scoring import Undefined
from horsesense.scoring.outcome import Share, Verdict

UNDEFINED = "–"
MARKS = {
    Verdict.SOLVED: "✓",
    Verdict.FAILED: "✗",
    Verdict.UNDECIDED: "=",
    Verdict.UNLABELLED: "?",
}


@dataclass(frozen=True, slots=True)
class Unread:
    """A problem that the model cannot read, by its entry and its number there, and why."""

    entry: str
    problem: int
    reason: str


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that is shown of a run."""

    name: str
    model: Model
    posed: Posed
    scored: Sequence[tuple[PosedEntry, tuple[Scored, ...]]]
    summaries: Sequence[Summary]
    progress: Progress
    straddling: Straddling = Straddling.SUFFIX
    remarks: Sequence[str] = ()

    @property
    def results(self) -> list[Scored]:
        """What came of every problem, in order."""
        return [one for _, results in self.scored for one in results]

    @property
    def unread(self) -> list[Unread]:
        """The problems that were left out, as the model cannot read them."""
        return [
            Unread(entry.id, number, one.unread)
            for entry, results in self.scored
            for number, one in enumerate(results, 1)
            if one.unread
        ]


def problem_table(results: Sequence[Scored]) -> Table:
    """The problems of a schema, numbered as they are in the table of outcomes."""
    rows = [
        (str(number), one.problem.statement.text, *_options(one))
        for number, one in enumerate(results, 1)
    ]
    width = max(map(len, rows))
    columns = ("", "problem", "options", *[""] * (width - 3))
    return Table(columns, [(*row, *[""] * (width - len(row))) for row in rows])


def _options(scored: Scored) -> Iterator[str]:
    for at, option in enumerate(scored.problem.options):
        mark = MARKS[Verdict.SOLVED] if at == scored.problem.right else " "
        yield f"{mark} {' / '.join(phrase or '(nothing)' for phrase in option)}"


def outcome_table(results: Sequence[Scored]) -> Table:
    """What each method makes of each problem: verdict, preferred option, margin."""
    methods = list(results[0].outcomes)
    rows = [
        (method, *(cell for one in results for cell in _outcome_cells(one, method)))
        for method in methods
    ]
    titles = (title for number in range(1, len(results) + 1) for title in (f"{number}", "margin"))
    return Table(("method", *titles), rows)


def _outcome_cells(scored: Scored, method: str) -> tuple[str, str]:
    outcome = scored.outcomes[method]
    if isinstance(outcome, Undefined):
        return UNDEFINED, ""
    chosen = "undecided"
    if outcome.chosen is not None:
        chosen = " / ".join(scored.problem.options[outcome.chosen]) or "(nothing)"
    return f"{MARKS[outcome.verdict]} {chosen}", f"{outcome.margin:.3f}"


def summary_table(summaries: Iterable[Summary]) -> Table:
    """How many problems and schemas each method solves."""
    rows = [
        (
            one.method,
            *_share(one.problems),
            *_share(one.schemas),
            str(one.undecided.count),
            str(sum(count for _, count in one.undefined)),
        )
        for one in summaries
    ]
    return Table(("method", "problems", "a", "schemas", "A", "undecided", "undefined"), rows)


def _share(share: Share) -> tuple[str, str]:
    value = share.value
    return f"{share.count}/{share.total}", UNDEFINED if value is None else f"{value:.3f}"


def way_of(model: Model) -> tuple[str, str]:
    """How a model computed batches, and why not faster; empty where it does not say."""
    return model.batching, model.fallback_reason
