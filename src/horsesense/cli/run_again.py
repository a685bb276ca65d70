"""`horsesense run --again`: a run once more, and whether its numbers are the same to the digit.

What models have answered is in the store, and only what is not is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from horsesense.cli.output import counted, show_json
from horsesense.cli.run_conducted import conducted
from horsesense.cli.runs import opened_runs
from horsesense.errors import HorsesenseError

if TYPE_CHECKING:
    from horsesense.results import Estimate, ResultKey, Results

_OTHER_NUMBERS = 1
# More would tell nothing new.
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class _Number:
    """A number that is not what it was; None where there is none."""

    what: str
    then: float | None
    now: float | None


def run_again(path: Path, run: str, *, as_json: bool) -> int:
    """Run the plan of a run once more, and say what has changed; 1 if numbers have."""
    from horsesense.evaluation.protocol import differences
    from horsesense.store import load_run

    with opened_runs(path) as store:
        before = load_run(store, run)
    if not before.record.is_repeatable:
        given = ", ".join(before.record.in_memory)
        raise HorsesenseError(
            f"the run {before.record.id} was made of what a program had in memory ({given}), which"
            " no plan names; only that program can make it again"
        )
    after = conducted(before.record.plan, path, fresh=True, replace=False)
    changes = differences(before.record, after.record)
    others = list(_others(before, after))
    is_same = not others and before.options == after.options
    if as_json:
        show_json(
            {
                "run": before.record.id,
                "now": after.record.id,
                "changes": changes,
                "queries": after.record.queries,
                "asked": after.record.asked,
                "numbers": len(after.estimates),
                "is_same": is_same,
                "others": [{"what": one.what, "then": one.then, "now": one.now} for one in others],
            }
        )
    else:
        for line in _lines(before, after, changes, others):
            click.echo(line)
    return 0 if is_same else _OTHER_NUMBERS


def _others(before: Results, after: Results) -> Iterator[_Number]:
    """Measurements that one has and the other has not, or not to the digit."""
    then, now = _indexed(before), _indexed(after)
    for what in dict.fromkeys((*then, *now)):
        old, new = then.get(what), now.get(what)
        if old != new:
            yield _Number(what, old.value if old else None, new.value if new else None)


def _indexed(profile: Results) -> dict[str, Estimate]:
    return {_name(one): one for one in profile.estimates}


def _name(one: Estimate) -> str:
    against = "" if one.against is None else f" against {_told(one.against)}"
    return f"{one.kind} {one.metric} of {_told(one.key)}{against}"


def _told(at: ResultKey) -> str:
    return ", ".join((at.model, at.dataset, at.variant, at.subset, at.method))


def _lines(
    before: Results, after: Results, changes: list[str], others: list[_Number]
) -> Iterator[str]:
    yield f"run {before.record.id} of {before.record.finished_at}, once more"
    yield "nothing has changed since" if not changes else "what has changed since:"
    yield from (f"  {one}" for one in changes)
    asked, queries = after.record.asked, counted(after.record.queries, "query", "queries")
    yield f"{queries}, of which {asked:,} were asked; the others were answered in the store"
    total = counted(len(after.estimates), "number")
    if not others:
        yield f"{total}: all the same, to the digit"
    else:
        yield f"{total}, of which {len(others)} are not the same:"
        for one in others[:_SHOWN]:
            yield f"  {one.what}: {_shown(one.then)} then, {_shown(one.now)} now"
        if len(others) > _SHOWN:
            yield f"  and {len(others) - _SHOWN} more"
    if after.record.id != before.record.id:
        yield f"kept as run {after.record.id}"


def _shown(value: float | None) -> str:
    return "–" if value is None else repr(value)
