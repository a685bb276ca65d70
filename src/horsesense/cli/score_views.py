"""Format scores: tables for one schema and for many, messages, and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap
from typing import Any

from rich.cells import cell_len
from rich.text import Text

from horsesense.cli.explain import SENSIBLE, UNDEFINED, margin_cell
from horsesense.cli.layout import TextTable, bare_number
from horsesense.cli.options import as_in_file_messages
from horsesense.cli.output import counted
from horsesense.evaluation.inference import (
    UNREAD,
    Explanation,
    MethodSummary,
    ObservedProblem,
    Posed,
    PosedEntry,
    Progress,
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

MARKS = {
    Verdict.SOLVED: "✓",
    Verdict.FAILED: "✗",
    Verdict.UNDECIDED: "=",
    Verdict.UNLABELLED: "?",
}


_HOW_TO_READ = (
    "Below each token is its cost, the negative log-probability; lower is better."
    " A positive difference (Δ) favours the sensible option."
)
_HOW_TO_READ_REPLIES = (
    "Each question is shown with its exact messages, the reply, and how the reply was read. Every"
    " choice is asked in both orders; it counts only if both agree."
)


@dataclass(frozen=True, slots=True)
class Unread:
    """A problem that the model cannot tokenize, and the reason."""

    entry: str
    problem: int
    reason: str


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The scores of a model, and everything else to print about them."""

    name: str
    model: Model
    posed: Posed
    scored: Sequence[tuple[PosedEntry, tuple[ObservedProblem, ...]]]
    summaries: Sequence[MethodSummary]
    progress: Progress
    straddling: Straddling = Straddling.SUFFIX
    remarks: Sequence[str] = ()

    @property
    def results(self) -> list[ObservedProblem]:
        """The results of all problems, in order."""
        return [result for _, results in self.scored for result in results]

    @property
    def unread(self) -> list[Unread]:
        """The problems that were skipped because the model cannot tokenize them."""
        return [
            Unread(entry.id, number, result.unread)
            for entry, results in self.scored
            for number, result in enumerate(results, 1)
            if result.unread
        ]


def problem_table(results: Sequence[ObservedProblem]) -> TextTable:
    """List the problems of a schema, numbered as in the table of outcomes."""
    rows = [
        (str(number), result.problem.statement.text, *_options(result))
        for number, result in enumerate(results, 1)
    ]
    width = max(map(len, rows))
    columns = ("", "problem", "options", *[""] * (width - 3))
    return TextTable(columns, [(*row, *[""] * (width - len(row))) for row in rows])


def _options(scored: ObservedProblem) -> Iterator[str]:
    for at, option in enumerate(scored.problem.options):
        mark = MARKS[Verdict.SOLVED] if at == scored.problem.right else " "
        yield f"{mark} {' / '.join(phrase or '(nothing)' for phrase in option)}"


def outcome_table(results: Sequence[ObservedProblem]) -> TextTable:
    """Show the verdict, preferred option and margin of each method for each problem."""
    methods = list(results[0].outcomes)
    rows = [
        (method, *(cell for result in results for cell in _outcome_cells(result, method)))
        for method in methods
    ]
    titles = (title for number in range(1, len(results) + 1) for title in (f"{number}", "margin"))
    return TextTable(("method", *titles), rows)


def _outcome_cells(scored: ObservedProblem, method: str) -> tuple[str, str]:
    outcome = scored.outcomes[method]
    if isinstance(outcome, Undefined):
        return UNDEFINED, ""
    chosen = "undecided"
    if outcome.chosen is not None:
        chosen = " / ".join(scored.problem.options[outcome.chosen]) or "(nothing)"
    return f"{MARKS[outcome.verdict]} {chosen}", margin_cell(outcome.signed_margin)


def summary_table(summaries: Iterable[MethodSummary]) -> TextTable:
    """Show how many problems and schemas are solved by each method."""
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
    return TextTable(("method", "problems", "a", "schemas", "A", "undecided", "undefined"), rows)


