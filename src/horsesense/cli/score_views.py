"""Show scores: tables for one schema and for many, notes in plain words, and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from horsesense.cli.explain import SENSIBLE
from horsesense.cli.options import told_as_they_stand
from horsesense.cli.output import Table, counted
from horsesense.evaluation.inference import (
    UNREAD,
    Explanation,
    Posed,
    PosedEntry,
    Progress,
    Scored,
    Summary,
    marks_of,
    tags_of,
)
from horsesense.models import (
    CausalObservation,
    Family,
    FirstToken,
    MaskedObservation,
    Model,
    Straddling,
)
from horsesense.schema.measures import second_last_share
from horsesense.scoring import Undefined
from horsesense.scoring.outcome import Outcome, Share, Verdict

UNDEFINED = "–"
MARKS = {
    Verdict.SOLVED: "✓",
    Verdict.FAILED: "✗",
    Verdict.UNDECIDED: "=",
    Verdict.UNLABELLED: "?",
}


_HOW_TO_READ = (
    "Below each token is its cost, the negated logarithm of its probability; less is preferred."
    " A difference (Δ) with + speaks for the sensible option."
)


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
        return [result for _, results in self.scored for result in results]

    @property
    def unread(self) -> list[Unread]:
        """The problems that were left out, as the model cannot read them."""
        return [
            Unread(entry.id, number, result.unread)
            for entry, results in self.scored
            for number, result in enumerate(results, 1)
            if result.unread
        ]


def problem_table(results: Sequence[Scored]) -> Table:
    """The problems of a schema, numbered as they are in the table of outcomes."""
    rows = [
        (str(number), result.problem.statement.text, *_options(result))
        for number, result in enumerate(results, 1)
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
        (method, *(cell for result in results for cell in _outcome_cells(result, method)))
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
            summary.method,
            *_share(summary.problems),
            *_share(summary.schemas),
            str(summary.undecided.count),
            str(sum(count for _, count in summary.undefined)),
        )
        for summary in summaries
    ]
    return Table(("method", "problems", "a", "schemas", "A", "undecided", "undefined"), rows)


def _share(share: Share) -> tuple[str, str]:
    value = share.value
    return f"{share.count}/{share.total}", UNDEFINED if value is None else f"{value:.3f}"


def way_of(model: Model) -> tuple[str, str]:
    """How a model computed batches, and why not faster; empty where it does not say."""
    return model.batching, model.fallback_reason


_SHOWN_IDS = 5
_SHOWN_UNREAD = 20


def notes(shown: Shown, *, is_explained: bool = False) -> Iterator[str]:
    """What is to be known of the numbers; less where every problem has been explained."""
    for left_out in shown.posed.left_out:
        entries = counted(len(left_out.ids), "entry", "entries")
        more = ", …" if len(left_out.ids) > _SHOWN_IDS else ""
        ids = ", ".join(left_out.ids[:_SHOWN_IDS]) + more
        yield f"{entries} left out ({ids}): {left_out.reason}"
    yield from told_as_they_stand(shown.posed.as_they_stand, shown.posed.mode)
    yield from shown.remarks
    yield from _unread_notes(shown)
    if not is_explained:
        yield from _undefined_notes(shown)
        yield from _token_notes(shown)
        yield from _first_notes(shown)
    yield from _asking_notes(shown)


def _unread_notes(shown: Shown) -> Iterator[str]:
    unread = shown.unread
    if not unread:
        return
    total = len(shown.results)
    name = shown.model.info.name
    yield f"{len(unread)} of {total} problems left out, which {name} cannot read:"
    for one in unread[:_SHOWN_UNREAD]:
        yield f"  {one.entry}, problem {one.problem}: {one.reason}"
    if len(unread) > _SHOWN_UNREAD:
        yield f"  and {len(unread) - _SHOWN_UNREAD} more; --json has them all"


def _undefined_notes(shown: Shown) -> Iterator[str]:
    groups: dict[tuple[str, int], list[str]] = {}
    for summary in shown.summaries:
        for reason, count in summary.undefined:
            if reason == UNREAD:  # told by their names
                continue
            groups.setdefault((reason, count), []).append(summary.method)
    total = len(shown.results)
    for (reason, count), methods in groups.items():
        where = "" if count == total else f" for {count} of {total} problems"
        yield f"{', '.join(methods)}: undefined{where}, for {reason}"
    unlabelled = sum(result.problem.right is None for result in shown.results)
    if unlabelled:
        yield f"{counted(unlabelled, 'problem')} without a known answer, in no share"


def _token_notes(shown: Shown) -> Iterator[str]:
    across = [
        len(said.tokens.straddling)
        for result in shown.results
        for said in result.observations
        if isinstance(said, CausalObservation | MaskedObservation)
    ]
    if any(across):
        tokens = counted(sum(across), "token")
        sentences = counted(sum(map(bool, across)), "sentence")
        yield f"{tokens} across the edge of a blank, in {sentences}: counted as {shown.straddling}"
    if not shown.results:
        return
    share = second_last_share([result.problem for result in shown.results])
    if share.count:
        yield f"blank second-last in {share.count} of {share.total} problems"


def _first_notes(shown: Shown) -> Iterator[str]:
    sources = Counter(
        said.first_from
        for result in shown.results
        for said in result.observations
        if isinstance(said, CausalObservation)
    )
    for source, count in sources.items():
        sentences = counted(count, "sentence")
        match source:
            case FirstToken.BOS:
                yield "first tokens have their probability after BOS"
            case FirstToken.TABLE:
                yield f"first tokens have their frequency in the table, in {sentences}"
            case FirstToken.FLOOR:
                yield f"first tokens are not in the table, and have its floor, in {sentences}"
            case FirstToken.UNDEFINED:
                yield "first tokens have no probability; --frequencies would give them one"


def _asking_notes(shown: Shown) -> Iterator[str]:
    done = shown.progress
    if done.damaged:
        yield f"{counted(len(done.damaged), 'damaged answer')} in the store, asked again"
    if not done.total:
        return
    asked = done.total - done.cached
    if not asked:
        yield f"{counted(done.total, 'question')}, all answered from the store"
        return
    way, why = way_of(shown.model)
    kept = f", {done.cached} answered from the store" if done.cached else ""
    message = f"{counted(done.total, 'question')}{kept}, {asked} asked"
    yield f"{message} ({way}{f': {why}' if why else ''})" if way else message


def shown_json(shown: Shown) -> dict[str, Any]:
    """A run, for programs."""
    declared, (way, why) = shown.model.info, way_of(shown.model)
    return {
        "what": shown.name,
        "mode": shown.posed.mode,
        "model": declared.name,
        "family": declared.family,
        "fingerprint": declared.fingerprint,
        "questions": shown.progress.total,
        "from_store": shown.progress.cached,
        "way": way,
        "why": why,
        "methods": [_summary_json(summary) for summary in shown.summaries],
        "second_last": _share_json(second_last_share(shown.posed.problems)),
        "left_out": [asdict(one) for one in shown.posed.left_out],
        "as_they_stand": list(shown.posed.as_they_stand),
        "unread": [asdict(one) for one in shown.unread],
        "notes": list(notes(shown)),
    }


def _summary_json(summary: Summary) -> dict[str, Any]:
    return {
        "method": summary.method,
        "problems": _share_json(summary.problems),
        "schemas": _share_json(summary.schemas),
        "undecided": summary.undecided.count,
        "undefined": dict(summary.undefined),
    }


def _share_json(share: Share) -> dict[str, float | None]:
    return {**asdict(share), "value": share.value}


def scored_json(entry: PosedEntry, number: int, scored: Scored) -> dict[str, Any]:
    """What came of one problem; `number` counts those of its entry from 1.

    `schemas` are the numbers of the schemas of its entry that the problem is in. `marks` are
    tags that were looked for, whether they hold or not.
    """
    problem = scored.problem
    return {
        "entry": entry.id,
        "problem": number,
        "schemas": [at for at, pair in enumerate(entry.pairs, 1) if number - 1 in pair],
        "tags": sorted(tags_of(entry, number - 1, scored)),
        "marks": sorted(marks_of(scored)),
        "mode": problem.mode,
        "statement": problem.statement.text,
        "options": [list(option) for option in problem.options],
        "sentences": [sentence.text for sentence in problem.sentences],
        "right": problem.right,
        "methods": {name: _outcome_json(one) for name, one in scored.outcomes.items()},
    }


def _outcome_json(outcome: Outcome | Undefined) -> dict[str, Any]:
    if isinstance(outcome, Undefined):
        return {"undefined": outcome.reason}
    return {
        "costs": list(outcome.costs),
        "chosen": outcome.chosen,
        "margin": outcome.margin,
        "verdict": outcome.verdict,
    }


def explanation_json(explained: Explanation) -> dict[str, Any]:
    """The tokens of a problem and what each method adds up, for programs."""
    return {
        "columns": [column.part for column in explained.grid.columns],
        "options": [asdict(option) for option in explained.grid.options],
        "sums": [
            {"method": one.method, "adds_up": list(one.marks), "divisors": list(one.divisors)}
            for one in explained.sums
            if one.outcome is not None
        ],
        "remarks": list(explained.remarks),
    }


def introduction(model: Model, scored: Scored, width: int) -> Iterator[Text]:
    """Who was asked, and how to read what follows."""
    declared = model.info
    how = f" ({declared.family}), {scored.problem.mode}; {SENSIBLE} is the sensible option"
    room = width - cell_len(how)
    # Of the path to a folder, the end tells more than the beginning.
    name = declared.name if len(declared.name) <= room else "…" + declared.name[1 - room :]
    yield Text.assemble((name, "bold"), how)
    if declared.family is not Family.BASELINE:
        for line in wrap(_HOW_TO_READ, width):
            yield Text(line, "dim")


def conclusion(summaries: Sequence[Summary]) -> Iterator[Text]:
    """Which methods solve all the schemas there are, both problems of each."""
    defined = [summary for summary in summaries if summary.schemas.total]
    if not defined:
        return
    solved = [one.method for one in defined if one.schemas.count == one.schemas.total]
    yield Text("")
    yield Text.assemble(
        ("Both problems are solved by ", "bold"),
        (", ".join(solved) or "no method", "bold green" if solved else "bold red"),
    )
