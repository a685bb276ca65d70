"""Run a plan with a store on disk, or repeat a kept run and list the numbers that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.protocol import OnProgress, Progress, conduct, differences
from horsesense.results import Estimate, Plan, ResultKey, Results
from horsesense.store import Store, find_run, load_run, open_runs


def _ignore(message: str | Progress) -> None:
    """Report nothing."""


def run_plan(
    plan: Plan,
    path: Path,
    *,
    fresh: bool = False,
    replace: bool = True,
    on_progress: OnProgress = _ignore,
    note: Callable[[str], None] = _ignore,
) -> Results:
    """Run a plan with the store at a path, which is created if it does not exist.

    A kept run is loaded, even from a store that is read-only; a new run needs a store that can be
    written to. A run in which a model failed is not kept. See `conduct` for `fresh` and `replace`.
    """
    with open_or_create(path) as store:
        results = conduct(
            plan, store, fresh=fresh, replace=replace, on_progress=on_progress, note=note
        )
        kept = find_run(store, results.record.key)
        if kept is None and store.is_read_only:
            raise StoreError(
                f"{path} is read-only, and a new run must be kept; choose another with --store"
            )
        # Another process may have been faster; the run that was kept first counts.
        is_ours = fresh or kept is None or kept == results.record
        return results if is_ours else load_run(store, results.record.id)


def open_or_create(path: Path) -> Store:
    """Open the store, read-only if it cannot be written to; create it if it does not exist."""
    return Store.open(path) if path.exists() else Store.create_or_open(path)


@dataclass(frozen=True, slots=True)
class ChangedNumber:
    """An estimate that is not what it was; None where there is none."""

    what: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Repeated:
    """A kept run and its repetition: changes of data, models and program, and of the numbers."""

    before: Results
    after: Results
    changes: list[str]
    numbers: tuple[ChangedNumber, ...]

    @property
    def is_same(self) -> bool:
        """Whether all estimates and all answers are the same to the digit."""
        return not self.numbers and self.before.options == self.after.options


def repeat_run(
    path: Path,
    run: str,
    *,
    on_progress: OnProgress = _ignore,
    note: Callable[[str], None] = _ignore,
) -> Repeated:
    """Run the plan of a kept run once more from the answers in the store, and compare."""
    with open_runs(path) as store:
        before = load_run(store, run)
    if not before.record.is_repeatable:
        objects = ", ".join(before.record.in_memory)
        raise HorsesenseError(
            f"the run {before.record.id} used objects that a Python program passed in ({objects});"
            " only that program can repeat it"
        )
    after = run_plan(
        before.record.plan, path, fresh=True, replace=False, on_progress=on_progress, note=note
    )
    changes = differences(before.record, after.record)
    return Repeated(before, after, changes, tuple(_changed(before, after)))


def _changed(before: Results, after: Results) -> Iterator[ChangedNumber]:
    """List estimates that only one of the runs has, or that are not the same to the digit."""
    then, now = _by_name(before), _by_name(after)
    for what in dict.fromkeys((*then, *now)):
        old, new = then.get(what), now.get(what)
        if old != new:
            yield ChangedNumber(what, old.value if old else None, new.value if new else None)


def _by_name(results: Results) -> dict[str, Estimate]:
    return {_name(estimate): estimate for estimate in results.estimates}


def _name(estimate: Estimate) -> str:
    against = "" if estimate.against is None else f" against {_place(estimate.against)}"
    return f"{estimate.kind} {estimate.metric} of {_place(estimate.key)}{against}"


def _place(at: ResultKey) -> str:
    return ", ".join((at.model, at.dataset, at.variant, at.subset, at.method))