def _share(share: Share) -> tuple[str, str]:
    value = share.value
    return f"{share.count}/{share.total}", UNDEFINED if value is None else bare_number(
        f"{value:.3f}"
    )


_SHOWN_IDS = 5
_SHOWN_UNREAD = 20


def score_messages(view: ScoreView, *, is_explained: bool = False) -> Iterator[str]:
    """Yield messages about the scores; fewer if every problem has been explained."""
    for left_out in view.posed.left_out:
        entries = counted(len(left_out.ids), "entry", "entries")
        more = ", …" if len(left_out.ids) > _SHOWN_IDS else ""
        ids = ", ".join(left_out.ids[:_SHOWN_IDS]) + more
        yield f"{entries} left out ({ids}): {left_out.reason}"
    yield from as_in_file_messages(view.posed.as_they_stand, view.posed.mode)
    yield from view.remarks
    yield from _unread_messages(view)
    if not is_explained:
        yield from _undefined_messages(view)
        yield from _token_messages(view)
        yield from _first_token_messages(view)
    yield from _query_messages(view)


def _unread_messages(view: ScoreView) -> Iterator[str]:
    unread = view.unread
    if not unread:
        return
    total = len(view.results)
    name = view.model.info.name
    yield f"skipped {len(unread)} of {total} problems that {name} cannot tokenize:"
    for problem in unread[:_SHOWN_UNREAD]:
        yield f"  {problem.entry}, problem {problem.problem}: {problem.reason}"
    if len(unread) > _SHOWN_UNREAD:
        yield f"  and {len(unread) - _SHOWN_UNREAD} more; use --json to see all"


def _undefined_messages(view: ScoreView) -> Iterator[str]:
    groups: dict[tuple[str, int], list[str]] = {}
    for summary in view.summaries:
        for reason, count in summary.undefined:
            if reason == UNREAD:  # already listed
                continue
            groups.setdefault((reason, count), []).append(summary.method)
    total = len(view.results)
    for (reason, count), methods in groups.items():
        where = "" if count == total else f" for {count} of {total} problems"
        yield f"{', '.join(methods)}: undefined{where}: {reason}"
    unlabelled = sum(result.problem.right is None for result in view.results)
    if unlabelled:
        yield f"{counted(unlabelled, 'problem')} without a label, not counted in the shares"


def _token_messages(view: ScoreView) -> Iterator[str]:
    across = [
        len(observation.tokens.straddling)
        for result in view.results
        for observation in result.observations
        if isinstance(observation, CausalObservation | MaskedObservation)
    ]
    if any(across):
        tokens = counted(sum(across), "token")
        sentences = counted(sum(map(bool, across)), "sentence")
        yield f"{tokens} in {sentences} cross the edge of a blank; counted as {view.straddling}"
    if not view.results:
        return
    share = second_last_share([result.problem for result in view.results])
    if share.count:
        yield f"the blank is second-last in {share.count} of {share.total} problems"


def _first_token_messages(view: ScoreView) -> Iterator[str]:
    sources = Counter(
        observation.first_from
        for result in view.results
        for observation in result.observations
        if isinstance(observation, CausalObservation)
    )
    for source, count in sources.items():
        sentences = counted(count, "sentence")
        match source:
            case FirstToken.BOS:
                yield "first tokens: probability after BOS"
            case FirstToken.TABLE:
                yield f"first tokens: frequency in the table, for {sentences}"
            case FirstToken.FLOOR:
                yield f"first tokens: not in the table, so its lowest value, for {sentences}"
            case FirstToken.UNDEFINED:
                yield "first tokens have no probability; use --frequencies to provide one"


def _query_messages(view: ScoreView) -> Iterator[str]:
    done = view.progress
    if done.damaged:
        yield f"recomputed {counted(len(done.damaged), 'damaged answer')} of the store"
    if not done.total:
        return
    queries = counted(done.total, "query", "queries")
    if done.cached == done.total:
        yield f"{queries}, all cached"
        return
    cached = f", {done.cached} cached" if done.cached else ""
    batching, reason = view.model.batching, view.model.fallback_reason
    details = f" ({batching}{f': {reason}' if reason else ''})" if batching else ""
    yield f"{queries}{cached}{details}"


