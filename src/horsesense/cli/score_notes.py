"""What is to be known of scores besides the numbers, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from horsesense.cli.modes import told_as_they_stand
from horsesense.cli.output import counted
from horsesense.cli.score_views import Shown, way_of
from horsesense.evaluation.inference import UNREAD
from horsesense.models import CausalObservation, FirstToken, MaskedObservation
from horsesense.schema.measures import second_last_share

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
    for one in shown.summaries:
        for reason, count in one.undefined:
            if reason == UNREAD:  # told by their names
                continue
            groups.setdefault((reason, count), []).append(one.method)
    total = len(shown.results)
    for (reason, count), methods in groups.items():
        where = "" if count == total else f" for {count} of {total} problems"
        yield f"{', '.join(methods)}: undefined{where}, for {reason}"
    unlabelled = sum(one.problem.right is None for one in shown.results)
    if unlabelled:
        yield f"{counted(unlabelled, 'problem')} without a known answer, in no share"


def _token_notes(shown: Shown) -> Iterator[str]:
    across = [
        len(said.tokens.straddling)
        for one in shown.results
        for said in one.observations
        if isinstance(said, CausalObservation | MaskedObservation)
    ]
    if any(across):
        tokens = counted(sum(across), "token")
        sentences = counted(sum(map(bool, across)), "sentence")
        yield f"{tokens} across the edge of a blank, in {sentences}: counted as {shown.straddling}"
    if not shown.results:
        return
    share = second_last_share([one.problem for one in shown.results])
    if share.count:
        yield f"blank second-last in {share.count} of {share.total} problems"


def _first_notes(shown: Shown) -> Iterator[str]:
    sources = Counter(
        said.first_from
        for one in shown.results
        for said in one.observations
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
    told = f"{counted(done.total, 'question')}{kept}, {asked} asked"
    yield f"{told} ({way}{f': {why}' if why else ''})" if way else told
