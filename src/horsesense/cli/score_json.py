"""Scores and explanations, for programs."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from horsesense.cli.score_notes import notes
from horsesense.cli.score_views import Shown, way_of
from horsesense.evaluation.inference import (
    Explanation,
    PosedEntry,
    Scored,
    Summary,
    marks_of,
    tags_of,
)
from horsesense.schema.measures import second_last_share
from horsesense.scoring import Undefined
from horsesense.scoring.outcome import Outcome, Share


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
        "methods": [_summary_json(one) for one in shown.summaries],
        "second_last": _share_json(second_last_share(shown.posed.problems)),
        "left_out": [asdict(one) for one in shown.posed.left_out],
        "as_they_stand": list(shown.posed.as_they_stand),
        "unread": [asdict(one) for one in shown.unread],
        "notes": list(notes(shown)),
    }


def _summary_json(one: Summary) -> dict[str, Any]:
    return {
        "method": one.method,
        "problems": _share_json(one.problems),
        "schemas": _share_json(one.schemas),
        "undecided": one.undecided.count,
        "undefined": dict(one.undefined),
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