def score_json(view: ScoreView) -> dict[str, Any]:
    """Return the scores of a model as JSON."""
    declared = view.model.info
    return {
        "what": view.name,
        "mode": view.posed.mode,
        "model": declared.name,
        "family": declared.family,
        "fingerprint": declared.fingerprint,
        "questions": view.progress.total,
        "from_store": view.progress.cached,
        "way": view.model.batching,
        "why": view.model.fallback_reason,
        "methods": [_summary_json(summary) for summary in view.summaries],
        "second_last": _share_json(second_last_share(view.posed.problems)),
        "left_out": [asdict(left_out) for left_out in view.posed.left_out],
        "as_they_stand": list(view.posed.as_they_stand),
        "unread": [asdict(problem) for problem in view.unread],
        "notes": list(score_messages(view)),
    }


def _summary_json(summary: MethodSummary) -> dict[str, Any]:
    return {
        "method": summary.method,
        "problems": _share_json(summary.problems),
        "schemas": _share_json(summary.schemas),
        "undecided": summary.undecided.count,
        "undefined": dict(summary.undefined),
    }


def _share_json(share: Share) -> dict[str, float | None]:
    return {**asdict(share), "value": share.value}


def scored_json(entry: PosedEntry, number: int, scored: ObservedProblem) -> dict[str, Any]:
    """Return the scores of a problem as JSON; `number` is its position in its entry, from 1.

    `schemas` are the numbers of the entry's schemas that have the problem. `marks` are the tags
    that were checked for, whether the problem has them or not.
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
        "methods": {name: _outcome_json(outcome) for name, outcome in scored.outcomes.items()},
    }


def _outcome_json(outcome: Outcome | Undefined) -> dict[str, Any]:
    if isinstance(outcome, Undefined):
        return {"undefined": outcome.reason}
    return {
        "costs": list(outcome.costs),
        "chosen": outcome.chosen,
        "margin": outcome.signed_margin,
        "verdict": outcome.verdict,
    }


def explanation_json(explained: Explanation) -> dict[str, Any]:
    """Return the tokens of a problem, and the sums of each method, as JSON.

    `conversations` has one item per method of a chat model, with every message and reply.
    """
    return {
        "columns": [column.part for column in explained.grid.columns],
        "options": [asdict(option) for option in explained.grid.options],
        "sums": [
            {"method": one.method, "adds_up": list(one.coverage), "divisors": list(one.divisors)}
            for one in explained.sums
            if one.outcome is not None
        ],
        "remarks": list(explained.remarks),
        "conversations": [asdict(each) for each in explained.conversations],
    }


def introduction(model: Model, scored: ObservedProblem, width: int) -> Iterator[Text]:
    """Yield the model, and how to read the explanations."""
    declared = model.info
    how = f" ({declared.family}), {scored.problem.mode}; {SENSIBLE} is the sensible option"
    room = width - cell_len(how)
    # Keep the end of a long path, which says more than its start.
    name = declared.name if len(declared.name) <= room else "…" + declared.name[1 - room :]
    yield Text.assemble((name, "bold"), how)
    if declared.family is not Family.BASELINE:
        how_to_read = _HOW_TO_READ_REPLIES if declared.family is Family.CHAT else _HOW_TO_READ
        for line in wrap(how_to_read, width):
            yield Text(line, "dim")


def conclusion(summaries: Sequence[MethodSummary]) -> Iterator[Text]:
    """Name the methods that solve both problems of every schema."""
    defined = [summary.schemas for summary in summaries if summary.schemas.total]
    if not defined:
        return
    solved = [
        summary.method
        for summary in summaries
        if summary.schemas.total and summary.schemas.count == summary.schemas.total
    ]
    yield Text("")
    yield Text.assemble(
        ("Both problems are solved by ", "bold"),
        (", ".join(solved) or "no method", "bold green" if solved else "bold red"),
    )
